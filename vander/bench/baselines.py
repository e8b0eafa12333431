"""Usual ways of reading dice, next to ours in one run: counted blobs, and a YOLO-sized network."""

from __future__ import annotations

import math
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeVar

import cv2
import numpy as np
import onnxruntime as ort

from vander.bench import photo_scores
from vander.bench.photo_scores import score
from vision.frames import Pixels
from vision.model_file import Z95

# A baseline: count pips with OpenCV's blob detector, as tutorials do it
#
# Round blobs darker or lighter than their surroundings are pips, neighbouring pips are a die, and their number is its
# face. It is never unsure. The constants are the best of several that were tried on photographs.


LONG_SIDE = 960
"""Pixels of the longer side to which a photograph is resized."""
PIP_AREA = (30.0, 1600.0)
"""The area of a pip in pixels."""
ROUND, FILLED, CONVEX = 0.85, 0.6, 0.85
"""The least circularity, inertia ratio and convexity of a pip."""
REACH = 3.8
"""The largest distance of neighbouring pips of a die, in their diameters."""
USUAL = 1.6
"""The largest ratio of a pip's size to the photograph's median."""
EDGE = 5.0
"""The edge of a die in diameters of a pip."""


@dataclass(frozen=True)
class Pip:
    """A blob, in pixels of the photograph."""

    x: float
    y: float
    size: float
    light: bool


def count(pixels: Pixels) -> list[photo_scores.BenchReading]:
    """Return the dice in a BGR photograph."""
    return [_die(pips) for pips in group_pips(_usual(_pips(pixels)))]


def _usual(pips: Sequence[Pip]) -> list[Pip]:
    """Return the pips of about the median size: the dice of a photograph are alike."""
    usual = statistics.median(pip.size for pip in pips) if pips else 0.0
    return [pip for pip in pips if usual / USUAL < pip.size < usual * USUAL]


def _pips(pixels: Pixels) -> list[Pip]:
    factor = LONG_SIDE / max(pixels.shape[:2])
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    small = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=how)
    grey = cv2.medianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), 3)
    return [
        Pip(blob.pt[0] / factor, blob.pt[1] / factor, blob.size / factor, light)
        for light in (False, True)
        for blob in cv2.SimpleBlobDetector.create(_wanted(light)).detect(grey)
    ]


def _wanted(light: bool) -> cv2.SimpleBlobDetector.Params:
    wanted = cv2.SimpleBlobDetector.Params()
    wanted.filterByColor, wanted.blobColor = True, 255 if light else 0
    wanted.filterByArea, (wanted.minArea, wanted.maxArea) = True, PIP_AREA
    wanted.filterByCircularity, wanted.minCircularity = True, ROUND
    wanted.filterByInertia, wanted.minInertiaRatio = True, FILLED
    wanted.filterByConvexity, wanted.minConvexity = True, CONVEX
    return wanted


