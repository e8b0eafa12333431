"""Trays without markers: how many dice are read right by tapped corners, and how surely a push is noticed.

    python bench/tapped_corners.py --trays 30 --throws 4

Each tray is drawn with surfaces, a lamp, a rim and a camera of its own, none of which was trained on; its corners are
tapped with a human error. The same throws are read with markers in its corners, and with neither. Then the camera or
the tray is pushed, the light changes, or an arm reaches in. Limits are set with `--choosing`, on other surfaces and
dice than those for scoring.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from plain_trays import (
    SIZE,
    LaidDie,
    Nudge,
    PlainTray,
    hand_over,
    lay_dice,
    marker_places,
    picture_of,
    plain_tray,
    with_markers,
)

sys.path.insert(0, str(Path(__file__).parents[1]))

from models.synthetic.canvas import Use
from referee.dice import Zone
from vander.resources.models_and_stores import LoadedModels
from vision.frames import Pixels
from vision.model_file import wilson_interval
from vision.pipeline import read_photograph
from vision.tray_calibration import TappedTray, TrayLayout
from vision.tray_edge import EdgeFinding, TrayEdge, guess_corners

TAP_PX = 3.0
"""Standard deviation of a tap across and down, in pixels of a picture 1280 pixels wide."""
DICE = 5
NEAR_EDGES = 0.7
"""A reading is of the die whose top is so near, in edges."""
PUSHES_MM = (1.0, 3.0, 8.0, 20.0, 60.0)
STOOD_PX, PUSHED_PX, FOLLOWED_PX = 2.0, 6.0, 4.0
"""A corner that moved by less stands still; by more is to be noticed; and may be followed with so much error."""

Rng = np.random.Generator


def tapped_layout(tray: PlainTray, pixels: Pixels, rng: Rng) -> TrayLayout:
    """Return the layout that a person's taps give."""
    spots = (tray.seen_corners() + rng.normal(0, TAP_PX, (4, 2)) + 0.5) / SIZE
    a, b, c, d = ((float(x), float(y)) for x, y in np.clip(spots, 0, 1))
    edge = TrayEdge.of(pixels, (a, b, c, d))
    return TrayLayout.by_taps(round(tray.width_mm), round(tray.height_mm), TappedTray((a, b, c, d), SIZE, edge))


def marked_layout(tray: PlainTray) -> TrayLayout:
    """Return the layout of the same tray with markers in its corners."""
    places = marker_places(tray)
    width, height = places[2] - places[0]
    return TrayLayout(float(width), float(height), brim_mm=float(places[0][0]), bay=False)


def score(
    models: LoadedModels, tray: PlainTray, pixels: Pixels, lying: Sequence[LaidDie], layout: TrayLayout
) -> Counter[str]:
    """Return how many dice are right, wrong, asked about, overlooked or seen outside, and what is read too much."""
    seen = read_photograph(pixels, models.finder, models.reader, tray.dice, layout)
    edge, lens, found = tray.dice.edge_mm, tray.lens, Counter[str]()
    left = list(seen.dice)
    for die in lying:
        spot = lens.project([[*tray.on_table(np.array([[die.x_mm, die.y_mm]]))[0], edge]])[0]
        near = NEAR_EDGES * edge * lens.scale_at(np.array([die.x_mm, die.y_mm, edge]))
        away = [float(np.hypot(*(spot - (each.reading.sighting.x, each.reading.sighting.y)))) for each in left]
        if not away or min(away) > near:
            found["overlooked"] += 1
            continue
        nearest = left.pop(int(np.argmin(away)))
        found["outside"] += nearest.zone is Zone.OUT
        is_right = number_of(str(nearest.reading.face)) == number_of(die.face)
        found["asked" if not nearest.reading.accepted else "right" if is_right else "wrong"] += 1
    found["too many"] += sum(each.reading.accepted for each in left)
    found["no tray"] += not seen.calibrated
    return found


def number_of(face: str) -> str:
    """Return the number of a face: a die's makers print pips or digits."""
    return face.rpartition("-")[2]


def pushes(tray: PlainTray, rng: Rng) -> Iterator[tuple[str, PlainTray, float, bool]]:
    """Yield what is done to a tray: its name, the tray, the exposure, and whether an arm reaches in."""
    yield "nothing moves, other dice", tray, 1.0, False
    yield "a little more or less light", tray, float(rng.uniform(0.8, 1.2)), False
    away = tray.light.direction
    yield (
        "the lamp stands elsewhere",
        replace(tray, light=replace(tray.light, direction=(-away[1], away[0], 1.0))),
        1.0,
        False,
    )
    yield "an arm reaches in", tray, 1.0, True
    for mm in PUSHES_MM:
        way = float(rng.uniform(0, 2 * np.pi))
        off = float(mm * np.cos(way)), float(mm * np.sin(way))
        turn = float(rng.normal(0, min(mm, 20.0) / 10))
        yield f"the camera is pushed by {mm:g} mm", replace(tray, nudge=Nudge(eye_mm=off, pan=turn)), 1.0, False
        yield f"the tray is pushed by {mm:g} mm", replace(tray, nudge=Nudge(tray_mm=off, tray_turn=turn)), 1.0, False


