"""What a request asks for: its JSON body read into values, or turned down in one sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from flask import request

from referee.refused import Refused

LONGEST_TEXT = 200
"""Characters: an action with six dice is under a hundred."""
LONGEST_NAME = 24
LARGEST_NUMBER = 10**9
MOST_PLAYERS = 99
"""As many seats as an action can name; how many a game takes is the game's own to say."""


def asked() -> dict[str, Any]:
    """The request's JSON object. Raises Refused."""
    try:
        body = json.loads(request.get_data())
    except (ValueError, RecursionError):
        raise Refused("The request is not readable JSON.") from None
    if not isinstance(body, dict):
        raise Refused('The request must be a JSON object, such as {"die": 3}.')
    return body


def text(body: Mapping[str, Any], name: str, longest: int = LONGEST_TEXT) -> str:
    """A piece of text that is there and not empty, trimmed. Raises Refused."""
    found = short_text(body.get(name), f"{name!r}", longest)
    if not found:
        raise Refused(f"The request needs {name!r}, a text that is not empty.")
    return found


def short_text(value: object, what: str, longest: int = LONGEST_TEXT) -> str:
    """One line of text, trimmed, maybe empty. Raises Refused."""
    if not isinstance(value, str):
        raise Refused(f"The request needs {what} as a text.")
    trimmed = value.strip()
    if len(trimmed) > longest:
        raise Refused(f"The request has {what} of {len(trimmed)} characters; {longest} is the most.")
    if not trimmed.isprintable():
        raise Refused(f"The request has {what} with characters that cannot be shown.")
    return trimmed


def number(body: Mapping[str, Any], name: str) -> int:
    """A whole number from 0. Raises Refused."""
    return whole(body.get(name), f"{name!r}")


def whole(value: object, what: str) -> int:
    """The value as a whole number from 0. Raises Refused."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST_NUMBER:
        raise Refused(f"The request needs {what} as a whole number from 0.")
    return value


def numbers(body: Mapping[str, Any], name: str) -> list[int]:
    """A list of at least one different whole number. Raises Refused."""
    found = body.get(name)
    if not isinstance(found, list) or not found:
        raise Refused(f"The request needs {name!r}, a list of at least one number.")
    return list(dict.fromkeys(whole(value, f"each of {name!r}") for value in found))


def fraction(body: Mapping[str, Any], name: str) -> float:
    """A share of the picture's width or height, from 0 to 1. Raises Refused."""
    found = body.get(name)
    if not isinstance(found, int | float) or isinstance(found, bool) or not math.isfinite(found) or not 0 <= found <= 1:
        raise Refused(f"The request needs {name!r} as a number from 0 to 1.")
    return float(found)


def yes_or_no(body: Mapping[str, Any], name: str) -> bool:
    """True or false. Raises Refused."""
    found = body.get(name)
    if not isinstance(found, bool):
        raise Refused(f"The request needs {name!r} as true or false.")
    return found


def player_names(body: Mapping[str, Any]) -> list[str]:
    """Who plays, in the order of the seats: different names, none empty. Raises Refused."""
    found = body.get("players")
    if not isinstance(found, list) or not 1 <= len(found) <= MOST_PLAYERS:
        raise Refused(f"The request needs 'players', a list of 1 to {MOST_PLAYERS} names.")
    names = [short_text(name, "a player's name", LONGEST_NAME) for name in found]
    if not all(names):
        raise Refused("Every player needs a name.")
    if len({name.casefold() for name in names}) < len(names):
        raise Refused("Two players have the same name; give each a name of their own.")
    return names


def chosen_options(body: Mapping[str, Any]) -> dict[str, str]:
    """The options that were chosen: name to reading. None chosen is an empty mapping. Raises Refused."""
    found = body.get("options", {})
    if not isinstance(found, dict):
        raise Refused("The request needs 'options' as an object of texts.")
    return {short_text(name, "an option"): short_text(reading, f"option {name!r}") for name, reading in found.items()}
