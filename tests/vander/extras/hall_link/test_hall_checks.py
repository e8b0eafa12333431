from __future__ import annotations

from pathlib import Path

from vander.extras.hall_link.membership import SLOW_LINES, check_hall
from vander.storage.settings import load
from web.schemas.access_schemas import JoinedHall, LinkStatus, Verdict


def test_the_doctor_says_how_the_hall_is_reached(tmp_path: Path) -> None:
    settings = load(data_dir=tmp_path)

    def verdict(status: LinkStatus) -> Verdict:
        return check_hall(settings, lambda: JoinedHall("http://hall", "Table 4", "link", status)).verdict

    assert check_hall(settings, None).told == check_hall(settings, lambda: None).told
    (tmp_path / "hall.json").touch()
    assert check_hall(settings, None).told != check_hall(settings, lambda: None).told
    assert verdict(LinkStatus()) is Verdict.GOOD
    assert verdict(LinkStatus("The hall does not answer.")) is Verdict.UNSURE
    assert verdict(LinkStatus(waiting_lines=SLOW_LINES)) is Verdict.UNSURE
