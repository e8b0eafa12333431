"""Films of dice that are thrown, moved and turned, followed by the pipeline's own motion code; MuJoCo's renderer draws.

What is kept of a film is what `vision.arrival` sees of each die that lies there when the table has settled, and how it
truly came there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.synthetic.canvas import Use
from models.training.arrival_examples import ArrivalExample, Facts, save_examples
from models.training.camera_emulation import Picture, emulate, noisy
from models.training.lying_dice import Array, Rng, Solid
from models.training.moved_dice import FilmedBurst, Grasp, Instant, ReachingHand, play, random_event
from models.training.mujoco_scene import FLOOR_PX, PARKED_M, MujocoScene, RenderQuality, quaternion_of
from models.training.scene_generation import project, random_lights, true_die
from models.training.surfaces import surface
from models.training.texture_atlas import DieAtlas, random_dice
from vision.arrival import BurstView
from vision.frames import downscale
from vision.motion import MotionDetector
from vision.motion_burst import MotionBurst

QUALITY = RenderQuality((400, 300), samples=0, shadow_px=512)
"""Cheap: the motion code sees pictures of 320 x 240, and area averaging smoothes them."""
FRAME_RATES = {10: 0.28, 15: 0.28, 30: 0.3, 60: 0.14}
"""How often a film has how many frames a second."""
EDGE_M = (0.012, 0.019)
DICE = (4, 9)
FILMS_A_TABLE = 4
HALF_M, SHAPE = (0.12, 0.18), 0.75
"""Half the breadth of the tray, and its depth to that."""
FILLS = (0.72, 1.05)
"""Share of the picture's width that the tray fills."""
TILT_DEGREES, DISTANCE_M = (0.0, 35.0), (0.36, 0.75)
"""Of the camera from straight down, and from the middle of the tray."""
WALL_M = (0.008, 0.03)
JITTER_EDGES, JITTER_SIZE = 0.08, 0.03
"""How far from a die's place a finder may see it, and by which share it may misjudge its edge."""
NOISE_LEVELS = (0.8, 3.5)
"""Standard deviation of a picture's noise, in grey levels."""
EXPOSED, GAINS = (70.0, 180.0), (0.4, 5.0)
"""Mean level of the pictures that the camera aims at, and how far it can correct it."""
LEAD_SECONDS = 0.5
"""How long a film shows the table at rest before anything happens."""
FINGERS, PALMS = 5, 3
HAND_PARTS = (*(f"finger{k}" for k in range(FINGERS)), *(f"palm{k}" for k in range(PALMS)), "arm", "sleeve")
FINGER_M, PALM_M, ARM_M, SLEEVE_M = 0.0085, 0.015, 0.026, 0.037
FLOOR_M = 0.005
"""How far a wall reaches below the floor."""


@dataclass(frozen=True, eq=False)
class FilmTable:
    """A scene for a few films: its dice's edge (metres) and faces, whether an arm is bare, and the size of the hand."""

    scene: MujocoScene
    edge: float
    dice: Sequence[DieAtlas]
    bare: bool
    size: float


def write_films(folder: Path, count: int, seed: int, use: Use) -> None:
    """Film so many tables into a folder, FILMS_A_TABLE films each; those that are in it are kept."""
    for table in tqdm(range(count), folder.name, mininterval=5):
        file = folder / f"mujoco-{use}-{seed}-{table:05}.npz"
        if not file.exists():
            save_examples(file, films(seed, use, table))


def films(seed: int, use: Use, number: int) -> Iterator[ArrivalExample]:
    """Yield the dice of the films at one table; the same for the same seed."""
    of = [seed, tuple(Use).index(use), number]
    table = _table(np.random.default_rng(of), use)
    try:
        for film in range(FILMS_A_TABLE):
            yield from _examples(table, np.random.default_rng([*of, film]), use)
    finally:
        table.scene.close()


