"""JSON of the remembered players, and of what changes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from referee.known_players import COLOURS, PICTURES, ForgetWishes, ForgottenPlayer, KnownPlayer, NameTraces, VoiceWish
from referee.sentences import say
from web.schemas.request_model import Needs, OptionalName, RequestModel, Whole
from web.schemas.response_model import Count, ResponseModel


@dataclass(frozen=True)
class PlayerSchema(ResponseModel):
    """A player whom the table remembers."""

    number: Count
    name: str
    colour: str
    picture: str
    """The name of the drawing, `/static/players/{picture}.svg`."""
    games: Count
    """In how many games the player sat, finished or not."""
    made_at: str
    """When the player was first seen: ISO 8601 in UTC."""

    @classmethod
    def of(cls, player: KnownPlayer) -> PlayerSchema:
        """Return the JSON of a player."""
        made_at = player.made_at.isoformat(timespec="seconds")
        return cls(player.number, player.name, player.colour, player.picture, player.games, made_at)


@dataclass(frozen=True)
class PlayersResponse(ResponseModel):
    """All remembered players, and the looks that they may choose."""

    players: tuple[PlayerSchema, ...]
    colours: tuple[str, ...] = COLOURS
    pictures: tuple[str, ...] = PICTURES


@dataclass(frozen=True)
class ForgottenResponse(ResponseModel):
    """What came of forgetting a player."""

    games: Count
    """In how many games the name was replaced."""
    removed: tuple[str, ...]
    """Copies that held the name and were deleted."""
    left: tuple[str, ...]
    """Copies that only their owner may delete, and that may hold the name."""

    @classmethod
    def of(cls, forgotten: ForgottenPlayer) -> ForgottenResponse:
        """Return the JSON of what came of it."""
        return cls(forgotten.games, forgotten.removed, forgotten.left)


@dataclass(frozen=True)
class NamedVoiceSchema(ResponseModel):
    """A recorded voice that bears the name of a player."""

    voice: str
    name: str


@dataclass(frozen=True)
class TracesResponse(ResponseModel):
    """What holds a player's name besides the games, and is the owner's to decide on."""

    voices: tuple[NamedVoiceSchema, ...]
    copies: tuple[str, ...]
    """Backups, what the last restore replaced, and exports that were left: names relative to the data folder."""

    @classmethod
    def of(cls, found: NameTraces) -> TracesResponse:
        """Return the JSON of what was found."""
        return cls(tuple(NamedVoiceSchema(one.voice, one.name) for one in found.voices), found.copies)


class ForgetPlayerRequest(RequestModel):
    """What becomes of voices that bear the name, and which of the copies are deleted."""

    voices: Annotated[VoiceWish, Needs(say("A recorded voice can be renamed or deleted."))] = "rename"
    copies: Annotated[list[str], Needs(say("Say which copies, as a list of their names."))] = Field(
        default=[], max_length=1000
    )
    example: ClassVar = {"voices": "delete", "copies": ["vander-backup-20261121-120000.zip"]}

    @property
    def wishes(self) -> ForgetWishes:
        """Return what is wished."""
        return ForgetWishes(self.voices, tuple(self.copies))


class ChangePlayerRequest(RequestModel):
    """Another name, colour or picture for a player; '' leaves each as it is."""

    name: OptionalName = ""
    colour: OptionalName = ""
    picture: OptionalName = ""
    example: ClassVar = {"name": "Ann", "colour": "teal", "picture": "owl"}


class MergePlayerRequest(RequestModel):
    """The player to whom all games of this one go."""

    into: Whole
    example: ClassVar = {"into": 2}
