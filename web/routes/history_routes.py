"""Routes of past games and of the statistics that are counted of them."""

from __future__ import annotations

from flask import Blueprint, Response

from referee.refused import Reason
from web.authorization import requires
from web.endpoint_decorators import JSON, json_endpoint, media_endpoint
from web.schemas.history_schemas import (
    GameSumSchema,
    HistoryQuery,
    HistoryResponse,
    PastGameSchema,
    StatisticsQuery,
    StatisticsResponse,
)
from web.services.access_backend import Role
from web.services.backends import history

blueprint = Blueprint("history", __name__)


@blueprint.get("/api/history")
@requires(Role.WATCHER)
@json_endpoint(HistoryResponse, Reason.INVALID, Reason.NOT_FOUND)
def past_games(query: HistoryQuery) -> HistoryResponse:
    """Return ended games, the newest first: of a game, of a player, of two players who met."""
    history().count_soon()
    found = history().played(before=query.before, game=query.game, player=query.player, against=query.against)
    return HistoryResponse(tuple(map(PastGameSchema.of, found)), history().uncounted)


@blueprint.get("/api/players/<int:number>/statistics")
@requires(Role.WATCHER)
@json_endpoint(StatisticsResponse, Reason.INVALID, Reason.NOT_FOUND)
def player_statistics(number: int, query: StatisticsQuery) -> StatisticsResponse:
    """Return a player's figures, game by game, maybe against another player."""
    history().count_soon()
    own = tuple(map(GameSumSchema.of, history().sums(number, query.against)))
    theirs = tuple(map(GameSumSchema.of, history().sums(query.against, number))) if query.against else ()
    return StatisticsResponse(own, theirs, history().uncounted)


@blueprint.get("/api/players/<int:number>/results.json")
@requires(Role.PLAYER)
@media_endpoint(JSON, Reason.NOT_FOUND)
def player_results(number: int) -> Response:
    """Return a player's results as a file to take along; other players are not named in it."""
    response = Response(history().results_of(number), mimetype=JSON)
    response.headers.set("Content-Disposition", "attachment", filename="vander-results.json")
    return response
