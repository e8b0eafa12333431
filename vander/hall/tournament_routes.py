"""Routes of a hall's tournaments: everybody may look, keepers decide."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, get_args

from flask import Blueprint, render_template

from referee.games import games
from referee.sentences import Reason, say
from vander.hall.hall_routes import tournaments
from web.authorization import THE_BOX, caller, requires
from web.endpoints import CHANGE_REFUSALS, HTML, json_endpoint, media_endpoint
from web.schemas.access_schemas import Role
from web.schemas.response_model import DoneResponse
from web.schemas.tournament_schemas import (
    AbsentRequest,
    CallPlayersRequest,
    EnterPlayersRequest,
    EntrantRequest,
    FixturePlayerRequest,
    FixtureRequest,
    KindName,
    LateEntrantRequest,
    MadeTournamentResponse,
    NewTournamentRequest,
    PostponeRequest,
    ResultRequest,
    SettleRequest,
    StartTournamentRequest,
    TournamentResponse,
    TournamentsResponse,
    TournamentVersionResponse,
    VersionRequest,
)

blueprint = Blueprint("tournaments", __name__)

API = "/api/hall/tournaments"
ONE = f"{API}/<int(max=999999999):number>"
PAGE = "/tournaments/<int(max=999999999):number>"
PAIR = 2
KIND_WORDS: Final[Mapping[KindName, str]] = {
    "knock-out": say("Knock-out"),
    "swiss": say("Swiss system"),
    "round robin": say("Everybody against everybody"),
    "league": say("League"),
}
CHANGES = (*CHANGE_REFUSALS, Reason.TOO_SOON, Reason.GONE)
"""How an organiser's decision may be refused."""


@blueprint.get("/tournaments")
@requires(Role.WATCHER)
@media_endpoint(HTML)
def tournaments_page() -> str:
    """Return the page that lists the tournaments."""
    return render_template("hall/tournaments.html", tournaments=tournaments().headings(), decides=_decides())


@blueprint.get("/tournaments/new")
@media_endpoint(HTML)
def new_tournament_page() -> str:
    """Return the form by which a tournament is made."""
    for_two = [game for game in games() if game.seats[0] <= PAIR and game.finish is not None]
    kinds = [(kind, KIND_WORDS[kind]) for kind in get_args(KindName)]
    return render_template("hall/new_tournament.html", games=for_two, kinds=kinds, today=_today())


@blueprint.get(PAGE)
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def tournament_page(number: int) -> str:
    """Return the page of a tournament."""
    return render_template("hall/tournament.html", tournament=tournaments().find(number), decides=_decides())


@blueprint.get(f"{PAGE}/calls")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def calls_page(number: int) -> str:
    """Return the page for a screen in the hall: who plays where now."""
    return render_template("hall/tournament_calls.html", tournament=tournaments().find(number))


@blueprint.get(f"{PAGE}/sheet")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def sheet_page(number: int) -> str:
    """Return the sheet of a tournament to be printed."""
    return render_template("hall/tournament_sheet.html", tournament=tournaments().find(number), today=_today())


@blueprint.get(API)
@requires(Role.WATCHER)
@json_endpoint(TournamentsResponse)
def all_tournaments() -> TournamentsResponse:
    """Return the tournaments, the last one first."""
    return TournamentsResponse(tuple(tournaments().headings()))


@blueprint.get(ONE)
@requires(Role.WATCHER)
@json_endpoint(TournamentResponse, Reason.NOT_FOUND)
def tournament(number: int) -> TournamentResponse:
    """Return a tournament as it stands."""
    return tournaments().find(number)


@blueprint.get(f"{ONE}/version")
@requires(Role.WATCHER)
@json_endpoint(TournamentVersionResponse, Reason.NOT_FOUND)
def version(number: int) -> TournamentVersionResponse:
    """Return how often a tournament has changed."""
    return TournamentVersionResponse(tournaments().version(number))


