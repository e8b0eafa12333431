"""Record a breach with its picture. Pure."""

from __future__ import annotations

from dataclasses import replace

from referee.journal import Source
from vander.session import question_prompts
from vander.session.match import Match, Way
from vander.session.prompts import Breach
from vander.session.session_state import SessionState, Step, TableView
from vander.session.throws_after_breach import (
    accused_dice,
)


def record(step: Step, match: Match, breach: Breach) -> Step:
    """Record a breach once, with its picture, and let people put the table right or go on as it lies.

    Before a turn's first throw it does not matter how the dice lie: the throw is made again.
    """
    standing = step.state.unresolved.breach
    if standing != breach:
        evidence = evidence_name(step.state, match)
        step = step.with_match(match.breach(breach.sentence, breach.rule, evidence), evidence)
        standing = replace(breach, evidence=evidence)
    unresolved = replace(step.state.unresolved, breach=standing, accused=accused_dice(step.state))
    step = step.to(replace(step.state, unresolved=unresolved))
    is_laid_out = bool(match.game.lay(match.state))
    return question_prompts.ask(step, *([question_prompts.breach_question(standing)] if is_laid_out else []))


def evidence_name(state: SessionState, match: Match) -> str:
    """Return the name under which a picture is kept with the next entry; '' where there is none to keep."""
    return match.evidence_name() if state.camera.has_image else ""


def evidence_of(state: SessionState, match: Match, way: Way) -> str:
    """Return the name of the picture that is kept with a way; '' for one of which the camera saw nothing."""
    return evidence_name(state, match) if any(source is Source.CAMERA for _, source in way) else ""


def _pinned(table: TableView) -> TableView:
    """What was ruled on stands: a die that is not thrown again keeps the face that it was ruled on with."""
    sure = [die for die in table.seen.dice if len(die.faces) == 1] if table.seen else []
    stated = {**table.stated, **{die.number: (die.throw, die.die) for die in sure}}
    return replace(table.ruled_on(), stated=stated)
