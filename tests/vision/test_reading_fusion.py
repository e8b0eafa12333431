"""One reading from several of the same die."""

from dataclasses import replace

import pytest
from painted import leaning, reading

from referee.dice import FaceName, KindName
from vision.observations import DieReading, Posture
from vision.tracking import fuse, keep_kind


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


# ── kinds with equal faces ───────────────────────────────────────────────────────────────────────────────────────────


def of_kind(kind: str, sure: float, other: str = "signal") -> DieReading:
    """A star whose kind is in doubt below 0.99."""
    accepted = sure >= 0.99
    return replace(
        reading(0, 0, "star", 0.99),
        kind=KindName(kind),
        accepted=accepted,
        kind_confidence=sure,
        kinds=((KindName(other), 1 - sure),),
        kind_accepted=accepted,
        only_kind_doubted=not accepted,
    )


def test_kinds_in_doubt_are_averaged() -> None:
    fused = fuse(of_kind("traffic", 0.6), of_kind("signal", 0.9, "traffic"))
    assert (fused.kind, fused.accepted, fused.only_kind_doubted) == ("signal", False, True)
    assert fused.kind_confidence == pytest.approx(0.65)
    assert fused.kinds == (("traffic", pytest.approx(0.35)),)


def test_an_accepted_kind_stays_until_another_is_accepted() -> None:
    assert fuse(of_kind("traffic", 0.995), of_kind("traffic", 0.6)).accepted
    doubted = fuse(of_kind("traffic", 0.995), of_kind("signal", 0.995, "traffic"))
    assert (doubted.accepted, doubted.only_kind_doubted) == (False, True)


def test_a_kind_in_doubt_is_not_accepted_by_reading_it_often() -> None:
    fused = of_kind("traffic", 0.9)
    for reads in range(1, 6):
        fused = fuse(fused, of_kind("traffic", 0.97), reads)
    assert not fused.accepted
    assert not fuse(of_kind("traffic", 0.6), of_kind("traffic", 0.995)).accepted


def test_a_die_that_is_known_to_be_the_same_keeps_its_kind() -> None:
    kept = keep_kind(of_kind("traffic", 0.995), of_kind("signal", 0.7, "traffic"))
    assert (kept.kind, kept.accepted, kept.kind_accepted) == ("traffic", True, True)
    assert keep_kind(of_kind("traffic", 0.7), of_kind("signal", 0.7, "traffic")).kind == "signal"
    assert keep_kind(of_kind("traffic", 0.995), of_kind("signal", 0.995, "traffic")).kind == "signal"
