"""Situations by name: every mishap and every cheat that can be staged on the virtual tray, and who plays them.

A situation is a script of the tray's own verbs. It waits by the tray's clock, and it never learns nor tells what a die
shows: "another face" is a random one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from hardware.simulator import staged_hands, staged_surroundings, staged_throws
from hardware.simulator.stage_cast import Cast
from hardware.simulator.tray_scripts import Script
from hardware.simulator.virtual_tray import VirtualTray
from referee.sentences import say

__all__ = ["SITUATIONS", "Intent", "NoSuchSituation", "Situation", "Staging", "TrayStage", "stage"]


class NoSuchSituation(LookupError):
    """There is no situation of that name; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])


class Intent(StrEnum):
    """Whether people mean what they do."""

    CHEAT = "cheat"
    MISHAP = "mishap"


@dataclass(frozen=True)
class Situation:
    """What can be staged.

    verbs: those of the tray, in their order, and `restart`, which is the driver's. games: the names of the games in
    which it means something; empty for all.
    """

    name: str
    title: str
    intent: Intent
    verbs: tuple[str, ...]
    play: Callable[[Cast], Script]
    games: tuple[str, ...] = ()

    @property
    def throws(self) -> bool:
        """True if dice are thrown in it."""
        return "throw" in self.verbs

    @property
    def restarts(self) -> bool:
        """True if the driver has to restart the program in it."""
        return "restart" in self.verbs


