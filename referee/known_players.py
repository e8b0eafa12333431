"""The people at the table: their names, which all have to tell apart, and those whom it remembers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Final, Literal

from referee.game import BadStart
from referee.sentences import say

# The names of a game's players, which everybody at the table has to tell apart


def check_names(names: Sequence[str]) -> None:
    """Raise BadStart where two names look the same. Capitals, spaces and what is invisible make no difference.

    This is asked for a new game and for a record. `begin` does not ask: an older journal may hold such a game.
    """
    for name, other in combinations(names, 2):
        if as_seen(name) == as_seen(other):
            raise BadStart(_too_alike(name, other))


def _too_alike(name: str, other: str) -> str:
    if name == other:
        return say("two players are called {name}: give each player a name of their own", name=name)
    return say("{name} and {other} are too alike: give each player a name of their own", name=name, other=other)


def as_read(name: str) -> str:
    """Return a name as people tell it from others: two names with the same text here are one name."""
    words = unicodedata.normalize("NFKC", name).casefold().split()
    return " ".join("".join(letter for letter in word if letter.isprintable()) for word in words)


def as_seen(name: str) -> str:
    """Return what a name looks like: a Cyrillic `Ann` looks like a Latin one, and nobody tells the two apart."""
    return as_read(name).translate(_LOOK_LIKE)


_CYRILLIC, _GREEK = "авекмнорстухіјѕһԁԛԝ", "αβεζηικμνορτυχ"
_BLANK, _VARIATIONS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc", "\u180b\u180c\u180d\u180f\ufe0e\ufe0f"
"""Letters and signs that show nothing though Python calls them printable, and those that vary the letter before."""
_ARMENIAN, _CHEROKEE = "ագզհոռստցքօ", "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏮᏳᏴ"  # noqa: RUF001  # letters that look like Latin ones
_PHONETIC = "ɑɡɪᴄᴏᴜᴠᴡᴢꜱ"  # noqa: RUF001  # of one script with the letters that they look like
_LOOK_LIKE: Final = str.maketrans(
    _CYRILLIC + _GREEK + _ARMENIAN + _CHEROKEE + _PHONETIC,
    "abekmhopctyxijshdqw" + "abezhikmnoptyx" + "wqqhnnusgfo" + "drtiyajewmhyghz4brwsvslcpkd6gb" + "agicouvwzs",
    _BLANK + _VARIATIONS,
)
"""Letters as `as_read` folds them, and the Latin ones that they, or their capitals, look like by Unicode's confusables
(UTS 39); None for no look."""

_JOINER, _NON_JOINER = "\u200d", "\u200c"
_EMOJI_FLAG, _FLAG_END, _TAGS = "\U0001f3f4", "\U000e007f", range(0xE0020, 0xE0080)
_JOINING_SCRIPTS: Final = (
    "ARABIC",
    "SYRIAC",
    "MONGOLIAN",
    "NKO",
    "MANDAIC",
    "PHAGS-PA",
    "MANICHAEAN",
    "ADLAM",
    "HANIFI",
)
"""The beginnings of the names of letters that take another form next to a non-joiner."""
_VIRAMA = 9
"""The combining class of a sign after which letters join or do not."""


def is_writable(text: str) -> bool:
    """True if a text shows all that it holds. What joins letters or emoji is allowed where it has a use.

    A joiner and a non-joiner between letters by Unicode's rules for identifiers (UAX 31, contexts A1, A2 and B), a
    joiner between emoji and the tags of a flag by UTS 51, and behind any sign what varies it.
    """
    shown = (letter.isprintable() and letter not in _BLANK + _VARIATIONS for letter in text)
    return all(is_shown or _has_use(text, place) for place, is_shown in enumerate(shown))


def _has_use(text: str, place: int) -> bool:
    before, letter, after = text[:place], text[place], text[place + 1 :]
    if ord(letter) in _TAGS:
        _, flag, tags = before.rpartition(_EMOJI_FLAG)
        return bool(flag) and _FLAG_END in letter + after and all(ord(tag) in _TAGS for tag in tags)
    if letter in _VARIATIONS:
        return bool(before)
    if letter not in {_JOINER, _NON_JOINER} or not before:
        return False
    if unicodedata.combining(before[-1]) == _VIRAMA:
        return letter == _JOINER or bool(after)
    if letter == _JOINER:
        return _is_emoji(before.rstrip("\ufe0f🏻🏼🏽🏾🏿")[-1:]) and _is_emoji(after[:1])
    beside = (unicodedata.name(each, "") for each in before[-1] + after[:1])
    return bool(after) and all(name.startswith(_JOINING_SCRIPTS) for name in beside)


def _is_emoji(letter: str) -> bool:
    return bool(letter) and unicodedata.category(letter) == "So"


# The people whom a table remembers: their names, and the colour and the drawn picture that each has chosen


COLOURS = ("red", "orange", "yellow", "green", "teal", "blue", "violet", "pink")
"""The colours that a player may have, by name; the pages say how each looks."""
PICTURES = ("fox", "owl", "cat", "bear", "whale", "frog", "rabbit", "snail", "moon", "tree", "boat", "kite")
"""The drawn pictures that a player may have: each is a file in `web/static/players`."""


@dataclass(frozen=True)
class KnownPlayer:
    """A player whom the table remembers."""

    number: int
    name: str
    colour: str
    picture: str
    """The name of the drawing, `/static/players/{picture}.svg`."""
    made_at: datetime
    """When the player was first seen."""
    games: int = 0
    """In how many ended games of the list the player sat."""


VoiceWish = Literal["rename", "delete"]
"""What becomes of a recorded voice that bears a forgotten name."""


@dataclass(frozen=True)
class NamedVoice:
    """A voice of the caller that bears the name of a player: its number, and what it is called."""

    voice: str
    name: str


@dataclass(frozen=True)
class NameTraces:
    """Where a player's name is stored outside the journal: recorded voices, and copies that the owner may delete.

    The copies are backups, what the last restore replaced and exports that were left, relative to the data folder.
    """

    voices: tuple[NamedVoice, ...] = ()
    copies: tuple[str, ...] = ()


@dataclass(frozen=True)
class ForgetWishes:
    """The owner's choices when a player is forgotten: delete or rename recorded voices, and which copies to delete."""

    voices: VoiceWish = "rename"
    copies: tuple[str, ...] = ()


