"""What requests are refused with: one sentence that names the key, whatever pydantic says of it."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field

from referee.sentences import Reason, Refused, say
from web.schemas.game_schemas import StartGameRequest
from web.schemas.learning_schemas import MakeDiceRequest
from web.schemas.response_model import FIELD, Fraction, Line, Needs, RequestModel, Text, Whole, YesNo, parse, parse_body


class Wish(RequestModel):
    """A request with one key of each kind."""

    name: Text = "Ann"
    die: Whole = 1
    sure: YesNo = True
    x: Fraction = 0.5
    dice: Annotated[list[Whole], Field(min_length=1), Needs(say("The request needs {field}, a list.", field=FIELD))] = (
        Field(default_factory=lambda: [1])
    )


def sentence(values: dict[str, Any]) -> str:
    with pytest.raises(Refused) as refused:
        parse(Wish, values)
    assert refused.value.reason is Reason.INVALID
    return str(refused.value)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"name": 7}, "The request needs 'name' as a text."),
        ({"name": None}, "The request needs 'name' as a text."),
        ({"name": "  "}, "The request needs 'name', a text that is not empty."),
        ({"name": "x" * 201}, "The request has 'name' of 201 characters; 200 is the most."),
        ({"name": "a\nb"}, "The request has 'name' with characters that cannot be shown."),
        ({"die": "1"}, "The request needs 'die' as a whole number from 0."),
        ({"die": 1.0}, "The request needs 'die' as a whole number from 0."),
        ({"die": True}, "The request needs 'die' as a whole number from 0."),
        ({"sure": 1}, "The request needs 'sure' as true or false."),
        ({"sure": "true"}, "The request needs 'sure' as true or false."),
        ({"x": float("nan")}, "The request needs 'x' as a number from 0 to 1."),
        ({"x": float("inf")}, "The request needs 'x' as a number from 0 to 1."),
        ({"x": True}, "The request needs 'x' as a number from 0 to 1."),
        ({"dice": {}}, "The request needs 'dice', a list."),
        ({"dice": [1, "2"]}, "The request needs 'dice' as a whole number from 0."),
    ],
)
def test_a_wrong_value_is_one_sentence(values: dict[str, Any], says: str) -> None:
    assert sentence(values) == says


def test_the_first_wrong_key_is_named() -> None:
    assert sentence({"die": -1, "name": 7}) == "The request needs 'name' as a text."


def test_whole_numbers_are_fractions_and_unknown_keys_are_ignored() -> None:
    found = parse(Wish, {"x": 1, "colour": [[]]})
    assert (found.x, found.model_extra) == (1.0, None)


def test_a_missing_key_is_refused_as_null_is() -> None:
    for values in ({}, {"game": None}):
        with pytest.raises(Refused, match=r"^The request needs 'game' as a text\.$"):
            parse(StartGameRequest, values)


def test_what_people_typed_is_never_taken_for_a_part_of_the_sentence() -> None:
    kind = {"title": "{field}", "faces": ["A", "a"]}
    with pytest.raises(Refused, match=r"^Two faces of '\{field\}' are called 'A'"):
        parse(MakeDiceRequest, {"title": "Moons", "kinds": [kind]})


def test_a_text_is_trimmed() -> None:
    assert Line(3, may_be_empty=True).validate("  Ann\n") == "Ann"


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 60_000, b"\xff\xfe", b'{"die": ' + b"9" * 5000 + b"}"])
def test_a_body_that_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(Refused, match="not readable JSON"):
        parse_body(Wish, body)
