"""Where a face was in an earlier picture: near and far, and never beyond the picture."""

from __future__ import annotations

import time

import numpy as np
import pytest

from vision.face_search import FaceSearch
from vision.frames import Pixels

EDGE = 20.0


def table(*places: tuple[int, int]) -> Pixels:
    """A dark table with the same face at these places."""
    picture = np.full((240, 320, 3), 40, np.uint8)
    for x, y in places:
        picture[y - 10 : y + 10, x - 10 : x + 10] = 220
        picture[y - 6 : y - 1, x - 6 : x - 1] = (30, 30, 200)
        picture[y + 2 : y + 6, x + 1 : x + 7] = (200, 60, 20)
    return picture


@pytest.mark.parametrize("reach", [3.0, 40.0, 500.0])
def test_a_face_is_found_where_it_was(reach: float) -> None:
    found = FaceSearch(table((150, 100)), (150, 100), EDGE).find(table((148, 101)), (150.0, 100.0), reach)
    assert found is not None
    assert found == pytest.approx((148, 101), abs=0.6)


@pytest.mark.parametrize("place", [(20, 30), (300, 220), (12, 228), (250, 12)])
def test_a_face_that_was_far_away_is_found_in_the_whole_picture_and_soon(place: tuple[int, int]) -> None:
    search = FaceSearch(table((150, 100)), (150, 100), EDGE)
    began = time.thread_time()
    found = search.find(table(place), (150.0, 100.0), 900.0)
    assert found is not None
    assert found == pytest.approx(place, abs=0.6)
    assert time.thread_time() - began < 0.5


def test_a_face_that_was_nowhere_is_not_found() -> None:
    assert FaceSearch(table((150, 100)), (150, 100), EDGE).find(table(), (150.0, 100.0), 400.0) is None
