"""How dice fly, tumble, push each other and come to rest in the virtual tray."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

# The plan of the virtual table in millimetres: the origin is the centre of marker 0, x to the right, y down, z up
#
# An octagonal tray of felt lies on a wooden board; the board's corners carry the markers. A low fence runs round the
# felt and a thin lath divides the bay from the field.


Vectors = npt.NDArray[np.float64]

WIDTH, HEIGHT = 300.0, 225.0
"""The rectangle from marker centre to marker centre."""
MARKER = 20.0
QUIET = 3.0
"""The white border of a marker."""
UPRIGHT_MARGIN = 12.0
"""How far the picture from straight above shows the table beyond that rectangle (`vision.rectification`)."""
BAY = 0.8 * WIDTH
"""The x at which the bay begins; its top square is the signal spot."""
SPOT = BAY + 26.0, 34.0
"""The middle of the printed ring on the signal spot."""
LATH_WIDTH, LATH_HEIGHT = 2.4, 3.0

_LEDGE = 3.0
"""How far the felt goes beyond the rectangle: a die against the fence still lies inside the rectangle."""
_CUT = 47.0
"""Leg of the corners that are cut off, which leaves room for the markers behind the fence."""
FENCE_WIDTH, FENCE_HEIGHT = 7.0, 10.0
BOARD = (-15.0, -15.0, WIDTH + 15.0, HEIGHT + 15.0)
"""Left, top, right and bottom of the wooden board."""
FIELD_MIDDLE: Vectors = np.array([BAY / 2, HEIGHT / 2])


class TrayPlace(StrEnum):
    """Where a die lies, in the words of the tray's page: a die that is `out` can be seen, one that is `off` cannot."""

    FIELD = "field"
    ASIDE = "aside"
    OUT = "out"
    OFF = "off"


def octagon(widened: float = 0.0) -> Vectors:
    """Return the felt's corners, clockwise from the left end of the top side (8 x 2), with each side moved outwards."""
    low, right, bottom = -_LEDGE - widened, WIDTH + _LEDGE + widened, HEIGHT + _LEDGE + widened
    cut = _CUT + widened * (2 - 2**0.5)
    corners = [(low + cut, low), (right - cut, low), (right, low + cut), (right, bottom - cut)]
    corners += [(right - cut, bottom), (low + cut, bottom), (low, bottom - cut), (low, low + cut)]
    return np.array(corners, np.float64)


def walls() -> tuple[Vectors, Vectors]:
    """Return the sides of the felt: inward unit normals (8 x 2), and offsets (8) with `normal @ point >= offset`."""
    corners = octagon()
    along = np.roll(corners, -1, axis=0) - corners
    normals = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    return normals, np.asarray((normals * corners).sum(axis=1))


def field_walls() -> tuple[Vectors, Vectors]:
    """Return the sides of the field alone, as `walls` does: the lath closes it on the right."""
    normals, offsets = walls()
    return np.vstack([normals, [-1.0, 0.0]]), np.append(offsets, -(BAY - LATH_WIDTH / 2))


def place_of(x: float, y: float) -> TrayPlace:
    """Return the place of a point in view: field or aside inside the rectangle, out beyond it."""
    if not (0 <= x <= WIDTH and 0 <= y <= HEIGHT):
        return TrayPlace.OUT
    return TrayPlace.FIELD if x < BAY else TrayPlace.ASIDE


def on_felt(point: Vectors, reach: float) -> bool:
    """Return True if a die of that reach (half its breadth) lies wholly inside the fence, and not across the lath."""
    normals, offsets = walls()
    return bool((normals @ point - offsets >= reach).all()) and abs(point[0] - BAY) >= reach + LATH_WIDTH / 2


def off_tray(point: Vectors, reach: float) -> bool:
    """Return True if a die of that reach lies wholly outside the fence, on the board or the table, and on no marker."""
    normals, offsets = walls()
    clear = np.abs(marker_centres() - point).max(axis=1).min() >= MARKER / 2 + QUIET + reach
    return bool(clear and (normals @ point - offsets).min() <= -(FENCE_WIDTH + reach))


def marker_picture(number: int) -> npt.NDArray[np.uint8]:
    """Return marker `number` (0 to 3 clockwise from the top left), black on white, one pixel a cell (6 x 6)."""
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return np.asarray(cv2.aruco.generateImageMarker(words, number, 6), np.uint8)


def marker_centres() -> Vectors:
    """Return the centres of the markers in the order of their numbers (4 x 2)."""
    return np.array([(0.0, 0.0), (WIDTH, 0.0), (WIDTH, HEIGHT), (0.0, HEIGHT)])


def unit(vector: Vectors) -> Vectors:
    """Return a vector of length 1 in the same direction."""
    return np.asarray(vector / np.linalg.norm(vector))


# Poses of a die and its trajectories: how it lies, and how it moves as a clock plays
#
# Millimetres in the table's frame (x to the right, y down, z up). A rotation is a 3 x 3 matrix from the die's own
# axes to the table's.


STEPS_A_SECOND = 120
"""Poses a second in a trajectory."""

_UP: Vectors = np.array([0.0, 0.0, 1.0])
FACE_AXES: Vectors = np.array([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], np.float64)
"""The outward normals of the six faces in the die's own axes, in the order in which its faces are kept."""
_NEXT = {0: 2, 2: 4, 4: 1, 1: 3, 3: 5, 5: 0}
"""A round of the faces in which each is a neighbour of the one before."""


