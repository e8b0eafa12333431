"""What cannot be read is no stranger: it is of the kind of which one is missing, and may show any of its faces."""

from collections import Counter

from models.die_sets import load
from referee.dice import FaceName, KindName, Zone
from vander.table.seen_dice import plausible
from vision.observations import DieReading, DieSighting, Observation, Posture, TrackedDie

DICE = load("rollers")
PURPLE, BLACK = KindName("rollers-purple"), KindName("rollers-black")


def tracked(number: int, kind: KindName, face: str, confidence: float = 0.99) -> TrackedDie:
    sighting = DieSighting(20.0 * number, 50, 16, 0, Posture.FLAT, 0.9, 40.0 * number, 100, 32)
    reading = DieReading(sighting, kind, FaceName(face), confidence, accepted=confidence > 0.9)
    return TrackedDie(number, reading, Zone.FIELD, 1)


def five_purple() -> list[TrackedDie]:
    return [tracked(number, PURPLE, "pip-2") for number in range(1, 6)]


def test_an_unread_die_is_of_the_kind_that_is_missing_and_may_show_any_of_its_faces() -> None:
    seen = plausible(DICE, Observation(1, 1, (*five_purple(), tracked(6, PURPLE, "star", 0.005))), True)
    assert Counter(die.kind for die in seen.dice) == {PURPLE: 5, BLACK: 1}
    assert {face for face, _ in seen.dice[5].faces} == set(DICE.kind(BLACK).faces)


def test_a_sixth_purple_die_that_is_read_stays_one() -> None:
    seen = plausible(DICE, Observation(1, 1, (*five_purple(), tracked(6, PURPLE, "star"))), True)
    assert Counter(die.kind for die in seen.dice) == {PURPLE: 6}


def test_a_doubtful_die_beyond_a_whole_set_is_left_out() -> None:
    dice = (*five_purple(), tracked(6, BLACK, "zap"), tracked(7, PURPLE, "star", 0.4))
    assert [die.number for die in plausible(DICE, Observation(1, 1, dice), True).dice] == [1, 2, 3, 4, 5, 6]
