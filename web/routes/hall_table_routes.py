"""Routes of a hall's tables as people watch them: all of them live, one table, and its games entry by entry."""

from __future__ import annotations

import logging

from flask import Blueprint, Response, render_template
from markupsafe import Markup

from referee.sentences import Reason
from web.authorization import requires
from web.endpoint_decorators import EVENT_STREAM, HTML, json_endpoint, media_endpoint
from web.events import last_seen, open_stream
from web.languages import language, translations
from web.schemas.hall_table_schemas import (
    PastTableGame,
    TableGamesResponse,
    TablesChange,
    WatchedTable,
)
from web.schemas.response_model import AddressLanguage, encode
from web.schemas.season_schemas import PlayerGamesQuery
from web.services.access_backend import Role
from web.services.backends import hall_tables

blueprint = Blueprint("hall_tables", __name__)
log = logging.getLogger(__name__)

TABLE = "<int(max=999999999):number>"
GAME = "<int(max=999999999):game>"


@blueprint.get("/")
@requires(Role.WATCHER)
@media_endpoint(HTML)
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


@blueprint.get(f"/tables/{TABLE}")
@requires(Role.WATCHER)
@media_endpoint(HTML)
def table_page(number: int) -> str:
    """Return the page of a table."""
    return render_template("hall/table.html", number=number)


@blueprint.get(f"/tables/{TABLE}/games/{GAME}")
@requires(Role.WATCHER)
@media_endpoint(HTML)
def past_game_page(number: int, game: int) -> str:
    """Return the page of a table's game, entry by entry."""
    return render_template("hall/past_game.html", number=number, game=game)


@blueprint.get("/api/hall/live")
@requires(Role.WATCHER)
@media_endpoint(EVENT_STREAM, Reason.INVALID, Reason.UNAVAILABLE)
def live(query: AddressLanguage) -> Response:  # `language` reads it
    """Send the tables that changed, as they change, with the number of the change as the event's id."""
    found, spoken = hall_tables(), language()
    return open_stream(lambda streams: streams.follow(found.wait, lambda change: _event(change, spoken), last_seen()))


@blueprint.get("/api/hall/shown")
@requires(Role.WATCHER)
@json_endpoint(TablesChange)
def shown() -> TablesChange:
    """Return all tables, for a screen that gets no live events."""
    return hall_tables().shown()


@blueprint.get(f"/api/hall/tables/{TABLE}")
@requires(Role.WATCHER)
@json_endpoint(WatchedTable, Reason.NOT_FOUND)
def table(number: int) -> WatchedTable:
    """Return a table with its game."""
    return hall_tables().table(number)


@blueprint.get(f"/api/hall/tables/{TABLE}/games")
@requires(Role.WATCHER)
@json_endpoint(TableGamesResponse, Reason.INVALID, Reason.NOT_FOUND)
def table_games(number: int, query: PlayerGamesQuery) -> TableGamesResponse:
    """Return the ended games of a table, the last first."""
    found = hall_tables().past_games(number, query.until, query.rows)
    return TableGamesResponse(tuple(found))


@blueprint.get(f"/api/hall/tables/{TABLE}/games/{GAME}")
@requires(Role.WATCHER)
@json_endpoint(PastTableGame, Reason.NOT_FOUND, Reason.CONFLICT, Reason.TOO_SOON)
def past_game(number: int, game: int) -> PastTableGame:
    """Return a game of a table, entry by entry."""
    return hall_tables().past_game(number, game)


def _event(change: TablesChange, spoken: str) -> bytes:
    body = encode(change, translations(spoken))
    return b"id: %d\ndata: %b\n\n" % (change.number, body)
