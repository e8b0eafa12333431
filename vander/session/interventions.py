"""Build the intervention lines of every tablet from journal entries: corrections, answers, hand changes. Pure."""

from __future__ import annotations

from referee.agreements import is_agreement
from referee.fair_play import is_asked_note, note_sentence
from referee.journal import Deed, Entry, Source
from referee.judge import Ruling
from referee.sentences import say
from referee.snapshot import Intervention
from vander.session.match import AS_THEY_LIE, Match, sentence_of

MOST = 6
"""How many lines a tablet shows at most."""


def find_interventions(match: Match | None) -> tuple[Intervention, ...]:
    """Return what was done since the last throw but one, newest first."""
    if match is None:
        return ()
    since = (0, 0, *match.throw_numbers)[-2]
    return interventions_since(match, since)[:MOST]


def interventions_since(match: Match, since: int = 0) -> tuple[Intervention, ...]:
    """Return all that was done from an entry on, newest first; 0 stands for the whole game."""
    rulings = {entry.number: ruling for entry, ruling in match.standing}
    later = match.entries[max(since - 1, 0) :]
    told = ((entry, _sentence(match, entry, rulings.get(entry.number))) for entry in reversed(later))
    return tuple(_intervention(entry, sentence) for entry, sentence in told if sentence)


def _intervention(entry: Entry, sentence: str) -> Intervention:
    kind, old, new = _change(entry)
    return Intervention(
        number=entry.number,
        sentence=sentence,
        deed=entry.deed,
        source=entry.source,
        device=entry.device,
        seat=entry.seat,
        kind=kind,
        old_face=old,
        new_face=new,
    )


def _change(entry: Entry) -> tuple[str, str, str]:
    """The kind of the die that an entry is about, and its face before and after; all '' for none."""
    if not entry.dice:
        return "", "", ""
    old, new = entry.dice
    return new.kind, old.face or "", new.face or ""


def _sentence(match: Match, entry: Entry, ruling: Ruling | None) -> str:
    """What an entry says on the tablets; '' for one that is plain play, or said elsewhere."""
    if entry.deed is Deed.PLAY:
        return _played(match, entry, ruling) if ruling else ""
    if entry.deed is Deed.CORRECT:
        return "" if _is_entered_again(match, entry) else match.corrected_sentence(entry)
    if is_asked_note(entry):
        return ""
    if entry.deed is Deed.UNDO:
        return say("Taken back: {what}", what=entry.note) if entry.note else say("The last step is taken back.")
    return {Deed.LAID: AS_THEY_LIE, Deed.BREACH: ""}.get(entry.deed, note_sentence(entry))


def _played(match: Match, entry: Entry, ruling: Ruling) -> str:
    """What was given by hand, agreed on, or tapped on a device that is bound to another seat."""
    if entry.source is Source.HAND or is_agreement(ruling.action):
        return sentence_of(entry, ruling)
    if not _is_by_another(match, entry, ruling.action.player) or (ruling.action.dice and _is_answered(match, entry)):
        return ""
    owner = match.state.name(ruling.action.player)
    return say("Tapped for {owner}: {what}", owner=owner, what=sentence_of(entry, ruling))


def _is_by_another(match: Match, entry: Entry, player: int) -> bool:
    """True if an entry of a seat was tapped on the phone of another, or by somebody else than on the seat's own phone.

    On a device that belongs to nobody anybody may tap for seats that never did it on a phone of their own.
    """
    if not player or entry.source is not Source.TABLET or entry.seat == player:
        return False
    return bool(entry.seat) or any(each.seat == player for each in match.entries)


def _is_answered(match: Match, entry: Entry) -> bool:
    """True if an answer chose what is played: the answer has a line of its own."""
    before = match.entries[: entry.number - 1]
    notes = (each.deed is Deed.ANSWER for each in reversed(before) if each.deed is not Deed.PLAY or each.by != entry.by)
    return next(notes, False)


def _is_entered_again(match: Match, entry: Entry) -> bool:
    """True if a correction was said before, and is entered again since something before it was taken back."""
    said = entry.target, entry.action
    return any(
        before.deed is Deed.CORRECT and (before.target, before.action) == said
        for before in match.entries[: entry.number - 1]
    )
