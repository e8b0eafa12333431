from __future__ import annotations

import sys
from pathlib import Path

import pytest

from vander.box.health_monitor import PowerOffFailed, power_off


def python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def test_the_system_is_asked_to_shut_down(tmp_path: Path) -> None:
    power_off(python(f"open({str(tmp_path / 'asked')!r}, 'w')"))
    assert (tmp_path / "asked").exists()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (python("import sys; sys.exit('Access denied.\\nand more')"), "from here: Access denied. Nothing"),
        (python("import sys; sys.exit(3)"), "ended with 3"),
        (["/nowhere/systemctl"], "there is no systemctl here"),
        (["/"], "Permission denied"),
    ],
)
def test_a_box_that_stays_on_says_why_in_one_sentence(command: list[str], why: str) -> None:
    with pytest.raises(PowerOffFailed) as refused:
        power_off(command)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_system_that_does_not_answer_is_not_waited_for() -> None:
    with pytest.raises(PowerOffFailed, match=r"did not answer within 0\.2 s"):
        power_off(python("import time; time.sleep(60)"), timeout_s=0.2)
