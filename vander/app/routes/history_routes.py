"""Routes of what was played: past games and throws, challenges, players, statistics, fair play, and fair dice."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from referee.known_players import ForgottenPlayer, NameTraces
from referee.sentences import Reason
from vander.app.backends import challenges, fairness, game, history, players
from web.authorization import actor
from web.endpoints import (
    CHANGE_REFUSALS,
    CSV,
    FILM,
    HTML,
    JPEG,
    JSON,
    TEXT,
    ZIP,
    attached,
    attached_pieces,
    attached_table,
    cached_jpeg,
    change_endpoint,
    json_endpoint,
    media_endpoint,
)
from web.events import changes_game
from web.schemas import game_schemas
from web.schemas import history_schemas as shapes
from web.schemas.access_schemas import Role

blueprint = Blueprint("history", __name__)


@blueprint.get("/api/history")
@json_endpoint(shapes.HistoryResponse, Reason.INVALID, Reason.NOT_FOUND, role=Role.WATCHER)
def past_games(query: shapes.HistoryQuery) -> shapes.HistoryResponse:
    """Return ended games, the newest first: of a game, of a player, of two players who met, of dice and their faces."""
    history().count_soon()
    found = history().played(query.wanted)
    return shapes.HistoryResponse(tuple(map(shapes.PastGameSchema.of, found)), history().uncounted)


@blueprint.get("/history")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def past_games_page() -> str:
    """Return the page that lists the past games."""
    history()
    return render_template("past_games.html")


@blueprint.get("/history/<int:number>")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def past_game_page(number: int) -> str:
    """Return the page that shows an ended game step by step."""
    return render_template("past_game.html", number=history().played_game(number).number)


@blueprint.get("/api/history/<int:number>")
@json_endpoint(shapes.PastStepsResponse, Reason.NOT_FOUND, Reason.CONFLICT, role=Role.WATCHER)
def past_steps(number: int) -> shapes.PastStepsResponse:
    """Return an ended game entry by entry, with the scores after each and the name of its picture."""
    history().count_soon()
    game, steps = history().played_game(number), history().steps(number)
    return shapes.PastStepsResponse(shapes.PastGameSchema.of(game), tuple(steps))


@blueprint.get("/history/<int:number>/result")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def past_result_page(number: int) -> str:
    """Return the page that shows how an ended game came out."""
    return render_template("past_result.html", number=history().played_game(number).number)


@blueprint.get("/api/history/<int:number>/result")
@json_endpoint(shapes.PastResultResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def past_result(number: int) -> shapes.PastResultResponse:
    """Return how an ended game came out: its best moments, and the achievements that were won by it."""
    history().count_soon()
    return shapes.PastResultResponse.of(history().result(number))


@blueprint.get("/api/history/<int:number>/record.txt")
@media_endpoint(TEXT, Reason.NOT_FOUND, Reason.CONFLICT, role=Role.PLAYER)
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
    return attached_pieces(history().plays("json"), JSON, "vander-plays.json")


@blueprint.get("/api/records.zip")
@media_endpoint(ZIP, Reason.NOT_FOUND)
def records_of_all() -> Response:
    """Return the records of all ended games in one archive."""
    return attached_pieces(history().plays("records"), ZIP, "vander-records.zip")


@blueprint.get("/api/history/<int:number>/bg-stats")
@json_endpoint(shapes.LinkResponse, Reason.NOT_FOUND, role=Role.PLAYER)
def bg_stats(number: int) -> shapes.LinkResponse:
    """Return the link that opens BG Stats on this device with an ended game."""
    return shapes.LinkResponse(history().bg_stats_link(number))


@blueprint.get("/api/players/<int:number>/statistics")
@json_endpoint(shapes.StatisticsResponse, Reason.INVALID, Reason.NOT_FOUND, role=Role.WATCHER)
def player_statistics(number: int, query: shapes.StatisticsQuery) -> shapes.StatisticsResponse:
    """Return a player's figures, game by game, maybe against another player."""
    history().count_soon()
    own = tuple(map(shapes.GameSumSchema.of, history().sums(number, query.against)))
    theirs = tuple(map(shapes.GameSumSchema.of, history().sums(query.against, number))) if query.against else ()
    return shapes.StatisticsResponse(own, theirs, history().uncounted)


