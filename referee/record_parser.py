"""The game record: a game as plain text that people read and write, and its reading.

What changes no state and was not recorded as a breach (answers, remarks, challenges) stands in comments: a record
counts its entries without them, so that any reader of records can follow it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, TypeVar

from referee.actions import Action
from referee.dice import RefereeError
from referee.fair_play import LEANED
from referee.journal import SAID, Actor, Deed, Entry, Source, laid_text, read_laid

# The game record: a game as plain text that people read and write, and that can be checked against the rules
#
# docs/record.md is its specification. This module has the values of a record and writes them as text;
# `referee.record_parser` reads text, and `referee.record_check` rules on its lines one after another.


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


# Reading a game record from text


LONGEST_LINE: Final = 10_000
"""The most characters of a line."""
MOST_LINES: Final = 100_000
"""The most lines of a record, comments included."""
MOST_TEXT: Final = 20_000_000
"""The most characters of a record."""


_STRING = r'"(?:[^"\\]|\\.)*"'
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_CONTENT = re.compile(rf'(?:{_STRING}|(?<=\S)#|[^"#])*')
_HEADING = re.compile(r"([A-Za-z][A-Za-z-]*):")
_WORDS = re.compile(rf'(?:[^\s"]|{_STRING})+')
_NAMES = re.compile(rf'((?:[^",]|{_STRING})*),')
_PAIR = re.compile(rf'({_STRING}|[^="]+)=({_STRING}|[^"]*)')
_CITING = re.compile(r"(?P<numbers>.*)\bby\s+(?P<rule>\S+)")
_NUMBER = re.compile(r"-?[0-9]{1,9}")

_Part = TypeVar("_Part")


def parse_record(text: str | Iterable[str]) -> Record:
    """Read a record, whole or line by line. Raises BadRecord, whose message names the line."""
    contents = list(_contents(text.split("\n") if isinstance(text, str) else text))
    first = next((index for index, (_, content) in enumerate(contents) if not _is_heading(content)), len(contents))
    headed = _headed(_found(contents[:first]), contents[first:] or contents[-1:])
    return replace(headed, lines=tuple(_line(number, content) for number, content in contents[first:]))


def _contents(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that say something, with their numbers and without comments."""
    size = 0
    for number, line in enumerate(lines, start=1):
        size += len(line)
        if number > MOST_LINES or size > MOST_TEXT:
            raise BadRecord(number, f"a record has at most {MOST_LINES} lines and {MOST_TEXT} characters")
        with on_line(number):
            content = _content(line.removeprefix("\ufeff") if number == 1 else line)
        if content:
            yield number, content


def _content(line: str) -> str:
    if len(line) > LONGEST_LINE:
        raise UnreadablePart(f"the line is longer than {LONGEST_LINE} characters")
    if _NO_TEXT.search(line):
        raise UnreadablePart("this is no text in UTF-8")
    found = _CONTENT.match(line)
    content = found[0] if found else ""
    if line.startswith('"', len(content)):
        raise UnreadablePart("a quotation mark is not closed")
    return content.strip()


def _is_heading(content: str) -> bool:
    found = _HEADING.match(content)
    return found is not None and found[1] not in CLAIMS


def _found(contents: Sequence[tuple[int, str]]) -> dict[str, tuple[int, str]]:
    """Return the headings by their names: the number of the line, and its value."""
    found: dict[str, tuple[int, str]] = {}
    for line, content in contents:
        name, _, value = content.partition(":")
        if name not in HEADINGS:
            raise BadRecord(line, f"there is no heading {name[:80]!r}; there are {', '.join(HEADINGS)}")
        if name in found:
            raise BadRecord(line, f"the heading {name!r} stands here again; it stands on line {found[name][0]}")
        found[name] = (line, value.strip())
    return found


_BEGINNING = "a record begins with lines such as 'game: intersection' and 'players: Ann, Bob'"


def _headed(found: Mapping[str, tuple[int, str]], rest: Sequence[tuple[int, str]]) -> Record:
    """Return the record of the headings alone; a missing heading is an error on the line where the rest begins."""
    for name in NEEDED_HEADINGS:
        if name not in found:
            raise BadRecord(rest[0][0] if rest else 1, f"the heading {name!r} is missing; {_BEGINNING}")
    nothing: Mapping[str, str] = {}
    return Record(
        game=_value(found, "game", str, ""),
        players=_value(found, "players", _players, ()),
        options=_value(found, "options", _options, nothing),
        dice=_value(found, "dice", str, ""),
        started=_value(found, "started", _moment, None),
        ended=_value(found, "ended", _moment, None),
        heading_lines={name: line for name, (line, _) in found.items()},
    )


def _value(found: Mapping[str, tuple[int, str]], name: str, read: Callable[[str], _Part], otherwise: _Part) -> _Part:
    if name not in found:
        return otherwise
    line, text = found[name]
    with on_line(line):
        return read(text)


def _players(text: str) -> tuple[str, ...]:
    return tuple(_player(piece.strip()) for piece in _NAMES.findall(f"{text},")) if text else ()


def _player(piece: str) -> str:
    if not piece:
        raise UnreadablePart("a name is missing before or after a comma")
    return _unquoted(piece) if '"' in piece else piece


