"""What is chosen after training: recipes to fit by, the threshold, what a die is called in its game."""

from pathlib import Path

import numpy as np
import pytest

from models import die_sets
from models.training.lying_dice import TrueDie
from models.training.picture_dataset import StoredPicture
from models.training.reading_scores import (
    ReadingOutcome,
    ReadingScore,
    ScoredDie,
    ScoredPicture,
    choose_threshold,
    confusions,
    doubts,
    name_in_set,
    outcomes,
    risk_and_coverage,
    table,
    table_by_game,
)
from models.training.recipes import RECIPES, load_recipe
from referee.dice import FaceName, KindName
from vision.observations import DieReading, DieSighting, Posture


@pytest.mark.parametrize("name", ["finder", "reader", "second"])
def test_the_recipes_that_ship_can_be_followed(name: str) -> None:
    how = load_recipe(RECIPES / f"{name}.toml")
    assert how.steps > 1000
    assert how.hard_negatives is (name != "finder")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("steps = 10\n", "is no whole recipe"), ("steps = 10\nspeed = 3\n", "unknown entries: speed")],
)
def test_a_recipe_that_cannot_be_followed_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(ValueError, match=sentence):
        load_recipe(tmp_path / "mine.toml")


def some(sure: float, right: bool, count: int, readable: bool = True) -> list[ReadingOutcome]:
    return [ReadingOutcome(sure, right, readable) for _ in range(count)]


def test_a_silent_error_costs_as_much_as_twenty_questions() -> None:
    sure = some(0.99, True, 1990)
    assert choose_threshold([sure + some(0.96, False, 2) + some(0.93, True, 60)]) == pytest.approx(0.5)
    assert choose_threshold([sure + some(0.96, False, 4) + some(0.93, True, 60)]) == pytest.approx(0.961)


def test_the_source_of_pictures_that_it_costs_most_decides() -> None:
    easy = some(0.99, True, 500) + some(0.6, True, 40)
    hard = some(0.99, True, 200) + some(0.8, False, 20)
    assert choose_threshold([easy]) == pytest.approx(0.5)
    assert choose_threshold([easy, hard]) == choose_threshold([hard]) == pytest.approx(0.801)


def test_readings_of_one_probability_stand_or_fall_together() -> None:
    threshold = choose_threshold([some(0.99, True, 10) + some(0.9, True, 5) + some(0.9, False, 5)])
    assert 0.9 < threshold < 0.99


def test_a_reader_that_is_sure_of_what_is_wrong_gets_the_highest_threshold() -> None:
    assert choose_threshold([some(0.9985, False, 50) + some(0.9995, True, 50)]) == pytest.approx(0.999)


def test_what_is_asked_for_another_reason_counts_as_asked() -> None:
    thresholds, wrong, asked = risk_and_coverage(some(0.99, True, 6) + some(0.99, False, 4, readable=False))
    assert len(thresholds) == 6
    assert wrong[-1] == 0
    assert asked[-1] == pytest.approx(0.4)


def a_truth(face: str, kind: str, posture: str = "flat") -> TrueDie:
    return TrueDie(face, f"{face}/round", 50.0, 50.0, 20.0, 0.0, posture, clear=True, kind=kind)


def read(face: str, accepted: bool, confidence: float = 0.97) -> DieReading:
    at = DieSighting(50, 50, 20, 0, Posture.FLAT, 0.9, 50, 50, 20)
    return DieReading(at, KindName("d6"), FaceName(face), confidence, accepted)


def test_a_die_is_called_what_its_game_calls_it() -> None:
    assert name_in_set(a_truth("pip-3", "traffic"), die_sets.load("intersection")) == "three"
    assert name_in_set(a_truth("pip-3", "traffic"), None) == "pip-3"
    assert name_in_set(a_truth("digit-4", "d6"), die_sets.load("dice-county-fair")) == "pip-4"


def a_score() -> ReadingScore:
    flat = a_truth("pip-3", "d6")
    met = (
        ScoredDie(flat, "pip-3", read("pip-3", accepted=True)),
        ScoredDie(flat, "pip-3", read("pip-5", accepted=True)),
        ScoredDie(flat, "pip-3", read("pip-5", accepted=False)),
        ScoredDie(flat, "pip-3", None),
        ScoredDie(a_truth("pip-3", "d6", "cocked"), "pip-3", read("pip-2", accepted=True)),
    )
    return ReadingScore(
        [
            ScoredPicture(StoredPicture(b"", (flat,), "d6"), met, ()),
            ScoredPicture(StoredPicture(b"", ()), (), (read("zap", accepted=True),)),
        ]
    )


def test_the_figures_count_what_was_found_asked_and_silently_wrong() -> None:
    lines = table(a_score()).splitlines()
    told = dict(line.split(": ", 1) for line in lines)
    assert told["flat dice found"].startswith("3 of 4 = 75.00 %")
    assert told["flat dice asked about"].startswith("1 of 4 =")
    assert told["flat dice silently wrong"].startswith("1 of 4 =")
    assert told["cocked or stacked, silently wrong"].startswith("1 of 1 =")
    assert told["pictures with a phantom, of those with dice"].startswith("0 of 1 =")
    assert told["pictures with a phantom, of those without dice"].startswith("1 of 1 =")


def test_the_worst_are_named() -> None:
    assert confusions(a_score()) == "1 x pip-3/round read as pip-5"
    assert doubts(a_score()) == "1 of 4 x pip-3/round"
    assert "d6: 4 dice, 75.0 % found, 25.0 % asked, 1 silently wrong" in table_by_game(a_score())


def test_the_right_face_on_the_wrong_kind_is_silently_wrong() -> None:
    die = a_truth("pip-3", "rollers-black")
    wrong = ScoredDie(die, "pip-3", read("pip-3", accepted=True), "rollers-black")
    asked = ScoredDie(die, "pip-3", read("pip-3", accepted=False), "rollers-black")
    score = ReadingScore([ScoredPicture(StoredPicture(b"", (die, die), "rollers"), (wrong, asked), ())])
    told = dict(line.split(": ", 1) for line in table(score).splitlines())
    assert told["flat dice silently wrong"].startswith("1 of 2 =")
    assert told["of these with the right face on the wrong kind"].startswith("1 of 2 =")
    assert "1 silently wrong (1 by kind)" in table_by_game(score)
    assert confusions(score) == "1 x pip-3/round read as d6"
    assert [one.correct for one in outcomes(score)] == [True, True]  # thresholds of faces are chosen on faces


def test_the_outcomes_are_those_of_flat_dice_that_were_found() -> None:
    found = outcomes(a_score())
    assert [(one.correct, one.readable) for one in found] == [(True, True), (False, True), (False, False)]
    assert np.allclose([one.confidence for one in found], 0.97)
