"""Routes of a hall's tournaments: everybody may look, keepers decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final, get_args, get_type_hints

from flask import Blueprint, render_template

from referee.games import games
from referee.sentences import Reason, say
from vander.hall.hall_routes import tournaments
from vander.hall.tournament_service import TournamentService
from web.authorization import THE_BOX, caller
from web.endpoints import CHANGE_REFUSALS, HTML, change_endpoint, done, json_endpoint, media_endpoint
from web.schemas import tournament_schemas
from web.schemas.access_schemas import Role

blueprint = Blueprint("tournaments", __name__)

API = "/api/hall/tournaments"
ONE = f"{API}/<int(max=999999999):number>"
PAGE = "/tournaments/<int(max=999999999):number>"
PAIR = 2
KIND_WORDS: Final[Mapping[tournament_schemas.KindName, str]] = {
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
    kinds = [(kind, KIND_WORDS[kind]) for kind in get_args(tournament_schemas.KindName)]
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
@json_endpoint(tournament_schemas.TournamentsResponse, role=Role.WATCHER)
def all_tournaments() -> tournament_schemas.TournamentsResponse:
    """Return the tournaments, the last one first."""
    return tournament_schemas.TournamentsResponse(tuple(tournaments().headings()))


@blueprint.get(ONE)
@json_endpoint(tournament_schemas.TournamentResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def tournament(number: int) -> tournament_schemas.TournamentResponse:
    """Return a tournament as it stands."""
    return tournaments().find(number)


@blueprint.get(f"{ONE}/version")
@json_endpoint(tournament_schemas.TournamentVersionResponse, Reason.NOT_FOUND, role=Role.WATCHER)
def version(number: int) -> tournament_schemas.TournamentVersionResponse:
    """Return how often a tournament has changed."""
    return tournament_schemas.TournamentVersionResponse(tournaments().version(number))


@blueprint.post(API)
@json_endpoint(tournament_schemas.MadeTournamentResponse, *CHANGES)
def make(body: tournament_schemas.NewTournamentRequest) -> tournament_schemas.MadeTournamentResponse:
    """Make a tournament, and start it if that is asked for."""
    return tournament_schemas.MadeTournamentResponse(tournaments().make(body, _organiser()))


DECISIONS: dict[str, Callable[..., None]] = {
    "players": TournamentService.enter_players,
    "start": TournamentService.start,
    "draw": TournamentService.draw,
    "call-all": TournamentService.call_all,
    "call": TournamentService.call_players,
    "take-back-call": TournamentService.take_back_call,
    "result": TournamentService.enter_result,
    "walkover": TournamentService.give_walkover,
    "give-up": TournamentService.give_up,
    "withdraw": TournamentService.withdraw,
    "reinstate": TournamentService.reinstate,
    "enter-late": TournamentService.enter_late,
    "postpone": TournamentService.postpone,
    "settle": TournamentService.settle,
}
"""What an organiser decides about a tournament, by the end of the address."""


def _deciding(decide: Callable[..., None]) -> Callable[..., None]:
    """Return the view of a decision: it takes what the service's method takes, and is described by its docstring."""

    def view(number: int, body: object) -> None:
        decide(tournaments(), number, body, _organiser())

    view.__doc__ = decide.__doc__
    view.__annotations__["body"] = get_type_hints(decide)["request"]
    return view


for _address, _decide in DECISIONS.items():
    blueprint.post(f"{ONE}/{_address}", endpoint=_decide.__name__)(change_endpoint(done, *CHANGES)(_deciding(_decide)))


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
