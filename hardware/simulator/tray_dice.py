"""The dice of the virtual tray: which there are, where they lie and are wanted, and what outlasts a restart."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final
from zlib import crc32

import numpy as np

from hardware.simulator import physics
from hardware.simulator.physics import DiePose
from hardware.simulator.scenery import is_in_view, place_in_view, width_in_view
from models import die_sets
from models.die_sets import NoSuchDieSet
from models.synthetic.canvas import Style, Use
from models.synthetic.die_renderer import PinholeCamera
from models.synthetic.faces import STYLE_COUNT, FaceArt, art_for, draw, random_style
from models.synthetic.novel_symbols import draw_novel, random_novel_style
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from referee.sentences import say

# The dice that can be put out on the virtual tray, and the looks, that is the drawings, in which they can come


ART_PIXELS = 80
"""Pixels on each side of a drawn face."""

STRANGE = DieSet(
    "strange",
    say("Strange dice"),
    (
        (
            DieKind(
                KindName("strange"),
                say("Strange die"),
                tuple(
                    Face(FaceName(f"strange-{symbol}"), title)
                    for symbol, title in {
                        "sun": say("Sun"),
                        "paw": say("Paw"),
                        "mushroom": say("Mushroom"),
                        "boat": say("Boat"),
                        "eye": say("Eye"),
                        "cactus": say("Cactus"),
                    }.items()
                ),
            ),
            3,
        ),
    ),
    16.0,
)
"""Dice of no game, with symbols that no reader was trained on."""

TRAINED_LOOKS = tuple(f"house-{number}" for number in range(1, STYLE_COUNT + 1))
UNSEEN_LOOKS = ("unseen-1", "unseen-2", "unseen-3", "unseen-4")
LOOKS = {
    **{name: say("Vander (look {number})", number=number) for number, name in enumerate(TRAINED_LOOKS, 1)},
    **{name: say("a stranger (look {number})", number=number) for number, name in enumerate(UNSEEN_LOOKS, 1)},
}
"""The titles of the looks by name: drawings that readers were trained on, and others that they never saw."""


class NoSuchLook(LookupError):
    """There is no such look; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])


def set_names() -> tuple[str, ...]:
    """Return the names of the sets: those of the games, and the strange dice."""
    return (*die_sets.names(), STRANGE.name)


def load_dice(name: str) -> DieSet:
    """Return the set of that name. Raises NoSuchDieSet."""
    if name == STRANGE.name:
        return STRANGE
    if name not in set_names():
        raise NoSuchDieSet(
            say("there is no die set {name}; there are {known}", name=repr(name), known=", ".join(set_names()))
        )
    return die_sets.load(name)


def check_look(name: str) -> str:
    """Return the name of a look. Raises NoSuchLook."""
    if name not in LOOKS:
        raise NoSuchLook(say("there is no look {name}; there are {known}", name=repr(name), known=", ".join(LOOKS)))
    return name


@cache
def face_art(kind: DieKind, face: FaceName, look: str) -> FaceArt:
    if kind in STRANGE.kinds:
        hand, style = random_novel_style(np.random.default_rng(list(LOOKS).index(look)), Use.SCORING)
        return draw_novel(face, hand, style, ART_PIXELS, np.random.default_rng(0))
    drawing, style = drawings(kind, look)[face]
    return draw(drawing, style, ART_PIXELS, np.random.default_rng(0))


@cache
def drawings(kind: DieKind, look: str) -> dict[FaceName, tuple[str, Style]]:
    """Return for every face of a die its drawing and style; all pips are in one hand."""
    if look in TRAINED_LOOKS:
        return {face: art_for(kind.name, face, TRAINED_LOOKS.index(look)) for face in kind.faces}
    rng = np.random.default_rng([crc32(kind.name.encode()), UNSEEN_LOOKS.index(look)])
    body = random_style(kind.faces[0], rng, Use.SCORING)[1]
    drawn = {face: random_style(face, rng, Use.SCORING, like=body) for face in kind.faces}
    pips = [(drawing.partition("/")[2], style) for face, (drawing, style) in drawn.items() if face.startswith("pip-")]
    return drawn | {face: (f"{face}/{pips[0][0]}", pips[0][1]) for face in drawn if face.startswith("pip-")}


# How the dice of the virtual tray lay, as text: so that they lie the same way after a restart


LyingDice = Mapping[int, DiePose]
"""The dice of a set by their numbers, with those out of view."""
FURTHEST_MM: Final = 2000.0
"""How far from the tray's corner a die may be said to lie; farther is a damaged file."""
_DECIMALS = 5


def write_lying_dice(sets: Mapping[str, LyingDice]) -> str:
    """Return as JSON how the dice of each set lie, by the set's name."""
    return json.dumps(
        {name: {str(number): _numbers(pose) for number, pose in dice.items()} for name, dice in sets.items()}
    )


