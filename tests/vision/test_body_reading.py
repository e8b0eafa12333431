"""Of which kind a die is, by its body among the others."""

from __future__ import annotations

import numpy as np
import pytest

from models import die_sets
from models.training.kind_pictures import equal_kinds
from referee.dice import KindName
from vision.bodies import BodyColour, _pair_terms, _solved_terms, colour_of_body
from vision.kinds import KIND_ACCEPT_FROM, assign_kinds

ROLLERS = die_sets.load("rollers")
PURPLE, BLACK = KindName("rollers-purple"), KindName("rollers-black")


def a_body(colour: str, light: tuple[float, float, float] = (0.0, 0.0, 0.0), purity: float = 0.8) -> BodyColour:
    """A body of that colour (#rrggbb) under a light that shifts it."""
    return BodyColour(np.array(colour_of_body(colour)) + light, purity, is_lit=True)


def black_shares(bodies: list[BodyColour], faces: list[str]) -> list[float]:
    """How likely each die with that face is the black one."""
    rows = [{(kind.name, face): 1.0 for kind in ROLLERS.kinds if face in kind.faces} for face in faces]
    rows = [{key: share / len(row) for key, share in row.items()} for row in rows]
    marginals = assign_kinds(rows, [0.0] * len(rows), ROLLERS, bodies)
    return [sum(share for (kind, _), share in die.items() if kind == BLACK) for die in marginals]


PIPS = ["pip-1", "pip-2", "pip-3", "pip-4", "pip-5", "pip-3"]


def test_the_odd_one_of_six_is_the_black_die_whatever_its_colour() -> None:
    for purple, black in (("#5b2a86", "#1c1c20"), ("#b3202c", "#f0f0f0"), ("#1c1c20", "#5b2a86")):
        shares = black_shares([a_body(purple)] * 5 + [a_body(black)], PIPS)
        assert shares[5] > KIND_ACCEPT_FROM
        assert max(shares[:5]) < 1 - KIND_ACCEPT_FROM


def test_two_dice_of_strange_colours_are_in_doubt() -> None:
    first, second = black_shares([a_body("#1f9a9a"), a_body("#d88020")], PIPS[:2])
    assert 0.05 < first < 0.95
    assert 0.05 < second < 0.95


def test_two_dice_as_the_set_tells_are_told_apart_under_any_light() -> None:
    for light in ((0.0, 0.0, 0.0), (-0.4, 0.1, -0.1)):
        purple, black = black_shares([a_body("#5b2a86", light), a_body("#1c1c20", light)], PIPS[:2])
        assert black > 0.9
        assert purple < 0.1


def test_six_alike_dice_are_all_in_doubt() -> None:
    shares = black_shares([a_body("#303034")] * 6, PIPS)
    assert shares == pytest.approx([1 / 6] * 6, abs=1e-3)


def test_a_star_shows_what_purple_dice_look_like() -> None:
    """The black die has no star: a die of the star's colour is none, and one of another colour may be."""
    alone = black_shares([a_body("#1f9a9a"), a_body("#d88020")], ["pip-2", "pip-3"])
    star = black_shares([a_body("#1f9a9a"), a_body("#d88020"), a_body("#d88020")], ["pip-2", "pip-3", "star"])
    assert star[0] > alone[0]
    assert star[1] < alone[1]
    assert star[2] == 0.0


def test_an_impure_body_says_less() -> None:
    sure = black_shares([a_body("#5b2a86")] * 5 + [a_body("#4a2470")], PIPS)[5]
    unsure = black_shares([a_body("#5b2a86")] * 5 + [a_body("#4a2470", purity=0.1)], PIPS)[5]
    assert unsure < sure


def test_two_kinds_of_three_equal_dice_are_in_doubt_until_told() -> None:
    dice = equal_kinds()
    rows = [{(kind.name, "pip-1"): 0.5 for kind in dice.kinds}] * 6
    bodies = [a_body("#b3202c")] * 3 + [a_body("#2040c0")] * 3
    for die in assign_kinds(rows, [0.0] * 6, dice, bodies):
        assert max(die.values()) == pytest.approx(0.5)


def test_of_many_dice_only_the_likeliest_assignments_are_weighed() -> None:
    dice = equal_kinds()
    many = type(dice)("many", "Many dice", tuple((kind, 10) for kind in dice.kinds), 16.0)
    rows = [{(kind.name, "pip-1"): 0.5 for kind in dice.kinds}] * 20
    bodies = [a_body("#b3202c"), a_body("#2040c0")] * 10
    marginals = assign_kinds(rows, [0.0] * 20, many, bodies)
    assert all(sum(die.values()) == pytest.approx(1.0, abs=0.01) for die in marginals)


def test_the_terms_of_two_kinds_are_those_that_solving_gives() -> None:
    rng = np.random.default_rng(1)
    factors = rng.normal(size=(5, 2, 2))
    covariances, counts, residuals = factors @ factors.swapaxes(1, 2), rng.random((5, 2)) * 9, rng.normal(size=(5, 2))
    for found, solved in zip(
        _pair_terms(counts, residuals, covariances), _solved_terms(counts, residuals, covariances), strict=True
    ):
        assert found == pytest.approx(solved)


def test_a_stranger_does_not_push_the_black_die_out_of_its_kind() -> None:
    """Such as the tray's own markers, where they are taken for dice."""
    near = [a_body("#402060")] * 5 + [a_body("#38204c")]
    for strangers in (1, 4):
        shares = black_shares([*near, *[a_body("#f4f4f0")] * strangers], [*PIPS, *["pip-4"] * strangers])
        assert shares[5] > 1 - KIND_ACCEPT_FROM
    five_and_two_black = black_shares([a_body("#5b2a86")] * 5 + [a_body("#1c1c20")] * 2, [*PIPS, "pip-1"])
    assert max(five_and_two_black[5:]) < KIND_ACCEPT_FROM


def test_one_die_more_leaves_the_faces_as_sure_as_they_were() -> None:
    rows = [{(kind.name, "pip-1"): 0.5 for kind in ROLLERS.kinds}] * 7
    for die in assign_kinds(rows, [0.0] * 7, ROLLERS, [a_body("#5b2a86")] * 7):
        assert sum(die.values()) == pytest.approx(1.0)