@dataclass(frozen=True, eq=False)
class DiePose:
    """How a die lies: the centre of its body (mm) and its rotation."""

    centre: Vectors
    rotation: Vectors

    @property
    def top(self) -> int:
        """Return the face, 0 to 5, that points up most."""
        return int(np.argmax(FACE_AXES @ self.rotation[2]))

    @property
    def yaw(self) -> float:
        """Return how the die's square on the table is turned, in radians; a quarter turn changes nothing."""
        side = self.rotation @ FACE_AXES[(self.top + 2) % 6]
        return float(np.arctan2(side[1], side[0]))

    @property
    def flat(self) -> bool:
        """True if a face points straight up."""
        return bool(abs(self.rotation[2]).max() > 0.999)

    @property
    def tip_vector(self) -> Vectors:
        """Return the quarter turn about an edge that brings the next face of a round up, as axis times radians.

        Six of them, one after the other, show all six faces and come back to the first.
        """
        return np.asarray(np.pi / 2 * np.cross(self.upright.rotation @ FACE_AXES[_NEXT[self.top]], _UP))

    @property
    def upright(self) -> DiePose:
        """Return the same die set flat in its place, with the face up that points up most."""
        reach = centre_height(self.rotation, 1.0)
        centre = np.array([*self.centre[:2], self.centre[2] / reach * 0.5])
        return DiePose(centre, flat_rotation(self.top, self.yaw))


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A movement: centres (T x 3) and rotations (T x 3 x 3), `STEPS_A_SECOND` of them a second."""

    centres: Vectors
    rotations: Vectors

    @property
    def seconds(self) -> float:
        """Return how long the movement takes."""
        return (len(self.centres) - 1) / STEPS_A_SECOND

    @property
    def end(self) -> DiePose:
        return DiePose(self.centres[-1], self.rotations[-1])

    def at(self, seconds: float) -> DiePose:
        """Return the pose that many seconds after the start; the last one from the end on."""
        step = min(max(round(seconds * STEPS_A_SECOND), 0), len(self.centres) - 1)
        return DiePose(self.centres[step], self.rotations[step])

    def part(self, start: float, end: float) -> Trajectory:
        """Return the movement from one moment (seconds after its start) to another; after its end it stays there."""
        first, last = round(start * STEPS_A_SECOND), round(end * STEPS_A_SECOND)
        steps = np.clip(np.arange(first, max(last, first + 1)), 0, len(self.centres) - 1)
        return Trajectory(self.centres[steps], self.rotations[steps])

    def then(self, other: Trajectory) -> Trajectory:
        centres = np.concatenate([self.centres, other.centres])
        return Trajectory(centres, np.concatenate([self.rotations, other.rotations]))


def rotation_about(axis: Vectors, angle: float) -> Vectors:
    """Return the rotation about a unit axis by an angle in radians (Rodrigues' formula)."""
    x, y, z = axis
    cross = np.array([(0, -z, y), (z, 0, -x), (-y, x, 0)])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross))


def flat_rotation(face: int, yaw: float) -> Vectors:
    """Return the rotation with that face up and the square on the table turned by `yaw` radians."""
    up = FACE_AXES[face]
    side = FACE_AXES[(face + 2) % 6]
    own = np.stack([side, np.cross(up, side), up])
    return np.asarray(rotation_about(_UP, yaw) @ own)


def leaning_rotation(face: int, toward: Vectors, angle: float) -> Vectors:
    """Return the rotation of a die propped up by `angle` radians on the side that points `toward` (unit x and y)."""
    yaw = float(np.arctan2(toward[1], toward[0]))
    axis = np.array([toward[1], -toward[0], 0.0])
    return np.asarray(rotation_about(axis, angle) @ flat_rotation(face, yaw))


def centre_height(rotation: Vectors, edge: float) -> float:
    """Return the height of the centre of a die of that rotation when its lowest corner touches the ground."""
    return float(edge / 2 * np.abs(rotation[2]).sum())


def hold(count: int, pose: DiePose) -> Trajectory:
    """Return a trajectory that stays for that many steps."""
    return Trajectory(np.repeat(pose.centre[None], count, axis=0), np.repeat(pose.rotation[None], count, axis=0))


def carry(start: DiePose, end: DiePose, seconds: float, lift: float) -> Trajectory:
    """Return how a die is lifted by `lift` mm, carried and put down, turning only about the vertical."""
    share = eased(np.linspace(0.0, 1.0, max(2, round(seconds * STEPS_A_SECOND))))
    centres = start.centre + share[:, None] * (end.centre - start.centre)
    centres[:, 2] += lift * np.sin(np.pi * share) ** 0.5
    swing = (end.yaw - start.yaw + np.pi / 4) % (np.pi / 2) - np.pi / 4
    # Worked out backwards from the end, so that a cocked die is flat as it leaves the table and ends exactly as asked.
    rotations = np.stack([rotation_about(_UP, (left - 1) * swing) @ end.rotation for left in share])
    return Trajectory(centres, rotations)