def read_lying_dice(text: str) -> dict[str, LyingDice]:
    """Return what `write_lying_dice` wrote. Raises ValueError for anything else."""
    try:
        return {
            str(name): {int(number): _pose(numbers) for number, numbers in dice.items()}
            for name, dice in json.loads(text).items()
        }
    except (AttributeError, TypeError) as error:
        raise ValueError(f"it does not hold how dice lie: {error}") from error


def _numbers(pose: DiePose) -> list[float]:
    return [round(float(value), _DECIMALS) for value in (*pose.centre, *pose.rotation.ravel())]


def _pose(numbers: object) -> DiePose:
    found = np.asarray(numbers, np.float64)
    if found.shape != (12,) or not np.isfinite(found).all() or np.abs(found[:3]).max() > FURTHEST_MM:
        raise ValueError("a die lies nowhere")
    rotation = found[3:].reshape(3, 3)
    if np.abs(rotation @ rotation.T - np.eye(3)).max() > 1e-3:
        raise ValueError("a die is turned in no way that there is")
    return DiePose(found[:3], rotation)


# The dice of the virtual tray: where each lies or flies at a moment of the tray's time


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
    trajectory: physics.Trajectory
    since: float
    is_away: bool = False
    known_top: int = 0

    def pose(self, now: float) -> DiePose:
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
            number: TrayDie(number, kind, physics.hold(1, _pose_in_row(number, len(kinds), die_set.edge_mm, rng)), now)
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
        self._dice[number] = TrayDie(number, kind, physics.hold(1, pose), now, is_away=not is_in_view(self._lens, pose))
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
        return not any(die.moves(now) for die in self)

    def send(self, die: TrayDie, trajectory: physics.Trajectory, now: float) -> None:
        die.trajectory, die.since, die.known_top = trajectory, now, trajectory.end.top
        die.is_away = not is_in_view(self._lens, trajectory.end)

    def ends(self) -> dict[int, DiePose]:
        """Return how all dice will lie, by their numbers, with those that are away."""
        return {die.number: die.trajectory.end for die in self}

    def lay(self, poses: Mapping[int, DiePose], now: float) -> None:
        """Place dice at these poses; ignore numbers that are not on the table."""
        for number in poses.keys() & self._dice.keys():
            self.send(self._dice[number], physics.hold(1, poses[number]), now)

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

    def free_place(self, wish: physics.Vectors, yaw: float, number: int) -> physics.Vectors:
        """Return the place nearest to the wish (x and y in mm) where that die fits."""
        others: physics.Squares = physics.squares_of(self.resting_poses([number]).values())
        return physics.free_place(wish, yaw, others, self.edge)

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
        place = physics.TrayPlace.OFF if die.is_away else physics.place_of(float(pose.centre[0]), float(pose.centre[1]))
        return {
            "number": die.number,
            "kind": die.kind.name,
            "x": round(min(max(x, 0.0), 1.0), 4),
            "y": round(min(max(y, 0.0), 1.0), 4),
            "edge": round(width_in_view(self._lens, pose, self.edge), 4),
            "place": str(place),
            "upright_x": round(
                (float(pose.centre[0]) + physics.UPRIGHT_MARGIN) / (physics.WIDTH + 2 * physics.UPRIGHT_MARGIN), 4
            ),
            "upright_y": round(
                (float(pose.centre[1]) + physics.UPRIGHT_MARGIN) / (physics.HEIGHT + 2 * physics.UPRIGHT_MARGIN), 4
            ),
        }