def group_pips(pips: Sequence[Pip]) -> list[list[Pip]]:
    """Group pips into dice: neighbours of one brightness belong together."""
    groups = list[list[Pip]]()
    for pip in pips:
        near = [group for group in groups if any(_neighbours(pip, other) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([pip, *(other for group in near for other in group)])
    return groups


def _neighbours(one: Pip, other: Pip) -> bool:
    reach = REACH * (one.size + other.size) / 2
    return one.light == other.light and math.hypot(one.x - other.x, one.y - other.y) < reach


def _die(pips: Sequence[Pip]) -> photo_scores.BenchReading:
    """Return the die around these pips; more than six count as six."""
    middle = [sum(values) / len(pips) for values in zip(*((pip.x, pip.y, pip.size) for pip in pips), strict=True)]
    return photo_scores.BenchReading(f"pip-{min(6, len(pips))}", True, middle[0], middle[1], EDGE * middle[2])


# Usual ways of reading dice, next to ours in one run: counted blobs, and a YOLO-sized network's time


PIPS = frozenset({"pip", "empty"})
"""Kinds of photographs on which pips can be counted."""
NO_ONNX = "the YOLO-sized network is left out, since the package onnx is not installed: pip install 'vander[bench]'"

OURS, BLOBS, YOLO = "Vander", "OpenCV blobs", "YOLO11n-sized, 640, alone"

Given = TypeVar("Given")
Interval = tuple[float, float, float]
"""A value and its 95 % interval."""


class YoloSized:
    """A detector of the size of YOLO11n at 640 x 640, on one thread. Needs the package onnx."""

    def __init__(self) -> None:
        from models.training.yolo_sized_network import SIDE, build  # noqa: PLC0415  onnx is an extra, and takes a second to import

        built = build()
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = ort.InferenceSession(built.onnx, options, providers=["CPUExecutionProvider"])
        self._picture = np.full((1, 3, SIDE, SIDE), 0.5, np.float32)
        self.size = f"{built.parameters / 1e6:.2f} M parameters, {built.flops / 1e9:.2f} GFLOPs, random weights"
        self.figures = {"parameters": built.parameters, "flops": built.flops, "side": SIDE}
        self.look()

    def look(self) -> None:
        """Run the network once, on a fixed picture."""
        self._session.run(None, {"picture": self._picture})


def yolo_sized() -> YoloSized | None:
    """Return the network, or None with a sentence on standard error if the package onnx is not installed."""
    if find_spec("onnx") is None:
        print(f"vander: {NO_ONNX}", file=sys.stderr)
        return None
    return YoloSized()


@dataclass(frozen=True)
class PhotoComparison:
    """One photograph: our score, the blob counter's, and the network's milliseconds if it was run."""

    ours: photo_scores.PhotoScore
    blobs: photo_scores.PhotoScore
    yolo_ms: float | None


class BaselineComparison:
    """Run the baselines next to ours, photograph by photograph, so that a busy machine slows all alike."""

    def __init__(self) -> None:
        self._yolo = yolo_sized()
        self._heats = list[PhotoComparison]()

    def run(self, label: photo_scores.PhotoLabel, pixels: Pixels, ours: photo_scores.PhotoScore) -> None:
        """Compare on a photograph that we have just read; dice without pips are skipped."""
        if label.kind not in PIPS:
            return
        seen, ms = time_call(lambda: count(pixels))
        counted = score(label, photo_scores.outcomes(label, seen), ms)
        self._heats.append(PhotoComparison(ours, counted, time_call(self._yolo.look)[1] if self._yolo else None))

    def show(self, as_json: bool) -> None:
        """Print the results; nothing if no photograph could be compared."""
        if not self._heats:
            return
        rows = compare_baselines(self._heats)
        if as_json:
            size = self._yolo.figures if self._yolo else {}
            photo_scores.print_lines({**row.figures(), **(size if row.score is None else {})} for row in rows)
            return
        _print_standings(rows, self._yolo)


def time_call(work: Callable[[], Given]) -> tuple[Given, float]:
    """Return what `work` returns, and the processor's milliseconds, which a busy machine does not inflate."""
    began = time.thread_time()
    given = work()
    return given, 1000 * (time.thread_time() - began)


@dataclass(frozen=True)
class BaselineResult:
    """The result of one reader: score (None if only timed), time, and silent errors as a ratio to ours.

    The ratio of times is the median over the photographs, each held against our time for the same one.
    """

    name: str
    score: photo_scores.PhotoScore | None
    ms: float
    time_ratio: Interval
    errors_ratio: Interval | None

    def figures(self) -> dict[str, Any]:
        """Return the result as JSON, ratios with their 95 % intervals."""
        return {
            "reader": self.name,
            **(self.score.shares() if self.score else {}),
            "ms": round(self.ms, 1),
            **_ratio("time", self.time_ratio),
            **_ratio("errors", self.errors_ratio),
        }


def _ratio(name: str, ratio: Interval | None) -> dict[str, Any]:
    value, low, high = (round(one, 2) for one in ratio) if ratio else (None, None, None)
    return {f"{name}_ratio": value, f"{name}_ratio_interval": [low, high] if ratio else None}


def compare_baselines(heats: Sequence[PhotoComparison]) -> list[BaselineResult]:
    """Return our result, then each baseline's. Needs one photograph."""
    ours, counted = (
        sum(scores, photo_scores.PhotoScore())
        for scores in zip(*((heat.ours, heat.blobs) for heat in heats), strict=True)
    )
    rows = [
        BaselineResult(OURS, ours, ours.ms / len(heats), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0)),
        BaselineResult(BLOBS, counted, counted.ms / len(heats), _times(heats, _blobs_ms), errors_ratio(counted, ours)),
    ]
    yolo = [heat.yolo_ms for heat in heats if heat.yolo_ms is not None]
    if yolo:
        rows.append(BaselineResult(YOLO, None, sum(yolo) / len(yolo), _times(heats, _yolo_ms), None))
    return rows


def _blobs_ms(heat: PhotoComparison) -> float:
    return heat.blobs.ms


def _yolo_ms(heat: PhotoComparison) -> float:
    return heat.yolo_ms or 0.0


def _times(heats: Sequence[PhotoComparison], ms: Callable[[PhotoComparison], float]) -> Interval:
    return photo_scores.median_interval([ms(heat) / heat.ours.ms for heat in heats])


def errors_ratio(theirs: photo_scores.PhotoScore, ours: photo_scores.PhotoScore) -> Interval | None:
    """Return the ratio of their silent errors to ours, over the same dice; None if we made none.

    The interval is that of the logarithm of a ratio (Katz et al. 1978).
    """
    if not (ours.wrong and theirs.wrong):
        return None
    ratio = theirs.wrong / ours.wrong
    spread = Z95 * math.sqrt(max(0.0, 1 / theirs.wrong + 1 / ours.wrong - 2 / ours.dice))
    return ratio, ratio * math.exp(-spread), ratio * math.exp(spread)


def _print_standings(rows: Sequence[BaselineResult], yolo: YoloSized | None) -> None:
    names = ("found %", "read right %", "silently wrong per 1000", "phantoms", "exact %", "ms")
    photo_scores.print_grid(("reader", *names, "time, ours 1", "silent errors, ours 1"), map(_cells, rows))
    whole = next(row.score for row in rows if row.score)
    print(f"over the {whole.pictures} photographs of dice with pips or of none, {whole.dice} dice", end="")
    print(f"; the network: {yolo.size}" if yolo else "")


def _cells(row: BaselineResult) -> tuple[str, ...]:
    figures = row.figures()
    read: tuple[str, ...] = ("",) * 5
    if row.score:
        shares = (photo_scores.share(figures, name) for name in ("found", "right"))
        wrong, exact = photo_scores.share(figures, "wrong", "per_1000"), photo_scores.share(figures, "exact")
        read = (*shares, wrong, str(row.score.accepted_phantoms), exact)
    errors = "we made none" if row.score and row.errors_ratio is None else _told(row.errors_ratio)
    return (row.name, *read, f"{figures['ms']}", _told(row.time_ratio), errors)


def _told(ratio: Interval | None) -> str:
    if ratio is None:
        return ""
    value, low, high = ratio
    return f"{value:.2f}" if low == high else f"{value:.2f} ({low:.2f}-{high:.2f})"
