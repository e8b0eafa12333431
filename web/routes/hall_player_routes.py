"""Routes of the pages of a hall's players: the standings with a search, and a player's games."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.authorization import requires
from web.endpoint_decorators import HTML, media_endpoint
from web.services.access_backend import Role

blueprint = Blueprint("hall_players", __name__)


@blueprint.get("/players")
@requires(Role.WATCHER)
@media_endpoint(HTML)
def players_page() -> str:
    """Return the page of the standings."""
    return render_template("hall/players.html")


@blueprint.get("/players/<int(max=999999999):number>")
@requires(Role.WATCHER)
@media_endpoint(HTML)
def player_page(number: int) -> str:
    """Return the page of a player's games."""
    return render_template("hall/player.html", number=number)
