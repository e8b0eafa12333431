"""What an observation tells the referee of dice in doubt."""

from __future__ import annotations

from dataclasses import replace

from painted import reading

from referee.dice import KindName, Zone
from vision.observations import DieReading, Observation, TrackedDie


def _seen(die: DieReading) -> tuple:
    (seen,) = Observation(1, 1, (TrackedDie(1, die, Zone.FIELD, 1),)).seen().dice
    return seen.faces, seen.kinds


def test_an_accepted_die_has_one_face_and_no_doubtful_kinds() -> None:
    faces, kinds = _seen(reading(sure=0.99))
    assert [face for face, _ in faces] == ["happy"]
    assert not kinds


def test_a_die_of_which_only_the_kind_is_in_doubt_has_one_face_and_its_likely_kinds() -> None:
    doubted = replace(
        reading(sure=0.99),
        accepted=False,
        kind_confidence=0.6,
        kinds=((KindName("signal"), 0.4),),
        kind_accepted=False,
        only_kind_doubted=True,
    )
    faces, kinds = _seen(doubted)
    assert [face for face, _ in faces] == ["happy"]
    assert kinds == (("traffic", 0.6), ("signal", 0.4))
