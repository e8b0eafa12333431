"""The virtual tray: dice that hands throw, carry and knock off, as time goes by. It tells nobody what they show."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from hardware.simulator import dice_catalog, hand_motions
from hardware.simulator.die_trajectory import DiePose, Trajectory, flat_rotation
from hardware.simulator.geometry import Vectors
from hardware.simulator.simulated_throw import Mishaps, throw
from hardware.simulator.tray_dice import NoSuchDie, TrayDice, TrayDie
from hardware.simulator.viewpoint import SIZE, lens_for, point_on_table
from models.synthetic.die_renderer import PinholeCamera
from referee.dice import DieKind, DieSet, FaceName

__all__ = ["CameraTrouble", "NoSuchDie", "NoSuchTrouble", "SceneDie", "TrayScene", "VirtualTray"]

REACHING_SECONDS = 0.3
"""How long a hand takes to reach in, or to leave."""


class NoSuchTrouble(ValueError):
    """The camera cannot have that trouble; the message lists those it can."""


class CameraTrouble(StrEnum):
    """What may happen to the camera over the tray."""

    NONE = ""
    COVERED = "covered"
    FROZEN = "frozen"
    UNPLUGGED = "unplugged"


@dataclass(frozen=True, eq=False)
class SceneDie:
    """A die in the scene: its number, its kind, its six faces in the painter's order, and its pose."""

    number: int
    kind: DieKind
    faces: tuple[FaceName, ...]
    pose: DiePose


@dataclass(frozen=True, eq=False)
class TrayScene:
    """What a camera sees at a moment.

    dice: those in view. look: the name of the drawings on them. reach: how far the hand has reached in, 0 to 1.
    moment: the same number while nothing in the scene changes.
    """

    dice: tuple[SceneDie, ...]
    look: str
    edge_mm: float
    reach: float
    trouble: CameraTrouble
    moment: int


@dataclass
class _Hand:
    """The hand over the tray: where it is going, and how far it has reached in (0 to 1)."""

    is_inside: bool = False
    reach: float = 0.0

    @property
    def is_still(self) -> bool:
        return self.reach == float(self.is_inside)

    def move(self, seconds: float) -> None:
        step = seconds / REACHING_SECONDS
        self.reach = float(np.clip(self.reach + (step if self.is_inside else -step), 0.0, 1.0))