class Staging:
    """A situation that is being played. `numbers` are its dice, in the order in which they were given."""

    def __init__(self, situation: Situation, cast: Cast) -> None:
        self.situation = situation
        self._cast = cast
        self._is_over = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the dice that the situation is played with."""
        return self._cast.numbers

    @property
    def picked(self) -> tuple[int, ...]:
        """Return the dice that hands or mishaps singled out so far, also those that were slipped in."""
        return tuple(self._cast.picked)

    @property
    def wants_restart(self) -> bool:
        """True from the moment at which the driver has to restart the program; the situation goes on meanwhile."""
        return self._cast.wants_restart

    @property
    def is_over(self) -> bool:
        """True once nothing further will be done; dice may still be on their way."""
        return self._is_over

    def script(self) -> Script:
        """Play the situation."""
        try:
            yield from self.situation.play(self._cast)
        finally:
            self._is_over = True


def stage(tray: VirtualTray, name: str, numbers: Sequence[int], rng: np.random.Generator) -> Staging:
    """Begin a situation with these dice, or with all in the field if none is named; the tray's clock goes on with it.

    Raises NoSuchSituation, and NoSuchDie for dice that there are not, both LookupErrors.
    """
    if name not in SITUATIONS:
        raise NoSuchSituation(
            say("there is no situation {name}; there are {known}", name=repr(name), known=", ".join(SITUATIONS))
        )
    staging = Staging(SITUATIONS[name], Cast.of(tray, numbers, rng))
    tray.play(staging.script())
    return staging


def _cheat(name: str, title: str, verbs: str, play: Callable[[Cast], Script], *games: str) -> Situation:
    return Situation(name, title, Intent.CHEAT, tuple(verbs.split()), play, games)


def _mishap(name: str, title: str, verbs: str, play: Callable[[Cast], Script], *games: str) -> Situation:
    return Situation(name, title, Intent.MISHAP, tuple(verbs.split()), play, games)


_BAY_GAMES = ("intersection", "dice-county-fair", "rollers", "switch-16", "toss-up")
_LIST = (
    _mishap("lean-on-die", say("A die leans on another"), "throw", staged_throws.lean_on_die),
    _mishap("lean-on-wall", say("A die leans on the wall"), "throw", staged_throws.lean_on_wall),
    _mishap("stacked", say("A die lands on another"), "throw", staged_throws.stacked),
    _mishap("fly-off", say("A die flies off the tray"), "throw", staged_throws.fly_off),
    _mishap("bounce-back", say("A die bounces out and back in"), "throw", staged_throws.bounce_back),
    _mishap("old-face", say("A die falls just as it lay"), "throw", staged_throws.old_face),
    _mishap("quick-throws-02", say("Next throw 0.2 s after rest"), "throw throw", staged_throws.quick_throws(0.2)),
    _mishap("quick-throws-04", say("Next throw 0.4 s after rest"), "throw throw", staged_throws.quick_throws(0.4)),
    _mishap("quick-throws-06", say("Next throw 0.6 s after rest"), "throw throw", staged_throws.quick_throws(0.6)),
    _mishap("quick-throws-10", say("Next throw 1 s after rest"), "throw throw", staged_throws.quick_throws(1.0)),
    _mishap("knocked-off", say("A die is knocked off"), "knock_off", staged_hands.knocked_off),
    _mishap(
        "knocked-back", say("Knocked off, put back as it was"), "knock_off set_down", staged_hands.knocked_back(False)
    ),
    _mishap(
        "back-and-throw",
        say("Put back and thrown at once"),
        "knock_off set_down throw",
        staged_hands.back_and_throw,
    ),
    _mishap("tidy", say("All dice are tidied by hand"), "move", staged_hands.tidy),
    _mishap("nudge", say("A die is nudged"), "jolt", staged_hands.nudge),
    _mishap("bump", say("Somebody bumps the table"), "jolt", staged_hands.bump),
    _mishap("slide", say("A die is pushed aside"), "set_down", staged_hands.slide),
    _mishap("hand-left", say("A hand stays in the picture"), "throw hand", staged_surroundings.hand_left),
    _mishap("hand-over", say("A hand passes over dice at rest"), "hand", staged_surroundings.hand_over),
    _mishap("dim", say("The light goes down"), "light", staged_surroundings.light_changes(0.62)),
    _mishap("bright", say("The light goes up"), "light", staged_surroundings.light_changes(1.28)),
    _mishap("dim-in-throw", say("The light goes down in a throw"), "throw light", staged_surroundings.dim_in_throw),
    _mishap(
        "cover-in-throw", say("The lens is covered in a throw"), "throw trouble", staged_surroundings.cover_in_throw
    ),
    _mishap(
        "freeze-in-throw", say("The camera freezes in a throw"), "throw trouble", staged_surroundings.freeze_in_throw
    ),
    _mishap(
        "unplug-in-throw", say("The camera is lost in a throw"), "throw trouble", staged_surroundings.unplug_in_throw
    ),
    _mishap(
        "restart-in-throw", say("Vander restarts in a throw"), "throw restart", staged_surroundings.restart_in_throw
    ),
    _mishap("park", say("A die is laid into the bay"), "move", staged_hands.park, *_BAY_GAMES),
    _mishap("unpark", say("A die is taken out of the bay"), "move", staged_hands.unpark, *_BAY_GAMES),
    _cheat("off-and-back-at-once", say("Flies off, laid back at once"), "throw set_down", staged_throws.laid_back(0.1)),
    _cheat(
        "off-and-back-later", say("Flies off, laid back after rest"), "throw set_down", staged_throws.laid_back(1.2)
    ),
    _cheat(
        "off-and-back-turned",
        say("Flies off, laid back turned"),
        "throw set_down",
        staged_throws.laid_back(0.1, other_face=True),
    ),
    _cheat(
        "off-and-back-turned-later",
        say("Flies off, laid back turned after rest"),
        "throw set_down",
        staged_throws.laid_back(1.2, other_face=True),
    ),
    _cheat(
        "knocked-back-turned",
        say("Knocked off, put back turned"),
        "knock_off set_down",
        staged_hands.knocked_back(True),
    ),
    _cheat("turn", say("A die is turned with two fingers"), "reface", staged_hands.turn),
    _cheat("turn-under-hand", say("A die is turned under a hand"), "hand reface", staged_hands.turn_under_hand),
    _cheat(
        "turn-under-cover", say("A die is turned, lens covered"), "trouble reface", staged_hands.turn_under("covered")
    ),
    _cheat(
        "turn-while-frozen", say("A die is turned, camera frozen"), "trouble reface", staged_hands.turn_under("frozen")
    ),
    _cheat(
        "turn-while-unplugged",
        say("A die is turned, camera out"),
        "trouble reface",
        staged_hands.turn_under("unplugged"),
    ),
    _cheat("turn-in-throw", say("A lying die is turned in a throw"), "throw reface", staged_throws.turn_in_throw),
    _cheat("turn-in-bay", say("A die in the bay is turned"), "move reface", staged_hands.turn_in_bay, *_BAY_GAMES),
    _cheat("place", say("Dice are set down, not thrown"), "set_down", staged_hands.place),
    _cheat("drop", say("Dice are dropped from the fingers"), "set_down", staged_hands.drop),
    _cheat("slide-in-throw", say("A die is pushed in a throw"), "throw set_down", staged_throws.slide_in_throw),
    _cheat("half-throw", say("One die is set down in a throw"), "throw set_down", staged_throws.half_throw),
    _cheat("keep-back", say("One die is not thrown"), "throw", staged_throws.keep_back),
    _cheat("swap", say("Two dice change places"), "swap", staged_hands.swap),
    _cheat("sleeve-add", say("A die of the set is slipped in"), "slip_in", staged_hands.slip_in(False)),
    _cheat("sleeve-foreign", say("A foreign die is slipped in"), "slip_in", staged_hands.slip_in(True)),
    _cheat("sleeve-take", say("A die vanishes up the sleeve"), "take_away", staged_hands.take_away),
    _cheat("sleeve-swap", say("A die is exchanged from the sleeve"), "take_away slip_in", staged_hands.sleeve_swap),
    _cheat("rethrow", say("Thrown again before the ruling"), "throw throw", staged_throws.rethrow),
    _cheat("rethrow-one", say("One thrown again before the ruling"), "throw throw", staged_throws.rethrow_one),
    _cheat(
        "rethrow-in-flight", say("Caught while it rolls, thrown again"), "throw throw", staged_throws.rethrow_in_flight
    ),
)
SITUATIONS: Mapping[str, Situation] = MappingProxyType({situation.name: situation for situation in _LIST})
"""What can be staged, by name."""


class TrayStage:
    """A virtual tray on which whoever asks lets situations be played. What needs a restart is left to scripts."""

    def __init__(self, tray: VirtualTray, seed: int | None = None) -> None:
        self._tray = tray
        self._rng = np.random.default_rng(seed)

    def situations(self) -> Sequence[Mapping[str, str]]:
        """Return for each situation: name, title, intent ('cheat' or 'mishap')."""
        listed = (each for each in SITUATIONS.values() if not each.restarts)
        return [{"name": each.name, "title": each.title, "intent": str(each.intent)} for each in listed]

    def stage(self, name: str, numbers: Sequence[int]) -> None:
        """Begin a situation with these dice, or with all in the field. Raises LookupError for one there is not."""
        stage(self._tray, name, numbers, self._rng)
