"""What a press in Home Assistant does to a session, without a broker between them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from session_scenes import entries

from hardware.cameras.base import CameraReport, CameraStatus
from referee.dice import Zone
from referee.journal import Deed
from tests.waiting import wait_until
from vander.extras.home_assistant.home_assistant_link import (
    BROKEN,
    GOING_ON,
    LATEST_S,
    NO_GAME,
    NOT_BEGUN,
    TOO_LATE,
    TOO_MANY,
    UNKNOWN,
    MqttCommands,
)
from vander.table.session import Session
from vander.table.snapshot_builder import LENT

PRESS = b"PRESS"
NOTHING_LEFT = "There is nothing to take back."


class House:
    """Somebody who presses, at the time that a test says it is."""

    def __init__(self, table: Session) -> None:
        self.now, self.said = 1000.0, list[str]()
        self.commands = MqttCommands(table, self.said.append, lambda: self.now)
        self.commands.start()

    def press(self, name: str, *, after_s: float = 20.0, payload: bytes = PRESS) -> str:
        """Press, and return the answer."""
        self.now, before = self.now + after_s, len(self.said)
        self.commands.take(name, payload)
        wait_until(lambda: len(self.said) > before)
        return self.said[-1]


@pytest.fixture
def house(table: Session) -> Iterator[House]:
    house = House(table)
    yield house
    house.commands.close()


def test_new_game_begins_a_finished_game_again_with_its_players(table: Session, dice: Any, house: House) -> None:
    assert house.press("new-game") == NO_GAME
    table.observe(dice.look())
    table.start("intersection", ["Ann"], {})
    assert house.press("new-game") == NOT_BEGUN
    while not table.snapshot().state.winner:  # type: ignore[union-attr]
        table.observe(dice.roll("go", "four", "four", "four", "four", "four"))
        table.observe(dice.carry(Zone.ASIDE, 1, 2, 3, 4, 5))
        table.act("1 end")
        if len(table.snapshot().last) == 3:
            before = table.snapshot().step
            assert house.press("new-game") == GOING_ON
            assert table.snapshot().step == before
    ended = table.snapshot().step
    assert house.press("new-game") == "A new game begins: Intersection."
    now = table.snapshot()
    assert now.step.partition(".")[0] != ended.partition(".")[0]
    assert (now.game.name, [player.name for player in now.state.players]) == ("intersection", ["Ann"])  # type: ignore[union-attr]


def test_a_game_that_was_taken_back_to_its_beginning_is_none_that_could_be_lost(
    solo: Session, dice: Any, house: House
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    assert house.press("new-game") == GOING_ON
    assert house.press("take-back").startswith("Taken back: ")
    assert house.press("new-game") == NOT_BEGUN


def test_while_the_tray_is_lent_or_out_of_sight_every_command_is_refused(
    solo: Session, dice: Any, house: House, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    solo.lend_tray(True)
    assert (house.press("take-back"), house.press("new-game")) == (LENT, LENT)
    solo.lend_tray(False)
    solo.report_camera(CameraReport(CameraStatus.LOST, "The camera is gone."))
    assert house.press("take-back") == "The camera is gone."
    assert Deed.UNDO not in [entry.deed for entry in entries(tmp_path)]


def test_more_than_a_person_presses_is_refused_and_counts_for_nothing(
    solo: Session, dice: Any, house: House, tmp_path: Path
) -> None:
    solo.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))
    said = [house.press("take-back", after_s=0.3) for _ in range(6)]
    assert said[1:4] == [TOO_MANY] * 3
    assert [entry.deed for entry in entries(tmp_path)].count(Deed.UNDO) == 1
    said = [house.press("take-back", after_s=2) for _ in range(8)]
    assert said.count(NOTHING_LEFT) == 4
    assert said[-1] == TOO_MANY
    assert house.press("take-back", after_s=60) == NOTHING_LEFT


@pytest.mark.parametrize(
    ("name", "payload"),
    [("shutdown", PRESS), ("../take-back", PRESS), ("take-back", b""), ("take-back", b"press"), ("take-back", b"\xff")],
)
def test_what_is_no_press_of_a_button_is_refused(house: House, name: str, payload: bytes) -> None:
    assert house.press(name, payload=payload) == UNKNOWN


class BusyTable:
    """A table that keeps a command waiting, and then breaks."""

    def __init__(self, table: Session) -> None:
        self.is_free, self.is_asked, self.state = threading.Event(), threading.Event(), table.state
        self.start, self.undo, self._table = table.start, table.undo, table

    def snapshot(self) -> Any:
        self.is_asked.set()
        self.is_free.wait()
        raise RuntimeError("broken")


def test_a_command_that_waited_for_a_busy_table_is_not_done_later(
    solo: Session, caplog: pytest.LogCaptureFixture
) -> None:
    busy = BusyTable(solo)
    house = House(busy)
    house.commands.take("take-back", PRESS)
    busy.is_asked.wait()
    house.now += 2
    house.commands.take("take-back", PRESS)
    house.now += 2
    house.commands.take("take-back", PRESS)
    assert house.said == [TOO_MANY]  # one is done, one waits
    house.now += LATEST_S
    with caplog.at_level(logging.ERROR):
        busy.is_free.set()
        wait_until(lambda: len(house.said) == 3)
    assert house.said[1:] == [BROKEN, TOO_LATE]
    house.commands.close()
