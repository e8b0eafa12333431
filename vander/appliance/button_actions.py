"""What a press of the button does, by the snapshot; no function chooses between offers or guesses a face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from referee.actions import Action
from referee.dice import DieSet
from referee.refused import Refused
from referee.snapshot import Snapshot
from vander.appliance.led_patterns import voluntary_offers


@dataclass(frozen=True)
class ConfirmReading:
    """The throw of this number was read right."""

    check: int


@dataclass(frozen=True)
class DoAction:
    """Do what is offered."""

    action: Action


@dataclass(frozen=True)
class ReadyToThrow:
    """Nothing to say: the next thing is a throw, which the camera sees."""


@dataclass(frozen=True)
class NeedsTablet:
    """A press cannot say what is meant; the tablet can."""


ButtonAction = ConfirmReading | DoAction | ReadyToThrow | NeedsTablet


class CaptureTarget(Protocol):
    """Where dice may be shown: the learning service."""

    @property
    def showing(self) -> DieSet | None:
        """The dice that are being shown, None while there are none."""

    def shutter(self) -> object:
        """Take a picture now. Raises Refused."""

    def report_trouble(self, words: str) -> None:
        """Say on the page why no picture was taken."""


def on_confirm(snapshot: Snapshot) -> ButtonAction:
    """Return what the press `confirm` does."""
    if snapshot.lent:
        return NeedsTablet()
    if snapshot.questions:
        return NeedsTablet()  # also where the dice may stay as they lie: that is asked twice, with what it changes
    if snapshot.check is not None:
        return ConfirmReading(snapshot.check)
    offers, ends = voluntary_offers(snapshot), _ending_verbs(snapshot)
    if len(offers) == 1 and offers[0].by_tap:
        return DoAction(offers[0].action)
    others = [offer for offer in offers if offer.action.verb not in ends]
    if snapshot.camera_trouble or not others:  # a throw that no camera sees does not count
        return NeedsTablet()
    return NeedsTablet() if any(offer.by_tap for offer in others) else ReadyToThrow()


def on_end_turn(snapshot: Snapshot) -> ButtonAction:
    """Return what the press `end-turn` does: the only offer that ends the turn and keeps its result."""
    if snapshot.lent:
        return NeedsTablet()
    ends = _ending_verbs(snapshot)
    actions = [offer.action for offer in snapshot.offers if offer.action.verb in ends]
    return DoAction(actions[0]) if len(actions) == 1 else NeedsTablet()


def _ending_verbs(snapshot: Snapshot) -> frozenset[str]:
    return snapshot.game.ends_turn if snapshot.game else frozenset()


def take_picture(target: CaptureTarget) -> bool:
    """Take a picture if dice are being shown; return whether they are.

    Raises Refused, and says so on the page, if the picture cannot be taken.
    """
    if target.showing is None:
        return False
    try:
        target.shutter()
    except Refused as refused:
        target.report_trouble(str(refused))
        raise
    return True
