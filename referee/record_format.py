"""The game record: a game as plain text that people read and write, and that can be checked against the rules.

docs/record.md is its specification. This module has the values of a record and writes them as text;
`referee.record_parser` reads text, and `referee.record_check` rules on its lines one after another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from referee.actions import Action
from referee.dice import RefereeError
from referee.journal import Deed, Entry, Source

HEADINGS: Final = ("game", "players", "options", "dice", "started", "ended")
NEEDED_HEADINGS: Final = HEADINGS[:2]
CLAIMS: Final = (
    "scores",
    "winner",
    "to-act",
    "turn-points",
    "left",
    "chips",
    "decks",
    "disk",
    "disk-on",
    "excess",
)
"""What a record may say of the game at one place. From `chips` on only some games have it."""


class BadRecord(RefereeError, ValueError):
    """A game record that cannot be read; the message names the line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")


class UnreadablePart(ValueError):
    """Why a part of a line cannot be read."""


@contextmanager
def on_line(number: int) -> Iterator[None]:
    """Raise whatever ValueError comes from this block as a BadRecord of that line."""
    try:
        yield
    except ValueError as wrong:
        raise BadRecord(number, str(wrong)) from None


@dataclass(frozen=True)
class EntryOrigin:
    """When an entry was made, what it came from, and the name of the picture kept with it ('' for none)."""

    at: datetime
    source: Source
    evidence: str = ""

    def __str__(self) -> str:
        words = [self.at.astimezone(UTC).isoformat(), str(self.source)]
        return " ".join([*words, _word(self.evidence)] if self.evidence else words)


@dataclass(frozen=True)
class RecordedEntry:
    """An entry of a journal as a record has it; it need not name its origin.

    `line_number` counts from 1; 0 for an entry that was not read from a text.
    """

    deed: Deed
    action: Action | None = None
    target: int = 0
    note: str = ""
    rule: str = ""
    origin: EntryOrigin | None = None
    line_number: int = field(default=0, compare=False)

    @classmethod
    def of(cls, entry: Entry) -> RecordedEntry:
        """Return an entry of a journal without its number, which a record tells by the entry's place."""
        origin = EntryOrigin(entry.at, entry.source, entry.evidence)
        return cls(entry.deed, entry.action, entry.target, entry.note, entry.rule, origin)

    def journal_entry(self, number: int, at: datetime) -> Entry:
        """Return the entry for a journal; one without an origin was tapped on a tablet at the moment `at`."""
        seen = self.origin or EntryOrigin(at, Source.TABLET)
        return Entry(
            number, seen.at, seen.source, self.deed, self.action, self.target, self.note, self.rule, seen.evidence
        )

    def __str__(self) -> str:
        """Return what the entry says, without its origin."""
        words = {
            Deed.PLAY: (str(self.action),),
            Deed.UNDO: ("undo", str(self.target)),
            Deed.CORRECT: ("correct", f"{self.target}:", str(self.action)),
            Deed.BREACH: ("breach", self.rule and _word(self.rule), _quoted(self.note)),
            Deed.LAID: ("laid", self.note),
        }
        return " ".join(filter(None, words[self.deed]))


@dataclass(frozen=True)
class Claim:
    """What a record says of the game at this place, one of CLAIMS, which `check_record` compares.

    `rule` is the number of a rule that the ruling before it cites, '' where the record does not say.
    """

    name: str
    numbers: tuple[int, ...]
    rule: str = ""
    line_number: int = field(default=0, compare=False)

    def __str__(self) -> str:
        words = (f"{self.name}:", listed(self.numbers), f"by {self.rule}" if self.rule else "")
        return " ".join(filter(None, words))


@dataclass(frozen=True)
class Record:
    """A game as it was written down.

    dice: the name of the die set; '' for the game's own.
    started, ended: in UTC; None where the record does not say.
    lines: the entries and claims, in order.
    heading_lines: the numbers of the lines on which the headings stand.
    comments: what stands as comments before a line, by the line's place in `lines`; a parser leaves them out.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    dice: str = ""
    started: datetime | None = None
    ended: datetime | None = None
    lines: tuple[RecordedEntry | Claim, ...] = ()
    heading_lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    comments: Mapping[int, tuple[str, ...]] = field(default_factory=dict, compare=False)

    def line_of(self, heading: str) -> int:
        """Return the number of a heading's line; that of the game's where the heading is missing."""
        return self.heading_lines.get(heading, self.heading_lines.get("game", 1))

    @property
    def entries(self) -> tuple[RecordedEntry, ...]:
        """Return the entries in order; the first has the number 1."""
        return tuple(line for line in self.lines if isinstance(line, RecordedEntry))

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Return the claims in order."""
        return tuple(line for line in self.lines if isinstance(line, Claim))

    def journal_entries(self, at: datetime) -> tuple[Entry, ...]:
        """Return the entries for a journal; `at` is the time of those that name none."""
        return tuple(entry.journal_entry(number, at) for number, entry in enumerate(self.entries, start=1))


_PLAIN_WORD = re.compile(r"[\w.:/+-][\w.:/+@-]*")


def write_record(record: Record) -> str:
    """Return the record as text, which `parse_record` reads back."""
    return "\n".join([*_headings(record), "", *_body(record), ""])


def _body(record: Record) -> Iterator[str]:
    for place, line in enumerate((*record.lines, None)):
        yield from (f"# {visible(comment)}" for comment in record.comments.get(place, ()))
        if line is not None:
            yield _written(line)


def _headings(record: Record) -> Iterator[str]:
    yield f"game: {record.game}"
    yield f"players: {', '.join(map(_name, record.players))}".rstrip()
    if record.options:
        yield f"options: {' '.join(f'{_word(name)}={_word(value)}' for name, value in record.options.items())}"
    if record.dice:
        yield f"dice: {record.dice}"
    for heading, moment in (("started", record.started), ("ended", record.ended)):
        if moment:
            yield f"{heading}: {moment.astimezone(UTC).isoformat()}"


def _written(line: RecordedEntry | Claim) -> str:
    return f"{line} @ {line.origin}" if isinstance(line, RecordedEntry) and line.origin else str(line)


def listed(numbers: Iterable[int]) -> str:
    """Return numbers with commas between them."""
    return ", ".join(map(str, numbers))


def _name(name: str) -> str:
    plain = name.isprintable() and name == name.strip() != "" and not set(name) & set(',"#')
    return name if plain else _quoted(name)


def _word(word: str) -> str:
    return word if _PLAIN_WORD.fullmatch(word) else _quoted(word)


def _quoted(text: str) -> str:
    """Return the text as a JSON string in which nothing is invisible."""
    return visible(json.dumps(text, ensure_ascii=False))


def visible(text: str) -> str:
    """Return the text with control characters, and what else no terminal should get raw, escaped as in JSON."""
    return text if text.isprintable() else "".join(map(_escaped, text))


def _escaped(letter: str) -> str:
    return letter if letter.isprintable() else json.dumps(letter)[1:-1]
