"""How many leaning and stacked dice are seen as such, and how many flat ones are called leaning.

    python tests/bench/posture.py --tray 200           # throws on the virtual tray, with many leaning dice
    python tests/bench/posture.py --pictures FOLDER    # made by `python -m models.training posture-pictures`

Prints a table by bands of angles, with counts and 95 % intervals: by geometry, and by the networks alone, as where no
plane is known.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.die_trajectory import FACE_AXES
from hardware.simulator.simulated_throw import Mishaps
from hardware.simulator.virtual_tray import SceneDie, VirtualTray
from models.training.posture_fitting import find_lies, posture_table
from models.training.posture_truth import EDGE_MM, PosturePicture, TrueLie, load
from vander.resources.vision_models import LoadedModels, posture_path
from vision.posture_geometry import PostureModel
from vision.tray_calibration import TrayLayout, calibrate

SETS = ("intersection", "toss-up", "d6", "rollers", "switch-16")
LEANS = 0.12
"""Share of the thrown dice that lean, against the wall or another die."""
TO_SETTLE = 80


def tray_pictures(throws: int, seed: int, leans: float = LEANS) -> Iterator[PosturePicture]:
    """Throws of all sets at rest."""
    for number in range(throws):
        tray = VirtualTray(SETS[number % len(SETS)], seed=seed + number, mishaps=Mishaps(leans=leans, leaves=0.0))
        camera = VirtualCamera(tray, paced=False, seed=number)
        camera.open()
        tray.throw([int(die["number"]) for die in tray.dice()])
        tray.advance(5.0)
        frame = camera.frame()
        plane = calibrate(frame, TrayLayout())
        if plane is not None:
            dice = tuple(_true_lie(die, tray) for die in tray.scene().dice)
            x, y, z = tray.lens.eye
            yield PosturePicture(frame.pixels, plane, dice, (x, y, z))


def _true_lie(die: SceneDie, tray: VirtualTray) -> TrueLie:
    pose = die.pose
    axis = pose.rotation @ FACE_AXES[pose.top]
    top = tray.lens.project((pose.centre + axis * EDGE_MM / 2)[None])[0]
    x, y, z = (float(value) for value in axis)
    return TrueLie(
        x=float(top[0]),
        y=float(top[1]),
        edge=EDGE_MM * tray.lens.scale_at(pose.centre),
        turned_degrees=float(np.degrees(pose.yaw) % 90),
        lean_degrees=float(np.degrees(np.arccos(np.clip(z, -1, 1)))),
        stacked=False,
        hidden=False,
        touches=False,
        axis=(x, y, z),
        centre_mm=(float(pose.centre[0]), float(pose.centre[1]), float(pose.centre[2])),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, action="append", default=[])
    parser.add_argument("--tray", type=int, default=0, help="throws on the virtual tray")
    parser.add_argument("--leans", type=float, default=LEANS, help="share of the thrown dice that lean")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    models, model = LoadedModels.load(), PostureModel.load(posture_path())
    for name, pictures in [
        *((str(folder), load(folder)) for folder in given.pictures),
        *([("virtual tray", tray_pictures(given.tray, given.seed, given.leans))] if given.tray else []),
    ]:
        began = time.perf_counter()
        dice, missed = find_lies(pictures, models.finder, models.reader)
        took = time.perf_counter() - began
        print(f"{name}, {took:.0f} s\n{posture_table(model, dice, missed)}")
        print(f"by the networks alone:\n{posture_table(None, dice, missed)}\n", flush=True)


if __name__ == "__main__":
    main()
