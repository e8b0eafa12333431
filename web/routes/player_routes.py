"""Routes of the players whom the table remembers."""

from __future__ import annotations

from flask import Blueprint, render_template

from referee.known_players import ForgottenPlayer, NameTraces
from referee.sentences import Reason
from web.authorization import requires
from web.endpoint_decorators import CHANGE_REFUSALS, HTML, json_endpoint, media_endpoint
from web.schemas.history_schemas import (
    ChangePlayerRequest,
    ForgetPlayerRequest,
    MergePlayerRequest,
    PlayersResponse,
)
from web.services.access_backend import Role
from web.services.backends import players

blueprint = Blueprint("players", __name__)


@blueprint.get("/players")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def players_page() -> str:
    """Return the page that lists the remembered players."""
    players()
    return render_template("players.html")


@blueprint.get("/players/<int:number>")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def player_page(number: int) -> str:
    """Return the page of a remembered player."""
    return render_template("player.html", player=players().player(number))


@blueprint.get("/api/players")
@requires(Role.WATCHER)
@json_endpoint(PlayersResponse, Reason.NOT_FOUND)
def known_players() -> PlayersResponse:
    """Return the players whom the table remembers."""
    return _players()


@blueprint.post("/api/players/<int:number>/change")
@requires(Role.PLAYER)
@json_endpoint(PlayersResponse, *CHANGE_REFUSALS)
def change_player(number: int, body: ChangePlayerRequest) -> PlayersResponse:
    """Give a player another name, colour or picture."""
    players().change(number, name=body.name, colour=body.colour, picture=body.picture)
    return _players()


@blueprint.post("/api/players/<int:number>/merge")
@requires(Role.KEEPER)
@json_endpoint(PlayersResponse, *CHANGE_REFUSALS)
def merge_player(number: int, body: MergePlayerRequest) -> PlayersResponse:
    """Make one player of two who are one person."""
    players().merge(number, body.into)
    return _players()


@blueprint.get("/api/players/<int:number>/traces")
@requires(Role.KEEPER)
@json_endpoint(NameTraces, Reason.NOT_FOUND)
def traces(number: int) -> NameTraces:
    """Return what holds a player's name besides the games: recorded voices, and copies that may be deleted."""
    return players().traces(number)


@blueprint.post("/api/players/<int:number>/forget")
@requires(Role.KEEPER)
@json_endpoint(ForgottenPlayer, *CHANGE_REFUSALS)
def forget_player(number: int, body: ForgetPlayerRequest) -> ForgottenPlayer:
    """Take a player's name out of everything that is kept; the games stay."""
    return players().forget(number, body.wishes)


def _players() -> PlayersResponse:
    return PlayersResponse(tuple(players().players()))
