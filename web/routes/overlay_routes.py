"""Routes of the overlays: pages without a background that a streaming program such as OBS lays over its picture."""

from __future__ import annotations

from flask import Blueprint, render_template

from referee.sentences import Reason
from web.authorization import requires
from web.endpoint_decorators import HTML, media_endpoint
from web.schemas.overlay_schemas import OverlayQuery
from web.services.access_backend import Role

blueprint = Blueprint("overlays", __name__)


@blueprint.get("/overlay")
@requires(Role.WATCHER)
@media_endpoint(HTML)
def overlays_page() -> str:
    """Return the page that lists the overlays, each with a preview and its address."""
    return render_template("overlays.html")


@blueprint.get("/overlay/score")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.INVALID)
def score_overlay(query: OverlayQuery) -> str:
    """Return the overlay of the scores: names, points, whose turn it is, and what that turn is worth so far."""
    return _overlay("score", query)


@blueprint.get("/overlay/dice")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.INVALID)
def dice_overlay(query: OverlayQuery) -> str:
    """Return the overlay of the dice as they lie."""
    return _overlay("dice", query)


@blueprint.get("/overlay/ruling")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.INVALID)
def ruling_overlay(query: OverlayQuery) -> str:
    """Return the overlay of each new ruling, which goes away after some seconds."""
    return _overlay("ruling", query)


def _overlay(part: str, query: OverlayQuery) -> str:
    return render_template("overlay.html", part=part, theme=query.theme())
