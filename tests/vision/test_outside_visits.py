"""Blobs beyond the tray's edge: what flies in late and slowly has not left, what goes out has."""

import pytest

from vision.departures import OutsideVisit, visits
from vision.motion_burst import BlobSighting

EDGE = 12.0


def found(*depths: float, at_border: bool = True) -> OutsideVisit:
    """The visit of a blob that is so many edges beyond the tray, from picture to picture."""
    seen = [
        BlobSighting(number / 15, 100.0, 200.0 + depth * EDGE, EDGE, held=False, at_border=at_border and number == 0)
        for number, depth in enumerate(depths)
    ]
    (visit,) = visits(seen, lambda blob: (blob.y - 200) / EDGE, EDGE, 320.0)
    return visit


@pytest.mark.parametrize("depths", [(1.2, 0.3), (1.3, 1.1, 0.8, 0.3), (1.6, 1.5, 1.3, 1.1, 0.7, 0.2)])
def test_what_flies_in_however_slowly_has_not_gone_out(depths: tuple[float, ...]) -> None:
    assert found(*depths).came_in
    assert not found(*depths).went_out


@pytest.mark.parametrize("depths", [(0.3, 1.0), (0.3, 1.1, 1.3, 1.3, 0.9, 0.2), (0.8, 1.0, 0.8)])
def test_what_goes_out_has_gone_out_also_when_it_comes_back(depths: tuple[float, ...]) -> None:
    assert found(*depths, at_border=False).went_out


def test_what_stays_in_its_place_is_where_a_die_was_taken_away() -> None:
    assert not found(*[1.0] * 8, at_border=False).went_out


def test_dice_that_fly_in_one_after_the_other_far_apart_are_a_visit_each() -> None:
    seen = [BlobSighting(k / 15, 60.0 + 55 * k, 212.0, EDGE, held=False, at_border=False) for k in range(2)]
    assert len(visits(seen, lambda blob: (blob.y - 200) / EDGE, EDGE, 320.0)) == 2