def turn_in_hand(start: DiePose, centre: Vectors, turn: Vectors, seconds: float, lift: float) -> Trajectory:
    """Return how a die is lifted by `lift` mm, turned and put down at `centre`; `turn` is an axis times radians.

    A die that leans is set flat as it is taken.
    """
    share = eased(np.linspace(0.0, 1.0, max(2, round(seconds * STEPS_A_SECOND))))
    centres = start.centre + share[:, None] * (centre - start.centre)
    centres[:, 2] += lift * np.sin(np.pi * share) ** 0.5
    angle, taken = float(np.linalg.norm(turn)), start.upright.rotation
    axis = turn / angle if angle else _UP
    return Trajectory(centres, np.stack([rotation_about(axis, part * angle) @ taken for part in share]))


def carry_turning(start: DiePose, end: DiePose, seconds: float, lift: float) -> Trajectory:
    """Return how a die is lifted by `lift` mm and carried, and turned from one rotation to another on the way."""
    share = eased(np.linspace(0.0, 1.0, max(2, round(seconds * STEPS_A_SECOND))))
    centres = start.centre + share[:, None] * (end.centre - start.centre)
    centres[:, 2] += lift * np.sin(np.pi * share) ** 0.5
    taken = start.upright.rotation
    turn = np.asarray(cv2.Rodrigues(end.rotation @ taken.T)[0], np.float64).ravel()
    angle = float(np.linalg.norm(turn))
    axis = turn / angle if angle else _UP
    # Turned only while it is lifted, and put down as it is to lie.
    parts = np.clip((share - 0.15) / 0.7, 0.0, 1.0)
    return Trajectory(centres, np.stack([rotation_about(axis, (part - 1) * angle) @ end.rotation for part in parts]))


def spin_backwards(centres: Vectors, end: Vectors, spins: Vectors) -> Trajectory:
    """Return the trajectory of a die that spins (T x 3, radians a second, table's axes) and ends at a rotation.

    The rotations are integrated backwards in time from the end.
    """
    rotations = np.empty((len(centres), 3, 3))
    rotations[-1] = end
    for step in range(len(centres) - 2, -1, -1):
        speed = float(np.linalg.norm(spins[step]))
        back = rotation_about(spins[step] / speed, -speed / STEPS_A_SECOND) if speed else np.eye(3)
        rotations[step] = back @ rotations[step + 1]
    return Trajectory(centres, rotations)


def rolling_spins(velocities: Vectors, edge: float) -> Vectors:
    """Return the spins (T x 3, radians a second) of a die that rolls along velocities (T x 2) without slipping much."""
    spins = np.zeros((len(velocities), 3))
    spins[:, 0], spins[:, 1] = -velocities[:, 1], velocities[:, 0]
    speeds = np.linalg.norm(velocities, axis=1, keepdims=True)
    return np.asarray(spins / (0.6 * edge) * np.minimum(1.0, 350.0 / np.maximum(speeds, 1.0)))


def lift_to_ground(trajectory: Trajectory, edge: float) -> Trajectory:
    """Return the trajectory with heights counted from the lowest corner changed into heights of the centre."""
    lift = edge / 2 * np.abs(trajectory.rotations[:, 2]).sum(axis=1)
    return Trajectory(trajectory.centres + lift[:, None] * _UP, trajectory.rotations)


def eased(share: Vectors) -> Vectors:
    """Return a share of time as a share of the way that starts and ends slowly (smoothstep)."""
    return np.asarray(share * share * (3 - 2 * share))


# Overlap of squares: how deep two dice, or a die and the walls, run into each other
#
# A die on the table is a square of side `edge` about a centre, turned by a yaw in radians; all lengths in
# millimetres.


Pairs = npt.NDArray[np.intp]
"""Pairs of indices (P x 2)."""
Squares = tuple[Vectors, Vectors]
"""Centres (N x 2) and yaws (N) of squares."""


def extents(directions: Vectors, yaws: Vectors, edge: float) -> Vectors:
    """Return how far squares of these yaws (N) extend from their centres along unit directions (K x 2): N x K."""
    angle = np.arctan2(directions[:, 1], directions[:, 0])[None, :] - yaws[:, None]
    return np.asarray(edge / 2 * (np.abs(np.cos(angle)) + np.abs(np.sin(angle))))


def depths(centres: Vectors, yaws: Vectors, edge: float, pairs: Pairs) -> tuple[Vectors, Vectors]:
    """Return, for each pair, the smallest move that parts it (separating axis theorem).

    That is its unit direction (P x 2), from the first square to the second, and its length: how deep they overlap
    (P; negative when they are apart).
    """
    first, second = pairs[:, 0], pairs[:, 1]
    apart = centres[second] - centres[first]
    angles = np.stack([yaws[first], yaws[first] + np.pi / 2, yaws[second], yaws[second] + np.pi / 2], axis=1)
    axes = np.stack([np.cos(angles), np.sin(angles)], axis=2)
    distances = np.einsum("pkc,pc->pk", axes, apart)
    between = np.abs(np.cos(yaws[first] - yaws[second])) + np.abs(np.sin(yaws[first] - yaws[second]))
    overlaps = edge / 2 * (1 + between)[:, None] - np.abs(distances)
    best = overlaps.argmin(axis=1)
    rows = np.arange(len(pairs))
    sign = np.where(distances[rows, best] < 0, -1.0, 1.0)
    return axes[rows, best] * sign[:, None], overlaps[rows, best]


