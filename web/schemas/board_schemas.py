"""JSON of the boards: what lies before the players besides the thrown dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from web.schemas.response_model import Count, ResponseModel


@dataclass(frozen=True)
class BoardDie(ResponseModel):
    """A die that stands on a board; `face` and `title` are '' for one that is to come."""

    kind: str
    face: str
    title: str


@dataclass(frozen=True)
class BoardFact(ResponseModel):
    """A named value that a board shows."""

    name: str
    value: str


@dataclass(frozen=True)
class DicePlaceSchema(ResponseModel):
    """A place for dice."""

    part: Literal["dice"]
    key: str
    title: str
    dice: tuple[BoardDie, ...]
    room: Count
    """How many places are drawn at least."""
    points: int | None
    price: Count
    needs: str
    wanted: tuple[BoardDie, ...]
    """The dice that the place takes next, where they can be shown."""
    takes_all: bool
    """True if an offer names all dice that are to lie there, also those that do already."""
    mark: str
    taps: Count
    """How many offers belong to the place; /api/offers lists them."""


@dataclass(frozen=True)
class CardSchema(ResponseModel):
    """A card or a deck."""

    part: Literal["card"]
    key: str
    title: str
    face: str
    dice: tuple[BoardDie, ...]
    discarded: tuple[str, ...]
    holds: str
    made_of: tuple[BoardDie, ...]
    """The dice on the table that let the card go."""
    dealt_to: Count
    """The seat in whose colour the card is drawn, 0 for none."""
    mark: str
    taps: Count


@dataclass(frozen=True)
class SectionSchema(ResponseModel):
    """A part of a sheet, or cards to choose from."""

    part: Literal["section"]
    key: str
    title: str
    places: tuple[DicePlaceSchema | CardSchema, ...]
    note: str
    is_here: bool
    facts: tuple[BoardFact, ...]
    taps: Count


@dataclass(frozen=True)
class TokenSchema(ResponseModel):
    """A player's token on a track."""

    seat: Count
    at: int
    at_risk: int


@dataclass(frozen=True)
class TrackSchema(ResponseModel):
    """A way to a goal."""

    part: Literal["track"]
    key: str
    title: str
    goal: Count
    tokens: tuple[TokenSchema, ...]
    marks: tuple[int, ...]
    taps: Count


@dataclass(frozen=True)
class LightSchema(ResponseModel):
    """One light."""

    colour: str
    is_lit: bool
    face: str


@dataclass(frozen=True)
class LightsSchema(ResponseModel):
    """Lights in a row, or one above the other."""

    part: Literal["lights"]
    key: str
    title: str
    lights: tuple[LightSchema, ...]
    is_upright: bool
    taps: Count


@dataclass(frozen=True)
class TallySchema(ResponseModel):
    """A number with a name."""

    part: Literal["tally"]
    key: str
    title: str
    value: int
    of: Count
    at_risk: int
    look: str
    """How it is drawn: '' as a number, `chips` as a stack, `dots` as so many dots of the most."""
    taps: Count


BoardPartSchema = DicePlaceSchema | SectionSchema | TrackSchema | CardSchema | LightsSchema | TallySchema


@dataclass(frozen=True)
class BoardRowSchema(ResponseModel):
    """A line of a board."""

    key: str
    cells: tuple[str, ...]
    mark: str
    taps: Count
    """How many offers a tap on the row opens; /api/offers lists them."""


@dataclass(frozen=True)
class BoardSchema(ResponseModel):
    """What lies before a player, or (seat 0) in the middle of the table."""

    seat: Count
    title: str
    facts: tuple[BoardFact, ...]
    columns: tuple[str, ...]
    rows: tuple[BoardRowSchema, ...]
    parts: tuple[BoardPartSchema, ...]
    brief: tuple[str, ...]
    """The keys of the parts that are shown of a player who does not act."""
