"""Plain legal throws: whole games by people who break no rule and to whom nothing happens."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from bench.fair_cases.episodes import add_episode
from bench.fair_cases.table import FairTable, Setting, new_tray
from hardware.simulator.virtual_tray import VirtualTray
from referee.actions import Action, GameState
from tests.vander.whole_games import TAPS, Player
from vander.table.session import Session
from vision.observations import Observation
from vision.pipeline import Pipeline


@dataclass(frozen=True)
class PlainScore:
    """Counts over throws; `rest_s` is how long each took from rest to the ruling, in seconds of the frames."""

    throws: int = 0
    dice: int = 0
    asked: int = 0
    unruled: int = 0
    accused: int = 0
    misread: int = 0
    rest_s: tuple[float, ...] = ()
    worst: tuple[str, ...] = ()

    def __add__(self, other: PlainScore) -> PlainScore:
        return PlainScore(*(getattr(self, part.name) + getattr(other, part.name) for part in fields(self)))


class PlainTable:
    """A table as the player of whole games wants it."""

    def __init__(self, table: FairTable) -> None:
        self.fair = table
        self.tray: VirtualTray = table.tray

    @property
    def table(self) -> Session:
        """The session."""
        return self.fair.session

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline that reads the frames."""
        return self.fair.pipeline

    @property
    def seen(self) -> Observation:
        """What was seen last."""
        return self.fair.seen

    def settle(self) -> None:
        """Look until nothing has moved for a while; a tap moves nothing."""
        self.fair.look()
        if not self.fair.lies_still and not self.fair.settle():
            raise AssertionError("the table does not come to rest")

    def places(self) -> dict[int, str]:
        """Where each die lies."""
        return self.fair.places()

    def real(self, number: int) -> int:
        """The tray's number of a die that is seen."""
        return self.fair.real(number)

    def misread(self) -> list[tuple[int, str, str]]:
        """The dice that are taken for something else than they are."""
        return self.fair.misread()


@dataclass
class _Throw:
    """How things stood before a throw, to tell what it added."""

    asked: int
    faults: int
    flat: int
    dice: int
    sorts: list[str] = field(default_factory=list)


class PlainPlayer(Player):
    """Plays whole games, and counts what became of each throw."""

    score = PlainScore()

    def _throw(self, offer: Action, state: GameState) -> None:
        before = self._standing()
        super()._throw(offer, state)
        now = self._standing()
        faults = self.account.faults[before.faults :]
        sorts = [fault.sort for fault in faults]
        asked = now.asked > before.asked or "no true answer" in sorts
        unruled = now.flat > before.flat or "stuck" in sorts
        accused = "accused" in sorts
        wrong = not (accused or unruled) and bool({"silent", "misread"} & set(sorts))
        table = self.simulated.fair
        plain = not any((asked, unruled, accused, wrong)) and table.ruled_at > table.moved_at
        told = [round(table.ruled_at - table.moved_at, 3)] if plain else []
        worst = [f"throw {fault.throw}, {fault.sort}: {fault.sentence}" for fault in faults]
        worst += [f"asked: {question}" for question in self.account.asked[before.dice :]]
        worst += [f"{what}" for what in (self.trail[-3:] if asked or unruled else [])]
        self.score += PlainScore(
            1, len(offer.dice), int(asked), int(unruled), int(accused), int(wrong), tuple(told), tuple(worst)
        )

    def _standing(self) -> _Throw:
        account = self.account
        flat = sum(count for what, count in account.blemishes.items() if "flat die" in what)
        return _Throw(account.faces_asked + account.ways_asked, len(account.faults), flat, len(account.asked))


def play_plain(setting: Setting, seed: int, throws: int, folder: Path, keep: Path | None = None) -> PlainScore:
    """Play so many throws of a game, and return what became of them. The episode is added to `keep`."""
    table = FairTable(folder, setting, new_tray(setting, seed), seed)
    try:
        table.settle()
        game, rng = setting.game, random.Random(seed)  # noqa: S311 -- play
        # The next throw tells that a turn is over. What else was done in Switch 16 its rules have people tap.
        taps = TAPS if game.implied <= game.ends_turn else 1.0
        player = PlainPlayer(PlainTable(table), game, max(game.seats[0], 2), rng, taps=taps)  # type: ignore[arg-type]
        try:
            player.play(throws)
        except AssertionError as error:
            player.score += PlainScore(worst=(f"ended early: {error}"[:400],))
        if keep:
            table.episode.case = {"situation": "plain", "seed": seed, "outcome": ""}
            add_episode(keep, table.episode)
        return player.score
    finally:
        table.close()


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lies; 0 without any."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0
