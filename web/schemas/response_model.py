"""How a request's JSON is checked, by pydantic with one sentence for an error, and how an answer becomes JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainSerializer,
    TypeAdapter,
    ValidationError,
    model_validator,
    with_config,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from referee.known_players import is_writable
from referee.phrases import shown_name, spell_list
from referee.sentences import Refused, Sentence, Translations, in_language, say
from web.languages import languages

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# How a request's JSON is checked: pydantic models whose errors are one sentence each
#
# Nothing is coerced: `"1"` is no number and `1` is no boolean. Unknown keys are ignored, a key whose value is null
# counts as missing. A sentence names the wrong key as `{field}`.


LONGEST_TEXT = 200
"""Characters: an action with six dice is under a hundred."""
LONGEST_NAME = 24
"""Characters of the name of a player, a tablet, a die set or a face."""
FIELD = "{field}"
"""Stands in a sentence for the name of the key that the request has wrong, until that is known."""
OF_ANOTHER_KIND: Final = say("The request has a {field} of another kind.", field=FIELD)
LARGEST_NUMBER = 10**9
LONGEST_DIGITS = 9

_SENTENCE, _TEMPLATE = "sentence", "template"
"""The types of the errors that bear a sentence of ours; a template still lacks the name of the key."""


class RequestModel(BaseModel):
    """The JSON object that a request sends, or an address's query. `example` is one that is accepted."""

    # Built when first asked: all of them would take a tenth of a start.
    model_config = ConfigDict(
        strict=True, frozen=True, allow_inf_nan=False, use_attribute_docstrings=True, defer_build=True
    )
    example: ClassVar[Mapping[str, object]] = {}

    @model_validator(mode="before")
    @classmethod
    def _missing_as_none(cls, body: object) -> object:
        """Give each required key that is missing as None, so that the key's own sentence refuses it."""
        if not isinstance(body, dict):
            return body
        required = (name for name, field in cls.model_fields.items() if field.is_required())
        return dict.fromkeys(required) | body


class EmptyRequest(RequestModel):
    """A request that says all by its address."""


Model = TypeVar("Model", bound=RequestModel)


def parse_body(model: type[Model], body: bytes) -> Model:
    """Read a request's body. Raises Refused (INVALID) with one sentence."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(say("The request is not readable JSON.")) from None
    if not isinstance(found, dict):
        raise Refused(say("The request must be a JSON object, such as {example}.", example='{"die": 3}'))
    return parse(model, found)


def parse(model: type[Model], values: Mapping[str, Any]) -> Model:
    """Read a request's values. Raises Refused (INVALID) with one sentence about the first that is wrong."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        raise Refused(_sentence(error)) from None


def sentence_error(sentence: Sentence) -> PydanticCustomError:
    """Return the error by which a validator refuses a value with this sentence."""
    return PydanticCustomError(_SENTENCE, "{sentence}", {"sentence": sentence})


def _template_error(sentence: Sentence) -> PydanticCustomError:
    """Return the error by which a validator refuses a value with this sentence about FIELD."""
    return PydanticCustomError(_TEMPLATE, "{sentence}", {"sentence": sentence})


def _sentence(error: ValidationError) -> Sentence:
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == _SENTENCE:
        return cast(Sentence, first["ctx"]["sentence"])
    field = repr(next((part for part in reversed(first["loc"]) if isinstance(part, str)), "request"))
    return _about(first["ctx"]["sentence"] if first["type"] == _TEMPLATE else OF_ANOTHER_KIND, field)


def _about(sentence: Sentence, field: str) -> Sentence:
    """Return a sentence with the name of a key in place of FIELD, in the sentences within it too."""
    values = {name: _value_about(value, field) for name, value in sentence.values.items()}
    return Sentence(sentence.template, sentence.many, values, sentence.form)


def _value_about(value: object, field: str) -> object:
    if isinstance(value, Sentence):
        return _about(value, field)
    return field if value == FIELD else value


@dataclass(frozen=True)
class Needs:
    """Refuse a value with one sentence in place of pydantic's message; a sentence about a part of it goes first."""

    sentence: Sentence

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return pydantic's schema of the value with the sentence around it."""
        return core_schema.no_info_wrap_validator_function(self._validate, handler(source))

    def _validate(self, value: object, validate: core_schema.ValidatorFunctionWrapHandler) -> Any:  # noqa: ANN401 - pydantic's own signature
        try:
            return validate(value)
        except ValidationError as error:
            if any(
                found["type"] in (_SENTENCE, _TEMPLATE)
                for found in error.errors(include_url=False, include_input=False)
            ):
                raise
            raise _template_error(self.sentence) from None


@dataclass(frozen=True)
class Line:
    """One line of printable text, trimmed, of at most `longest` characters; `called` is its name in sentences."""

    longest: int = LONGEST_TEXT
    may_be_empty: bool = False
    called: str = FIELD

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return a schema that only calls `validate`."""
        return core_schema.no_info_plain_validator_function(self.validate)

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the JSON Schema of what `validate` accepts, printability aside."""
        least = {} if self.may_be_empty else {"minLength": 1}
        return {"type": "string", "maxLength": self.longest} | least

    def validate(self, value: object) -> str:
        """Return the trimmed text. Raises PydanticCustomError with a sentence."""
        if not isinstance(value, str):
            raise _template_error(say("The request needs {what} as a text.", what=self.called))
        text = value.strip()
        if len(text) > self.longest:
            raise _template_error(
                say(
                    "The request has {what} of {length} characters; {most} is the most.",
                    what=self.called,
                    length=len(text),
                    most=self.longest,
                )
            )
        if not is_writable(text):
            raise _template_error(say("The request has {what} with characters that cannot be shown.", what=self.called))
        if not (text or self.may_be_empty):
            raise _template_error(say("The request needs {what}, a text that is not empty.", what=self.called))
        return text


