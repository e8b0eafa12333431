"""`vander bench games`: play random games of every game, and measure rulings a second and the state's size."""

from __future__ import annotations

import json
import pickle
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from rich.progress import track

from models import die_sets
from referee.actions import Action, GameState
from referee.dice import Die
from referee.game import Game, begin
from referee.games import games
from referee.judge import Ruling, judge
from vander.bench.photo_scores import errors, print_grid

PLAYERS = 3
"""How many play each game, or the nearest number that the game allows."""
PLAIN_DICE = "d6"
"""The dice of a game that is played with any dice."""
MOST_RULINGS = 20_000
"""A random game is left when it takes more rulings."""
ENDLESS_RULINGS = 200
"""How many rulings of a game are played that keeps no score and has no end."""


@dataclass(frozen=True)
class GameBenchmark:
    """The result of many random games of one game.

    `early_bytes` and `late_bytes` are the largest pickled states of the first and the last quarter of the longest.
    """

    game: str
    games: int
    finished: int
    rulings: int
    longest: int
    seconds: float
    early_bytes: int
    late_bytes: int

    @property
    def rulings_a_second(self) -> float:
        """Actions judged a second, including their random choice."""
        return self.rulings / self.seconds


def play_random_game(game: Game, rng: random.Random) -> Iterator[Ruling]:
    """Yield the rulings of a random game, at most MOST_RULINGS; actions that give up a turn are left out."""
    fewest, seats = game.seats
    names = [f"Player {seat}" for seat in range(1, max(fewest, min(seats, PLAYERS)) + 1)]
    state = begin(game, names, die_sets.load(game.die_set or PLAIN_DICE))
    for _ in range(MOST_RULINGS if state.scores else ENDLESS_RULINGS):
        offers = _by_verb(game, state)
        if not offers:
            return
        offer = rng.choice(rng.choice(offers))
        shown = (Die(die.kind, die.face or rng.choice(state.dice.kind(die.kind).sides).name) for die in offer.dice)
        ruling = judge(game, state, replace(offer, dice=tuple(shown)) if offer.dice else offer)
        yield ruling
        state = ruling.state


def _by_verb(game: Game, state: GameState) -> list[list[Action]]:
    """Return the offers grouped by verb, so that a verb with many choices is as likely as one with few."""
    verbs: dict[str, list[Action]] = {}
    for offer in game.legal(state):
        if offer.verb not in (*game.grave, game.lost):
            verbs.setdefault(offer.verb, []).append(offer)
    return list(verbs.values())


def run_game_benchmark(count: int, seed: int, as_json: bool) -> None:
    """Play `count` random games of every game and print the results."""
    paces = (_measure(game, count, seed) for game in games())
    if as_json:
        for pace in paces:
            print(json.dumps({**asdict(pace), "rulings_a_second": round(pace.rulings_a_second)}), flush=True)
    else:
        headings = (
            "game",
            "games",
            "finished",
            "rulings",
            "longest",
            "rulings a second",
            "state, first quarter",
            "last",
        )
        print_grid(headings, map(_cells, paces))


def _measure(game: Game, count: int, seed: int) -> GameBenchmark:
    lengths, finished, longest_seed = list[int](), 0, seed
    began = time.perf_counter()
    for number in track(range(count), game.title, console=errors):
        length, over = _play_length(game, random.Random(f"{seed}-{number}"))  # noqa: S311 -- play, not secrets
        longest_seed = number if length > max(lengths, default=0) else longest_seed
        lengths.append(length)
        finished += over
    seconds = time.perf_counter() - began
    early, late = _growth(game, random.Random(f"{seed}-{longest_seed}"), max(lengths))  # noqa: S311
    return GameBenchmark(game.name, count, finished, sum(lengths), max(lengths), seconds, early, late)


def _play_length(game: Game, rng: random.Random) -> tuple[int, bool]:
    """Return how many rulings a game took, and whether it ended."""
    length, over = 0, False
    for ruling in play_random_game(game, rng):
        length, over = length + 1, not ruling.state.to_act
    return length, over


def _growth(game: Game, rng: random.Random, length: int) -> tuple[int, int]:
    """Return the largest pickled state of a game's first and last quarter, in bytes."""
    early = late = 0
    for place, ruling in enumerate(play_random_game(game, rng)):
        if place < length / 4:
            early = max(early, len(pickle.dumps(ruling.state)))
        elif place >= 3 * length / 4:
            late = max(late, len(pickle.dumps(ruling.state)))
    return early, late


def _cells(pace: GameBenchmark) -> tuple[str, ...]:
    counts = (pace.games, pace.finished, pace.rulings, pace.longest, f"{pace.rulings_a_second:.0f}")
    return (pace.game, *map(str, counts), f"{pace.early_bytes} bytes", f"{pace.late_bytes} bytes")
