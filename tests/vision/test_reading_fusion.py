"""One reading from several of the same die."""

from dataclasses import replace

import pytest
from painted import leaning, reading

from referee.dice import FaceName
from vision.observations import Posture
from vision.reading_fusion import fuse


def test_readings_are_fused_into_one_surer_reading() -> None:
    fused = fuse(reading(0, 0, "star", 0.98), reading(0, 0, "star", 0.7), reads=1)
    assert (fused.face, fused.accepted) == ("star", True)
    assert fused.confidence == pytest.approx(0.84)
    assert fused.runners_up == ((FaceName("sad"), pytest.approx(0.16)),)


def test_the_more_confident_face_stands() -> None:
    assert fuse(reading(0, 0, "star", 0.95), reading(0, 0, "sad", 0.6)).face == "star"
    assert fuse(reading(0, 0, "sad", 0.6), reading(0, 0, "star", 0.95)).face == "star"


def test_two_sure_readings_that_disagree_make_a_doubt() -> None:
    assert not fuse(reading(0, 0, "star", 0.95), reading(0, 0, "sad", 0.96)).accepted


def test_a_leaning_die_stays_doubtful() -> None:
    lean = leaning(reading(0, 0, "star", 0.95))
    assert not fuse(lean, lean).accepted


def test_one_lucky_reading_makes_no_doubtful_die_sure() -> None:
    fused = fuse(reading(0, 0, "star", 0.7), reading(0, 0, "star", 0.95), reads=1, accept_from=0.9)
    assert (fused.face, fused.accepted) == ("star", False)
    for count in range(2, 5):
        fused = fuse(fused, reading(0, 0, "star", 0.99), reads=min(count, 3), accept_from=0.9)
    assert fused.accepted


def test_what_was_sure_stays_so_when_a_later_reading_is_not() -> None:
    assert fuse(reading(0, 0, "star", 0.95), reading(0, 0, "star", 0.6), reads=1, accept_from=0.9).accepted


def test_a_die_that_seemed_to_lean_stays_in_doubt() -> None:
    lean = replace(
        reading(0, 0, "star", 0.95),
        sighting=replace(reading(0, 0).sighting, posture=Posture.COCKED),
        accepted=False,
    )
    assert not fuse(lean, reading(0, 0, "star", 0.99), reads=1).accepted
    stood = fuse(reading(0, 0, "star", 0.99), lean, reads=1)
    assert (stood.accepted, stood.sighting.posture) == (True, Posture.FLAT)


def test_another_kind_is_a_guess_until_it_is_seen_again() -> None:
    go = replace(reading(0, 0, "go", 0.6), kind="signal", accepted=False)
    two = reading(0, 0, "two", 0.97)
    first = fuse(go, two, reads=2, accept_from=0.9)
    assert (first.face, first.accepted) == ("two", False)
    assert fuse(first, two, reads=3, accept_from=0.9).accepted
    assert fuse(two, go).accepted
