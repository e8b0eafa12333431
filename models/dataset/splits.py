"""Train, val and test splits, by the date of a session and never by picture.

Pictures of one evening are too alike to test on what the others taught, so all sessions of a date are in one split.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from models.dataset.pruning import FaceKey, face_key
from models.dataset.samples import CaptureSession, Sample

TRAIN, VAL, TEST = "train", "val", "test"
SPLITS = (TRAIN, VAL, TEST)
HELD_OUT = 0.15
"""The fraction of the dates that val and test get, each; at least one date."""


@dataclass(frozen=True)
class DatasetSplit:
    """Train, val or test for each session's name; and a sentence for people where there are too few dates."""

    of: Mapping[str, str]
    sentence: str = ""


def split_by_date(sessions: Iterable[CaptureSession], samples: Iterable[Sample]) -> DatasetSplit:
    """Split sessions by their date (UTC); the same sessions are always split alike.

    The date with most samples is for training, and every face keeps a date there. Where val or test would be empty,
    everything is for training.
    """
    date_of = {session.name: f"{session.begun_at:%Y-%m-%d}" for session in sessions}
    faces: dict[str, Counter[FaceKey]] = defaultdict(Counter)
    for sample in samples:
        faces[date_of[sample.session]][face_key(sample)] += 1
    held = _held_out(faces)
    if set(held.values()) != {VAL, TEST}:
        return DatasetSplit(dict.fromkeys(date_of, TRAIN), _too_few(len(faces)))
    return DatasetSplit({name: held.get(date, TRAIN) for name, date in date_of.items()})


def _held_out(faces: Mapping[str, Counter[FaceKey]]) -> dict[str, str]:
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
