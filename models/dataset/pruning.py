"""Which samples of an origin, such as play, are deleted first when they take up too much space.

In this order: frames of easy samples; samples that nearly repeat another; easy samples, the surest first; the other
frames; the other samples; and last what was hard or is rare. The last FEWEST of every face stay, whatever their origin.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models import atomic_files
from models.dataset.sample_store import SampleStore
from models.dataset.samples import NoSuchSample, Sample
from vision.frames import Pixels

SIDE = 24
"""Pixels a side of a thumbnail."""
MIDDLE = 0.6
"""The share of each side that is compared: the die, and little of what lies around it."""
ALIKE_FROM = 0.96
"""Pictures whose thumbnails correlate by this much or more are near-duplicates."""

Thumbnail = npt.NDArray[np.float32]


def is_near_duplicate(pixels_a: Pixels, pixels_b: Pixels) -> bool:
    """True if two pictures with the die in their middle are so alike that the second teaches nothing new.

    False for a die that was turned by ten degrees or more, or shows another face; noise and brightness do not count.
    Both pictures are height x width x 3, BGR, uint8.
    """
    return correlation(thumbnail(pixels_a), thumbnail(pixels_b)) >= ALIKE_FROM


def thumbnail(pixels: Pixels) -> Thumbnail:
    """Return the middle of a picture as SIDE x SIDE grey values in a row, of mean 0 and norm 1; all 0 if it is flat."""
    height, width = pixels.shape[:2]
    down, across = (round(length * (1 - MIDDLE) / 2) for length in (height, width))
    middle = cv2.cvtColor(pixels[down : height - down, across : width - across], cv2.COLOR_BGR2GRAY)
    small = cv2.resize(middle, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32).ravel()
    small -= small.mean()
    length = float(np.linalg.norm(small))
    return small / length if length > SIDE else np.zeros_like(small)


def correlation(one: Thumbnail, other: Thumbnail) -> float:
    """Return the correlation of two thumbnails, -1..1; 1 for two flat ones."""
    if not one.any() and not other.any():
        return 1.0
    return float(one @ other)


FEWEST = 10
"""Labelled samples of a face that stay in any case."""
SURE = 0.9
"""A reading with less confidence than this was a hard one."""
NEAR_EDGES, NEAR_DEGREES = 0.5, 8.0
"""A sample repeats another only if it lies this near to it, in edges of a die and in degrees."""
FaceKey = tuple[str, str, str]
"""A die set, a kind and a face; kind and face are '' for a sample that waits for its label."""


def face_key(sample: Sample) -> FaceKey:
    return (sample.die_set, sample.label.kind, sample.label.face) if sample.label else (sample.die_set, "", "")


def is_hard(sample: Sample) -> bool:
    """True if a sample was misread, asked about or read with doubt, or still waits for a label because of doubt."""
    if sample.label is None:
        return True
    read = sample.read
    if read is None:
        return False
    right = (read.kind, read.face) == (sample.label.kind, sample.label.face)
    return not (right and read.accepted and read.confidence >= SURE) or "correct" in sample.label.by


def is_easy(sample: Sample) -> bool:
    """True if a sample was read rightly and surely, so that it teaches little."""
    return sample.read is not None and not is_hard(sample)


def prune(store: SampleStore, most_bytes: int, origin: str = "play") -> int:
    """Delete samples and frames of an origin until their pictures take up no more than that.

    Return how many frames and samples were deleted. The last FEWEST samples of a face stay, even when that is too much.
    Raises SaveFailed.
    """
    pruner = Pruner(store, most_bytes, origin)
    with suppress(NoSuchSample):  # somebody deleted a sample at the same time: the next call does the rest
        pruner.run()
    return pruner.deleted


class Pruner:
    """Deletes samples of one origin until they take up at most `most_bytes`. `deleted` counts frames and samples."""

    def __init__(self, store: SampleStore, most_bytes: int, origin: str) -> None:
        self._store, self._most, self._origin = store, most_bytes, origin
        self.deleted = 0

    def run(self) -> None:
        """Delete in this module's order until it is enough. Raises NoSuchSample and SaveFailed."""
        self._delete_frames(is_easy)
        self._delete(lambda: [one for one in near_repeats(self._store, self._samples()) if not is_hard(one)])
        self._delete(lambda: [one for one in self._samples() if is_easy(one)])
        self._delete_frames(lambda _: True)
        self._delete(lambda: [one for one in self._samples() if not is_hard(one)])
        self._delete(self._samples)

    def _samples(self) -> list[Sample]:
        return [sample for sample in self._store.samples() if sample.origin == self._origin]

    def _excess_bytes(self) -> int:
        return self._store.bytes_used_by(self._origin) - self._most

    def _delete_frames(self, may: Callable[[Sample], bool]) -> None:
        """Delete frames all of whose samples may lose theirs, as many as it takes."""
        if self._excess_bytes() <= 0:
            return
        by_frame: dict[Path, list[Sample]] = defaultdict(list)
        for sample in self._samples():
            if path := self._store.frame_path(sample.name):
                by_frame[path].append(sample)
        frames = [path for path, samples in by_frame.items() if all(map(may, samples))]
        while going := self._enough_of(frames):
            self._store.delete_frames(sample.name for path in going for sample in by_frame[path])
            self.deleted += len(going)
            frames = frames[len(going) :]

    def _delete(self, candidates: Callable[[], Sequence[Sample]]) -> None:
        """Delete candidates in `pruning_order`, as many as it takes."""
        if self._excess_bytes() <= 0:
            return
        order = pruning_order(candidates(), Counter(face_key(sample) for sample in self._store.samples()))
        paths = [self._store.crop_path(sample.name) for sample in order]
        while going := self._enough_of(paths):
            self._store.delete(sample.name for sample in order[: len(going)])
            self.deleted += len(going)
            paths, order = paths[len(going) :], order[len(going) :]

    def _enough_of(self, paths: Sequence[Path]) -> list[Path]:
        """Return the first of these files that together are as large as the excess."""
        excess = self._excess_bytes()
        freed = [0, *accumulate(map(atomic_files.file_size, paths))]
        return [path for path, before in zip(paths, freed, strict=False) if before < excess]