def _table(rng: Rng, use: Use) -> FilmTable:
    count, edge = int(rng.integers(DICE[0], DICE[1] + 1)), float(rng.uniform(*EDGE_M))
    scene = MujocoScene(rng, np.full(count, edge), QUALITY, HAND_PARTS)
    dice = random_dice(rng, count, use)
    for k, die in enumerate(dice):
        scene.set_texture(f"die{k}", die.pixels)
    scene.set_texture("floor", surface(FLOOR_PX, rng, use))
    scene.set_texture("wall", surface(64, rng, use))
    skin = rng.uniform(60, 245) * np.array([rng.uniform(0.45, 0.75), rng.uniform(0.6, 0.85), 1.0])
    cloth = surface(128, rng, use)
    for name in HAND_PARTS:
        tone = np.clip(skin * rng.normal(1, 0.03), 0, 255)
        mottled = np.clip(tone + rng.normal(0, 6, (128, 128, 1)), 0, 255).astype(np.uint8)
        scene.set_texture(name, cloth if name == "sleeve" else mottled)
    return FilmTable(scene, edge, dice, bool(rng.random() < 0.3), float(rng.uniform(0.85, 1.15)))


def _examples(table: FilmTable, rng: Rng, use: Use) -> Iterator[ArrivalExample]:
    """Film an event; yield each die in sight each time that the table has settled."""
    scene, rate = table.scene, float(rng.choice(list(FRAME_RATES), p=list(FRAME_RATES.values())))
    half = float(rng.uniform(*HALF_M)) * np.array([1.0, SHAPE])
    projection = _aim(scene, half, rng)
    walls = _walls(half, rng)
    event = random_event(rng)
    reach = out_of_sight(lambda points: project(projection, points), scene.size)
    film = play(FilmedBurst(table.edge, half, walls, rate, reach, len(table.dice), rng), event)
    shown = _DrawnByMujoco(table, film, walls, projection, rng)
    shown.light(rng, use)
    yield from shown.examples("mujoco", event)


SeenPlace = tuple[float, float, float]
"""Where a die's upper face is in a picture, and how long its edge is, in pixels: x, y, edge."""


class DrawnBurst(ABC):
    """A film as a camera sees it, whose picture is `width` pixels wide; what does not move is not rendered again."""

    def __init__(self, film: FilmedBurst, width: int, rng: Rng) -> None:
        self._film, self._width, self._rng = film, width, rng
        self._noise = float(rng.uniform(*NOISE_LEVELS)) / 255
        self._drawn: tuple[Instant, Picture] | None = None

    @abstractmethod
    def _render(self, instant: Instant) -> Picture:
        """Return what the camera takes (uint8, BGR), but for the noise that is new in each picture."""

    @abstractmethod
    def _place_of(self, k: int, instant: Instant) -> SeenPlace | None:
        """Return where die k is seen; None if it is not in the picture."""

    def examples(self, source: str, event: str) -> Iterator[ArrivalExample]:
        """Yield each die in sight each time that the table has settled, with how it truly came there."""
        hands = any(one.hand is not None for one in self._film.instants)
        facts: Facts = {"source": source, "fps": self._film.frames_a_second, "hands": hands, "event": event}
        settled = None
        for frame, burst in self._bursts():
            if settled is not None:
                yield from self._examples_of(settled, frame, burst, facts)
            settled = frame

    def _bursts(self) -> Iterator[tuple[int, MotionBurst]]:
        """Yield each frame with which the table has settled, and what was seen since the time before."""
        motion, rate = MotionDetector(), self._film.frames_a_second
        lead = round(LEAD_SECONDS * rate)
        for number in range(-lead, len(self._film.instants) + lead):
            frame = min(max(number, 0), len(self._film.instants) - 1)
            small = downscale(noisy(self._picture(self._film.instants[frame]), self._rng, self._noise))
            state = motion.update(small, 1000 + number / rate, small.shape[1] / self._width)
            if state.settled is not None:
                yield frame, state.settled

    def _picture(self, instant: Instant) -> Picture:
        if self._drawn is None or not _looks_the_same(self._drawn[0], instant):
            self._drawn = instant, self._render(instant)
        return self._drawn[1]

    def _examples_of(self, before: int, after: int, burst: MotionBurst, facts: Facts) -> Iterator[ArrivalExample]:
        instant = self._film.instants[after]
        dice = [k for k in range(len(instant.centres)) if self._film.is_near(k, after)]
        places = {k: self._place_of(k, instant) for k in dice}
        now = {k: self._jittered(*place) for k, place in places.items() if place is not None}
        if burst.film is None:
            return
        view = BurstView(burst.film)
        for k, place in now.items():
            way = self._film.way_of(k, before, after)
            if way is not None:
                x, y, edge = (length * burst.scale for length in place)
                yield ArrivalExample(view.at(x, y, edge), str(way), facts)

    def _jittered(self, x: float, y: float, edge: float) -> SeenPlace:
        """Return about where a finder would see a die."""
        around, far = self._rng.uniform(0, 2 * np.pi), edge * JITTER_EDGES * self._rng.random()
        size = edge * self._rng.uniform(1 - JITTER_SIZE, 1 + JITTER_SIZE)
        return x + far * float(np.cos(around)), y + far * float(np.sin(around)), size


