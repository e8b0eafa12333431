"""An evening in a hall: tables whose players play the matches to which they are called, through the intake."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from playing_table import PlayingTable
from random_matches import finished_match, played_on
from sqlalchemy.engine import Engine

from referee.games import named
from vander.hall.hall_service import HallService
from vander.hall.tournament_follower import TournamentFollower
from vander.hall.tournament_service import TournamentService
from vander.storage.journal_schema import Ending
from vander.table.match import Match
from web.schemas.tournament_schemas import (
    FixtureSchema,
    KindName,
    NewTournamentRequest,
    TournamentResponse,
    VersionRequest,
)

GAME = "toss-up"
PLAYERS = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida")


class TournamentEvening:
    """Tables, the tournaments of their hall, and a clock that can be put forward."""

    def __init__(self, engine: Engine, hall: HallService, tables: Iterable[PlayingTable]) -> None:
        self.engine, self.hall, self.tables = engine, hall, {table.name: table for table in tables}
        self.later, self.seeds, self.played = timedelta(), 0, dict[tuple[str, int], Match]()
        for table in self.tables.values():
            table.send_all()
        self.begin()

    def clock(self) -> datetime:
        return datetime.now(UTC) + self.later

    def begin(self) -> None:
        """Start the hall's part, as after a restart."""
        self.service = TournamentService(self.engine, clock=self.clock)
        self.hall.invitation_for = self.service.invitation_for
        self.follower = TournamentFollower(self.engine, self.service, self.clock)
        self.hall.listen(self.follower.listener)
        self.follower.start()

    def end(self) -> None:
        self.follower.close()

    def make(self, kind: KindName, count: int, **agreed: object) -> int:
        """Make a tournament of the first so many players and start it."""
        request = {"name": "Club cup", "kind": kind, "game": GAME, "players": list(PLAYERS[:count]), "start": True}
        return self.service.make(NewTournamentRequest.model_validate(request | agreed), "desk")

    def found(self, number: int) -> TournamentResponse:
        self.follower.settle()
        return self.service.find(number)

    def call_all(self, number: int) -> None:
        self.service.call_all(number, VersionRequest(version=self.found(number).version), "desk")

    def play_called(self, number: int) -> list[FixtureSchema]:
        """Play one game of each match that is called, at its table; return those matches."""
        called = list(self.found(number).at_tables)
        for fixture in called:
            self.play(fixture.table_name, fixture.names)
        self.follower.settle()
        return called

    def play(self, table: str, players: tuple[str, ...], game: str = GAME) -> int:
        """Play a game to its end at a table, send it, and return its number there."""
        self.seeds += 1
        at = self.tables[table]
        match = finished_match(named(game), self.seeds, players, {})
        number = at.tell(match.entries, game, players)
        self.played[table, number] = match
        at.send_all()
        return number

    def correct(self, table: str, number: int) -> None:
        """Take back the end of a game that is over and play it again until the other player has won."""
        before, seed = self.played[table, number], 0
        undone = before
        for _ in range(30):
            undone = undone.undo()
        match = before
        while match.state.winner == before.state.winner:
            seed += 1
            match = played_on(undone, named(GAME), seed)
        at = self.tables[table]
        at.journal.write(number, ending=Ending(None))
        for entry in match.entries[len(before.entries) :]:
            at.journal.write(number, replace(entry, evidence=""))
        at.journal.write(number, ending=Ending(match.entries[-1].at))
        self.played[table, number] = match
        at.send_all()
        self.follower.settle()

    def winner_of(self, table: str, number: int, players: tuple[str, ...]) -> str:
        (seat,) = self.played[table, number].state.winner
        return players[seat - 1]


OpenTable = Callable[[str], PlayingTable]
