"""Dice laid out by hand for a guided capture: observations, the pictures that go with them, and a disk that is full."""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
from laid_dice import cut_picture

from models.dataset import FaceLabel, Sample, SampleReading
from referee.dice import DieKind, DieSet, Face, FaceName, KindName, Zone
from vision.frame_reader import TrayPicture
from vision.frames import Pixels
from vision.observations import DieReading, DieSighting, Observation, Posture, TrackedDie
from vision.pipeline import DieNotInView
from vision.rectification import RotatedSquare

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
WEIGHTS = Path(__file__).parents[2] / "models/weights"


def a_kind(*faces: str, name: str = "odd", title: str = "Odd die") -> DieKind:
    """A kind of die with these faces, called as they are."""
    return DieKind(KindName(name), title, tuple(Face(FaceName(face), face.capitalize()) for face in faces))


def odd_dice(*kinds: DieKind, name: str = "ours") -> DieSet:
    """Three dice of each kind; of one kind with a sun, a moon and a boat unless told otherwise."""
    return DieSet(name, "Our dice", tuple((kind, 3) for kind in kinds or (a_kind("sun", "moon", "boat"),)), 16.0)


@dataclass
class Laid:
    """A die on the tray: its middle and turn, and what may be odd about it."""

    x: float
    y: float
    turned: float = 0.0
    posture: Posture = Posture.FLAT
    sure: float = 0.9
    zone: Zone = Zone.FIELD

    def seen(self, number: int) -> TrackedDie:
        """What the pipeline says of it."""
        at = DieSighting(self.x, self.y, 16, self.turned, self.posture, self.sure, self.x, self.y, 40)
        ups = ((FaceName("moon"), 0.3),)
        return TrackedDie(number, DieReading(at, KindName("odd"), FaceName("sun"), 0.4, False, ups), self.zone, 1)


@dataclass
class Tray:
    """Dice laid by hand, and the sight of them. Each die's picture is its own while it lies where it lies."""

    dice: list[Laid] = field(default_factory=list)
    frame: int = 0
    in_sight: bool = True
    moved_just_now: bool = False

    def lay(self, *dice: Laid) -> Observation:
        """Lay these dice, and no others."""
        self.dice = list(dice)
        return self.seen()

    def seen(self, *, at_rest: bool = True, hands_in: bool = False) -> Observation:
        """What the pipeline says now."""
        self.frame += 1
        dice = tuple(die.seen(number) for number, die in enumerate(self.dice, 1))
        return Observation(self.frame, 1, dice, at_rest=at_rest, hands_in=hands_in, calibrated=self.in_sight)

    def die_image(self, number: int) -> Pixels:
        return self.die_with_surroundings(number)[0]

    def die_with_surroundings(self, number: int) -> tuple[Pixels, RotatedSquare]:
        if self.moved_just_now or number > len(self.dice):
            raise DieNotInView(f"die {number} is not in view")
        die = self.dice[number - 1]
        return blotches(round(die.x * 1000 + die.y)), RotatedSquare(60, 60, 40, die.turned)

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        return (blotches(self.frame, 240, 320), 10.0, 20.0) if self.in_sight else None

    def current_picture(self) -> None:
        return None

    def settled_picture(self) -> TrayPicture:
        return cut_picture(blotches(self.frame))


def blotches(seed: int, height: int = 120, width: int = 120) -> Pixels:
    """A picture like no other."""
    small = np.random.default_rng(seed).integers(0, 256, (height // 10, width // 10, 3), np.uint8)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST), np.uint8)


def a_sample(
    face: str = "sun",
    number: int = 1,
    *,
    kind: str = "odd",
    turned: float = 0.0,
    at: tuple[float, float] | None = None,
    light: float = 0.5,
    read: SampleReading | None = None,
    said: datetime = NOON,
    labelled: bool = True,
) -> Sample:
    """A captured die, `at` in its frame, or without a frame."""
    label = FaceLabel(kind, face, "guided capture", said) if labelled else None
    there = RotatedSquare(*at, 40, turned) if at else None
    name = f"20261121-1200-abc-{number:04d}-1"
    frame = name[:-2] if there else ""
    place = RotatedSquare(60, 60, 40, turned)
    return Sample(name, "20261121-1200-abc", "ours", "guided", NOON, place, frame, there, light, read, label)


def varied(face: str, count: int, first: int = 1, kind: str = "odd") -> list[Sample]:
    """So many pictures of a face, each turned otherwise and at another place."""
    return [
        a_sample(face, first + n, kind=kind, turned=17.0 * n % 90, at=(100.0 * n, 50), light=0.1 * (n % 10))
        for n in range(count)
    ]


@contextmanager
def full_disk(most_bytes: int = 0) -> Iterator[None]:
    """The system lets no file grow beyond so many bytes, as a full disk would."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def files(folder: Path) -> Sequence[str]:
    """All files under a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
