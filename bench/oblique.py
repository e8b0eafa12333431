"""How dice are read by a camera that leans: found, asked about and silently wrong, by the camera's tilt.

    python bench/oblique.py --trays 10                # with markers, by tilts of 0 to 60 degrees
    python bench/oblique.py --trays 10 --no-markers   # photographs of the same trays without markers

The trays are drawn with the surfaces and the dice's art for scoring; --choosing draws those that limits are chosen on.
Each lies under a camera that looks at its middle, and its dice lie flat. Prints counts with 95 % intervals.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from plain_trays import LaidDie, PlainTray, lay_dice, picture_of, plain_tray
from tapped_corners import marked_layout

sys.path.insert(0, str(Path(__file__).parents[1]))

from models.synthetic.canvas import Use
from vander.resources.models_and_stores import LoadedModels
from vision.model_file import wilson_interval
from vision.observations import LEANING, DieReading
from vision.pipeline import read_photograph

TILTS = (0, 15, 30, 40, 50, 55, 60)
SETS = ("d6", "intersection", "toss-up")
MAT_MM = 1.0
"""Height of the rim: of a mat, since that of a tray would hide the markers in front."""
NEAR_EDGES = 0.6
"""A reading is that of a die whose top it is nearer to, in edges of the die."""


def read_tray(tray: PlainTray, laid: Sequence[LaidDie], models: LoadedModels, rng: np.random.Generator) -> Counter[str]:
    """Return what became of the dice of one picture."""
    pixels = picture_of(tray, [*laid], rng)
    seen = read_photograph(pixels, models.finder, models.reader, tray.dice, marked_layout(tray))
    readings, counts = [die.reading for die in seen.dice], Counter(dice=len(laid))
    for die, spot in zip(laid, _tops(tray, laid), strict=True):
        near = [one for one in readings if np.hypot(one.sighting.x - spot[0], one.sighting.y - spot[1]) < spot[2]]
        counts += _outcome(die, min(near, key=lambda one: float(np.hypot(*_away(one, spot))))) if near else Counter()
        readings = [one for one in readings if one not in near]
    counts["phantoms"] += sum(one.accepted for one in readings)
    counts["phantoms asked"] += sum(not one.accepted for one in readings)
    counts["trays"] += seen.calibrated
    return counts


def _outcome(die: LaidDie, read: DieReading) -> Counter[str]:
    is_wrong = read.accepted and str(read.face).replace("digit-", "pip-") != die.face  # numbers may be drawn as either
    return Counter(found=1, asked=not read.accepted, wrong=is_wrong, leaning=read.sighting.posture in LEANING)


def _away(read: DieReading, spot: tuple[float, float, float]) -> tuple[float, float]:
    return read.sighting.x - spot[0], read.sighting.y - spot[1]


def _tops(tray: PlainTray, laid: Sequence[LaidDie]) -> Iterator[tuple[float, float, float]]:
    """Yield where the top of each die is seen, and how far from there a reading is its own, in pixels."""
    edge = tray.dice.edge_mm
    for die in laid:
        x, y = tray.on_table(np.array([[die.x_mm, die.y_mm]]))[0]
        top = np.array([x, y, edge])
        (across, down) = tray.lens.project([top])[0]
        yield float(across), float(down), NEAR_EDGES * edge * tray.lens.scale_at(top)


def measure(tilt: float, trays: int, use: Use, *, markers: bool, models: LoadedModels) -> Counter[str]:
    """Return what became of the dice of so many trays under a camera of that tilt."""
    total = Counter[str]()
    for number in range(trays):
        rng = np.random.default_rng([number, round(tilt), tuple(Use).index(use)])
        tray = plain_tray(rng, use, SETS[number % len(SETS)])
        tray = replace(tray, tilt=float(tilt), markers=markers, rim_high_mm=MAT_MM)
        total += read_tray(tray, lay_dice(tray, sum(count for _, count in tray.dice.counts), rng), models, rng)
    return total


def _share(part: int, whole: int, unit: int = 100) -> str:
    low, high = (unit * one for one in wilson_interval(part, whole))
    return f"{unit * part / max(1, whole):6.2f} ({low:.1f}-{high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trays", type=int, default=10, help="trays for each tilt")
    parser.add_argument("--tilts", type=int, nargs="*", default=TILTS)
    parser.add_argument("--no-markers", action="store_true")
    parser.add_argument("--choosing", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    models = LoadedModels.load()
    use = Use.CHOOSING if given.choosing else Use.SCORING
    print(
        "tilt  trays known  dice  found %              asked %              silently wrong per 1000  leaning  phantoms"
    )
    for tilt in given.tilts:
        seen = measure(tilt, given.trays, use, markers=not given.no_markers, models=models)
        print(
            f"{tilt:4d}  {seen['trays']:3d} of {given.trays:3d}  {seen['dice']:4d} "
            f" {_share(seen['found'], seen['dice']):20s}"
            f" {_share(seen['asked'], seen['dice']):20s} {_share(seen['wrong'], seen['dice'], 1000):24s}"
            f" {seen['leaning']:5d}  {seen['phantoms']} ({seen['phantoms asked']} asked)",
            flush=True,
        )


if __name__ == "__main__":
    main()
