"""The virtual tray: dice that hands can throw, carry and knock off, as time goes by. It tells nobody what they show."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from hardware.simulator import dice_catalog, overlap
from hardware.simulator.die_motion import (
    STEPS_A_SECOND,
    Lie,
    Path,
    carry,
    flat,
    raised,
    rest,
    rolling,
    rotation,
    turned,
)
from hardware.simulator.geometry import BAY, HEIGHT, WIDTH, Place, Vectors, off_tray, on_felt, place_of
from hardware.simulator.throw_physics import Mishaps, throw
from hardware.simulator.viewpoint import ACROSS_MM, SIZE, lens_for
from models.synthetic.die_renderer import Lens
from referee.dice import DieKind, DieSet, FaceName

PICKING_UP_SECONDS, SHAKING_SECONDS = 0.35, 0.2
CARRYING_SPEED = 700.0
"""Millimetres a second at which a hand carries a die."""
CARRYING_HEIGHT = 28.0
TURNING_SECONDS, TURNING_HEIGHT = 0.6, 14.0
REACHING_SECONDS = 0.3
"""How long a hand takes to reach in, or to leave."""
IN_THE_HAND = (WIDTH / 2, HEIGHT + 110.0)
"""Where dice are shaken: beyond the lower edge of the picture."""


class NoSuchDie(LookupError):
    """The tray has no die of that number; the message says which it has."""


class NoSuchTrouble(ValueError):
    """The camera cannot have that trouble; the message lists those it can."""


class Trouble(StrEnum):
    """What may happen to the camera over the tray."""

    NONE = ""
    COVERED = "covered"
    FROZEN = "frozen"
    UNPLUGGED = "unplugged"


@dataclass(frozen=True, eq=False)
class SetOutDie:
    """A die in the scene: its number, its kind, its six faces in the painter's order, how it lies now."""

    number: int
    kind: DieKind
    faces: tuple[FaceName, ...]
    lie: Lie


@dataclass(frozen=True, eq=False)
class Scene:
    """What a camera sees at a moment: the dice in view, who drew them, and how far the hand has reached in (0..1).

    `moment` is the same number for as long as nothing in the scene changes.
    """

    dice: tuple[SetOutDie, ...]
    look: str
    edge_mm: float
    reach: float
    trouble: Trouble
    moment: int


@dataclass
class _Die:
    number: int
    kind: DieKind
    path: Path
    began: float
    away: bool = False

    def lie(self, now: float) -> Lie:
        return self.path.at(now - self.began)

    def moves(self, now: float) -> bool:
        return now - self.began < self.path.seconds


