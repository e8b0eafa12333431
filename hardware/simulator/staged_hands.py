"""Staged situations of hands that work on dice. Each is a script: it acts on the tray and yields seconds to wait."""

from __future__ import annotations

from hardware.simulator.geometry import BAY, HEIGHT
from hardware.simulator.stage_cast import Cast
from hardware.simulator.staged_throws import Play
from hardware.simulator.tray_scripts import Script
from hardware.simulator.virtual_tray import REACHING_SECONDS, Manner

NOTICED_SECONDS = 2.5
"""Seconds after which the referee has reported what happened, so that people react."""
_BLIND_SECONDS = 0.6
"""How long a lens is covered before a hand sets to work, and afterwards."""
_NUDGE = 3.0, 6.0
"""Millimetres and degrees by which an elbow shifts and turns a die."""
_BUMP = 1.6, 3.5
"""The same for a bump of the table, which shifts every die."""


def knocked_off(cast: Cast) -> Script:
    """Knock a die off the table."""
    die = cast.pick(cast.on_table())
    if die is not None:
        cast.tray.knock_off(die)
    yield cast.tray.rests_in()


def knocked_back(other_face: bool) -> Play:
    """Knock a die off the table and put it back where it lay, with the face that it showed or with another."""

    def play(cast: Cast) -> Script:
        die = cast.pick(cast.on_table())
        if die is not None:
            place = cast.where(die)
            cast.tray.knock_off(die)
            yield cast.tray.rests_in() + 0.6
            cast.tray.set_down(die, *place, other_face=other_face)
            yield cast.tray.rests_in()

    return play


def back_and_throw(cast: Cast) -> Script:
    """Knock a die off; when the referee has said so, put it back as it was and throw all dice without a pause."""
    die = cast.pick(cast.on_table())
    if die is not None:
        place = cast.where(die)
        cast.tray.knock_off(die)
        yield cast.tray.rests_in() + NOTICED_SECONDS
        cast.tray.set_down(die, *place)
        yield cast.tray.rests_in()
    cast.tray.throw(cast.numbers, {})
    yield cast.tray.rests_in()


def tidy(cast: Cast) -> Script:
    """Carry the dice, one after the other, into a neat row, each keeping its face."""
    dice = cast.on_table()
    for place, number in enumerate(dice):
        row, column = divmod(place, 6)
        cast.tray.move(number, *cast.spot(45.0 + 30.0 * column, HEIGHT - 45.0 - 30.0 * row))
        yield cast.tray.rests_in()


def nudge(cast: Cast) -> Script:
    """Nudge a die."""
    die = cast.pick(cast.on_table())
    if die is not None:
        cast.tray.jolt(die, *_NUDGE)
    yield cast.tray.rests_in()


def bump(cast: Cast) -> Script:
    """Bump the table: all dice jump a little."""
    for number in cast.all_on_table():
        cast.tray.jolt(number, *_BUMP)
    yield cast.tray.rests_in()


def slide(cast: Cast) -> Script:
    """Push a die over the felt to another place, keeping its face."""
    die = cast.pick(cast.on_table())
    if die is not None:
        cast.tray.set_down(die, *cast.spot_beside(die, 40.0), manner=Manner.SLID)
    yield cast.tray.rests_in()


def turn(cast: Cast) -> Script:
    """Turn a die with two fingers where it lies."""
    die = cast.pick(cast.on_table())
    if die is not None:
        cast.tray.reface(die)
    yield cast.tray.rests_in()


def turn_under_hand(cast: Cast) -> Script:
    """Reach over the dice, turn one, and take the hand away."""
    cast.tray.hand(True)
    yield REACHING_SECONDS + 0.2
    yield from turn(cast)
    yield 0.2
    cast.tray.hand(False)
    yield REACHING_SECONDS


def turn_under(trouble: str) -> Play:
    """Turn a die while the camera has that trouble."""

    def play(cast: Cast) -> Script:
        cast.tray.trouble(trouble)
        yield _BLIND_SECONDS
        yield from turn(cast)
        yield _BLIND_SECONDS
        cast.tray.trouble("")

    return play


def turn_in_bay(cast: Cast) -> Script:
    """Turn a die in the bay; one is laid there first, and rests, if there is none."""
    in_bay = _in_bay(cast)
    die = cast.pick(in_bay or cast.on_table())
    if die is None:
        return
    if not in_bay:
        cast.tray.move(die, *cast.spot_in_bay())
        yield cast.tray.rests_in() + NOTICED_SECONDS
    cast.tray.reface(die)
    yield cast.tray.rests_in()


def place(cast: Cast) -> Script:
    """Set the dice down, one after the other, each with another face than before."""
    for number in cast.numbers:
        cast.picked.append(number)
        cast.tray.set_down(number, *cast.spot_in_field(), other_face=True)
        yield cast.tray.rests_in()


def drop(cast: Cast) -> Script:
    """Take up the dice and let them fall from the fingers, all at once."""
    for number in cast.numbers:
        cast.picked.append(number)
        cast.tray.set_down(number, *cast.spot_in_field(), manner=Manner.DROPPED)
    yield cast.tray.rests_in()


def swap(cast: Cast) -> Script:
    """Exchange the places of two dice."""
    one = cast.pick(cast.on_table())
    other = cast.pick([number for number in cast.all_on_table() if number != one])
    if one is not None and other is not None:
        cast.tray.swap(one, other)
    yield cast.tray.rests_in()


def slip_in(foreign: bool) -> Play:
    """Lay a further die among the others, of the same set or of none."""

    def play(cast: Cast) -> Script:
        cast.picked.append(cast.tray.slip_in(*cast.spot_in_field(), foreign=foreign))
        yield cast.tray.rests_in()

    return play


def take_away(cast: Cast) -> Script:
    """Take a die out of the tray, into the sleeve."""
    die = cast.pick(cast.on_table())
    if die is not None:
        cast.tray.take_away(die)
    yield cast.tray.rests_in()


def sleeve_swap(cast: Cast) -> Script:
    """Take a die away and lay one from the sleeve in its place."""
    die = cast.pick(cast.on_table())
    if die is not None:
        where = cast.where(die)
        cast.tray.take_away(die)
        yield cast.tray.rests_in()
        cast.picked.append(cast.tray.slip_in(*where))
        yield cast.tray.rests_in()


def park(cast: Cast) -> Script:
    """Lay a die into the bay."""
    yield from _carried(cast, into_bay=True)


def unpark(cast: Cast) -> Script:
    """Take a die out of the bay; one is laid there first, and rests, if there is none."""
    if not _in_bay(cast):
        yield from park(cast)
        yield NOTICED_SECONDS
    yield from _carried(cast, into_bay=False)


def _in_bay(cast: Cast) -> list[int]:
    limit = cast.spot(BAY, HEIGHT / 2)[0]
    return [number for number in cast.all_on_table() if cast.where(number)[0] > limit]


def _carried(cast: Cast, into_bay: bool) -> Script:
    in_bay = _in_bay(cast)
    dice = [number for number in cast.all_on_table() if number not in in_bay] if into_bay else in_bay
    die = cast.pick([number for number in dice if number in cast.numbers] or dice)
    if die is not None:
        cast.tray.move(die, *(cast.spot_in_bay() if into_bay else cast.spot_in_field()))
    yield cast.tray.rests_in()
