"""How an answer becomes JSON: frozen dataclasses, whose JSON and JSON Schema pydantic derives from the same fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, PlainSerializer, TypeAdapter

from referee.sentences import Translations, in_language


@dataclass(frozen=True)
class ResponseModel:
    """A JSON object that the API answers: it has all of its fields and no others.

    A response is built by our own code, so that mypy checks it; nothing is validated at run time.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", use_attribute_docstrings=True, json_schema_serialization_defaults_required=True
    )


def adapter(response: type[ResponseModel]) -> TypeAdapter[ResponseModel]:
    """Return pydantic's serializer of a response; each is built once, one at a time.

    Pydantic reads the docstrings of the fields with `ast.parse`, which in Python 3.11 raises SystemError now and then
    when two threads are in it (https://github.com/python/cpython/issues/106905). The lock keeps our threads apart; a
    library that parses meanwhile, as Werkzeug does for its routes, is not held by it, so that building is tried again.
    """
    with _BUILDING:
        if response not in _ADAPTERS:
            _ADAPTERS[response] = _built(response)
        return _ADAPTERS[response]


def _built(response: type[ResponseModel]) -> TypeAdapter[ResponseModel]:
    for _ in range(MOST_TRIES - 1):
        try:
            return TypeAdapter(response)
        except SystemError:
            continue
    return TypeAdapter(response)


MOST_TRIES = 10
_BUILDING = Lock()
_ADAPTERS: dict[type[ResponseModel], TypeAdapter[ResponseModel]] = {}


def as_json(response: ResponseModel) -> dict[str, Any]:
    """Return a response as the values of its JSON."""
    found: dict[str, Any] = adapter(type(response)).dump_python(response, mode="json")
    return found


def encode(response: ResponseModel, translations: Translations | None = None) -> bytes:
    """Return a response as JSON with its sentences in their language, None for English.

    It is ASCII: a path in a sentence may hold bytes that are not UTF-8.
    """
    values = as_json(response) if translations is None else _said(_with_sentences(response), translations)
    return json.dumps(values, separators=(",", ":")).encode("ascii")


def _with_sentences(response: ResponseModel) -> object:
    """Return the values of a response in which a Sentence is one still: the mode of JSON makes it a plain text."""
    return adapter(type(response)).dump_python(response, mode="python")


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
RoleName = Literal["watcher", "camera", "player", "keeper"]


@dataclass(frozen=True)
class RefusalResponse(ResponseModel):
    """Why a request was refused."""

    error: str
    """One sentence for the person who tapped."""
    rule: str
    """The number of the rule that forbids it, or ''."""


@dataclass(frozen=True)
class DoneResponse(ResponseModel):
    """The request was carried out."""

    done: Literal[True] = True
