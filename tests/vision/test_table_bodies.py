"""What answers at the table teach of the bodies of its dice."""

from __future__ import annotations

import numpy as np
import pytest

from models import die_sets
from models.training.kind_pictures import equal_kinds
from referee.dice import DieSet, FaceName, KindName
from vision.bodies import BodyColour, colour_of_body, told_bodies
from vision.fewshot import PldaModel
from vision.kinds import KIND_ACCEPT_FROM, assign_kinds, kinds_alike
from vision.table_evidence import DieFeatures, EvidenceExample, KnownBody, TableEvidence, learned_bodies, table_bodies

ROLLERS = die_sets.load("rollers")
PURPLE, BLACK = (kind.name for kind in ROLLERS.kinds)
TEAL, AMBER = "#1f9a9a", "#d88020"


def a_body(colour: str, rng: np.random.Generator, light: float = 0.0) -> BodyColour:
    scatter = rng.normal(0, (0.05, 0.02, 0.02))
    return BodyColour(np.array(colour_of_body(colour)) + scatter + (light, 0, 0), 0.8, is_lit=True)


def a_told_throw(kinds: dict[KindName, str], seed: int, count: int = 5) -> list[KnownBody]:
    """So many dice of the first kind and one of the second, as somebody named them, in a light of their own."""
    rng = np.random.default_rng(seed)
    first, second = kinds
    light = float(rng.normal(0, 0.2))
    named = [first] * count + [second]
    return [KnownBody(a_body(kinds[kind], rng, light), kind) for kind in named]


def shares(dice: DieSet, colours: list[str], throws: list[list[KnownBody]]) -> list[dict[KindName, float]]:
    rng = np.random.default_rng(99)
    prior = learned_bodies(told_bodies(kinds_alike(dice)), throws)
    face = FaceName("pip-2")
    rows = [{(kind.name, face): 1 / len(dice.kinds) for kind in dice.kinds} for _ in colours]
    marginals = assign_kinds(rows, [0.0] * len(rows), dice, [a_body(colour, rng) for colour in colours], prior)
    return [{kind: share for (kind, _), share in die.items()} for die in marginals]


def test_after_one_answer_swapped_bodies_are_read_as_the_table_has_them() -> None:
    swapped = {PURPLE: "#1c1c20", BLACK: "#5b2a86"}
    before = shares(ROLLERS, ["#1c1c20", "#5b2a86"], [])
    assert before[0][BLACK] > 0.5
    told = shares(ROLLERS, ["#1c1c20", "#5b2a86"], [a_told_throw(swapped, 1)])
    assert told[0][PURPLE] > KIND_ACCEPT_FROM
    assert told[1][BLACK] > KIND_ACCEPT_FROM


def test_two_kinds_of_three_equal_dice_are_known_once_told() -> None:
    dice = equal_kinds()
    mine, yours = (kind.name for kind in dice.kinds)
    told = a_told_throw({mine: TEAL, yours: AMBER}, 2, count=2)
    found = shares(dice, [TEAL, AMBER, AMBER, TEAL], [told])
    assert [max(die, key=die.__getitem__) for die in found] == [mine, yours, yours, mine]
    assert min(max(die.values()) for die in found) > KIND_ACCEPT_FROM


def test_one_wrong_answer_among_right_ones_teaches_nothing_wrong() -> None:
    kinds = {PURPLE: TEAL, BLACK: AMBER}
    right = [a_told_throw(kinds, seed) for seed in range(4)]
    wrong = [KnownBody(one.colour, BLACK if one.kind == PURPLE else PURPLE) for one in a_told_throw(kinds, 9)]
    found = shares(ROLLERS, [TEAL, AMBER], [*right[:2], wrong, *right[2:]])
    assert found[0][PURPLE] > KIND_ACCEPT_FROM
    assert found[1][BLACK] > KIND_ACCEPT_FROM


def test_a_reading_that_only_stood_teaches_less_than_an_answer() -> None:
    kinds = {PURPLE: TEAL, BLACK: AMBER}
    weak = [KnownBody(one.colour, one.kind, 0.05) for one in a_told_throw(kinds, 1)]
    little, much = (shares(ROLLERS, [TEAL, AMBER], [throw]) for throw in (weak, a_told_throw(kinds, 1)))
    assert shares(ROLLERS, [TEAL, AMBER], [])[1][BLACK] < little[1][BLACK] < much[1][BLACK]


def test_the_examples_of_a_table_carry_the_bodies_of_their_dice(plda: PldaModel) -> None:
    nothing = np.zeros(len(plda.between_variance), np.float32)
    evidence = TableEvidence(plda)
    for n, one in enumerate(a_told_throw({PURPLE: TEAL, BLACK: AMBER}, 1)):
        body = np.array(one.colour.as_numbers(), np.float32)
        features = DieFeatures(nothing, np.empty(0, np.float32), body)
        evidence = evidence.with_examples(
            [EvidenceExample(features, (one.kind, FaceName("pip-1")), 1.0, f"die {n}", "", "a")]
        )
    learned = table_bodies(evidence, kinds_alike(ROLLERS))
    best = learned.means[learned.log_weights.argmax()].T
    assert best[0] == pytest.approx(colour_of_body(TEAL), abs=0.25)
    assert best[1] == pytest.approx(colour_of_body(AMBER), abs=0.25)


def test_numbers_of_another_form_are_no_body() -> None:
    assert BodyColour.from_numbers(()) is None
    assert BodyColour.from_numbers((1.0, 2.0)) is None
    assert BodyColour.from_numbers((float("nan"), 0.0, 0.0, 1.0, 1.0)) is None