@cache
def all_pairs(count: int) -> Pairs:
    return np.array([(one, other) for one in range(count) for other in range(one + 1, count)], np.intp).reshape(-1, 2)


def is_free(centre: Vectors, yaw: float, others: Squares, edge: float) -> bool:
    """Return True if a square there would clear all the others."""
    if not len(others[0]):
        return True
    centres, yaws = np.vstack([centre[None], others[0]]), np.append(yaw, others[1])
    pairs = np.stack([np.zeros(len(others[0]), np.intp), np.arange(1, len(centres))], axis=1)
    return bool((depths(centres, yaws, edge, pairs)[1] <= 0).all())


# The simulation of a throw on the plan: squares that slide, hop and collide, forwards in time
#
# Afterwards each die is spun backwards in time from the face that chance has chosen, as a die rolling along that way
# would spin: the end is fair by construction, and the tumbling leads to it.


GRAVITY = 9810.0
"""Millimetres a second squared."""
RELEASE_MM = 118.0
"""How far before the middle of the field a hand lets go: above the near wall."""
FELT_BOUNCE, WOOD_BOUNCE, DIE_BOUNCE = 0.42, 0.62, 0.4
"""The share of its speed that a die keeps when it bounces off each."""
ROLLING_FRICTION, SLIDING_FRICTION = 480.0, 3200.0
"""Millimetres a second squared."""
TOPPLES_BELOW = 120.0
"""Millimetres a second: a slower die no longer rolls over its edge but lies flat and slides."""
LYING_WEIGHT = 12.0
"""How many times its weight a lying die has in a collision: it grips the felt, and a flying one does not."""
LONGEST_SECONDS = 2.2
"""Dice that are still moving then are stopped."""
SETTLING_ROUNDS = 400
"""The most rounds in which dice that overlap at the end are moved apart."""

_STEP = 1.0 / STEPS_A_SECOND


@dataclass
class _DieStates:
    """The state of all dice at one step, one row each: lengths in mm, times in seconds, angles in radians.

    heights: of the lowest corner above the felt. climbs: upward speeds. friction: of each while it rolls. rolls: True
    for those that still roll. weights: infinite for those that cannot be moved.
    """

    places: Vectors
    speeds: Vectors
    yaws: Vectors
    spins: Vectors
    heights: Vectors
    climbs: Vectors
    friction: Vectors
    rolls: npt.NDArray[np.bool_]
    weights: Vectors

    @property
    def any_moves(self) -> bool:
        return bool(self.rolls.any() or np.abs(self.speeds).max(initial=0.0) > 0)


@dataclass
class _Tracks:
    """The places, heights, rolling speeds and spins of all dice at each step so far."""

    places: list[Vectors] = field(default_factory=list)
    heights: list[Vectors] = field(default_factory=list)
    speeds: list[Vectors] = field(default_factory=list)
    spins: list[Vectors] = field(default_factory=list)

    def add(self, bodies: _DieStates) -> None:
        self.places.append(bodies.places.copy())
        self.heights.append(bodies.heights.copy())
        self.speeds.append(np.where(bodies.rolls[:, None], bodies.speeds, 0.0))
        self.spins.append(bodies.spins.copy())

    def spread(self, move: Vectors, steps: int) -> None:
        """Add a small move (N x 2) to the places, growing over the last steps."""
        last = min(len(self.places), steps)
        for step in range(last):
            self.places[len(self.places) - last + step] += move * (step + 1) / last


@dataclass(frozen=True, eq=False)
class Launch:
    """Where a throw goes (a unit vector on the plan), and how long the edge of its dice is (mm)."""

    direction: Vectors
    edge: float

    def place(self, index: int, count: int, rng: np.random.Generator) -> Vectors:
        """Return a place in the loose heap in the hand from which a throw is launched."""
        across = np.array([-self.direction[1], self.direction[0]])
        row, column = divmod(index, 4)
        columns = min(4, count - 4 * row)
        offset = (column - (columns - 1) / 2) * 1.7 * self.edge
        back = self.direction * (RELEASE_MM + 1.7 * self.edge * row)
        return np.asarray(FIELD_MIDDLE - back + across * offset + rng.normal(0, 0.08 * self.edge, 2))


