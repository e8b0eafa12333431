"""The fair-play report of a game: what people, hands and blind moments did to it, turn by turn, from its entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from referee.agreements import is_agreement
from referee.dice import Blindness
from referee.journal import Deed, Entry, Source
from referee.phrases import counted, decimal, join_each
from referee.sentences import say

# The fair-play report of a game: what people, hands and blind moments did to it, turn by turn. Pure, from its entries
#
# Each entry says by its deed what it is about; the note of one that keeps a blind time has a notation that reads
# back.


class FairPlayMark(StrEnum):
    """What is counted: each is one tick in the report."""

    CORRECTION = "correction"
    TAKE_BACK = "take-back"
    ANSWER = "answer"
    BY_HAND = "by-hand"
    AS_THEY_LIE = "as-they-lie"
    AGREEMENT = "agreement"
    CHALLENGE = "challenge"
    BREACH = "breach"
    HANDS = "hands"
    UNANSWERED = "unanswered"
    BLIND = "blind"
    LEANING = "leaning"
    NEAR_MISS = "near-miss"


MARK_TITLES: Mapping[FairPlayMark, str] = {
    FairPlayMark.CORRECTION: say("Corrections"),
    FairPlayMark.TAKE_BACK: say("Take-backs"),
    FairPlayMark.ANSWER: say("Questions answered"),
    FairPlayMark.BY_HAND: say("Dice by hand"),
    FairPlayMark.AS_THEY_LIE: say("Went on as the dice lay"),
    FairPlayMark.AGREEMENT: say("Agreed on"),
    FairPlayMark.CHALLENGE: say("Challenges"),
    FairPlayMark.BREACH: say("Breaches"),
    FairPlayMark.HANDS: say("Hands at the dice"),
    FairPlayMark.UNANSWERED: say("Questions that nobody answered"),
    FairPlayMark.BLIND: say("Times nobody saw the tray"),
    FairPlayMark.LEANING: say("Throws with leaning dice"),
    FairPlayMark.NEAR_MISS: say("Dice that left the tray"),
}
"""What a person reads for each."""

_DEEDS = {
    Deed.CORRECT: FairPlayMark.CORRECTION,
    Deed.UNDO: FairPlayMark.TAKE_BACK,
    Deed.ANSWER: FairPlayMark.ANSWER,
    Deed.LAID: FairPlayMark.AS_THEY_LIE,
    Deed.CHALLENGE: FairPlayMark.CHALLENGE,
    Deed.BREACH: FairPlayMark.BREACH,
    Deed.REMARK: FairPlayMark.HANDS,
    Deed.UNANSWERED: FairPlayMark.UNANSWERED,
    Deed.BLIND: FairPlayMark.BLIND,
    Deed.DEPARTED: FairPlayMark.NEAR_MISS,
}
LEANED = say("A die leaned in this throw.")
"""The note of a throw that is ruled on after a die had leaned."""
_BESIDES = frozenset({Deed.REMARK, Deed.BLIND, Deed.DEPARTED})
"""What may be noted while a question stays open."""
_REASONS = {
    Blindness.HAND: say("a hand was over it"),
    Blindness.LENS: say("something covered the lens"),
    Blindness.NO_FRAMES: say("the camera sent no pictures"),
    Blindness.RESTART: say("Vander was started again"),
    Blindness.PHOTOGRAPH: say("it sees nothing between two photographs"),
}
_WRITTEN = {str(reason): reason for reason in _REASONS.values()}
"""The reasons by the words in which a note has them."""


def blind_note(seconds: float, reasons: Iterable[Blindness]) -> str:
    """Return the note of a BLIND entry, `3.2 s: something covered the lens`: its seconds, then why."""
    why = ", ".join(_REASONS[reason] for reason in dict.fromkeys(reasons))
    return f"{seconds:.1f} s: {why}"


def blind_seconds(entry: Entry) -> float:
    """Return for how long nobody saw the tray, in seconds; 0 for an entry that is about something else."""
    return float(entry.note.partition(" ")[0]) if entry.deed is Deed.BLIND else 0.0


def note_sentence(entry: Entry) -> str:
    if entry.deed is Deed.BLIND:
        seconds, _, why = entry.note.partition(" s: ")
        if why == _REASONS[Blindness.RESTART]:
            return say("Vander was started again. Nobody saw the tray meanwhile.")
        reasons = join_each([_WRITTEN.get(each, each) for each in why.split(", ")], _and_more)
        return say("Nobody saw the tray for {seconds} s: {reasons}.", seconds=_decimal(seconds), reasons=reasons)
    return say("No longer asked: {question}", question=entry.note) if entry.deed is Deed.UNANSWERED else entry.note


def _and_more(first: str, other: str) -> str:
    return say("{first}, {rest}", first=first, rest=other)


def _decimal(number: str) -> str:
    return decimal(float(number), 1)


def is_asked_note(entry: Entry) -> bool:
    """True if an entry only keeps that a question was asked."""
    return entry.deed is Deed.ASKED


def find_asked(entries: Sequence[Entry]) -> str:
    """Return the question about a throw that was open when the last entry was written; '' for none."""
    for entry in reversed(entries):
        if entry.deed is Deed.ASKED:
            return entry.note
        if entry.deed not in _BESIDES:
            return ""
    return ""


@dataclass(frozen=True)
class FairPlayTurn:
    """A stretch of play of one seat: the number of its first entry, and a mark for each thing that happened in it."""

    seat: int
    first: int
    marks: tuple[FairPlayMark, ...] = ()


@dataclass(frozen=True)
class FairPlay:
    """The report of a game. `by_device` counts what each device did, '' for one without a name."""

    turns: tuple[FairPlayTurn, ...] = ()
    blind_s: float = 0.0
    by_device: Mapping[str, int] | None = None

    @property
    def counts(self) -> Mapping[FairPlayMark, int]:
        """Return how often each happened; what did not happen is left out."""
        found = Counter(mark for turn in self.turns for mark in turn.marks)
        return {mark: found[mark] for mark in FairPlayMark if found[mark]}


@dataclass(frozen=True)
class GameReport:
    """The fair-play report of one game of the journal; `game` is the game's title."""

    number: int
    game: str
    players: tuple[str, ...]
    started: datetime
    report: FairPlay


