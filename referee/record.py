"""The game record: a game as plain text that people read and write, and that can be held against the rules.

docs/record.md is its specification. `parse` and `write` turn text into a `Record` and back; `begun` gives the start
that its headings tell, and `check` rules on its lines one after another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TypeVar

from referee.dice import Die, DieSet, RefereeError
from referee.game import Action, BadStart, Call, Game, GameState, Refusal, begin
from referee.journal import Contradiction, Course, Deed, Entry, Source, read_laid
from referee.options import BadOption

LONGEST_LINE = 10_000
"""So many characters a line may have."""
MOST_LINES = 100_000
"""So many lines a record may have, comments included."""
MOST_TEXT = 20_000_000
"""So many characters a record may have."""
MOST_RULINGS = 300_000
"""So many rulings a record may ask for: a correction has all that came after it ruled on anew."""

HEADINGS = ("game", "players", "options", "dice", "started", "ended")
NEEDED = HEADINGS[:2]
CLAIMS = ("scores", "winner")

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""When an entry was that does not say so, where nobody asks."""


class BadRecord(RefereeError, ValueError):
    """A game record that cannot be read; the message names the line."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")


@dataclass(frozen=True)
class Witness:
    """When an entry was made, who said so, and the name of the picture kept with it, or ''."""

    at: datetime
    source: Source
    evidence: str = ""

    def __str__(self) -> str:
        words = [self.at.astimezone(UTC).isoformat(), str(self.source)]
        return " ".join([*words, _word(self.evidence)] if self.evidence else words)


@dataclass(frozen=True)
class Noted:
    """An entry as a record has it, which need not name its witness. `line` is where it stands, 0 for nowhere yet."""

    deed: Deed
    action: Action | None = None
    target: int = 0
    note: str = ""
    rule: str = ""
    witness: Witness | None = None
    line: int = field(default=0, compare=False)

    @classmethod
    def of(cls, entry: Entry) -> Noted:
        """All of a journal's entry but its number, which is its place."""
        witness = Witness(entry.at, entry.source, entry.evidence)
        return cls(entry.deed, entry.action, entry.target, entry.note, entry.rule, witness)

    def entry(self, number: int, at: datetime) -> Entry:
        """The entry for a journal; one without a witness was told to a tablet, at `at`."""
        seen = self.witness or Witness(at, Source.TABLET)
        return Entry(
            number, seen.at, seen.source, self.deed, self.action, self.target, self.note, self.rule, seen.evidence
        )

    def __str__(self) -> str:
        """What it says, without its witness."""
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
    """What a record says of the game's `scores` or its `winner` at this place: `check` holds it against the rules."""

    name: str
    numbers: tuple[int, ...]
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.name}: {_listed(self.numbers)}".rstrip()


