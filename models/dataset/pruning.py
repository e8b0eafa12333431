"""What goes first when there is too much: of the pictures that were captured in one way, such as from play.

Frames of plain cases; pictures that nearly repeat another; plain dice, those that were read most surely first; the
other frames; the other dice; and last what was hard or is rare. Of every face the last FEWEST stay, however captured.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from models import atomic_files
from models.dataset.near_duplicates import ALIKE_FROM, Thumbnail, correlation, thumbnail
from models.dataset.samples import Sample

if TYPE_CHECKING:
    from models.dataset.sample_store import SampleStore

FEWEST = 10
"""So many labelled pictures of a face stay in any case."""
SURE = 0.9
"""A reading less sure than this was a hard one."""
NEAR_EDGES, NEAR_DEGREES = 0.5, 8.0
"""How near to another a die lies that may be the same picture again."""
KindFace = tuple[str, str, str]
"""A die set, a kind and a face; the last two are empty while a die waits for its label."""


def face_key(sample: Sample) -> KindFace:
    """What the die is labelled."""
    return (sample.die_set, sample.label.kind, sample.label.face) if sample.label else (sample.die_set, "", "")


def is_hard(sample: Sample) -> bool:
    """Whether it was read wrongly, asked about, or read with doubt; what waits for a label does so for its doubt."""
    if sample.label is None:
        return True
    read = sample.read
    if read is None:
        return False
    right = (read.kind, read.face) == (sample.label.kind, sample.label.face)
    return not (right and read.accepted and read.confidence >= SURE) or "correct" in sample.label.by


def is_easy(sample: Sample) -> bool:
    """Whether it was read rightly and surely: it teaches little."""
    return sample.read is not None and not is_hard(sample)


class Pruner:
    """One thinning of what was captured so in a collection, whose lock is held by whoever calls."""

    def __init__(self, store: SampleStore, most_bytes: int, how: str) -> None:
        self._store, self._most, self._how = store, most_bytes, how
        self._gone = 0

    def done(self) -> int:
        """Throw away in the order told above until it is enough; gives how many frames and dice went."""
        self._let_frames_go(is_easy)
        self._let_go(lambda: [sample for sample in near_repeats(self._store, self._samples()) if not is_hard(sample)])
        self._let_go(lambda: [sample for sample in self._samples() if is_easy(sample)])
        self._let_frames_go(lambda _: True)
        self._let_go(lambda: [sample for sample in self._samples() if not is_hard(sample)])
        self._let_go(self._samples)
        return self._gone

    def _samples(self) -> list[Sample]:
        return [sample for sample in self._store.samples() if sample.how == self._how]

    def _too_much(self) -> int:
        return self._store.bytes_used_by(self._how) - self._most

    def _let_frames_go(self, may: Callable[[Sample], bool]) -> None:
        """Frames all of whose dice may, as far as it takes."""
        if self._too_much() <= 0:
            return
        by_frame: dict[Path, list[Sample]] = defaultdict(list)
        for sample in self._samples():
            if path := self._store.frame_path(sample.name):
                by_frame[path].append(sample)
        frames = [path for path, dice in by_frame.items() if all(map(may, dice))]
        while going := self._as_far_as_it_takes(frames):
            self._store.delete_frames(sample.name for path in going for sample in by_frame[path])
            self._gone += len(going)
            frames = frames[len(going) :]

    def _let_go(self, which: Callable[[], Sequence[Sample]]) -> None:
        """These dice, the commonest face's first, as far as it takes and FEWEST allows."""
        if self._too_much() <= 0:
            return
        order = pruning_order(which(), Counter(face_key(sample) for sample in self._store.samples()))
        paths = [self._store.crop_path(sample.name) for sample in order]
        while going := self._as_far_as_it_takes(paths):
            self._store.delete(sample.name for sample in order[: len(going)])
            self._gone += len(going)
            paths, order = paths[len(going) :], order[len(going) :]

    def _as_far_as_it_takes(self, paths: Sequence[Path]) -> list[Path]:
        """The first of these files that together are as large as what is too much."""
        too_much = self._too_much()
        freed = [0, *accumulate(map(atomic_files.size, paths))]
        return [path for path, before in zip(paths, freed, strict=False) if before < too_much]


def pruning_order(samples: Sequence[Sample], there: Counter[KindFace]) -> list[Sample]:
    """Which of these dice go, first to last: always one of the face with most pictures left, its surest or oldest.

    `there` says how many there are of each face; the last FEWEST labelled ones do not go.
    """
    waiting: dict[KindFace, list[Sample]] = defaultdict(list)
    for sample in sorted(samples, key=_surest_first):
        waiting[face_key(sample)].append(sample)
    ranked = [
        (there[face] - place, place, sample)
        for face, found in waiting.items()
        for place, sample in enumerate(found)
        if there[face] - place > (FEWEST if face[1] else 0)
    ]
    return [sample for _, _, sample in sorted(ranked, key=lambda row: (-row[0], row[1], row[2].name))]


def _surest_first(sample: Sample) -> tuple[float, object, str]:
    return (-sample.read.confidence if sample.read else 0.0, sample.taken_at, sample.name)


def near_repeats(store: SampleStore, samples: Iterable[Sample]) -> list[Sample]:
    """Those that nearly repeat an earlier one of their session: same label, place and turn, and alike to the eye."""
    groups: dict[tuple[str, KindFace], list[Sample]] = defaultdict(list)
    for sample in samples:
        groups[sample.session, face_key(sample)].append(sample)
    return [sample for group in groups.values() for sample in _repeats_in(group, store)]


def _repeats_in(group: Sequence[Sample], store: SampleStore) -> Iterator[Sample]:
    kept: list[tuple[Sample, Thumbnail]] = []
    for sample, pixels in store.with_pixels(group):
        small = thumbnail(pixels)
        if any(_near(sample, other) and correlation(small, seen) >= ALIKE_FROM for other, seen in kept):
            yield sample
        else:
            kept.append((sample, small))


def _near(sample: Sample, other: Sample) -> bool:
    """Whether two dice lie in nearly the same place and turn, as far as that is known."""
    turned = abs(sample.place.turned_degrees - other.place.turned_degrees) % 90
    if min(turned, 90 - turned) > NEAR_DEGREES:
        return False
    if sample.in_frame is None or other.in_frame is None:
        return True
    away = np.hypot(sample.in_frame.x - other.in_frame.x, sample.in_frame.y - other.in_frame.y)
    return bool(away < NEAR_EDGES * sample.in_frame.edge)
