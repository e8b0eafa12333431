"""What a press of the box's button comes to at the table. Pure functions; none picks between ways or guesses a face."""

from __future__ import annotations

from dataclasses import dataclass

from referee.game import Action
from referee.snapshot import Question, Snapshot
from vander.appliance.led_patterns import voluntary_offers
from vander.session.prompts import AS_IT_LIES


@dataclass(frozen=True)
class ConfirmReading:
    """Yes, that throw was read right."""

    check: int


@dataclass(frozen=True)
class ContinueAsLaid:
    """Go on as the dice lie."""

    question: int


@dataclass(frozen=True)
class DoAction:
    """Do what is offered."""

    action: Action


@dataclass(frozen=True)
class ReadyToThrow:
    """Go on and throw: nothing needs to be said, since the camera sees it."""


@dataclass(frozen=True)
class NeedsTablet:
    """A button is not enough to say it: that is for the tablet."""


ButtonAction = ConfirmReading | ContinueAsLaid | DoAction | ReadyToThrow | NeedsTablet


def on_confirm(snapshot: Snapshot) -> ButtonAction:
    """What "roll on, that is right" means now."""
    if snapshot.lent:
        return NeedsTablet()
    if snapshot.questions:
        return _going_on(snapshot.questions)
    if snapshot.check is not None:
        return ConfirmReading(snapshot.check)
    ways, ends = voluntary_offers(snapshot), snapshot.game.ends_turn if snapshot.game else frozenset()
    if len(ways) == 1 and ways[0].by_tap:
        return DoAction(ways[0].action)
    others = [offer for offer in ways if offer.action.verb not in ends]
    if snapshot.camera_trouble or not others:  # a throw that nobody sees counts for nothing
        return NeedsTablet()
    return NeedsTablet() if any(offer.by_tap for offer in others) else ReadyToThrow()


def on_end_turn(snapshot: Snapshot) -> ButtonAction:
    """What "I stop here" means now: the one offer that ends the turn with what it brought."""
    ends = snapshot.game.ends_turn if snapshot.game and not snapshot.lent else frozenset()
    ways = [offer.action for offer in snapshot.offers if offer.action.verb in ends]
    return DoAction(ways[0]) if len(ways) == 1 else NeedsTablet()


def _going_on(questions: tuple[Question, ...]) -> ButtonAction:
    """Go on as the dice lie, where nothing else is asked."""
    only = len(questions) == 1 and [answer for answer, _ in questions[0].choices] == [AS_IT_LIES]
    return ContinueAsLaid(questions[0].number) if only else NeedsTablet()
