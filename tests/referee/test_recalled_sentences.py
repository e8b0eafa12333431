"""Sentences that were written down in English and are said again in another language."""

from __future__ import annotations

import pytest

from referee.phrases import LONGEST, RecalledSentences, in_a_row, spell_list
from referee.sentences import Remembered, Sentence, as_title, as_whole, in_language, say, say_count, within_sentence
from web.languages import translations

KNOWN = RecalledSentences(
    [
        ("A die was turned: {old}, now {new}. Put it back to {old}.", ""),
        ("{count} die", "{count} dice"),
        ("{who} rolls {dice}.", ""),
        ("Was this die thrown?", ""),
        ("A hand was in the way.", ""),
        ("{first} and {last}", ""),
        ("{first} {then}", ""),
        ("the {way} is taken", ""),
        ("happy", ""),
    ]
)


def rebuilt(text: object) -> object:
    """Return what a text is made of."""
    if not isinstance(text, Sentence):
        return text
    return text.template, {name: rebuilt(value) for name, value in text.values.items()}


@pytest.mark.parametrize(
    "sentence",
    [
        say("A die was turned: {old}, now {new}. Put it back to {old}.", old=say("happy"), new="3"),
        say(
            "{who} rolls {dice}.",
            who=spell_list(["Ann", "Bob"], "and"),
            dice=say_count("{count} die", "{count} dice", 1),
        ),
        say("{who} rolls {dice}.", who="Ann", dice=say_count("{count} die", "{count} dice", 12)),
        in_a_row(say("A hand was in the way."), say("Was this die thrown?")),
        as_title(say("the {way} is taken", way="bus")),
        as_whole(say("the {way} is taken", way="bus")),
    ],
)
def test_a_written_sentence_is_known_again(sentence: str) -> None:
    found = KNOWN.recall(str(sentence))
    assert found == sentence
    assert rebuilt(found) == rebuilt(sentence)


@pytest.mark.parametrize("text", ["", "Ann", "12", "Nobody ever said this.", "x" * (LONGEST + 1)])
def test_a_text_that_no_template_fits_stays_as_it_is(text: str) -> None:
    assert KNOWN.recall(text) is text


@pytest.mark.parametrize(("name", "at_begin"), [("Red", "Red"), ("happy", "Happy")])
def test_a_player_who_is_called_like_a_sentence_keeps_the_name(name: str, at_begin: str) -> None:
    known = RecalledSentences([("{who} rolls {dice}.", ""), ("{first} and {last}", ""), ("Red", ""), ("happy", "")])
    text = f"{at_begin} rolls happy and 3."
    found = known.recall(text, frozenset({name, "Cleo"}))
    assert found == text
    assert isinstance(found, Sentence)
    assert found.values["who"] == at_begin
    assert not isinstance(found.values["who"], Sentence)
    both = rebuilt(known.recall(f"Cleo and {name} rolls 3.", frozenset({name, "Cleo"})))
    who = ("{first} and {last}", {"first": "Cleo", "last": name})
    assert both == ("{who} rolls {dice}.", {"who": who, "dice": "3"})


def test_players_called_like_faces_keep_their_names_in_german() -> None:
    german = translations("de")
    assert german is not None
    text = "The dice pass to Moon for the first turn."
    assert in_language(Remembered(text), german) == "Für den Zug um first gehen die Würfel an Mond."
    assert in_language(Remembered(text, ["Moon"]), german) == "Für den Zug um first gehen die Würfel an Moon."
    formed = as_whole(Remembered("Star rolls 3 dice", ["Star"]))
    assert in_language(formed, german).startswith("Star wirft 3 ")


def test_one_is_not_taken_for_several() -> None:
    assert not isinstance(KNOWN.recall("1 dice"), Sentence)


def test_a_remembered_sentence_is_said_in_german() -> None:
    german = translations("de")
    assert german is not None
    assert in_language(Remembered("A hand was in the way. Was this die thrown?"), german) == (
        "Eine Hand war im Weg. Wurde dieser Würfel geworfen?"
    )
    assert in_language(Remembered("Something of an earlier version."), german) == "Something of an earlier version."


def test_a_title_within_a_sentence_is_small_in_english_alone() -> None:
    german = translations("de")
    assert german is not None
    title = within_sentence(say("Happy"))
    assert title == "happy"
    assert in_language(title, german) == "Froh"
    assert within_sentence("VIP") == "VIP"


@pytest.mark.parametrize("address", ["http://192.168.1.20:8080", "rtsp://tray.local", "192.168.1.20"])
def test_an_address_in_a_sentence_stays_as_it_is(address: str) -> None:
    told = RecalledSentences([("Nobody answers at {name}.", ""), ("{whole}.{part}", "")]).recall(
        f"Nobody answers at {address}."
    )
    assert isinstance(told, Sentence)
    assert told.values == {"name": address}
