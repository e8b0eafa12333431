"""The dice of the virtual tray: where each lies or flies at a moment of the tray's time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from hardware.simulator.die_trajectory import DiePose, Trajectory, flat_rotation, hold
from hardware.simulator.geometry import BAY, HEIGHT, UPRIGHT_MARGIN, WIDTH, TrayPlace, Vectors, place_of
from hardware.simulator.overlap import Squares
from hardware.simulator.resting_places import free_place, squares_of
from hardware.simulator.viewpoint import is_in_view, place_in_view, width_in_view
from models.synthetic.die_renderer import PinholeCamera
from referee.dice import DieKind, DieSet
from referee.sentences import say


class NoSuchDie(LookupError):
    """The tray has no die of that number; the message says which it has."""


@dataclass
class TrayDie:
    """A die: its number, its kind, and its trajectory since a moment of the tray's time (seconds).

    `is_away` means that the die is out of the camera's view, or will be at the end of its trajectory. `known_top` is
    the side (0 to 5) by which people remember it: the one it fell on, or that it showed before it was knocked off.
    """

    number: int
    kind: DieKind
    trajectory: Trajectory
    since: float
    is_away: bool = False
    known_top: int = 0

    def pose(self, now: float) -> DiePose:
        """Return how the die lies."""
        return self.trajectory.at(now - self.since)

    def moves(self, now: float) -> bool:
        """True until the trajectory has ended."""
        return now - self.since < self.trajectory.seconds


class TrayDice:
    """The dice of one set on the virtual table, laid out in loose rows in the field with random faces."""

    def __init__(self, die_set: DieSet, lens: PinholeCamera, now: float, rng: np.random.Generator) -> None:
        self.die_set = die_set
        self._lens = lens
        kinds = [kind for kind, count in die_set.counts for _ in range(count)]
        self._dice = {
            number: TrayDie(number, kind, hold(1, _pose_in_row(number, len(kinds), die_set.edge_mm, rng)), now)
            for number, kind in enumerate(kinds, 1)
        }

    def __iter__(self) -> Iterator[TrayDie]:
        return iter(self._dice.values())

    @property
    def count(self) -> int:
        """Return how many dice there are, with those that are away."""
        return len(self._dice)

    @property
    def edge(self) -> float:
        """Return the edge of a die, in mm."""
        return self.die_set.edge_mm

    def add(self, kind: DieKind, pose: DiePose, now: float) -> TrayDie:
        """Add a die that was not out, which lies there, and return it."""
        number = max(self._dice) + 1
        self._dice[number] = TrayDie(number, kind, hold(1, pose), now, is_away=not is_in_view(self._lens, pose))
        return self._dice[number]

    def find(self, number: int) -> TrayDie:
        """Return the die of that number. Raises NoSuchDie."""
        if number not in self._dice:
            raise NoSuchDie(
                say(
                    "there is no die {number} on the tray; there are 1 to {most}",
                    number=repr(number),
                    most=len(self._dice),
                )
            )
        return self._dice[number]

    def find_on_table(self, number: int) -> TrayDie:
        """Return the die of that number. Raises NoSuchDie, also for a die that is away."""
        die = self.find(number)
        if die.is_away:
            raise NoSuchDie(say("die {number} lies off the table; carry it back or throw it first", number=number))
        return die

    def are_still(self, now: float) -> bool:
        """Return True if no die moves."""
        return not any(die.moves(now) for die in self)

    def send(self, die: TrayDie, trajectory: Trajectory, now: float) -> None:
        """Let a die move from now on."""
        die.trajectory, die.since, die.known_top = trajectory, now, trajectory.end.top
        die.is_away = not is_in_view(self._lens, trajectory.end)

    def ends(self) -> dict[int, DiePose]:
        """Return how all dice will lie, by their numbers, with those that are away."""
        return {die.number: die.trajectory.end for die in self}

    def lay(self, poses: Mapping[int, DiePose], now: float) -> None:
        """Place dice at these poses; ignore numbers that are not on the table."""
        for number in poses.keys() & self._dice.keys():
            self.send(self._dice[number], hold(1, poses[number]), now)

    def resting_poses(self, without: Collection[int]) -> dict[int, DiePose]:
        """Return where the dice will lie, by their numbers, without those and those that are away."""
        return {die.number: die.trajectory.end for die in self if die.number not in without and not die.is_away}

    def lying_poses(self, without: Collection[int]) -> dict[int, DiePose]:
        """Return `resting_poses` of the dice that lie on the table itself, and on no other die."""
        poses = self.resting_poses(without)
        return {number: pose for number, pose in poses.items() if pose.centre[2] < self.edge or not pose.flat}

    def unsupported(self) -> Iterator[TrayDie]:
        """Yield the dice that lie as on another die, where no die lies under them any more."""
        for die in self:
            end = die.trajectory.end
            if end.flat and end.centre[2] > self.edge and not die.is_away:
                below = self.resting_poses([die.number]).values()
                if not any(np.abs(pose.centre[:2] - end.centre[:2]).max() < 0.7 * self.edge for pose in below):
                    yield die

    def free_place(self, wish: Vectors, yaw: float, number: int) -> Vectors:
        """Return the place nearest to the wish (x and y in mm) where that die fits."""
        others: Squares = squares_of(self.resting_poses([number]).values())
        return free_place(wish, yaw, others, self.edge)

    def in_scene(self, now: float) -> Iterator[TrayDie]:
        """Yield the dice of which the camera may see a part."""
        for die in self:
            if (not die.is_away or die.moves(now)) and is_in_view(self._lens, die.pose(now), 1.5 * self.edge):
                yield die

    def describe(self, die: TrayDie, now: float) -> Mapping[str, float | int | str]:
        """Return what the tray's page may know of a die: its number, kind and place, never what it shows.

        `x`, `y` and `edge` are fractions of the camera's picture, `upright_x` and `upright_y` of the picture from
        straight above, in which the referee says where it sees a die.
        """
        pose = die.pose(now)
        x, y = place_in_view(self._lens, pose)
        place = TrayPlace.OFF if die.is_away else place_of(float(pose.centre[0]), float(pose.centre[1]))
        return {
            "number": die.number,
            "kind": die.kind.name,
            "x": round(min(max(x, 0.0), 1.0), 4),
            "y": round(min(max(y, 0.0), 1.0), 4),
            "edge": round(width_in_view(self._lens, pose, self.edge), 4),
            "place": str(place),
            "upright_x": round((float(pose.centre[0]) + UPRIGHT_MARGIN) / (WIDTH + 2 * UPRIGHT_MARGIN), 4),
            "upright_y": round((float(pose.centre[1]) + UPRIGHT_MARGIN) / (HEIGHT + 2 * UPRIGHT_MARGIN), 4),
        }


def _pose_in_row(number: int, count: int, edge: float, rng: np.random.Generator) -> DiePose:
    """Return a pose in loose rows of six in the middle of the field; `number` counts from 1."""
    row, column = divmod(number - 1, 6)
    across = min(count - 6 * row, 6)
    x = BAY / 2 + (column - (across - 1) / 2) * 2 * edge
    y = HEIGHT / 2 + (row - (count - 1) // 6 / 2) * 2.2 * edge
    jitter = rng.normal(0, 1.6, 2).clip(-3, 3)
    yaw = float(rng.normal(0, 0.25))
    return DiePose(np.array([x + jitter[0], y + jitter[1], edge / 2]), flat_rotation(int(rng.integers(6)), yaw))
