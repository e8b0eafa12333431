"""The journal: an entry for everything that happened, and the state to which a list of entries leads."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from referee.actions import Action, DiePosition, GameState, Player
from referee.agreements import title_of
from referee.calls import Call, Refusal
from referee.dice import BadAction, Die, RefereeError
from referee.game import Game
from referee.judge import Ruling, go_on, judge
from referee.sentences import message_of, say

# The journal: an entry for everything that happened, and the state to which a list of entries leads
#
# Undo and correction are entries too; nothing is ever deleted from a journal.


class Source(StrEnum):
    """Who says that it happened. HAND stands for people who entered what their dice showed, unseen by a camera."""

    CAMERA = "camera"
    TABLET = "tablet"
    BUTTON = "button"
    HAND = "hand"


class Deed(StrEnum):
    """What an entry does: it plays an action, undoes an entry, corrects its dice, or records a breach.

    LAID records how the dice lay when people chose to go on with them after a breach or a pause. ANSWER, REMARK and
    CHALLENGE keep what people said to a question, what the camera saw hands do, and what came of a challenge; ASKED
    and UNANSWERED which question about a throw was open, or is not any more without an answer; BLIND and DEPARTED how
    long nobody saw the tray, and a die that left it.
    """

    PLAY = "play"
    UNDO = "undo"
    CORRECT = "correct"
    BREACH = "breach"
    LAID = "laid"
    ANSWER = "answer"
    REMARK = "remark"
    CHALLENGE = "challenge"
    ASKED = "asked"
    UNANSWERED = "unanswered"
    BLIND = "blind"
    DEPARTED = "departed"

    @property
    def is_note(self) -> bool:
        """True if such an entry changes no state: it only keeps what happened."""
        return self in NOTES


SAID = frozenset({Deed.ANSWER, Deed.REMARK, Deed.CHALLENGE, Deed.ASKED, Deed.UNANSWERED, Deed.BLIND, Deed.DEPARTED})
"""The deeds that only keep what was said or seen besides play."""
NOTES = frozenset({Deed.BREACH, *SAID})
"""The deeds that change no state."""


@dataclass(frozen=True)
class Actor:
    """Who does something at the table: the name of a device, '' where it is not known, and its seat, 0 for none."""

    device: str = ""
    seat: int = 0


SAME_STEP = timedelta(microseconds=1)
"""So long after one another are the entries of one step, as an end of turn that a throw implies, and the throw: no more
and no less. Two steps are further apart; entries of one moment come from a record, or from an older journal."""
NOBODY = Actor()
BUTTON = Actor(say("The button"))
"""The button of the box."""


@dataclass(frozen=True)
class Entry:
    """One line of the journal.

    `number` counts from 1 within a game. For UNDO `target` is the number of the entry from which on everything is
    undone, and `note` says what it did; that of PLAY is a remark on the throw, or ''; for CORRECT `action` replaces the
    action of entry `target`. A BREACH has a `note` and maybe a `rule`, and so has a REMARK; the `note` of an ANSWER is
    the question and the answer, that of a CHALLENGE its result, that of ASKED and UNANSWERED the question; BLIND has
    the notation of `referee.fair_play.blind_note`. The `note` of LAID holds the dice in the notation of
    `laid_text`. `evidence` is the name of the picture kept with the entry, or ''. `device` and `seat` are of the
    `Actor`; '' and 0 for the camera. `dice` of a CORRECT or an ANSWER about a face is the die as it was taken, and as
    people say it is; else it is empty.
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
    device: str = ""
    seat: int = 0
    dice: tuple[Die, ...] = ()

    @property
    def by(self) -> Actor:
        """Return who did it."""
        return Actor(self.device, self.seat)


class Contradiction(RefereeError, ValueError):
    """The rules refuse a journal: it was not written by this referee, or it is damaged."""


def laid_text(lying: Sequence[DiePosition]) -> str:
    """Return how dice lie, for the note of a LAID entry: `signal:go@signal traffic:happy@field`, in sorted order."""
    return " ".join(sorted(map(str, lying)))


def read_laid(note: str) -> tuple[DiePosition, ...]:
    """Return what `laid_text` wrote; the dice may stand in any order. Raises BadAction for anything else."""
    return tuple(DiePosition.parse(word) for word in note.split(" ")) if note else ()


@dataclass(frozen=True)
class Replay:
    """Where a journal leads: the state, the rulings that stand (with their entries), and the calls of the last step.

    `laid` are the LAID entries that stand, each with the state after it; `corrections` are the CORRECT entries that
    were not taken back, in order.
    """

    state: GameState
    standing: tuple[tuple[Entry, Ruling], ...] = ()
    calls: tuple[Call, ...] = ()
    laid: tuple[tuple[Entry, GameState], ...] = ()
    corrections: tuple[Entry, ...] = ()

    @property
    def last(self) -> int:
        """Return the number of the last standing entry that changed the state, 0 without one: an undo takes it back."""
        latest = (*self.standing[-1:], *self.laid[-1:])
        return max((entry.number for entry, _ in latest), default=0)