@dataclass(frozen=True)
class Record:
    """A game as it was written down.

    `dice` names the die set, '' where it is the game's own. `places` are the lines on which the headings stand.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    dice: str = ""
    started: datetime | None = None
    ended: datetime | None = None
    lines: tuple[Noted | Claim, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict, compare=False)

    def place(self, heading: str) -> int:
        """The line of a heading; that of the game where there is none."""
        return self.places.get(heading, self.places.get("game", 1))

    @property
    def noted(self) -> tuple[Noted, ...]:
        """The entries, in order: the first has the number 1."""
        return tuple(line for line in self.lines if isinstance(line, Noted))

    def entries(self, at: datetime) -> tuple[Entry, ...]:
        """The entries for a journal; `at` is for those that do not say when they were."""
        return tuple(noted.entry(number, at) for number, noted in enumerate(self.noted, start=1))


# Holding a record against the rules


@dataclass(frozen=True)
class Checked:
    """What a line came to: the state after it, and what happened, or what is wrong with it."""

    said: Noted | Claim
    state: GameState
    calls: tuple[Call, ...] = ()
    refusal: Refusal | None = None

    @property
    def is_recorded(self) -> bool:
        """Whether this breach was recorded at the table, as what happened there."""
        return isinstance(self.said, Noted) and self.said.deed is Deed.BREACH

    @property
    def is_last(self) -> bool:
        """Whether the rules say no more of what follows: they refuse this entry, so that nothing stands after it."""
        return isinstance(self.said, Noted) and bool(self.refusal) and not self.is_recorded


def begun(record: Record, game: Game, dice: DieSet) -> GameState:
    """The game's start; every line is known to be in the game's words. Raises BadRecord."""
    for noted in record.noted:
        with _on(noted.line):
            _is_known(noted, game, dice)
    try:
        return begin(game, record.players, dice, record.options)
    except BadOption as wrong:
        raise BadRecord(record.place("options"), str(wrong)) from None
    except BadStart as wrong:
        heading = "dice" if game.die_set not in ("", dice.name) else "players"
        raise BadRecord(record.place(heading), str(wrong)) from None


def _is_known(noted: Noted, game: Game, dice: DieSet) -> None:
    action = noted.action
    if action and action.verb not in game.verbs:
        raise _Unread(f"{game.title} has no {action.verb!r}; it has {', '.join(game.verbs)}")
    laid = read_laid(noted.note) if noted.deed is Deed.LAID else ()
    for die in (*(action.dice if action else ()), *(lying.die for lying in laid)):
        _is_in(die, dice)


def _is_in(die: Die, dice: DieSet) -> None:
    kind = dice.kind(die.kind)
    if die.face is None:
        raise _Unread(f"{str(die)!r} says no face; write one of {', '.join(kind.faces)}")
    kind.title_of(die.face)


def check(game: Game, start: GameState, record: Record, most: int = MOST_RULINGS) -> Iterator[Checked]:
    """Rule on one line after another, as far as the first entry that the rules refuse.

    A breach that was recorded at the table, and a claim that is not so, are told, and the game goes on. Raises
    BadRecord for an entry that cannot stand where it does, and where corrections ask for more than `most` rulings.
    """
    course, number = Course(game, start), 1
    for said in record.lines:
        found = _claimed(said, course.state) if isinstance(said, Claim) else _followed(said, number, course)
        if course.ruled > most:
            raise BadRecord(said.line, f"the corrections up to here ask for more than {most} rulings")
        number += isinstance(said, Noted)
        yield found
        if found.is_last:
            return


def _followed(noted: Noted, number: int, course: Course) -> Checked:
    try:
        refusal = course.add(noted.entry(number, LONG_AGO))
    except Contradiction as wrong:
        raise BadRecord(noted.line, str(wrong)) from None
    if noted.deed is Deed.BREACH:
        refusal = Refusal(noted.note, noted.rule)
    calls = course.calls if noted.deed is not Deed.UNDO and not refusal else ()
    return Checked(noted, course.state, calls, refusal)


def _claimed(claim: Claim, state: GameState) -> Checked:
    numbers, are = (state.scores, "scores are") if claim.name == "scores" else (state.winner, "winner is")
    if numbers == claim.numbers:
        return Checked(claim, state)
    sentence = f"Here the {are} {_listed(numbers) or 'nobody'}, not {_listed(claim.numbers) or 'nobody'}."
    return Checked(claim, state, refusal=Refusal(sentence, ""))


# Writing


def write(record: Record) -> str:
    """The record as text, which `parse` reads back."""
    return "\n".join([*_headings(record), "", *map(_written, record.lines), ""])


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


def _written(line: Noted | Claim) -> str:
    return f"{line} @ {line.witness}" if isinstance(line, Noted) and line.witness else str(line)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _name(name: str) -> str:
    plain = name.isprintable() and name == name.strip() != "" and not set(name) & set(',"#')
    return name if plain else _quoted(name)


def _word(word: str) -> str:
    return word if _PLAIN_WORD.fullmatch(word) else _quoted(word)


def _quoted(text: str) -> str:
    """The text as a JSON string in which nothing is invisible."""
    return visible(json.dumps(text, ensure_ascii=False))


def visible(text: str) -> str:
    """The text with what no page or terminal should be given raw, a control character say, as JSON escapes it."""
    return text if text.isprintable() else "".join(map(_escaped, text))


def _escaped(letter: str) -> str:
    return letter if letter.isprintable() else json.dumps(letter)[1:-1]


# Reading

_STRING = r'"(?:[^"\\]|\\.)*"'
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_CONTENT = re.compile(rf'(?:{_STRING}|(?<=\S)#|[^"#])*')
_HEADING = re.compile(r"([A-Za-z][A-Za-z-]*):")
_WORDS = re.compile(rf'(?:[^\s"]|{_STRING})+')
_NAMES = re.compile(rf'((?:[^",]|{_STRING})*),')
_PAIR = re.compile(rf'({_STRING}|[^="]+)=({_STRING}|[^"]*)')
_PLAIN_WORD = re.compile(r"[\w.:/+-][\w.:/+@-]*")
_NUMBER = re.compile(r"-?[0-9]{1,9}")

_Part = TypeVar("_Part")


class _Unread(ValueError):
    """Why a part of a line cannot be read."""


@contextmanager
def _on(line: int) -> Iterator[None]:
    """Whatever cannot be read here stands on this line."""
    try:
        yield
    except ValueError as wrong:
        raise BadRecord(line, str(wrong)) from None


def parse(text: str | Iterable[str]) -> Record:
    """Read a record, whole or line by line. Raises BadRecord, whose message names the line."""
    contents = list(_contents(text.split("\n") if isinstance(text, str) else text))
    told = next((place for place, (_, content) in enumerate(contents) if not _is_heading(content)), len(contents))
    headed = _headed(_found(contents[:told]), contents[told:] or contents[-1:])
    return replace(headed, lines=tuple(_line(number, content) for number, content in contents[told:]))


def _contents(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers and without comments."""
    size = 0
    for number, line in enumerate(lines, start=1):
        size += len(line)
        if number > MOST_LINES or size > MOST_TEXT:
            raise BadRecord(number, f"a record has at most {MOST_LINES} lines and {MOST_TEXT} characters")
        with _on(number):
            content = _content(line.removeprefix("\ufeff") if number == 1 else line)
        if content:
            yield number, content


