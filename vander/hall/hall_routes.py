"""Routes of a hall: its keeper, its tables as people watch them, its players, tables that join, and who waits."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote, unquote

from flask import Blueprint, Response, after_this_request, render_template, request
from markupsafe import Markup

from referee.sentences import Reason, say
from vander.app.backends import Backends, service
from vander.hall.hall_service import HallService
from vander.hall.live_tables import HallTableService
from vander.hall.season import SeasonService
from vander.hall.tournament_service import TournamentService
from web.authorization import client_network, services
from web.endpoints import (
    CHANGE_REFUSALS,
    CSV,
    EVENT_STREAM,
    HTML,
    JSON,
    ZIP,
    attached_pieces,
    attached_table,
    change_endpoint,
    done,
    json_endpoint,
    media_endpoint,
)
from web.events import last_seen, open_stream
from web.languages import language, translations
from web.schemas import hall_schemas as shapes
from web.schemas import tournament_schemas as season_shapes
from web.schemas.access_schemas import Role
from web.schemas.response_model import LONGEST_NAME, AddressLanguage, NameRequest, NumberRequest, encode


@dataclass(frozen=True)
class HallBackends(Backends):
    """What the running program gives the application of a hall, which has no `game`."""

    hall: HallService | None = None
    season: SeasonService | None = None
    tournaments: TournamentService | None = None
    hall_tables: HallTableService | None = None


def hall_backends() -> HallBackends:
    """Return the services of the hall that serves the current request."""
    return cast("HallBackends", services())


AT_A_TABLE = say("This is a table, not a hall.")
hall = service(lambda _: hall_backends().hall, AT_A_TABLE)
hall_tables = service(lambda _: hall_backends().hall_tables, AT_A_TABLE)
season = service(lambda _: hall_backends().season, AT_A_TABLE)
tournaments = service(lambda _: hall_backends().tournaments, AT_A_TABLE)


blueprint = Blueprint("hall", __name__)


@blueprint.get("/manage")
@media_endpoint(HTML)
def manage_page() -> str:
    """Return the keeper's page of the tables."""
    return render_template("hall/manage.html")


@blueprint.get("/manage/keys")
@media_endpoint(HTML)
def keys_page() -> str:
    """Return the keeper's page of the keys by which the club's own programs read."""
    return render_template("hall/api_keys.html")


@blueprint.get("/api/hall/tables")
@json_endpoint(shapes.HallTablesResponse)
def tables() -> shapes.HallTablesResponse:
    """Return the tables, and the code that lets another one join."""
    return shapes.HallTablesResponse(tuple(hall().registry.tables()), hall().registry.code() or ())


@blueprint.post("/api/hall/tables/code")
@change_endpoint(tables)
def show_code() -> None:
    """Show a code that lets a table join for five minutes."""
    hall().registry.show_code()


@blueprint.post("/api/hall/tables/remove")
@change_endpoint(tables, Reason.NOT_FOUND)
def remove_table(body: NumberRequest) -> None:
    """Take nothing of a table any more; its games stay."""
    hall().remove_table(body.number)


hall_player_blueprint = Blueprint("hall_players", __name__)


@hall_player_blueprint.get("/players")
@media_endpoint(HTML, role=Role.WATCHER)
def players_page() -> str:
    """Return the page of the standings."""
    return render_template("hall/players.html")


@hall_player_blueprint.get("/players/<int(max=999999999):number>")
@media_endpoint(HTML, role=Role.WATCHER)
def player_page(number: int) -> str:
    """Return the page of a player's games."""
    return render_template("hall/player.html", number=number)


hall_table_blueprint = Blueprint("hall_tables", __name__)
log = logging.getLogger(__name__)

TABLE = "<int(max=999999999):number>"
GAME = "<int(max=999999999):game>"


@hall_table_blueprint.get("/")
@media_endpoint(HTML, role=Role.WATCHER)
def all_tables_page() -> str:
    """Return the page of all tables, with what they show now."""
    return render_template("hall/all_tables.html", first_tables=_first_tables())


def _first_tables() -> Markup:
    """Return what all tables show, as JSON that may stand in a page; nothing where it cannot be read now.

    The page is shown all the same: a television that was switched on too early shows them as soon as they are there.
    """
    try:
        shown = encode(hall_tables().shown(), translations(language())).decode()
    except Exception as error:  # whatever keeps the hall from its database
        log.warning("page: the tables cannot be read: %s", error)
        return Markup()
    return Markup(shown.replace("<", "\\u003c").replace("&", "\\u0026"))  # noqa: S704 - no markup is left in it


