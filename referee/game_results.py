"""What a game came to for each seat: score, turns, and how chance treated the player. Pure counting of a replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.agreements import dice_thrown, is_agreement
from referee.game import Action, Game, GameState
from referee.journal import Entry, Replay
from referee.judge import Ruling
from referee.throw_chances import ThrowChances, ThrowOutlook, is_stopped, worth

METHOD = 1
"""The version of this counting: results that another version counted are counted again."""
LOT = "lot"
"""The verb of a throw for the first turn, in every game that has one: it is no throw of a turn."""


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
    """Return what a game came to, seat by seat; without `chances` nothing is said of luck and risk."""
    end = replay.state
    results = {
        player.seat: SeatResult(player.seat, not end.to_act, player.seat in end.winner, end.scores[player.seat - 1])
        for player in start.players
    }
    rows = tuple(_with_befores(start, replay))
    for turn in _turns(game, rows):
        results[turn.seat] = _with_turn(results[turn.seat], turn)
    for row in rows:
        if is_throw(game, row.before, row.action):
            seat = row.action.player
            outlook = chances.outlook(row.before, row.action) if chances else None
            results[seat] = _with_throw(game, results[seat], row, outlook)
    return tuple(results[seat] for seat in sorted(results))


def is_throw(game: Game, state: GameState, action: Action) -> bool:
    """True if the action throws dice in a turn: no lot, and no throw that the table took back."""
    return action.verb != LOT and not is_agreement(action) and bool(dice_thrown(game, state, action))


@dataclass(frozen=True)
class _Row:
    """A standing action with the states around it."""

    entry: Entry
    before: GameState
    ruling: Ruling

    @property
    def action(self) -> Action:
        return self.ruling.action


@dataclass(frozen=True)
class _Turn:
    seat: int
    points: int
    entry: int


def _with_befores(start: GameState, replay: Replay) -> Iterator[_Row]:
    """Yield the standing actions with the state before each; dice that people laid change it too."""
    rulings = {entry.number: ruling for entry, ruling in replay.standing}
    afters = [*((entry, ruling.state) for entry, ruling in replay.standing), *replay.laid]
    state = start
    for entry, after in sorted(afters, key=lambda each: each[0].number):
        if entry.number in rulings:
            yield _Row(entry, state, rulings[entry.number])
        state = after


def _turns(game: Game, rows: Sequence[_Row]) -> Iterator[_Turn]:
    """Yield the turns in which dice were thrown: a turn ends with a stop, its verb, or when another is on turn."""
    begun: _Row | None = None
    thrown = False
    for row in rows:
        seat = row.before.on_turn
        if begun is None or begun.before.on_turn != seat:
            begun, thrown = row, False
        thrown = thrown or (row.action.player == seat and is_throw(game, row.before, row.action))
        if seat and _ends_turn(game, row):
            if thrown:
                points = row.ruling.state.scores[seat - 1] - begun.before.scores[seat - 1]
                yield _Turn(seat, points, row.entry.number)
            begun = None


def _ends_turn(game: Game, row: _Row) -> bool:
    verbs = {verb.name for verb in game.verbs if verb.ends_turn}
    is_over = row.ruling.state.on_turn != row.before.on_turn
    return is_over or row.action.verb in verbs or is_stopped(row.ruling.calls)


def _with_turn(result: SeatResult, turn: _Turn) -> SeatResult:
    counted = replace(result, turns=result.turns + 1)
    if result.best_entry and turn.points <= result.best_turn:
        return counted
    return replace(counted, best_turn=turn.points, best_entry=turn.entry)


def _with_throw(game: Game, result: SeatResult, row: _Row, outlook: ThrowOutlook | None) -> SeatResult:
    counted = replace(result, throws=result.throws + 1, stops=result.stops + is_stopped(row.ruling.calls))
    if outlook is None:
        return counted
    seat = result.seat
    gained = worth(game, row.ruling.state, seat) - worth(game, row.before, seat)
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
