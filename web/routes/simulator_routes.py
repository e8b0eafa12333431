"""The virtual tray's counter: hands that throw, carry, turn and knock off dice. It never says what a die shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, Response, jsonify

from referee.refused import Reason, Refused
from web.authorization import requires
from web.schemas.game_requests import asked, fraction, number, numbers, short_text, text, yes_or_no
from web.services import backends
from web.services.access_protocol import Role

blueprint = Blueprint("tray", __name__, url_prefix="/api/tray")

MOST_DEGREES = 360
PLACES = ("field", "aside", "out", "off")
"""Where a die lies, as the tray's hands call it: `out` is on the table beyond the marks, `off` no longer on it."""
TROUBLES = ("", "covered", "frozen", "unplugged")
_TOLD = ("number", "x", "y", "edge", "place")


@blueprint.get("/dice")
@requires(Role.WATCHER)
def dice() -> Response:
    """Where the dice lie: number, x, y, edge (fractions of the picture) and place."""
    return jsonify(dice=[{name: die[name] for name in _TOLD} for die in backends.simulator().dice()])


@blueprint.get("/cupboard")
@requires(Role.WATCHER)
def cupboard() -> Response:
    """What can be put out (`sets`) and who may have drawn it (`looks`), and which are `out` now."""
    hands = backends.simulator()
    die_set, look = hands.out()
    return jsonify(sets=_named(hands.sets()), looks=_named(hands.looks()), out={"set": die_set, "look": look})


@blueprint.post("/throw")
@requires(Role.PLAYER)
def throw() -> Response:
    """Pick up `dice` and throw them together."""
    hands, chosen = backends.simulator(), numbers(asked(), "dice")
    with _known():
        hands.throw(chosen)
    return dice()


@blueprint.post("/move")
@requires(Role.PLAYER)
def move() -> Response:
    """Carry `die` to `x`, `y`."""
    hands, body = backends.simulator(), asked()
    die, x, y = number(body, "die"), fraction(body, "x"), fraction(body, "y")
    with _known():
        hands.move(die, x, y)
    return dice()


@blueprint.post("/tip")
@requires(Role.PLAYER)
def tip() -> Response:
    """Turn `die` over onto its next side."""
    hands, die = backends.simulator(), number(asked(), "die")
    with _known():
        hands.tip(die)
    return dice()


@blueprint.post("/twist")
@requires(Role.PLAYER)
def twist() -> Response:
    """Turn `die` where it lies by `degrees`, clockwise in the picture."""
    hands, body = backends.simulator(), asked()
    die, degrees = number(body, "die"), _degrees(body)
    with _known():
        hands.twist(die, degrees)
    return dice()


@blueprint.post("/knock-off")
@requires(Role.PLAYER)
def knock_off() -> Response:
    """Knock `die` off the table."""
    hands, die = backends.simulator(), number(asked(), "die")
    with _known():
        hands.knock_off(die)
    return dice()


@blueprint.post("/hand")
@requires(Role.PLAYER)
def hand() -> Response:
    """Reach into the tray (`inside`: true), or take the hand out."""
    backends.simulator().hand(yes_or_no(asked(), "inside"))
    return dice()


@blueprint.post("/set-out")
@requires(Role.PLAYER)
def set_out() -> Response:
    """Put out the dice of another die set: `set`, drawn by `look` (or by whoever drew those before)."""
    hands, body = backends.simulator(), asked()
    die_set, look = text(body, "set"), short_text(body.get("look", ""), "'look'")
    with _known():
        hands.set_out(die_set, look)
    return dice()


@blueprint.post("/trouble")
@requires(Role.PLAYER)
def trouble() -> Response:
    """Make trouble for the camera: `kind`, or an empty one to make all well."""
    hands, kind = backends.simulator(), short_text(asked().get("kind"), "'kind'")
    if kind not in TROUBLES:
        raise Refused("A camera's trouble is 'covered', 'frozen', 'unplugged', or '' for none.")
    hands.trouble(kind)
    return dice()


def _degrees(body: Mapping[str, Any]) -> float:
    found = body.get("degrees")
    if not isinstance(found, int | float) or isinstance(found, bool) or not -MOST_DEGREES <= found <= MOST_DEGREES:
        raise Refused(f"The request needs 'degrees' as a number from {-MOST_DEGREES} to {MOST_DEGREES}.")
    return float(found)


def _named(titles: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "title": title} for name, title in titles.items()]


@contextmanager
def _known() -> Iterator[None]:
    try:
        yield
    except LookupError as unknown:
        raise Refused(_sentence(unknown), Reason.NOT_FOUND) from unknown


def _sentence(unknown: LookupError) -> str:
    told = str(unknown.args[0]) if unknown.args else "the tray has no such thing"
    return f"{told[:1].upper()}{told[1:]}".removesuffix(".") + "."
