"""A die that leaned, was ruled on, and is thrown again all the same: that is asked, and no breach. Pure.

A throw with a leaning die is ruled on where people say what the die shows, or that it counts as a hand has set it flat,
and where it is not sure enough that it leans. By the dice alone a further throw of it is a breach.
"""

from __future__ import annotations

from dataclasses import replace

from referee.dice import Die, SeenDie, Zone
from referee.sentences import say
from referee.snapshot import Question
from vander.session.match import IllegalAction, Match, with_face
from vander.session.prompts import Breach, LeanedQuestion
from vander.session.session_state import SessionState, TableView

LEANED, DID_NOT_LEAN = "leaned", "did-not-lean"


def find_thrown_again(state: SessionState) -> SeenDie | None:
    """Return the one die that was thrown since the ruling, where it leaned in the throw ruled on; else None."""
    table = state.table
    if table.seen is None or table.ruled is None or state.unresolved.breach is not None:
        return None
    thrown = [die for die in table.seen.dice if die.throw > table.ruled.throw]
    is_alone = len(thrown) == 1 and thrown[0].zone is not Zone.OUT
    return thrown[0] if is_alone and _leaned_in_last_throw(table, thrown[0]) else None


def _leaned_in_last_throw(table: TableView, die: SeenDie) -> bool:
    entry = table.thrown_by.get(die.number)
    if entry is None or entry != max(table.thrown_by.values()):
        return False
    first = min((throw for _, throw in table.given.get(entry, ())), default=0)
    return any(number == die.number and first <= throw < die.throw for number, throw in table.leaned)


def with_leaned(table: TableView) -> TableView:
    """Return the view that knows which dice lean, or may."""
    dice = table.observed.dice if table.observed else ()
    leaning = {(die.number, die.thrown) for die in dice if die.reading.sighting.may_lean}
    return replace(table, leaned=table.leaned | leaning) if leaning - table.leaned else table


def leaned_question(state: SessionState, match: Match, die: SeenDie, breach: Breach) -> LeanedQuestion | None:
    """Return the question whether a die leaned that was thrown again; None where the throw cannot stand as it lies."""
    ruled = state.table.ruled
    old = next((each.die for each in ruled.dice if each.number == die.number), None) if ruled else None
    entry = state.table.thrown_by[die.number]
    if old is None or _mended(match, entry, old, die.die) is None:
        return None
    choices = ((LEANED, say("Yes, it leaned: it counts as it lies now")), (DID_NOT_LEAN, say("No")))
    crop = state.table.crops.get(die.number, "")
    sentence = say("This die was thrown again. Did it lean?")
    question = Question(0, sentence, choices, die=die.number, dice=(die.number,), crops=(crop,))
    return LeanedQuestion(question, breach, entry, old, die.die)


def _mended(match: Match, entry: int, old: Die, new: Die) -> Match | None:
    """Return the match in which the entry's throw gave the die its new face; None where the rules refuse that."""
    action = match.action_of(entry)
    if action is None or old not in action.dice:
        return None
    if old == new:
        return match
    try:
        return match.correct(entry, with_face(action, old, new))
    except IllegalAction:
        return None


def after_leaning(match: Match, prompt: LeanedQuestion) -> Match:
    """Return the match in which a leaning die counts with the face of its re-throw."""
    return _mended(match, prompt.entry, prompt.old, prompt.new) or match
