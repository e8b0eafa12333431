"""How long a round of a Swiss tournament takes to draw, and a first round's corrected result after the last one.

    python bench/swiss_draw.py [--players 200] [--seed 1]

Processor time of one core, of the tournament's own rules without a database. The correction draws all later rounds in
thought, and finds which of them others would have met in.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests/vander/extras/tournaments"))

from played_tournaments import NOON, game_at_random, playable, started  # the tests' own

from vander.extras.tournaments.organising import correct_result, is_over, next_round, record_game
from vander.extras.tournaments.tournament import Tournament, TournamentGame, TournamentKind


def with_results(tournament: Tournament, rng: random.Random) -> Tournament:
    """Return the tournament with all matches played that can be."""
    for fixture in playable(tournament):
        tournament = record_game(tournament, fixture.number, game_at_random(rng, fixture), NOON)
    return tournament


def main() -> None:
    """Play a tournament with results by chance, and print what its draws and a correction took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rng = random.Random(chosen.seed)  # noqa: S311 - results by chance
    tournament, drawn_s = with_results(started(TournamentKind.SWISS, chosen.players), rng), []
    while not is_over(tournament):
        began = time.process_time()
        drawn = next_round(tournament, NOON)
        drawn_s.append(time.process_time() - began)
        tournament = with_results(drawn, rng)
    first = tournament.in_round(1)[0]
    loser = next(player for player in first.known if player != first.winner)
    began = time.process_time()
    correct_result(tournament, first.number, [TournamentGame(loser)], NOON)
    corrected_s = time.process_time() - began
    rounds = f"{len(drawn_s)} draws: {min(drawn_s):.2f} to {max(drawn_s):.2f} s"
    print(f"{chosen.players} players, {rounds}; a first round's result corrected: {corrected_s:.2f} s")


if __name__ == "__main__":
    main()
