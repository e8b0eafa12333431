"""Seats that nobody has named, or whose player was forgotten, are called by their number in everybody's language."""

from __future__ import annotations

import pytest

from models import die_sets
from referee.game import BadStart, begin
from referee.games import named
from referee.known_players import check_names, is_writable, stand_in
from referee.phrases import kept_name, seat_name, shown_name
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
    assert german(game.tell(state)).startswith("Spieler 1:")
    assert [german(board.title) for board in game.boards(state) if board.seat] == ["Spieler 1", "Bob"]


def test_what_was_written_down_of_such_a_seat_is_in_one_language_too() -> None:
    found = translations("de")
    assert found is not None
    written = "Player 1: throw one die for the first turn."
    assert in_language(found.recall(written, frozenset({"Player 1", "Bob"})), found).startswith("Spieler 1:")


@pytest.mark.parametrize(
    ("typed", "kept"),
    [("Spieler 3", "Player 3"), (" Spieler 3 ", "Player 3"), ("Spieler drei", "Spieler drei"), ("Ann", "Ann")],
)
def test_the_number_of_a_seat_is_kept_in_no_pages_language(typed: str, kept: str) -> None:
    assert kept_name(typed, german(seat_name("{place}"))) == kept


@pytest.mark.parametrize(
    "name",
    [
        "Ann",
        "\u0646\u0627\u0645\u0647\u200c\u0627\u06cc",
        "\u0915\u094d\u200d\u0937",
        "\u0d30\u0d3e\u0d1c\u0d28\u0d4d\u200d",
        "\U0001f469\u200d\U0001f680",
        "\U0001f469\U0001f3fd\u200d\U0001f680",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "1\ufe0f\u20e3",
        "\u1820\u180b",
        "\u845b\U000e0100",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    ],
)
def test_what_joins_letters_or_emoji_may_stand_in_a_name(name: str) -> None:
    assert is_writable(name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "A\u200dnn",
            "Ann\u200d",
            "\u200cAnn",
            "A\u200cnn",
            "Ann\u202e",
            "A\nn",
            "\u0915\u094d\u200c",
            "Ann\U000e0067",
            "\U0001f469\u200d",
        ),
        *("\u3164", "Ann\uffa0", "\u2800", "An\u034fn", "\u1160", "\u17b4", "\ufe0f", "\ufffc"),
    ],
)
def test_what_shows_nothing_may_not(name: str) -> None:
    assert not is_writable(name)


@pytest.mark.parametrize(
    "other",
    [
        *("\u0410nn", "\u0391nn", "A\u0578\u057c", "\u13aann", "\uab7ann", "ann"),
        *("Ann\u200d", "Ann\u3164", "Ann\ufe0f", "A\u2800nn", "\u0251nn"),
    ],
)
def test_names_that_look_the_same_are_too_alike_in_whatever_letters(other: str) -> None:
    with pytest.raises(BadStart, match="too alike"):
        check_names(["Ann", other])