def noticed(layout: TrayLayout, before: PlainTray, after: PlainTray, pixels: Pixels) -> tuple[str, str]:
    """Return how far the corners moved, in a word, and what came of it."""
    assert layout.tapped is not None
    look = layout.tapped.edge.look(pixels)
    true = after.seen_corners() - before.seen_corners()
    far = float(np.linalg.norm(true, axis=1).max())
    kind = "stood" if far < STOOD_PX else "pushed" if far > PUSHED_PX else "pushed a little"
    if look.finding is EdgeFinding.MOVED:
        return kind, "asked"
    corners = layout.tapped.edge.corners
    told = (cv2.perspectiveTransform(corners[None], look.movement)[0] - corners) * max(SIZE) / 640
    error = float(np.linalg.norm(told - true, axis=1).max())
    return kind, "right" if error <= FOLLOWED_PX else "wrong"


def share(part: int, whole: int) -> str:
    """Return a count with its share and the interval of 95 % (Wilson)."""
    if not whole:
        return "0 of 0"
    low, high = wilson_interval(part, whole)
    return f"{part} of {whole} ({100 * part / whole:.1f} %, {100 * low:.1f} to {100 * high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trays", type=int, default=30)
    parser.add_argument("--throws", type=int, default=4, help="of five dice, for each tray")
    parser.add_argument("--choosing", action="store_true", help="surfaces and dice for choosing, not for scoring")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    models, use = LoadedModels.load(), Use.CHOOSING if asked.choosing else Use.SCORING
    read = {name: Counter[str]() for name in ("tapped corners", "markers", "neither")}
    kinds, events = defaultdict[str, Counter[str]](Counter), defaultdict[str, Counter[str]](Counter)
    off, times = list[float](), list[float]()
    for number in range(asked.trays):
        rng = np.random.default_rng([41, number])
        tray = plain_tray(rng, use)
        first = picture_of(tray, lay_dice(tray, DICE, rng), rng)
        layout = tapped_layout(tray, first, rng)
        guess, _ = guess_corners(first)
        off.append(float(np.linalg.norm(np.array(guess) * SIZE - tray.seen_corners(), axis=1).max()))
        same = with_markers(tray)
        for _ in range(asked.throws):
            lying = lay_dice(tray, DICE, rng)
            plain, marked = picture_of(tray, lying, rng), picture_of(same, lying, rng)
            read["tapped corners"] += score(models, tray, plain, lying, layout)
            read["markers"] += score(models, tray, marked, lying, marked_layout(tray))
            read["neither"] += score(models, tray, plain, lying, TrayLayout())
        for name, after, exposure, has_arm in pushes(tray, rng):
            pixels = picture_of(after, lay_dice(tray, DICE, rng), rng, exposure)
            pixels = hand_over(pixels, rng) if has_arm else pixels
            begun = time.perf_counter()
            kind, what = noticed(layout, tray, after, pixels)
            times.append(time.perf_counter() - begun)
            kinds[kind][what] += 1
            events[name][what] += 1
        print(f"tray {number + 1} of {asked.trays}", file=sys.stderr, flush=True)
    dice = asked.trays * asked.throws * DICE
    for name, found in read.items():
        print(f"read by {name}: right {share(found['right'], dice)}; silently wrong {share(found['wrong'], dice)}")
        rest = ", ".join(f"{what} {found[what]}" for what in ("asked", "overlooked", "outside", "too many", "no tray"))
        print(f"  {rest}")
    print(
        f"guessed corners: the worst of four is {np.median(off):.0f} pixels off in the median, {max(off):.0f} at most"
    )
    for name, found in events.items():
        print(f"{name}: " + ", ".join(f"{what} {count}" for what, count in sorted(found.items())))
    stood, pushed = kinds["stood"], kinds["pushed"]
    print(f"false alarms where nothing moved: {share(stood['asked'], stood.total())}")
    print(
        f"pushes of more than {PUSHED_PX:g} pixels noticed: {share(pushed.total() - pushed['wrong'], pushed.total())}"
    )
    print(
        f"  followed within {FOLLOWED_PX:g} pixels {pushed['right']}, asked {pushed['asked']}, wrong {pushed['wrong']}"
    )
    print(f"a look at the edge: {1000 * np.median(times):.1f} ms in the median, {1000 * max(times):.1f} at most")


if __name__ == "__main__":
    main()