def fair_play(entries: Sequence[Entry]) -> FairPlay:
    """Return the report of a game by its entries, those that were taken back too."""
    turns = list[FairPlayTurn]()
    for entry in entries:
        seat = entry.action.player if entry.deed is Deed.PLAY and entry.action else 0
        if not turns or (seat and turns[-1].seat and seat != turns[-1].seat):
            turns.append(FairPlayTurn(seat, entry.number))
        last = turns[-1]
        mark = mark_of_entry(entry)
        turns[-1] = FairPlayTurn(last.seat or seat, last.first, (*last.marks, *([mark] if mark else [])))
    people = (entry.device for entry in entries if entry.source is not Source.CAMERA and mark_of_entry(entry))
    return FairPlay(tuple(turns), sum(map(blind_seconds, entries)), dict(Counter(people).most_common()))


def mark_of_entry(entry: Entry) -> FairPlayMark | None:
    """Return what an entry is counted as; None for plain play."""
    if is_asked_note(entry):
        return None
    if entry.deed is not Deed.PLAY or entry.action is None:
        return _DEEDS.get(entry.deed)
    if entry.source is Source.HAND:
        return FairPlayMark.BY_HAND
    if is_agreement(entry.action):
        return FairPlayMark.AGREEMENT
    return FairPlayMark.LEANING if entry.note == LEANED else None


def told(report: FairPlay) -> tuple[str, ...]:
    """Return a report in lines of words, for a record's comments and a terminal."""
    counts = tuple(f"{MARK_TITLES[mark]}: {count}" for mark, count in report.counts.items())
    blind = (f"Seconds nobody saw the tray: {report.blind_s:.1f}",) if report.blind_s else ()
    devices = tuple(f"By {device or 'a tablet'}: {count}" for device, count in (report.by_device or {}).items())
    return (f"Fair play: {counted(len(report.turns), 'turn')}", *(counts or ("Nothing but play",)), *blind, *devices)
