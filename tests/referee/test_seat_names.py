"""Seats that nobody has named, or whose player was forgotten, are called by their number in everybody's language."""

from __future__ import annotations

import pytest

from models import die_sets
from referee.game import begin
from referee.games import named
from referee.known_players import stand_in
from referee.seat_names import kept_name, seat_name, shown_name
from referee.sentences import in_language
from web.languages import translations


def german(text: str) -> str:
    found = translations("de")
    assert found is not None
    return in_language(text, found)


@pytest.mark.parametrize(
    ("kept", "shown"), [("Player 2", "Spieler 2"), (stand_in(1, ["Player 1"]), "Spieler 1*"), ("Ann", "Ann")]
)
def test_a_name_that_only_numbers_its_seat_is_said_in_the_pages_language(kept: str, shown: str) -> None:
    assert shown_name(kept) == kept
    assert german(shown_name(kept)) == shown


@pytest.mark.parametrize("name", ["Player", "Player One", "Player 2 and 3", "A Player 2"])
def test_other_names_stay_as_they_are(name: str) -> None:
    assert german(shown_name(name)) == name


def test_what_a_game_says_of_such_a_seat_is_in_one_language() -> None:
    game = named("rollers")
    state = begin(game, ["Player 1", "Bob"], die_sets.load("rollers"))
    assert german(game.tell(state)).startswith("Spieler 1 ")
    assert [german(board.title) for board in game.boards(state) if board.seat] == ["Spieler 1", "Bob"]


def test_what_was_written_down_of_such_a_seat_is_in_one_language_too() -> None:
    found = translations("de")
    assert found is not None
    written = "Player 1 throws one die for the first turn."
    assert in_language(found.recall(written, frozenset({"Player 1", "Bob"})), found).startswith("Spieler 1 ")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("Spieler 3", "Player 3"), (" Spieler 3 ", "Player 3"), ("Spieler drei", "Spieler drei"), ("Ann", "Ann")],
)
def test_the_number_of_a_seat_is_kept_in_no_pages_language(typed: str, kept: str) -> None:
    assert kept_name(typed, german(seat_name("{place}"))) == kept
