"""Short films of dice and a hand, without pictures: who threw, carried, pushed or turned what, and the truth of it.

MuJoCo moves what no hand holds. Lengths are metres, z is up; a time is that of the film in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from models.training.lying_dice import Array, DiceTable, Rng, Solid, Wanted, rotation, top_side
from models.training.mujoco_scene import CALM, DiceWorld, random_bounce

STEP_SECONDS = 0.001
STAYED_EDGES = 0.1
"""A die that moved less lies where it lay."""
LEVEL = 0.98
"""A die whose upper face points up by less (cosine) does not lie flat."""
HAND_SPEED = (0.3, 1.0)
"""Of a hand that carries or reaches, in metres a second on the mean."""
FORCE, TOSSED_SPEED = (0.7, 1.1), (0.7, 1.7)
"""Of a throw, as a share of the speed that rolls dice to the far side of the tray; and of dice that come from beyond
the picture, in metres a second."""
FLIGHT_SECONDS, BRAKING = 0.12, 4.0
"""How long dice fly that a hand throws, and by what they brake then, in metres a second squared."""
SPIN = 20.0
"""Standard deviation of thrown dice's spin, in radians a second."""
RAISED_M, ARM_M = 0.07, 0.10
"""How high a hand passes over the dice, and how high it is when it comes in."""
GONE_M = 1.5
"""Coordinate of dice that are out of the tray."""
LONGEST_SECONDS = 7.0
"""After which a film ends, whether or not all lies still."""
ROOM_EDGES = 1.42
"""Between the centres of a die that is put down and another: their corners may face each other."""


class TrueWay(StrEnum):
    """How a die came to lie where it lies. KNOCKED: over onto another face, by a die or a hand that hit it."""

    THROWN = "thrown"
    DROPPED = "dropped"
    MOVED = "moved"
    TURNED = "turned"
    KNOCKED = "knocked"
    UNTOUCHED = "untouched"


class Grasp(StrEnum):
    """How a hand is held: over dice that it throws or passes, round one die, with one finger stretched."""

    CUPPED = "cupped"
    PINCHED = "pinched"
    POINTING = "pointing"


@dataclass(frozen=True, eq=False)
class ReachingHand:
    """Where a hand's fingertips are, how it is held, and the level unit vector in which its arm points."""

    place: Array
    grasp: Grasp
    toward: Array


@dataclass(frozen=True, eq=False)
class Instant:
    """One frame: centres (dice, 3) and rotations (dice, 3, 3) of the dice, the hand if there is one, what it holds."""

    centres: Array
    turns: Array
    hand: ReachingHand | None
    held: frozenset[int]


@dataclass(frozen=True)
class _LetGo:
    """A die that was let go before a frame: `by` a throw or a drop, or (MOVED) set down; the face it had before."""

    die: int
    frame: int
    by: TrueWay
    face: int


@dataclass
class _Held:
    """A die in a hand: where it is from the fingertips, and how it is rotated."""

    offset: Array
    turn: Array


@dataclass(frozen=True, eq=False)
class _Toss:
    """A die that flies in from beyond the picture at a time."""

    at: float
    die: int
    centre: Array
    speed: Array


