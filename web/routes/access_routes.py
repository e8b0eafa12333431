"""The door's counter: joining in by the code that the box shows, and the keeper's page of the box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from referee.refused import Reason, Refused
from web import authorization
from web.authorization import requires
from web.schemas.game_requests import LONGEST_NAME, asked, short_text, text, yes_or_no
from web.services import backends
from web.services.access_protocol import CODE_DICE, COOKIE, SIDES, Asking, Role, Tablet

blueprint = Blueprint("door", __name__)

YEAR_S = 365 * 24 * 3600
"""So long a browser keeps a tablet's key after it was last here."""


@blueprint.get("/pair")
@requires(Role.WATCHER)
def pair_page() -> str:
    """Joining in: six dice to fill in as the box shows them."""
    backends.access()
    return render_template("pairing.html")


@blueprint.get("/box")
def box_page() -> str:
    """The box: its tablets, what was chosen, and switching it off."""
    return render_template("box.html")


@blueprint.get("/api/door")
@requires(Role.WATCHER)
def door() -> Response:
    """Who this browser is at the table, and how it stands with the code; the code itself is told to keepers."""
    response = jsonify(_door_json())
    tablet, key = authorization.caller().tablet, request.cookies.get(COOKIE, "")
    if tablet is not None and tablet.number:
        _hand_over(response, key)  # the year begins anew
    return response


@blueprint.post("/api/door/ask")
@requires(Role.WATCHER)
def ask() -> Response:
    """Have the box show a code for five minutes."""
    asked()
    found = backends.backends().access
    if found is not None:
        found.ask(keeper=authorization.caller().role is Role.KEEPER)
    return door()


@blueprint.post("/api/door/pair")
@requires(Role.WATCHER)
def pair() -> Response:
    """Join in: `code`, the six faces that the box shows, and `name`, what the tablet is to be called."""
    found, body = backends.access(), asked()
    if authorization.caller().tablet is not None:
        raise Refused("This tablet has joined in already.", Reason.CONFLICT)
    joined = found.pair(
        _code(body), short_text(body.get("name", ""), "'name'", LONGEST_NAME), request.remote_addr or ""
    )
    response = jsonify(role=joined.tablet.role.word, tablet=_named(joined.tablet))
    _hand_over(response, joined.key)
    return response


@blueprint.post("/api/door/leave")
@requires(Role.PLAYER)
def leave() -> Response:
    """Forget this very tablet, so that it only watches."""
    found, tablet = backends.access(), authorization.caller().tablet
    asked()
    if tablet is None or not tablet.number:
        raise Refused("This browser has not joined in, so it cannot leave.", Reason.CONFLICT)
    found.forget(tablet.number)
    response = jsonify(done=True)
    response.delete_cookie(COOKIE, httponly=True, samesite="Strict")
    return response


@blueprint.get("/api/box")
def box() -> Response:
    """The tablets that have joined in, what was chosen, and what can be done with the box."""
    found = backends.backends()
    there = {
        "doctor": found.diagnostics is not None,
        "teaching": found.learning is not None,
        "power_off": found.power_off is not None,
    }
    return jsonify(
        tablets=[_tablet_json(tablet) for tablet in found.access.tablets()] if found.access else [],
        chosen=[asdict(each) for each in found.settings],
        there=there,
    )


@blueprint.post("/api/door/tablets/<int(max=999999999):number>/rename")
def rename(number: int) -> Response:
    """Call a tablet by another `name`."""
    backends.access().rename(number, text(asked(), "name", LONGEST_NAME))
    return box()


@blueprint.post("/api/door/tablets/<int(max=999999999):number>/entrust")
def entrust(number: int) -> Response:
    """Make a tablet a `keeper` (true), or a player again (false)."""
    backends.access().entrust(number, Role.KEEPER if yes_or_no(asked(), "keeper") else Role.PLAYER)
    return box()


@blueprint.post("/api/door/tablets/<int(max=999999999):number>/forget")
def forget(number: int) -> Response:
    """Forget a tablet: it watches until it joins in again."""
    asked()
    backends.access().forget(number)
    return box()


@blueprint.post("/api/box/power-off")
def power_off() -> Response:
    """Shut the box down; `sure` must be true."""
    turn_off = backends.backends().power_off
    if turn_off is None:
        raise Refused("This box cannot be shut down from here; end the program where it was started.", Reason.NOT_FOUND)
    if not yes_or_no(asked(), "sure"):
        raise Refused("The box is shut down only when 'sure' is true.")
    try:
        turn_off()
    except OSError as error:
        raise Refused(f"{str(error).removesuffix('.')}.", Reason.UNAVAILABLE) from error
    return jsonify(done=True)


def _door_json() -> dict[str, Any]:
    found, caller = backends.backends().access, authorization.caller()
    code = found.code() if found and caller.role is Role.KEEPER else None
    return {
        "door": found is not None,
        "role": caller.role.word,
        "tablet": _named(caller.tablet) if caller.tablet else None,
        "at_the_box": caller.at_the_box,
        "asking": _asking_json(found.asking() if found else Asking()),
        "code": list(code) if code else None,
        "trouble": found.trouble if found else "",
    }


def _asking_json(asking: Asking) -> dict[str, Any]:
    return {
        "shown": asking.shown,
        "left_s": round(asking.left_s, 1),
        "tries": asking.tries,
        "wait_s": round(asking.wait_s, 1),
    }


def _named(tablet: Tablet) -> dict[str, Any]:
    return {"number": tablet.number, "name": tablet.name}


def _tablet_json(tablet: Tablet) -> dict[str, Any]:
    own = authorization.caller().tablet
    return {
        **_named(tablet),
        "role": tablet.role.word,
        "paired_on": tablet.paired_on,
        "used_on": tablet.used_on,
        "own": own is not None and own.number == tablet.number,
    }


def _code(body: Mapping[str, Any]) -> tuple[int, ...]:
    found = body.get("code")
    if not isinstance(found, list) or len(found) != CODE_DICE or not all(_is_face(face) for face in found):
        raise Refused(f"The request needs 'code', a list of {CODE_DICE} whole numbers from 1 to {SIDES}.")
    return tuple(found)


def _is_face(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= SIDES


def _hand_over(response: Response, key: str) -> None:
    response.set_cookie(
        COOKIE, key, max_age=YEAR_S, httponly=True, samesite="Strict", secure=request.is_secure, path="/"
    )
