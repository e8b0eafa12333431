"""The films of `moved_dice_films`, drawn by Blender's Cycles, a renderer on which the arrival model was not fitted.

A frame costs some one and a half processor seconds, a hundred times MuJoCo's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tqdm import tqdm

from models.synthetic.canvas import Use
from models.training.arrival_examples import ArrivalExample, save_examples
from models.training.camera_emulation import Picture, emulate
from models.training.cycles_pictures import developed
from models.training.cycles_scene import Capsule, CyclesDie, CyclesRenderer, CyclesScene, Finish
from models.training.lying_dice import Array, Rng, Solid, cube
from models.training.marked_scenes import (
    DieDesign,
    designs_of_a_table,
    random_camera,
    random_designs,
    random_floor,
    random_light,
)
from models.training.moved_dice import FilmedBurst, Instant, play, random_event
from models.training.moved_dice_films import DICE, EDGE_M, DrawnBurst, SeenPlace, hand_parts, out_of_sight
from models.training.posture_truth import true_lie

SIZE, SAMPLES = (320, 240), 2
"""Of a picture, which the motion code would make as small, and the rays for each of its pixels."""
FRAME_RATES = (10.0, 15.0, 30.0)
MM = 1000.0
"""Millimetres in a metre: dice move in metres, and Cycles' scenes are in millimetres."""
FAULTS = (0.2, 0.7)
"""Strength of the emulated camera's faults."""


def write_films(folder: Path, count: int, seed: int, use: Use, threads: int = 1) -> None:
    """Film so many events into a folder; those that are in it are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    with CyclesRenderer(threads, folder / "blender.log") as renderer:
        for number in tqdm(range(count), folder.name, mininterval=5):
            file = folder / f"cycles-{use}-{seed}-{number:05}.npz"
            if not file.exists():
                rng = np.random.default_rng([seed, tuple(Use).index(use), number])
                save_examples(file, film(renderer, rng, use))


def film(renderer: CyclesRenderer, rng: Rng, use: Use) -> Iterator[ArrivalExample]:
    """Film a random event; yield each die in sight each time that the table has settled."""
    edge, count = float(rng.uniform(*EDGE_M)), int(rng.integers(DICE[0], DICE[1] + 1))
    floor = random_floor(rng, use, edge * MM)
    rate, event = float(rng.choice(FRAME_RATES)), random_event(rng)
    roundness = float(rng.uniform(0.06, 0.42))
    designs = random_designs(rng, use, count, roundness, designs_of_a_table(rng))
    camera = replace(random_camera(rng, floor, edge * MM), size=SIZE)
    lamps, sky, strength = random_light(rng, use, floor)
    scene = CyclesScene(camera, sky, strength, lamps, floor.boxes, [], samples=SAMPLES)
    reach = out_of_sight(lambda points: scene.camera.project(points * MM), SIZE)
    walls = [replace(wall, centre=wall.centre / MM, half=wall.half / MM) for wall in floor.walls]
    shown = play(FilmedBurst(edge, floor.corners[1] / MM, walls, rate, reach, count, rng), event)
    yield from _DrawnByCycles(shown, renderer, scene, designs, rng).examples("cycles", event)


class _DrawnByCycles(DrawnBurst):
    def __init__(
        self, film: FilmedBurst, renderer: CyclesRenderer, scene: CyclesScene, designs: Sequence[DieDesign], rng: Rng
    ) -> None:
        self._renderer, self._scene, self._designs = renderer, scene, designs
        self._camera, self._faults = int(rng.integers(2**32)), float(rng.uniform(*FAULTS))
        self._hand_size, self._is_bare = float(rng.uniform(0.85, 1.15)), bool(rng.random() < 0.3)
        red, green, blue = rng.uniform(0.15, 0.75) * np.array([1.0, rng.uniform(0.5, 0.7), rng.uniform(0.35, 0.55)])
        self._skin = Finish({"Roughness": 0.5}, colour=(float(red), float(green), float(blue)))
        red, green, blue = rng.uniform(0.02, 0.6, 3)
        self._cloth = Finish({"Roughness": 0.9}, colour=(float(red), float(green), float(blue)))
        super().__init__(film, SIZE[0], rng)

    def _render(self, instant: Instant) -> Picture:
        dice = [
            CyclesDie(self._solid(k, instant), design.surface, design.art.pixels, design.finish)
            for k, design in enumerate(self._designs)
        ]
        # All frames have one seed: what does not move looks the same in each, but for the noise of the camera.
        light = self._renderer.render(replace(self._scene, dice=dice, capsules=self._hand(instant)))
        # One camera takes all frames in one way.
        taken = developed(light, np.random.default_rng(self._camera))
        return emulate(taken, np.random.default_rng(self._camera), self._faults)

    def _solid(self, k: int, instant: Instant) -> Solid:
        return cube(instant.centres[k] * MM, instant.turns[k], self._film.edge * MM)

    def _hand(self, instant: Instant) -> list[Capsule]:
        if instant.hand is None:
            return []
        parts = hand_parts(instant.hand, self._film.edge, self._hand_size)
        return [
            Capsule(start * MM, end * MM, radius * MM, self._cloth if name == "sleeve" else self._skin)
            for name, (start, end, radius) in parts.items()
            if name != "sleeve" or not self._is_bare
        ]

    def _place_of(self, k: int, instant: Instant) -> SeenPlace | None:
        solid = self._solid(k, instant)
        lie, _ = true_lie(solid.centre, solid.turn, self._film.edge * MM, self._scene.camera.project, _as_it_is)
        is_inside = 0 < lie.x < SIZE[0] and 0 < lie.y < SIZE[1]
        return (lie.x, lie.y, lie.edge) if is_inside else None


def _as_it_is(points: Array) -> Array:
    return points