def _options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for word in _WORDS.findall(text):
        pair = _PAIR.fullmatch(word)
        if not pair:
            raise UnreadablePart(f"{word[:80]!r} is no option; write name=value, with no space round the =")
        name, value = map(_read_word, pair.groups())
        if name in options:
            raise UnreadablePart(f"the option {name[:80]!r} stands here twice")
        options[name] = value
    return options


def _read_word(word: str) -> str:
    return _unquoted(word) if word.startswith('"') else word


def _unquoted(text: str) -> str:
    try:
        read = json.loads(text)
        read.encode()
    except (ValueError, AttributeError):
        raise UnreadablePart(
            f'{visible(text[:80])} is no text in quotation marks, such as "Ann \\"the die\\" Lee"'
        ) from None
    return str(read)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise UnreadablePart(f"{text[:80]!r} is no moment; write it so: 2026-05-01T20:15:00+00:00") from None


def _line(number: int, content: str) -> RecordedEntry | Claim:
    with on_line(number):
        name = content.partition(":")[0]
        if name in HEADINGS:
            raise UnreadablePart(f"the heading {name!r} stands too late; headings come before the first entry")
        return replace(_claim(content) or _entry(content), line_number=number)


def _claim(content: str) -> Claim | None:
    name, colon, rest = content.partition(":")
    if not colon or name not in CLAIMS:
        return None
    said = _CITING.fullmatch(rest)
    numbers, rule = (said["numbers"].strip(), said["rule"]) if said else (rest.strip(), "")
    return Claim(name, tuple(_number(number.strip()) for number in numbers.split(",")) if numbers else (), rule)


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise UnreadablePart(f"{text[:80]!r} is no number")
    return int(text)


def _entry(content: str) -> RecordedEntry:
    words = _WORDS.findall(content)
    if "@" not in words:
        return _deed(words)
    end = words.index("@")
    return replace(_deed(words[:end]), origin=_origin(words[end + 1 :]))


def _origin(words: Sequence[str]) -> EntryOrigin:
    if len(words) not in (2, 3) or words[1] not in list(Source):
        raise UnreadablePart(f"after the @ stand a moment, one of {', '.join(Source)}, and maybe the name of a picture")
    return EntryOrigin(_moment(words[0]), Source(words[1]), _read_word(words[2]) if len(words) == 3 else "")


def _deed(words: Sequence[str]) -> RecordedEntry:
    match words:
        case ["undo", target]:
            return RecordedEntry(Deed.UNDO, target=_number(target))
        case ["correct", target, *action] if target.endswith(":"):
            return RecordedEntry(Deed.CORRECT, Action.parse(" ".join(action)), _number(target[:-1]))
        case ["breach", note]:
            return RecordedEntry(Deed.BREACH, note=_unquoted(note))
        case ["breach", rule, note]:
            return RecordedEntry(Deed.BREACH, note=_unquoted(note), rule=_read_word(rule))
        case ["laid", *dice]:
            return RecordedEntry(Deed.LAID, note=laid_text(read_laid(" ".join(dice))))
        case [seat, *_] if seat[0].isdigit():
            return RecordedEntry(Deed.PLAY, Action.parse(" ".join(words)))
    raise UnreadablePart(f"{' '.join(words)[:80]!r} is no line of a record; {_LINES}")


_LINES = (
    "there are '1 end' (seat, verb, dice, =choice), 'undo 12', 'correct 7: 1 end', 'breach I.2-6 \"Why.\"', "
    "'laid traffic:happy@field', 'scores: 0, 300' and 'winner: 1'"
)


COMMENTED = SAID
"""The deeds that a record has no line for."""


@dataclass(frozen=True)
class JournalLines:
    """Entries as a record has them, and the comments before each, by its place; those at the end come last."""

    entries: tuple[RecordedEntry, ...]
    comments: Mapping[int, tuple[str, ...]]


def journal_lines(entries: Sequence[Entry]) -> JournalLines:
    """Return the entries of a journal as lines of a record; targets are numbered as the record counts its entries."""
    numbers, lines, comments = dict[int, int](), list[RecordedEntry](), dict[int, tuple[str, ...]]()
    for entry in entries:
        if said := comment_of(entry):
            comments[len(lines)] = (*comments.get(len(lines), ()), said)
        if entry.deed not in COMMENTED:
            numbers[entry.number] = len(lines) + 1
            note = "" if entry.deed is Deed.UNDO or entry.note == LEANED else entry.note
            lines.append(RecordedEntry.of(replace(entry, target=numbers.get(entry.target, entry.target), note=note)))
    return JournalLines(tuple(lines), comments)


def comment_of(entry: Entry) -> str:
    """Return what a record says of an entry in a comment: the note, and whose device and seat it was; '' for none."""
    note = " ".join(filter(None, (f"{entry.deed}:", entry.note, entry.rule and f"({entry.rule})")))
    taken_back = f"taken back: {entry.note}" if entry.deed is Deed.UNDO and entry.note else ""
    leaned = LEANED if entry.note == LEANED else ""
    return " ".join(filter(None, (note if entry.deed in COMMENTED else taken_back or leaned, signature(entry.by))))


def signature(by: Actor) -> str:
    """Return who did something, as a comment says it: `by Ann's phone, seat 1`; '' where nobody knows."""
    seat = f"seat {by.seat}" if by.seat else ""
    who = ", ".join(filter(None, (by.device, seat)))
    return f"by {who}" if who else ""