def _pose_in_row(number: int, count: int, edge: float, rng: np.random.Generator) -> DiePose:
    """Return a pose in loose rows of six in the middle of the field; `number` counts from 1."""
    row, column = divmod(number - 1, 6)
    across = min(count - 6 * row, 6)
    x = physics.BAY / 2 + (column - (across - 1) / 2) * 2 * edge
    y = physics.HEIGHT / 2 + (row - (count - 1) // 6 / 2) * 2.2 * edge
    jitter = rng.normal(0, 1.6, 2).clip(-3, 3)
    yaw = float(rng.normal(0, 0.25))
    return DiePose(np.array([x + jitter[0], y + jitter[1], edge / 2]), physics.flat_rotation(int(rng.integers(6)), yaw))


# How the dice of the virtual tray lay before what hands did, as people at the table remember it


MOST_REMEMBERED = 24
"""How many arrangements are remembered; the oldest are forgotten."""
_SAME_MM, _SAME_ROTATION = 0.5, 0.02


@dataclass(frozen=True)
class DieLook:
    """A die as a person sees it: its kind, its face and its place; '' where nothing is said of them."""

    kind: str
    face: str = ""
    place: str = ""

    def is_like(self, wanted: DieLook) -> bool:
        return self.kind == wanted.kind and wanted.face in ("", self.face) and wanted.place in ("", self.place)


@dataclass(frozen=True, eq=False)
class Arrangement:
    """How all dice on the table lie and look, by their numbers."""

    poses: Mapping[int, DiePose]
    looks: Mapping[int, DieLook]

    def fits(self, wanted: Iterable[DieLook]) -> int:
        """Return how many of the wanted dice lie there, each die counted once."""
        left = list(self.looks.values())
        count = 0
        for die in wanted:
            found = next((look for look in left if look.is_like(die)), None)
            if found is not None:
                left.remove(found)
                count += 1
        return count


class TrayMemory:
    """The arrangements of the tray before each thing that hands did, the oldest first."""

    def __init__(self) -> None:
        self._kept: deque[Arrangement] = deque(maxlen=MOST_REMEMBERED)

    def keep(self, arrangement: Arrangement) -> None:
        """Remember an arrangement, unless it is the last one."""
        if not self._kept or not is_same(self._kept[-1].poses, arrangement.poses):
            self._kept.append(arrangement)

    def best(self, wanted: Sequence[DieLook], now: Arrangement) -> Arrangement | None:
        """Return the newest arrangement, other than the present one, that fits best; None where none is remembered."""
        others = [each for each in reversed(self._kept) if not is_same(each.poses, now.poses)]
        return max(others, key=lambda each: each.fits(wanted), default=None)


def is_same(one: Mapping[int, DiePose], other: Mapping[int, DiePose]) -> bool:
    """Return True if the same dice lie in the same places and rotations."""
    return one.keys() == other.keys() and all(is_same_pose(one[number], other[number]) for number in one)


def is_same_pose(one: DiePose, other: DiePose) -> bool:
    moved = float(np.abs(one.centre - other.centre).max())
    turned = float(np.abs(one.rotation - other.rotation).max())
    return moved < _SAME_MM and turned < _SAME_ROTATION


def tray_place(zone: str) -> str:
    """Return the place of the tray in which a die of that zone lies: the spot is a part of the bay."""
    return str(physics.TrayPlace.ASIDE) if zone == "signal" else zone


# How the dice of the virtual tray lie once a hand has turned and carried them as wanted. Pure


BAY_MIDDLE: Final[physics.Vectors] = np.array([(physics.BAY + physics.WIDTH) / 2, 0.6 * physics.HEIGHT])


def faces_of(kind: DieKind) -> tuple[FaceName, ...]:
    """Return the faces of a die in the painter's order (+x, -x, +y, -y, +z, -z); sides 1 and 6 are opposite."""
    return tuple(kind.sides[side].name for side in (0, 5, 1, 4, 2, 3))


def wanted_poses(
    start: Arrangement, wanted: Sequence[DieLook], kinds: Mapping[int, DieKind], edge: float
) -> Mapping[int, DiePose]:
    """Return how the dice lie, by their numbers, once those that no die of `start` looks like are laid too.

    For each of these a die of its kind is turned in its place, or carried, which lies otherwise or is away; none where
    all dice of the kind are wanted as they lie. `edge` is in mm.
    """
    left, missing = dict(start.looks), list[DieLook]()
    for look in wanted:
        found = next((number for number, each in left.items() if each.is_like(look)), None)
        if found is None:
            missing.append(look)
        else:
            del left[found]
    poses, free = dict(start.poses), set(left) | (kinds.keys() - start.looks.keys())
    for look in missing:
        fitting = [number for number in sorted(free) if kinds[number].name == look.kind]
        if fitting:
            number = max(fitting, key=lambda each: _likeness(left.get(each), look))
            free.remove(number)
            others = {each: pose for each, pose in poses.items() if each != number}
            stays = number in left and look.place in ("", left[number].place)
            old = poses.get(number)
            spot = old.centre[:2] if old and stays else _free_spot(look, others, edge)
            rotation = physics.flat_rotation(_top(look, faces_of(kinds[number]), old), old.yaw if old else 0.0)
            poses[number] = DiePose(np.array([*spot, physics.centre_height(rotation, edge)]), rotation)
    return poses


def _likeness(lies: DieLook | None, wanted: DieLook) -> tuple[bool, bool, bool]:
    """Return how much a die is like the wanted one: by its face, by its place, and by lying on the table at all."""
    if lies is None:
        return False, False, False
    return lies.face == wanted.face, lies.place == wanted.place, True


def _top(wanted: DieLook, faces: Sequence[str], old: DiePose | None) -> int:
    """Return the wanted face, 0 to 5, else the one that shows already."""
    if wanted.face in faces:
        return faces.index(wanted.face)
    return old.top if old else 0


def _free_spot(wanted: DieLook, others: Mapping[int, DiePose], edge: float) -> physics.Vectors:
    wish = BAY_MIDDLE if wanted.place == physics.TrayPlace.ASIDE else physics.FIELD_MIDDLE
    return physics.free_place(wish, 0.0, physics.squares_of(others.values()), edge)
