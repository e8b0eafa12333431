"""How blurred and how dark the virtual tray's picture may be for its dice to be read: the doctor's limits.

    python bench/lens.py --throws 5

For each blur it prints how wide the markers' edges are spread over the table, for each light how bright their
white is, and how many of the flat dice are accepted and right, and how many silently wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.simulator_truth import TrueTrayDie, truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from vander.resources.models_and_stores import LoadedModels
from vision.feed_health import marker_sharpness, measure_illumination
from vision.frames import Pixels
from vision.observations import DieSighting
from vision.pipeline import read_photograph
from vision.tray_calibration import TrayLayout
from vision.tray_markers import find_markers

SETS = ("intersection", "toss-up", "d6", "rollers", "switch-16")
BLURS_MM = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5)
LIGHTS = (0.1, 0.2, 0.3, 0.4, 0.5, 1.0, 1.5, 3.0)
NOISE = 2.4
"""Levels of a camera's noise, put on after the blur or the light."""
SEEN_MM = 416.0
"""The width of the table that the virtual camera sees, at the tray."""
NEAR_MM = 9.0
TO_SETTLE = 80

Scene = tuple[str, Pixels, list[TrueTrayDie]]


def scenes(throws: int) -> Iterator[Scene]:
    """Throws of all sets at rest: the set, the picture, and what lies flat."""
    for name in SETS:
        tray = VirtualTray(name, seed=5)
        camera = VirtualCamera(tray, paced=False, seed=3)
        camera.open()
        for _ in range(throws):
            tray.throw([int(die["number"]) for die in tray.dice()])
            pixels = [camera.frame().pixels for _ in range(TO_SETTLE)][-1]
            yield name, pixels, [die for die in truth(tray).values() if die.flat]


def read(models: LoadedModels, name: str, pixels: Pixels, lying: list[TrueTrayDie]) -> tuple[int, int]:
    """How many dice are accepted and right, and how many accepted and wrong."""
    seen = read_photograph(pixels, models.finder, models.reader, die_sets.load(name), TrayLayout())
    faces = [
        (die.reading.face, true.face)
        for true in lying
        for die in seen.dice
        if seen.calibrated and die.reading.accepted and _is_near(die.reading.sighting, true)
    ]
    right = sum(found == face for found, face in faces)
    return right, len(faces) - right


def _is_near(sighting: DieSighting, true: TrueTrayDie) -> bool:
    return float(np.hypot(sighting.x_mm - true.x_mm, sighting.y_mm - true.y_mm)) < NEAR_MM


def spread_mm(pixels: Pixels) -> float:
    """How wide the markers' edges are on the table; nan where no marker is measured."""
    found = [marker.spread_px * SEEN_MM / pixels.shape[1] for marker in marker_sharpness(pixels)]
    return median(found) if found else float("nan")


def white(pixels: Pixels) -> float:
    """The white of the markers, as a level; nan where none is seen."""
    found = list(measure_illumination(pixels, find_markers(pixels).corners, None).paper_levels.values())
    return median(found) if found else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--throws", type=int, default=5, help="of each of the five sets")
    thrown, models, noise = list(scenes(parser.parse_args().throws)), LoadedModels.load(), np.random.default_rng(0)

    def told(what: str, pictures: list[Pixels], measure: Callable[[Pixels], float]) -> None:
        pictures = [np.clip(it + noise.normal(0, NOISE, it.shape), 0, 255).astype(np.uint8) for it in pictures]
        scores = [read(models, name, it, lying) for (name, _, lying), it in zip(thrown, pictures, strict=True)]
        flat = sum(len(lying) for _, _, lying in thrown)
        right, wrong = (sum(column) for column in zip(*scores, strict=True))
        measured = median(map(measure, pictures))
        print(f"{what}: {measured:.1f}; {right} of {flat} right, {wrong} silently wrong", flush=True)

    for blur_mm in BLURS_MM:
        per_mm = thrown[0][1].shape[1] / SEEN_MM
        blurred = [cv2.GaussianBlur(it, (0, 0), blur_mm * per_mm) if blur_mm else it for _, it, _ in thrown]
        told(f"blurred by {blur_mm} mm, the edges' spread in mm", blurred, spread_mm)
    for share in LIGHTS:
        lit = [np.clip(it * np.float32(share), 0, 255).astype(np.uint8) for _, it, _ in thrown]
        told(f"{share} of the light, the markers' white", lit, white)


if __name__ == "__main__":
    main()
