"""What the bench of the phone as camera measured: the legs of each throw, the bytes, and their sums."""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from random import Random

RESAMPLED = 2000
"""Samples of a bootstrap interval."""
LEGS = {
    "watching": "last motion to the picture that shows it is over, taken by the phone",
    "sending": "picture to the box",
    "waiting": "decoding, and waiting for the camera loop",
    "reading": "the pipeline",
    "ruling": "the session",
    "drawing": "ruling to the changed page",
}


@dataclass(frozen=True)
class ThrowLegs:
    """The moments of a throw in seconds of the wall clock, in the order of LEGS; first_full: when one was taken."""

    rested: float
    taken: float
    arrived: float
    came: float
    read: float
    ruled: float
    changed: float
    first_full: float

    @property
    def total(self) -> float:
        """Return seconds from the last motion to the changed page."""
        return self.changed - self.rested

    @property
    def legs(self) -> dict[str, float]:
        """Return seconds of each leg."""
        moments = (self.rested, self.taken, self.arrived, self.came, self.read, self.ruled, self.changed)
        return dict(zip(LEGS, (after - before for before, after in pairwise(moments)), strict=True))


@dataclass(frozen=True)
class Play:
    """What one film gave. Intervals are bytes, small pictures and seconds."""

    seed: int
    felt: str
    slower: float
    truth: list[list[str]]
    by_phone: list[str]
    by_replay: list[str]
    questions: list[str]
    throws: list[ThrowLegs]
    late: list[float]
    at_rest: list[tuple[int, int, float]]
    moving: list[tuple[int, int, float]]
    first_reading_s: float
    load: float

    @property
    def same(self) -> int:
        """Return how many rulings the phone and the replay share, in order."""
        blocks = SequenceMatcher(None, self.by_phone, self.by_replay, autojunk=False).get_matching_blocks()
        return sum(block.size for block in blocks)

    def append_to(self, file: Path) -> None:
        """Add the play to a file, as a line of JSON."""
        with file.open("a") as lines:
            lines.write(json.dumps(asdict(self)) + "\n")


def read_plays(files: Sequence[Path]) -> list[Play]:
    """Return the plays in files."""
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    return [Play(**{**line, "throws": [ThrowLegs(**each) for each in line["throws"]]}) for line in lines]


def report(plays: Sequence[Play]) -> None:
    """Print the figures of all films."""
    throws = [throw for each in plays for throw in each.throws]
    firsts = [each.first_reading_s for each in plays]
    print(f"from scanning the code to the first reading: {max(firsts):.1f} s at most, of {len(firsts)}")
    _print_late("from a picture taken to its frame at the reader", [late for each in plays for late in each.late])
    _print_late("from the last motion to the changed table page", [throw.total for throw in throws])
    for name, said in LEGS.items():
        _print_late(f"  {name}, {said}", [throw.legs[name] for throw in throws])
    _print_late("  last motion to the first full picture taken", [each.first_full - each.rested for each in throws])
    _print_bytes(plays)
    for each in plays:
        _print_rulings(each)
    counted, same = sum(len(each.by_replay) for each in plays), sum(each.same for each in plays)
    loads = [each.load for each in plays]
    print(
        f"throws {sum(len(each.truth) for each in plays)}, ruled on as a replay {counted}, as by phone {same};", end=" "
    )
    print(f"load {min(loads):.1f} to {max(loads):.1f} on {os.cpu_count()} cores")


def _print_late(what: str, seconds: Sequence[float]) -> None:
    """Print the median and the 95th percentile, each with its 95 % interval by bootstrap."""
    if len(seconds) < 2:
        return
    rng = Random(1)  # noqa: S311 - the same figures give the same intervals
    samples = [sorted(rng.choices(seconds, k=len(seconds))) for _ in range(RESAMPLED)]
    said = [
        f"{name} {1000 * of(seconds):.0f} ms ({_interval([1000 * of(sample) for sample in samples])})"
        for name, of in (("median", statistics.median), ("95 %", _late))
    ]
    print(f"{what}: {', '.join(said)}, of {len(seconds)}")


def _late(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=20, method="inclusive")[-1]


def _interval(values: Sequence[float]) -> str:
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 40]:.0f} to {ordered[-1 - len(ordered) // 40]:.0f}"


def _print_bytes(plays: Sequence[Play]) -> None:
    for name, intervals in (
        ("at rest", [one for each in plays for one in each.at_rest]),
        ("moving and being read", [one for each in plays for one in each.moving]),
    ):
        lasted = sum(each[2] for each in intervals)
        rates = [each[0] / each[2] / 1000 for each in intervals if each[2] > 0.5]
        if rates:
            print(
                f"{name}: {sum(each[0] for each in intervals) / lasted / 1000:.0f} KB a second"
                f" (of single intervals {min(rates):.0f} to {max(rates):.0f}),"
                f" {sum(each[1] for each in intervals) / lasted:.1f} pictures a second, {lasted:.0f} s"
            )


def _print_rulings(play: Play) -> None:
    print(
        f"film {play.seed} on {play.felt}: {len(play.truth)} throws, by phone {len(play.by_phone)},"
        f" as a replay {len(play.by_replay)}, {play.same} the same; load {play.load:.1f}"
    )
    matcher = SequenceMatcher(None, play.by_phone, play.by_replay, autojunk=False)
    for how, left, right, begin, end in matcher.get_opcodes():
        if how != "equal":
            print(f"  phone  {play.by_phone[left:right]}\n  replay {play.by_replay[begin:end]}")
    for question in play.questions:
        print(f"  asked: {question}")
