"""Films of throws by Blender's Cycles: a hand comes in, lets dice go and leaves; MuJoCo lets them fall and tumble.

A film is `0000.mp4`, and `0000.jsonl` has a line a frame: that of `posture_truth`, and whether the hand is in sight.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from models.synthetic.canvas import Use
from models.training.camera_emulation import LensDistortion
from models.training.cycles_pictures import developed, true_picture
from models.training.cycles_scene import Capsule, CyclesDie, CyclesRenderer, CyclesScene, Finish, Picture
from models.training.lying_dice import Array, DiceTable, PlacedDie, Rng, Solid, cube
from models.training.marked_scenes import (
    EDGE_MM,
    MarkedFloor,
    MarkedScene,
    designs_of_a_table,
    random_camera,
    random_designs,
    random_floor,
    random_light,
)
from models.training.mujoco_scene import DiceWorld, random_bounce, rotation_of
from models.training.posture_truth import row_of

SIZE = (480, 360)
FRAMES, FRAMES_A_SECOND, SAMPLES = 45, 30, 2
RELEASED_AT = 8
"""The frame in which the hand lets go."""
SPEED_MM = (450.0, 1200.0)
"""Of the hand in a second."""
SPIN = 18.0
"""Standard deviation of the dice's spin, in radians a second."""
STEPS_A_FRAME = 40
STEP_SECONDS = 1 / FRAMES_A_SECOND / STEPS_A_FRAME
FINGER_MM, SLEEVE_MM, REACH_MM = 8.5, 34.0, 260.0


@dataclass(frozen=True, eq=False)
class FilmedMotion:
    """How dice move: centres (frames, dice, 3) in mm, rotations (frames, dice, 3, 3), the hand's place (frames, 3).

    toward: the direction in which they are thrown.
    """

    centres: Array
    turns: Array
    hand: Array
    toward: Array


