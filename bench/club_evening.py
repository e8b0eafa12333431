"""Play a club's evening whole: a real hall over PostgreSQL, tables with journals on disk, two tournaments.

    python bench/club_evening.py [--players 40] [--tables 8] [--final 16] [--seed 1]

The organiser decides over HTTP alone, as the hall's pages do: draws rounds, calls players to free tables, lets a
player go home, lets another one give up a match. The tables play each other match to which they are called to its end
and send it. In each round one game is corrected at its table after it counted, and in the
second round the hall is killed and started again while results are on their way. The best of the Swiss tournament
then play a knock-out.

At the end the points of all players are counted once more from the journals on the tables' disks alone, without the
hall's code, and compared with its standings. It also prints how long the organiser waited for each kind of decision.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests/vander"))

from hall import BenchHall, join_tables, load, open_hall, wait_until
from random_matches import finished_match, played_on
from simulated_tables import SimulatedTable

from referee.games import named
from vander.storage.journal_schema import Ending
from vander.table.match import Match

GAME = "toss-up"
LAST_ACTIONS = 30
"""Actions that a correction takes back, so that the end may be another one."""
Tournament = dict[str, Any]


@dataclass
class EveningTable:
    """A simulated table that plays what it is called to play."""

    table: SimulatedTable
    played: dict[int, Match] = field(default_factory=dict)
    """By the number of the game."""

    def play(self, players: Sequence[str], seed: int) -> int:
        """Play a game to its end; return its number."""
        match = finished_match(named(GAME), seed, tuple(players), {})
        number = self.table.journal.begin(GAME, tuple(players), {}, named(GAME).die_set or "d6").number
        self._write(number, match, 0)
        return number

    def correct(self, number: int, seed: int) -> None:
        """Take back the end of a game that is over, and play it to another end."""
        before = undone = self.played[number]
        for _ in range(LAST_ACTIONS):
            undone = undone.undo()
        self.table.journal.write(number, ending=Ending(None))
        self._write(number, played_on(undone, named(GAME), seed), len(before.entries))

    def _write(self, number: int, match: Match, first: int) -> None:
        now = datetime.now(UTC)
        self.table.journal.write(number, *(replace(entry, at=now, evidence="") for entry in match.entries[first:]))
        self.table.journal.write(number, ending=Ending(now))
        self.played[number] = match
        self.table.written.set()


class Organiser:
    """Who decides, by what the hall shows at that moment."""

    def __init__(self, hall: BenchHall, tables: Sequence[EveningTable], seed: int) -> None:
        self.hall, self.tables, self.rng = hall, {each.table.name: each for each in tables}, random.Random(seed)  # noqa: S311
        self.seeds = iter(range(seed * 100_000, (seed + 1) * 100_000))
        self.waited: dict[str, list[float]] = defaultdict(list)
        self.games: dict[tuple[int, int], tuple[EveningTable, int]] = {}
        """The game of each match, by the numbers of tournament and match."""

    def make(self, kind: str, players: Sequence[str], **agreed: object) -> int:
        """Make a tournament and draw its first round; return its number."""
        body = {
            "name": f"Evening: {kind}",
            "kind": kind,
            "game": GAME,
            "players": list(players),
            "start": True,
        } | agreed
        return int(self._timed("make", lambda: self.hall.call("POST", "/api/hall/tournaments", body))["number"])

    def found(self, number: int) -> Tournament:
        """Return a tournament as the hall shows it."""
        return self._timed("look", lambda: self.hall.call("GET", f"/api/hall/tournaments/{number}"))

    def decide(self, number: int, what: str, **words: object) -> None:
        """Make a decision by the newest version. Raises RuntimeError where the hall refuses it."""
        body = {"version": self.found(number)["version"]} | words
        self._timed(what, lambda: self.hall.call("POST", f"/api/hall/tournaments/{number}/{what}", body))

    def play_round(self, number: int, kill: Callable[[], None] | None = None, *, gives_up: bool = False) -> None:
        """Call and play until nobody waits, again where a knock-out's game was tied.

        `gives_up`: the first who is called gives up. `kill` is called after the first games.
        """
        while waiting := [one for one in open_fixtures(self.found(number)) if all(one["players"])]:
            called = [one for one in waiting if one["state"] != "waiting"]
            if not called:
                self.decide(number, "call-all")
                continue
            if gives_up:
                self.decide(number, "give-up", fixture=called[0]["number"], player=called[0]["players"][0])
                gives_up = False
                continue
            self._play(number, called)
            if kill:
                kill()
                kill = None
            wait_until(lambda ours=called: self._all_counted(number, ours), "the results are there")

    def correct_one(self, number: int, seed: int) -> str:
        """Correct a game that counted, so that the other player has won; return what the table says now."""
        (key, (table, game)) = self.rng.choice([one for one in self.games.items() if one[0][0] == number])
        before = table.played[game].state.winner
        while table.played[game].state.winner == before:
            table.correct(game, seed)
            seed += 1
        winner = self._winner(number, key[1], table, game)
        wait_until(lambda: fixture_of(self.found(number), key[1])["winner"] == winner, "the correction is there")
        return f"match {key[1]}"

    def settle_all(self, number: int) -> int:
        """Keep all that was played before a correction; return how many conflicts there were."""
        count = 0
        while self.found(number)["conflicts"]:
            self.decide(number, "settle", conflict=1, keep=True)
            count += 1
        return count

    def _play(self, number: int, called: Sequence[Tournament]) -> None:
        for one in called:
            table = self.tables[one["table_name"]]
            self.games[number, one["number"]] = (table, table.play(one["names"], next(self.seeds)))

    def _all_counted(self, number: int, ours: Sequence[Tournament]) -> bool:
        found = self.found(number)
        return all(len(fixture_of(found, one["number"])["games"]) > len(one["games"]) for one in ours)

    def _winner(self, number: int, fixture: int, table: EveningTable, game: int) -> int:
        seats = table.played[game].state.winner
        one = fixture_of(self.found(number), fixture)
        return int(one["players"][seats[0] - 1]) if len(seats) == 1 else 0

    def _timed(self, what: str, ask: Callable[[], Tournament]) -> Tournament:
        began = time.monotonic()
        found = ask()
        self.waited[what].append(time.monotonic() - began)
        return found


def fixtures(tournament: Tournament) -> Iterator[Tournament]:
    """Yield the matches of a tournament that stand."""
    for each in tournament["rounds"]:
        yield from (one for one in each["fixtures"] if one["state"] != "void")


def open_fixtures(tournament: Tournament) -> list[Tournament]:
    """Return the matches that are not over."""
    return [one for one in fixtures(tournament) if one["state"] != "done"]


def fixture_of(tournament: Tournament, number: int) -> Tournament:
    """Return a match by its number."""
    return next(one for each in tournament["rounds"] for one in each["fixtures"] if one["number"] == number)


def own_points(tournament: Tournament, organiser: Organiser) -> Counter[str]:
    """Count the points of all players from the tables' journals, and from what was won without playing."""
    points: Counter[str] = Counter()
    for one in fixtures(tournament):
        played = organiser.games.get((tournament["number"], one["number"]))
        if played is None:  # a bye, or given up
            points.update(
                name for name, player in zip(one["names"], one["players"], strict=True) if player == one["winner"]
            )
            continue
        table, game = played
        seats = table.played[game].state.winner
        for seat in seats:
            points[one["names"][seat - 1]] += 1 / len(seats)  # type: ignore[assignment]
    return points


