"""JSON of the games, their options, offers, odds and throws."""

from __future__ import annotations

from dataclasses import dataclass

from referee.snapshot import OtherKind
from web.schemas.response_model import Count, NameTitle
from web.schemas.snapshot_schemas import OfferSchema, TableOffer


@dataclass(frozen=True)
class OptionReading:
    """One way to read the rules."""

    value: str
    meaning: str


@dataclass(frozen=True)
class OptionSchema:
    """A choice that the rules leave open."""

    name: str
    title: str
    default: str
    source: str
    readings: tuple[OptionReading, ...]


@dataclass(frozen=True)
class GameSchema:
    """A game that can be set up."""

    name: str
    title: str
    die_set: str
    seats: tuple[Count, Count]
    """The fewest and the most players."""
    turns: bool
    """True if players have turns, so that one of them begins and may leave."""
    how_to_play: bool
    """True if /api/rules tells how it is played."""
    options: tuple[OptionSchema, ...]


@dataclass(frozen=True)
class GamesResponse:
    """What can be set up."""

    games: tuple[GameSchema, ...]
    die_sets: tuple[NameTitle, ...]


@dataclass(frozen=True)
class AgreementsResponse:
    """What the table may agree on where the rules are silent."""

    number: Count
    """The number of the snapshot that the offers belong to."""
    offers: tuple[OfferSchema, ...]
    last_throw: str
    """The throw that may be declared not to count, in words; '' without one."""


@dataclass(frozen=True)
class OffersResponse:
    """What may be done with a place of a board, or with all places of a player's."""

    number: Count
    """The number of the snapshot that the offers belong to."""
    offers: tuple[TableOffer, ...]


@dataclass(frozen=True)
class ChanceFigure:
    """A computed chance or expectation, in words and with its unit."""

    what: str
    figure: str
    advised: bool


@dataclass(frozen=True)
class OddsResponse:
    """The chances of where the game stands."""

    chances: tuple[ChanceFigure, ...]


@dataclass(frozen=True)
class ThrowDie:
    """A die of a throw; `face` is '' where it is yet to be given."""

    kind: str
    face: str


@dataclass(frozen=True)
class ThrowSchema:
    """A throw, and the seats that may make it."""

    seats: tuple[Count, ...]
    verb: str
    choice: str
    title: str
    dice: tuple[ThrowDie, ...]


@dataclass(frozen=True)
class DieKindSchema(OtherKind):
    """A kind of dice."""


@dataclass(frozen=True)
class ThrowsResponse:
    """The throws whose dice may be entered by hand."""

    step: str
    throws: tuple[ThrowSchema, ...]
    kinds: tuple[DieKindSchema, ...]
