"""Routes of a hall's season: standings, players and their games, and all plays as files for a keeper.

A club's own programs read the same, each with a key that a keeper made, `Authorization: Bearer KEY`.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from referee.sentences import Reason
from vander.hall.hall_routes import BEARER, season
from web.authorization import client_network, requires
from web.endpoints import CSV, JSON, ZIP, attached_pieces, attached_table, json_endpoint, media_endpoint
from web.schemas.access_schemas import Role
from web.schemas.tournament_schemas import (
    ApiKeysResponse,
    DropKeyRequest,
    FindPlayersQuery,
    HallPlayersResponse,
    NewKeyRequest,
    PlayerGamesQuery,
    PlayerHistoryResponse,
    SeasonQuery,
    StandingsResponse,
)

blueprint = Blueprint("season", __name__)
club_blueprint = Blueprint("club", __name__)


@blueprint.get("/api/hall/standings")
@requires(Role.WATCHER)
@json_endpoint(StandingsResponse, Reason.INVALID)
def standings(query: SeasonQuery) -> StandingsResponse:
    """Return the players of a season by wins, then by the share of games won."""
    return standings_response(query)


@blueprint.get("/api/hall/players")
@requires(Role.WATCHER)
@json_endpoint(HallPlayersResponse)
def players(query: FindPlayersQuery) -> HallPlayersResponse:
    """Return the players whose name holds a part."""
    return HallPlayersResponse(tuple(season().find_players(query.name, query.rows)))


@blueprint.get("/api/hall/players/<int(max=999999999):number>")
@requires(Role.WATCHER)
@json_endpoint(PlayerHistoryResponse, Reason.INVALID, Reason.NOT_FOUND)
def player(number: int, query: PlayerGamesQuery) -> PlayerHistoryResponse:
    """Return a player with ended games, the last first."""
    return player_response(number, query)


@blueprint.get("/api/hall/plays.csv")
@media_endpoint(CSV, Reason.INVALID)
def plays_as_csv(query: SeasonQuery) -> Response:
    """Return the games of a season, a row for each seat."""
    return attached_table(season().plays("csv", query.wanted), "vander-hall-plays.csv")


@blueprint.get("/api/hall/plays.json")
@media_endpoint(JSON, Reason.INVALID)
def plays_as_json(query: SeasonQuery) -> Response:
    """Return the games of a season with their seats."""
    return attached_pieces(season().plays("json", query.wanted), JSON, "vander-hall-plays.json")


@blueprint.get("/api/hall/records.zip")
@media_endpoint(ZIP, Reason.INVALID)
def records(query: SeasonQuery) -> Response:
    """Return the records of a season's games in one archive."""
    return attached_pieces(season().plays("records", query.wanted), ZIP, "vander-hall-records.zip")


@blueprint.get("/api/hall/keys")
@json_endpoint(ApiKeysResponse)
def keys() -> ApiKeysResponse:
    """Return the keys of the club's own programs."""
    return _keys()


@blueprint.post("/api/hall/keys/make")
@json_endpoint(ApiKeysResponse, Reason.CONFLICT)
def make_key(body: NewKeyRequest) -> ApiKeysResponse:
    """Make a key for a program; the answer holds it this once."""
    secret = season().make_api_key(body.name)
    return ApiKeysResponse(_keys().keys, secret)


@blueprint.post("/api/hall/keys/drop")
@json_endpoint(ApiKeysResponse, Reason.NOT_FOUND)
def drop_key(body: DropKeyRequest) -> ApiKeysResponse:
    """Take a key back."""
    season().drop_api_key(body.number)
    return _keys()


def standings_response(query: SeasonQuery) -> StandingsResponse:
    """Return the standings that a query asks for."""
    return StandingsResponse(tuple(season().standings(query.wanted, query.rows)))


def player_response(number: int, query: PlayerGamesQuery) -> PlayerHistoryResponse:
    """Return a player with the games that a query asks for."""
    found = season()
    games = found.player_games(number, query.until, query.rows)
    return PlayerHistoryResponse(found.player(number), tuple(games))


def _keys() -> ApiKeysResponse:
    return ApiKeysResponse(tuple(season().api_keys()))


# For a club's own programs: read only, by names that they have in the OpenAPI document


KEY_REFUSALS = (Reason.NOT_ALLOWED, Reason.TOO_SOON, Reason.INVALID)


@club_blueprint.get("/api/club/v1/standings", endpoint="standings")
@requires(Role.WATCHER)
@json_endpoint(StandingsResponse, *KEY_REFUSALS)
def club_standings(query: SeasonQuery) -> StandingsResponse:
    """Return the players of a season by wins, then by the share of games won."""
    _check_key()
    return standings_response(query)


@club_blueprint.get("/api/club/v1/players/<int(max=999999999):number>", endpoint="player")
@requires(Role.WATCHER)
@json_endpoint(PlayerHistoryResponse, *KEY_REFUSALS, Reason.NOT_FOUND)
def club_player(number: int, query: PlayerGamesQuery) -> PlayerHistoryResponse:
    """Return a player with ended games, the last first."""
    _check_key()
    return player_response(number, query)


@club_blueprint.get("/api/club/v1/plays.json", endpoint="plays_as_json")
@requires(Role.WATCHER)
@media_endpoint(JSON, *KEY_REFUSALS)
def club_plays_as_json(query: SeasonQuery) -> Response:
    """Return the games of a season with their seats."""
    _check_key()
    return attached_pieces(season().plays("json", query.wanted), JSON, "vander-hall-plays.json")


@club_blueprint.get("/api/club/v1/plays.csv", endpoint="plays_as_csv")
@requires(Role.WATCHER)
@media_endpoint(CSV, *KEY_REFUSALS)
def club_plays_as_csv(query: SeasonQuery) -> Response:
    """Return the games of a season, a row for each seat."""
    _check_key()
    return attached_pieces(season().plays("csv", query.wanted), CSV, "vander-hall-plays.csv")


def _check_key() -> None:
    key = request.headers.get("Authorization", "").removeprefix(BEARER)
    season().check_api_key(key, client_network(request.remote_addr or ""))
