"""The health monitor: what it reports of a machine of values."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from hardware.system_health import UNSET, Power, SystemClock
from referee.actions import Action
from referee.journal import Deed, Entry, Source
from vander.box.health_monitor import FULL, SLOWED, TOO_HOT, WEAK, HealthMonitor, HealthReadings
from vander.storage.journal_schema import JournalCount
from vander.storage.journal_store import Journal
from vander.table.session import Session
from vander.table.session_state import HealthAlert

NOON = datetime(2027, 5, 1, 12, 0, tzinfo=UTC)
ROOMY, NEARLY_NONE = 10**10, 10**6


class Listener:
    """A table that writes down what it is told, and an evidence that writes down what it is to keep free."""

    def __init__(self) -> None:
        self.heard: list[tuple[HealthAlert, ...]] = []
        self.spare: list[int] = []
        self.told = Event()

    def report_health(self, alerts: Sequence[HealthAlert]) -> None:
        self.heard.append(tuple(alerts))
        self.told.set()

    def thin(self, spare_bytes: int) -> int:
        self.spare.append(spare_bytes)
        return 0


class Machine:
    """A machine made of values."""

    def __init__(self) -> None:
        self.power, self.room, self.seconds, self.now = Power(), ROOMY, 0.0, NOON

    def monitor(
        self, listener: Listener, folder: Path, every_s: float = 5.0, journal: Callable[[], str] = str, **more: Any
    ) -> HealthMonitor:
        clock = SystemClock(NOON, root=folder, now=lambda: self.now)
        readings = replace(HealthReadings(lambda: self.power, lambda _: self.room, lambda: self.seconds), **more)
        return HealthMonitor(
            listener, listener, folder, 300, clock, journal=journal, readings=readings, every_s=every_s
        )


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def listener() -> Listener:
    return Listener()


def test_a_box_that_is_well_worries_nobody(machine: Machine, listener: Listener, tmp_path: Path) -> None:
    machine.monitor(listener, tmp_path).check()
    assert listener.heard == [()]
    assert listener.spare == [300_000_000]


def test_a_weak_supply_is_spoken_of_for_a_minute(machine: Machine, listener: Listener, tmp_path: Path) -> None:
    monitor = machine.monitor(listener, tmp_path)
    machine.power = Power(low_now=True, low_since_start=True, slowed_now=True)
    monitor.check()
    assert listener.heard[-1] == (WEAK,)
    machine.power, machine.seconds = Power(low_now=False, low_since_start=True, slowed_now=False), 30.0
    monitor.check()
    assert listener.heard[-1] == (WEAK,)
    machine.seconds = 61.0
    monitor.check()
    assert listener.heard[-1] == ()


def test_heat_is_spoken_of_until_it_is_cooler_again(machine: Machine, listener: Listener, tmp_path: Path) -> None:
    monitor = machine.monitor(listener, tmp_path)
    for celsius, said in ((79.0, ()), (80.0, (TOO_HOT,)), (77.0, (TOO_HOT,)), (75.0, ()), (77.0, ())):
        machine.power = Power(celsius=celsius)
        monitor.check()
        assert listener.heard[-1] == said, celsius
    machine.power = Power(low_now=False, slowed_now=True, celsius=60.0)
    monitor.check()
    assert listener.heard[-1] == (SLOWED,)


def test_a_card_that_stays_full_is_spoken_of(machine: Machine, listener: Listener, tmp_path: Path) -> None:
    monitor = machine.monitor(listener, tmp_path)
    machine.room = NEARLY_NONE
    monitor.check()
    assert listener.heard[-1] == (FULL,)


def test_what_cannot_be_measured_worries_nobody(machine: Machine, listener: Listener, tmp_path: Path) -> None:
    def unknown(_folder: Path) -> int:
        raise OSError("the card does not answer")

    machine.monitor(listener, tmp_path, free_bytes=unknown).check()
    assert listener.heard == [()]


def test_each_worry_is_a_sentence_that_says_what_helps(machine: Machine, listener: Listener, tmp_path: Path) -> None:
    machine.power, machine.room = Power(low_now=True, celsius=84.0), NEARLY_NONE
    machine.now = NOON - timedelta(days=40)
    monitor = machine.monitor(listener, tmp_path)
    monitor.check()
    assert [alert.kind for alert in monitor.alerts] == ["power", "heat", "disk", "clock"]
    assert tuple(monitor.alerts) == listener.heard[-1]
    for alert in monitor.alerts:
        assert alert.sentence[0].isupper()
        assert alert.sentence.endswith(".")
        assert ":" in alert.sentence
        assert "\n" not in alert.sentence


def test_it_has_looked_once_when_it_is_started_and_looks_again(
    machine: Machine, listener: Listener, tmp_path: Path
) -> None:
    monitor = machine.monitor(listener, tmp_path, every_s=0.01)
    monitor.start()
    try:
        assert listener.heard
        listener.told.clear()
        assert listener.told.wait(60)
    finally:
        monitor.stop()
    looks = len(listener.heard)
    listener.told.clear()
    assert not listener.told.wait(0.1)
    assert len(listener.heard) == looks


def test_a_stumble_is_logged_and_the_next_look_comes(
    machine: Machine, listener: Listener, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    readings = iter([ValueError("no such bit"), Power(low_now=True)])

    def supply() -> Power:
        found = next(readings, Power())
        if isinstance(found, Exception):
            raise found
        return found

    monitor = machine.monitor(listener, tmp_path, supply=supply, every_s=0.01)
    with caplog.at_level(logging.ERROR):
        monitor.start()
    assert listener.told.wait(60)
    monitor.stop()
    assert listener.heard[0] == (WEAK,)
    assert "health monitor: check failed" in caplog.text


def test_what_worries_the_box_is_shown_on_every_tablet(table: Session) -> None:
    before = table.snapshot().number
    table.report_health((WEAK, FULL))
    shown = table.snapshot()
    assert shown.alerts == (WEAK.sentence, FULL.sentence)
    assert shown.low_power
    assert shown.number > before
    table.report_health((WEAK, FULL))
    assert table.snapshot() is shown
    table.report_health(())
    assert (table.snapshot().alerts, table.snapshot().low_power) == ((), False)


def test_a_journal_that_lacks_games_is_told_until_that_is_accepted(
    machine: Machine, listener: Listener, table: Session, tmp_path: Path
) -> None:
    (tmp_path / "lost").mkdir()
    (tmp_path / "lost/journal.count").write_text(str(JournalCount(21, 400, 21)))
    with closing(Journal.in_folder(tmp_path / "lost")) as journal:
        monitor = machine.monitor(listener, tmp_path, journal=lambda: journal.missing.alert)
        for _ in range(2):
            monitor.check()
            (alert,) = listener.heard[-1]
            assert alert.kind == "journal"
            assert alert.sentence.startswith("The journal lacks 21 games that were played here. Restore a backup")
        table.report_health(listener.heard[-1])
        assert table.snapshot().alerts == (alert.sentence,)
        journal.accept_missing()
        monitor.check()
        assert listener.heard[-1] == ()


# What the clock's doubt means for games


def test_a_game_begun_by_a_doubted_clock_is_marked(table: Session, tmp_path: Path) -> None:
    table.start("intersection", ["Ann"], {})
    table.report_health((HealthAlert("clock", UNSET.sentence),))
    table.start("intersection", ["Ann"], {})
    with closing(Journal.in_folder(tmp_path)) as journal:
        assert [kept.clock_doubted for kept in journal.games()] == [False, True]


def test_the_newest_moment_of_a_journal_is_one_that_nobody_doubted(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        assert journal.newest() is None
        sure = journal.begin("intersection", ["Ann"], {}, "intersection")
        assert journal.newest() == sure.started_at
        late = sure.started_at + timedelta(seconds=30)
        journal.write(sure.number, _entry(1, late))
        doubted = journal.begin("intersection", ["Ann"], {}, "intersection", clock_doubted=True)
        journal.write(doubted.number, _entry(1, late + timedelta(days=900)))
        assert journal.newest() == late


def _entry(number: int, at: datetime) -> Entry:
    return Entry(number, at, Source.TABLET, Deed.PLAY, Action.parse("1 give-up"))


def test_the_times_of_a_games_entries_never_run_backwards(open_table: Callable[..., Session], tmp_path: Path) -> None:
    late = datetime.now(UTC) + timedelta(days=400)
    roll = Action.parse("1 roll signal:go traffic:happy traffic:happy traffic:star traffic:three traffic:two")
    with closing(Journal.in_folder(tmp_path)) as journal:
        kept = journal.begin("intersection", ["Ann"], {}, "intersection")
        journal.write(kept.number, Entry(1, late, Source.CAMERA, Deed.PLAY, roll))
    open_table().act("1 give-up")
    with closing(Journal.in_folder(tmp_path)) as journal:
        times = [entry.at for entry in journal.entries(kept.number)]
    assert times[0] == late
    assert timedelta() < times[1] - late < timedelta(milliseconds=1)  # a step of its own, by the journal's order alone