@hall_table_blueprint.get(f"/tables/{TABLE}")
@media_endpoint(HTML, role=Role.WATCHER)
def table_page(number: int) -> str:
    """Return the page of a table."""
    return render_template("hall/table.html", number=number)


@hall_table_blueprint.get(f"/tables/{TABLE}/games/{GAME}")
@media_endpoint(HTML, role=Role.WATCHER)
def past_game_page(number: int, game: int) -> str:
    """Return the page of a table's game, entry by entry."""
    return render_template("hall/past_game.html", number=number, game=game)


@hall_table_blueprint.get("/api/hall/live")
@media_endpoint(EVENT_STREAM, Reason.INVALID, Reason.UNAVAILABLE, role=Role.WATCHER)
def live(query: AddressLanguage) -> Response:  # `language` reads it
    """Send the tables that changed, as they change, with the number of the change as the event's id."""
    found, spoken = hall_tables(), language()
    return open_stream(lambda streams: streams.follow(found.wait, lambda change: _event(change, spoken), last_seen()))


@hall_table_blueprint.get("/api/hall/shown")
@json_endpoint(shapes.TablesChange, role=Role.WATCHER)
def shown() -> shapes.TablesChange:
    """Return all tables, for a screen that gets no live events."""
    return hall_tables().shown()


@hall_table_blueprint.get(f"/api/hall/tables/{TABLE}")
@json_endpoint(shapes.WatchedTable, Reason.NOT_FOUND, role=Role.WATCHER)
def table(number: int) -> shapes.WatchedTable:
    """Return a table with its game."""
    return hall_tables().table(number)


@hall_table_blueprint.get(f"/api/hall/tables/{TABLE}/games")
@json_endpoint(shapes.TableGamesResponse, Reason.INVALID, Reason.NOT_FOUND, role=Role.WATCHER)
def table_games(number: int, query: season_shapes.PlayerGamesQuery) -> shapes.TableGamesResponse:
    """Return the ended games of a table, the last first."""
    found = hall_tables().past_games(number, query.until, query.rows)
    return shapes.TableGamesResponse(tuple(found))


@hall_table_blueprint.get(f"/api/hall/tables/{TABLE}/games/{GAME}")
@json_endpoint(shapes.PastTableGame, Reason.NOT_FOUND, Reason.CONFLICT, Reason.TOO_SOON, role=Role.WATCHER)
def past_game(number: int, game: int) -> shapes.PastTableGame:
    """Return a game of a table, entry by entry."""
    return hall_tables().past_game(number, game)


def _event(change: shapes.TablesChange, spoken: str) -> bytes:
    body = encode(change, translations(spoken))
    return b"id: %d\ndata: %b\n\n" % (change.number, body)


hall_wire_blueprint = Blueprint("hall_wire", __name__)

BEARER = "Bearer "


@hall_wire_blueprint.post("/api/hall/entries")
@json_endpoint(shapes.EntriesResponse, *CHANGE_REFUSALS, Reason.NOT_ALLOWED, Reason.TOO_SOON, role=Role.WATCHER)
def take_entries(body: shapes.EntriesRequest) -> shapes.EntriesResponse:
    """Take a table's entries, each once."""
    return hall().take_entries(_key(), body, client_network(request.remote_addr or ""))


@hall_wire_blueprint.post("/api/hall/join")
@json_endpoint(shapes.JoinHallResponse, *CHANGE_REFUSALS, Reason.NOT_ALLOWED, Reason.TOO_SOON, role=Role.WATCHER)
def join(body: shapes.JoinHallRequest) -> shapes.JoinHallResponse:
    """Pair a table by the code that the hall shows."""
    return hall().join(body, request.remote_addr or "")


@hall_wire_blueprint.post("/api/hall/leave")
@change_endpoint(done, *CHANGE_REFUSALS, Reason.NOT_ALLOWED, role=Role.WATCHER)
def leave() -> None:
    """Take nothing of the table any more that has this key; its games stay, and its name is free."""
    hall().leave(_key())


@hall_wire_blueprint.post("/api/hall/waiting/remove")
@json_endpoint(shapes.StillWaitingResponse, *CHANGE_REFUSALS, Reason.NOT_ALLOWED, Reason.TOO_SOON, role=Role.WATCHER)
def remove_waiting(body: NameRequest) -> shapes.StillWaitingResponse:
    """Take a player's name off the list of the table that has this key, whichever phone gave it."""
    return shapes.StillWaitingResponse(
        hall().remove_waiting(_key(), body.name, client_network(request.remote_addr or ""))
    )


def _key() -> str:
    """Return the key that the request carries, '' for none."""
    return request.headers.get("Authorization", "").removeprefix(BEARER)


