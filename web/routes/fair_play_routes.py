"""Routes of the fair-play reports: a page, and its JSON."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.authorization import requires
from web.endpoint_decorators import HTML, json_endpoint, media_endpoint
from web.schemas.history_schemas import FairPlayResponse, game_fair_play
from web.services.access_backend import Role
from web.services.backends import game

blueprint = Blueprint("fair_play", __name__)


@blueprint.get("/fair-play")
@requires(Role.WATCHER)
@media_endpoint(HTML)
def fair_play_page() -> str:
    """Return the page of the fair-play reports."""
    return render_template("fair_play.html")


@blueprint.get("/api/fair-play")
@requires(Role.WATCHER)
@json_endpoint(FairPlayResponse)
def fair_play_reports() -> FairPlayResponse:
    """Return the fair-play reports of the last games, the newest first."""
    return FairPlayResponse(tuple(map(game_fair_play, game().fair_play())))