@blueprint.get("/api/players/<int:number>/results.json")
@media_endpoint(JSON, Reason.NOT_FOUND, role=Role.PLAYER)
def player_results(number: int) -> Response:
    """Return a player's results as a file to take along; other players are not named in it."""
    return attached(history().results_of(number), JSON, "vander-results.json")


@blueprint.get("/api/players/<int:number>/results.csv")
@media_endpoint(CSV, Reason.NOT_FOUND, role=Role.PLAYER)
def player_results_table(number: int) -> Response:
    """Return a player's results as a table to take along; other players are not named in it."""
    return attached_table(iter((history().results_table(number).encode(),)), "vander-results.csv")


@blueprint.get("/api/players/<int:number>/achievements")
@json_endpoint(shapes.AchievementsResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def player_achievements(number: int) -> shapes.AchievementsResponse:
    """Return how far a player has come with each achievement."""
    history().count_soon()
    return shapes.AchievementsResponse(
        tuple(map(shapes.ProgressSchema.of, history().achievements(number))), history().uncounted
    )


challenge_blueprint = Blueprint("challenge", __name__)


@challenge_blueprint.get("/api/throws")
@json_endpoint(game_schemas.PastThrowsResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def throws() -> game_schemas.PastThrowsResponse:
    """Return the throws of the game that stand, newest first."""
    return challenges().throws()


@challenge_blueprint.get("/api/challenge")
@json_endpoint(game_schemas.ChallengeResponse, Reason.INVALID, Reason.NOT_FOUND, Reason.CONFLICT, role=Role.WATCHER)
def sheet(query: game_schemas.ThrowQuery) -> game_schemas.ChallengeResponse:
    """Return a past throw with all that was kept of it."""
    return challenges().sheet(query.entry)


@challenge_blueprint.get("/api/challenge/what-if")
@json_endpoint(game_schemas.WhatIfResponse, Reason.INVALID, Reason.NOT_FOUND, Reason.CONFLICT, role=Role.WATCHER)
def what_if(query: game_schemas.WhatIfQuery) -> game_schemas.WhatIfResponse:
    """Return what would follow if dice of a past throw had shown other faces."""
    return challenges().what_if(query.entry, query.action, game_schemas.faces_by_place(query.faces))


@challenge_blueprint.post("/api/challenge")
@changes_game
def challenge(body: game_schemas.ChallengeRequest) -> None:
    """Take what people decided on a past throw."""
    faces = game_schemas.faces_by_place(body.faces)
    challenges().challenge(body.entry, body.action, faces, body.verdict, step=body.step, by=actor())


@challenge_blueprint.get("/api/breach")
@json_endpoint(game_schemas.BeforeAfterResponse, Reason.INVALID, Reason.NOT_FOUND, role=Role.WATCHER)
def breach(query: game_schemas.BeforeAfterQuery) -> game_schemas.BeforeAfterResponse:
    """Return the table before and after a breach, with the dice that changed."""
    return challenges().breach(query.name)


@challenge_blueprint.get("/api/films/<name>")
@media_endpoint(FILM, Reason.NOT_FOUND, Reason.GONE, role=Role.WATCHER)
def film(name: str) -> Response:
    """Return the film of a ruling: its pictures with their times, in one file."""
    return Response(challenges().film(name), mimetype=FILM)


@challenge_blueprint.get("/films/<name>/<int:number>.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND, Reason.GONE, cached=True, role=Role.WATCHER)
def film_picture(name: str, number: int) -> Response:
    """Return one picture of a film."""
    return cached_jpeg(challenges().film_picture(name, number))


@challenge_blueprint.get("/films/<name>/die-<int:number>.jpg")
@media_endpoint(JPEG, Reason.NOT_FOUND, Reason.GONE, cached=True, role=Role.WATCHER)
def film_crop(name: str, number: int) -> Response:
    """Return the picture of a die as it was ruled on."""
    return cached_jpeg(challenges().film_crop(name, number))


player_blueprint = Blueprint("players", __name__)


@player_blueprint.get("/players")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def players_page() -> str:
    """Return the page that lists the remembered players."""
    players()
    return render_template("players.html")


@player_blueprint.get("/players/<int:number>")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def player_page(number: int) -> str:
    """Return the page of a remembered player."""
    return render_template("player.html", player=players().player(number))


@player_blueprint.get("/api/players")
@json_endpoint(shapes.PlayersResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def known_players() -> shapes.PlayersResponse:
    """Return the players whom the table remembers."""
    return shapes.PlayersResponse(tuple(players().players()))


@player_blueprint.post("/api/players/<int:number>/change")
@change_endpoint(known_players, *CHANGE_REFUSALS, role=Role.PLAYER)
def change_player(number: int, body: shapes.ChangePlayerRequest) -> None:
    """Give a player another name, colour or picture."""
    players().change(number, name=body.name, colour=body.colour, picture=body.picture)


@player_blueprint.post("/api/players/<int:number>/merge")
@change_endpoint(known_players, *CHANGE_REFUSALS, role=Role.KEEPER)
def merge_player(number: int, body: shapes.MergePlayerRequest) -> None:
    """Make one player of two who are one person."""
    players().merge(number, body.into)


@player_blueprint.get("/api/players/<int:number>/traces")
@json_endpoint(NameTraces, Reason.NOT_FOUND, role=Role.KEEPER)
def traces(number: int) -> NameTraces:
    """Return what holds a player's name besides the games: recorded voices, and copies that may be deleted."""
    return players().traces(number)


@player_blueprint.post("/api/players/<int:number>/forget")
@json_endpoint(ForgottenPlayer, *CHANGE_REFUSALS, role=Role.KEEPER)
def forget_player(number: int, body: shapes.ForgetPlayerRequest) -> ForgottenPlayer:
    """Take a player's name out of everything that is kept; the games stay."""
    return players().forget(number, body.wishes)


fairness_blueprint = Blueprint("fairness", __name__)


@fairness_blueprint.get("/fairness")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def fairness_page() -> str:
    """Return the page that shows whether the dice are fair."""
    fairness()
    return render_template("fairness.html")


@fairness_blueprint.get("/api/fairness")
@json_endpoint(shapes.FairnessOverview, Reason.NOT_FOUND, role=Role.WATCHER)
def overview() -> shapes.FairnessOverview:
    """Return the die sets whose dice were read, and what the test rests on."""
    return fairness().overview()


@fairness_blueprint.get("/api/fairness/<name>")
@json_endpoint(shapes.FairnessResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def finding(name: str) -> shapes.FairnessResponse:
    """Return the test of the dice of one set."""
    return fairness().finding(name)


@fairness_blueprint.get("/fairness/checked")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def checked_throws_page() -> str:
    """Return the page that shows the throws of which people said whether they were read right."""
    fairness()
    return render_template("checked_throws.html")


@fairness_blueprint.get("/api/checked-throws")
@json_endpoint(shapes.CheckedThrowsResponse, Reason.INVALID, Reason.NOT_FOUND, role=Role.WATCHER)
def checked_throws(query: shapes.CheckedThrowsQuery) -> shapes.CheckedThrowsResponse:
    """Return throws of which people said whether they were read right, with each die as it was read and as it is."""
    return fairness().checked_throws(query.before, only_wrong=bool(query.wrong))


fair_play_blueprint = Blueprint("fair_play", __name__)


@fair_play_blueprint.get("/fair-play")
@media_endpoint(HTML, role=Role.WATCHER)
def fair_play_page() -> str:
    """Return the page of the fair-play reports."""
    return render_template("fair_play.html")


@fair_play_blueprint.get("/api/fair-play")
@json_endpoint(shapes.FairPlayResponse, role=Role.WATCHER)
def fair_play_reports() -> shapes.FairPlayResponse:
    """Return the fair-play reports of the last games, the newest first."""
    return shapes.FairPlayResponse(tuple(map(shapes.game_fair_play, game().fair_play())))