@dataclass(frozen=True)
class ForgottenPlayer:
    """What came of forgetting a player: in how many games the name was replaced, and what else may still hold it.

    `removed` are the copies that were deleted, `left` the files that only their owner may delete: backups, what the
    last restore replaced, exports, and what the owner called by the name. Both are names relative to the data folder.
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


def replace_name(text: str, name: str, new: str, *, any_case: bool = False, others: Iterable[str] = ()) -> str:
    """Return a text in which a name, as a word of its own or with an s, is replaced: `Ann's phone`, `Anns phone`.

    The names of `others` stay whole: Ann-Marie is not Ann.
    """
    pattern = name_pattern(name, any_case=any_case, others=others)
    return pattern.sub(lambda found: found[0] if found["name"] is None else new, text)


def has_name(text: str, pattern: re.Pattern[str]) -> bool:
    """Return true if a text holds the name of a `name_pattern`, and not in the names of others alone."""
    return any(found["name"] is not None for found in pattern.finditer(text))


def name_pattern(name: str, *, any_case: bool = True, others: Iterable[str] = ()) -> re.Pattern[str]:
    """Return the pattern of a name as a word of its own, or with an s, in whatever capitals, as its group `name`.

    The names of `others` that hold the name are matched too, without that group. A name of one letter does not begin
    after an apostrophe: the s of `Ann's` is nobody's name.
    """
    holding = {other for other in others if as_read(name) in as_read(other) != as_read(name)}
    longer = sorted(holding, key=len, reverse=True)
    before = r"(?<!\w['\u2019])" if len(name) == 1 else ""
    either = "|".join([*map(re.escape, longer), f"(?P<name>{before}{re.escape(name)})"])
    return re.compile(rf"(?<!\w)(?:{either})(?=s?(?!\w))", re.IGNORECASE if any_case else 0)
