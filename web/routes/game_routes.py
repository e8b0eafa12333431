"""The counter: what a tablet may ask of the desk and tell it, as JSON, and the pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, request

from referee.refused import Reason, Refused
from web.authorization import requires
from web.schemas.game_requests import asked, chosen_options, number, player_names, short_text, text
from web.schemas.snapshot_json import chance_json, game_json, offers_of_row, snapshot_json, throws_json
from web.services import backends
from web.services.access_protocol import Role

blueprint = Blueprint("counter", __name__)

_PICTURE_NAME = re.compile(r"\w[\w.-]{0,119}", re.ASCII)


@blueprint.get("/api/snapshot")
@requires(Role.WATCHER)
def snapshot() -> Response:
    """All that a tablet shows now."""
    return jsonify(snapshot_json(backends.game().snapshot()))


@blueprint.get("/api/games")
@requires(Role.WATCHER)
def games() -> Response:
    """The games that can be set up, with their seats and options, and the dice for a game that takes any."""
    found = backends.game()
    dice = [{"name": dice.name, "title": dice.title} for dice in found.die_sets()]
    return jsonify(games=[game_json(game) for game in found.games()], die_sets=dice)


@blueprint.get("/api/offers")
@requires(Role.WATCHER)
def offers() -> Response:
    """What may be done now with a row of a board: `seat`, whose board it is, and `row`, its key."""
    seat, row = request.args.get("seat", ""), request.args.get("row", "")
    if not (seat.isascii() and seat.isdigit() and len(seat) < 3):
        raise Refused("The request needs 'seat', a whole number from 0.")
    now = backends.game().snapshot()
    return jsonify(number=now.number, offers=offers_of_row(now, int(seat), row))


@blueprint.get("/api/odds")
@requires(Role.WATCHER)
def odds() -> Response:
    """What chance gives for where the game stands."""
    return jsonify(chances=[chance_json(chance) for chance in backends.game().odds()])


@blueprint.post("/api/game")
@requires(Role.PLAYER)
def start() -> Response:
    """Set up a game: `game`, `players`, `options`, for a game that takes any dice `die_set`, and maybe `step`."""
    body = asked()
    dice = short_text(body.get("die_set", ""), "'die_set'")
    backends.game().start(text(body, "game"), player_names(body), chosen_options(body), dice, step=_step(body))
    return snapshot()


@blueprint.post("/api/act")
@requires(Role.PLAYER)
def act() -> Response:
    """Do a tapped action: `action`, in the notation of Action, and maybe `step`, the moment that the page shows."""
    body = asked()
    backends.game().act(text(body, "action"), step=_step(body))
    return snapshot()


@blueprint.get("/api/by-hand")
@requires(Role.WATCHER)
def throws() -> Response:
    """The throws whose dice may be given by hand now: none while the camera sees the tray."""
    return jsonify(throws_json(backends.game().snapshot()))


@blueprint.post("/api/by-hand")
@requires(Role.PLAYER)
def by_hand() -> Response:
    """Say what was thrown where the camera does not see it: `action`, with all its faces, and maybe `step`."""
    body = asked()
    backends.game().by_hand(text(body, "action"), step=_step(body))
    return snapshot()


@blueprint.post("/api/answer")
@requires(Role.PLAYER)
def answer() -> Response:
    """Answer a question: `question`, its number, and `choice`."""
    body = asked()
    backends.game().answer(number(body, "question"), text(body, "choice"))
    return snapshot()


@blueprint.post("/api/correct")
@requires(Role.PLAYER)
def correct() -> Response:
    """Say what a die really shows: `die`, its number, `face`, and maybe `step`, the moment that the page shows."""
    body = asked()
    backends.game().correct(number(body, "die"), text(body, "face"), step=_step(body))
    return snapshot()


@blueprint.post("/api/undo")
@requires(Role.PLAYER)
def undo() -> Response:
    """Take back the last standing entry; maybe with `step`, the moment that the page shows."""
    backends.game().undo(step=_step(asked()))
    return snapshot()


def _step(body: Mapping[str, Any]) -> str:
    return short_text(body.get("step", ""), "'step'")


@blueprint.get("/pictures/<name>.jpg")
@requires(Role.WATCHER)
def picture(name: str) -> Response:
    """A picture that a snapshot named. A name stands for one picture for ever, so a browser may keep it."""
    if not _PICTURE_NAME.fullmatch(name):
        raise Refused("There is no picture of that name.", Reason.NOT_FOUND)
    response = Response(backends.game().picture(name), mimetype="image/jpeg")
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


@blueprint.get("/view.jpg")
@requires(Role.WATCHER)
def view() -> Response:
    """What the camera sees now."""
    return Response(backends.game().picture("view"), mimetype="image/jpeg")