class VirtualTray:
    """Dice of one set on the virtual table, and the hands that move them. Any thread may call.

    Time is told to the tray by `advance`, which the camera calls, so that a test can let an hour pass in a moment.
    Places are fractions of the picture's width and height. With a `seed` everything that happens by chance is repeated.
    """

    def __init__(
        self,
        die_set: str = "intersection",
        seed: int | None = None,
        mishaps: Mishaps | None = None,
        size: tuple[int, int] = SIZE,
    ) -> None:
        self.size = size
        self.lens: Lens = lens_for(size)
        self._mishaps = mishaps or Mishaps()
        self._chance = np.random.default_rng(seed)
        self._lock = threading.RLock()
        self._now = 0.0
        self._moment = 0
        self._hand_inside = False
        self._reach = 0.0
        self._trouble = Trouble.NONE
        self._dice: dict[int, _Die] = {}
        self._look = dice_catalog.HOUSE[0]
        self.set_out(die_set)

    @property
    def die_set(self) -> DieSet:
        """The dice that are out."""
        with self._lock:
            return self._die_set

    @staticmethod
    def has(name: str) -> bool:
        """Whether a set of that name can be put out."""
        return name in dice_catalog.names()

    @staticmethod
    def sets() -> Mapping[str, str]:
        """The sets that can be put out: name and title."""
        return {name: dice_catalog.dice(name).title for name in dice_catalog.names()}

    @staticmethod
    def looks() -> Mapping[str, str]:
        """Who may have drawn the dice: name and title."""
        return dice_catalog.LOOKS

    def out(self) -> tuple[str, str]:
        """The set that is out and its look, by name."""
        with self._lock:
            return self._die_set.name, self._look

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        with self._lock:
            if self._still() and self._reach == float(self._hand_inside):
                return
            self._now += seconds
            step = seconds / REACHING_SECONDS
            self._reach = float(np.clip(self._reach + (step if self._hand_inside else -step), 0.0, 1.0))
            self._moment += 1

    def scene(self) -> Scene:
        """What lies on the table now, for a camera."""
        with self._lock:
            dice = tuple(
                SetOutDie(die.number, die.kind, faces_of(die.kind), die.lie(self._now))
                for die in self._dice.values()
                if (not die.away or die.moves(self._now)) and self._in_view(die.lie(self._now), 1.5)
            )
            return Scene(dice, self._look, self._die_set.edge_mm, self._reach, self._trouble, self._moment)

    def dice(self) -> Sequence[Mapping[str, float | int | str]]:
        """For each die: number, x, y, edge (fractions of the width), place; never what it shows."""
        with self._lock:
            return [self._described(die) for die in self._dice.values()]

    def throw(self, numbers: Sequence[int]) -> None:
        """Pick up these dice, wherever they are, and throw them together. Raises NoSuchDie."""
        with self._lock:
            thrown = [self._die(number).number for number in dict.fromkeys(numbers)]
            if not thrown:
                return
            lying = {
                die.number: die.path.end for die in self._dice.values() if die.number not in thrown and not die.away
            }
            paths = throw(thrown, lying, self._die_set.edge_mm, self._mishaps, self._chance)
            for number, path in paths.items():
                die = self._dice[number]
                self._send(die, self._picked_up(die, path) if number in thrown else self._delayed(die, path))

    def move(self, number: int, x: float, y: float) -> None:
        """Carry a die to the free place nearest to that one, keeping its face up. Raises NoSuchDie."""
        with self._lock:
            die = self._die(number)
            start = self._in_hand() if die.away else die.lie(self._now)
            set_flat = start.upright
            yaw = set_flat.yaw + float(self._chance.normal(0, 0.12))
            where = self._free_place(self._on_table(x, y), yaw, number)
            end = Lie(np.array([*where, self._die_set.edge_mm / 2]), flat(set_flat.top, yaw))
            far = float(np.linalg.norm(end.centre - start.centre))
            self._send(die, carry(start, end, 0.25 + far / CARRYING_SPEED, CARRYING_HEIGHT))

    def tip(self, number: int) -> None:
        """Turn a die over onto its next side, where it lies: the seventh time it shows the first again.

        Raises NoSuchDie, also for one that lies off the table.
        """
        with self._lock:
            die = self._die_on_table(number)
            start = die.lie(self._now)
            where = start.centre[:2] if start.flat else self._free_place(start.centre[:2], start.yaw, number)
            self._turn(die, start, where, start.tipping)

    def twist(self, number: int, degrees: float) -> None:
        """Turn a die where it lies, keeping its face up: clockwise as the camera sees it, or back when negative.

        It gives way where it would run into another. Raises NoSuchDie, also for one that lies off the table.
        """
        with self._lock:
            die, angle = self._die_on_table(number), float(np.radians(degrees))
            start = die.lie(self._now)
            where = self._free_place(start.centre[:2], start.yaw + angle, number)
            self._turn(die, start, where, np.array([0.0, 0.0, angle]))

    def knock_off(self, number: int) -> None:
        """Knock a die off the table, over its nearest edge. Raises NoSuchDie."""
        with self._lock:
            die = self._die(number)
            if not die.away:
                self._send(die, self._falling(die.lie(self._now)))
                die.away = True

    def hand(self, inside: bool) -> None:
        """Reach into the tray, or take the hand out."""
        with self._lock:
            self._hand_inside = inside

    def set_out(self, die_set: str, look: str = "") -> None:
        """Put out the dice of a set in a loose row in the field, with faces by chance.

        They come in that look, or in the same as those before. Raises NoSuchDieSet and NoSuchLook, both LookupErrors.
        """
        with self._lock:
            dice, drawn = dice_catalog.dice(die_set), dice_catalog.known_look(look or self._look)
            self._die_set, self._look = dice, drawn
            kinds = [kind for kind, count in self._die_set.counts for _ in range(count)]
            self._dice = {
                number: _Die(number, kind, rest(1, self._in_row(number, len(kinds))), self._now)
                for number, kind in enumerate(kinds, 1)
            }
            self._moment += 1

    def trouble(self, kind: str) -> None:
        """Set what happens to the camera: '' for nothing. Raises NoSuchTrouble."""
        if kind not in set(Trouble):
            raise NoSuchTrouble(f"a camera has no trouble {kind!r}; it can be 'covered', 'frozen', 'unplugged' or ''")
        with self._lock:
            self._trouble = Trouble(kind)

    def _die(self, number: int) -> _Die:
        if number not in self._dice:
            raise NoSuchDie(f"there is no die {number!r} on the tray; there are 1 to {len(self._dice)}")
        return self._dice[number]

    def _die_on_table(self, number: int) -> _Die:
        die = self._die(number)
        if die.away:
            raise NoSuchDie(f"die {number} lies off the table; carry it back or throw it first")
        return die

    def _turn(self, die: _Die, start: Lie, where: Vectors, by: Vectors) -> None:
        centre = np.array([*where, self._die_set.edge_mm / 2])
        self._send(die, turned(start, centre, by, TURNING_SECONDS, TURNING_HEIGHT))

    def _still(self) -> bool:
        return not any(die.moves(self._now) for die in self._dice.values())

    def _send(self, die: _Die, path: Path) -> None:
        die.path, die.began = path, self._now
        die.away = not self._in_view(path.end)

    def _picked_up(self, die: _Die, path: Path) -> Path:
        """Lift the die into the hand and shake it before it flies; the turn may change there, since nobody sees it."""
        start = self._in_hand() if die.away else die.lie(self._now)
        hand = Lie(self._in_hand().centre, start.turn)
        lifted = carry(start, hand, PICKING_UP_SECONDS, CARRYING_HEIGHT)
        return lifted.then(rest(round(SHAKING_SECONDS * STEPS_A_SECOND), hand)).then(path)

    def _delayed(self, die: _Die, path: Path) -> Path:
        waiting = round((PICKING_UP_SECONDS + SHAKING_SECONDS) * STEPS_A_SECOND)
        now = die.lie(self._now)
        before = carry(now, path.at(0), waiting / STEPS_A_SECOND, 0.0) if die.moves(self._now) else rest(waiting, now)
        return before.then(path)

    def _falling(self, start: Lie) -> Path:
        """A push that rolls a die over the picture's nearest edge."""
        edge = self._die_set.edge_mm
        beside = (start.centre[:2] - (WIDTH / 2, HEIGHT / 2)) / (WIDTH, HEIGHT)
        way = np.where(np.abs(beside) == np.abs(beside).max(), np.where(beside < 0, -1.0, 1.0), 0.0)
        way /= np.linalg.norm(way)
        steps = round(0.8 * STEPS_A_SECOND)
        along = np.linspace(0.0, 420.0, steps)
        centres = np.column_stack([start.centre[:2] + along[:, None] * way, _hop(along)])
        spin = rolling(np.repeat(way[None] * 420, steps, axis=0), edge)[0]
        speed = float(np.linalg.norm(spin))
        turns = np.stack([rotation(spin / speed, speed * step / STEPS_A_SECOND) @ start.turn for step in range(steps)])
        return raised(Path(centres, turns), edge)

    def _in_hand(self) -> Lie:
        return Lie(np.array([*IN_THE_HAND, 20.0]), flat(int(self._chance.integers(6)), 0.0))

    def _in_row(self, place: int, count: int) -> Lie:
        edge = self._die_set.edge_mm
        row, column = divmod(place - 1, 6)
        across = min(count - 6 * row, 6)
        x = BAY / 2 + (column - (across - 1) / 2) * 2 * edge
        y = HEIGHT / 2 + (row - (count - 1) // 6 / 2) * 2.2 * edge
        jitter = self._chance.normal(0, 1.6, 2).clip(-3, 3)
        yaw = float(self._chance.normal(0, 0.25))
        return Lie(np.array([x + jitter[0], y + jitter[1], edge / 2]), flat(int(self._chance.integers(6)), yaw))

    def _free_place(self, wish: Vectors, yaw: float, number: int) -> Vectors:
        """The place nearest to the wish that a die fits into: clear of dice, and not across the fence or the lath."""
        edge = self._die_set.edge_mm
        others = [die.path.end for die in self._dice.values() if die.number != number and not die.away]
        footprints = np.array([lie.centre[:2] for lie in others]).reshape(-1, 2), np.array([lie.yaw for lie in others])
        for place in _around(wish):
            standing = on_felt(place, 0.72 * edge) or off_tray(place, 0.72 * edge)
            # A tenth more room than the footprint: fingers need it, and a cocked die there takes it.
            if standing and overlap.is_free(place, yaw, footprints, 1.1 * edge):
                return place
        return wish

    def _on_table(self, x: float, y: float) -> Vectors:
        """The point of the table that a die covers when its middle is seen at a place of the picture."""
        corners = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float64)
        raised_corners = np.column_stack([corners, np.full(4, self._die_set.edge_mm / 2)])
        seen = np.asarray(self.lens.project(raised_corners), np.float32)
        back = cv2.getPerspectiveTransform(seen, corners.astype(np.float32))
        # A little inside, so that what is dropped at the very edge can be seen and taken again.
        inside = np.clip((x, y), 0.025, 0.975) * self.size
        return np.asarray(cv2.perspectiveTransform(inside.reshape(1, 1, 2), back), np.float64).reshape(2)

    def _in_view(self, lie: Lie, beyond: float = 0.0) -> bool:
        """Whether a die's middle is in the picture, or so many of its edges beyond it."""
        x, y = self._seen_at(lie)
        margin = beyond * self._die_set.edge_mm / ACROSS_MM
        return -margin < x < 1 + margin and -margin < y < 1 + margin

    def _seen_at(self, lie: Lie) -> tuple[float, float]:
        x, y = np.asarray(self.lens.project(lie.centre[None]), np.float64)[0] / self.size
        return float(x), float(y)

    def _described(self, die: _Die) -> Mapping[str, float | int | str]:
        lie, edge = die.lie(self._now), self._die_set.edge_mm
        x, y = self._seen_at(lie)
        ends = np.asarray(self.lens.project(lie.centre + np.array([(-edge / 2, 0, 0), (edge / 2, 0, 0)])), np.float64)
        place = Place.OFF if die.away else place_of(float(lie.centre[0]), float(lie.centre[1]))
        return {
            "number": die.number,
            "x": round(min(max(x, 0.0), 1.0), 4),
            "y": round(min(max(y, 0.0), 1.0), 4),
            "edge": round(float(np.linalg.norm(ends[1] - ends[0])) / self.size[0], 4),
            "place": str(place),
        }


def faces_of(kind: DieKind) -> tuple[FaceName, ...]:
    """The faces of a die in the painter's order (+x, -x, +y, -y, +z, -z); its first and sixth sides are opposite."""
    return tuple(kind.sides[side].name for side in (0, 5, 1, 4, 2, 3))


def _around(wish: Vectors) -> list[Vectors]:
    """Points in widening rings about a wish, itself first."""
    rings = [(radius, angle) for radius in range(2, 80, 2) for angle in np.linspace(0, 2 * np.pi, 24, endpoint=False)]
    return [wish, *(wish + radius * np.array([np.cos(angle), np.sin(angle)]) for radius, angle in rings)]


def _hop(along: Vectors) -> Vectors:
    """How high a die that was knocked away hops on its way, so that it clears the fence."""
    return np.asarray(26.0 * np.abs(np.sin(np.pi * along / 90.0)) ** 0.6)
