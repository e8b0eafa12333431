"""What a game came to for each seat: score, turns, and how chance treated the player. Pure counting of a replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.actions import Action, GameState
from referee.agreements import dice_thrown, is_agreement
from referee.chances import ThrowChances, ThrowOutlook, is_stopped
from referee.game import Game
from referee.journal import Entry, Replay
from referee.judge import Ruling

# A replayed game action by action, and turn by turn: what statistics and feats are counted from


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


# What a game came to for each seat: score, turns, and how chance treated the player. Pure counting of a replay


METHOD = 5
"""The version of the counting, of feats and achievements too: what another version counted is counted again."""


@dataclass(frozen=True)
class SeatResult:
    """What a game came to for one seat.

    finished: False for a game that was left; its other figures are those up to then. won: False where nobody won.
    best_turn, best_entry: the most points of one turn, and the entry that ended it; 0 without a turn.
    stops: how many throws the rules stopped; stop_chance: how many they stop on average; stop_variance: its variance.
    points_luck: the points that throws gave and took, less what they give on average; points_variance: its variance.
    risks, risk: how many throws risked points of the turn, and the sum of their chances to lose the turn.
    """

    seat: int
    finished: bool
    won: bool
    score: int
    turns: int = 0
    throws: int = 0
    best_turn: int = 0
    best_entry: int = 0
    stops: int = 0
    stop_chance: float = 0.0
    stop_variance: float = 0.0
    points_luck: float = 0.0
    points_variance: float = 0.0
    risks: int = 0
    risk: float = 0.0


def count_results(
    game: Game, start: GameState, replay: Replay, chances: ThrowChances | None = None
) -> tuple[SeatResult, ...]:
    """Return what a game came to, seat by seat; without `chances`, or scores, nothing is said of luck and risk."""
    end = replay.state
    results = {
        player.seat: SeatResult(player.seat, not end.to_act, player.seat in end.winner, _score(end, player.seat))
        for player in start.players
    }
    rows = tuple(played_rows(start, replay))
    for turn in played_turns(game, rows):
        results[turn.seat] = _with_turn(results[turn.seat], turn)
    for row in rows:
        if is_throw(game, row.before, row.action):
            seat = row.action.player
            outlook = chances.outlook(row.before, row.action) if chances and row.before.scores else None
            results[seat] = _with_throw(game, results[seat], row, outlook)
    return tuple(results[seat] for seat in sorted(results))


def _score(state: GameState, seat: int) -> int:
    """Return the score of a seat, 0 in a game without any."""
    return state.scores[seat - 1] if state.scores else 0


def _with_turn(result: SeatResult, turn: PlayedTurn) -> SeatResult:
    counted = replace(result, turns=result.turns + 1)
    if result.best_entry and turn.points <= result.best_turn:
        return counted
    return replace(counted, best_turn=turn.points, best_entry=turn.entry)


def _with_throw(game: Game, result: SeatResult, row: PlayedRow, outlook: ThrowOutlook | None) -> SeatResult:
    counted = replace(result, throws=result.throws + 1, stops=result.stops + is_stopped(row.ruling.calls))
    if outlook is None:
        return counted
    seat = result.seat
    gained = game.worth(row.after, seat) - game.worth(row.before, seat)
    is_risk = outlook.stop > 0 and row.before.on_turn == seat and game.turn_points(row.before) > 0
    return replace(
        counted,
        stop_chance=result.stop_chance + outlook.stop,
        stop_variance=result.stop_variance + outlook.stop * (1 - outlook.stop),
        points_luck=result.points_luck + gained - outlook.points,
        points_variance=result.points_variance + outlook.variance,
        risks=result.risks + is_risk,
        risk=result.risk + outlook.stop * is_risk,
    )
