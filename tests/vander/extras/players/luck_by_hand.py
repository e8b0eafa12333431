"""Counts luck from game records alone: no rule, no replay and no chances of Vander are used.

For each throw every way in which its dice could have fallen is tried by a few lines that follow the game's rule sheet
for default options, two players or more. The lines of a record are taken to be legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import product

from season_by_hand import Line, SwitchDecks, parked_worth, read_record

Fall = tuple[float, tuple[str, ...]]
"""The chance of some faces, in any order, and the faces."""
CUBE = ("pip-1", "pip-2", "pip-3", "pip-4", "pip-5", "pip-6")


@dataclass(frozen=True)
class Fate:
    """What a throw did, or could have done: whether the turn was over, and the points that it gave or took."""

    is_over: bool
    points: int


@dataclass(frozen=True)
class Chanced:
    """A throw of the player at a place: its fate, those that it could have had, and the points at risk."""

    own: int
    fate: Fate
    could: tuple[tuple[float, Fate], ...]
    at_risk: int = 0


@dataclass
class SeatLuck:
    """The luck of one seat in a game."""

    throws: int = 0
    stops: int = 0
    stop_chance: float = 0.0
    stop_variance: float = 0.0
    points_luck: float = 0.0
    points_variance: float = 0.0
    risks: int = 0
    risk: float = 0.0

    def add(self, thrown: Chanced) -> None:
        """Count a throw."""
        over = sum(chance for chance, fate in thrown.could if fate.is_over)
        mean = sum(chance * fate.points for chance, fate in thrown.could)
        is_risk = over > 0 and thrown.at_risk > 0
        self.throws, self.stops = self.throws + 1, self.stops + thrown.fate.is_over
        self.stop_chance += over
        self.stop_variance += over * (1 - over)
        self.points_luck += thrown.fate.points - mean
        self.points_variance += sum(chance * (fate.points - mean) ** 2 for chance, fate in thrown.could)
        self.risks, self.risk = self.risks + is_risk, self.risk + over * is_risk


def luck_of(record: str) -> list[SeatLuck]:
    """Return the luck of each seat in the game of a record."""
    game, players, lines = read_record(record)
    seats = [SeatLuck() for _ in players]
    for thrown in THROWN[game](lines, len(players)):
        seats[thrown.own].add(thrown)
    return seats


@cache
def falls(sides: tuple[str, ...], count: int) -> tuple[Fall, ...]:
    """Return how so many dice of these sides may fall."""
    ways = Counter({(): 1})
    for _ in range(count):
        more = Counter[tuple[str, ...]]()
        for (fell, times), side in product(ways.items(), sides):
            more[tuple(sorted((*fell, side)))] += times
        ways = more
    return tuple((times / len(sides) ** count, faces) for faces, times in ways.items())


# Toss Up!: red without green takes the turn's points, each green die is one


def _toss_up(lines: Sequence[Line], _players: int) -> Iterator[Chanced]:
    turn = 0
    for line in lines:
        if line.verb != "roll":
            turn = 0
            continue
        could = falls(("green",) * 3 + ("yellow",) * 2 + ("red",), len(line.dice))
        fate = _light(line.faces, turn)
        yield Chanced(line.seat - 1, fate, tuple((chance, _light(faces, turn)) for chance, faces in could), turn)
        turn = 0 if fate.is_over else turn + fate.points


def _light(faces: Sequence[str], turn: int) -> Fate:
    is_red = "green" not in faces and "red" in faces
    return Fate(is_red, -turn if is_red else faces.count("green"))


# Rollers: a zap on the black die cancels the roll, and no throw brings points by itself


def _rollers(lines: Sequence[Line], _players: int) -> Iterator[Chanced]:
    for line in lines:
        if line.verb == "roll":
            zap = any(die.startswith("rollers-black") for die in line.dice) / 6
            could = ((zap, Fate(is_over=True, points=0)), (1 - zap, Fate(is_over=False, points=0)))
            yield Chanced(line.seat - 1, Fate("zap" in line.faces, 0), could)


# Intersection: parked dice are lost with a stop, or when nothing is left to do

TRAFFIC = ("happy", "star", "sad", "two", "three", "four")
SIGNAL = ("go",) * 4 + ("slow", "stop")
NUMBERS = ("two", "three", "four")


@dataclass(frozen=True)
class _Crossing:
    """The dice of a turn: what the Signal die shows, and the Traffic dice on the field and parked."""

    signal: str
    field: Counter[str]
    parked: Counter[str]

    def thrown(self, line: Line, faces: Sequence[str], signal: str) -> _Crossing:
        """Return the dice after a throw that showed these faces."""
        field, parked = Counter(self.field), Counter(self.parked)
        taken = {"fix": "happy", "star": "star"}.get(line.verb)
        if taken:
            (parked if line.choice == "parked" else field)[taken] -= 1
        if line.verb in {"fix", "go"}:
            field["sad"] -= 1
        if line.verb in {"roll", "on"}:
            field = Counter()
        return _Crossing(signal or self.signal, field + Counter(faces), +parked)

    @property
    def is_over(self) -> bool:
        """True if the signal stops the turn, or no sad face can be fixed, no star rolled and no die parked."""
        if self.signal == "stop":
            return True
        is_happy = self.field["happy"] or self.parked["happy"]
        if self.signal == "slow" and (self.field["star"] or self.parked["star"]):
            return False
        if self.field["sad"]:
            return not is_happy and self.signal != "go"
        numbers = any(self.field[each] and max(self.field[each], self.parked[each]) >= 3 for each in NUMBERS)
        return not (self.field["happy"] or self.field["star"] or numbers)

    def fate(self, before: _Crossing) -> Fate:
        """Return what a throw did that led here."""
        at_risk = parked_worth(before.parked)
        return Fate(self.is_over, (0 if self.is_over else parked_worth(self.parked)) - at_risk)


def _intersection(lines: Sequence[Line], _players: int) -> Iterator[Chanced]:
    turn, is_double = _Crossing("", Counter(), Counter()), False
    for line in lines:
        if line.verb == "park":
            parked = Counter(line.faces)
            turn = _Crossing(turn.signal, turn.field - parked, turn.parked + parked)
        if line.verb in {"roll", "on", "go", "fix", "star"}:
            if line.verb == "roll" and not is_double:
                turn = _Crossing("", Counter(), Counter())
            turned = _doubled if is_double else _crossed
            faces = [die.split(":")[1] for die in line.dice if die.startswith("traffic")]
            signals = [die.split(":")[1] for die in line.dice if die.startswith("signal")]
            could = tuple(
                (chance * other, turned(turn, line, fell, shown)[1])
                for chance, fell in falls(TRAFFIC, len(faces))
                for other, shown in _signals(bool(signals))
            )
            after, fate = turned(turn, line, faces, signals[0] if signals else "")
            yield Chanced(line.seat - 1, fate, could, parked_worth(turn.parked))
            turn = after
        is_double = line.verb == "double"


def _signals(is_thrown: bool) -> list[tuple[float, str]]:
    return [(chance, faces[0]) for chance, faces in falls(SIGNAL, 1)] if is_thrown else [(1.0, "")]


def _crossed(before: _Crossing, line: Line, faces: Sequence[str], signal: str) -> tuple[_Crossing, Fate]:
    after = before.thrown(line, faces, signal)
    return after, after.fate(before)


def _doubled(before: _Crossing, _line: Line, faces: Sequence[str], signal: str) -> tuple[_Crossing, Fate]:
    """Return how double or nothing came out: the turn is over either way."""
    (face,), at_risk = faces, parked_worth(before.parked)
    scores = face in {"happy", "star"} or (face in NUMBERS and before.parked[face] >= 3)
    is_won = signal == "go" and scores
    gained = 2 * parked_worth(before.parked + Counter(faces)) if is_won else 0
    return before, Fate(not is_won, gained - at_risk)


# Switch 16: what a roll does to the own deck, tried on a copy of the table

SWITCH = ("green-switch", "red-switch", "block", "block", "blank", "blank")


def _switch_16(lines: Sequence[Line], players: int) -> Iterator[Chanced]:
    table = SwitchDecks(players)
    for line in lines:
        if line.verb == "roll":
            own = line.seat - 1
            could = tuple(
                (chance * other, _switched(table, own, [*fell, *shown]))
                for chance, fell in falls(CUBE, len(line.dice) - 1)
                for other, shown in falls(SWITCH, 1)
            )
            at_risk = table.tops[own] - 1 - table.before if table.turn == own else 0
            yield Chanced(own, _switched(table, own, line.faces), could, at_risk)
        table.play(line)


def _switched(table: SwitchDecks, own: int, faces: list[str]) -> Fate:
    tried = deepcopy(table)
    tried.roll(own, faces)
    return Fate(tried.seats[own].stops > table.seats[own].stops, tried.tops[own] - table.tops[own])


# Dice County Fair and plain dice: all spend the same roll, or there is nothing to win


def _without_luck(lines: Sequence[Line], _players: int) -> Iterator[Chanced]:
    nothing = Fate(is_over=False, points=0)
    return (Chanced(line.seat - 1, nothing, ((1.0, nothing),)) for line in lines if line.verb == "roll")


THROWN: dict[str, Callable[[Sequence[Line], int], Iterator[Chanced]]] = {
    "dice-county-fair": _without_luck,
    "intersection": _intersection,
    "rollers": _rollers,
    "switch-16": _switch_16,
    "toss-up": _toss_up,
}