class JournalReader:
    """Read a game's entries one after another, and keep the state up to date: the one place that defines entries.

    An undo takes back every entry from its target on, corrections too. A correction stands in its target's place, and
    all later entries are ruled on again. `ruled` counts the rulings that all this took.
    """

    def __init__(self, game: Game, start: GameState) -> None:
        self._game = game
        self._start = start
        self._read = 0
        self._kept: list[Entry] = []
        self._steps: list[_Step] = []
        self._corrected: dict[int, list[Action]] = {}
        self.ruled = 0

    @property
    def state(self) -> GameState:
        """Return the state after the entries read so far."""
        return self._before(len(self._steps))

    @property
    def calls(self) -> tuple[Call, ...]:
        """Return the calls of the last standing entry."""
        return self._steps[-1].calls if self._steps else ()

    def add(self, entry: Entry) -> Refusal | None:
        """Read the next entry; return why the rules refuse it, or None. A refused entry changes nothing.

        Raises Contradiction for an entry that cannot come next: a wrong number, a target that does not stand.
        """
        if entry.number != self._read + 1:
            raise _misnumbered(entry, self._read + 1)
        refusal = self._take(entry)
        if refusal is None:
            self._read += 1
        return refusal

    def replay(self) -> Replay:
        """Return the replay of the entries read so far."""
        rulings = tuple((step.entry, step.ruling) for step in self._steps if step.ruling)
        laid = tuple((step.entry, step.state) for step in self._steps if not step.ruling)
        corrections = tuple(entry for entry in self._kept if entry.deed is Deed.CORRECT)
        return Replay(self.state, rulings, self._calls_of_last_step(), laid, corrections)

    def _calls_of_last_step(self) -> tuple[Call, ...]:
        first = max(len(self._steps) - 1, 0)
        while first and self._steps[first].entry.at - self._steps[first - 1].entry.at == SAME_STEP:
            first -= 1
        return tuple(call for step in self._steps[first:] for call in step.calls)

    def _take(self, entry: Entry) -> Refusal | None:
        if entry.deed is Deed.UNDO:
            return self._undo(entry)
        refusal = None
        if entry.deed in (Deed.PLAY, Deed.LAID):
            refusal = self._rule(len(self._steps), [entry], entry)
        if entry.deed is Deed.CORRECT:
            refusal = self._correct(entry)
        if refusal is None:
            self._kept.append(entry)
        return refusal

    def _undo(self, entry: Entry) -> Refusal | None:
        place = _place(self._kept, entry.target)
        if not _is_at(self._kept, place, entry.target):
            raise _not_standing(entry)
        dropped = [kept.target for kept in self._kept[place:] if kept.deed is Deed.CORRECT]
        for target in dropped:
            self._corrected[target].pop()
        del self._kept[place:]
        since = _place(self._steps, min([entry.target, *dropped]))
        again = [step.entry for step in self._steps[since:] if step.number < entry.target]
        return self._rule(since, again, entry)

    def _correct(self, entry: Entry) -> Refusal | None:
        place = _place(self._steps, entry.target)
        if not _is_at(self._steps, place, entry.target) or not self._steps[place].ruling:
            raise _not_standing(entry)
        corrected = self._corrected.setdefault(entry.target, [])
        corrected.append(_action_in(entry))
        refusal = self._rule(place, [step.entry for step in self._steps[place:]], entry)
        if refusal:
            corrected.pop()
        return refusal

    def _rule(self, place: int, entries: Sequence[Entry], last: Entry) -> Refusal | None:
        """Rule on entries in place of all steps from `place` on; `last` is the entry that makes this necessary."""
        state, steps = self._before(place), list[_Step]()
        for entry in entries:
            step = self._step(state, entry)
            if isinstance(step, Refusal):
                return step if entry.number in (last.number, last.target) else self._later(entry, step)
            steps.append(step)
            state = step.state
        self._steps[place:] = steps
        return None

    def _step(self, state: GameState, entry: Entry) -> _Step | Refusal:
        self.ruled += 1
        if entry.deed is Deed.LAID:
            outcome = go_on(self._game, state, _lying(entry))
            return outcome if isinstance(outcome, Refusal) else _Step(entry, *outcome)
        ruling = judge(self._game, state, self._action(entry))
        return ruling.refusal or _Step(entry, ruling.state, ruling.calls, ruling)

    def _later(self, entry: Entry, why: Refusal) -> Refusal:
        """Why a later entry, named by the title of its button, would no longer be legal."""
        before = self._before(_place(self._steps, entry.number))
        laid = entry.deed is Deed.LAID
        title = say("Go on as the dice lie") if laid else title_of(self._game, before, self._action(entry))
        sentence = say(
            "Then entry {number}, '{title}', could not have been done: {why}",
            number=entry.number,
            title=title,
            why=why.sentence,
        )
        return Refusal(sentence, why.rule)

    def _action(self, entry: Entry) -> Action:
        """What an entry plays, by its last correction if there is one."""
        corrected = self._corrected.get(entry.number)
        return corrected[-1] if corrected else _action_in(entry)

    def _before(self, place: int) -> GameState:
        return self._steps[place - 1].state if place else self._start


