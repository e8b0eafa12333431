"""Decide kept episodes again with the program as it is now, and show where it makes something else of one.

    python bench/fair_play.py --seed 1001 --keep FOLDER   # plays cases, and keeps what each session was told
    python bench/episodes.py FOLDER                       # seconds: no camera, no tray, no reader

An episode ends at its first difference: what people did after it answered another session.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.fair_cases.episodes import read_episodes, replay


def main() -> int:
    """Print each difference and how many episodes there were; 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("place", type=Path, help="a file of episodes, or a folder of such files")
    place = parser.parse_args().place
    files = sorted(place.glob("*.jsonl.gz")) if place.is_dir() else [place]
    alike = Counter[bool]()
    for episode in (each for file in files for each in read_episodes(file)):
        found = replay(episode)
        alike[found is None] += 1
        if found is not None:
            print(f"{episode.game} {episode.case}: event {found.place}, {found.event.name}")
            for name in sorted({*found.event.told, *found.now}):
                before, now = found.event.told.get(name), found.now.get(name)
                if before != now:
                    print(f"    {name}: {before}\n    now: {now}")
    print(f"{alike.total()} episodes, {alike[False]} decided otherwise")
    return 1 if alike[False] else 0


if __name__ == "__main__":
    sys.exit(main())
