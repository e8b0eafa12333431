"""Dice drawn flat on a felt, for tests that need pictures and no camera."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import cv2
import numpy as np

from models.dataset import FaceLabel, NewSample, Sample, SampleReading, SampleStore
from vision.frames import Pixels
from vision.rectification import RotatedSquare

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def clock(start: datetime = NOON, step: timedelta = timedelta(seconds=1)) -> Iterator[datetime]:
    """Moments, each a step after the last."""
    while True:
        yield start
        start += step


def opened(folder: Path, start: datetime = NOON) -> SampleStore:
    """A collection whose clock begins at that moment."""
    moments = clock(start)
    return SampleStore(folder, now=lambda: next(moments))


def felt(width: int = 96, height: int = 96, seed: int = 0) -> Pixels:
    """A green felt with its grain."""
    rng = np.random.default_rng(seed)
    return np.clip(rng.normal((60, 110, 50), 6, (height, width, 3)), 0, 255).astype(np.uint8)


def lay(picture: Pixels, place: RotatedSquare, pips: int) -> Pixels:
    """Draw a white die with its pips."""
    turn = np.radians(place.turned_degrees)
    along, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])

    def at(x: float, y: float) -> np.ndarray:
        return np.array([place.x, place.y]) + place.edge * (x * along + y * down)

    corners = np.array([at(x, y) for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))])
    cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], (230, 235, 235))
    spots = [(-0.25, -0.25), (0.25, 0.25), (-0.25, 0.25), (0.25, -0.25), (-0.25, 0.0), (0.25, 0.0)]
    for x, y in ([(0.0, 0.0)] if pips % 2 else []) + spots[: pips - pips % 2]:
        cv2.circle(picture, [round(float(n)) for n in at(x, y)], round(place.edge / 9), (20, 20, 20), -1)
    return picture


def a_die(
    face: str = "pip-3",
    *,
    turned: float = 0.0,
    seed: int = 0,
    read: SampleReading | None = None,
    labelled: bool = True,
    in_frame: RotatedSquare | None = None,
) -> NewSample:
    """A die of 32 pixels in the middle of its picture, labelled unless told otherwise."""
    place = RotatedSquare(48.0, 48.0, 32.0, turned)
    pixels = lay(felt(seed=seed), place, int(face[-1]))
    label = FaceLabel("d6", face, "guided capture", NOON) if labelled else None
    return NewSample(pixels, place, in_frame, read, label, 0.5)


def a_read(face: str, confidence: float = 0.99, *, accepted: bool = True) -> SampleReading:
    return SampleReading("d6", face, confidence, accepted, (("pip-5", 0.01),), "reader 3")


def a_throw(*faces: str, seed: int = 0, labelled: bool = True) -> tuple[Pixels, list[NewSample]]:
    """A frame of the tray with these dice, each turned otherwise, and the dice."""
    frame = felt(480, 320, seed)
    dice = []
    for number, face in enumerate(faces):
        place = RotatedSquare(80.0 + 90 * number, 100.0 + 30 * number, 34.0, 20.0 * number)
        lay(frame, place, int(face[-1]))
        dice.append((place, face))
    return frame, [_cut(frame, place, face, labelled) for place, face in dice]


def _cut(frame: Pixels, place: RotatedSquare, face: str, labelled: bool) -> NewSample:
    left, top = int(place.x) - 48, int(place.y) - 48
    near = RotatedSquare(place.x - left, place.y - top, place.edge, place.turned_degrees)
    label = FaceLabel("d6", face, "guided capture", NOON) if labelled else None
    return NewSample(frame[top : top + 97, left : left + 97].copy(), near, place, a_read(face), label, 0.4)


def a_set(store: SampleStore, days: int = 1, *, throws: int = 2) -> tuple[Sample, ...]:
    """A session a day, each with some throws of three dice."""
    for day in range(days):
        evening = opened(store.folder, NOON.replace(day=day + 1))
        name = evening.start_session("ours", "guided", f"2026110{day + 1}-1200-abc")
        for throw in range(throws):
            frame, dice = a_throw("pip-1", "pip-2", f"pip-{3 + throw % 4}", seed=10 * day + throw)
            evening.save(name, "ours", frame, dice)
    return store.samples()