class ThrowSimulation:
    """A throw from the launch until all dice lie still and apart."""

    def __init__(
        self, thrown: Sequence[int], lying: dict[int, DiePose], launch: Launch, rng: np.random.Generator
    ) -> None:
        self._numbers = [*thrown, *lying]
        self._edge = launch.edge
        self._rng = rng
        self._thrown = np.arange(len(self._numbers)) < len(thrown)
        self._lying = list(lying.values())
        self._pairs = all_pairs(len(self._numbers))
        self._walls = field_walls()
        self._bodies = self._launch(len(thrown), launch)
        self._start_places = self._bodies.places.copy()

    def run(self) -> dict[int, Trajectory]:
        """Return the trajectories of the thrown dice and of those that were pushed."""
        tracks = _Tracks()
        while self._bodies.any_moves and len(tracks.places) < LONGEST_SECONDS * STEPS_A_SECOND:
            self._advance()
            tracks.add(self._bodies)
        self._settle(tracks)
        rows = [np.array(each) for each in (tracks.places, tracks.heights, tracks.speeds, tracks.spins)]
        return {
            number: self._trajectory(index, *(row[:, index] for row in rows))
            for index, number in enumerate(self._numbers)
            if self._was_moved(index)
        }

    def _launch(self, count: int, launch: Launch) -> _DieStates:
        total, rng, thrown = len(self._numbers), self._rng, self._thrown
        bodies = _DieStates(
            places=np.zeros((total, 2)),
            speeds=np.zeros((total, 2)),
            yaws=rng.uniform(0, np.pi / 2, total),
            spins=np.where(thrown, rng.normal(0, 7.0, total), 0.0),
            heights=np.where(thrown, rng.uniform(45, 70, total), 0.0),
            climbs=np.where(thrown, rng.uniform(-100, 200, total), 0.0),
            friction=ROLLING_FRICTION * rng.uniform(0.8, 1.25, total),
            rolls=thrown.copy(),
            weights=np.array([1.0] * count + [self._weight(pose) for pose in self._lying]),
        )
        power = rng.uniform(480, 780)
        for index in range(count):
            bodies.places[index] = launch.place(index, count, rng)
            aim = FIELD_MIDDLE + rng.normal(0, 25, 2) - bodies.places[index]
            bodies.speeds[index] = unit(aim) * power * rng.uniform(0.85, 1.2)
        for index, pose in enumerate(self._lying, count):
            bodies.places[index], bodies.yaws[index] = pose.centre[:2], pose.yaw
        return bodies

    def _weight(self, pose: DiePose) -> float:
        """Return the weight of a lying die. One in the bay, off the tray or askew is held by the lath or its prop."""
        can_move = pose.flat and on_felt(pose.centre[:2], self._edge / 2) and pose.centre[0] < BAY
        return LYING_WEIGHT if can_move else np.inf

    def _advance(self) -> None:
        bodies = self._bodies
        self._fly()
        self._slow_down()
        bodies.places += bodies.speeds * _STEP
        bodies.yaws += bodies.spins * _STEP
        self._hit_walls(self._edge)
        self._hit_each_other(self._edge)

    def _fly(self) -> None:
        bodies = self._bodies
        bodies.climbs -= GRAVITY * _STEP
        bodies.heights += bodies.climbs * _STEP
        landed = bodies.heights <= 0
        bodies.heights[landed] = 0.0
        struck = landed & (bodies.climbs < -150)
        bodies.climbs[landed] = np.where(struck[landed], -FELT_BOUNCE * bodies.climbs[landed], 0.0)
        bodies.speeds[struck] *= 0.88
        bodies.speeds[struck] += self._rng.normal(0, 40, (int(struck.sum()), 2))

    def _slow_down(self) -> None:
        bodies = self._bodies
        pace = np.linalg.norm(bodies.speeds, axis=1)
        bodies.rolls &= (pace > TOPPLES_BELOW) | (bodies.heights > 0)
        on_felt_loss = np.where(bodies.rolls, bodies.friction, SLIDING_FRICTION)
        loss = np.where(bodies.heights > 0, 0.0, on_felt_loss) * _STEP
        bodies.speeds *= np.where(pace > loss, 1 - loss / np.maximum(pace, 1e-9), 0.0)[:, None]
        bodies.spins *= np.where(bodies.rolls, 0.995, 0.75)

    def _hit_walls(self, edge: float) -> None:
        bodies = self._bodies
        normals, offsets = self._walls
        room = bodies.places @ normals.T - offsets - extents(normals, bodies.yaws, edge)
        inward = bodies.speeds @ normals.T
        for index, wall in np.argwhere((room < 0) & (inward <= 0) & np.isfinite(bodies.weights)[:, None]):
            bodies.places[index] -= normals[wall] * room[index, wall]
            bodies.speeds[index] -= normals[wall] * inward[index, wall] * (1 + WOOD_BOUNCE)
            bodies.spins[index] += self._rng.normal(0, 3.0) * bool(inward[index, wall] < -50)

    def _hit_each_other(self, edge: float) -> None:
        bodies = self._bodies
        directions, depth = depths(bodies.places, bodies.yaws, edge, self._pairs)
        for pair in np.flatnonzero(depth > 0):
            one, other = self._pairs[pair]
            if abs(bodies.heights[one] - bodies.heights[other]) < edge:
                self._push_apart(one, other, directions[pair], float(depth[pair]))

    def _push_apart(self, one: int, other: int, direction: Vectors, depth: float) -> None:
        bodies = self._bodies
        shares = 1 / bodies.weights[one], 1 / bodies.weights[other]
        total = sum(shares)
        if total == 0:
            return
        bodies.places[one] -= direction * depth * shares[0] / total
        bodies.places[other] += direction * depth * shares[1] / total
        closing = float((bodies.speeds[one] - bodies.speeds[other]) @ direction)
        if closing > 0:
            push = direction * closing * (1 + DIE_BOUNCE) / total
            bodies.speeds[one] -= push * shares[0]
            bodies.speeds[other] += push * shares[1]

    def _settle(self, tracks: _Tracks) -> None:
        """Move dice that still overlap apart, and spread that small move over the last steps of the tracks."""
        before = self._bodies.places.copy()
        self._bodies.heights[:] = 0.0
        self._bodies.speeds[:] = 0.0
        for _ in range(SETTLING_ROUNDS):
            if not self._parted_some():
                break
        tracks.spread(self._bodies.places - before, 12)

    def _parted_some(self) -> bool:
        before = self._bodies.places.copy()
        slightly_apart = self._edge + 0.02  # so that the last rounding leaves no overlap
        self._hit_walls(slightly_apart)
        self._hit_each_other(slightly_apart)
        return bool(np.abs(self._bodies.places - before).max(initial=0.0) > 1e-9)

    def _was_moved(self, index: int) -> bool:
        moved = np.abs(self._bodies.places[index] - self._start_places[index]).max()
        return bool(self._thrown[index] or moved > 1e-6)

    def _trajectory(self, index: int, places: Vectors, heights: Vectors, speeds: Vectors, spins: Vectors) -> Trajectory:
        turning = rolling_spins(speeds, self._edge)
        turning[:, 2] = spins
        was_thrown = self._thrown[index]
        face = int(self._rng.integers(6)) if was_thrown else self._lying[index - int(self._thrown.sum())].top
        end = flat_rotation(face, float(self._bodies.yaws[index]))
        return lift_to_ground(spin_backwards(np.column_stack([places, heights]), end, turning), self._edge)


