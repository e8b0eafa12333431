"""Whole games at the virtual tray with the shipped models, by a player who knows what really lies there.

    python bench/whole_games.py --game rollers --seed 3 --turns 100

Prints what was played, every silent error, every false accusation and every question. With
`--keep DIR` the picture of each is kept.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from referee.games import games
from tests.vander.whole_games import seat_player


def main() -> None:
    names = [game.name for game in games()]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=names, action="append", help="one game, several times; all without it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--turns", type=int, default=30, help="throws of each game")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    for name in given.game or names:
        with tempfile.TemporaryDirectory() as folder:
            began = time.perf_counter()
            player = seat_player(Path(folder), name, given.seed, players=given.players, keep=given.keep)
            try:
                player.play(given.turns)
            finally:
                print(player.account.told(), f"\n  {time.perf_counter() - began:.0f} s", flush=True)
                player.simulated.close()


if __name__ == "__main__":
    main()