def _digits(text: object) -> object:
    """Read the digits of an address's query as a number; leave everything else to be refused."""
    few = isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= LONGEST_DIGITS
    return int(str(text)) if few else text


Text = Annotated[str, Line()]
Name = Annotated[str, Line(LONGEST_NAME)]
OptionalText = Annotated[str, Line(may_be_empty=True)]
OptionalName = Annotated[str, Line(LONGEST_NAME, may_be_empty=True)]
Whole = Annotated[
    int, Field(ge=0, le=LARGEST_NUMBER), Needs(say("The request needs {field} as a whole number from 0.", field=FIELD))
]
Digits = BeforeValidator(_digits)
"""Marks a number that stands in an address's query."""
Fraction = Annotated[
    float, Field(ge=0, le=1), Needs(say("The request needs {field} as a number from 0 to 1.", field=FIELD))
]
YesNo = Annotated[bool, Needs(say("The request needs {field} as true or false.", field=FIELD))]


class NameRequest(RequestModel):
    """The name of a player, a tablet, a voice or a program."""

    example: ClassVar = {"name": "Ann"}

    name: Name


class NumberRequest(RequestModel):
    """What it is about, by its number."""

    example: ClassVar = {"number": 3}

    number: Whole


class NumberQuery(RequestModel):
    """What it is about, by its number."""

    number: Annotated[Whole, Digits]


class SwitchRequest(RequestModel):
    """Whether something is on."""

    example: ClassVar = {"on": True}

    on: YesNo


# How an answer becomes JSON: a frozen dataclass, of which pydantic derives the JSON and the JSON Schema
#
# An answer has all fields of the dataclass and no others. It is built by our own code, so that mypy checks it; nothing
# is validated at run time.


_CONFIG = ConfigDict(extra="forbid", use_attribute_docstrings=True)


def adapter(response: type[DataclassInstance]) -> TypeAdapter[DataclassInstance]:
    """Return pydantic's serializer of a response; each is built once, one at a time.

    Pydantic reads the docstrings of the fields with `ast.parse`, which in Python 3.11 raises SystemError now and then
    when two threads are in it (https://github.com/python/cpython/issues/106905). The lock keeps our threads apart; a
    library that parses meanwhile, as Werkzeug does for its routes, is not held by it, so that building is tried again.
    """
    with _BUILDING:
        if response not in _ADAPTERS:
            _ADAPTERS[response] = _built(with_config(_CONFIG)(response))
        return _ADAPTERS[response]


def _built(response: type[DataclassInstance]) -> TypeAdapter[DataclassInstance]:
    for _ in range(MOST_TRIES - 1):
        try:
            return TypeAdapter(response)
        except SystemError:
            continue
    return TypeAdapter(response)


MOST_TRIES = 10
_BUILDING = Lock()
_ADAPTERS: dict[type[DataclassInstance], TypeAdapter[DataclassInstance]] = {}


def encode(response: DataclassInstance, translations: Translations | None = None) -> bytes:
    """Return a response as JSON with its sentences in their language, None for English.

    It is ASCII: a path in a sentence may hold bytes that are not UTF-8. Moments are in ISO 8601, to the second.
    """
    values = adapter(type(response)).dump_python(response)
    said = values if translations is None else _said(values, translations)
    return json.dumps(said, separators=(",", ":"), default=_plain).encode("ascii")


def _plain(value: object) -> object:
    """Return what stands in JSON for a value of another kind."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(value)


def _said(value: object, translations: Translations) -> object:
    """Return values as JSON has them, with each sentence in their language."""
    if isinstance(value, str):
        return in_language(value, translations)
    if isinstance(value, Mapping):
        return {key: _said(each, translations) for key, each in value.items()}
    if isinstance(value, Iterable):
        return [_said(each, translations) for each in value]
    return value


def rounded(digits: int) -> PlainSerializer:
    """Return a mark for a float that is sent with so many decimals."""
    return PlainSerializer(lambda value: round(value, digits), return_type=float)


Count = Annotated[int, Field(ge=0)]
SeatName = Annotated[str, PlainSerializer(shown_name, return_type=str)]
"""Marks a player's name: one that only numbers its seat is said in the reader's language."""
RoleName = Literal["watcher", "camera", "player", "keeper"]


@dataclass(frozen=True)
class NameTitle:
    """A name with its title."""

    name: str
    title: str


@dataclass(frozen=True)
class RefusalResponse:
    """Why a request was refused."""

    error: str
    """One sentence for the person who tapped."""
    rule: str
    """The number of the rule that forbids it, or ''."""


@dataclass(frozen=True)
class DoneResponse:
    """The request was carried out."""

    done: Literal[True] = True


# The language that an address may ask for, `?lang=de`: for pages and programs that have no cookie to choose one by


def _spoken(code: str) -> str:
    if code and code not in languages():
        known = spell_list(list(languages()), "or")
        raise sentence_error(say("The table does not speak {code}: take {known}.", code=repr(code), known=known))
    return code


class AddressLanguage(RequestModel):
    """A language by its code; '' for the one that the device has chosen, or the browser's."""

    example: ClassVar = {"lang": "de"}

    lang: Annotated[OptionalText, AfterValidator(_spoken)] = ""
