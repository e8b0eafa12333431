"""The geometry of dice: their surface, and dice put down as they may lie: flat, leaning, stacked, none through another.

Nothing is simulated, so that each way of lying and each angle has as many dice as are wanted. z is up, and 0 on the
table; lengths are in any unit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Rng = np.random.Generator

LEAN_DEGREES = (4.0, 45.0)
EDGE_ERROR = 0.0035
"""Standard deviation of the dice's edges within a set, as a share."""
SLACK = 0.004
"""By this share of an edge two dice may seem to go through each other: their edges are round."""
TRIES = 60
SKEWED = 0.35
"""Share of leaning dice that lean over a corner rather than over an edge."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A box, or an upright cylinder where it is `round`: centre, axes as columns of `turn`, half its breadths."""

    centre: Array
    turn: Array
    half: Array
    round: bool = False

    @property
    def corners(self) -> Array:
        """Return the eight corners, (8, 3)."""
        signs = np.array(np.meshgrid((-1, 1), (-1, 1), (-1, 1))).reshape(3, -1).T
        return np.asarray(self.centre + (signs * self.half) @ self.turn.T)


@dataclass(frozen=True, eq=False)
class PlacedDie:
    """A die that lies there. touches: another die or a wall; stacked: it stands on another; hidden: another on it."""

    solid: Solid
    stacked: bool = False
    hidden: bool = False
    touches: bool = False

    @property
    def edge(self) -> float:
        return float(2 * self.solid.half[0])


@dataclass(frozen=True)
class Wanted:
    """How many groups of dice are to lie how: alone, in rows that touch, at a wall; leaning, stacked."""

    alone: int
    rows: int
    at_walls: int
    leaning: int
    stacked: int


