"""What honest people are asked in a hundred throws, by kind of question, and how many of these nobody had to ask.

    python bench/questions.py                        # 60 throws of each game, some four minutes on one core
    python bench/questions.py --games switch-16 --taps 0.4 --examples

A question is spare where the rules rule alike on every likely answer.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.fair_cases.asked_people import AskedCount, count_questions
from bench.fair_cases.staged_case import FIVE
from bench.fair_cases.table import Setting
from referee.games import named
from vander.resources.models_and_stores import LoadedModels


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(FIVE))
    parser.add_argument("--throws", type=int, default=60, help="of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--taps", type=float, default=1.0, help="how often people tap what a throw would imply, 0 to 1")
    parser.add_argument("--keep", type=Path, help="add what each session was told to this file: bench/episodes.py")
    parser.add_argument("--examples", action="store_true", help="print every question")
    return parser.parse_args()


def rows(counts: Mapping[str, AskedCount]) -> Iterator[str]:
    """Yield the table, in Markdown."""
    whole = sum(counts.values(), AskedCount())
    kinds = sorted(whole.asked)
    yield f"| a hundred throws | throws | questions | spare | {' | '.join(kinds)} |"
    yield "| --- " * (4 + len(kinds)) + "|"
    for name, count in [*counts.items(), ("**all**", whole)]:
        share = 100 / max(count.throws, 1)
        cells = [f"{count.asked[kind] * share:.1f} ({count.spare[kind] * share:.1f})" for kind in kinds]
        asked, spare = count.asked.total() * share, count.spare.total() * share
        yield f"| {name} | {count.throws} | {asked:.1f} | {spare:.1f} | {' | '.join(cells)} |"
    yield f"\nfaults: {dict(whole.faults) or 'none'}"


def main() -> None:
    """Play, and print what was asked."""
    given, began, counts = arguments(), time.perf_counter(), dict[str, AskedCount]()
    cv2.setNumThreads(1)
    models = LoadedModels.load()
    for name in given.games.split(","):
        with tempfile.TemporaryDirectory() as folder:
            setting = Setting(named(name), models)
            counts[name] = count_questions(setting, given.seed, given.throws, Path(folder), given.taps, given.keep)
        if given.examples:
            print("\n".join(counts[name].examples), flush=True)
    print("\n".join(rows(counts)))
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
