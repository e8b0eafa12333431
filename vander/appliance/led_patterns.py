"""The signals of the box's lamp, and which of them a snapshot calls for. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hardware.gpio.lamp import Colour, LampSignal, Rhythm
from referee.snapshot import NoticeMood, Offer, Snapshot

THROW = LampSignal(Colour.GREEN, Rhythm.STEADY)
DECIDE = LampSignal(Colour.BLUE, Rhythm.SLOW)
DOUBT = LampSignal(Colour.YELLOW, Rhythm.TWO)
BREACH = LampSignal(Colour.RED, Rhythm.FAST)
NO_CAMERA = LampSignal(Colour.MAGENTA, Rhythm.THREE)
UNDERVOLTAGE = LampSignal(Colour.RED, Rhythm.FOUR)
UNSAVED = LampSignal(Colour.RED, Rhythm.FIVE)
LENT = LampSignal(Colour.CYAN, Rhythm.WINK)
NO_GAME = LampSignal(Colour.WHITE, Rhythm.ONE)
HELD_LONG = LampSignal(Colour.WHITE, Rhythm.EVEN)
SHUTTING_DOWN = LampSignal(Colour.WHITE, Rhythm.LONG_SHORT)

MEANINGS: Mapping[LampSignal, str] = {
    THROW: "Throw the dice.",
    DECIDE: "Decide: the tablet shows what may be done.",
    DOUBT: "A doubt: the tablet asks what a die shows or whether a throw was read right, or the button was not enough.",
    BREACH: "Something was against the rules: the tablet says what, and how to go on.",
    NO_CAMERA: "The camera is gone, or sees no tray.",
    UNDERVOLTAGE: "The power supply is too weak.",
    UNSAVED: "Vander cannot write to its card: do not throw.",
    LENT: "Dice are being shown; a short press takes the picture.",
    NO_GAME: "No game is going on: set one up on the tablet.",
    HELD_LONG: "The button has been held for a long press: let go, or hold on for a very long one.",
    SHUTTING_DOWN: "The box shuts down.",
}
"""Every signal, and its meaning for the people at the table."""


def signal_of(snapshot: Snapshot) -> LampSignal:
    """Return the signal for a snapshot: the first of _PRIORITY that applies, else THROW."""
    return next((signal for signal, applies in _PRIORITY if applies(snapshot)), THROW)


def _is_doubt(snapshot: Snapshot) -> bool:
    """True if people are asked what a die shows; other questions are decisions."""
    return any(question.die for question in snapshot.questions) or snapshot.check is not None


def _is_decision(snapshot: Snapshot) -> bool:
    return bool(snapshot.questions) or snapshot.mood is NoticeMood.ASK


def voluntary_offers(snapshot: Snapshot) -> tuple[Offer, ...]:
    """Return the offers that need no confirmation on the tablet, as giving the turn up does."""
    grave = snapshot.game.grave if snapshot.game else frozenset()
    return tuple(offer for offer in snapshot.offers if offer.action.verb not in grave)


_PRIORITY: Final[tuple[tuple[LampSignal, Callable[[Snapshot], bool]], ...]] = (
    (UNSAVED, lambda snapshot: snapshot.unsaved),
    (UNDERVOLTAGE, lambda snapshot: snapshot.low_power),
    (LENT, lambda snapshot: snapshot.lent),
    (NO_CAMERA, lambda snapshot: bool(snapshot.camera_trouble)),
    (BREACH, lambda snapshot: snapshot.mood is NoticeMood.BREACH),
    (DOUBT, _is_doubt),
    (DECIDE, _is_decision),
    (NO_GAME, lambda snapshot: not voluntary_offers(snapshot)),
    (DECIDE, lambda snapshot: not all(offer.action.is_throw for offer in voluntary_offers(snapshot))),
)
"""The signals by priority, each with its condition: what stops play comes first."""