@dataclass
class DiceTable:
    """A floor with dice: `corners` (4, 2) go round it, `kept_free` are places with the room to leave there.

    edge, roundness: of the dice, the latter in half edges. walled: True if the sides of the floor are walls.
    """

    corners: Array
    edge: float
    roundness: float
    walled: bool
    kept_free: Sequence[tuple[Array, float]]
    rng: Rng
    dice: list[PlacedDie] = field(default_factory=list)
    supports: list[Solid] = field(default_factory=list)

    def put_down(self, wanted: Wanted) -> None:
        """Put dice down as far as there is room; what needs most room is first."""
        for count, group in (
            (wanted.stacked, self._stack),
            (wanted.leaning, self._lean),
            (wanted.rows, self._row),
            (wanted.at_walls, self._at_wall),
            (wanted.alone, self._alone),
        ):
            for _ in range(count):
                self._try(group)

    def _try(self, group: Callable[[], tuple[list[PlacedDie], list[Solid]]]) -> None:
        for _ in range(TRIES):
            dice, supports = group()
            if self._has_room(dice, supports):
                self.dice += dice
                self.supports += supports
                return

    def _has_room(self, dice: Sequence[PlacedDie], supports: Sequence[Solid]) -> bool:
        fresh = [*(die.solid for die in dice), *supports]
        there = [*(die.solid for die in self.dice), *self.supports]
        if any(overlap(one, other, SLACK * self.edge) for one in fresh for other in there):
            return False
        return all(self._is_inside(die.solid) and self._is_free(die.solid) for die in dice)

    def _is_inside(self, die: Solid) -> bool:
        return all(
            ((die.corners[:, :2] - point) @ inward > -SLACK * self.edge).all() for point, inward in self._sides()
        )

    def _is_free(self, die: Solid) -> bool:
        reach = self.edge * 0.71
        return all(np.linalg.norm(die.centre[:2] - place) > reach + room for place, room in self.kept_free)

    def _sides(self) -> list[tuple[Array, Array]]:
        """Return a point of each side and its unit normal inwards."""
        middle = self.corners.mean(axis=0)
        found = []
        for k in range(4):
            along = self.corners[(k + 1) % 4] - self.corners[k]
            inward = np.array([-along[1], along[0]]) / np.linalg.norm(along)
            found.append((self.corners[k], inward if (middle - self.corners[k]) @ inward > 0 else -inward))
        return found

    def _anywhere(self) -> Array:
        across, down = self.rng.uniform(0.02, 0.98, 2)
        first, right, _, left = self.corners
        return np.asarray(first + across * (right - first) + down * (left - first))

    def _an_edge(self) -> float:
        return self.edge * float(self.rng.normal(1, EDGE_ERROR))

    def _flat(self, at: Array, yaw: float, **how: bool) -> PlacedDie:
        edge = self._an_edge()
        return PlacedDie(cube(np.array([*at, edge / 2]), turned(yaw) @ self._any_side_up(), edge), **how)

    def _any_side_up(self) -> Array:
        return SIDES_UP[int(self.rng.integers(6))]

    def _yaw(self) -> float:
        return float(self.rng.uniform(0, 2 * np.pi))

    def _alone(self) -> tuple[list[PlacedDie], list[Solid]]:
        return [self._flat(self._anywhere(), self._yaw())], []

    def _row(self) -> tuple[list[PlacedDie], list[Solid]]:
        """Return two to four dice that touch, in a row or as a square."""
        at, yaw, count = self._anywhere(), self._yaw(), int(self.rng.choice((2, 2, 3, 4)))
        along, across = turned(yaw)[:2, 0], turned(yaw)[:2, 1]
        if count == 4 and self.rng.random() < 0.5:
            places = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
        else:
            places = [(float(n), float(self.rng.uniform(-0.35, 0.35)) if n else 0.0) for n in range(count)]
        gap = self.edge * float(self.rng.uniform(1.012, 1.06))
        return [self._flat(at + gap * (a * along + b * across), yaw, touches=True) for a, b in places], []

    def _at_wall(self) -> tuple[list[PlacedDie], list[Solid]]:
        if not self.walled:
            return self._alone()
        point, inward = self._beside_wall()
        at = point + inward * self.edge * float(self.rng.uniform(0.51, 0.53))
        return [self._flat(at, float(np.arctan2(inward[1], inward[0])), touches=True)], []

    def _beside_wall(self) -> tuple[Array, Array]:
        k = int(self.rng.integers(4))
        point, inward = self._sides()[k]
        return point + float(self.rng.uniform(0.1, 0.9)) * (self.corners[(k + 1) % 4] - point), inward

    def _stack(self) -> tuple[list[PlacedDie], list[Solid]]:
        """Return a die on another or, one time in four, on two that touch."""
        at, yaw = self._anywhere(), self._yaw()
        if self.rng.random() < 0.25:
            side = turned(yaw)[:2, 0] * self.edge * 0.506
            lower = [self._flat(at + sign * side, yaw, hidden=True) for sign in (-1, 1)]
            aside = self.rng.normal(0, 0.15, 2)
        else:
            lower = [self._flat(at, yaw, hidden=True)]
            aside = np.clip(self.rng.normal(0, 0.18, 2), -0.42, 0.42)
        upper = self._flat(at + aside * self.edge, yaw if self.rng.random() < 0.3 else self._yaw(), stacked=True)
        top = max(2 * float(die.solid.half[2]) for die in lower)
        return [replace(upper, solid=raised(upper.solid, top)), *lower], []

    def _lean(self) -> tuple[list[PlacedDie], list[Solid]]:
        """Return a die that leans, and what it leans on."""
        degrees = float(np.exp(self.rng.uniform(*np.log(LEAN_DEGREES))))
        prop = str(self.rng.choice(["nothing", "die", "wall", "card", "coin"], p=[0.15, 0.35, 0.15, 0.2, 0.15]))
        if prop == "wall" and self.walled:
            point, inward = self._beside_wall()
            die = self._leaning(point, float(np.arctan2(-inward[1], -inward[0])), degrees)
            reach = float(((die.corners[:, :2] - point) @ -inward).max())
            return [PlacedDie(_moved(die, inward * reach), touches=True)], []
        yaw = self._yaw()
        die = self._leaning(self._anywhere(), yaw, degrees)
        if prop == "die":
            return [PlacedDie(die, touches=True), self._against(die, yaw)], []
        return [PlacedDie(die)], [self._slipped_under(die, yaw, degrees, prop)] if prop in ("card", "coin") else []

    def _leaning(self, at: Array, yaw: float, degrees: float) -> Solid:
        """Return a die whose side in the direction `yaw` is raised."""
        edge, skew = self._an_edge(), 0.0
        if self.rng.random() < SKEWED:
            skew = float(self.rng.uniform(-np.pi / 4, np.pi / 4))
        lean = rotation(np.array([np.sin(yaw), -np.cos(yaw), 0.0]), np.radians(degrees))
        turn = lean @ turned(yaw + skew) @ self._any_side_up()
        height = edge / 2 * ((1 - self.roundness) * np.abs(turn[2]).sum() + self.roundness)
        return cube(np.array([*at, height]), turn, edge)

    def _against(self, die: Solid, yaw: float) -> PlacedDie:
        """Return a flat die that a leaning one rests on: as near to it as it can lie."""
        toward = np.array([np.cos(yaw), np.sin(yaw)])
        aside = np.array([-toward[1], toward[0]]) * float(self.rng.uniform(-0.3, 0.3)) * self.edge
        other = self._flat(die.centre[:2] + aside, yaw + float(self.rng.normal(0, 0.15)), touches=True)
        near, far = 0.3 * self.edge, 2.0 * self.edge
        for _ in range(14):
            middle = (near + far) / 2
            inside = overlap(_moved(other.solid, middle * toward), die, SLACK * self.edge)
            near, far = (middle, far) if inside else (near, middle)
        return replace(other, solid=_moved(other.solid, far * toward))

    def _slipped_under(self, die: Solid, yaw: float, degrees: float, prop: str) -> Solid:
        """Return a card or a coin that holds up the raised side."""
        toward, slope = np.array([np.cos(yaw), np.sin(yaw)]), float(np.tan(np.radians(degrees)))
        lowest = die.corners[np.argmin(die.corners[:, 2])]
        thick = float(self.rng.uniform(0.3, 0.85)) * self.edge * float(np.sin(np.radians(degrees)))
        long, wide = self.edge * self.rng.uniform(0.4, 1.5, 2)
        half = np.array([long, long if prop == "coin" else wide, thick]) / 2
        at = lowest[:2] + toward * (thick / slope + half[0])
        return Solid(np.array([*at, half[2]]), turned(yaw), half, round=prop == "coin")


