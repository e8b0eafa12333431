"""How fair the referee is: cheats, honest mishaps and plain legal throws at the virtual tray, with the truth known.

    python bench/fair_play.py                          # a sample of all games, some ten minutes on two cores
    python bench/fair_play.py --repeats 20 --plain 400 # all of it, hours
    python bench/fair_play.py --games rollers --situations turn-kept,place-one --repeats 5
    python bench/fair_play.py --look unseen-1 --teach 5 --situations none

Scores are told with seeds from 1 on; whoever changes the program looks at seeds from 1001 on (the default).
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import cv2

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.fair_cases.fair_report import report
from bench.fair_cases.plain_throws import PlainScore, play_plain
from bench.fair_cases.play_case import Result, play_case
from bench.fair_cases.situations import situations
from bench.fair_cases.staged_case import FIVE
from bench.fair_cases.table import SIZE, Feed, Setting
from bench.fair_cases.taught_reader import teach_reader
from referee.games import named
from vander.resources.models_and_stores import LoadedModels
from vision.frame_reader import DieReader

TUNING_SEED = 1001
BATCH = 10
"""Plain throws that one job plays."""
PLAIN = "plain"


@dataclass(frozen=True)
class Job:
    """A case to be played, or (situation PLAIN) a row of plain throws."""

    game: str
    situation: str
    seed: int
    throws: int
    feed: Feed
    look: str
    teach: int
    size: tuple[int, int]
    keep: Path | None = None

    @property
    def kept(self) -> Path | None:
        """Return the file for the episodes that this process plays: two would overwrite each other's."""
        return self.keep / f"{os.getpid()}.jsonl.gz" if self.keep else None


@cache
def _models() -> LoadedModels:
    cv2.setNumThreads(1)
    return LoadedModels.load()


@cache
def _reader(game: str, look: str, teach: int) -> DieReader | None:
    if not teach:
        return None
    return teach_reader(_models(), Setting(named(game), _models()).dice, look, teach)


def play(job: Job) -> tuple[Job, Result | PlainScore | None, str]:
    """Play a job, in whatever process; an error is told, not raised."""
    reader = _reader(job.game, job.look, job.teach)
    setting = Setting(named(job.game), _models(), job.feed, job.look, reader, job.size)
    try:
        with tempfile.TemporaryDirectory() as folder:
            if job.situation == PLAIN:
                return job, play_plain(setting, job.seed, job.throws, Path(folder), job.kept), ""
            return job, play_case(setting, situations()[job.situation], job.seed, Path(folder), job.kept), ""
    except Exception as error:
        return job, None, f"{job.situation} in {job.game}, seed {job.seed}: {error!r}"


def shuffled(given: argparse.Namespace) -> list[Job]:
    """Return what is to be played in a mixed order, the same each time: what is played in part is a fair sample."""
    mixed = list(jobs(given))
    random.Random(given.seed).shuffle(mixed)  # noqa: S311 -- play
    return mixed


def jobs(given: argparse.Namespace) -> Iterator[Job]:
    """Yield what is to be played."""
    names = list(situations()) if given.situations == "all" else [n for n in given.situations.split(",") if n != "none"]
    width, height = (int(side) for side in given.size.split("x"))
    common = Feed(given.fps, given.lose), given.look, given.teach, (width, height)
    for repeat in range(given.repeats):
        for name in names:
            for game in given.games.split(","):
                if game in situations()[name].games:
                    yield Job(game, name, given.seed + repeat, 0, *common, given.keep)
    for number in range(-(-given.plain // BATCH)):
        for game in given.games.split(","):
            yield Job(game, PLAIN, given.seed + number, BATCH, *common, given.keep)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(FIVE))
    parser.add_argument(
        "--situations", default="all", help="names with commas; 'all', or 'none' for plain throws alone"
    )
    parser.add_argument("--repeats", type=int, default=1, help="cases of each situation in each game")
    parser.add_argument("--plain", type=int, default=20, help="plain legal throws in each game")
    parser.add_argument("--seed", type=int, default=TUNING_SEED, help="of the first repeat; the others follow")
    parser.add_argument("--fps", type=float, default=15.0)
    parser.add_argument("--lose", type=float, default=0.0, help="the share of pictures that are lost")
    parser.add_argument("--look", default="", help="the drawings on the dice, such as unseen-1")
    parser.add_argument("--teach", type=int, default=0, help="teach the dice first, with so many pictures a face")
    parser.add_argument("--size", default=f"{SIZE[0]}x{SIZE[1]}", help="of the camera's picture")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=60.0, help="begin nothing further after so long")
    parser.add_argument("--keep", type=Path, help="keep what each session was told in this folder: bench/episodes.py")
    parser.add_argument("--json", type=Path, help="write every case there, one object a line")
    return parser.parse_args(words)


def play_within(job: Job, until: float) -> tuple[Job, Result | PlainScore | None, str]:
    """Play a job unless it is too late."""
    return play(job) if time.time() < until else (job, None, "")


def main() -> None:
    """Play, and print the tables."""
    given = arguments()
    began, results, scores, errors = time.perf_counter(), list[Result](), dict[str, PlainScore](), list[str]()
    until = time.time() + 60 * given.minutes
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(given.jobs) as pool:
        for done in as_completed([pool.submit(play_within, job, until) for job in shuffled(given)]):
            job, came, error = done.result()
            errors += [error] if error else []
            if isinstance(came, PlainScore):
                scores[job.game] = scores.get(job.game, PlainScore()) + came
            elif came is not None:
                results.append(came)
            if given.json and came is not None:
                line = {"game": job.game, "situation": job.situation, "seed": job.seed, **asdict(came)}
                with given.json.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
    results.sort(key=lambda one: (one.situation, one.game, one.seed))
    print(report(results, scores))
    print("\n".join(errors))
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