# Where dice can come to rest on purpose: leaning on something, off the tray, and the free place next to a wish


GAP = 0.2
"""Millimetres that are left between dice laid down on purpose."""
REACH_EDGES = 0.72
"""The most that a turned die reaches from its centre, in edges: half its diagonal and a little more."""


class Prop(StrEnum):
    """What a cocked die leans on."""

    ANY = "any"
    DIE = "die"
    WALL = "wall"


def leaning_pose(lying: dict[int, DiePose], edge: float, rng: np.random.Generator, prop: Prop = Prop.ANY) -> DiePose:
    """Return a free pose in which a die leans on the fence or on a lying die; flat in the field where there is none."""
    others = squares_of(lying.values())
    for _ in range(60):
        angle = float(rng.uniform(np.radians(22), np.radians(36)))
        stretched = edge * float(np.cos(angle) + np.sin(angle))
        foot, toward = _prop(lying, rng, prop)
        centre = foot - toward * (stretched / 2 + 0.05)
        yaw = float(np.arctan2(toward[1], toward[0]))
        # The prop itself is touched: the others must leave a tenth less room than a leaning die takes.
        clear = is_free(centre, yaw, others, edge + 0.4 * (stretched - edge))
        if clear and _is_in_field(centre, yaw, edge):
            rotation = leaning_rotation(int(rng.integers(6)), toward, angle)
            return DiePose(np.array([*centre, edge / 2 * np.abs(rotation[2]).sum()]), rotation)
    return flat_pose(lying, edge, rng)


def flat_pose(lying: dict[int, DiePose], edge: float, rng: np.random.Generator) -> DiePose:
    """Return a free pose flat in the field, with a random face."""
    others = squares_of(lying.values())
    while True:
        centre, yaw = FIELD_MIDDLE + rng.uniform(-1, 1, 2) * (95, 90), float(rng.uniform(0, np.pi / 2))
        if _is_in_field(centre, yaw, edge) and is_free(centre, yaw, others, edge + GAP):
            return DiePose(np.array([*centre, edge / 2]), flat_rotation(int(rng.integers(6)), yaw))


def stacked_pose(lying: dict[int, DiePose], edge: float, rng: np.random.Generator) -> DiePose:
    """Return a pose flat on top of a die that lies flat in the field; flat on the felt where there is none."""
    below = [pose for pose in _flat_in_field(lying) if pose.centre[2] < edge]
    if not below:
        return flat_pose(lying, edge, rng)
    base = below[rng.integers(len(below))]
    shifted = base.centre + np.array([*rng.uniform(-0.25, 0.25, 2), 1.0]) * edge
    return DiePose(shifted, flat_rotation(int(rng.integers(6)), float(rng.uniform(0, np.pi / 2))))


def outside_pose(lying: dict[int, DiePose], edge: float, direction: Vectors, rng: np.random.Generator) -> DiePose:
    """Return a free pose on the table beyond the board, which may lie beyond the edge of the picture too."""
    others = squares_of(lying.values())
    while True:
        ahead = unit(direction + rng.normal(0, 0.5, 2))
        centre = np.array([(BOARD[0] + BOARD[2]) / 2, (BOARD[1] + BOARD[3]) / 2])
        far = np.array([(BOARD[2] - BOARD[0]) / 2, (BOARD[3] - BOARD[1]) / 2])
        centre = centre + ahead * (far / np.maximum(np.abs(ahead), 1e-6)).min()
        centre += ahead * rng.uniform(0.75 * edge, 2.5 * edge)
        yaw = float(rng.uniform(0, np.pi / 2))
        if is_free(centre, yaw, others, edge + GAP):
            return DiePose(np.array([*centre, edge / 2]), flat_rotation(int(rng.integers(6)), yaw))


def free_place(wish: Vectors, yaw: float, others: Squares, edge: float) -> Vectors:
    """Return the place nearest to the wish that a die fits into: clear of dice, and not across the fence or the lath.

    The wish itself where no place near it is free.
    """
    for place in _rings_about(wish):
        stands = on_felt(place, REACH_EDGES * edge) or off_tray(place, REACH_EDGES * edge)
        # A tenth more room than the square: fingers need it, and a cocked die takes it.
        if stands and is_free(place, yaw, others, 1.1 * edge):
            return place
    return wish


