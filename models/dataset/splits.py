"""Train, val and test: by session and date, never by picture.

Pictures of one sitting are too alike to test with what the others taught: one date's sessions go the same way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from models.dataset.pruning import KindFace, face_key
from models.dataset.samples import CaptureSession, Sample

TRAIN, VAL, TEST = "train", "val", "test"
SPLITS = (TRAIN, VAL, TEST)
HELD_OUT = 0.15
"""The share of the dates that val and test get, each; at least one."""


@dataclass(frozen=True)
class DatasetSplit:
    """For each session's name, train, val or test; and a sentence when there are too few dates for that."""

    of: Mapping[str, str]
    sentence: str = ""


def split_by_date(sessions: Iterable[CaptureSession], samples: Iterable[Sample]) -> DatasetSplit:
    """Divide sessions by their date (UTC); the same sessions are always divided alike.

    The date with most dice is for training, and every face keeps a date there. When val or test would be empty,
    everything is for training.
    """
    date_of = {session.name: f"{session.begun_at:%Y-%m-%d}" for session in sessions}
    faces: dict[str, Counter[KindFace]] = defaultdict(Counter)
    for sample in samples:
        faces[date_of[sample.session]][face_key(sample)] += 1
    held = _held_out(faces)
    if set(held.values()) != {VAL, TEST}:
        return DatasetSplit(dict.fromkeys(date_of, TRAIN), _too_few(len(faces)))
    return DatasetSplit({name: held.get(date, TRAIN) for name, date in date_of.items()})


def _held_out(faces: Mapping[str, Counter[KindFace]]) -> dict[str, str]:
    most = max(faces, key=lambda date: (faces[date].total(), date), default="")
    wanted = max(1, round(HELD_OUT * len(faces)))
    held: dict[str, str] = {}
    for date in sorted(faces.keys() - {most}, key=lambda date: sha256(date.encode()).hexdigest()):
        rest = {face for other in faces.keys() - held.keys() - {date} for face in faces[other]}
        if len(held) < 2 * wanted and rest >= faces[date].keys():
            held[date] = VAL if len(held) % 2 else TEST
    return held


def _too_few(dates: int) -> str:
    return (
        f"Sessions of {dates} {'date' if dates == 1 else 'dates'} are too few to set some aside, "
        "so that every face can be learned on one and tested on another: all of it is for training."
    )
