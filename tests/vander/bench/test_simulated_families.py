"""Families on the simulator: reproducible, never alike, and labelled as they were drawn."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from family_folder import write_family_game

from models import die_sets
from models.synthetic.canvas import Use
from vander.bench.photo_scores import LabelError, load_labels
from vander.bench.simulated_families import EDGES, GAMES, family_game, simulated_family


@pytest.mark.parametrize("game", GAMES)
def test_every_throw_shows_all_dice_of_the_set_with_labels_that_it_has(game: str) -> None:
    dice = die_sets.load(game)
    for throw in family_game(simulated_family(game, 1), throws=2, seed=1):
        height, width = throw.pixels.shape[:2]
        rows = throw.label["dice"]
        assert throw.label["set"] == game
        assert len(rows) == sum(count for _, count in dice.counts)
        for row in rows:
            assert row["face"] in dice.kind(row["kind"]).faces
            assert 0 < row["cx"] < width
            assert 0 < row["cy"] < height
            assert EDGES[0] * 0.8 < row["w"] < EDGES[1] * 1.7


def test_in_some_throws_dice_lie_as_they_did() -> None:
    throws = list(family_game(simulated_family("rollers", 1), throws=8, seed=3))
    places = [{(row["cx"], row["cy"]) for row in throw.label["dice"]} for throw in throws]
    still = [len(one & other) for one, other in pairwise(places)]
    assert 0 in still
    assert any(0 < count < 6 for count in still)


def test_the_same_family_and_seed_give_the_same_pictures() -> None:
    first, again = (next(family_game(simulated_family("rollers", 3), 1, seed=5)) for _ in range(2))
    assert first.jpeg == again.jpeg
    assert first.label == again.label


def test_no_two_families_are_alike() -> None:
    tables = [
        cv2.resize(simulated_family(game, number, use).ground, (32, 24)).tobytes()
        for game in GAMES[1:3]
        for number in (1, 2)
        for use in (Use.CHOOSING, Use.SCORING)
    ]
    assert len(set(tables)) == len(tables)


def test_a_written_game_is_a_labelled_folder(tmp_path: Path) -> None:
    write_family_game(simulated_family("switch-16", 1), throws=2, seed=1, folder=tmp_path)
    labels = load_labels(tmp_path)
    assert [label.file for label in labels] == ["throw_001.jpg", "throw_002.jpg"]
    assert all(len(label.dice) == 6 and label.there == die_sets.load("switch-16") for label in labels)
    rows = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text("utf-8").splitlines()]
    assert all(die["kind"] in ("d6", "switch") for row in rows for die in row["dice"])


def test_a_die_lies_where_its_label_says() -> None:
    family = simulated_family("dice-county-fair", 2)
    throw = next(family_game(family, 1, seed=2))
    changed = np.abs(throw.pixels.astype(int) - family.ground).max(axis=2)
    quiet = float(np.median(changed))
    for row in throw.label["dice"]:
        x, y, reach = round(row["cx"]), round(row["cy"]), round(row["w"] / 4)
        assert float(np.median(changed[y - reach : y + reach, x - reach : x + reach])) > quiet + 10


def test_an_unknown_game_is_refused_with_the_games_there_are() -> None:
    with pytest.raises(LabelError, match="no simulated families of 'chess'; there are intersection"):
        simulated_family("chess", 1)
