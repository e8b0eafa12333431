"""JSON of games that stand open, and the requests to go back to one or to end it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from referee.open_game import OpenGame
from referee.seat_names import shown_name
from web.schemas.game_requests import StepRequest
from web.schemas.request_model import RequestModel, Whole
from web.schemas.response_model import Count, ResponseModel


@dataclass(frozen=True)
class OpenSeatSchema(ResponseModel):
    """A player of an open game."""

    name: str
    score: int | None
    """null where the rules of today cannot play the game on."""


@dataclass(frozen=True)
class OpenGameSchema(ResponseModel):
    """A game that stands open."""

    number: Count
    game: str
    title: str
    started_at: str
    played_at: str
    """When something happened in it last: ISO 8601 in UTC."""
    on_table: bool
    """True for the game that is on the table now."""
    seats: tuple[OpenSeatSchema, ...]

    @classmethod
    def of(cls, game: OpenGame) -> OpenGameSchema:
        """Return the JSON of an open game."""
        scores = dict(enumerate(game.scores))
        seats = tuple(OpenSeatSchema(shown_name(name), scores.get(place)) for place, name in enumerate(game.players))
        started, played = (moment.isoformat(timespec="seconds") for moment in (game.started_at, game.played_at))
        return cls(game.number, game.game, game.title, started, played, game.on_table, seats)


@dataclass(frozen=True)
class OpenGamesResponse(ResponseModel):
    """The games that stand open, the one that was on the table last first."""

    games: tuple[OpenGameSchema, ...]
    most: Count
    """How many may stand open at once."""


class PlayOnRequest(StepRequest):
    """The open game to go back to; `step` is the moment that the page shows, 0.0 without a game."""

    number: Whole
    example: ClassVar = {"number": 3}


class EndOpenGameRequest(RequestModel):
    """The open game to end."""

    number: Whole
    example: ClassVar = {"number": 3}