def cube(centre: Array, turn: Array, edge: float) -> Solid:
    return Solid(centre, turn, np.full(3, edge / 2))


def raised(solid: Solid, height: float) -> Solid:
    return replace(solid, centre=solid.centre + np.array([0, 0, height]))


def _moved(solid: Solid, step: Array) -> Solid:
    return replace(solid, centre=solid.centre + np.array([*step, 0.0]))


def turned(angle: float) -> Array:
    """Return the rotation (3, 3) by an angle in radians about the vertical."""
    return rotation(np.array([0.0, 0.0, 1.0]), angle)


def rotation(axis: Array, angle: float) -> Array:
    """Return the rotation (3, 3) about a unit axis by an angle in radians, by Rodrigues' formula."""
    x, y, z = axis
    cross = np.array([(0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


SIDES_UP: tuple[Array, ...] = (
    *(rotation(np.array([1.0, 0.0, 0.0]), quarter * np.pi / 2) for quarter in range(4)),
    *(rotation(np.array([0.0, 1.0, 0.0]), quarter * np.pi / 2) for quarter in (1, 3)),
)
"""Rotations that bring each side up."""


def overlap(one: Solid, other: Solid, slack: float = 0.0) -> bool:
    """True if two boxes go through each other by more than `slack`: separating axis theorem (Gottschalk 1996)."""
    if np.linalg.norm(one.centre - other.centre) > np.linalg.norm(one.half) + np.linalg.norm(other.half):
        return False
    crossed = np.cross(one.turn.T[:, None], other.turn.T[None]).reshape(-1, 3)
    lengths = np.linalg.norm(crossed, axis=1)
    axes = np.concatenate([one.turn.T, other.turn.T, crossed[lengths > 1e-6] / lengths[lengths > 1e-6, None]])
    apart = np.abs(axes @ (one.centre - other.centre))
    reach = sum(np.abs(axes @ solid.turn) @ solid.half for solid in (one, other))
    return bool((apart < reach - slack).all())


def blocked(eye: Array, points: Array, solids: Sequence[Solid]) -> npt.NDArray[np.bool_]:
    """Return for each point (n, 3) whether a solid stands between it and the eye."""
    hidden = np.zeros(len(points), bool)
    for solid in solids:
        start, ends = solid.turn.T @ (eye - solid.centre), (points - solid.centre) @ solid.turn
        way = ends - start
        with np.errstate(divide="ignore", invalid="ignore"):
            first, last = (-solid.half - start) / way, (solid.half - start) / way
        enters = np.nanmax(np.minimum(first, last), axis=1)
        leaves = np.nanmin(np.maximum(first, last), axis=1)
        hidden |= (enters < leaves) & (leaves > 0) & (enters < 1 - 1e-3)
    return hidden


@dataclass(frozen=True)
class TrueDie:
    """The ground truth of one die in a picture. Its fields are the keys of `truth-*.jsonl`.

    face: the reader's class; drawing: name of the drawing; x, y, edge: centre and edge of the top face in pixels;
    turned_degrees: clockwise rotation, 0 to 90; posture: value of a `Posture`; clear: False if the die is cut off,
    hidden or so tilted that no face is on top; kind: its kind in the game's die set, '' for none.
    """

    face: str
    drawing: str
    x: float
    y: float
    edge: float
    turned_degrees: float
    posture: str
    clear: bool
    kind: str = ""


ROUND = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""The corners of a square, in turn."""


def square_of(corners: Array) -> tuple[float, float, float, float]:
    """Return centre, mean edge and clockwise rotation (0 to 90 degrees) of a top face by its corners (4, 2) in turn."""
    (x, y), edges = corners.mean(axis=0), np.roll(corners, -1, 0) - corners
    turned = float(np.degrees(np.arctan2(edges[0, 1], edges[0, 0])) % 90)
    return float(x), float(y), float(np.linalg.norm(edges, axis=1).mean()), turned


@dataclass(frozen=True)
class RenderedPicture:
    """A picture (uint8, (height, width, 3), BGR) with its ground truth; `game` names the die set, '' for a mixture."""

    pixels: npt.NDArray[np.uint8]
    dice: tuple[TrueDie, ...]
    game: str = ""


# The surface of a die: a cube of edge 2 with rounded edges, its corners cut by a sphere, its drawings engraved


SIDES: tuple[tuple[int, int], ...] = ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1))
"""Axis and sign of each face's normal, in the order of the texture atlas."""
EDGE_STEPS = 5
NO_SPHERE = 2.0
"""Radius of a sphere that cuts no corner, in half edges."""


@dataclass(frozen=True, eq=False)
class DieSurface:
    """Vertices (n, 3) of a cube of edge 2, their places in the texture atlas (n, 2), and quads of vertices (m, 4)."""

    vertices: Array
    places: Array
    quads: npt.NDArray[np.int32]


def face_axes(k: int) -> tuple[Array, Array, Array]:
    """Return the outward normal and the right and up unit vectors of face k, such that its drawing is not mirrored."""
    axis, sign = SIDES[k]
    normal, right = np.zeros(3), np.zeros(3)
    normal[axis], right[(axis + 1) % 3] = sign, 1
    return normal, right, np.cross(normal, right)


def top_side(turn: Array) -> int:
    """Return which face is up of a die with that rotation (3, 3)."""
    return int(np.argmax([turn[2] @ face_axes(k)[0] for k in range(len(SIDES))]))


def die_surface(roundness: float, inner: int = 0, sphere: float = NO_SPHERE) -> DieSurface:
    """Return the surface of a die.

    roundness: radius of its edges in half edges, of EDGE_STEPS points. inner: points between, for cut corners and
    engraving. sphere: radius of the sphere that cuts its corners, in half edges.
    """
    flat = np.linspace(roundness - 1, 1 - roundness, inner + 2)[1:-1]
    grid = np.concatenate([np.linspace(-1, roundness - 1, EDGE_STEPS), flat, np.linspace(1 - roundness, 1, EDGE_STEPS)])
    u, v = (axis.ravel() for axis in np.meshgrid(grid, grid, indexing="ij"))
    sides = [_side(k, u, v, roundness) for k in range(6)]
    vertices = np.concatenate([side[0] for side in sides])
    vertices *= np.minimum(1, sphere / np.linalg.norm(vertices, axis=1, keepdims=True))
    return DieSurface(
        vertices, np.concatenate([side[1] for side in sides]), np.concatenate([_quads(k, len(grid)) for k in range(6)])
    )


def engraved(surface: DieSurface, relief: npt.NDArray[np.float32], depth: float) -> DieSurface:
    """Return a surface with the relief of its atlas (0 to 1) pressed in by up to `depth` half edges."""
    high, wide = relief.shape
    x, y = surface.places[:, 0] * wide - 0.5, (1 - surface.places[:, 1]) * high - 0.5
    pressed = cv2.remap(relief, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)[:, 0]
    normals = np.repeat([face_axes(k)[0] for k in range(6)], len(surface.vertices) // 6, axis=0)
    return DieSurface(surface.vertices - depth * pressed[:, None] * normals, surface.places, surface.quads)


def _side(k: int, u: Array, v: Array, roundness: float) -> tuple[Array, Array]:
    normal, right, up = face_axes(k)
    points = normal + u[:, None] * right + v[:, None] * up
    core = np.clip(points, roundness - 1, 1 - roundness)
    outward = points - core
    rounded = core + roundness * outward / np.linalg.norm(outward, axis=1, keepdims=True)
    place = np.stack([(k % 3 + (u + 1) / 2) / 3, (k // 3 + (v + 1) / 2) / 2], axis=1)
    return rounded, place


def _quads(k: int, count: int) -> npt.NDArray[np.int32]:
    i, j = np.meshgrid(np.arange(count - 1), np.arange(count - 1), indexing="ij")
    first = (k * count * count + i * count + j).ravel()
    return np.stack([first, first + count, first + count + 1, first + 1], axis=1).astype(np.int32)
