"""The counter: what a tablet may ask of the desk and tell it, as JSON, and the pictures."""

from __future__ import annotations

import re

from flask import Blueprint, Response, jsonify, request

from web.asking import asked, chosen_options, number, player_names, text
from web.desk import Turned
from web.snapshots import game_json, snapshot_json
from web.threshold import desk

room = Blueprint("counter", __name__)

_PICTURE_NAME = re.compile(r"\w[\w.-]{0,119}", re.ASCII)


@room.get("/api/snapshot")
def snapshot() -> Response:
    """All that a tablet shows now."""
    return jsonify(snapshot_json(desk().snapshot()))


@room.get("/api/games")
def games() -> Response:
    """The games that can be set up, with their seats and options."""
    return jsonify(games=[game_json(game) for game in desk().games()])


@room.post("/api/game")
def start() -> Response:
    """Set up a game: `game`, `players`, `options`."""
    body = asked()
    desk().start(text(body, "game"), player_names(body), chosen_options(body))
    return snapshot()


@room.post("/api/act")
def act() -> Response:
    """Do a tapped action: `action`, in the notation of Action."""
    desk().act(text(asked(), "action"))
    return snapshot()


@room.post("/api/answer")
def answer() -> Response:
    """Answer a question: `question`, its number, and `choice`."""
    body = asked()
    desk().answer(number(body, "question"), text(body, "choice"))
    return snapshot()


@room.post("/api/correct")
def correct() -> Response:
    """Say what a die really shows: `die`, its number, and `face`."""
    body = asked()
    desk().correct(number(body, "die"), text(body, "face"))
    return snapshot()


@room.post("/api/undo")
def undo() -> Response:
    """Take back the last standing entry."""
    asked()
    desk().undo()
    return snapshot()


@room.get("/pictures/<name>.jpg")
def picture(name: str) -> Response:
    """A picture that a snapshot named. A name stands for one picture for ever, so a browser may keep it."""
    if not _PICTURE_NAME.fullmatch(name):
        raise Turned("There is no picture of that name.", 404)
    response = Response(desk().picture(name), mimetype="image/jpeg")
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


@room.get("/view.jpg")
def view() -> Response:
    """What the camera sees now."""
    return Response(desk().picture("view"), mimetype="image/jpeg")
