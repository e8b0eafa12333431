"""How well dice that left the tray and blind changes are noticed: staged in small pictures of boxes, truth known.

    python bench/departures.py                        # a sample, some minutes on a core
    python bench/departures.py --staged 60 --plain 300 --rates 15,30,15lost

Scores are told with seeds from 1 on; whoever changes the program looks at seeds from 1001 on (the default).
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from hardware.simulator.physics import Mishaps
from hardware.simulator.staging import stage
from referee.dice import Handling, Zone
from tests.small_tray import SmallTray
from vision.model_file import wilson_interval
from vision.observations import Observation

SETS = ("intersection", "toss-up", "dice-county-fair", "rollers", "switch-16")
TUNING_SEED = 1001
FEEDS = {"15": (15.0, 0.0), "30": (30.0, 0.0), "15lost": (15.0, 0.05), "30lost": (30.0, 0.05)}
LEAVING = ("off-and-back-at-once", "off-and-back-turned", "off-and-back-later", "fly-off")
USUAL = Mishaps(leans=0.01, leaves=0.0)


@dataclass
class Score:
    """What came of the cases of one kind."""

    count: int = 0
    found: int = 0
    marked: int = 0
    misses: list[str] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)
    delays: list[float] = field(default_factory=list)

    def line(self, title: str) -> str:
        """Return a row of the table."""
        low, high = wilson_interval(self.found, max(self.count, 1))
        share = f"{100 * self.found / max(self.count, 1):.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        delays = f"{1000 * np.percentile(self.delays, 95):.0f} ms from rest (95 %) " if self.delays else ""
        others = f"{delays}{dict(self.others)} {self.misses[:8]}"
        return f"| {title} | {self.count} | {self.found} = {share} | {self.marked} | {others} |"


def opened(seed: int, feed: str) -> tuple[SmallTray, np.random.Generator]:
    """Return a tray after a first throw of all dice."""
    rate, lost = FEEDS[feed]
    small = SmallTray(SETS[seed % len(SETS)], seed, rate, lost, USUAL, boxes=True)
    small.settle()
    small.tray.throw(small.numbers)
    small.settle()
    return small, np.random.default_rng(seed)


def number_of(small: SmallTray, seen: Observation, die: int) -> int:
    """Return the tracker's number of a die of the tray."""
    there = small.tray.die(die)
    x, y = float(there["x"]) * small.tray.size[0], float(there["y"]) * small.tray.size[1]
    far = {one.number: np.hypot(one.reading.sighting.x - x, one.reading.sighting.y - y) for one in seen.dice}
    return min(far, key=lambda number: float(far[number]), default=0)


def play_departure(situation: str, seed: int, feed: str, score: Score) -> None:
    """Stage a die that leaves the tray, and count whether it is not taken for one of the throw."""
    small, rng = opened(seed, feed)
    chosen = rng.permutation(small.numbers)[: int(rng.integers(1, len(small.numbers) + 1))]
    staging = stage(small.tray, situation, [int(number) for number in chosen], rng)
    for _ in range(80):
        if not staging.is_over:
            small.watch(0.1)
    seen = small.settle()
    score.count += 1
    number = number_of(small, seen, staging.picked[0])
    die = next((one for one in seen.dice if one.number == number), None)
    is_there = len(seen.dice) == len(small.numbers)
    score.marked += die is not None and die.handled is not None
    is_found = not is_there or (die is not None and (die.handled is not None or die.zone is Zone.OUT))
    score.found += is_found
    if not is_found:
        score.misses.append(f"{situation} {seed}")


def play_plain(seed: int, feed: str, throws: int, score: Score) -> None:
    """Throw some of the dice a few times, and count dice that seem to have left (`found`) and other false marks."""
    small, rng = opened(seed, feed)
    for _ in range(throws):
        chosen = rng.permutation(small.numbers)[: int(rng.integers(1, len(small.numbers) + 1))]
        small.tray.throw([int(number) for number in chosen])
        rests_at, began = small.now + small.tray.rests_in(), len(small.seen)
        seen = small.settle()
        read = (at for at, past in small.seen[began:] if at >= rests_at and past.at_rest)
        score.delays.append(next(read, float("inf")) - rests_at)
        score.count += 1
        score.found += any(die.handled is Handling.RETURNED for die in seen.dice)
        score.marked += any(die.handled is Handling.UNSEEN for die in seen.dice)
        score.others.update(str(die.handled) for die in seen.dice if die.handled is not None)


def covered(small: SmallTray, change: Callable[[], None]) -> None:
    """Change something under a covered lens."""
    small.tray.trouble("covered")
    small.watch(0.5)
    change()
    small.watch(1.2)
    small.tray.trouble("")


def frames_lost(small: SmallTray, change: Callable[[], None]) -> None:
    """Change something while no frames come."""
    change()
    small.tray.advance(1.5)
    small.now += 1.5


def frozen(small: SmallTray, change: Callable[[], None]) -> None:
    """Change something while the camera repeats one picture."""
    last = small.picture()
    change()
    for _ in range(round(1.5 * small.rate)):
        small.tray.advance(1 / small.rate)
        small.take(last)


def restarted(small: SmallTray, change: Callable[[], None]) -> None:
    """Change something while the camera is restarted."""
    small.pipeline.mark_lost()
    change()
    small.tray.advance(1.0)
    small.now += 0.2


BLIND = {"lens": covered, "no frames": frames_lost, "frozen": frozen, "restart": restarted}


def play_blind(kind: str, seed: int, feed: str, score: Score) -> None:
    """Turn a die while the camera is blind, and count whether it is marked (`found`)."""
    small, rng = opened(seed, feed)
    die = int(rng.choice(small.numbers))
    BLIND[kind](small, lambda: small.tray.reface(die))
    seen = small.settle()
    there = next(one for one in seen.dice if one.number == number_of(small, seen, die))
    score.count += 1
    score.found += there.handled is Handling.UNSEEN
    score.marked += bool(seen.blind)
    score.others.update(str(one.handled) for one in seen.dice if one is not there and one.handled is not None)
    if there.handled is None:
        score.misses.append(f"{kind} {seed}")


def main() -> None:
    """Play and print."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--staged", type=int, default=10, help="departures, and as many blind changes, per feed")
    parser.add_argument("--plain", type=int, default=20, help="plain throws per feed")
    parser.add_argument("--rates", default="15", help=f"feeds out of {', '.join(FEEDS)}")
    parser.add_argument("--seed", type=int, default=TUNING_SEED)
    chosen = parser.parse_args()
    print("| what | cases | found (in plain throws: falsely) | marked | how, and what was missed |")
    print("| --- | --- | --- | --- | --- |")
    for feed in chosen.rates.split(","):
        began = time.monotonic()
        for title, score in scores(feed, chosen.staged, chosen.plain, chosen.seed):
            print(score.line(f"{title}, {feed} a second"), flush=True)
        print(f"<!-- {feed}: {time.monotonic() - began:.0f} s -->", flush=True)


def scores(feed: str, staged: int, plain: int, seed: int) -> list[tuple[str, Score]]:
    """Return what came of departures, plain throws and blind changes."""
    departures, throws, blind = Score(), Score(), Score()
    for number in range(staged):
        play_departure(LEAVING[number % len(LEAVING)], seed + number, feed, departures)
        play_blind(tuple(BLIND)[number % len(BLIND)], seed + number, feed, blind)
    for number in range(plain // 5):
        play_plain(seed + 500 + number, feed, 5, throws)
    return [("departures", departures), ("plain throws", throws), ("blind changes", blind)]


if __name__ == "__main__":
    main()
