"""The journal's words: an entry for everything that happened, and the state that a list of entries gives.

Undo and correction are entries too; nothing is ever taken out of a journal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from referee.dice import BadAction, RefereeError
from referee.game import Action, Board, Call, Game, GameState, Lying, Refusal, Ruling, go_on, judge


class Source(StrEnum):
    """Who says that it happened."""

    CAMERA = "camera"
    TABLET = "tablet"
    BUTTON = "button"


class Deed(StrEnum):
    """What an entry does: plays an action, undoes an entry, corrects one's dice, or records a breach.

    LAID says how the dice lie with which people chose to go on after a breach.
    """

    PLAY = "play"
    UNDO = "undo"
    CORRECT = "correct"
    BREACH = "breach"
    LAID = "laid"


@dataclass(frozen=True)
class Entry:
    """One line of the journal.

    `number` counts from 1 within a game. For UNDO `target` is the number of the entry from which on everything is
    undone; for CORRECT `action` replaces the action of entry `target`. A BREACH has a `note` and maybe a `rule` (it
    changes no state). The `note` of LAID holds the dice in the words of `laid_text`. `evidence` names
    the picture kept with it, or ''.
    """

    number: int
    at: datetime
    source: Source
    deed: Deed
    action: Action | None = None
    target: int = 0
    note: str = ""
    rule: str = ""
    evidence: str = ""


class Contradiction(RefereeError, ValueError):
    """A journal that the rules refuse: it was not written by this referee, or it is damaged."""


def laid_text(lying: Sequence[Lying]) -> str:
    """How dice lie, for the note of a LAID entry: `signal:go@signal traffic:happy@field`, in sorted order."""
    return " ".join(sorted(map(str, lying)))


def read_laid(note: str) -> tuple[Lying, ...]:
    """Read what `laid_text` wrote. Raises BadAction for anything else, another order included."""
    lying = tuple(Lying.parse(word) for word in note.split(" ")) if note else ()
    if laid_text(lying) != note:
        raise BadAction(f"{note!r} has its dice out of order; write {laid_text(lying)!r}")
    return lying


@dataclass(frozen=True)
class Replay:
    """What a journal amounts to: the state, the rulings still standing (with their entries), and the last calls.

    `laid` are the LAID entries still standing, each with the state after it. `last` is the number of the last entry
    that changed the state, 0 when none did: what an undo takes back.
    """

    state: GameState
    standing: tuple[tuple[Entry, Ruling], ...] = ()
    calls: tuple[Call, ...] = ()
    laid: tuple[tuple[Entry, GameState], ...] = ()

    @property
    def last(self) -> int:
        """The number of the last entry that stands and changed the state, 0 when there is none."""
        latest = (*self.standing[-1:], *self.laid[-1:])
        return max((entry.number for entry, _ in latest), default=0)


def replay(game: Game, start: GameState, entries: Sequence[Entry]) -> Replay:
    """Play a journal from the start. Raises Contradiction when an entry is illegal.

    An undo takes back every entry from its target on, corrections too. A correction stands in its target's place.
    """
    result = _played(game, start, _standing(entries))
    if isinstance(result, _Refused):
        raise Contradiction(f"entry {result.entry.number}, {result.what}, is against the rules: {result.why.sentence}")
    return result


def would_refuse(game: Game, start: GameState, entries: Sequence[Entry], entry: Entry) -> Refusal | None:
    """Why a journal could not go on with this entry (a correction, say), or None when it could; nothing is changed.

    Raises Contradiction when the journal itself is damaged, or the entry's target does not stand.
    """
    result = _played(game, start, _standing([*entries, entry]))
    if not isinstance(result, _Refused):
        return None
    if result.entry is entry or result.entry.number == entry.target:
        return result.why
    sentence = f"Then entry {result.entry.number}, {result.what}, could not have been done: {result.why.sentence}"
    return Refusal(sentence, result.why.rule)


@dataclass(frozen=True)
class _Refused:
    entry: Entry
    what: str
    why: Refusal


def _standing(entries: Sequence[Entry]) -> list[Entry]:
    standing: list[Entry] = []
    for number, entry in enumerate(entries, start=1):
        if entry.number != number:
            raise Contradiction(
                f"entry {number} of the journal has the number {entry.number}; one is missing or doubled"
            )
        _check(standing, entry)
        if entry.deed is Deed.UNDO:
            standing = [kept for kept in standing if kept.number < entry.target]
        else:
            standing.append(entry)
    return standing


def _check(standing: Sequence[Entry], entry: Entry) -> None:
    if entry.deed in (Deed.PLAY, Deed.CORRECT) and entry.action is None:
        raise Contradiction(f"entry {entry.number} says {entry.deed} but holds no action")
    if entry.deed not in (Deed.UNDO, Deed.CORRECT):
        return
    if entry.target not in {kept.number for kept in standing if entry.deed is Deed.UNDO or kept.deed is Deed.PLAY}:
        raise Contradiction(f"entry {entry.number} says {entry.deed} of entry {entry.target}, which does not stand")


def _played(game: Game, start: GameState, standing: Sequence[Entry]) -> Replay | _Refused:
    corrections = {entry.target: entry.action for entry in standing if entry.deed is Deed.CORRECT}
    now, rulings, laid = Replay(start), list[tuple[Entry, Ruling]](), list[tuple[Entry, GameState]]()
    for entry in standing:
        action = corrections.get(entry.number, entry.action)
        if entry.deed is Deed.PLAY and action:
            ruling = judge(game, now.state, action)
            if ruling.refusal:
                return _Refused(entry, str(action), ruling.refusal)
            rulings.append((entry, ruling))
            now = Replay(ruling.state, calls=ruling.calls)
        if entry.deed is Deed.LAID:
            after = go_on(game, now.state, _lying(entry))
            if isinstance(after, Refusal):
                return _Refused(entry, f"the dice as they lay, {entry.note}", after)
            laid.append((entry, after))
            now = Replay(after, calls=(Call("The game goes on with the dice as they lie.", game.cite("touched")),))
    return replace(now, standing=tuple(rulings), laid=tuple(laid))


def _lying(entry: Entry) -> tuple[Lying, ...]:
    try:
        return read_laid(entry.note)
    except BadAction as wrong:
        raise Contradiction(f"entry {entry.number} says {entry.deed}, but {wrong}") from wrong


@dataclass(frozen=True)
class Offer:
    """Something that may be done now. `by_tap` is False for throws, which the camera sees."""

    action: Action
    title: str
    by_tap: bool


@dataclass(frozen=True)
class ShownDie:
    """A die as the tablet shows it: what was read, how sure, where; `crop` names its picture."""

    number: int
    kind: str
    face: str
    title: str
    confidence: float
    zone: str
    posture: str
    crop: str = ""
    faces: tuple[str, ...] = ()
    """All faces the die could be corrected to."""


@dataclass(frozen=True)
class Question:
    """Something the table must answer: which of several ways, or which face a die shows.

    `choices` are (answer, title); an answer goes back as it stands.
    """

    number: int
    sentence: str
    choices: tuple[tuple[str, str], ...]
    picture: str = ""
    die: int = 0


@dataclass(frozen=True)
class Snapshot:
    """All that a tablet shows at one moment. `number` grows with every change.

    `notice` is the one line at the top (camera gone, breach, waiting for ...); `mood` its kind: `calm`, `ask`, `breach`
    or `lost`.
    `evidence` names the picture that goes with the notice.
    """

    number: int
    game: Game | None = None
    state: GameState | None = None
    calls: tuple[Call, ...] = ()
    notice: str = ""
    mood: str = "calm"
    rule: str = ""
    evidence: str = ""
    offers: tuple[Offer, ...] = ()
    dice: tuple[ShownDie, ...] = ()
    questions: tuple[Question, ...] = ()
    last: tuple[str, ...] = ()
    """The last few standing actions in words, newest first."""
    can_undo: bool = False
    boards: tuple[Board, ...] = ()
    """What lies before each player besides the dice; seat 0 is the middle of the table."""
    camera: str = ""
    """The camera's name."""
    camera_trouble: str = ""
    """'' or one sentence: lost, frozen, covered, no tray in sight."""
    turn_points: int = 0
    extras: dict[str, str] = field(default_factory=dict)
