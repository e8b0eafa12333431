"""What the address of an overlay may choose: its language, colours, size, and how long a ruling stays."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from referee.sentences import say
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
