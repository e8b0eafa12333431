"""Routes of the overlays: pages without a background that a streaming program such as OBS lays over its picture."""

from __future__ import annotations

from typing import Annotated, ClassVar

from flask import Blueprint, render_template
from pydantic import Field

from referee.sentences import Reason, say
from web.authorization import requires
from web.endpoints import HTML, media_endpoint
from web.schemas.access_schemas import Role
from web.schemas.response_model import FIELD, AddressLanguage, Digits, Needs

Colour = Annotated[
    str,
    Field(pattern="^(#?[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?)?$"),
    Needs(
        say("The request needs {field} as a colour of six or eight hexadecimal digits, such as ff8800.", field=FIELD)
    ),
]
"""A colour as `rrggbb`, or with its opacity `rrggbbaa`; '' for the theme's own. Nothing else reaches a stylesheet."""
Percent = Annotated[
    int,
    Digits,
    Field(ge=50, le=300),
    Needs(say("The request needs {field} as a whole number from 50 to 300.", field=FIELD)),
]
Seconds = Annotated[
    int,
    Digits,
    Field(ge=2, le=600),
    Needs(say("The request needs {field} as a whole number from 2 to 600.", field=FIELD)),
]


class OverlayQuery(AddressLanguage):
    """How an overlay looks. Each that is given sets the variable of the stylesheet of that name."""

    example: ClassVar = {"lang": "de", "accent": "ff8800", "scale": "120"}

    accent: Colour = ""
    """The colour of who acts, and of a win."""
    text: Colour = ""
    """The colour of names, scores and sentences."""
    panel: Colour = ""
    """The colour behind them."""
    scale: Percent = 100
    """The size of everything, in percent."""
    seconds: Seconds = 8
    """How long a ruling stays."""

    def theme(self) -> dict[str, str]:
        """Return what the page writes into its `data-` attributes, which the script makes variables of."""
        colours = {name: f"#{value.removeprefix('#')}" for name, value in self._colours() if value}
        return {**colours, "scale": str(self.scale / 100), "seconds": str(self.seconds)}

    def _colours(self) -> tuple[tuple[str, str], ...]:
        return ("accent", self.accent), ("text", self.text), ("panel", self.panel)


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