class _DrawnByMujoco(DrawnBurst):
    def __init__(
        self, table: FilmTable, film: FilmedBurst, walls: Sequence[Solid], projection: Array, rng: Rng
    ) -> None:
        self._table, self._projection = table, projection
        self._camera, self._strength = int(rng.integers(2**32)), float(rng.uniform(0.2, 0.8))
        super().__init__(film, QUALITY.size[0], rng)
        for k, wall in enumerate(walls):
            table.scene.model.geom_size[table.scene.model.body(f"wall{k}").geomadr[0]] = wall.half
            table.scene.state.mocap_pos[k] = wall.centre
        for k in range(len(walls), 4):
            table.scene.state.mocap_pos[k] = (PARKED_M, PARKED_M, 0)

    def light(self, rng: Rng, use: Use) -> None:
        """Light the scene as a camera exposes it that chooses its time by the table at rest."""
        scene, gloss = self._table.scene, float(rng.uniform(0, 1.6))
        lights, ambient = random_lights(rng, use)
        lights = [replace(light, shadows=not k) for k, light in enumerate(lights)]
        self._place(self._film.instants[0])
        scene.set_lights(lights, ambient, gloss)
        level = float(scene.render().mean())
        gain = float(np.clip(np.clip(level, *EXPOSED) / level, *GAINS))
        scene.set_lights([replace(light, colour=light.colour * gain) for light in lights], ambient * gain, gloss)

    def _render(self, instant: Instant) -> Picture:
        self._place(instant)
        # One camera takes all frames in one way.
        return emulate(self._table.scene.render(), np.random.default_rng(self._camera), self._strength)

    def _place(self, instant: Instant) -> None:
        scene = self._table.scene
        for k, (centre, turn) in enumerate(zip(instant.centres, instant.turns, strict=True)):
            scene.place_body(f"die{k}", centre, quaternion_of(turn))
        if instant.hand is None:
            for k, name in enumerate(HAND_PARTS):
                scene.remove_body(name, k)
            return
        for name, (start, end, radius) in hand_parts(instant.hand, self._table.edge, self._table.size).items():
            if name == "sleeve" and self._table.bare:
                scene.remove_body(name, 0)
            else:
                scene.place_capsule(name, start, end, radius)

    def _place_of(self, k: int, instant: Instant) -> SeenPlace | None:
        self._place(instant)
        self._table.scene.update()
        die = true_die(self._table.scene, k, self._table.dice[k], self._projection)
        return None if die is None else (die.x, die.y, die.edge)


def _looks_the_same(one: Instant, other: Instant) -> bool:
    """True if nothing has moved by a tenth of a millimetre, nor turned by half a degree."""
    if one.hand is not None or other.hand is not None:
        return False
    moved = np.abs(one.centres - other.centres).max() < 1e-4
    return bool(moved and np.abs(one.turns - other.turns).max() < 0.01)


def _aim(scene: MujocoScene, half: Array, rng: Rng) -> Array:
    """Aim a camera at the tray, which fills most of the picture; return the projection."""
    tilt, around = np.radians(rng.uniform(*TILT_DEGREES)), rng.uniform(0, 2 * np.pi)
    distance = float(rng.uniform(*DISTANCE_M))
    focal = distance * QUALITY.size[0] * rng.uniform(*FILLS) / (2 * half[0])
    fovy = float(2 * np.degrees(np.arctan(QUALITY.size[1] / 2 / focal)))
    back = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    target = np.array([*rng.normal(0, 0.04, 2) * half, 0.0])
    return scene.aim_camera(target + distance * back, target, float(rng.normal(0, 0.1)), fovy)