def squares_of(poses: Iterable[DiePose]) -> Squares:
    """Return the squares that dice cover on the table."""
    listed = list(poses)
    centres = np.array([pose.centre[:2] for pose in listed]).reshape(-1, 2)
    return centres, np.array([pose.yaw for pose in listed])


def _prop(lying: dict[int, DiePose], rng: np.random.Generator, prop: Prop) -> tuple[Vectors, Vectors]:
    """Return a point on the fence or on the side of a flat die in the field, and the direction into it."""
    flats = _flat_in_field(lying)
    on_die = prop is Prop.DIE or (prop is Prop.ANY and bool(flats) and rng.random() < 0.5)
    if flats and on_die:
        pose = flats[rng.integers(len(flats))]
        angle = pose.yaw + np.pi / 2 * int(rng.integers(4))
        toward = np.array([np.cos(angle), np.sin(angle)])
        return pose.centre[:2] - toward * pose.centre[2], toward
    normals, offsets = field_walls()
    wall = rng.choice([0, 4, 6])
    point = FIELD_MIDDLE + rng.uniform(-1, 1, 2) * (80, 70)
    return point - normals[wall] * (normals[wall] @ point - offsets[wall]), -normals[wall]


def _is_in_field(centre: Vectors, yaw: float, edge: float) -> bool:
    normals, offsets = field_walls()
    return bool((normals @ centre - offsets >= extents(normals, np.array([yaw]), edge)[0] - 0.01).all())


def _flat_in_field(lying: dict[int, DiePose]) -> list[DiePose]:
    return [pose for pose in lying.values() if pose.flat and on_felt(pose.centre[:2], 0) and pose.centre[0] < BAY]


def _rings_about(wish: Vectors) -> Iterator[Vectors]:
    """Yield the wish, and then points in widening rings about it."""
    yield wish
    for radius in range(2, 80, 2):
        for angle in np.linspace(0, 2 * np.pi, 24, endpoint=False):
            yield wish + radius * np.array([np.cos(angle), np.sin(angle)])


# The throw: dice fly in from one side, bounce, push each other about and come to rest
#
# Most dice are simulated together. Dice that are meant to end in a way of their own (cocked, on another die, off the
# tray, at their old place) fly over the others in an arc.


_DIRECTIONS = ((0.0, -1.0), (0.5, -1.0), (-0.3, -1.0), (1.0, -0.3), (1.0, 0.2), (0.2, 1.0))
"""The directions of a throw: mostly away from the player at the lower edge, never from the side of the bay."""
_LEANING_SECONDS, _LEAVING_SECONDS = 0.95, 1.05
"""How long a die flies that ends cocked, and one that ends off the tray."""
_HOPS = ((0.0, 0.34, 4.2), (0.34, 0.68, 3.4), (0.68, 0.86, 0.8), (0.86, 0.96, 0.2))
"""The hops of an arc: from and to as shares of its time, and the top in edges of the die."""
_BOUNCING_SECONDS = 1.25
_TURNS_BACK_AT = 0.5
"""The share of its time at which a die that comes back hits something beyond the fence."""
_HOPS_BACK = ((0.0, 0.28, 4.2), (0.28, 0.5, 3.2), (0.5, 0.78, 3.0), (0.78, 0.91, 0.7), (0.91, 0.98, 0.2))
_CLIMB = (0.4, 0.6)
"""Between these shares of its time an arc rises to the height at which the die comes to rest."""


class Fate(StrEnum):
    """How a thrown die ends."""

    LIES_FLAT = "lies-flat"
    LEANS = "leans"
    LEANS_ON_DIE = "leans-on-die"
    LEANS_ON_WALL = "leans-on-wall"
    STACKS = "stacks"
    KEEPS_ITS_FACE = "keeps-its-face"
    BOUNCES_BACK = "bounces-back"
    LEAVES = "leaves"


_PROPS = {Fate.LEANS: Prop.ANY, Fate.LEANS_ON_DIE: Prop.DIE, Fate.LEANS_ON_WALL: Prop.WALL}
_ORDER = tuple(Fate)
"""Dice end in this order, so that those that need others to lean or lie on find them at rest."""


@dataclass(frozen=True)
class Mishaps:
    """The probability that a thrown die leans on something, and that it leaves the tray."""

    leans: float = 0.01
    leaves: float = 0.01

    def fate(self, die: int, drawn: float) -> Fate:
        """Return how a thrown die ends, by a number drawn from 0 to 1."""
        if drawn < self.leaves:
            return Fate.LEAVES
        return Fate.LEANS if 0 <= drawn - self.leaves < self.leans else Fate.LIES_FLAT

    def before(self, die: int) -> DiePose | None:
        """Return how a die lay before, which does not matter here."""
        return None


@dataclass(frozen=True, eq=False)
class StagedEnds:
    """Fates of dice by number, instead of chance; the others lie flat. `poses` is how they lay before the throw."""

    fates: Mapping[int, Fate]
    poses: Mapping[int, DiePose]

    def fate(self, die: int, drawn: float) -> Fate:
        return self.fates.get(die, Fate.LIES_FLAT)

    def before(self, die: int) -> DiePose | None:
        """Return how a die lay before; None if it was away."""
        return self.poses.get(die)