def play_swiss(organiser: Organiser, players: Sequence[str], hall: BenchHall) -> int:
    """Play a Swiss tournament with its mishaps; return its number."""
    number = organiser.make("swiss", players, in_order=True)

    def kill() -> None:
        hall.kill()
        hall.start()

    while True:
        found = organiser.found(number)
        organiser.play_round(number, kill if len(found["rounds"]) == 2 else None, gives_up=len(found["rounds"]) == 3)
        if len(found["rounds"]) > 1:
            organiser.correct_one(number, next(organiser.seeds))
            kept = organiser.settle_all(number)
            print(f"round {len(found['rounds'])}: played, one result corrected, {kept} conflicts")
        if not organiser.found(number)["may_draw"]:
            return number
        if len(found["rounds"]) == 2:
            organiser.decide(number, "withdraw", player=found["standings"][-1]["player"])
        organiser.decide(number, "draw")


def check(number: int, organiser: Organiser) -> int:
    """Compare a tournament's points with a count of our own; return how many players differ."""
    found = organiser.found(number)
    own = own_points(found, organiser)
    wrong = [row for row in found["standings"] if row["points"] != own[row["name"]]]
    for row in wrong:
        print(f"DIFFERENT: {row['name']}: {row['points']} in the hall, {own[row['name']]} counted")
    players = len(found["standings"])
    print(f"{found['name']}: {found['state']}, {players} players, {len(wrong)} with other points than counted")
    return len(wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--final", type=int, default=16, help="players of the knock-out")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with open_hall() as (hall, folder):
        tables = [EveningTable(SimulatedTable.open(each, [])) for each in join_tables(hall, folder, asked.tables)]
        for each in tables:
            each.table.sender.start()
        organiser = Organiser(hall, tables, asked.seed)
        swiss = play_swiss(organiser, [f"Player {number}" for number in range(1, asked.players + 1)], hall)
        rows = [row for row in organiser.found(swiss)["standings"] if not row["withdrawn"]]
        cup = organiser.make("knock-out", [row["name"] for row in rows[: asked.final]], in_order=True, third_place=True)
        organiser.play_round(cup)
        wrong = check(swiss, organiser) + check(cup, organiser)
        for what, waits in sorted(organiser.waited.items()):
            median, longest = statistics.median(waits) * 1000, max(waits) * 1000
            print(f"{what}: median {median:.0f} ms, longest {longest:.0f} ms, of {len(waits)}")
        print(f"{len(organiser.games)} games at {len(tables)} tables; {load()}")
        for each in tables:
            each.table.close()
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