def out_of_sight(see: Callable[[Array], Array], size: tuple[int, int]) -> float:
    """Return how far from the middle of the tray no place at the height of dice in flight is in sight.

    see: maps points (n, 3) in metres to pixels of a picture of a size.
    """
    around = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    for reach in np.arange(0.1, 0.5, 0.01):
        ring = np.column_stack([reach * np.cos(around), reach * np.sin(around), np.full(48, 0.05)])
        seen = see(ring)
        if not ((seen > -20) & (seen < np.array(size) + 20)).all(axis=1).any():
            return float(reach)
    return 0.5


def _walls(half: Array, rng: Rng) -> list[Solid]:
    if rng.random() < 0.35:
        return []
    height, thick = float(rng.uniform(*WALL_M)), 0.005
    walls = []
    for axis, sign in ((0, -1), (0, 1), (1, -1), (1, 1)):
        centre, size = np.zeros(3), np.empty(3)
        centre[axis], centre[2] = sign * (half[axis] + thick), (height - FLOOR_M) / 2
        size[axis], size[1 - axis], size[2] = thick, half[1 - axis] + 2 * thick, (height + FLOOR_M) / 2
        walls.append(Solid(centre, np.eye(3), size))
    return walls


def hand_parts(hand: ReachingHand, edge: float, size: float) -> dict[str, tuple[Array, Array, float]]:
    """Return the capsules of a hand: both ends and the radius of each; `size`: of the hand, 1 for an ordinary one."""
    toward, across, up = _axes(hand)
    tips = _fingertips(hand, edge, size)
    knuckles = [hand.place + size * (0.020 * (k - 1.5) * across - 0.055 * toward + 0.055 * up) for k in range(4)]
    root = hand.place + size * (-0.045 * across - 0.085 * toward + 0.045 * up)
    wrist = hand.place + size * (-0.125 * toward + 0.065 * up)
    behind = wrist - 0.55 * toward + 0.10 * up
    parts = {f"finger{k}": (tips[k], knuckles[k], size * FINGER_M) for k in range(4)}
    parts["finger4"] = tips[4], root, size * FINGER_M * 1.1
    for k, (knuckle, aside) in enumerate(((0, -0.018), (2, 0.0), (3, 0.018))):
        at = hand.place + size * (0.022 * (knuckle - 1.6) * across - 0.06 * toward + 0.055 * up)
        parts[f"palm{k}"] = at, wrist + size * aside * across, size * PALM_M
    cuff = wrist - 0.04 * toward + 0.007 * up
    return {**parts, "arm": (wrist, behind, size * ARM_M), "sleeve": (cuff, behind, size * SLEEVE_M)}


def _axes(hand: ReachingHand) -> tuple[Array, Array, Array]:
    """Return the directions in which the arm points, across it, and up."""
    return hand.toward, np.array([-hand.toward[1], hand.toward[0], 0.0]), np.array([0.0, 0.0, 1.0])


def _fingertips(hand: ReachingHand, edge: float, size: float) -> list[Array]:
    """Return where the tips of four fingers and the thumb are."""
    toward, across, up = _axes(hand)
    if hand.grasp is Grasp.CUPPED:
        tips = [hand.place + size * (0.021 * (k - 1.5) * across + 0.035 * toward + 0.012 * up) for k in range(4)]
        return [*tips, hand.place - size * 0.05 * across]
    curled = [hand.place + size * (0.018 * (k - 1.5) * across - 0.03 * toward + 0.025 * up) for k in range(4)]
    beside = edge / 2 + size * FINGER_M
    if hand.grasp is Grasp.POINTING:
        thumb = hand.place - size * (0.03 * across + 0.04 * toward)
        return [curled[0], hand.place - beside * toward, *curled[2:], thumb]
    near, far = (hand.place + beside * (0.92 * across + along * toward) for along in (-0.5, 0.45))
    return [near, far, *curled[2:], hand.place - beside * across]
