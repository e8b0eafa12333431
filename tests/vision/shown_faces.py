"""Faces that lie about in a small Space of their own, for tests of what is learned."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from referee.dice import FaceName, KindName
from vision.fewshot import Example, Floats, PldaModel

WIDE = (400.0, 300.0, 200.0, 100.0, 60.0, 40.0)
"""How widely faces are spread: so far apart that pictures, scattered by 1, are seldom mistaken."""


def a_plda(spread: Sequence[float] = WIDE, temperature: float = 1.0, accept_from: float = 0.5) -> PldaModel:
    """A Space whose features are the places themselves."""
    size = len(spread)
    return PldaModel(np.zeros(size), np.eye(size), np.array(spread), temperature, accept_from, "reader 7")


def likely(plda: PldaModel, places: Floats, shown: Sequence[Floats], temperature: float) -> Floats:
    """How likely each place is each of the faces of which these places are shown, or none."""
    return plda.probabilities(plda.log_likelihoods(places, shown), temperature)


def face_places(count: int, seed: int = 0, spread: Sequence[float] = WIDE) -> Floats:
    """Where so many faces lie by chance."""
    return np.random.default_rng(seed).normal(size=(count, len(spread))) * np.sqrt(spread)


def an_example(place: Floats, face: str, session: str = "one", moment: str = "") -> Example:
    """A picture of a face; each is a moment of its own unless told otherwise."""
    return Example(np.asarray(place, float), (KindName("d6"), FaceName(face)), session, moment or repr(list(place)))


def pictures_of(
    faces: Floats, each: int, *, sessions: int = 1, seed: int = 1, names: Sequence[str] = ()
) -> list[Example]:
    """So many pictures of each face, scattered by 1 about it; those of a face are shared out among the sessions."""
    rng = np.random.default_rng(seed)
    return [
        an_example(face + rng.normal(size=len(face)), names[n] if names else f"face-{n}", f"day {k % sessions}")
        for n, face in enumerate(faces)
        for k in range(each)
    ]


numbers = st.floats(-60, 60, allow_nan=False).map(lambda number: round(number, 3))
places = st.lists(numbers, min_size=3, max_size=3).map(np.array)
"""Places in a Space of three directions."""
faces_shown = st.lists(st.lists(places, min_size=1, max_size=4).map(np.array), min_size=1, max_size=5)
"""Some faces, each as the places of its pictures."""
