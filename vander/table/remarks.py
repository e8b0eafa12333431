"""Remarks that everybody is told once: what hands did to dice, and what the camera did not see. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from referee.actions import DiePosition
from referee.dice import Blindness, Die, Seen, Zone
from referee.fair_play import blind_note
from referee.journal import Deed
from referee.phrases import in_a_row
from referee.sentences import say, within_sentence
from referee.umpire import Explanation, HandChange, HandDeed
from referee.umpire.tables import count_kinds, dice_inside, spell_change
from vander.table.match import Match
from vander.table.questions import is_about_hands
from vander.table.seen_dice import title_of
from vander.table.session_state import SessionState, Step
from vision.frame_clock import LONG_GAP_SECONDS
from vision.observations import Observation

# Hands that changed dice without an effect on the score
#
# A die that was turned keeps the face that it counts with; one that was taken out may not be needed any more. Each is a
# remark in the journal, and so a line on every tablet.


def with_told_hands(step: Step, match: Match, changes: Sequence[HandChange], evidence: str) -> Step:
    """Remark on `silent_changes`, each once; `evidence` is the name of the picture, '' for none."""
    told = step.state.unresolved.told
    changes = [change for change in changes if change not in told]
    if not changes:
        return step
    layout = match.game.lay(match.state)
    for deed in dict.fromkeys(change.deed for change in changes):
        alike = [change for change in changes if change.deed is deed]
        match = match.remark(_sentence(step.state, alike, layout), "", evidence, _before_and_after(alike))
    step = step.with_match(match, evidence)
    unresolved = replace(step.state.unresolved, told=told.union(changes))
    return step.to(replace(step.state, unresolved=unresolved))


def silent_changes(state: SessionState, match: Match, explained: Explanation) -> tuple[HandChange, ...]:
    """Return the hand changes about which the umpire neither objects nor asks.

    Before the first throw of a turn dice are free: of them only those are told that were turned in their places, and
    half of the dice of a throw at least, where they were laid down with other faces as if they had been thrown.
    """
    ruled, seen = state.table.ruled, state.table.seen
    if ruled is None or seen is None or state.unresolved.rethrow or _is_said_otherwise(explained):
        return ()
    grave = [change for change in explained.hands if not change.is_harmless and change.deed is not HandDeed.TAKEN]
    if not match.game.lay(match.state):
        is_throw = _is_laid_like_a_throw(match, grave)
        return tuple(change for change in grave if is_throw or change.deed is HandDeed.TURNED)
    return (*grave, *_taken_out(match, ruled, seen, explained))


def _is_laid_like_a_throw(match: Match, grave: Sequence[HandChange]) -> bool:
    """True if hands gave other faces to several dice, half of those of a throw that is awaited at least."""
    throws = (offer.dice for offer in match.game.legal(match.state) if offer.is_throw)
    return len(grave) > 1 and any(2 * len(grave) >= len(dice) for dice in throws)


def _is_said_otherwise(explained: Explanation) -> bool:
    is_asked = is_about_hands(explained) or explained.unsure_dice or explained.set_flat or explained.turned
    return bool(is_asked or explained.breach or explained.rethrow)


def _taken_out(match: Match, ruled: Seen, seen: Seen, explained: Explanation) -> Iterable[HandChange]:
    """Return the dice that lay there at the last ruling and that a throw left out, in a tray with room for all."""
    is_lost = any(action.verb == match.game.lost for way in explained.ways for action in way)
    has_left = any(die.throw > ruled.throw for die in seen.dice if die not in dice_inside(seen))
    if not explained.ways or not seen.bay or seen.throw == ruled.throw or is_lost or has_left:
        return ()
    before, there = dice_inside(ruled), dice_inside(seen)
    fewer = count_kinds(before) - count_kinds(there)
    gone = [die for die in before if die.number not in {each.number for each in there} and fewer[die.kind]]
    is_known = len(gone) == fewer.total()
    dice = [(die.number, die.die) for die in gone] if is_known else [(0, Die(kind)) for kind in fewer.elements()]
    return tuple(HandChange(HandDeed.TAKEN, number, die) for number, die in dice)


# In words


def _sentence(state: SessionState, alike: Sequence[HandChange], layout: Sequence[DiePosition]) -> str:
    """Return what hands did, and as what the dice count that lie there."""
    said = spell_change(alike, lambda die: _title(state, die))
    return said if alike[0].new is None else in_a_row(said, _counting(state, alike, layout))


def _counting(state: SessionState, alike: Sequence[HandChange], layout: Sequence[DiePosition]) -> str:
    """Return with which faces dice count that show others; '' where their faces count for nothing, or are not known."""
    old = Counter(change.old for change in alike)
    if None in old or old - Counter(position.die for position in layout):
        return ""
    if len(alike) > 1:
        return say("They count as before.")
    return say("It counts as {title}.", title=_title(state, alike[0].old))


def _title(state: SessionState, die: Die | None) -> str:
    return within_sentence(title_of(state.dice, die.kind, die.face)) if die and die.face else ""


def _before_and_after(alike: Sequence[HandChange]) -> tuple[Die, ...]:
    """Return the face of a single die before and after, () where there is no such pair."""
    (first, *others) = alike
    return (first.old, first.new) if not others and first.old and first.new else ()


# What the camera could not see, dice that left the tray, and dice taken up too soon

TAKEN_UP = say("Dice were taken up before they could be read.")
LEFT_THE_TRAY = say("A die left the tray in the throw.")


def with_blind_remark(step: Step, observation: Observation) -> Step:
    """Keep what the camera missed since the last observation at rest.

    A hand in the tray is none of it: hands pick up dice in every throw, and what changed under one is asked about.
    A start of the program in mid-game is, however short it was: before it anything may have happened.
    """
    before = step.state.camera.blind_until
    blind = [one for one in observation.blind if one.reason is not Blindness.HAND and one.ended > before]
    if not blind:
        return step
    seconds, reasons = sum(one.ended - one.began for one in blind), [one.reason for one in blind]
    is_told = seconds >= LONG_GAP_SECONDS or (step.state.resumed and Blindness.RESTART in reasons)
    notes = [(Deed.BLIND, blind_note(seconds, reasons))] if is_told else []
    step = _remarked(step, notes)
    return step.to(replace(step.state, camera=replace(step.state.camera, blind_until=max(one.ended for one in blind))))


def with_taken_up_remark(step: Step, observation: Observation) -> Step:
    """Tell everybody once that dice were taken up before their throw could be read; whatever was said stays said."""
    at, match = observation.taken_up_at, step.state.match
    if at is None or at <= step.state.camera.taken_up_until:
        return step
    is_awaited = match is not None and any(offer.is_throw for offer in match.game.legal(match.state))
    step = _remarked(step, [(Deed.REMARK, TAKEN_UP)] if is_awaited else [])
    return step.to(replace(step.state, camera=replace(step.state.camera, taken_up_until=at)))


def with_departure_remark(step: Step, seen: Seen) -> Step:
    """Tell everybody that a die of the last throw lies outside the tray."""
    last = [die for die in seen.dice if die.throw == seen.throw > 0]
    left = any(die.zone is Zone.OUT and not die.handled for die in last)
    return _remarked(step, [(Deed.DEPARTED, LEFT_THE_TRAY)] if left else [])


def _remarked(step: Step, notes: list[tuple[Deed, str]]) -> Step:
    """Add remarks to a game that goes on; what is said after a restart stays said."""
    match, resumed = step.state.match, step.state.resumed
    if match is None or match.over or not notes:
        return step
    for deed, note in notes:
        match = match.remark(note, deed=deed)
    step = step.with_match(match)
    return step.to(replace(step.state, resumed=resumed))
