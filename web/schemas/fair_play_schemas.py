"""JSON of the fair-play reports: what people, hands and blind moments did to each game, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from referee.fair_play import MARK_TITLES, FairPlayMark, GameReport
from web.schemas.response_model import Count, ResponseModel, rounded


@dataclass(frozen=True)
class MarkCount(ResponseModel):
    """How often something happened in a game."""

    mark: FairPlayMark
    title: str
    count: Count


@dataclass(frozen=True)
class DeviceCount(ResponseModel):
    """How much of it a device did; '' for one without a name."""

    device: str
    count: Count


@dataclass(frozen=True)
class FairPlayStretch(ResponseModel):
    """A stretch of play of one seat, 0 where nobody's, with a mark for each thing that happened in it."""

    seat: Count
    marks: tuple[FairPlayMark, ...]


@dataclass(frozen=True)
class GameFairPlay(ResponseModel):
    """The fair-play report of a game."""

    number: Count
    game: str
    players: tuple[str, ...]
    started: str
    """When the game was set up, in ISO 8601."""
    blind_s: Annotated[float, Field(ge=0), rounded(1)]
    """For how many seconds nobody saw the tray, hands over it not counted."""
    counts: tuple[MarkCount, ...]
    devices: tuple[DeviceCount, ...]
    turns: tuple[FairPlayStretch, ...]


@dataclass(frozen=True)
class FairPlayResponse(ResponseModel):
    """The reports of the last games at this table, the newest first."""

    games: tuple[GameFairPlay, ...]


def game_fair_play(game: GameReport) -> GameFairPlay:
    """Return a report as JSON."""
    report = game.report
    return GameFairPlay(
        number=game.number,
        game=game.game,
        players=game.players,
        started=game.started.isoformat(),
        blind_s=report.blind_s,
        counts=tuple(MarkCount(mark, MARK_TITLES[mark], count) for mark, count in report.counts.items()),
        devices=tuple(DeviceCount(device, count) for device, count in (report.by_device or {}).items()),
        turns=tuple(FairPlayStretch(turn.seat, turn.marks) for turn in report.turns),
    )
