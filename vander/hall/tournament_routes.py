"""Routes of a hall's tournaments: everybody may look, keepers decide."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, get_args

from flask import Blueprint, render_template

from referee.games import games
from referee.sentences import Reason, say
from vander.hall.hall_routes import tournaments
from web.authorization import THE_BOX, caller
from web.endpoints import CHANGE_REFUSALS, HTML, change_endpoint, done, json_endpoint, media_endpoint
from web.schemas.access_schemas import Role
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
@media_endpoint(HTML, role=Role.WATCHER)
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
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def tournament_page(number: int) -> str:
    """Return the page of a tournament."""
    return render_template("hall/tournament.html", tournament=tournaments().find(number), decides=_decides())


@blueprint.get(f"{PAGE}/calls")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def calls_page(number: int) -> str:
    """Return the page for a screen in the hall: who plays where now."""
    return render_template("hall/tournament_calls.html", tournament=tournaments().find(number))


@blueprint.get(f"{PAGE}/sheet")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
def sheet_page(number: int) -> str:
    """Return the sheet of a tournament to be printed."""
    return render_template("hall/tournament_sheet.html", tournament=tournaments().find(number), today=_today())


@blueprint.get(API)
@json_endpoint(TournamentsResponse, role=Role.WATCHER)
def all_tournaments() -> TournamentsResponse:
    """Return the tournaments, the last one first."""
    return TournamentsResponse(tuple(tournaments().headings()))


@blueprint.get(ONE)
@json_endpoint(TournamentResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def tournament(number: int) -> TournamentResponse:
    """Return a tournament as it stands."""
    return tournaments().find(number)


@blueprint.get(f"{ONE}/version")
@json_endpoint(TournamentVersionResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def version(number: int) -> TournamentVersionResponse:
    """Return how often a tournament has changed."""
    return TournamentVersionResponse(tournaments().version(number))


@blueprint.post(API)
@json_endpoint(MadeTournamentResponse, *CHANGES)
def make(body: NewTournamentRequest) -> MadeTournamentResponse:
    """Make a tournament, and start it if that is asked for."""
    return MadeTournamentResponse(tournaments().make(body, _organiser()))


@blueprint.post(f"{ONE}/players")
@change_endpoint(done, *CHANGES)
def enter_players(number: int, body: EnterPlayersRequest) -> None:
    """Set who is to play in a tournament that has not begun."""
    tournaments().enter_players(number, body, _organiser())


@blueprint.post(f"{ONE}/start")
@change_endpoint(done, *CHANGES)
def start(number: int, body: StartTournamentRequest) -> None:
    """Draw the first round."""
    tournaments().start(number, body, _organiser())


@blueprint.post(f"{ONE}/draw")
@change_endpoint(done, *CHANGES)
def draw(number: int, body: VersionRequest) -> None:
    """Draw the next round of a Swiss tournament."""
    tournaments().draw(number, body, _organiser())


@blueprint.post(f"{ONE}/call-all")
@change_endpoint(done, *CHANGES)
def call_all(number: int, body: VersionRequest) -> None:
    """Call players to all tables that are free."""
    tournaments().call_all(number, body, _organiser())


@blueprint.post(f"{ONE}/call")
@change_endpoint(done, *CHANGES)
def call_players(number: int, body: CallPlayersRequest) -> None:
    """Call the players of a match to a table, or to another one."""
    tournaments().call_players(number, body, _organiser())


@blueprint.post(f"{ONE}/take-back-call")
@change_endpoint(done, *CHANGES)
def take_back_call(number: int, body: FixtureRequest) -> None:
    """Let called players wait again."""
    tournaments().take_back_call(number, body, _organiser())


@blueprint.post(f"{ONE}/result")
@change_endpoint(done, *CHANGES)
def enter_result(number: int, body: ResultRequest) -> None:
    """Enter the games of a match by hand, or take its result back."""
    tournaments().enter_result(number, body, _organiser())


@blueprint.post(f"{ONE}/walkover")
@change_endpoint(done, *CHANGES)
def give_walkover(number: int, body: AbsentRequest) -> None:
    """Give a match to the player who came."""
    tournaments().give_walkover(number, body, _organiser())


@blueprint.post(f"{ONE}/give-up")
@change_endpoint(done, *CHANGES)
def give_up(number: int, body: FixturePlayerRequest) -> None:
    """Let a player give up a match."""
    tournaments().give_up(number, body, _organiser())


@blueprint.post(f"{ONE}/withdraw")
@change_endpoint(done, *CHANGES)
def withdraw(number: int, body: EntrantRequest) -> None:
    """Take a player out of the tournament."""
    tournaments().withdraw(number, body, _organiser())


@blueprint.post(f"{ONE}/reinstate")
@change_endpoint(done, *CHANGES)
def reinstate(number: int, body: EntrantRequest) -> None:
    """Let a player who has withdrawn take part again."""
    tournaments().reinstate(number, body, _organiser())


@blueprint.post(f"{ONE}/enter-late")
@change_endpoint(done, *CHANGES)
def enter_late(number: int, body: LateEntrantRequest) -> None:
    """Let a player come in after the first round."""
    tournaments().enter_late(number, body, _organiser())


@blueprint.post(f"{ONE}/postpone")
@change_endpoint(done, *CHANGES)
def postpone(number: int, body: PostponeRequest) -> None:
    """Give a match of a league another day."""
    tournaments().postpone(number, body, _organiser())


@blueprint.post(f"{ONE}/settle")
@change_endpoint(done, *CHANGES)
def settle(number: int, body: SettleRequest) -> None:
    """Keep what was begun before a result was corrected, or have it played again."""
    tournaments().settle(number, body, _organiser())


@blueprint.post(f"{ONE}/remove")
@change_endpoint(done, *CHANGES)
def remove(number: int) -> None:
    """Show a tournament no more."""
    tournaments().remove(number, _organiser())


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
