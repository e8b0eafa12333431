"""Pictures of trays by Blender's Cycles with how each die lies: what the other renderers' pictures are checked against.

They are path traced: rounded and engraved dice, clear bodies, soft shadows, light from walls. A picture costs some ten
processor seconds, a hundred times MuJoCo's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from models.synthetic.canvas import Use
from models.training import posture_truth
from models.training.camera_emulation import LensDistortion, emulate
from models.training.cycles_scene import CyclesRenderer, Light, Picture
from models.training.lying_dice import Array, PlacedDie, Rng, Solid, blocked
from models.training.marked_scenes import DieDesign, MarkedScene, random_scene, solids_of
from models.training.posture_truth import PosturePicture, TrueLie, true_lie
from vision.tray_calibration import TrayLayout, fit_calibration

DISTORTED_SHARE, DISTORTION = 0.5, (-0.04, 0.02)
FAULTS = (0.1, 0.7)
"""Strength of the emulated camera's faults."""
BRIGHTNESS = (0.18, 0.4)
"""Mean of the linear light that a camera exposes for."""
BRIGHTEST = (0.9, 1.5)
"""Where the brightest hundredth may lie; white is 1."""
SOFT_SHARE = 0.5
"""Share of pictures whose highlights are compressed, as by a phone, rather than cut off."""


def make_pictures(  # noqa: PLR0913 - what the command line gives
    folder: Path, count: int, seed: int, use: Use, threads: int = 1, *, crowded: bool = False
) -> None:
    """Fill a folder with so many pictures, of `crowded` trays if so; those that are there with their truth are kept."""
    first = posture_truth.count_saved(folder)
    if first >= count:
        return
    log = folder.with_name(f"{folder.name}.log")
    made = pictures(range(first, count), seed, use, threads, log, crowded=crowded)
    shown = tqdm(made, desc=folder.name, initial=first, total=count, mininterval=5)
    posture_truth.save(shown, folder, first)


def pictures(  # noqa: PLR0913 - what the command line gives
    numbers: range, seed: int, use: Use, threads: int, log: Path, *, crowded: bool = False
) -> Iterator[PosturePicture]:
    """Yield pictures by number; each is the same for the same seed and use."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with CyclesRenderer(threads, log) as renderer:
        for number in numbers:
            rng = np.random.default_rng([seed, tuple(Use).index(use), number])
            shown = random_scene(rng, use, crowded=crowded)
            yield picture_of(shown, renderer.render(shown.scene), rng)


def picture_of(shown: MarkedScene, light: Light, rng: Rng) -> PosturePicture:
    """Return what a cheap camera makes of the light of a scene, with the truth."""
    coefficient = float(rng.uniform(*DISTORTION)) if rng.random() < DISTORTED_SHARE else 0.0
    lens = LensDistortion(coefficient, shown.scene.camera.size)
    pixels = emulate(lens.distort(developed(light, rng)), rng, float(rng.uniform(*FAULTS)))
    return true_picture(shown, pixels, lens)


def developed(light: Light, rng: Rng) -> Picture:
    """Return linear light as a picture (uint8, BGR) with automatic exposure, in sRGB."""
    luma = light @ np.array([0.07, 0.72, 0.21], np.float32)
    gain = float(rng.uniform(*BRIGHTNESS)) / max(float(luma.mean()), 1e-4)
    gain = min(gain, float(rng.uniform(*BRIGHTEST)) / max(float(np.quantile(luma, 0.99)), 1e-4))
    seen = light * gain
    if rng.random() < SOFT_SHARE:
        knee = float(rng.uniform(0.5, 0.8))
        over = np.maximum(seen - knee, 0)
        seen = np.minimum(seen, knee) + (1 - knee) * (1 - np.exp(-over / (1 - knee)))
    seen = np.clip(seen, 0, 1)
    coded = np.where(seen <= 0.0031308, 12.92 * seen, 1.055 * cv2.pow(seen, 1 / 2.4) - 0.055)
    return np.asarray(255 * coded + 0.5, np.uint8)


def true_picture(shown: MarkedScene, pixels: Picture, lens: LensDistortion) -> PosturePicture:
    floor, camera = shown.floor, shown.scene.camera

    def see(points: Array) -> Array:
        return np.array([lens.distort_point(point) for point in camera.project(points)])

    def to_tray(points: Array) -> Array:
        return np.asarray(points * (1, -1, 1) + (floor.width_mm / 2, floor.height_mm / 2, 0))

    seen = see(np.column_stack([floor.centres, np.zeros(4)]))
    centres = {number: (float(x), float(y)) for number, (x, y) in enumerate(seen)}
    layout = TrayLayout(width_mm=floor.width_mm, height_mm=floor.height_mm)
    plane = fit_calibration(centres, layout, camera.size)
    if plane is None:
        raise ValueError("the markers of a rendered tray do not go round clockwise")
    lies = []
    for die, design in zip(shown.table.dice, shown.designs, strict=True):
        lie, side = true_lie(die.solid.centre, die.solid.turn, die.edge, see, to_tray)
        lies.append(_told(lie, side, die, design, shown))
    x, y, z = to_tray(camera.place[None])[0].tolist()
    return PosturePicture(
        pixels,
        plane,
        tuple(lies),
        (x, y, z),
        edge_mm=shown.table.edge,
        marker_mm=floor.marker_mm,
        markers_seen=_markers_seen(shown, lens),
    )


def _told(lie: TrueLie, side: int, die: PlacedDie, design: DieDesign, shown: MarkedScene) -> TrueLie:
    others = [*(one.solid for one in shown.table.dice if one is not die), *shown.floor.walls]
    return replace(
        lie,
        stacked=die.stacked,
        hidden=die.hidden,
        touches=die.touches,
        face=design.art.faces[side],
        drawing=design.art.drawings[side],
        kind=str(design.art.kind),
        covered=float(blocked(shown.scene.camera.place, _points_on_top(die.solid), others).mean()),
    )


def _points_on_top(solid: Solid) -> Array:
    """Return 25 points of a die's top face."""
    up = int(np.argmax(np.abs(solid.turn[2])))
    normal = solid.turn[:, up] * np.sign(solid.turn[2, up])
    across, down = (solid.turn[:, (up + k) % 3] for k in (1, 2))
    steps = np.linspace(-0.8, 0.8, 5)
    half = float(solid.half[0])
    return np.array([solid.centre + half * (1.001 * normal + a * across + b * down) for a in steps for b in steps])


def _markers_seen(shown: MarkedScene, lens: LensDistortion) -> tuple[int, ...]:
    """Return the markers of which all is in the picture and nothing is hidden."""
    camera, reach = shown.scene.camera, shown.floor.marker_mm / 2
    steps = np.linspace(-reach, reach, 5)
    hiding, found = solids_of(shown.table.dice, shown.floor), []
    for number, centre in enumerate(shown.floor.centres):
        points = np.array([(centre[0] + a, centre[1] + b, 0.2) for a in steps for b in steps])
        seen = np.array([lens.distort_point(point) for point in camera.project(points)])
        inside = (seen > 0).all() and (seen < np.array(camera.size) - 1).all()
        if inside and not blocked(camera.place, points, hiding).any():
            found.append(number)
    return tuple(found)