@dataclass
class FilmedBurst:
    """A tray in which a hand and dice move while frames are taken.

    half: half the tray's breadths (2,). reach: how far from its middle is out of sight, whatever the direction.
    """

    edge: float
    half: Array
    walls: Sequence[Solid]
    frames_a_second: float
    reach: float
    count: int
    rng: Rng
    instants: list[Instant] = field(default_factory=list)
    _let_go: list[_LetGo] = field(default_factory=list)
    _held: dict[int, _Held] = field(default_factory=dict)
    _faces: dict[int, int] = field(default_factory=dict)
    _taken: dict[int, Array] = field(default_factory=dict)
    _tosses: list[_Toss] = field(default_factory=list)
    _hand: Array | None = None
    _grasp: Grasp = Grasp.PINCHED

    def __post_init__(self) -> None:
        self._world = DiceWorld(self.edge, self.count, self.walls, random_bounce(self.rng, CALM), STEP_SECONDS)
        self._time = 0.0
        self._toward = np.array([0.0, 1.0, 0.0])
        self._side = float(
            self.rng.normal(np.pi / 2, 0.3) if self.rng.random() < 0.7 else self.rng.uniform(0, 2 * np.pi)
        )
        self._speed = float(self.rng.uniform(*HAND_SPEED))
        self.lying = self._lay_out()
        self._world.step(round(0.3 / STEP_SECONDS))
        self.rest(0.3)

    def _lay_out(self) -> tuple[int, ...]:
        """Put down some of the dice; return which, the others are out of the tray."""
        across, down = self.half
        corners = np.array([(-across, -down), (across, -down), (across, down), (-across, down)])
        table = DiceTable(corners, self.edge, 0.2, bool(self.walls), (), self.rng)
        rows = int(self.rng.random() < 0.3)
        table.put_down(Wanted(self.count, rows, int(self.rng.random() < 0.2), 0, 0))
        count = int(self.rng.integers(2, self.count))
        lying = tuple(range(min(count, len(table.dice))))
        for k in range(self.count):
            if k in lying:
                die = table.dice[k].solid
                self._world.place(k, np.array([*die.centre[:2], self.edge / 2]), die.turn)
            else:
                self._park(k, table_turn(self.rng))
        return lying

    def _park(self, k: int, turn: Array) -> None:
        self._taken[k] = turn
        self._world.place(k, np.array([GONE_M + 0.1 * k, GONE_M, self.edge / 2]), turn)

    # What there is, and what became of it.

    @property
    def held(self) -> frozenset[int]:
        """Return the dice that a hand holds."""
        return frozenset(self._held)

    @property
    def away(self) -> list[int]:
        """Return the dice that are out of the tray."""
        return [k for k in range(self.count) if np.abs(self._world.centres[k, :2]).max() > GONE_M / 2]

    def is_near(self, k: int, frame: int) -> bool:
        """True unless die k is out of the tray in a frame, where it may be behind the camera."""
        return bool(np.abs(self.instants[frame].centres[k, :2]).max() < GONE_M / 2)

    def way_of(self, k: int, first: int, last: int) -> TrueWay | None:
        """Return how die k came to lie where it lies in a frame, since an earlier one.

        None for a die that is held, or does not lie flat.
        """
        before, after = self.instants[first], self.instants[last]
        if k in after.held or max(after.turns[k][2] @ _up(side) for side in range(6)) < LEVEL:
            return None
        gone = [one for one in self._let_go if one.die == k and first < one.frame <= last]
        face = top_side(after.turns[k])
        if not gone:
            is_moved = np.linalg.norm(after.centres[k] - before.centres[k]) > STAYED_EDGES * self.edge
            if face != top_side(before.turns[k]):
                return TrueWay.KNOCKED
            return TrueWay.MOVED if is_moved else TrueWay.UNTOUCHED
        if gone[-1].by is not TrueWay.MOVED:
            return gone[-1].by
        if face != top_side(self.instants[gone[-1].frame].turns[k]):
            return TrueWay.KNOCKED
        flown = max((n for n, one in enumerate(gone) if one.by is not TrueWay.MOVED), default=-1)
        return TrueWay.MOVED if face == gone[flown + 1].face else TrueWay.TURNED

    # Time.

    def rest(self, seconds: float) -> None:
        """Let time pass while the hand, if there is one, keeps still."""
        self._run(seconds, None)

    def _run(
        self, seconds: float, path: Callable[[float], Array] | None, change: Callable[[float], None] | None = None
    ) -> None:
        """Let time pass while the hand goes along a path; both are called with the share of the time that is over."""
        for k in range(1, max(1, round(seconds / STEP_SECONDS)) + 1):
            share = min(1.0, k * STEP_SECONDS / seconds)
            before = self._hand
            if path is not None:
                self._hand = path(share)
            if change is not None:
                change(share)
            self._step(before)

    def _step(self, before: Array | None) -> None:
        hand = self._hand
        speed = np.zeros(3) if hand is None or before is None else (hand - before) / STEP_SECONDS
        for toss in [one for one in self._tosses if one.at <= self._time]:
            self._tosses.remove(toss)
            self._world.place(toss.die, toss.centre, table_turn(self.rng), toss.speed, self.rng.normal(0, SPIN, 3))
            self._note(toss.die, TrueWay.THROWN)
        self._hold(speed)
        self._world.step()
        self._hold(speed)
        self._time += STEP_SECONDS
        if self._time * self.frames_a_second >= len(self.instants):
            pose = None if hand is None else ReachingHand(hand, self._grasp, self._toward)
            self.instants.append(Instant(self._world.centres, self._world.turns, pose, frozenset(self._held)))

    def _hold(self, speed: Array) -> None:
        if self._hand is not None:
            for k, held in self._held.items():
                self._world.place(k, self._hand + held.offset, held.turn, speed)

    def _note(self, k: int, by: TrueWay) -> None:
        self._let_go.append(_LetGo(k, len(self.instants), by, self._faces.pop(k, -1)))

    # What a hand does.

    def enter(self, over: Array, grasp: Grasp) -> None:
        """Let a hand come in from one side, and stop over a place."""
        around = self._side + float(self.rng.normal(0, 0.15))
        self._toward, self._grasp = np.array([np.cos(around), np.sin(around), 0.0]), grasp
        self._hand = self._outside(over)
        self.go(over)

    def leave(self) -> None:
        """Let the hand leave the picture, with what it holds."""
        if self._hand is None:
            return
        if self._held:
            self.go(self.above(self._hand))
        self.go(self._outside(self._hand), pace=float(self.rng.uniform(1.0, 2.0)))
        for k in tuple(self._held):
            self._faces.pop(k, None)
            self._park(k, self._held.pop(k).turn)
        self._hand = None

    def _outside(self, place: Array) -> Array:
        along = float(place @ self._toward)
        return np.asarray(place - (self.reach + 0.06 + along) * self._toward + (0, 0, ARM_M))

    def go(self, place: Array, lift: float = 0.0, pace: float = 1.0) -> None:
        """Move the hand to a place: it begins and ends at rest, and rises by `lift` in the middle of the way."""
        start = self._at_hand()
        seconds = max(0.12, float(np.linalg.norm(place - start)) / self._speed / pace)
        self._run(seconds, lambda share: start + _eased(share) * (place - start) + (0, 0, lift * _arch(share)))

    def _at_hand(self) -> Array:
        if self._hand is None:
            raise ValueError("no hand is in the tray")
        return self._hand

    def take(self, k: int) -> None:
        """Close the fingers round a die that lies there."""
        centre = self._world.centres[k]
        self.go(centre)
        self.rest(float(self.rng.uniform(0.02, 0.15)))
        self._seize(k)

    def _seize(self, k: int) -> None:
        self._faces.setdefault(k, top_side(self._world.turns[k]))
        self._held[k] = _Held(self._world.centres[k] - self._at_hand(), self._world.turns[k])

    def put_down(self, k: int) -> None:
        """Let go of a die that stands on the floor."""
        self._held.pop(k)
        self._world.place(k, *self._pose(k))
        self._note(k, TrueWay.MOVED)
        self.rest(float(self.rng.uniform(0.02, 0.2)))

    def _pose(self, k: int) -> tuple[Array, Array]:
        return self._world.centres[k], self._world.turns[k]

    def carry(self, k: int, to: Array, yaw: float = 0.0, lift: float = 0.0) -> None:
        """Move a die that is held to a place, rotated by `yaw` about the vertical; at height 0 it pushes others."""
        start, first = self._at_hand(), self._held[k].turn
        seconds = max(0.22, float(np.linalg.norm(to - start)) / self._speed)

        def change(share: float) -> None:
            self._held[k].turn = rotation(np.array([0.0, 0.0, 1.0]), yaw * _eased(share)) @ first

        self._run(seconds, lambda share: start + _eased(share) * (to - start) + (0, 0, lift * _arch(share)), change)

    def turn_over(self, k: int, to: Array) -> None:
        """Turn a die that is held onto another side, between the fingers, on its way to a place."""
        start, first = self._at_hand(), self._held[k].turn
        axis, angle = first[:, _level_axis(first, self.rng)], float(self.rng.choice([-1, 1, 2])) * np.pi / 2
        way = float(np.linalg.norm(to - start))
        seconds = max(float(self.rng.uniform(0.25, 0.9)), way / self._speed)
        lift = self.edge * float(self.rng.uniform(0.7, 2.5))

        def change(share: float) -> None:
            self._held[k].turn = rotation(axis, angle * _eased(min(1.0, max(0.0, (share - 0.15) / 0.7)))) @ first

        self._run(seconds, lambda share: start + _eased(share) * (to - start) + (0, 0, lift * _arch(share)), change)

    def tip(self, k: int) -> None:
        """Tip a die over one of its lower edges."""
        start, first = self._at_hand(), self._held[k].turn
        level = _level_axis(first, self.rng)
        axis = first[:, level] * float(self.rng.choice([-1, 1]))
        aside = np.cross(axis, [0.0, 0.0, 1.0])
        pivot = start + self.edge / 2 * (aside - (0, 0, 1))
        angle = np.pi / 2

        def at(share: float) -> Array:
            return np.asarray(pivot + rotation(axis, -angle * _eased(share)) @ (start - pivot))

        if at(0.5)[2] < start[2]:
            angle = -angle

        def change(share: float) -> None:
            self._held[k].turn = rotation(axis, -angle * _eased(share)) @ first

        self._run(float(self.rng.uniform(0.2, 0.7)), at, change)

    def gather(self, dice: Sequence[int]) -> None:
        """Take several dice into the hand, one after another."""
        for place, k in enumerate(dice):
            self.go(self._world.centres[k] + (0, 0, self.edge), pace=1.5)
            self._seize(k)
            self._draw_in(self._held[k], self._in_hand(place, len(dice)))

    def _draw_in(self, held: _Held, end: Array) -> None:
        """Draw a die under the fingers while the hand rises."""
        start, here = held.offset, self._at_hand()
        up = self.above(here)

        def change(share: float) -> None:
            held.offset = start + _eased(share) * (end - start)

        self._run(0.15, lambda share: here + _eased(share) * (up - here), change)

    def _in_hand(self, place: int, count: int) -> Array:
        """Return where one of so many dice is held, from the fingertips: in two rows under the fingers."""
        across = np.array([-self._toward[1], self._toward[0], 0.0])
        row = place // 2 - (count - 1) / 4
        return np.asarray(
            1.25 * self.edge * (row * across + (place % 2 - 0.7) * self._toward) - (0, 0, 0.3 * self.edge)
        )

    def hide(self, dice: Sequence[int]) -> None:
        """Put dice that are out of the tray into a hand that comes in."""
        for place, k in enumerate(dice):
            self._held[k] = _Held(self._in_hand(place, len(dice)), table_turn(self.rng))

    def hold(self, k: int) -> None:
        """Put a die that is out of the tray between the fingers of a hand that comes in, often with its old face."""
        turn = self._taken[k]
        self._faces[k] = top_side(turn)
        self._held[k] = _Held(np.zeros(3), turn if self.rng.random() < 0.5 else table_turn(self.rng))

    def hold_as(self, grasp: Grasp) -> None:
        """Change how the hand is held."""
        self._grasp = grasp

    def throw(self) -> list[int]:
        """Swing the hand forward and let go of all that it holds; return which dice."""
        thrown = list(self._held)
        seconds = float(self.rng.uniform(0.07, 0.16))
        start, first = self._at_hand(), {k: held.turn for k, held in self._held.items()}
        axes = {k: _any_axis(self.rng) for k in thrown}
        angles = {k: float(self.rng.uniform(0.5, 6.0)) for k in thrown}
        aside = float(self.rng.normal(0, 0.25))
        forward = rotation(np.array([0.0, 0.0, 1.0]), aside) @ self._toward
        speed = self._far_speed(start, forward) * float(self.rng.uniform(*FORCE))

        def change(share: float) -> None:
            for k in thrown:
                self._held[k].turn = rotation(axes[k], angles[k] * share) @ first[k]

        self._run(seconds, lambda share: start + speed * seconds / 2 * share**2 * forward, change)
        for k in thrown:
            self._held.pop(k)
            centre, turn = self._pose(k)
            flight = speed * float(self.rng.uniform(0.8, 1.2)) * forward + self.rng.normal(0, 0.06, 3)
            self._world.place(k, centre, turn, flight, self.rng.normal(0, SPIN, 3))
            self._note(k, TrueWay.THROWN)
        end, after = self._at_hand(), float(self.rng.uniform(0.03, 0.1))
        self._run(after, lambda share: end + speed * after / 2 * (2 * share - share**2) * forward)
        return thrown

    def _far_speed(self, start: Array, forward: Array) -> float:
        """Return how fast dice have to be thrown that come to rest at the far side of the tray."""
        way = forward[:2]
        room = float(((np.sign(way) * self.half - start[:2]) / np.where(way == 0, 1e-6, way)).min())
        fall = BRAKING * FLIGHT_SECONDS
        return max(0.3, float(np.sqrt(fall**2 + 2 * BRAKING * max(room, 0.0))) - fall)

    def drop(self, k: int) -> None:
        """Let go of a die above the floor."""
        self._held.pop(k)
        self._world.place(k, *self._pose(k), self.rng.normal(0, 0.05, 3), self.rng.normal(0, 3.0, 3))
        self._note(k, TrueWay.DROPPED)
        self.rest(0.1)

    def toss(self, dice: Iterable[int], after: float) -> None:
        """Let dice that are out of the tray fly in from beyond the picture, some time from now."""
        around = float(self.rng.uniform(0, 2 * np.pi))
        toward = np.array([np.cos(around), np.sin(around), 0.0])
        across = np.array([-toward[1], toward[0], 0.0])
        speed = float(self.rng.uniform(*TOSSED_SPEED))
        for place, k in enumerate(dice):
            start = -toward * (self.reach + 2 * self.edge * (place // 2)) + across * self.edge * (3 * (place % 2) - 1.5)
            up = np.array([0.0, 0.0, float(self.rng.uniform(0.05, 0.10))])
            flight = speed * float(self.rng.uniform(0.85, 1.15)) * toward + self.rng.normal(0, 0.08, 3)
            self._tosses.append(_Toss(self._time + after + place * 0.02, k, start + up, flight))

    def free_place(self) -> Array:
        """Return a place on the floor with room for a die, often next to another."""
        taken = self._world.centres[:, :2]
        for _ in range(200):
            at = self.rng.uniform(-1, 1, 2) * (self.half - 0.8 * self.edge)
            apart = float(np.linalg.norm(taken - at, axis=1).min())
            if apart > ROOM_EDGES * self.edge * float(self.rng.choice([1.0, 1.6])):
                break
        return np.array([*at, self.edge / 2])

    def above(self, place: Array, height: float = RAISED_M) -> Array:
        return np.array([*place[:2], height])

    def anywhere(self) -> Array:
        """Return a place over the tray, as high as a hand passes."""
        return np.array([*self.rng.uniform(-0.8, 0.8, 2) * self.half, RAISED_M * float(self.rng.uniform(0.7, 1.4))])

    def start_of_throw(self) -> Array:
        """Return a place from which a hand throws: on the side that it comes from, mostly near the border."""
        toward = np.array([np.cos(self._side), np.sin(self._side)])
        out = float(np.abs(self.half @ np.abs(toward))) * float(self.rng.uniform(0.6, 1.5))
        at = self.rng.normal(0, 0.15, 2) * self.half - out * toward
        return np.array([*at, RAISED_M * float(self.rng.uniform(0.5, 1.3))])

    def where(self, k: int) -> Array:
        return np.asarray(self._world.centres[k])

    def tread(self, seconds: float) -> None:
        """Keep the hand about where it is, moving a little."""
        for _ in range(max(1, round(seconds / 0.3))):
            self.go(self._at_hand() + self.rng.normal(0, 0.008, 3) * (1, 1, 0.3))

    def end(self) -> None:
        """Let the hand leave, and all come to rest."""
        self.leave()
        while (self._tosses or not self._world.is_at_rest) and self._time < LONGEST_SECONDS:
            self.rest(0.05)
        self.rest(0.35)


def table_turn(rng: Rng) -> Array:
    """Return the rotation of a die with any side up and any yaw."""
    yaw = rotation(np.array([0.0, 0.0, 1.0]), float(rng.uniform(0, 2 * np.pi)))
    axis, quarters = np.eye(3)[int(rng.integers(2))], int(rng.integers(4))
    return np.asarray(yaw @ rotation(axis, quarters * np.pi / 2))


def _up(side: int) -> Array:
    return np.eye(3)[side // 2] * (1 if side % 2 == 0 else -1)


def _eased(share: float) -> float:
    """Return how far a hand has come that begins and ends at rest: the minimum-jerk path (Flash and Hogan 1985)."""
    return share**3 * (10 - 15 * share + 6 * share**2)


def _arch(share: float) -> float:
    return float(np.sin(np.pi * share) ** 2)


def _level_axis(turn: Array, rng: Rng) -> int:
    """Return one of the two axes of a flat die that are level."""
    level = [k for k in range(3) if abs(turn[2, k]) < 0.5]
    return level[int(rng.integers(len(level)))]


def _any_axis(rng: Rng) -> Array:
    axis = rng.normal(size=3)
    return np.asarray(axis / np.linalg.norm(axis))


# What happens in a film.


def _thrown(film: FilmedBurst) -> None:
    """Throw some or all dice: they are gathered from the tray, or were in the hand."""
    share = 1.0 if film.rng.random() < 0.4 else 0.5
    dice, lying = film.away, [k for k in film.lying if film.rng.random() < share]
    if not dice or film.rng.random() < 0.6:
        lying = lying or list(film.lying[:1])
        film.enter(film.above(film.where(lying[0])), Grasp.CUPPED)
        film.gather(lying)
        film.go(film.start_of_throw())
    else:
        film.hide(dice[:6])
        film.enter(film.start_of_throw(), Grasp.CUPPED)
    thrown = film.throw()
    _linger(film, thrown)


def _linger(film: FilmedBurst, thrown: Sequence[int]) -> None:
    """Let the hand that threw leave, stay, or pass over a die that comes to rest."""
    how = film.rng.random()
    if how < 0.6:
        return
    if how < 0.8:
        film.tread(float(film.rng.uniform(0.3, 1.2)))
        return
    wait = float(film.rng.uniform(0.0, 0.5))
    film.rest(wait)
    over = film.where(thrown[int(film.rng.integers(len(thrown)))])
    if np.abs(over[:2]).max() < 1.2 * film.half.max():
        film.go(film.above(over, RAISED_M * float(film.rng.uniform(0.6, 1.0))))
        film.tread(float(film.rng.uniform(0.2, 0.8)))


def _tossed(film: FilmedBurst) -> None:
    """Let dice fly in from beyond the picture; no hand is seen."""
    film.toss(film.away, 0.0)
    film.rest(0.4)


def _carried(film: FilmedBurst) -> None:
    _carry_one(film, _any(film, film.lying), comes=True)


def _carry_one(film: FilmedBurst, k: int, *, comes: bool) -> None:
    if comes:
        film.enter(film.above(film.where(k)), Grasp.PINCHED)
    film.take(k)
    film.carry(k, film.free_place(), float(film.rng.normal(0, 0.4)), film.edge * float(film.rng.uniform(1.3, 3.5)))
    film.put_down(k)


def _slid(film: FilmedBurst) -> None:
    k = _any(film, film.lying)
    pointing = film.rng.random() < 0.5
    film.enter(film.above(film.where(k)), Grasp.POINTING if pointing else Grasp.PINCHED)
    film.take(k)
    film.carry(k, _near(film, k) if film.rng.random() < 0.5 else film.free_place(), float(film.rng.normal(0, 0.5)))
    film.put_down(k)


def _near(film: FilmedBurst, k: int) -> Array:
    way = film.edge * film.rng.normal(0, 1.5, 2)
    limit = film.half - 0.6 * film.edge
    return np.array([*np.clip(film.where(k)[:2] + way, -limit, limit), film.edge / 2])


def _tidied(film: FilmedBurst) -> None:
    dice = [k for k in film.lying if film.rng.random() < 0.6][:4] or [film.lying[0]]
    film.enter(film.above(film.where(dice[0])), Grasp.PINCHED)
    for place, k in enumerate(dice):
        if place:
            film.go(film.above(film.where(k)))
        _carry_one(film, k, comes=False)
        film.go(film.above(film.where(k)), pace=1.5)


def _turned(film: FilmedBurst) -> None:
    k = _any(film, film.lying)
    film.enter(film.above(film.where(k)), Grasp.PINCHED)
    film.take(k)
    how = film.rng.random()
    if how < 0.35:
        film.tip(k)
    else:
        film.turn_over(k, film.where(k) if how < 0.7 else film.free_place())
    film.put_down(k)


def _laid_in(film: FilmedBurst) -> None:
    k = _from_the_hand(film)
    film.go(film.free_place(), lift=0.02)
    film.put_down(k)


def _from_the_hand(film: FilmedBurst) -> int:
    """Let a hand come in with a die that is out of the tray, or that it takes out first; return which."""
    away = film.away
    if away and film.rng.random() < 0.6:
        k = away[0]
    else:
        k = _any(film, film.lying)
        film.enter(film.above(film.where(k)), Grasp.PINCHED)
        film.take(k)
        film.leave()
        film.rest(float(film.rng.uniform(0.1, 0.8)))
    film.hold(k)
    film.enter(film.anywhere(), Grasp.PINCHED)
    return k


def _dropped(film: FilmedBurst) -> None:
    k = _from_the_hand(film) if film.rng.random() < 0.5 else _any(film, film.lying)
    if k not in film.held:
        film.enter(film.above(film.where(k)), Grasp.PINCHED)
        film.take(k)
    film.go(film.above(film.free_place(), film.edge * float(film.rng.uniform(1.5, 4.5))), lift=0.02)
    film.drop(k)


def _mixed(film: FilmedBurst) -> None:
    """Carry a die before, while or after others are thrown."""
    k = _any(film, film.lying)
    how = film.rng.random()
    others = [other for other in film.lying if other != k][:4]
    if how < 0.4 and film.away:
        film.toss(film.away[:4], float(film.rng.uniform(0.2, 1.2)))
        _carry_one(film, k, comes=True)
        return
    first = how < 0.7
    if first:
        _carry_one(film, k, comes=True)
    if others:
        if not first:
            film.enter(film.above(film.where(others[0])), Grasp.CUPPED)
        film.gather(others)
        film.go(film.start_of_throw())
        film.throw()
    if not first:
        film.rest(float(film.rng.uniform(0.2, 0.9)))
        film.hold_as(Grasp.PINCHED)
        _carry_one(film, k, comes=False)


def _passed(film: FilmedBurst) -> None:
    film.enter(film.anywhere(), Grasp(str(film.rng.choice(list(Grasp)))))
    if film.rng.random() < 0.6:
        film.tread(float(film.rng.uniform(0.2, 1.0)))
    film.go(film.anywhere())


def _any(film: FilmedBurst, dice: Sequence[int]) -> int:
    return dice[int(film.rng.integers(len(dice)))]


EVENTS: MappingProxyType[str, tuple[float, Callable[[FilmedBurst], None]]] = MappingProxyType(
    {
        "thrown": (5, _thrown),
        "tossed": (2.5, _tossed),
        "carried": (2, _carried),
        "slid": (2, _slid),
        "tidied": (2, _tidied),
        "turned": (2.5, _turned),
        "laid in": (1.5, _laid_in),
        "dropped": (1.5, _dropped),
        "mixed": (3, _mixed),
        "passed": (1, _passed),
    }
)
"""What may happen in a film, how often, and what does it."""


def random_event(rng: Rng) -> str:
    """Return the name of an event, as often as EVENTS says."""
    shares = np.array([share for share, _ in EVENTS.values()])
    return str(rng.choice(list(EVENTS), p=shares / shares.sum()))


def play(film: FilmedBurst, event: str) -> FilmedBurst:
    """Let an event happen and all come to rest; return the film."""
    EVENTS[event][1](film)
    film.end()
    return film
