"""The throw: dice fly in from one side, bounce, push each other about and come to rest.

Two halves. Forwards in time, dice are squares that slide, hop and collide on the plan. Backwards in time, each is
turned from the face that chance has chosen, as a die rolling along that path would turn: so the end is fair by
construction and the tumble leads to it. Dice meant to end cocked or off the tray fly over the others in an arc of
their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hardware.simulator import overlap
from hardware.simulator.die_motion import STEPS_A_SECOND, Lie, Path, flat, leaning, raised, rolling, spun_back
from hardware.simulator.geometry import BAY, BOARD, HEIGHT, Vectors, field_walls, on_felt

GRAVITY = 9810.0
FELT_BOUNCE, WOOD_BOUNCE, DIE_BOUNCE = 0.42, 0.62, 0.4
"""The share of its speed that a die keeps off each."""
ROLLING_FRICTION, SLIDING_FRICTION = 480.0, 3200.0
"""Millimetres a second each second."""
TOPPLES_BELOW = 120.0
"""Millimetres a second: slower, a die no longer rolls over its edge but lies flat and slides."""
LYING_WEIGHT = 12.0
"""How many times its weight a lying die has in a collision: it grips the felt, a flying one does not."""
GAP = 0.2
"""Millimetres that are left between dice laid down on purpose."""
LONGEST = 2.2
"""Seconds after which dice that are still in motion are stopped."""
SETTLING_ROUNDS = 400

_STEP = 1.0 / STEPS_A_SECOND
_MIDDLE = np.array([BAY / 2, HEIGHT / 2])
_SIDES = ((0.0, -1.0), (0.5, -1.0), (-0.3, -1.0), (1.0, -0.3), (1.0, 0.2), (0.2, 1.0))
"""The ways a throw may go: mostly away from the player at the lower edge, never from the side of the bay."""


@dataclass(frozen=True)
class Mishaps:
    """How often a thrown die leans on something, and how often it leaves the tray."""

    leans: float = 0.01
    leaves: float = 0.01


def throw(
    thrown: Sequence[int], lying: dict[int, Lie], edge: float, mishaps: Mishaps, rng: np.random.Generator
) -> dict[int, Path]:
    """Throw dice among lying ones: a path for each thrown die, and for each lying die that is nudged.

    At the end no two dice overlap, every face of every thrown die is equally likely, and all but the mishaps lie flat
    in the field.
    """
    fates = rng.random(len(thrown))
    leaving = [die for die, fate in zip(thrown, fates, strict=True) if fate < mishaps.leaves]
    cocked = [die for die, fate in zip(thrown, fates, strict=True) if 0 <= fate - mishaps.leaves < mishaps.leans]
    plain = [die for die in thrown if die not in leaving and die not in cocked]
    way = _unit(np.array(_SIDES[rng.integers(len(_SIDES))]) + rng.normal(0, 0.08, 2))
    paths = _Table(plain, lying, edge, way, rng).played()
    ends = {**lying, **{die: path.end for die, path in paths.items()}}
    for die in cocked:
        path = _arc(way, _leaning_place(ends, edge, rng), edge, 0.95, rng)
        paths[die], ends[die] = path, path.end
    for die in leaving:
        path = _arc(way, _outside_place(ends, edge, way, rng), edge, 1.05, rng)
        paths[die], ends[die] = path, path.end
    return paths


class _Table:
    """The squares on the plan, step by step, from the launch until all lie still and apart."""

    def __init__(
        self, thrown: Sequence[int], lying: dict[int, Lie], edge: float, way: Vectors, rng: np.random.Generator
    ) -> None:
        self._numbers = [*thrown, *lying]
        self._edge = edge
        self._rng = rng
        self._thrown = np.arange(len(self._numbers)) < len(thrown)
        self._lies = list(lying.values())
        self._pairs = overlap.all_pairs(len(self._numbers))
        self._walls = field_walls()
        self._launch(len(thrown), way)

    def played(self) -> dict[int, Path]:
        """The paths of the thrown dice and of those that were moved."""
        places: list[Vectors] = []
        hops: list[Vectors] = []
        speeds: list[Vectors] = []
        spins: list[Vectors] = []
        while self._moves() and len(places) < LONGEST * STEPS_A_SECOND:
            self._step()
            places.append(self._places.copy())
            hops.append(self._hops.copy())
            speeds.append(np.where(self._rolls[:, None], self._speeds, 0.0))
            spins.append(self._spins.copy())
        self._settle(places)
        tracks = np.array(places), np.array(hops), np.array(speeds), np.array(spins)
        return {number: self._path(which, *tracks) for which, number in enumerate(self._numbers) if self._went(which)}

    def _launch(self, count: int, way: Vectors) -> None:
        total, rng = len(self._numbers), self._rng
        self._places = np.zeros((total, 2))
        self._speeds = np.zeros((total, 2))
        self._yaws = rng.uniform(0, np.pi / 2, total)
        self._spins = np.where(self._thrown, rng.normal(0, 7.0, total), 0.0)
        self._hops = np.where(self._thrown, rng.uniform(45, 70, total), 0.0)
        self._rises = np.where(self._thrown, rng.uniform(-100, 200, total), 0.0)
        self._friction = ROLLING_FRICTION * rng.uniform(0.8, 1.25, total)
        self._rolls = self._thrown.copy()
        power = rng.uniform(480, 780)
        for which in range(count):
            self._places[which] = _start(way, which, count, self._edge, rng)
            aim = _MIDDLE + rng.normal(0, 25, 2) - self._places[which]
            self._speeds[which] = _unit(aim) * power * rng.uniform(0.85, 1.2)
        for which, lie in enumerate(self._lies, count):
            self._places[which], self._yaws[which] = lie.centre[:2], lie.yaw
        self._began = self._places.copy()
        # A die that lies in the bay, off the tray or askew is not pushed about: the lath or its own prop holds it.
        held = [
            not (lie.flat and on_felt(lie.centre[:2], self._edge / 2) and lie.centre[0] < BAY) for lie in self._lies
        ]
        self._weights = np.array([1.0] * count + [np.inf if stays else LYING_WEIGHT for stays in held])

    def _moves(self) -> bool:
        return bool(self._rolls.any() or np.abs(self._speeds).max(initial=0.0) > 0)

    def _step(self) -> None:
        self._fly()
        self._rub()
        self._places += self._speeds * _STEP
        self._yaws += self._spins * _STEP
        self._hit_walls()
        self._hit_each_other()

    def _fly(self) -> None:
        self._rises -= GRAVITY * _STEP
        self._hops += self._rises * _STEP
        landed = self._hops <= 0
        self._hops[landed] = 0.0
        struck = landed & (self._rises < -150)
        self._rises[landed] = np.where(struck[landed], -FELT_BOUNCE * self._rises[landed], 0.0)
        self._speeds[struck] *= 0.88
        self._speeds[struck] += self._rng.normal(0, 40, (int(struck.sum()), 2))

    def _rub(self) -> None:
        pace = np.linalg.norm(self._speeds, axis=1)
        self._rolls &= (pace > TOPPLES_BELOW) | (self._hops > 0)
        loss = np.where(self._hops > 0, 0.0, np.where(self._rolls, self._friction, SLIDING_FRICTION)) * _STEP
        self._speeds *= np.where(pace > loss, 1 - loss / np.maximum(pace, 1e-9), 0.0)[:, None]
        self._spins *= np.where(self._rolls, 0.995, 0.75)

    def _hit_walls(self) -> None:
        normals, offsets = self._walls
        room = self._places @ normals.T - offsets - overlap.reach(normals, self._yaws, self._edge)
        inward = self._speeds @ normals.T
        for which, wall in np.argwhere((room < 0) & (inward <= 0) & np.isfinite(self._weights)[:, None]):
            self._places[which] -= normals[wall] * room[which, wall]
            self._speeds[which] -= normals[wall] * inward[which, wall] * (1 + WOOD_BOUNCE)
            self._spins[which] += self._rng.normal(0, 3.0) * bool(inward[which, wall] < -50)

    def _hit_each_other(self) -> None:
        directions, depth = overlap.depths(self._places, self._yaws, self._edge, self._pairs)
        for pair in np.flatnonzero(depth > 0):
            one, other = self._pairs[pair]
            if abs(self._hops[one] - self._hops[other]) < self._edge:
                self._part(one, other, directions[pair], float(depth[pair]))

    def _part(self, one: int, other: int, direction: Vectors, depth: float) -> None:
        shares = 1 / self._weights[one], 1 / self._weights[other]
        total = sum(shares)
        if total == 0:
            return
        self._places[one] -= direction * depth * shares[0] / total
        self._places[other] += direction * depth * shares[1] / total
        closing = float((self._speeds[one] - self._speeds[other]) @ direction)
        if closing > 0:
            push = direction * closing * (1 + DIE_BOUNCE) / total
            self._speeds[one] -= push * shares[0]
            self._speeds[other] += push * shares[1]

    def _settle(self, places: list[Vectors]) -> None:
        """Move dice that still overlap apart, and spread that small move over the last steps of the paths."""
        before = self._places.copy()
        self._hops[:] = 0.0
        self._speeds[:] = 0.0
        for _ in range(SETTLING_ROUNDS):
            if not self._pushed_apart():
                break
        last = min(len(places), 12)
        for step in range(last):
            places[len(places) - last + step] += (self._places - before) * (step + 1) / last

    def _pushed_apart(self) -> bool:
        was = self._places.copy()
        # A hair more than touching, so that the last rounding leaves no overlap.
        edge, self._edge = self._edge, self._edge + 0.02
        self._hit_walls()
        self._hit_each_other()
        self._edge = edge
        return bool(np.abs(self._places - was).max(initial=0.0) > 1e-9)

    def _went(self, which: int) -> bool:
        return bool(self._thrown[which] or np.abs(self._places[which] - self._began[which]).max() > 1e-6)

    def _path(self, which: int, places: Vectors, hops: Vectors, speeds: Vectors, spins: Vectors) -> Path:
        centres = np.column_stack([places[:, which], hops[:, which]])
        turning = rolling(speeds[:, which], self._edge)
        turning[:, 2] = spins[:, which]
        face = int(self._rng.integers(6)) if self._thrown[which] else self._lies[which - int(self._thrown.sum())].top
        return raised(spun_back(centres, flat(face, float(self._yaws[which])), turning), self._edge)


def _unit(vector: Vectors) -> Vectors:
    return np.asarray(vector / np.linalg.norm(vector))


def _start(way: Vectors, which: int, count: int, edge: float, rng: np.random.Generator) -> Vectors:
    """A place in the loose heap beyond the edge of the picture from which a throw is launched."""
    across = np.array([-way[1], way[0]])
    row, column = divmod(which, 4)
    columns = min(4, count - 4 * row)
    offset = (column - (columns - 1) / 2) * 1.7 * edge
    return np.asarray(_MIDDLE - way * (200 + 1.7 * edge * row) + across * offset + rng.normal(0, 0.08 * edge, 2))


def _leaning_place(lying: dict[int, Lie], edge: float, rng: np.random.Generator) -> Lie:
    """A free place where a die leans on the fence or on a lying die; flat in the field where there is none."""
    others = _footprints(lying)
    for _ in range(60):
        angle = float(rng.uniform(np.radians(22), np.radians(36)))
        stretched = edge * float(np.cos(angle) + np.sin(angle))
        foot, toward = _prop(lying, rng)
        centre = foot - toward * (stretched / 2 + 0.05)
        yaw = float(np.arctan2(toward[1], toward[0]))
        # The prop itself is touched: of the room that leaning takes, a tenth less is asked of the others.
        clear = overlap.is_free(centre, yaw, others, edge + 0.4 * (stretched - edge))
        if clear and _inside(centre, yaw, edge):
            turn = leaning(int(rng.integers(6)), toward, angle)
            return Lie(np.array([*centre, edge / 2 * np.abs(turn[2]).sum()]), turn)
    return _flat_place(others, edge, rng)


def _prop(lying: dict[int, Lie], rng: np.random.Generator) -> tuple[Vectors, Vectors]:
    """A point on the fence or on the side of a flat die in the field, and the direction into it."""
    flats = [lie for lie in lying.values() if lie.flat and on_felt(lie.centre[:2], 0) and lie.centre[0] < BAY]
    if flats and rng.random() < 0.5:
        lie = flats[rng.integers(len(flats))]
        angle = lie.yaw + np.pi / 2 * int(rng.integers(4))
        toward = np.array([np.cos(angle), np.sin(angle)])
        return lie.centre[:2] - toward * lie.centre[2], toward
    normals, offsets = field_walls()
    wall = rng.choice([0, 4, 6])
    point = _MIDDLE + rng.uniform(-1, 1, 2) * (80, 70)
    return point - normals[wall] * (normals[wall] @ point - offsets[wall]), -normals[wall]


def _inside(centre: Vectors, yaw: float, edge: float) -> bool:
    normals, offsets = field_walls()
    return bool((normals @ centre - offsets >= overlap.reach(normals, np.array([yaw]), edge)[0] - 0.01).all())


def _flat_place(others: tuple[Vectors, Vectors], edge: float, rng: np.random.Generator) -> Lie:
    while True:
        centre, yaw = _MIDDLE + rng.uniform(-1, 1, 2) * (95, 90), float(rng.uniform(0, np.pi / 2))
        if _inside(centre, yaw, edge) and overlap.is_free(centre, yaw, others, edge + GAP):
            return Lie(np.array([*centre, edge / 2]), flat(int(rng.integers(6)), yaw))


def _outside_place(lying: dict[int, Lie], edge: float, way: Vectors, rng: np.random.Generator) -> Lie:
    """A place on the table beyond the board, which may lie beyond the picture's edge too."""
    others = _footprints(lying)
    while True:
        ahead = _unit(way + rng.normal(0, 0.5, 2))
        centre = np.array([(BOARD[0] + BOARD[2]) / 2, (BOARD[1] + BOARD[3]) / 2])
        far = np.array([(BOARD[2] - BOARD[0]) / 2, (BOARD[3] - BOARD[1]) / 2])
        centre = centre + ahead * (far / np.maximum(np.abs(ahead), 1e-6)).min()
        centre += ahead * rng.uniform(0.75 * edge, 2.5 * edge)
        yaw = float(rng.uniform(0, np.pi / 2))
        if overlap.is_free(centre, yaw, others, edge + GAP):
            return Lie(np.array([*centre, edge / 2]), flat(int(rng.integers(6)), yaw))