def make_films(folder: Path, count: int, seed: int, use: Use, threads: int = 1) -> None:
    """Fill a folder with so many films; those that are there with their truth are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [number for number in range(count) if not (folder / f"{number:04d}.jsonl").exists()]
    with CyclesRenderer(threads, folder / "blender.log") as renderer:
        for number in tqdm(wanted, desc=folder.name, initial=count - len(wanted), total=count, mininterval=5):
            _write_film(folder / f"{number:04d}.mp4", renderer, [seed, tuple(Use).index(use), number], use)


def _write_film(file: Path, renderer: CyclesRenderer, seed: list[int], use: Use) -> None:
    """Write a film and last its truth, which marks it as whole."""
    film = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), FRAMES_A_SECOND, SIZE)
    rng, rows = np.random.default_rng(seed), []
    for number, (shown, is_hand_seen) in enumerate(film_scenes(rng, use)):
        light = renderer.render(shown.scene)
        # The camera exposes each frame in one way; its noise is new in each.
        film.write(_with_noise(developed(light, np.random.default_rng(seed)), np.random.default_rng([*seed, number])))
        still = true_picture(shown, np.zeros((SIZE[1], SIZE[0], 3), np.uint8), LensDistortion(0.0, SIZE))
        rows.append(json.dumps({**row_of(still), "hand": is_hand_seen}))
    film.release()
    file.with_suffix(".jsonl").write_text("\n".join(rows) + "\n", "utf-8")


def _with_noise(picture: Picture, rng: Rng) -> Picture:
    return np.asarray(np.clip(picture + rng.normal(0, 2.5, picture.shape), 0, 255), np.uint8)


def film_scenes(rng: Rng, use: Use) -> Iterator[tuple[MarkedScene, bool]]:
    """Yield the scene of each frame of a random throw, and whether a hand is in sight."""
    edge = float(np.exp(rng.uniform(*np.log(EDGE_MM))))
    floor = random_floor(rng, use, edge)
    camera = replace(random_camera(rng, floor, edge), size=SIZE)
    count, roundness = int(rng.integers(2, 7)), float(rng.uniform(0.06, 0.42))
    designs = tuple(random_designs(rng, use, count, roundness, designs_of_a_table(rng)))
    lights, sky, strength = random_light(rng, use, floor)
    skin, cloth = _colours(rng)
    thrown = throw(floor, edge, count, rng)
    for frame in range(FRAMES):
        table = DiceTable(floor.corners, edge, roundness, floor.walled, (), rng)
        table.dice = [
            PlacedDie(cube(centre, turn, edge))
            for centre, turn in zip(thrown.centres[frame], thrown.turns[frame], strict=True)
        ]
        dice = [
            CyclesDie(die.solid, one.surface, one.art.pixels, one.finish)
            for die, one in zip(table.dice, designs, strict=True)
        ]
        hand = _hand(thrown.hand[frame], thrown.toward, edge, skin, cloth)
        scene = CyclesScene(camera, sky, strength, lights, floor.boxes, dice, hand, SAMPLES, seed=frame)
        ends = camera.project(np.array([point for part in hand for point in (part.start, part.end)]))
        is_hand_seen = bool(((ends > -20) & (ends < np.array(SIZE) + 20)).all(axis=1).any())
        hiding = replace(floor, walls=(*floor.walls, *(_block(part) for part in hand)))
        yield MarkedScene(scene, hiding, table, designs), is_hand_seen


def _colours(rng: Rng) -> tuple[Finish, Finish]:
    red, green, blue = (
        rng.uniform(0.15, 0.75) * np.array([1.0, rng.uniform(0.5, 0.7), rng.uniform(0.35, 0.55)])
    ).tolist()
    cloth = tuple(rng.uniform(0.02, 0.6, 3).tolist())
    return Finish({"Roughness": 0.5}, colour=(red, green, blue)), Finish({"Roughness": 0.9}, colour=cloth)


def _hand(at: Array, toward: Array, edge: float, skin: Finish, cloth: Finish) -> list[Capsule]:
    """Return four fingers over the dice, and the sleeve behind them."""
    across, up = np.array([-toward[1], toward[0], 0.0]), np.array([0.0, 0.0, 1.2 * edge + FINGER_MM])
    tip = at + up + 1.5 * edge * toward
    fingers = [
        Capsule(tip + k * 2.1 * FINGER_MM * across, tip + k * 2.1 * FINGER_MM * across - 85 * toward, FINGER_MM, skin)
        for k in (-1.5, -0.5, 0.5, 1.5)
    ]
    wrist = tip - 110 * toward
    return [*fingers, Capsule(wrist, wrist - REACH_MM * toward, SLEEVE_MM, cloth)]


def _block(part: Capsule) -> Solid:
    """Return a box around a part of the hand, which hides what is behind it."""
    along = (part.end - part.start) / np.linalg.norm(part.end - part.start)
    turn = np.column_stack([along, (-along[1], along[0], 0.0), (0.0, 0.0, 1.0)])  # the hand is level
    half = np.array([np.linalg.norm(part.end - part.start) / 2 + part.radius, part.radius, part.radius])
    return Solid((part.start + part.end) / 2, turn, half)


def throw(floor: MarkedFloor, edge: float, count: int, rng: Rng) -> FilmedMotion:
    """Return how dice come in with a hand from one side, and how they fall once it lets go."""
    around = float(rng.normal(np.pi / 2, 0.25) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi))
    toward = np.array([np.cos(around), np.sin(around), 0.0])
    reach = np.abs(floor.corners[1] @ np.abs(toward[:2]))
    speed = float(rng.uniform(*SPEED_MM))
    start = -toward * reach * float(rng.uniform(0.45, 0.75)) + (0, 0, edge * float(rng.uniform(3, 5)))
    held = start + np.array([_in_hand(k, count, edge, toward) for k in range(count)])
    fall = _simulate(floor, edge, held, speed * toward, rng)
    since = np.arange(FRAMES) - RELEASED_AT
    gone = np.where(since <= 0, since, -1.3 * np.maximum(since - 3, 0)) / FRAMES_A_SECOND * speed
    hand = start + gone[:, None] * toward
    carried = [held + (place - start) for place in hand[:RELEASED_AT]]
    turns = [fall[1][0]] * RELEASED_AT
    return FilmedMotion(np.concatenate([carried, fall[0]]), np.concatenate([turns, fall[1]]), hand, toward)


def _in_hand(k: int, count: int, edge: float, toward: Array) -> Array:
    """Return where die k is held, from the middle of the hand: in two rows."""
    across = np.array([-toward[1], toward[0], 0.0])
    return 1.75 * edge * ((k // 2 - (count - 1) // 4) * across + (k % 2 - 0.5) * toward)


def _simulate(floor: MarkedFloor, edge: float, held: Array, velocity: Array, rng: Rng) -> tuple[Array, Array]:
    """Let dice go with a velocity; return centres and rotations from then on, frame by frame."""
    walls = floor.walls[:4] if floor.walled else ()
    world = DiceWorld(edge / 1000, len(held), [_in_metres(wall) for wall in walls], random_bounce(rng), STEP_SECONDS)
    for k, place in enumerate(held):
        turn = rotation_of(rng.normal(size=4))
        speed = velocity / 1000 * rng.uniform(0.8, 1.2) + rng.normal(0, 0.05, 3)
        world.place(k, place / 1000, turn, speed, rng.normal(0, SPIN, 3))
    centres, turns = [], []
    for _ in range(RELEASED_AT, FRAMES):
        centres.append(1000 * world.centres)
        turns.append(world.turns)
        world.step(STEPS_A_FRAME)
    return np.array(centres), np.array(turns)


def _in_metres(wall: Solid) -> Solid:
    return replace(wall, centre=wall.centre / 1000, half=wall.half / 1000)
