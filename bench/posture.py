"""How many leaning and stacked dice are seen as such, and how many flat ones are called leaning.

    python bench/posture.py --tray 200           # throws on the virtual tray, with many leaning dice
    python bench/posture.py --pictures FOLDER    # made by `python -m models.training posture-pictures`
    python bench/posture.py --read FOLDER        # the same folders, read as `vander read` does

Prints a table by bands of angles, with counts and 95 % intervals: by geometry, and by the networks alone, as where no
plane is known. With `--read` nothing is told to the reader: it finds the tray by its markers, and the size of the dice.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.physics import FACE_AXES, Mishaps
from hardware.simulator.virtual_tray import SceneDie, VirtualTray
from models.training.posture_training import COVERED, LEANS_FROM, find_lies, posture_table
from models.training.posture_truth import EDGE_MM, PosturePicture, TrueLie, load
from vander.resources.models_and_stores import LoadedModels, posture_path, weights_path
from vision.classification import Reader
from vision.model_file import wilson_interval
from vision.observations import LEANING, TrackedDie
from vision.pipeline import read_photograph
from vision.posture import PostureModel
from vision.tray_calibration import TrayLayout, calibrate
from vision.tray_markers import MARKERS

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
    parser.add_argument("--read", type=Path, action="append", default=[])
    parser.add_argument("--tray", type=int, default=0, help="throws on the virtual tray")
    parser.add_argument("--leans", type=float, default=LEANS, help="share of the thrown dice that lean")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    models, model = LoadedModels.load(), PostureModel(posture_path())
    unmoved = Reader(weights_path("reader"))  # the squares as the finder saw them: the table moves them itself
    for name, pictures in [
        *((str(folder), load(folder)) for folder in given.pictures),
        *([("virtual tray", tray_pictures(given.tray, given.seed, given.leans))] if given.tray else []),
    ]:
        began = time.perf_counter()
        found = find_lies(pictures, models.finder, unmoved)
        took = time.perf_counter() - began
        print(f"{name}, {took:.0f} s\n{posture_table(model, found)}")
        print(f"by the networks alone:\n{posture_table(None, found)}\n", flush=True)
    for folder in given.read:
        print(f"{folder}, read as photographs\n{read_table(load(folder), models)}\n", flush=True)


def read_table(pictures: Iterable[PosturePicture], models: LoadedModels) -> str:
    """Read pictures as `vander read` does, and return how dice are said to lie, by tilt and by the markers' size."""
    verdicts: dict[str, list[bool]] = {}
    unseen, count, edges = 0, 0, list[float]()
    for picture in pictures:
        if len(picture.markers_seen) < len(MARKERS):
            continue
        seen = read_photograph(picture.pixels, models.finder, models.reader, None, TrayLayout())
        count += 1
        if not seen.calibrated:
            unseen += 1
            continue
        factor = 20.0 / picture.marker_mm
        for truth in picture.dice:
            near = [die for die in seen.dice if _apart(truth, die) < truth.edge / 2]
            if truth.hidden or truth.covered > COVERED or not near:
                continue
            sighting = near[0].reading.sighting
            askew = sighting.posture in LEANING
            how = (
                "stacked"
                if truth.stacked
                else "flat"
                if truth.lean_degrees < LEANS_FROM
                else "leaning 9 degrees and more"
            )
            if how == "flat":
                edges.append(sighting.edge_mm / (picture.edge_mm * factor))
            if how == "leaning 9 degrees and more" and truth.lean_degrees < 9:
                continue
            for group in ("all", _tilt(picture), _markers(picture)):
                verdicts.setdefault(f"{how}, {group}: called leaning or stacked", []).append(askew)
    lines = [_share(text, told) for text, told in sorted(verdicts.items())]
    spread = np.percentile(edges, (5, 50, 95)) if edges else (0, 0, 0)
    lines.append("edges as told, of the true ones: 5 %, 50 %, 95 %: " + ", ".join(f"{one:.3f}" for one in spread))
    return "\n".join([*lines, f"pictures with four markers in which no tray was found: {unseen} of {count}"])


def _lies(truth: TrueLie) -> str:
    if truth.stacked:
        return "stacked"
    if truth.lean_degrees < LEANS_FROM:
        return "flat"
    return "leaning 9 degrees and more" if truth.lean_degrees >= 9 else "leaning less"


def _apart(truth: TrueLie, die: TrackedDie) -> float:
    return float(np.hypot(truth.x - die.reading.sighting.x, truth.y - die.reading.sighting.y))


def _tilt(picture: PosturePicture) -> str:
    x, y, z = picture.eye_mm
    middle = np.array(picture.calibration.layout.size_mm) / 2
    tilt = np.degrees(np.arctan2(np.hypot(*(middle - (x, y))), z))
    return "tilted up to 30 degrees" if tilt <= 30 else "tilted from 30 to 55 degrees" if tilt <= 55 else "tilted more"


def _markers(picture: PosturePicture) -> str:
    return "markers of a mat" if abs(picture.marker_mm - 20) < 1 else "markers of another size"


def _share(text: str, told: list[bool]) -> str:
    low, high = wilson_interval(sum(told), len(told))
    return (
        f"{text}: {sum(told)} of {len(told)} = {100 * sum(told) / len(told):.2f} % ({100 * low:.2f}-{100 * high:.2f})"
    )


if __name__ == "__main__":
    main()