def _footprints(lying: dict[int, Lie]) -> tuple[Vectors, Vectors]:
    centres = np.array([lie.centre[:2] for lie in lying.values()]).reshape(-1, 2)
    return centres, np.array([lie.yaw for lie in lying.values()])


def _arc(way: Vectors, end: Lie, edge: float, seconds: float, rng: np.random.Generator) -> Path:
    """Two high hops and two low ones from the launch to a chosen end, rolling all the way and slowing down."""
    share = np.linspace(0.0, 1.0, round(seconds * STEPS_A_SECOND))
    start = _start(way, int(rng.integers(4)), 4, edge, rng)
    places = start + (1 - (1 - share) ** 1.8)[:, None] * (end.centre[:2] - start)
    hops = _hops(share) * edge
    velocities = np.gradient(places, _STEP, axis=0)
    spins = rolling(velocities, edge)
    spins[:, 2] = rng.normal(0, 3.0) * (1 - share)
    return raised(spun_back(np.column_stack([places, hops]), end.turn, spins), edge)


def _hops(share: Vectors) -> Vectors:
    tops = ((0.0, 0.34, 4.2), (0.34, 0.68, 3.4), (0.68, 0.86, 0.8), (0.86, 0.96, 0.2))
    hops = np.zeros_like(share)
    for begin, end, top in tops:
        within = (share >= begin) & (share < end)
        phase = (share[within] - begin) / (end - begin)
        hops[within] = 4 * top * phase * (1 - phase)
    return hops
