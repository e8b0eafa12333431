"""The system's clock, over a made-up tree of files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hardware.system_health import ADVICE, SURELY_PAST, UNSET, ClockDoubt, SystemClock

NOON = datetime(2027, 5, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A machine where the network sets the clock, and has not done so."""
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    return tmp_path


def doubt(root: Path, now: datetime = NOON, newest: datetime | None = None) -> ClockDoubt | None:
    return SystemClock(newest, root=root, now=lambda: now).doubt()


def test_a_clock_that_nobody_set_is_doubted(root: Path) -> None:
    assert doubt(root) is UNSET
    (root / "run/systemd/timesync/synchronized").touch()
    assert doubt(root) is None


def test_a_machine_with_a_clock_of_its_own_is_believed(root: Path) -> None:
    (root / "sys/class/rtc/rtc0").mkdir(parents=True)
    assert doubt(root) is None


@pytest.mark.parametrize(("microvolts", "found"), [("2964099", None), ("12000", UNSET), ("what", None)])
def test_a_clock_of_its_own_needs_a_battery(root: Path, microvolts: str, found: ClockDoubt | None) -> None:
    (root / "sys/class/rtc/rtc0").mkdir(parents=True)
    (root / "sys/class/rtc/rtc0/battery_voltage").write_text(f"{microvolts}\n")
    assert doubt(root) == found


def test_a_machine_whose_clock_the_network_does_not_set_so_is_believed(tmp_path: Path) -> None:
    assert doubt(tmp_path) is None


def test_a_clock_behind_the_last_game_or_behind_this_program_is_wrong(tmp_path: Path) -> None:
    behind = doubt(tmp_path, NOON - timedelta(days=1), NOON)
    assert behind is not None
    assert "2027-05-01 or later" in behind.problem
    assert behind.sentence == f"{behind.problem}; {ADVICE}"
    assert doubt(tmp_path, NOON + timedelta(days=1), NOON) is None
    long_ago = doubt(tmp_path, datetime(2024, 3, 3, tzinfo=UTC))
    assert long_ago is not None
    assert "is wrong" in long_ago.problem
    assert datetime.now(UTC) >= SURELY_PAST