@blueprint.post(API)
@json_endpoint(MadeTournamentResponse, *CHANGES)
def make(body: NewTournamentRequest) -> MadeTournamentResponse:
    """Make a tournament, and start it if that is asked for."""
    return MadeTournamentResponse(tournaments().make(body, _organiser()))


@blueprint.post(f"{ONE}/players")
@json_endpoint(DoneResponse, *CHANGES)
def enter_players(number: int, body: EnterPlayersRequest) -> DoneResponse:
    """Set who is to play in a tournament that has not begun."""
    tournaments().enter_players(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/start")
@json_endpoint(DoneResponse, *CHANGES)
def start(number: int, body: StartTournamentRequest) -> DoneResponse:
    """Draw the first round."""
    tournaments().start(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/draw")
@json_endpoint(DoneResponse, *CHANGES)
def draw(number: int, body: VersionRequest) -> DoneResponse:
    """Draw the next round of a Swiss tournament."""
    tournaments().draw(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/call-all")
@json_endpoint(DoneResponse, *CHANGES)
def call_all(number: int, body: VersionRequest) -> DoneResponse:
    """Call players to all tables that are free."""
    tournaments().call_all(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/call")
@json_endpoint(DoneResponse, *CHANGES)
def call_players(number: int, body: CallPlayersRequest) -> DoneResponse:
    """Call the players of a match to a table, or to another one."""
    tournaments().call_players(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/take-back-call")
@json_endpoint(DoneResponse, *CHANGES)
def take_back_call(number: int, body: FixtureRequest) -> DoneResponse:
    """Let called players wait again."""
    tournaments().take_back_call(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/result")
@json_endpoint(DoneResponse, *CHANGES)
def enter_result(number: int, body: ResultRequest) -> DoneResponse:
    """Enter the games of a match by hand, or take its result back."""
    tournaments().enter_result(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/walkover")
@json_endpoint(DoneResponse, *CHANGES)
def give_walkover(number: int, body: AbsentRequest) -> DoneResponse:
    """Give a match to the player who came."""
    tournaments().give_walkover(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/give-up")
@json_endpoint(DoneResponse, *CHANGES)
def give_up(number: int, body: FixturePlayerRequest) -> DoneResponse:
    """Let a player give up a match."""
    tournaments().give_up(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/withdraw")
@json_endpoint(DoneResponse, *CHANGES)
def withdraw(number: int, body: EntrantRequest) -> DoneResponse:
    """Take a player out of the tournament."""
    tournaments().withdraw(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/reinstate")
@json_endpoint(DoneResponse, *CHANGES)
def reinstate(number: int, body: EntrantRequest) -> DoneResponse:
    """Let a player who has withdrawn take part again."""
    tournaments().reinstate(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/enter-late")
@json_endpoint(DoneResponse, *CHANGES)
def enter_late(number: int, body: LateEntrantRequest) -> DoneResponse:
    """Let a player come in after the first round."""
    tournaments().enter_late(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/postpone")
@json_endpoint(DoneResponse, *CHANGES)
def postpone(number: int, body: PostponeRequest) -> DoneResponse:
    """Give a match of a league another day."""
    tournaments().postpone(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/settle")
@json_endpoint(DoneResponse, *CHANGES)
def settle(number: int, body: SettleRequest) -> DoneResponse:
    """Keep what was begun before a result was corrected, or have it played again."""
    tournaments().settle(number, body, _organiser())
    return DoneResponse()


@blueprint.post(f"{ONE}/remove")
@json_endpoint(DoneResponse, *CHANGES)
def remove(number: int) -> DoneResponse:
    """Show a tournament no more."""
    tournaments().remove(number, _organiser())
    return DoneResponse()


def _organiser() -> str:
    """Return the name of the tablet that decides, or that of the box; '' where nobody has to join in."""
    found = caller()
    if found.tablet is not None:
        return found.tablet.name
    return str(THE_BOX) if found.at_the_box else ""


def _decides() -> bool:
    return caller().role >= Role.KEEPER


def _today() -> str:
    return datetime.now().astimezone().date().isoformat()
