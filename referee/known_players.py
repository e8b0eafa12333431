"""The people whom a table remembers: their names, and the colour and the drawn picture that each has chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from referee.player_names import as_read

COLOURS = ("red", "orange", "yellow", "green", "teal", "blue", "violet", "pink")
"""The colours that a player may have, by name; the pages say how each looks."""
PICTURES = ("fox", "owl", "cat", "bear", "whale", "frog", "rabbit", "snail", "moon", "tree", "boat", "kite")
"""The drawn pictures that a player may have: each is a file in `web/static/players`."""


@dataclass(frozen=True)
class KnownPlayer:
    """A player whom the table remembers. `games` counts the games in which the player sat, finished or not."""

    number: int
    name: str
    colour: str
    picture: str
    made_at: datetime
    games: int = 0


@dataclass(frozen=True)
class ForgottenPlayer:
    """What came of forgetting a player: in how many games the name was replaced, and what else may still hold it.

    `removed` are the copies of the journal that were deleted, `left` the files that only their owner may delete:
    backups, and what the last restore replaced. Both are names relative to the data folder.
    """

    games: int
    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def first_look(number: int) -> tuple[str, str]:
    """Return the colour and the picture with which the player of a number, from 1, begins."""
    return COLOURS[(number - 1) % len(COLOURS)], PICTURES[(number - 1) % len(PICTURES)]


def stand_in(seat: int, others: Iterable[str]) -> str:
    """Return the name of a forgotten player's seat in a game with these other players: `Player 2`."""
    taken, name = {as_read(other) for other in others}, f"Player {seat}"
    while as_read(name) in taken:
        name += "*"
    return name


def replace_name(text: str, name: str, new: str, *, any_case: bool = False) -> str:
    """Return a text in which a name, as a word of its own or with an s, is replaced: `Ann's phone`, `Anns phone`."""
    pattern = rf"(?<!\w){re.escape(name)}(?=s?(?!\w))"
    return re.sub(pattern, lambda _: new, text, flags=re.IGNORECASE if any_case else 0)
