"""Routes for a club's own programs: read only, each with a key that a keeper made, `Authorization: Bearer KEY`."""

from __future__ import annotations

from flask import Blueprint, Response, request

from referee.sentences import Reason
from web.authorization import client_network, requires
from web.endpoints import CSV, JSON, attached_pieces, json_endpoint, media_endpoint
from web.routes.hall_routes import BEARER
from web.routes.season_routes import player_response, standings_response
from web.schemas.tournament_schemas import PlayerGamesQuery, PlayerHistoryResponse, SeasonQuery, StandingsResponse
from web.services.access_backend import Role
from web.services.backends import season

blueprint = Blueprint("club", __name__)

KEY_REFUSALS = (Reason.NOT_ALLOWED, Reason.TOO_SOON, Reason.INVALID)


@blueprint.get("/api/club/v1/standings")
@requires(Role.WATCHER)
@json_endpoint(StandingsResponse, *KEY_REFUSALS)
def standings(query: SeasonQuery) -> StandingsResponse:
    """Return the players of a season by wins, then by the share of games won."""
    _check_key()
    return standings_response(query)


@blueprint.get("/api/club/v1/players/<int(max=999999999):number>")
@requires(Role.WATCHER)
@json_endpoint(PlayerHistoryResponse, *KEY_REFUSALS, Reason.NOT_FOUND)
def player(number: int, query: PlayerGamesQuery) -> PlayerHistoryResponse:
    """Return a player with ended games, the last first."""
    _check_key()
    return player_response(number, query)


@blueprint.get("/api/club/v1/plays.json")
@requires(Role.WATCHER)
@media_endpoint(JSON, *KEY_REFUSALS)
def plays_as_json(query: SeasonQuery) -> Response:
    """Return the games of a season with their seats."""
    _check_key()
    return attached_pieces(season().plays("json", query.wanted), JSON, "vander-hall-plays.json")


@blueprint.get("/api/club/v1/plays.csv")
@requires(Role.WATCHER)
@media_endpoint(CSV, *KEY_REFUSALS)
def plays_as_csv(query: SeasonQuery) -> Response:
    """Return the games of a season, a row for each seat."""
    _check_key()
    return attached_pieces(season().plays("csv", query.wanted), CSV, "vander-hall-plays.csv")


def _check_key() -> None:
    key = request.headers.get("Authorization", "").removeprefix(BEARER)
    season().check_api_key(key, client_network(request.remote_addr or ""))
