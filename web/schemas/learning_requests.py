"""What a request of the teaching pages asks for, read into values or turned down in one sentence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from referee.refused import Reason, Refused
from web.schemas.game_requests import LONGEST_NAME, short_text, text, whole, yes_or_no
from web.services.learning_protocol import LEAST_QUOTA_MB, MOST_QUOTA_MB, RAREST_CHECK, Choices, NewKind

MOST_LISTED = 50
"""Kinds, or faces of a kind, in one request; how many a die set can have, the desk says."""
MOST_PICTURES = 500
"""In one request: their names are a quarter of the largest body."""
MOST_QUEUED = 200
MOST_WRONG = 160
"""Dice of one throw in one request."""

_NAME = re.compile(r"[\w-]{1,100}", re.ASCII)


def set_name(name: str) -> str:
    """A die set's name as an address has it. Raises Refused (404)."""
    if not _NAME.fullmatch(name):
        raise Refused("There are no dice of that name here.", Reason.NOT_FOUND)
    return name


def picture_name(name: str) -> str:
    """A captured picture's name as an address has it. Raises Refused (404)."""
    if not _NAME.fullmatch(name):
        raise Refused("There is no captured picture of that name.", Reason.NOT_FOUND)
    return name


def pictures(body: Mapping[str, Any]) -> list[str]:
    """Different names of captured pictures, at least one. Raises Refused."""
    found = body.get("pictures")
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_PICTURES:
        raise Refused(f"The request needs 'pictures', a list of 1 to {MOST_PICTURES} names.")
    if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in found):
        raise Refused("The request names a picture with characters that no picture's name has.")
    return list(dict.fromkeys(found))


def optional(body: Mapping[str, Any], name: str) -> str:
    """A piece of text that may be left out. Raises Refused."""
    return short_text(body.get(name, ""), f"{name!r}")


def how_many(asked: str) -> int:
    """How many queued pictures an address asks for, 1 to MOST_QUEUED. Raises Refused."""
    if not (asked.isascii() and asked.isdigit() and 1 <= int(asked[:9]) <= MOST_QUEUED):
        raise Refused(f"The request needs 'most', a whole number from 1 to {MOST_QUEUED}.")
    return int(asked)


def edge_mm(body: Mapping[str, Any]) -> float:
    """The edge of a die in millimetres, a finite number. Raises Refused."""
    found = body.get("edge_mm")
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        raise Refused("The request needs 'edge_mm', the edge of a die in millimetres.")
    return float(found)


def new_kinds(body: Mapping[str, Any]) -> list[NewKind]:
    """The kinds of dice to be made, each with a title of its own. Raises Refused."""
    found = body.get("kinds")
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_LISTED:
        raise Refused(f"The request needs 'kinds', a list of 1 to {MOST_LISTED} kinds of dice.")
    kinds = [_new_kind(kind) for kind in found]
    _apart([kind.title for kind in kinds], "Two kinds of dice")
    return kinds


def _new_kind(found: object) -> NewKind:
    if not isinstance(found, dict):
        raise Refused("The request needs each of 'kinds' as an object with a title and faces.")
    title = text(found, "title", LONGEST_NAME)
    count = whole(found.get("count", 1), f"the count of the kind {title!r}")
    return NewKind(title, _faces(found.get("faces"), title), count)


def _faces(found: object, kind: str) -> tuple[str, ...]:
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_LISTED:
        raise Refused(f"The kind {kind!r} needs 'faces', a list of 1 to {MOST_LISTED} titles.")
    typed = [short_text(face, f"a face of {kind!r}", LONGEST_NAME) for face in found]
    titles = [face or f"Face {place}" for place, face in enumerate(typed, start=1)]
    _apart(titles, f"Two faces of {kind!r}")
    return tuple(titles)


def _apart(titles: list[str], which: str) -> None:
    folded = [title.casefold() for title in titles]
    twice = next((title for title in titles if folded.count(title.casefold()) > 1), None)
    if twice is not None:
        raise Refused(f"{which} are called {twice!r}; give each a name of its own.")


def between(value: object, least: int, most: int, what: str) -> int:
    """The value as a whole number between two others. Raises Refused with a sentence about `what`."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Refused(f"{what} is a whole number from {least} to {most}.")
    return value


def choices(body: Mapping[str, Any]) -> Choices:
    """What the table has chosen. Raises Refused."""
    return Choices(
        keep_play=yes_or_no(body, "keep_play"),
        quota_mb=between(body.get("quota_mb"), LEAST_QUOTA_MB, MOST_QUOTA_MB, "The room for pictures, in MB,"),
        check_one_in=between(body.get("check_one_in"), 0, RAREST_CHECK, "One throw in how many is asked about"),
    )


def wrong_dice(body: Mapping[str, Any]) -> dict[int, str]:
    """The dice that were read wrong, each with the face it shows; none is an empty mapping. Raises Refused."""
    found = body.get("wrong", {})
    if not isinstance(found, dict) or len(found) > MOST_WRONG:
        raise Refused('The request needs \'wrong\', an object of faces by the dice\'s numbers, such as {"3": "happy"}.')
    return {_die(number): text({"face": face}, "face") for number, face in found.items()}


def _die(number: str) -> int:
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Refused("The request needs each die of 'wrong' by its number.")
    return whole(int(number), "a die")
