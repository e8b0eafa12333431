"""What became of a case: the facts of it, and the one word for them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Sort(StrEnum):
    """What a case is: a cheat, an honest mishap, or a plain legal throw."""

    CHEAT = "cheat"
    MISHAP = "mishap"
    PLAIN = "plain"


class Outcome(StrEnum):
    """What became of a case.

    RIGHT: the score is as it should be, and of a cheat everybody was told. ASKED: people were asked, and the score is
    as it should be, or waits for the answer. SILENTLY_WRONG: the score is wrong, and nobody was told. UNTOLD: the score
    is right by chance, nobody was told of the cheat. IN_JOURNAL: only the journal tells of it. ACCUSED: a breach was
    recorded though nobody broke a rule. STUCK: people did what the page says, and the game does not go on.
    """

    RIGHT = "right"
    ASKED = "asked"
    SILENTLY_WRONG = "silently wrong"
    UNTOLD = "told to nobody"
    IN_JOURNAL = "in the journal alone"
    ACCUSED = "accused"
    STUCK = "stuck"


@dataclass(frozen=True)
class Facts:
    """Facts about a finished case.

    score_right: the game stands where it may stand. told: a line that stays, a notice or an intervention says what
    happened. asking: a question is still open, or the page says what is to be put right. asked: since the case
    began a question was asked; that a leaning die is to be thrown again is none, unless people had to answer it.
    journalled: the journal has an entry about it that is no action. breach: a breach was recorded that nobody
    committed.
    """

    sort: Sort
    score_right: bool
    told: bool = False
    asking: bool = False
    asked: bool = False
    journalled: bool = False
    breach: bool = False


def judge_facts(facts: Facts) -> Outcome:
    """Return what became of a case."""
    return _of_cheat(facts) if facts.sort is Sort.CHEAT else _of_honest(facts)


def _of_cheat(facts: Facts) -> Outcome:
    if facts.told:
        return Outcome.RIGHT
    if facts.asking or (facts.asked and facts.score_right):
        return Outcome.ASKED
    if facts.journalled:
        return Outcome.IN_JOURNAL
    return Outcome.UNTOLD if facts.score_right else Outcome.SILENTLY_WRONG


def _of_honest(facts: Facts) -> Outcome:
    if facts.breach:
        return Outcome.ACCUSED
    if facts.score_right and not facts.asking:
        return Outcome.ASKED if facts.asked else Outcome.RIGHT
    return Outcome.STUCK if facts.asking or facts.asked or facts.told else Outcome.SILENTLY_WRONG
