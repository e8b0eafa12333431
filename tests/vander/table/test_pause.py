"""An action that another player may interrupt waits a moment: with real threads, and never longer than it must."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cards import CARDS

from hardware.cameras.base import WORKING, CameraReport, CameraStatus
from referee.journal import Deed
from referee.sentences import Reason, Refused
from vander.storage.journal_store import Journal
from vander.table.session import Session

LONG_S, SHORT_S = 60.0, 0.05
"""No test waits out the long pause: what ends it sooner is what the test is about."""


class Tap:
    """A tap from a thread of its own, and what came of it."""

    def __init__(self, table: Session, text: str) -> None:
        self.refusal: Refused | None = None
        self._table, self._text = table, text
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._table.act(self._text)
        except Refused as refusal:
            self.refusal = refusal

    def done(self) -> str:
        """The refusal, or '' once it is done."""
        self._thread.join(60)
        assert not self._thread.is_alive()
        return str(self.refusal or "")


@pytest.fixture
def paused(open_table: Callable[..., Session]) -> Iterator[Callable[[float], Session]]:
    """A table with a game of Ann and Bob whose drops wait so long."""

    def opened(pause_s: float) -> Session:
        table = open_table(games=(CARDS,), pause_s=pause_s)
        table.start("cards", ["Ann", "Bob"], {})
        return table

    return opened


def held(table: Session, text: str) -> Tap:
    """Tap, and wait until every tablet shows that the action is held."""
    tap, now = Tap(table, text), table.snapshot()
    while now.waiting is None:
        now = table.wait(now.number, 20)
    return tap


def scores(table: Session) -> tuple[int, ...]:
    state = table.snapshot().state
    assert state is not None
    return state.scores


def journalled(folder: Path) -> list[str]:
    with closing(Journal.in_folder(folder)) as journal:
        kept = journal.latest()
        return [f"{entry.deed} {entry.action}" for entry in journal.entries(kept.number)] if kept else []


def test_a_pause_is_shown_and_then_the_action_counts_once(paused: Any, tmp_path: Path) -> None:
    table = paused(SHORT_S)
    tap = held(table, "1 drop =card")
    assert tap.done() == ""
    assert scores(table) == (1, 0)
    assert table.snapshot().waiting is None
    assert journalled(tmp_path) == ["play 1 drop =card"]


def test_while_an_action_is_held_all_tablets_say_who_may_interrupt(paused: Any) -> None:
    table = paused(LONG_S)
    tap = held(table, "1 drop =card")
    shown = table.snapshot()
    assert shown.waiting is not None
    assert (shown.notice, shown.mood, shown.waiting.title) == ("Bob may stop Ann.", "ask", "Ann: drop")
    assert (scores(table), shown.take_back) == ((0, 0), "Ann: drop")
    table.undo()
    tap.done()


def test_an_interruption_is_ruled_on_first_and_the_held_action_is_judged_anew(paused: Any, tmp_path: Path) -> None:
    table = paused(LONG_S)
    tap = held(table, "1 drop =card")
    table.act("2 stop =1")
    assert tap.done() == "Bob: stop. Ann has been stopped."
    assert tap.refusal is not None
    assert (tap.refusal.reason, tap.refusal.rule) == (Reason.CONFLICT, "C.2")
    assert journalled(tmp_path) == ["play 2 stop =1"]
    assert table.snapshot().waiting is None


def test_when_nobody_may_interrupt_any_more_the_held_action_counts_at_once(paused: Any, tmp_path: Path) -> None:
    table = paused(LONG_S)
    tap = held(table, "1 drop =card")
    table.act("2 let-be =1")
    assert tap.done() == ""
    assert journalled(tmp_path) == ["play 2 let-be =1", "play 1 drop =card"]


def test_a_double_tap_counts_once(paused: Any, tmp_path: Path) -> None:
    table = paused(LONG_S)
    tap = held(table, "1 drop =card")
    table.act("1 drop =card")
    assert scores(table) == (0, 0)
    table.act("2 let-be =1")
    tap.done()
    assert journalled(tmp_path) == ["play 2 let-be =1", "play 1 drop =card"]


def test_another_action_of_the_same_player_waits_its_turn(paused: Any) -> None:
    table = paused(LONG_S)
    tap = held(table, "1 drop =card")
    with pytest.raises(Refused, match="Wait a moment: Ann: drop does not count yet"):
        table.act("1 stop =2")
    table.undo()
    tap.done()


def test_of_two_actions_that_may_be_interrupted_the_second_counts_first_and_both_count(
    paused: Any, tmp_path: Path
) -> None:
    table = paused(LONG_S)
    tap = held(table, "1 drop =card")
    table.act("2 drop =card")
    assert scores(table) == (0, 1)
    table.act("2 let-be =1")
    assert tap.done() == ""
    assert (scores(table), len(journalled(tmp_path))) == ((1, 1), 3)


def test_taking_back_takes_back_what_is_held_and_nothing_else(paused: Any, tmp_path: Path) -> None:
    table = paused(LONG_S)
    table.act("2 let-be =1")
    tap = held(table, "2 drop =card")
    table.undo()
    assert tap.done() == "Taken back before it counted: Bob: drop."
    assert journalled(tmp_path) == ["play 2 let-be =1"]
    table.undo()
    assert journalled(tmp_path)[1:] == [f"{Deed.UNDO} None"]


def test_a_new_game_drops_what_is_held(paused: Any, tmp_path: Path) -> None:
    table = paused(LONG_S)
    tap = held(table, "1 drop =card")
    table.start("cards", ["Cy", "Dee"], {})
    assert "Taken back" in tap.done()
    assert (scores(table), journalled(tmp_path)) == ((0, 0), [])


def test_a_game_that_ends_meanwhile_refuses_what_was_held(paused: Any) -> None:
    table = paused(LONG_S)
    tap = held(table, "2 drop =card")
    table.act("1 finish")
    assert tap.done() == "Ann: finish. The game is over."
    assert scores(table) == (0, 0)


def test_the_watch_and_other_tablets_are_not_kept_waiting(paused: Any, dice: Any) -> None:
    table = paused(LONG_S)
    tap = held(table, "1 drop =card")
    table.observe(dice.look())
    table.report_camera(CameraReport(CameraStatus.LOST, "The lens is covered."))
    assert table.snapshot().camera_trouble
    assert table.snapshot().dice == ()  # what is thrown meanwhile comes after what is held
    table.report_camera(WORKING)
    table.undo()
    tap.done()
    table.observe(dice.look())
    assert len(table.snapshot().dice) == 6


def test_with_no_pause_set_an_action_counts_at_once(paused: Any) -> None:
    table = paused(0.0)
    table.act("1 drop =card")
    assert scores(table) == (1, 0)


def test_the_block_disk_comes_between_a_discard_and_its_counting(open_table: Any, tmp_path: Path) -> None:
    table = open_table(pause_s=LONG_S)
    table.start("switch-16", ["Ann", "Bob"], {})
    for deed in ("1 lot d6:pip-6", "2 lot d6:pip-1", "1 roll d6:pip-2 d6:pip-3 d6:pip-3 switch:block"):
        table.act(deed)
    table.act("2 roll d6:pip-1 d6:pip-2 d6:pip-4 switch:blank")
    tap = held(table, "2 discard =card-1")
    assert table.snapshot().notice == "Ann may put the disk on Bob's deck."
    table.act("1 disk =2")
    assert tap.done() == (
        "Ann puts the disk on Bob's deck, which is blocked now. "
        "Bob's deck is blocked: no card can go. The turn is over. "
        "It is not Bob's turn. Now Ann plays."
    )
    assert tap.refusal is not None
    assert tap.refusal.rule.startswith("S.2-")
    assert journalled(tmp_path)[-1] == "play 1 disk =2"


def test_two_taps_that_wait_for_the_dice_both_count(paused: Any, dice: Any, tmp_path: Path) -> None:
    table = paused(0.0)
    table.observe(dice.look())
    table.observe(dice.look(hands_in=True))
    taps = [Tap(table, "1 drop =card"), Tap(table, "2 drop =card")]
    table.observe(dice.look())
    assert [tap.done() for tap in taps] == ["", ""]
    assert scores(table) == (1, 1)
    assert sorted(journalled(tmp_path)) == ["play 1 drop =card", "play 2 drop =card"]