class VirtualTray:
    """Dice of one set on the virtual table, and the hands that move them. Any thread may call.

    The tray's time goes on by `advance`, which the camera calls, so that a test can let an hour pass at once. Places
    are fractions of the picture's width and height. With a `seed` everything random is repeated.
    """

    def __init__(
        self,
        die_set: str = "intersection",
        seed: int | None = None,
        mishaps: Mishaps | None = None,
        size: tuple[int, int] = SIZE,
    ) -> None:
        self.size = size
        self.lens: PinholeCamera = lens_for(size)
        self._mishaps = mishaps or Mishaps()
        self._rng = np.random.default_rng(seed)
        self._lock = threading.RLock()
        self._now = 0.0
        self._moment = 0
        self._hand = _Hand()
        self._trouble = CameraTrouble.NONE
        self._look = dice_catalog.TRAINED_LOOKS[0]
        self._dice = self._new_dice(dice_catalog.load_dice(die_set))

    @property
    def die_set(self) -> DieSet:
        """Return the dice that are out."""
        with self._lock:
            return self._dice.die_set

    @staticmethod
    def has(name: str) -> bool:
        """Return True if a set of that name can be put out."""
        return name in dice_catalog.set_names()

    @staticmethod
    def sets() -> Mapping[str, str]:
        """Return the titles of the sets that can be put out, by name."""
        return {name: dice_catalog.load_dice(name).title for name in dice_catalog.set_names()}

    @staticmethod
    def looks() -> Mapping[str, str]:
        """Return the titles of the looks in which dice can come, by name."""
        return dice_catalog.LOOKS

    def out(self) -> tuple[str, str]:
        """Return the names of the set that is out and of its look."""
        with self._lock:
            return self._dice.die_set.name, self._look

    def set_out(self, die_set: str, look: str = "") -> None:
        """Put out the dice of a set in loose rows in the field, with random faces.

        They come in that look, or in the same as those before. Raises NoSuchDieSet and NoSuchLook, both LookupErrors.
        """
        with self._lock:
            dice, drawn = dice_catalog.load_dice(die_set), dice_catalog.check_look(look or self._look)
            self._dice, self._look = self._new_dice(dice), drawn
            self._moment += 1

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        with self._lock:
            if self._dice.are_still(self._now) and self._hand.is_still:
                return
            self._now += seconds
            self._hand.move(seconds)
            self._moment += 1

    def scene(self) -> TrayScene:
        """Return what a camera sees now."""
        with self._lock:
            dice = tuple(
                SceneDie(die.number, die.kind, faces_of(die.kind), die.pose(self._now))
                for die in self._dice.in_scene(self._now)
            )
            return TrayScene(dice, self._look, self._dice.edge, self._hand.reach, self._trouble, self._moment)

    def trouble(self, kind: str) -> None:
        """Set what happens to the camera: '' for nothing. Raises NoSuchTrouble."""
        if kind not in set(CameraTrouble):
            raise NoSuchTrouble(f"a camera has no trouble {kind!r}; it can be 'covered', 'frozen', 'unplugged' or ''")
        with self._lock:
            self._trouble = CameraTrouble(kind)

    def dice(self) -> Sequence[Mapping[str, float | int | str]]:
        """Return for each die: number, x, y, edge (fractions of the width), place; never what it shows."""
        with self._lock:
            return [self._dice.describe(die, self._now) for die in self._dice]

    def throw(self, numbers: Sequence[int]) -> None:
        """Pick up these dice, wherever they are, and throw them together. Raises NoSuchDie."""
        with self._lock:
            thrown = [self._dice.find(number).number for number in dict.fromkeys(numbers)]
            if not thrown:
                return
            lying = self._dice.resting_poses(thrown)
            flights = throw(thrown, lying, self._dice.edge, self._mishaps, self._rng)
            for number, flight in flights.items():
                die = self._dice.find(number)
                self._send(die, self._thrown(die, flight) if number in thrown else self._pushed(die, flight))

    def move(self, number: int, x: float, y: float) -> None:
        """Carry a die to the free place nearest to that one, keeping its face up. Raises NoSuchDie."""
        with self._lock:
            die = self._dice.find(number)
            start = self._taken_from(die)
            upright = start.upright
            yaw = upright.yaw + float(self._rng.normal(0, 0.12))
            wish = point_on_table(self.lens, x, y, self._dice.edge)
            place = self._dice.free_place(wish, yaw, number)
            end = DiePose(np.array([*place, self._dice.edge / 2]), flat_rotation(upright.top, yaw))
            self._send(die, hand_motions.carry_over(start, end))

    def tip(self, number: int) -> None:
        """Turn a die over onto its next side, where it lies: the seventh time it shows the first again.

        Raises NoSuchDie, also for a die that lies off the table.
        """
        with self._lock:
            die = self._dice.find_on_table(number)
            start = die.pose(self._now)
            here = start.centre[:2]
            place = here if start.flat else self._dice.free_place(here, start.yaw, number)
            self._turn(die, start, place, start.tip_vector)

    def twist(self, number: int, degrees: float) -> None:
        """Turn a die where it lies, keeping its face up: clockwise as the camera sees it, or back when negative.

        It gives way where it would run into another. Raises NoSuchDie, also for a die that lies off the table.
        """
        with self._lock:
            die, angle = self._dice.find_on_table(number), float(np.radians(degrees))
            start = die.pose(self._now)
            place = self._dice.free_place(start.centre[:2], start.yaw + angle, number)
            self._turn(die, start, place, np.array([0.0, 0.0, angle]))

    def knock_off(self, number: int) -> None:
        """Knock a die off the table, over its nearest edge. Raises NoSuchDie."""
        with self._lock:
            die = self._dice.find(number)
            if not die.is_away:
                self._send(die, hand_motions.knock_off(die.pose(self._now), self._dice.edge))
                die.is_away = True

    def hand(self, inside: bool) -> None:
        """Reach into the tray, or take the hand out."""
        with self._lock:
            self._hand.is_inside = inside

    def _new_dice(self, die_set: DieSet) -> TrayDice:
        return TrayDice(die_set, self.lens, self._now, self._rng)

    def _send(self, die: TrayDie, trajectory: Trajectory) -> None:
        self._dice.send(die, trajectory, self._now)

    def _turn(self, die: TrayDie, start: DiePose, place: Vectors, turn: Vectors) -> None:
        self._send(die, hand_motions.turn_over(start, place, turn, self._dice.edge))

    def _taken_from(self, die: TrayDie) -> DiePose:
        """Return where a hand takes a die from; one that is away comes from beyond the picture."""
        return hand_motions.pose_in_hand(self._rng) if die.is_away else die.pose(self._now)

    def _thrown(self, die: TrayDie, flight: Trajectory) -> Trajectory:
        start = self._taken_from(die)
        return hand_motions.pick_up_and_throw(start, hand_motions.pose_in_hand(self._rng), flight)

    def _pushed(self, die: TrayDie, push: Trajectory) -> Trajectory:
        return hand_motions.wait_for_throw(die.pose(self._now), die.moves(self._now), push)


def faces_of(kind: DieKind) -> tuple[FaceName, ...]:
    """Return the faces of a die in the painter's order (+x, -x, +y, -y, +z, -z); sides 1 and 6 are opposite."""
    return tuple(kind.sides[side].name for side in (0, 5, 1, 4, 2, 3))