waiting_blueprint = Blueprint("waiting", __name__)

NAME_COOKIE = "vander-name"
"""The cookie that holds the name which a phone gave last. It is no secret and gives no right."""
PHONE_COOKIE = "vander-waiting"
"""The cookie that holds the secret of a phone's joining: who has it may leave, or go to another table."""
YEAR_S, DAY_S = 365 * 24 * 3600, 24 * 3600


@waiting_blueprint.get("/join/<link>")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def join_page(link: str) -> str:
    """Return the page on which a player joins in at a table."""
    table = hall().waiting_players.at(link).table
    if not _secret():
        _keep(PHONE_COOKIE, _new_secret(), DAY_S)  # before the joining, whose answer may be lost
    return render_template("hall/join_table.html", table=table, link=link)


@waiting_blueprint.get("/api/hall/join/<link>")
@json_endpoint(shapes.WaitingResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def waiting_now(link: str) -> shapes.WaitingResponse:
    """Return who waits at a table."""
    return _waiting(link, _secret())


@waiting_blueprint.get("/api/hall/join/<link>/names")
@json_endpoint(shapes.OfferedNamesResponse, Reason.INVALID, Reason.NOT_FOUND, role=Role.WATCHER)
def offered_names(link: str, query: shapes.NamesQuery) -> shapes.OfferedNamesResponse:
    """Return names of players of the hall that begin so, at least two letters."""
    hall().waiting_players.at(link)
    return shapes.OfferedNamesResponse(tuple(hall().waiting_players.known_names(query.begins)))


@waiting_blueprint.post("/api/hall/join/<link>")
@json_endpoint(shapes.WaitingResponse, *CHANGE_REFUSALS, Reason.INVALID, Reason.TOO_SOON, role=Role.WATCHER)
def join_table(link: str, body: NameRequest) -> shapes.WaitingResponse:
    """Wait for a game at a table."""
    secret = _secret() or _new_secret()
    hall().add_waiting(link, body.name, secret)
    _keep(PHONE_COOKIE, secret, DAY_S)
    _keep(NAME_COOKIE, quote(body.name), YEAR_S)
    return _waiting(link, secret)


@waiting_blueprint.post("/api/hall/join/<link>/leave")
@json_endpoint(shapes.WaitingResponse, *CHANGE_REFUSALS, Reason.TOO_SOON, role=Role.WATCHER)
def leave_table(link: str) -> shapes.WaitingResponse:
    """Wait no more: the player who joined with this phone. The next joining has a secret of its own."""
    hall().leave_waiting(link, _secret())
    _keep(PHONE_COOKIE, _new_secret(), DAY_S)
    return _waiting(link, "")


def _waiting(link: str, secret: str) -> shapes.WaitingResponse:
    found = hall().waiting_players.at(link, secret)
    own = found.own or unquote(request.cookies.get(NAME_COOKIE, ""))[:LONGEST_NAME]
    return shapes.WaitingResponse(found.table, found.names, own, bool(found.own))


def _secret() -> str:
    """Return the secret that the phone has, '' for none."""
    return request.cookies.get(PHONE_COOKIE, "")


def _new_secret() -> str:
    return secrets.token_urlsafe(32)


def _keep(name: str, value: str, max_age_s: int) -> None:
    """Have the phone keep a cookie, which no script reads, and no other site sends with a change."""

    @after_this_request
    def set_cookie(response: Response) -> Response:
        response.set_cookie(
            name, value, max_age=max_age_s, httponly=True, samesite="Lax", secure=request.is_secure, path="/"
        )
        return response


# Routes of a season: standings, players and their games, and all plays as files for a keeper


season_blueprint = Blueprint("season", __name__)
club_blueprint = Blueprint("club", __name__)


@season_blueprint.get("/api/hall/standings")
@json_endpoint(season_shapes.StandingsResponse, Reason.INVALID, role=Role.WATCHER)
def standings(query: season_shapes.SeasonQuery) -> season_shapes.StandingsResponse:
    """Return the players of a season by wins, then by the share of games won."""
    return standings_response(query)


@season_blueprint.get("/api/hall/players")
@json_endpoint(season_shapes.HallPlayersResponse, role=Role.WATCHER)
def players(query: season_shapes.FindPlayersQuery) -> season_shapes.HallPlayersResponse:
    """Return the players whose name holds a part."""
    return season_shapes.HallPlayersResponse(tuple(season().find_players(query.name, query.rows)))


@season_blueprint.get("/api/hall/players/<int(max=999999999):number>")
@json_endpoint(season_shapes.PlayerHistoryResponse, Reason.INVALID, Reason.NOT_FOUND, role=Role.WATCHER)
def player(number: int, query: season_shapes.PlayerGamesQuery) -> season_shapes.PlayerHistoryResponse:
    """Return a player with ended games, the last first."""
    return player_response(number, query)


@season_blueprint.get("/api/hall/plays.csv")
@media_endpoint(CSV, Reason.INVALID)
def plays_as_csv(query: season_shapes.SeasonQuery) -> Response:
    """Return the games of a season, a row for each seat."""
    return attached_table(season().plays("csv", query.wanted), "vander-hall-plays.csv")


@season_blueprint.get("/api/hall/plays.json")
@media_endpoint(JSON, Reason.INVALID)
def plays_as_json(query: season_shapes.SeasonQuery) -> Response:
    """Return the games of a season with their seats."""
    return attached_pieces(season().plays("json", query.wanted), JSON, "vander-hall-plays.json")


@season_blueprint.get("/api/hall/records.zip")
@media_endpoint(ZIP, Reason.INVALID)
def records(query: season_shapes.SeasonQuery) -> Response:
    """Return the records of a season's games in one archive."""
    return attached_pieces(season().plays("records", query.wanted), ZIP, "vander-hall-records.zip")


@season_blueprint.get("/api/hall/keys")
@json_endpoint(season_shapes.ApiKeysResponse)
def keys() -> season_shapes.ApiKeysResponse:
    """Return the keys of the club's own programs."""
    return season_shapes.ApiKeysResponse(tuple(season().api_keys()))


@season_blueprint.post("/api/hall/keys/make")
@json_endpoint(season_shapes.ApiKeysResponse, Reason.CONFLICT)
def make_key(body: NameRequest) -> season_shapes.ApiKeysResponse:
    """Make a key for a program; the answer holds it this once."""
    secret = season().make_api_key(body.name)
    return season_shapes.ApiKeysResponse(tuple(season().api_keys()), secret)


@season_blueprint.post("/api/hall/keys/drop")
@change_endpoint(keys, Reason.NOT_FOUND)
def drop_key(body: NumberRequest) -> None:
    """Take a key back."""
    season().drop_api_key(body.number)


def standings_response(query: season_shapes.SeasonQuery) -> season_shapes.StandingsResponse:
    return season_shapes.StandingsResponse(tuple(season().standings(query.wanted, query.rows)))


def player_response(number: int, query: season_shapes.PlayerGamesQuery) -> season_shapes.PlayerHistoryResponse:
    found = season()
    games = found.player_games(number, query.until, query.rows)
    return season_shapes.PlayerHistoryResponse(found.player(number), tuple(games))


# For a club's own programs: read only, by names that they have in the OpenAPI document


KEY_REFUSALS = (Reason.NOT_ALLOWED, Reason.TOO_SOON, Reason.INVALID)


@club_blueprint.get("/api/club/v1/standings", endpoint="standings")
@json_endpoint(season_shapes.StandingsResponse, *KEY_REFUSALS, role=Role.WATCHER)
def club_standings(query: season_shapes.SeasonQuery) -> season_shapes.StandingsResponse:
    """Return the players of a season by wins, then by the share of games won."""
    _check_key()
    return standings_response(query)


@club_blueprint.get("/api/club/v1/players/<int(max=999999999):number>", endpoint="player")
@json_endpoint(season_shapes.PlayerHistoryResponse, *KEY_REFUSALS, Reason.NOT_FOUND, role=Role.WATCHER)
def club_player(number: int, query: season_shapes.PlayerGamesQuery) -> season_shapes.PlayerHistoryResponse:
    """Return a player with ended games, the last first."""
    _check_key()
    return player_response(number, query)


@club_blueprint.get("/api/club/v1/plays.json", endpoint="plays_as_json")
@media_endpoint(JSON, *KEY_REFUSALS, role=Role.WATCHER)
def club_plays_as_json(query: season_shapes.SeasonQuery) -> Response:
    """Return the games of a season with their seats."""
    _check_key()
    return attached_pieces(season().plays("json", query.wanted), JSON, "vander-hall-plays.json")


@club_blueprint.get("/api/club/v1/plays.csv", endpoint="plays_as_csv")
@media_endpoint(CSV, *KEY_REFUSALS, role=Role.WATCHER)
def club_plays_as_csv(query: season_shapes.SeasonQuery) -> Response:
    """Return the games of a season, a row for each seat."""
    _check_key()
    return attached_pieces(season().plays("csv", query.wanted), CSV, "vander-hall-plays.csv")


def _check_key() -> None:
    key = request.headers.get("Authorization", "").removeprefix(BEARER)
    season().check_api_key(key, client_network(request.remote_addr or ""))
