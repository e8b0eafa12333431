"""Time the history, the statistics and a comparison over a season of simulated games.

So many different games of Toss Up! are played at random and counted; they are then dealt out again and again, to the
players of a club in turn, until the season has 10,000 games with 1,000,000 throws. Each player's progress with the
achievements is counted and kept, as it is after each game. Each question is asked 20 times on one thread; the slowest
and the median are printed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import func, insert, select

from models import die_sets
from referee.chances import ThrowChances
from referee.dice import Die
from referee.feats import SeatFeat, find_feats
from referee.game_results import METHOD, SeatResult, count_results
from referee.games import named
from referee.past_result import PastGameFilter
from vander.extras.players.dice_fairness import FairnessService
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.extras.players.result_counting import read_faces
from vander.storage.journal_schema import ENTRIES, FEATS, GAMES, READ_FACES, RESULTS, SEATS
from vander.storage.journal_store import Journal, _row
from vander.storage.player_tables import ReadFace
from vander.table.match import Match

sys.path[:0] = [str(Path(__file__).parents[1] / "tests/vander")]
from random_matches import random_match  # noqa: E402 - the tests' own

CLUB = ("Ann", "Bob", "Cy", "Dee", "Eve", "Fay")
SINCE = datetime(2020, 1, 1, 12, 0, tzinfo=UTC)
TIMES = 20
RED, NEVER = Die.parse("tossup:red"), Die.parse("tossup:blue")
THROWS = 100
"""Throws of a game, on average: 10,000 games have 1,000,000."""


TABLES = (GAMES, ENTRIES, SEATS, RESULTS, FEATS, READ_FACES)
Counted = tuple[tuple[SeatResult, ...], tuple[SeatFeat, ...], Counter[ReadFace]]


def a_season(journal: Journal, games: int, different: int) -> None:
    """Fill a journal with so many games, of which so many are different."""
    game, chances = named("toss-up"), ThrowChances(named("toss-up"))
    played = [random_match(game, 400, seed, CLUB[:3]) for seed in range(different)]
    counted = [
        (
            count_results(game, match.start, match.replay, chances),
            find_feats(game, match.start, match.replay, match.entries, chances),
            read_faces(match.entries, {"tossup"}),
        )
        for match in played
    ]
    journal.begin("toss-up", CLUB, {}, "toss-up")
    rng = random.Random(1)  # noqa: S311 - who plays whom
    with journal.writing() as connection:
        rows: tuple[list[dict[str, object]], ...] = tuple([] for _ in TABLES)
        for number in range(2, games + 2):
            place = rng.randrange(different)
            for table, more in zip(rows, _rows(number, played[place], counted[place], rng), strict=True):
                table.extend(more)
        for table, found in zip(TABLES, rows, strict=True):
            connection.execute(insert(table), found)


def _rows(number: int, match: Match, counted: Counted, rng: random.Random) -> tuple[list[dict[str, object]], ...]:
    """Return the rows of one game; its entries are repeated until it has its share of throws."""
    at, who = SINCE + timedelta(hours=number), rng.sample(range(1, len(CLUB) + 1), 3)
    names = [CLUB[player - 1] for player in who]
    game = {"id": number, "game": "toss-up", "players": names, "options": {}, "die_set": "toss-up"}
    game |= {"started_at": at, "ended_at": at + timedelta(hours=1), "clock_doubted": False}
    thrown = [entry for entry, ruling in match.standing if ruling.action.verb == "roll"]
    entries = [_row(number, replace(thrown[place % len(thrown)], number=place + 1)) for place in range(THROWS)]
    seats = [{"game_id": number, "seat": seat, "player_id": player} for seat, player in enumerate(who, start=1)]
    counts, feats, faces = counted
    results = [{"game_id": number, "method": METHOD, **asdict(result)} for result in counts]
    feat_rows = [{"game_id": number, **asdict(feat)} for feat in feats]
    names_of = ("kind", "read_as", "truth")
    face_rows = [
        {"game_id": number, **dict(zip(names_of, face, strict=True)), "dice": dice} for face, dice in faces.items()
    ]
    return [game], entries, seats, results, feat_rows, face_rows


def timed(ask: Callable[[], object]) -> tuple[float, float, float, float]:
    """Return the median and the slowest of TIMES answers, and the same of the work for one, in milliseconds.

    The work is what the thread's own clock counts: other programs on the machine do not lengthen it.
    """
    taken = []
    for _ in range(TIMES):
        begun, worked = time.perf_counter(), time.thread_time()
        ask()
        taken.append((1000 * (time.perf_counter() - begun), 1000 * (time.thread_time() - worked)))
    waited, worked = zip(*taken, strict=True)
    return statistics.median(waited), max(waited), statistics.median(worked), max(worked)


def main() -> None:
    """Print how long each question takes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--different", type=int, default=12)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, closing(Journal.in_folder(Path(folder))) as journal:
        a_season(journal, chosen.games, chosen.different)
        with journal.reading() as connection:
            throws = connection.execute(select(func.count()).select_from(ENTRIES)).scalar_one()
        service = PlayStatisticsService(journal)
        begun = time.perf_counter()
        service.count()
        kept_s = time.perf_counter() - begun
        dice_test = FairnessService(journal, die_sets, lambda: (200, 3))
        print(f"{chosen.games} games ({chosen.different} different), {throws} throws, one thread, {TIMES} times each")
        print(f"achievements of {len(CLUB)} players counted and kept once in {kept_s:.2f} s")
        questions: dict[str, Callable[[], object]] = {
            "history, the last 50 games": service.played,
            "history, 50 games in the middle": lambda: service.played(PastGameFilter(before=chosen.games // 2)),
            "statistics of one player": lambda: service.sums(1),
            "head-to-head, both players": lambda: (service.sums(1, 2), service.sums(2, 1)),
            "the games behind a head-to-head": lambda: service.played(PastGameFilter(player=1, against=2)),
            "the games behind a face": lambda: service.played(PastGameFilter(die_set="toss-up", face=RED)),
            "the games behind one never read": lambda: service.played(PastGameFilter(die_set="toss-up", face=NEVER)),
            "how many games are not counted": lambda: service.uncounted,
            "a player's achievements": lambda: service.achievements(1),
            "the result of a game": lambda: service.result(chosen.games),
            "the dice of a set, tested": lambda: dice_test.finding("toss-up"),
        }
        for what, ask in questions.items():
            median, slowest, worked, most = timed(ask)
            print(
                f"{what:34} {median:7.1f} ms, at most {slowest:7.1f} ms; {worked:5.1f} ms of work, at most {most:5.1f}"
            )


if __name__ == "__main__":
    main()