def pruning_order(samples: Sequence[Sample], counts: Counter[FaceKey]) -> list[Sample]:
    """Return the samples that may be deleted, first to last: always the surest or oldest of the commonest face.

    `counts` says how many samples of each face there are; the last FEWEST labelled ones are not among the result.
    """
    waiting: dict[FaceKey, list[Sample]] = defaultdict(list)
    for sample in sorted(samples, key=_surest_first):
        waiting[face_key(sample)].append(sample)
    ranked = [
        (counts[face] - place, place, sample)
        for face, found in waiting.items()
        for place, sample in enumerate(found)
        if counts[face] - place > (FEWEST if face[1] else 0)
    ]
    return [sample for _, _, sample in sorted(ranked, key=lambda row: (-row[0], row[1], row[2].name))]


def _surest_first(sample: Sample) -> tuple[float, object, str]:
    return (-sample.read.confidence if sample.read else 0.0, sample.taken_at, sample.name)


def near_repeats(store: SampleStore, samples: Iterable[Sample]) -> list[Sample]:
    """Return the samples that repeat an earlier one of their session: same label, near place and turn, alike pixels."""
    groups: dict[tuple[str, FaceKey], list[Sample]] = defaultdict(list)
    for sample in samples:
        groups[sample.session, face_key(sample)].append(sample)
    return [sample for group in groups.values() for sample in _repeats_in(group, store)]


def _repeats_in(group: Sequence[Sample], store: SampleStore) -> Iterator[Sample]:
    distinct: list[tuple[Sample, Thumbnail]] = []
    for sample, pixels in store.with_pixels(group):
        small = thumbnail(pixels)
        if any(_is_near(sample, other) and correlation(small, seen) >= ALIKE_FROM for other, seen in distinct):
            yield sample
        else:
            distinct.append((sample, small))


def _is_near(sample: Sample, other: Sample) -> bool:
    """True if two dice lie in nearly the same place and turn, as far as that is known."""
    turned = abs(sample.place.turned_degrees - other.place.turned_degrees) % 90
    if min(turned, 90 - turned) > NEAR_DEGREES:
        return False
    if sample.in_frame is None or other.in_frame is None:
        return True
    away = np.hypot(sample.in_frame.x - other.in_frame.x, sample.in_frame.y - other.in_frame.y)
    return bool(away < NEAR_EDGES * sample.in_frame.edge)
