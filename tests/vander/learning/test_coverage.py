"""The meters tell how well a face is captured, and what to do next."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from showing import a_kind, a_sample, odd_dice, varied

from models.dataset import Sample
from vander.learning.guided_capture import WANTED, meter, meters

KIND = a_kind("sun", "moon", "boat")
samples = st.builds(
    a_sample,
    st.sampled_from(("sun", "moon", "comet")),
    turned=st.floats(-720, 720, allow_nan=False),
    at=st.none() | st.tuples(st.floats(0, 1000), st.floats(0, 1000)),
    light=st.floats(0, 1),
    labelled=st.booleans(),
)


def test_a_face_without_pictures_asks_for_them() -> None:
    found = meter(KIND, KIND.faces[0], [])
    assert (found.kind, found.face, found.title) == ("odd", "sun", "Sun")
    assert (found.pictures, found.turns, found.places, found.lights, found.enough) == (0, 0, 0, 0, False)
    assert (found.advice, found.picture) == (f"{WANTED} more pictures", "")


@pytest.mark.parametrize(
    ("pictures", "advice"), [(1, "5 more pictures"), (4, "2 more pictures"), (5, "1 more picture")]
)
def test_so_many_pictures_are_still_to_be_taken(pictures: int, advice: str) -> None:
    found = meter(KIND, KIND.faces[0], varied("sun", pictures))
    assert (found.pictures, found.advice, found.enough) == (pictures, advice, False)


def test_enough_varied_pictures_are_enough() -> None:
    found = meter(KIND, KIND.faces[0], varied("sun", WANTED))
    assert (found.enough, found.advice) == (True, "")
    assert (found.turns, found.places, found.lights) == (1.0, 1.0, 1.0)
    assert found.picture == "20261121-1200-abc-0006-1"


def test_a_die_that_is_never_turned_is_not_enough() -> None:
    same = [a_sample(number=n, turned=20 + 90 * n, at=(100.0 * n, 50)) for n in range(8)]  # a quarter turn is none
    found = meter(KIND, KIND.faces[0], same)
    assert (found.turns, found.enough, found.advice) == (0.25, False, "turn the die another way")


def test_a_die_that_is_never_moved_is_not_enough() -> None:
    same = [a_sample(number=n, turned=17.0 * n, at=(100 + 3.0 * n, 50)) for n in range(8)]
    found = meter(KIND, KIND.faces[0], same)
    assert (found.places, found.enough, found.advice) == (0.25, False, "lay the die elsewhere")


def test_without_a_tray_in_sight_every_picture_may_be_of_another_place() -> None:
    found = meter(KIND, KIND.faces[0], [a_sample(number=n, turned=17.0 * n) for n in range(8)])
    assert (found.places, found.enough) == (1.0, True)


def test_lights_that_hardly_differ_are_one() -> None:
    lights = [0.5, 0.53, 0.51, 0.6, 0.62, 0.2]
    found = meter(KIND, KIND.faces[0], [a_sample(number=n, light=light) for n, light in enumerate(lights)])
    assert found.lights == 1.0
    assert meter(KIND, KIND.faces[0], [a_sample(light=0.5), a_sample(light=0.55)]).lights == pytest.approx(1 / 3)


def test_pictures_of_other_faces_kinds_and_without_a_label_do_not_count() -> None:
    others = [*varied("moon", 6), *varied("sun", 6, kind="other"), a_sample(labelled=False), *varied("comet", 6)]
    assert meter(KIND, KIND.faces[0], others).pictures == 0


def test_every_face_of_every_kind_has_a_meter_in_the_sets_order() -> None:
    dice = odd_dice(KIND, a_kind("sun", "star", name="even", title="Even die"))
    found = meters(dice, [*varied("sun", 6), *varied("star", 2, kind="even")])
    assert [(one.kind, one.face, one.pictures) for one in found] == [
        ("odd", "sun", 6),
        ("odd", "moon", 0),
        ("odd", "boat", 0),
        ("even", "sun", 0),
        ("even", "star", 2),
    ]


@pytest.mark.slow
@given(st.lists(samples, max_size=20))
@settings(max_examples=80, deadline=None)
def test_shares_are_shares_and_a_further_picture_never_takes_away(taken: list[Sample]) -> None:
    before, after = (meter(KIND, KIND.faces[0], some) for some in (taken[:-1], taken))
    for share in ("turns", "places", "lights"):
        assert 0 <= getattr(before, share) <= getattr(after, share) <= 1
    assert before.pictures <= after.pictures
    assert after.enough == (not after.advice)
    assert after.enough >= before.enough
