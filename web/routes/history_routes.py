"""Routes of past games and of the statistics that are counted of them."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from referee.sentences import Reason
from web.authorization import requires
from web.endpoint_decorators import (
    CSV,
    HTML,
    JSON,
    TEXT,
    ZIP,
    attached,
    attached_pieces,
    attached_table,
    json_endpoint,
    media_endpoint,
)
from web.schemas.history_schemas import (
    AchievementsResponse,
    GameSumSchema,
    HistoryQuery,
    HistoryResponse,
    LinkResponse,
    PastGameSchema,
    PastResultResponse,
    PastStepsResponse,
    ProgressSchema,
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
    """Return ended games, the newest first: of a game, of a player, of two players who met, of dice and their faces."""
    history().count_soon()
    found = history().played(query.wanted)
    return HistoryResponse(tuple(map(PastGameSchema.of, found)), history().uncounted)


@blueprint.get("/history")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def past_games_page() -> str:
    """Return the page that lists the past games."""
    history()
    return render_template("past_games.html")


@blueprint.get("/history/<int:number>")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def past_game_page(number: int) -> str:
    """Return the page that shows an ended game step by step."""
    return render_template("past_game.html", number=history().played_game(number).number)


@blueprint.get("/api/history/<int:number>")
@requires(Role.WATCHER)
@json_endpoint(PastStepsResponse, Reason.NOT_FOUND, Reason.CONFLICT)
def past_steps(number: int) -> PastStepsResponse:
    """Return an ended game entry by entry, with the scores after each and the name of its picture."""
    history().count_soon()
    game, steps = history().played_game(number), history().steps(number)
    return PastStepsResponse(PastGameSchema.of(game), tuple(steps))


@blueprint.get("/history/<int:number>/result")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def past_result_page(number: int) -> str:
    """Return the page that shows how an ended game came out."""
    return render_template("past_result.html", number=history().played_game(number).number)


@blueprint.get("/api/history/<int:number>/result")
@requires(Role.WATCHER)
@json_endpoint(PastResultResponse, Reason.NOT_FOUND)
def past_result(number: int) -> PastResultResponse:
    """Return how an ended game came out: its best moments, and the achievements that were won by it."""
    history().count_soon()
    return PastResultResponse.of(history().result(number))


@blueprint.get("/api/history/<int:number>/record.txt")
@requires(Role.PLAYER)
@media_endpoint(TEXT, Reason.NOT_FOUND, Reason.CONFLICT)
def record(number: int) -> Response:
    """Return the record of an ended game, as `vander export` writes it."""
    return attached(history().record(number), TEXT, f"vander-game-{number}.txt")


@blueprint.get("/api/plays.csv")
@media_endpoint(CSV, Reason.NOT_FOUND)
def plays_as_csv() -> Response:
    """Return all ended games, a row for each seat."""
    return attached_table(history().plays("csv"), "vander-plays.csv")


@blueprint.get("/api/plays.json")
@media_endpoint(JSON, Reason.NOT_FOUND)
def plays_as_json() -> Response:
    """Return all ended games with what they came to."""
    return _file("json", JSON, "vander-plays.json")


@blueprint.get("/api/records.zip")
@media_endpoint(ZIP, Reason.NOT_FOUND)
def records_of_all() -> Response:
    """Return the records of all ended games in one archive."""
    return _file("records", ZIP, "vander-records.zip")


@blueprint.get("/api/history/<int:number>/bg-stats")
@requires(Role.PLAYER)
@json_endpoint(LinkResponse, Reason.NOT_FOUND)
def bg_stats(number: int) -> LinkResponse:
    """Return the link that opens BG Stats on this device with an ended game."""
    return LinkResponse(history().bg_stats_link(number))


def _file(form: str, media_type: str, name: str) -> Response:
    pieces = history().plays(form)
    return attached_pieces(pieces, media_type, name)


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
    return attached(history().results_of(number), JSON, "vander-results.json")


@blueprint.get("/api/players/<int:number>/results.csv")
@requires(Role.PLAYER)
@media_endpoint(CSV, Reason.NOT_FOUND)
def player_results_table(number: int) -> Response:
    """Return a player's results as a table to take along; other players are not named in it."""
    return attached_table(iter((history().results_table(number).encode(),)), "vander-results.csv")


@blueprint.get("/api/players/<int:number>/achievements")
@requires(Role.WATCHER)
@json_endpoint(AchievementsResponse, Reason.NOT_FOUND)
def player_achievements(number: int) -> AchievementsResponse:
    """Return how far a player has come with each achievement."""
    history().count_soon()
    return AchievementsResponse(tuple(map(ProgressSchema.of, history().achievements(number))), history().uncounted)
