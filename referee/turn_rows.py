"""A replayed game action by action, and turn by turn: what statistics and feats are counted from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.actions import Action
from referee.agreements import dice_thrown, is_agreement
from referee.game import Game
from referee.game_state import GameState
from referee.journal import Entry, Replay
from referee.judge import Ruling
from referee.throw_chances import is_stopped

LOT = "lot"
"""The verb of a throw for the first turn, in every game that has one: it is no throw of a turn."""


@dataclass(frozen=True)
class PlayedRow:
    """A standing action with the states around it."""

    entry: Entry
    before: GameState
    ruling: Ruling

    @property
    def action(self) -> Action:
        """Return what was done."""
        return self.ruling.action

    @property
    def after(self) -> GameState:
        """Return the state to which the action led."""
        return self.ruling.state

    def gain(self, seat: int) -> int:
        """Return by how much the action changed the score of a seat."""
        return self.after.scores[seat - 1] - self.before.scores[seat - 1]


@dataclass(frozen=True)
class PlayedTurn:
    """A turn in which dice were thrown, with all of its rows. `points` is what it added to the score of its seat."""

    seat: int
    points: int
    rows: tuple[PlayedRow, ...]

    @property
    def entry(self) -> int:
        """Return the number of the entry that ended the turn."""
        return self.rows[-1].entry.number


def played_rows(start: GameState, replay: Replay) -> Iterator[PlayedRow]:
    """Yield the standing actions with the state before each; dice that people laid change it too."""
    rulings = {entry.number: ruling for entry, ruling in replay.standing}
    afters = [*((entry, ruling.state) for entry, ruling in replay.standing), *replay.laid]
    state = start
    for entry, after in sorted(afters, key=lambda each: each[0].number):
        if entry.number in rulings:
            yield PlayedRow(entry, state, rulings[entry.number])
        state = after


def played_turns(game: Game, rows: Sequence[PlayedRow]) -> Iterator[PlayedTurn]:
    """Yield the turns in which dice were thrown: a turn ends with a stop, its verb, or when another's begins."""
    turn: list[PlayedRow] = []
    thrown = False
    for row in rows:
        seat = row.before.turn_seat
        if not turn or turn[0].before.turn_seat != seat:
            turn, thrown = [], False
        turn.append(row)
        thrown = thrown or (row.action.player == seat and is_throw(game, row.before, row.action))
        if seat and _ends_turn(game, row):
            if thrown:
                points = row.after.scores[seat - 1] - turn[0].before.scores[seat - 1]
                yield PlayedTurn(seat, points, tuple(turn))
            turn = []


def is_throw(game: Game, state: GameState, action: Action) -> bool:
    """True if the action throws dice in a turn: no lot, and no throw that the table took back."""
    return action.verb != LOT and not is_agreement(action) and bool(dice_thrown(game, state, action))


def _ends_turn(game: Game, row: PlayedRow) -> bool:
    if row.after.turn_seat != row.before.turn_seat:
        return True
    if (goes_on := game.is_mid_turn(row.after)) is not None:
        return not goes_on
    return row.action.verb in game.ends_turn or is_stopped(row.ruling.calls)
