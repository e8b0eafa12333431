"""Staged situations about the tray: light, lens, a hand that hides dice, the program itself. Each is a script."""

from __future__ import annotations

from hardware.simulator.stage_cast import Cast
from hardware.simulator.staged_throws import IN_FLIGHT_SECONDS, Play
from hardware.simulator.tray_scripts import Script
from hardware.simulator.virtual_tray import REACHING_SECONDS

_BLIND_SECONDS = 1.5
"""How long the camera sees nothing: until the dice lie still."""
_HAND_LEFT_SECONDS = 4.0


def hand_left(cast: Cast) -> Script:
    """Throw, and leave a hand in the picture for a while."""
    cast.tray.throw(cast.numbers, {})
    yield IN_FLIGHT_SECONDS
    cast.tray.hand(True)
    yield cast.tray.rests_in() + _HAND_LEFT_SECONDS
    cast.tray.hand(False)
    yield REACHING_SECONDS


def hand_over(cast: Cast) -> Script:
    """Reach over the dice and away, touching none."""
    cast.tray.hand(True)
    yield 2 * REACHING_SECONDS
    cast.tray.hand(False)
    yield REACHING_SECONDS


def light_changes(brightness: float) -> Play:
    """Let the light change for a while, and back."""

    def play(cast: Cast) -> Script:
        cast.tray.light(brightness)
        yield 3.0
        cast.tray.light(1.0)

    return play


def dim_in_throw(cast: Cast) -> Script:
    """Throw; the light goes down while the dice fly, and comes back."""
    cast.tray.throw(cast.numbers, {})
    yield IN_FLIGHT_SECONDS
    yield from light_changes(0.62)(cast)


def cover_in_throw(cast: Cast) -> Script:
    """Throw; the lens is covered while the dice roll out."""
    yield from _trouble_in_throw(cast, "covered")


def freeze_in_throw(cast: Cast) -> Script:
    """Throw; the camera gives the same picture while the dice roll out."""
    yield from _trouble_in_throw(cast, "frozen")


def unplug_in_throw(cast: Cast) -> Script:
    """Throw; the camera is lost while the dice roll out."""
    yield from _trouble_in_throw(cast, "unplugged")


def restart_in_throw(cast: Cast) -> Script:
    """Throw; the driver restarts the program while the dice fly."""
    cast.tray.throw(cast.numbers, {})
    yield IN_FLIGHT_SECONDS
    cast.wants_restart = True
    yield cast.tray.rests_in()


def _trouble_in_throw(cast: Cast, trouble: str) -> Script:
    cast.tray.throw(cast.numbers, {})
    yield IN_FLIGHT_SECONDS
    cast.tray.trouble(trouble)
    yield max(cast.tray.rests_in(), 0.0) + _BLIND_SECONDS
    cast.tray.trouble("")
