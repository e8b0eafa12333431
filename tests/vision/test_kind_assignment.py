"""The readings of one frame weighed together: a set has only so many dice of a kind."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import die_sets
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vision.kinds import FOREIGN_WEIGHT, assign_kinds

INTERSECTION = die_sets.load("intersection")
GO, STAR, TWO = ("signal", "go"), ("traffic", "star"), ("traffic", "two")


def allotted(dice: list[dict[tuple[str, str], float]]) -> list[dict[tuple[str, str], float]]:
    return assign_kinds(dice, [0.0] * len(dice), INTERSECTION)


def test_what_may_be_no_die_at_all_is_not_made_one_by_the_set() -> None:
    (coin,) = assign_kinds([{STAR: 0.51}], [0.49], INTERSECTION)
    assert coin[STAR] == pytest.approx(0.51)


def test_one_die_alone_keeps_what_it_looks_like() -> None:
    (die,) = allotted([{GO: 0.7, STAR: 0.3}])
    assert die == {GO: pytest.approx(0.7), STAR: pytest.approx(0.3)}


def test_only_one_of_two_dice_can_be_the_signal_die() -> None:
    sure, doubtful = allotted([{GO: 0.99, STAR: 0.01}, {GO: 0.6, STAR: 0.4}])
    assert sure[GO] > 0.97
    assert doubtful[STAR] > 0.95


def test_a_sixth_traffic_die_is_in_doubt_and_so_are_those_that_look_like_it() -> None:
    dice = allotted([{STAR: 0.99} for _ in range(6)])
    assert all(die[STAR] == pytest.approx(5 / 6, abs=0.01) for die in dice)


def test_more_dice_than_the_set_has_are_read_as_they_look() -> None:
    die = {("d6", "pip-3"): 0.99}
    assert all(read["d6", "pip-3"] > 0.98 for read in assign_kinds([die] * 18, [0.0] * 18, die_sets.load("d6")))


def test_what_looks_like_no_die_of_the_set_takes_no_place_of_one_that_does() -> None:
    *dice, stranger = allotted([*({STAR: 0.99} for _ in range(5)), {STAR: 0.05}])
    assert all(die[STAR] > 0.98 for die in dice)
    assert stranger[STAR] < 0.05


def test_faces_share_what_their_kind_is_given() -> None:
    dice = allotted([{GO: 0.99, STAR: 0.01}, {GO: 0.5, STAR: 0.3, TWO: 0.2}])
    assert dice[1][STAR] / dice[1][TWO] == pytest.approx(1.5)


def test_thirty_dice_of_a_set_of_five_kinds_are_weighed_together() -> None:
    kinds = [DieKind(KindName(name), name, (Face(FaceName(f"{name}-face"), "Face"),)) for name in "abcde"]
    many = DieSet("many", "Many", tuple((kind, 6) for kind in kinds), 16.0)
    faces = [(kind.name, FaceName(f"{kind.name}-face")) for kind in kinds]
    dice = [{face: 0.992 if k == n % 5 else 0.002 for k, face in enumerate(faces)} for n in range(29)]
    *sure, last = assign_kinds([*dice, dict.fromkeys(faces, 0.2)], [0.0] * 30, many)
    assert all(die[faces[n % 5]] > 0.9 for n, die in enumerate(sure))
    assert last[faces[4]] > 0.8  # the only kind of which a die is missing


shares = st.floats(0.0, 1.0)


@given(st.lists(st.tuples(shares, shares, shares), min_size=1, max_size=7))
@settings(deadline=None)
def test_it_is_the_sum_over_all_ways(rows: list[tuple[float, float, float]]) -> None:
    dice = [{GO: a / (a + b + c + 0.1), STAR: b / (a + b + c + 0.1)} for a, b, c in rows]
    got = allotted(dice)
    more = max(0, sum(sum(die.values()) > 0.5 for die in dice) - 6)
    whole, met = 0.0, [{GO: 0.0, STAR: 0.0} for _ in dice]
    for way in itertools.product((GO, STAR, None), repeat=len(dice)):
        if way.count(GO) > 1 + more or way.count(STAR) > 5 + more:
            continue
        weight = 1.0
        for die, named in zip(dice, way, strict=True):
            weight *= die[named] if named else max(FOREIGN_WEIGHT * (1 - sum(die.values())), 1e-9)
        whole += weight
        for counted, named in zip(met, way, strict=True):
            if named:
                counted[named] += weight
    for die, counted in zip(got, met, strict=True):
        for named, weight in counted.items():
            assert die.get(named, 0.0) == pytest.approx(weight / whole, abs=1e-6)
