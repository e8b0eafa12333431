"""Routes of the game: the snapshot, what players do, the pictures, and what an open question is about."""

from __future__ import annotations

import re

from flask import Blueprint, Response

from referee.journal import MOST_OPEN
from referee.phrases import kept_name, seat_name
from referee.sentences import Reason, Refused, say
from vander.app.backends import backends, game, simulator
from web.authorization import actor, caller
from web.endpoints import (
    CHANGE_REFUSALS,
    FILM,
    JPEG,
    NO_PICTURE,
    cached_jpeg,
    change_endpoint,
    json_endpoint,
    media_endpoint,
)
from web.events import changes_game, snapshot_now
from web.languages import said
from web.schemas import game_schemas as shapes
from web.schemas import snapshot_response
from web.schemas.access_schemas import Role
from web.schemas.response_model import AddressLanguage, NameTitle, NumberRequest
from web.schemas.snapshot_schemas import (
    QuestionPicturesResponse,
    QuestionQuery,
    SnapshotResponse,
    question_pictures_response,
)

blueprint = Blueprint("game", __name__)

LOOK_AGAIN_S = 60
"""For how long a browser takes it that there is no picture of a face."""
_PICTURE_NAME = re.compile(r"\w[\w.-]{0,119}", re.ASCII)


@blueprint.get("/api/snapshot")
@json_endpoint(SnapshotResponse, Reason.INVALID, role=Role.WATCHER)
def snapshot(query: AddressLanguage) -> Response:  # `language` reads it
    """Return the table as it is now."""
    return snapshot_now()


@blueprint.get("/api/games")
@json_endpoint(shapes.GamesResponse, role=Role.WATCHER)
def games() -> shapes.GamesResponse:
    """Return the games that can be set up, and the dice for a game that takes any."""
    die_sets = tuple(NameTitle(dice.name, dice.title) for dice in game().die_sets())
    return shapes.GamesResponse(tuple(map(snapshot_response.game_schema, game().games())), die_sets)


@blueprint.get("/api/offers")
@json_endpoint(shapes.OffersResponse, Reason.INVALID, role=Role.WATCHER)
def offers(query: shapes.OffersQuery) -> shapes.OffersResponse:
    """Return what may be done now with a place of a seat's board, or with all of its places."""
    return snapshot_response.offers_response(game().snapshot(), query.seat, query.row)


@blueprint.get("/api/odds")
@json_endpoint(shapes.OddsResponse, Reason.CONFLICT, Reason.UNAVAILABLE, role=Role.WATCHER)
def odds() -> shapes.OddsResponse:
    """Return the chances of where the game stands; they are worked out once, after the first request."""
    return shapes.OddsResponse(tuple(map(snapshot_response.chance_figure, game().odds())))


@blueprint.post("/api/game")
@changes_game
def start(body: shapes.StartGameRequest) -> None:
    """Set up a game. A page calls a seat without a name by its number, in its own language; English is kept."""
    numbered = said(seat_name("{place}"))
    players = tuple(kept_name(name, numbered) for name in body.players)
    chosen = (body.game, players, body.options, body.die_set)
    game().start(*chosen, step=body.step, starter=body.starter, leave_open=body.leave_open)


@blueprint.post("/api/game/again")
@changes_game
def play_again(body: shapes.StepRequest) -> None:
    """Begin the game that is over once more, with the same players, house rules and dice."""
    game().play_again(step=body.step)


@blueprint.get("/api/open-games")
@json_endpoint(shapes.OpenGamesResponse, role=Role.WATCHER)
def open_games() -> shapes.OpenGamesResponse:
    """Return the games that stand open, the one that was on the table last first."""
    return shapes.OpenGamesResponse(tuple(map(shapes.OpenGameSchema.of, game().open_games())), MOST_OPEN)


@blueprint.post("/api/play-on")
@changes_game
def play_on(body: shapes.PlayOnRequest) -> None:
    """Go back to an open game; the one on the table stays open."""
    game().play_on(body.number, step=body.step)


@blueprint.post("/api/open-games/end")
@change_endpoint(open_games, *CHANGE_REFUSALS, role=Role.PLAYER)
def end_open_game(body: NumberRequest) -> None:
    """End an open game that is not on the table."""
    game().end_open(body.number)


@blueprint.post("/api/act")
@changes_game
def act(body: shapes.ActRequest) -> None:
    """Do a tapped action."""
    game().act(body.action, step=body.step, by=actor())


