"""`vander report`, and the report at the end of an exported record."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.games import games
from referee.journal import Deed, Entry, Source
from vander.cli.main import main
from vander.extras.players.exports import export_game
from vander.storage.journal_store import Journal

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ANSWER = Entry(1, NOON, Source.TABLET, Deed.ANSWER, note="What does this die show? Two.", device="Ann's phone")


def evening(folder: Path) -> str:
    """Write a game, and return its record."""
    with closing(Journal.in_folder(folder)) as journal:
        number = journal.begin("intersection", ("Ann", "Bob"), {}, "intersection").number
        answer = replace(ANSWER, at=datetime.now(UTC))
        journal.write(number, answer, replace(answer, number=2, source=Source.CAMERA, device="", deed=Deed.BREACH))
        return export_game(journal, games())


def test_a_report_says_how_often_and_by_which_device(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["report", "--data-dir", str(tmp_path)])
    assert ended.value.code == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Game 1, intersection: Ann, Bob"
    assert said[1:] == ["Fair play: 1 turn", "Questions answered: 1", "Breaches: 1", "By Ann's phone: 1"]


def test_a_record_ends_with_its_report_in_comments(tmp_path: Path) -> None:
    comments = [line for line in evening(tmp_path).splitlines() if line.startswith("#")]
    assert "# Questions answered: 1" in comments
    assert comments[0] == "# answer: What does this die show? Two. by Ann's phone"
