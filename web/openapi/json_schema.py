"""The few words in which the API's shapes are told: JSON Schema of the draft that OpenAPI 3.1 has."""

from __future__ import annotations

from typing import Any

Shape = dict[str, Any]

TEXT: Shape = {"type": "string"}
YES_NO: Shape = {"type": "boolean"}
NUMBER: Shape = {"type": "number"}
COUNT: Shape = {"type": "integer", "minimum": 0}
SHARE: Shape = {"type": "number", "minimum": 0, "maximum": 1}
NOTHING: Shape = {"type": "null"}


def told(meaning: str, /, **properties: Shape) -> Shape:
    """An object of an answer: it has all of these and no more."""
    return {
        "type": "object",
        "description": meaning,
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def asked(*, may: tuple[str, ...] = (), **properties: Shape) -> Shape:
    """The object that a request gives: it needs all of these but those it may leave out; what is more is not read."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in may],
    }


def row_of(shape: Shape, least: int = 0, most: int | None = None) -> Shape:
    """A list."""
    bounds = {"minItems": least} if least else {}
    return {"type": "array", "items": shape, **bounds} | ({} if most is None else {"maxItems": most})


def named(name: str) -> Shape:
    """A shape that stands among the document's components."""
    return {"$ref": f"#/components/schemas/{name}"}


def or_null(shape: Shape) -> Shape:
    """That, or null."""
    return {"anyOf": [shape, NOTHING]}


def one_of(*words: str) -> Shape:
    """One of a few words."""
    return {"type": "string", "enum": list(words)}


def whole(least: int, most: int) -> Shape:
    """A whole number between two others."""
    return {"type": "integer", "minimum": least, "maximum": most}


def line(most: int, least: int = 0) -> Shape:
    """One line of text that a person typed: no more than so many characters, and none that cannot be shown."""
    return {"type": "string", "maxLength": most} | ({"minLength": least} if least else {})


def because(shape: Shape, meaning: str) -> Shape:
    """The shape with what it means."""
    return {**shape, "description": meaning}