def throw(
    thrown: Sequence[int],
    lying: dict[int, DiePose],
    edge: float,
    mishaps: Mishaps | StagedEnds,
    rng: np.random.Generator,
) -> dict[int, Trajectory]:
    """Throw dice among lying ones: return a trajectory for each thrown die, and for each lying die that is pushed.

    At the end no two dice overlap, every face of every thrown die is equally likely, and all but the mishaps lie flat
    in the field. `edge` is in millimetres; dice are named by their numbers.
    """
    drawn = zip(thrown, rng.random(len(thrown)), strict=True)
    fates = {die: mishaps.fate(die, float(chance)) for die, chance in drawn}
    plain = [die for die in thrown if fates[die] is Fate.LIES_FLAT]
    direction = unit(np.array(_DIRECTIONS[rng.integers(len(_DIRECTIONS))]) + rng.normal(0, 0.08, 2))
    launch = Launch(direction, edge)
    flights = ThrowSimulation(plain, lying, launch, rng).run()
    ends = {**lying, **{die: flight.end for die, flight in flights.items()}}
    for die in sorted(set(thrown) - set(plain), key=lambda die: (_ORDER.index(fates[die]), thrown.index(die))):
        flight = _special_flight(fates[die], ends, mishaps.before(die), launch, rng)
        flights[die], ends[die] = flight, flight.end
    return flights


def _special_flight(
    fate: Fate, ends: dict[int, DiePose], before: DiePose | None, launch: Launch, rng: np.random.Generator
) -> Trajectory:
    """Return the flight of a die that does not end flat by chance; `ends` is how the others come to lie."""
    edge = launch.edge
    if fate is Fate.LEAVES:
        return _arc(launch, outside_pose(ends, edge, launch.direction, rng), _LEAVING_SECONDS, rng)
    if fate is Fate.BOUNCES_BACK:
        return _arc_back(launch, flat_pose(ends, edge, rng), rng)
    if fate is Fate.STACKS:
        return _arc(launch, stacked_pose(ends, edge, rng), _LEANING_SECONDS, rng)
    if fate is Fate.KEEPS_ITS_FACE and before is not None:
        yaw = before.yaw + float(rng.normal(0, np.radians(3.0)))
        place = free_place(before.centre[:2] + rng.normal(0, 0.8, 2), yaw, squares_of(ends.values()), edge)
        end = DiePose(np.array([*place, edge / 2]), flat_rotation(before.top, yaw))
        return _arc(launch, end, _LEANING_SECONDS, rng)
    return _arc(launch, leaning_pose(ends, edge, rng, _PROPS.get(fate, Prop.ANY)), _LEANING_SECONDS, rng)


def _arc(launch: Launch, end: DiePose, seconds: float, rng: np.random.Generator) -> Trajectory:
    """Return a flight from the launch to a chosen end: two high hops and two low ones, rolling and slowing down."""
    share = np.linspace(0.0, 1.0, round(seconds * STEPS_A_SECOND))
    start = launch.place(int(rng.integers(4)), 4, rng)
    places = start + (1 - (1 - share) ** 1.8)[:, None] * (end.centre[:2] - start)
    raised = max(float(end.centre[2]) - centre_height(end.rotation, launch.edge), 0.0)
    heights = _hop_heights(share, _HOPS) * launch.edge + raised * np.interp(share, _CLIMB, (0.0, 1.0))
    return _rolling(launch.edge, places, heights, end, rng)


def _arc_back(launch: Launch, end: DiePose, rng: np.random.Generator) -> Trajectory:
    """Return a flight over the fence to something that throws the die back, and from there to its end in the field."""
    share = np.linspace(0.0, 1.0, round(_BOUNCING_SECONDS * STEPS_A_SECOND))
    start = launch.place(int(rng.integers(4)), 4, rng)
    turn = outside_pose({}, launch.edge, launch.direction, rng).centre[:2]
    out = np.clip(share / _TURNS_BACK_AT, 0, 1)[:, None]
    back = np.clip((share - _TURNS_BACK_AT) / (1 - _TURNS_BACK_AT), 0, 1)[:, None]
    places = start + out * (turn - start) + (1 - (1 - back) ** 1.8) * (end.centre[:2] - turn)
    return _rolling(launch.edge, places, _hop_heights(share, _HOPS_BACK) * launch.edge, end, rng)


def _rolling(edge: float, places: Vectors, heights: Vectors, end: DiePose, rng: np.random.Generator) -> Trajectory:
    """Return how a die rolls along places (T x 2) and ends as asked; `heights` are those of its lowest corner."""
    spins = rolling_spins(np.gradient(places, 1.0 / STEPS_A_SECOND, axis=0), edge)
    spins[:, 2] = rng.normal(0, 3.0) * (1 - np.linspace(0.0, 1.0, len(places)))
    return lift_to_ground(spin_backwards(np.column_stack([places, heights]), end.rotation, spins), edge)


def _hop_heights(share: Vectors, hops: Sequence[tuple[float, float, float]]) -> Vectors:
    """Return the heights, in edges of the die, at shares of the arc's time."""
    heights = np.zeros_like(share)
    for begin, end, top in hops:
        within = (share >= begin) & (share < end)
        phase = (share[within] - begin) / (end - begin)
        heights[within] = 4 * top * phase * (1 - phase)
    return heights
