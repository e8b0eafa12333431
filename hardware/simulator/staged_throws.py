"""Staged situations that begin with a throw. Each is a script: it acts on the tray and yields seconds to wait."""

from __future__ import annotations

from collections.abc import Callable

from hardware.simulator.hand_motions import LETTING_GO_SECONDS
from hardware.simulator.simulated_throw import Fate
from hardware.simulator.stage_cast import Cast
from hardware.simulator.tray_scripts import Script
from hardware.simulator.virtual_tray import REACHING_SECONDS, Manner

Play = Callable[[Cast], Script]

IN_FLIGHT_SECONDS = LETTING_GO_SECONDS + 0.35
"""Seconds after a hand reaches in at which all its dice are in flight and none is at rest."""
_BEFORE_RULING_SECONDS = 0.04
_LEFT_THE_TRAY_SECONDS = LETTING_GO_SECONDS + 0.8
"""Seconds after a hand reaches in at which a die that flies off lies outside, while others may still roll."""


def lean_on_die(cast: Cast) -> Script:
    """Throw; one die leans on another."""
    yield from _throw_with(cast, Fate.LEANS_ON_DIE)


def lean_on_wall(cast: Cast) -> Script:
    """Throw; one die leans on the wall."""
    yield from _throw_with(cast, Fate.LEANS_ON_WALL)


def stacked(cast: Cast) -> Script:
    """Throw; one die lands flat on another."""
    yield from _throw_with(cast, Fate.STACKS)


def fly_off(cast: Cast) -> Script:
    """Throw; one die flies off and lies outside."""
    yield from _throw_with(cast, Fate.LEAVES)


def bounce_back(cast: Cast) -> Script:
    """Throw; one die bounces over the edge and back."""
    yield from _throw_with(cast, Fate.BOUNCES_BACK)


def old_face(cast: Cast) -> Script:
    """Throw; one die falls on its old face, all but at its old place."""
    yield from _throw_with(cast, Fate.KEEPS_ITS_FACE)


def laid_back(pause: float, other_face: bool = False) -> Play:
    """Throw; one die flies off and is laid back: at once, or that many seconds after all lie still if over 0.5."""

    def play(cast: Cast) -> Script:
        die = _thrown_with(cast, Fate.LEAVES)
        if die is not None:
            yield _LEFT_THE_TRAY_SECONDS + pause if pause < 0.5 else cast.tray.rests_in() + pause
            cast.tray.set_down(die, *cast.spot_in_field(), other_face=other_face)
            yield cast.tray.rests_in()

    return play


def quick_throws(pause: float) -> Play:
    """Throw, and take the same dice up for the next throw that many seconds after they lie still."""

    def play(cast: Cast) -> Script:
        cast.tray.throw(cast.numbers, {})
        yield cast.tray.rests_in() + pause - REACHING_SECONDS
        cast.tray.throw(cast.numbers, {})
        yield cast.tray.rests_in()

    return play


def rethrow(cast: Cast) -> Script:
    """Throw, and throw all again as soon as they lie still."""
    yield from quick_throws(_BEFORE_RULING_SECONDS)(cast)


def rethrow_one(cast: Cast) -> Script:
    """Throw, and throw one of the dice again as soon as they lie still."""
    cast.tray.throw(cast.numbers, {})
    yield cast.tray.rests_in() + _BEFORE_RULING_SECONDS - REACHING_SECONDS
    die = cast.pick()
    if die is not None:
        cast.tray.throw([die], {})
        yield cast.tray.rests_in()


def rethrow_in_flight(cast: Cast) -> Script:
    """Throw, catch the dice while they roll, and throw them again."""
    cast.tray.throw(cast.numbers, {})
    yield IN_FLIGHT_SECONDS
    cast.tray.throw(cast.numbers, {})
    yield cast.tray.rests_in()


def turn_in_throw(cast: Cast) -> Script:
    """Throw some of the dice, or all but one, and turn one that lies while they fly."""
    die = cast.pick(cast.others_on_table() or cast.on_table())
    cast.tray.throw([number for number in cast.numbers if number != die], {})
    yield IN_FLIGHT_SECONDS - 0.2 - REACHING_SECONDS
    if die is not None:
        cast.tray.reface(die)
    yield cast.tray.rests_in()


def slide_in_throw(cast: Cast) -> Script:
    """Throw all dice but one, and push that one over the felt meanwhile."""
    die = cast.pick(cast.on_table())
    cast.tray.throw([number for number in cast.numbers if number != die], {})
    yield IN_FLIGHT_SECONDS - 0.3 - REACHING_SECONDS
    if die is not None:
        cast.tray.set_down(die, *cast.spot_beside(die, 45.0), manner=Manner.SLID)
    yield cast.tray.rests_in()


def half_throw(cast: Cast) -> Script:
    """Throw all dice but one, and set that one down among them with another face."""
    die = cast.pick()
    cast.tray.throw([number for number in cast.numbers if number != die], {})
    yield IN_FLIGHT_SECONDS - 0.2 - REACHING_SECONDS
    if die is not None:
        cast.tray.set_down(die, *cast.spot_in_field(), other_face=True)
    yield cast.tray.rests_in()


def keep_back(cast: Cast) -> Script:
    """Throw all dice but one, which lies where it lay."""
    die = cast.pick()
    cast.tray.throw([number for number in cast.numbers if number != die], {})
    yield cast.tray.rests_in()


def _throw_with(cast: Cast, fate: Fate) -> Script:
    _thrown_with(cast, fate)
    yield cast.tray.rests_in()


def _thrown_with(cast: Cast, fate: Fate) -> int | None:
    """Throw the dice, one of which ends like that; return its number."""
    die = cast.pick()
    cast.tray.throw(cast.numbers, {} if die is None else {die: fate})
    return die
