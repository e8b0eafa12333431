"""Where a face was in an earlier picture: near and far, and never beyond the picture."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest

from vision.face_search import GREY_SHARES, FaceSearch, _SoughtFace
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


@pytest.mark.parametrize(("reach", "brightness", "is_found"), [(1, 1, False), (12, 1, True), (30, 0.3, False)])
def test_a_face_is_found_in_reach_and_in_its_own_colours(reach: float, brightness: float, is_found: bool) -> None:
    noise = np.random.default_rng(3).normal(0, 3, (240, 320, 3))
    seen = np.clip(table((158, 104), (40, 40)) * brightness + noise, 0, 255).astype(np.uint8)
    found = FaceSearch(table((150, 100)), (150, 100), EDGE).find(seen, (150.0, 100.0), reach)
    assert (found is not None) == is_found


@pytest.mark.parametrize("share", [0.5, 0.999, 1.001, 3.0, 1000.0], ids="{}".format)
def test_the_nearest_place_is_the_one_that_differs_least_in_all_colours(share: float) -> None:
    rng = np.random.default_rng(5)
    face, disc = rng.integers(0, 255, (9, 9, 3), np.uint8), np.zeros((9, 9), np.uint8)
    cv2.circle(disc, (4, 4), 4, 1, -1)
    window = rng.integers(0, 255, (40, 50, 3)).astype(np.float32)
    window[20:29, 13:22] = face + rng.normal(0, 20, face.shape)
    mask = cv2.merge([disc] * 3).astype(np.float32)
    plain = cv2.matchTemplate(window, face.astype(np.float32), cv2.TM_SQDIFF, mask=mask)
    sought = _SoughtFace.within(face, disc)
    grey = np.asarray(cv2.transform(window, GREY_SHARES), np.float32)
    energies = cv2.matchTemplate(cv2.multiply(grey, grey), disc.astype(np.float32), cv2.TM_CCORR)
    least = sought.grey_differences(grey, np.asarray(energies, np.float32))
    assert (least <= plain + 1e-4 * plain.max()).all()
    nearest = sought.nearest_within(share * float(plain.min()), window, least)
    assert nearest == ((20, 13) if share > 1 else None)
    assert np.unravel_index(int(plain.argmin()), plain.shape) == (20, 13)