@blueprint.get("/api/by-hand")
@json_endpoint(shapes.ThrowsResponse, role=Role.WATCHER)
def throws() -> shapes.ThrowsResponse:
    """Return the throws whose dice may be entered by hand now: none while the camera sees the tray."""
    return snapshot_response.throws_response(game().snapshot())


@blueprint.post("/api/by-hand")
@changes_game
def by_hand(body: shapes.ActRequest) -> None:
    """Enter a throw that the camera does not see."""
    game().by_hand(body.action, step=body.step, by=actor())


@blueprint.post("/api/answer")
@changes_game
def answer(body: shapes.AnswerRequest) -> None:
    """Answer an open question."""
    game().answer(body.question, body.choice, die=body.die, by=actor(), confirmed=body.confirmed)


@blueprint.post("/api/correct")
@changes_game
def correct(body: shapes.CorrectRequest) -> None:
    """Say what a die really shows."""
    game().correct(body.die, body.face, step=body.step, kind=body.kind, by=actor())


@blueprint.post("/api/undo")
@changes_game
def undo(body: shapes.StepRequest) -> None:
    """Take back the last standing entry."""
    game().undo(step=body.step, by=actor())


@blueprint.get("/api/agreements")
@json_endpoint(shapes.AgreementsResponse, role=Role.WATCHER)
def agreements() -> shapes.AgreementsResponse:
    """Return what the table may agree on now where the game's rules are silent."""
    return snapshot_response.agreements_response(game().snapshot())


@blueprint.post("/api/void")
@changes_game
def void(body: shapes.StepRequest) -> None:
    """Take out the last throw: it does not count."""
    game().void(step=body.step, by=actor())


@blueprint.post("/api/confirm")
@changes_game
def confirm(body: shapes.ConfirmRequest) -> None:
    """Confirm or decline a change of the score that waits for another seat."""
    is_keeper = caller().role is Role.KEEPER
    game().confirm(body.number, agrees=body.agrees, by=actor(), may_override=is_keeper)


@blueprint.get("/pictures/<name>.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND, Reason.GONE, cached=True, role=Role.WATCHER)
def picture(name: str) -> Response:
    """Return a picture that a snapshot named. A name belongs to one picture for ever, so a browser may keep it."""
    if not _PICTURE_NAME.fullmatch(name):
        raise Refused(say("There is no picture of that name."), Reason.NOT_FOUND)
    return cached_jpeg(game().picture(name, uncut=caller().role is Role.KEEPER))


@blueprint.get("/faces/<die_set>/<kind>/<face>.jpg")
@media_endpoint(JPEG, cached=True, may_be_empty=True, role=Role.WATCHER)
def face_picture(die_set: str, kind: str, face: str) -> Response:
    """Return what a face looks like at this table: a die that people said shows it, cut to the die.

    Until there is one the answer is empty, which the browser keeps for a minute: a page draws the face meanwhile.
    """
    pictures = backends().face_pictures
    jpeg = pictures.face_picture(die_set, kind, face) if pictures else None
    if jpeg is not None:
        return cached_jpeg(jpeg)
    return Response(status=NO_PICTURE, headers={"Cache-Control": f"max-age={LOOK_AGAIN_S}"})


@blueprint.get("/view.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND, role=Role.WATCHER)
def view() -> Response:
    """Return the tray as the camera sees it now; beyond it all is grey."""
    return Response(game().tray_picture(), mimetype=JPEG)


@blueprint.get("/camera.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND)
def camera() -> Response:
    """Return all that the camera sees now, the room and its people included, to adjust the camera by."""
    return Response(game().camera_picture(), mimetype=JPEG)


@blueprint.get("/tray.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND, role=Role.WATCHER)
def virtual_tray() -> Response:
    """Return the virtual tray with the table around it: a drawing, in which there is nobody."""
    simulator()
    return Response(game().camera_picture(), mimetype=JPEG)


question_blueprint = Blueprint("question", __name__)


@question_blueprint.get("/api/question")
@json_endpoint(QuestionPicturesResponse, Reason.INVALID, Reason.NOT_FOUND, role=Role.WATCHER)
def pictures(query: QuestionQuery) -> QuestionPicturesResponse:
    """Return what can be shown of what an open question is about."""
    return question_pictures_response(query.number, game().question_pictures(query.number))


@question_blueprint.get("/api/question/film")
@media_endpoint(FILM, Reason.INVALID, Reason.NOT_FOUND, role=Role.WATCHER)
def film(query: QuestionQuery) -> Response:
    """Return the film of what an open question is about: its pictures with their times, in one file."""
    return Response(game().question_film(query.number), mimetype=FILM)