@dataclass(frozen=True)
class _Step:
    """An entry that stands and changed the state; `ruling` is None for dice that were laid."""

    entry: Entry
    state: GameState
    calls: tuple[Call, ...]
    ruling: Ruling | None = None

    @property
    def number(self) -> int:
        return self.entry.number


def replay(game: Game, start: GameState, entries: Iterable[Entry]) -> Replay:
    """Play a journal from the start. Raises Contradiction when an entry is illegal, or cannot stand where it does."""
    return _read(game, start, entries).replay()


def would_refuse(game: Game, start: GameState, entries: Iterable[Entry], entry: Entry) -> Refusal | None:
    """Return why a journal could not go on with this entry (a correction, say); None when it could.

    Raises Contradiction when the journal itself is damaged, or the entry's target does not stand.
    """
    return _read(game, start, entries).add(entry)


def _read(game: Game, start: GameState, entries: Iterable[Entry]) -> JournalReader:
    course = JournalReader(game, start)
    for entry in entries:
        refusal = course.add(entry)
        if refusal:
            raise Contradiction(
                say(
                    "entry {number}, {what}, is against the rules: {sentence}",
                    number=entry.number,
                    what=_what(entry),
                    sentence=refusal.sentence,
                )
            )
    return course


def _action_in(entry: Entry) -> Action:
    if entry.action is None:
        raise Contradiction(say("entry {number} says {deed} but holds no action", number=entry.number, deed=entry.deed))
    return entry.action


def _misnumbered(entry: Entry, number: int) -> Contradiction:
    return Contradiction(
        say(
            "entry {number} of the journal has the number {found}; one is missing or doubled",
            number=number,
            found=entry.number,
        )
    )


def _not_standing(entry: Entry) -> Contradiction:
    return Contradiction(
        say(
            "entry {number} says {deed} of entry {target}, which does not stand",
            number=entry.number,
            deed=entry.deed,
            target=entry.target,
        )
    )


def _what(entry: Entry) -> str:
    return say("the dice as they lay, {dice}", dice=entry.note) if entry.deed is Deed.LAID else str(entry.action)


def _place(rows: Sequence[Entry] | Sequence[_Step], number: int) -> int:
    """The index of the row of that number, or where it would be inserted."""
    return bisect_left(rows, number, key=lambda row: row.number)


def _is_at(rows: Sequence[Entry] | Sequence[_Step], place: int, number: int) -> bool:
    return place < len(rows) and rows[place].number == number


def _lying(entry: Entry) -> tuple[DiePosition, ...]:
    try:
        return read_laid(entry.note)
    except BadAction as wrong:
        raise Contradiction(
            say(
                "entry {number} says {deed}, but {cause}", number=entry.number, deed=entry.deed, cause=message_of(wrong)
            )
        ) from wrong


# A game that stands open: it was begun, is not over, and can be played on, maybe on another evening


MOST_OPEN = 20
"""How many games may stand open at once."""


@dataclass(frozen=True)
class OpenGame:
    """An open game. `scores` are () where the rules of today cannot play it again; `played_at` is its last entry's."""

    number: int
    game: str
    title: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    started_at: datetime
    played_at: datetime
    on_table: bool = False


# What a table asks of phones that are bound to a seat


@dataclass(frozen=True)
class SeatRules:
    """The table's choices, and the names of the players whose phones are bound.

    own_seat_only: a bound phone's taps for another seat are refused; else they are done, and said on every tablet.
    confirm: what a bound phone does to the score (corrections, take-backs) waits until another seat confirms it.
    """

    own_seat_only: bool = False
    confirm: bool = False
    bound: tuple[str, ...] = ()

    def needs_another(self, by: Actor, players: Sequence[Player]) -> bool:
        """True if another seat has to confirm what the actor does, and there is another seat with a phone."""
        others = {player.name for player in players if player.seat != by.seat}
        return self.confirm and bool(by.seat) and not others.isdisjoint(self.bound)


def seat_of(name: str, players: Sequence[Player]) -> int:
    """Return the seat of the player of that name, 0 where nobody of that name plays."""
    return next((player.seat for player in players if name and player.name == name), 0)
