"""The rules by the API: a game's page, how it is played, and what is asked for and is not there."""

from __future__ import annotations

from typing import Any

import pytest
from test_game_routes import refused


def test_a_game_has_its_rules_by_chapter_and_how_it_is_played(client: Any) -> None:
    told = client.get("/api/rules/intersection").get_json()
    assert (told["game"], told["title"]) == ("intersection", "Intersection: the rules that the referee holds")
    texts = {text["number"]: text["text"] for chapter in told["chapters"] for text in chapter["texts"]}
    assert texts["I.2-17"] == "Ending the turn adds what the parked dice are worth to the player's score."
    assert texts["A.1-3"].startswith("A turn may be skipped.")
    assert [kind["kind"] for kind in told["kinds"]] == ["traffic", "signal"]
    first = told["steps"][0]
    assert first["sentence"] == "Roll all six dice: five Traffic dice and the Signal die."
    assert first["picture"][0]["part"] == "dice"
    assert first["picture"][0]["dice"][0] == {"kind": "traffic", "face": "happy", "title": "Happy"}


def test_a_rule_may_be_asked_for_by_its_number(watcher: Any) -> None:
    assert watcher.get("/api/rules/intersection?number=I.2-17").status_code == 200


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("/api/rules/chess", "There are no rules of a game of that name."),
        ("/api/rules/agreements", "There are no rules of a game of that name."),
        ("/api/rules/intersection?number=T.2-1", "Intersection has no rule 'T.2-1': look it up in the list."),
    ],
)
def test_what_is_not_there_is_said_in_one_sentence(client: Any, address: str, sentence: str) -> None:
    assert refused(client.get(address), 404) == sentence


def test_the_picker_knows_which_games_are_told(client: Any) -> None:
    games = client.get("/api/games").get_json()["games"]
    assert {game["name"]: game["how_to_play"] for game in games} == {"intersection": True, "dice": False}
