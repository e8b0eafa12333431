"""JSON of a tray without markers: a still of the camera, and the tray's four corners in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from referee.sentences import say
from web.schemas.request_model import FIELD, Digits, Needs, RequestModel, Whole
from web.schemas.response_model import Count, ResponseModel

SHORTEST_MM, LONGEST_MM = 60, 3000
"""The least and the most inner width or height of a tray, in millimetres."""

Spot = Annotated[
    list[Annotated[float, Field(ge=0, le=1)]],
    Field(min_length=2, max_length=2),
    Needs(say("Each corner needs two numbers from 0 to 1: its place across and down in the picture.")),
]
Corners = Annotated[
    list[Spot], Field(min_length=4, max_length=4), Needs(say("The request needs {field}: four corners.", field=FIELD))
]
Millimetres = Annotated[
    float,
    Field(ge=SHORTEST_MM, le=LONGEST_MM),
    Needs(
        say(
            "The request needs {field} as millimetres from {least} to {most}.",
            field=FIELD,
            least=SHORTEST_MM,
            most=LONGEST_MM,
        )
    ),
]


class CornersRequest(RequestModel):
    """The tray's four inner corners in a still, clockwise from the top left, and its inner size."""

    example: ClassVar = {
        "still": 1,
        "corners": [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]],
        "width_mm": 300,
        "height_mm": 225,
    }

    still: Whole
    """The number of the still."""
    corners: Corners
    """(x, y) as fractions of the still."""
    width_mm: Millimetres
    height_mm: Millimetres


class StillQuery(RequestModel):
    """Which still."""

    number: Annotated[Whole, Digits]


@dataclass(frozen=True)
class CornersResponse(ResponseModel):
    """The tray without markers as it is kept."""

    kept: bool
    fits: bool
    """True if the kept corners fit the present picture."""
    told: str
    """A sentence about the kept corners, or about what is noticed with them; '' without any."""
    outline: tuple[tuple[float, float], ...]
    """The corners where they are now, as fractions of the picture; empty where they are not known."""
    width_mm: float
    height_mm: float


@dataclass(frozen=True)
class CornersStill(ResponseModel):
    """A still of what the camera shows, in which corners are tapped."""

    number: Count
    width: Count
    height: Count
    """Pixels."""
    corners: tuple[tuple[float, float], ...]
    """Where to begin, clockwise from the top left, as fractions: the kept corners, or a guess."""
    is_seen: bool
    """True if an edge was seen there; else the corners stand anywhere."""
    width_mm: float
    height_mm: float
    """The tray's inner size, as kept; a usual one before."""
