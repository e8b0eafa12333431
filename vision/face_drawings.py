"""The drawings that the reader tells apart, and what each means on the dice of a set.

A three is drawn as pips, as a digit or as a word; the die set says which face a drawing stands for on its dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from referee.dice import DieKind, DieSet, FaceName, KindName
from vision.kind_assignment import KindFace

NUMBERS = ("one", "two", "three", "four", "five", "six")

CLASSES: tuple[FaceName, ...] = tuple(
    FaceName(name)
    for name in (
        *(f"pip-{n}" for n in range(1, 7)),
        *(f"digit-{n}" for n in range(1, 7)),
        *("two", "three", "four", "happy", "star", "sad", "go", "slow", "stop", "green", "yellow", "red", "zap"),
        *("green-switch", "red-switch", "block", "blank", "none"),
    )
)
"""The reader's classes in the order of its outputs; the last, `none`, is no face of any die."""

HOME_KINDS: tuple[tuple[KindName, tuple[str, ...]], ...] = (
    (KindName("d6"), ("pip-1", "pip-2", "pip-3", "pip-4", "pip-5", "pip-6", *(f"digit-{n}" for n in range(1, 7)))),
    (KindName("traffic"), ("two", "three", "four", "happy", "star", "sad")),
    (KindName("signal"), ("go", "slow", "stop")),
    (KindName("tossup"), ("green", "yellow", "red")),
    (KindName("rollers-black"), ("zap",)),
    (KindName("switch"), ("green-switch", "red-switch", "block", "blank")),
)
"""The kind that a drawing belongs to when no die set is given."""

LOOKALIKES: tuple[tuple[str, ...], ...] = (
    ("go", "green", "green-switch"),
    ("slow", "yellow"),
    ("stop", "red", "red-switch"),
    *((f"pip-{n + 1}", f"digit-{n + 1}", number) for n, number in enumerate(NUMBERS)),
)
"""Drawings that stand for one another where a die has only one of them."""


def face_probabilities(class_probabilities: npt.NDArray[np.float32], dice: DieSet | None) -> dict[KindFace, float]:
    """Return the probability of every kind and face, from the probabilities of CLASSES.

    A drawing that several kinds have is shared among them equally: their bodies are weighed later, with those of the
    other dice (`vision.kind_assignment`).
    """
    found: dict[KindFace, float] = {}
    for meant, probability in zip(_faces_of_classes(dice), class_probabilities, strict=False):
        for kind_face in meant:
            found[kind_face] = found.get(kind_face, 0.0) + float(probability) / len(meant)
    return found


@lru_cache(maxsize=16)
def all_faces(dice: DieSet | None) -> tuple[KindFace, ...]:
    """Return every kind and face of a set; nothing without a set."""
    return tuple((kind.name, face) for kind in dice.kinds for face in kind.faces) if dice else ()


@lru_cache(maxsize=16)
def _faces_of_classes(dice: DieSet | None) -> tuple[list[KindFace], ...]:
    """Return what each of CLASSES means, except the last, which is no face."""
    return tuple(faces_of_drawing(drawing, dice) for drawing in CLASSES[:-1])


@lru_cache(maxsize=16)
def drawn_faces(dice: DieSet | None) -> frozenset[KindFace]:
    """Return the kinds and faces of a set that some drawing means."""
    return frozenset(face for meant in _faces_of_classes(dice) for face in meant)


def faces_of_drawing(drawing: FaceName, dice: DieSet | None) -> list[KindFace]:
    """Return what a drawing can mean on the dice of a set: the face itself, else a lookalike, else nothing."""
    if dice is None:
        return [(kind, drawing) for kind, faces in HOME_KINDS if drawing in faces]
    alike = lookalikes(drawing)
    found = [(kind.name, _face_of_kind(drawing, alike, kind)) for kind in dice.kinds]
    exact = [(kind, face) for kind, face in found if face == drawing]
    return exact or [(kind, face) for kind, face in found if face is not None]


def lookalikes(face: str) -> tuple[str, ...]:
    """Return the group of drawings that a face or drawing belongs to, itself included."""
    return next((group for group in LOOKALIKES if face in group), (face,))


def _face_of_kind(drawing: FaceName, alike: Sequence[str], kind: DieKind) -> FaceName | None:
    if drawing in kind.faces:
        return drawing
    return next((face for face in kind.faces if face in alike), None)
