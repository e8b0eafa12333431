"""What a press of the box's button comes to at the table. Pure functions; none picks between ways or guesses a face."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game import Action
from referee.snapshot import Question, Snapshot
from vander.appliance.led_patterns import fair_ways
from vander.session.session import AS_IT_LIES


@dataclass(frozen=True)
class Agree:
    """Yes, that throw was read right."""

    check: int


@dataclass(frozen=True)
class GoOn:
    """Go on as the dice lie."""

    question: int


@dataclass(frozen=True)
class Do:
    """Do what is offered."""

    action: Action


@dataclass(frozen=True)
class Throw:
    """Go on and throw: nothing needs to be said, since the camera sees it."""


@dataclass(frozen=True)
class Unclear:
    """A button is not enough to say it: that is for the tablet."""


Meant = Agree | GoOn | Do | Throw | Unclear


def confirmed(snapshot: Snapshot) -> Meant:
    """What "roll on, that is right" means now."""
    if snapshot.lent:
        return Unclear()
    if snapshot.questions:
        return _going_on(snapshot.questions)
    if snapshot.check is not None:
        return Agree(snapshot.check)
    ways, ends = fair_ways(snapshot), snapshot.game.ends if snapshot.game else frozenset()
    if len(ways) == 1 and ways[0].by_tap:
        return Do(ways[0].action)
    others = [offer for offer in ways if offer.action.verb not in ends]
    if snapshot.camera_trouble or not others:  # a throw that nobody sees counts for nothing
        return Unclear()
    return Unclear() if any(offer.by_tap for offer in others) else Throw()


def ended(snapshot: Snapshot) -> Meant:
    """What "I stop here" means now: the one offer that ends the turn with what it brought."""
    ends = snapshot.game.ends if snapshot.game and not snapshot.lent else frozenset()
    ways = [offer.action for offer in snapshot.offers if offer.action.verb in ends]
    return Do(ways[0]) if len(ways) == 1 else Unclear()


def _going_on(questions: tuple[Question, ...]) -> Meant:
    """Go on as the dice lie, where nothing else is asked."""
    only = len(questions) == 1 and [answer for answer, _ in questions[0].choices] == [AS_IT_LIES]
    return GoOn(questions[0].number) if only else Unclear()
