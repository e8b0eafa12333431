"""Sentences: plain English texts that another language can say again."""

from __future__ import annotations

import copy
import gettext
import pickle
from typing import ClassVar

import pytest

from referee.phrases import spell_list
from referee.sentences import Sentence, as_part, as_title, as_whole, in_language, say, say_count


class German(gettext.NullTranslations):
    """A catalogue with a few templates."""

    TEMPLATES: ClassVar = {
        "{who} takes {dice}.": "{dice} nimmt {who}.",
        "{first} and {last}": "{first} und {last}",
        "the cup": "der Becher",
    }

    def gettext(self, message: str) -> str:
        return self.TEMPLATES.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return "{count} Würfel" if msgid1 == "{count} die" else super().ngettext(msgid1, msgid2, n)


def dice(count: int) -> Sentence:
    return say_count("{count} die", "{count} dice", count)


TAKEN = say("{who} takes {dice}.", who=spell_list(["Ann", "Bob", "Cy"], "and"), dice=dice(3))


def test_a_sentence_is_an_english_text() -> None:
    assert TAKEN == "Ann, Bob and Cy takes 3 dice."
    assert isinstance(TAKEN, str)


def test_a_sentence_is_said_again_with_all_that_stands_in_it() -> None:
    assert in_language(TAKEN, German()) == "3 Würfel nimmt Ann, Bob und Cy."


@pytest.mark.parametrize(("count", "english"), [(0, "0 dice"), (1, "1 die"), (2, "2 dice")])
def test_what_is_counted_has_its_plural(count: int, english: str) -> None:
    assert dice(count) == english


def test_a_plain_text_stays_as_it_is() -> None:
    assert in_language("the cup", German()) == "the cup"
    assert in_language(say("{name}", name="the cup"), German()) == "the cup"


def test_braces_in_a_name_are_no_template() -> None:
    assert in_language(say("{who} takes {dice}.", who="{dice}", dice="one"), German()) == "one nimmt {dice}."


@pytest.mark.parametrize("text", [say("the cup"), "the cup", "the cup."])
def test_a_whole_sentence_has_a_capital_letter_and_one_full_stop(text: str) -> None:
    assert as_whole(text) == "The cup."


def test_a_title_has_no_full_stop_in_any_language() -> None:
    assert as_title(say("The end.")) == as_title("The end.") == "The end"
    assert in_language(as_title(say("the cup")), German()) == "Der Becher"


def test_a_title_within_a_sentence_is_a_part_of_it() -> None:
    assert in_language(as_part(as_title(say("the cup"))), German()) == "der Becher"


def test_a_whole_sentence_is_whole_in_any_language() -> None:
    assert in_language(as_whole(say("the cup")), German()) == "Der Becher."


def test_a_copy_of_a_sentence_can_be_said_again() -> None:
    sent = pickle.loads(pickle.dumps(TAKEN))  # noqa: S301
    for each in (sent, copy.deepcopy(TAKEN), copy.copy(TAKEN)):
        assert in_language(each, German()) == in_language(TAKEN, German())


def test_a_value_that_is_missing_is_an_error_at_once() -> None:
    with pytest.raises(KeyError):
        say("{who} takes {dice}.", who="Ann")
