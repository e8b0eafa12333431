"""`vander read`: photographs to readings, in words or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vander.learning.lesson_store import LessonStore, TaughtReader, reader_id
from vander.resources import data_stores, game_catalog, vision_models
from vander.storage.settings import Settings
from vision.calibration import TrayLayout
from vision.classification import Reader
from vision.frames import Pixels
from vision.image_io import BadPicture, load_picture
from vision.observations import Observation, TrackedDie
from vision.pipeline import read_photograph


def read(photos: Sequence[Path], die_set: str | None, as_json: bool, settings: Settings) -> bool:
    """Print what each photograph shows; say on standard error which cannot be read, and go on. True: one could not.

    A die set that was taught is read by its lesson, or without it where it is of no use, which is said as well. Raises
    NoSuchDieSet, BadDieSet and BrokenModel.
    """
    dice = game_catalog.open_die_sets(settings).load(die_set) if die_set is not None else None
    models = vision_models.LoadedModels.load(threads=2)
    lessons = data_stores.open_lesson_store(settings, models)
    doubt = _doubt(lessons, models.reader, dice.name) if dice else ""
    if doubt:
        print(f"vander: {doubt}", file=sys.stderr)
    reader = TaughtReader(models.reader, lessons)
    failed = False
    for photo in photos:
        try:
            pixels = load_picture(photo)
        except BadPicture as error:
            print(f"vander: {error}", file=sys.stderr)
            failed = True
            continue
        seen = read_photograph(pixels, models.finder, reader, dice, TrayLayout())
        print(json.dumps(record(photo, pixels, seen)) if as_json else in_words(photo, seen), flush=True)
    return failed


def _doubt(lessons: LessonStore, reader: Reader, name: str) -> str:
    """Why the lesson of these dice is of no use, in one sentence; '' where it is, or where there is none."""
    kept = lessons.in_use(name)
    if kept is not None and kept.report.reader != reader_id(reader, kept.lesson.plda):
        return f"the lesson of {name} was learned with another reader and is not used; teach it again"
    return lessons.problem(name)


def record(photo: Path, pixels: Pixels, seen: Observation) -> dict[str, Any]:
    """A photograph's readings; x, y and edge are pixels of the photograph."""
    height, width = pixels.shape[:2]
    return {
        "photo": str(photo),
        "size": [width, height],
        "calibrated": seen.calibrated,
        "doubts": list(seen.doubts),
        "dice": [_die(die) for die in seen.dice],
    }


def _die(die: TrackedDie) -> dict[str, Any]:
    reading, sighting = die.reading, die.reading.sighting
    return {
        "kind": reading.kind,
        "face": reading.face,
        "confidence": round(reading.confidence, 4),
        "accepted": reading.accepted,
        "x": round(sighting.x, 1),
        "y": round(sighting.y, 1),
        "edge": round(sighting.edge, 1),
        "turned": round(sighting.turned_degrees, 1),
        "posture": str(sighting.posture),
        "zone": str(die.zone),
        "runners_up": [[face, round(share, 4)] for face, share in reading.runners_up],
    }


def in_words(photo: Path, seen: Observation) -> str:
    """A line for a person: the faces, a question mark behind those that would be asked."""
    faces = " ".join(f"{die.reading.face}{'' if die.reading.accepted else '?'}" for die in seen.dice)
    return f"{photo}: {faces or 'no dice'}"