def _content(line: str) -> str:
    if len(line) > LONGEST_LINE:
        raise _Unread(f"the line is longer than {LONGEST_LINE} characters")
    if _NO_TEXT.search(line):
        raise _Unread("this is no text in UTF-8")
    found = _CONTENT.match(line)
    content = found[0] if found else ""
    if line.startswith('"', len(content)):
        raise _Unread("a quotation mark is not closed")
    return content.strip()


def _is_heading(content: str) -> bool:
    found = _HEADING.match(content)
    return found is not None and found[1] not in CLAIMS


def _found(contents: Sequence[tuple[int, str]]) -> dict[str, tuple[int, str]]:
    """The headings by their names: the line, and what it says."""
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
    """The record as far as its headings tell; one that is missing is missed where the rest begins."""
    for name in NEEDED:
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
        places={name: line for name, (line, _) in found.items()},
    )


def _value(found: Mapping[str, tuple[int, str]], name: str, read: Callable[[str], _Part], otherwise: _Part) -> _Part:
    if name not in found:
        return otherwise
    line, text = found[name]
    with _on(line):
        return read(text)


def _players(text: str) -> tuple[str, ...]:
    return tuple(_player(piece.strip()) for piece in _NAMES.findall(f"{text},")) if text else ()


def _player(piece: str) -> str:
    if not piece:
        raise _Unread("a name is missing before or after a comma")
    return _unquoted(piece) if '"' in piece else piece


def _options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for word in _WORDS.findall(text):
        pair = _PAIR.fullmatch(word)
        if not pair:
            raise _Unread(f"{word[:80]!r} is no option; write name=value, with no space round the =")
        name, value = map(_read_word, pair.groups())
        if name in options:
            raise _Unread(f"the option {name[:80]!r} stands here twice")
        options[name] = value
    return options


def _read_word(word: str) -> str:
    return _unquoted(word) if word.startswith('"') else word


def _unquoted(text: str) -> str:
    try:
        read = json.loads(text)
        read.encode()
    except (ValueError, AttributeError):
        raise _Unread(f'{visible(text[:80])} is no text in quotation marks, such as "Ann \\"the die\\" Lee"') from None
    return str(read)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise _Unread(f"{text[:80]!r} is no moment; write it so: 2026-05-01T20:15:00+00:00") from None


def _line(line: int, content: str) -> Noted | Claim:
    with _on(line):
        name = content.partition(":")[0]
        if name in HEADINGS:
            raise _Unread(f"the heading {name!r} stands too late; headings come before the first entry")
        return replace(_claim(content) or _entry(content), line=line)


def _claim(content: str) -> Claim | None:
    name, colon, rest = content.partition(":")
    if not colon or name not in CLAIMS:
        return None
    return Claim(name, tuple(_number(number.strip()) for number in rest.split(",")) if rest.strip() else ())


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise _Unread(f"{text[:80]!r} is no number")
    return int(text)


def _entry(content: str) -> Noted:
    words = _WORDS.findall(content)
    if "@" not in words:
        return _deed(words)
    end = words.index("@")
    return replace(_deed(words[:end]), witness=_witness(words[end + 1 :]))


def _witness(words: Sequence[str]) -> Witness:
    if len(words) not in (2, 3) or words[1] not in list(Source):
        raise _Unread(f"after the @ stand a moment, one of {', '.join(Source)}, and maybe the name of a picture")
    return Witness(_moment(words[0]), Source(words[1]), _read_word(words[2]) if len(words) == 3 else "")


def _deed(words: Sequence[str]) -> Noted:
    match words:
        case ["undo", target]:
            return Noted(Deed.UNDO, target=_number(target))
        case ["correct", target, *action] if target.endswith(":"):
            return Noted(Deed.CORRECT, Action.parse(" ".join(action)), _number(target[:-1]))
        case ["breach", note]:
            return Noted(Deed.BREACH, note=_unquoted(note))
        case ["breach", rule, note]:
            return Noted(Deed.BREACH, note=_unquoted(note), rule=_read_word(rule))
        case ["laid", *dice]:
            return Noted(Deed.LAID, note=_laid(" ".join(dice)))
        case [seat, *_] if seat[0].isdigit():
            return Noted(Deed.PLAY, Action.parse(" ".join(words)))
    raise _Unread(f"{' '.join(words)[:80]!r} is no line of a record; {_LINES}")


_LINES = (
    "there are '1 end' (seat, verb, dice, =choice), 'undo 12', 'correct 7: 1 end', 'breach I.2-6 \"Why.\"', "
    "'laid traffic:happy@field', 'scores: 0, 300' and 'winner: 1'"
)


def _laid(note: str) -> str:
    read_laid(note)
    return note
