"""How fast frames are read and games are ruled on, and when the dice of recorded clips count as settled."""

from __future__ import annotations

import csv
import json
import pickle
import random
import resource
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import cv2
from rich.progress import track

from hardware.cameras.base import Camera
from hardware.cameras.replay import ReplayCamera
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models import die_sets
from referee.actions import Action, GameState
from referee.dice import Die
from referee.game import Game, begin
from referee.games import games
from referee.judge import Ruling, judge
from vander.bench.baselines import YOLO, YoloSized, yolo_sized
from vander.bench.photo_scores import (
    LabelError,
    canonical_face,
    errors,
    median_interval,
    print_grid,
    print_lines,
    source_of,
)
from vander.resources.game_catalog import PLAIN_DICE
from vander.resources.models_and_stores import LoadedModels, weights_path
from vision.frames import Frame
from vision.model_file import wilson_interval
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout

# `vander bench speed`: time a frame from pixels to observation, next to a YOLO-sized network in the same run


MOST_FRAMES = 120
"""Eight seconds: every throw on the virtual tray is shorter."""
SETTLING_FRAMES = 10
IDLE_FRAMES = 15
COLUMNS = ("clock_median_ms", "clock_p95_ms", "cpu_median_ms", "cpu_p95_ms")

Given = TypeVar("Given")


@dataclass(frozen=True, order=True)
class Elapsed:
    """Milliseconds of processor time and of wall-clock time."""

    cpu: float
    clock: float


@dataclass(frozen=True)
class Timing:
    """The times of one kind of frames.

    They differ on a busy machine, where the processor's time is the one that can be compared.
    """

    of: str
    ms: tuple[Elapsed, ...]

    def figures(self) -> dict[str, Any]:
        """Return the medians with their 95 % intervals, and the 95th percentiles."""
        clock, cpu = _middle("clock", [one.clock for one in self.ms]), _middle("cpu", [one.cpu for one in self.ms])
        return {"of": self.of, "frames": len(self.ms), **clock, **cpu}


def _middle(name: str, ms: Sequence[float]) -> dict[str, Any]:
    median, *interval = (round(one, 2) for one in median_interval(ms))
    p95 = round(statistics.quantiles(ms, n=20)[-1], 2)
    return {f"{name}_median_ms": median, f"{name}_median_interval": interval, f"{name}_p95_ms": p95}


@dataclass(frozen=True)
class ThrowTiming:
    """The times of one throw's frames: moving, up to the one that was read, and at rest after that.

    `yolo` are those of the YOLO-sized network, run once right after the frame that was read.
    """

    moving: tuple[Elapsed, ...]
    idle: tuple[Elapsed, ...]
    yolo: Elapsed | None = None

    @property
    def read(self) -> Elapsed:
        """The time of the frame that was read, the longest."""
        return max(self.moving)


@dataclass(frozen=True)
class SpeedReport:
    """All measurements."""

    throws: tuple[ThrowTiming, ...]
    models_bytes: dict[str, int] = field(default_factory=dict)
    peak_memory_mb: float = 0.0

    def timings(self) -> list[Timing]:
        rows = [
            Timing("the frame that is read", tuple(one.read for one in self.throws)),
            Timing("something moves", tuple(took for one in self.throws for took in one.moving)),
            Timing("nothing moves", tuple(took for one in self.throws for took in one.idle)),
        ]
        yolo = tuple(one.yolo for one in self.throws if one.yolo)
        return [*rows, Timing(YOLO, yolo)] if yolo else rows

    def ratios(self) -> dict[str, Any]:
        """Return how many times longer the network takes than the frame that is read: medians with 95 % intervals."""
        pairs = [(one.yolo, one.read) for one in self.throws if one.yolo]
        if not pairs:
            return {}
        clock = median_interval([yolo.clock / ours.clock for yolo, ours in pairs])
        cpu = median_interval([yolo.cpu / ours.cpu for yolo, ours in pairs])
        return {**_ratio_figures("clock", clock), **_ratio_figures("cpu", cpu)}


def _ratio_figures(name: str, ratio: tuple[float, float, float]) -> dict[str, Any]:
    value, *interval = (round(one, 2) for one in ratio)
    return {f"yolo_to_ours_{name}": value, f"yolo_to_ours_{name}_interval": interval}


def run_speed_benchmark(throws: int, as_json: bool) -> None:
    """Time the pipeline on the virtual tray, on one thread, and print the figures. Raises BrokenModel."""
    cv2.setNumThreads(1)
    pipeline = LoadedModels.load(threads=1).pipeline(die_sets.load("intersection"), TrayLayout())
    yolo = yolo_sized()
    tray = VirtualTray("intersection", seed=1)
    camera = VirtualCamera(tray, paced=False, seed=1)
    camera.open()
    timed = tuple(_timed_throw(pipeline, tray, camera, yolo) for _ in track(range(throws), "throws", console=errors))
    weights = sorted(one for one in weights_path("finder").parent.iterdir() if one.suffix in {".onnx", ".npz"})
    size = {one.stem: one.stat().st_size for one in weights}
    speeds = SpeedReport(timed, size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    if as_json:
        print_lines(one.figures() for one in speeds.timings())
        if ratios := speeds.ratios():
            print_lines([ratios])
        print_lines([{"models_bytes": speeds.models_bytes, "peak_memory_mb": round(speeds.peak_memory_mb)}])
    else:
        _print_speed(speeds, yolo)


def _timed_throw(pipeline: Pipeline, tray: VirtualTray, camera: VirtualCamera, yolo: YoloSized | None) -> ThrowTiming:
    """Throw all dice: time each frame until they have been read, and as many frames at rest."""
    tray.throw([int(die["number"]) for die in tray.dice()])
    moving = (*_until(pipeline, camera, at_rest=False), *_until(pipeline, camera, at_rest=True))
    network_took = _time(yolo.look)[1] if yolo else None
    for _ in range(SETTLING_FRAMES):  # doubtful dice are looked at again before the pipeline rests
        pipeline.process(_frame(camera))
    return ThrowTiming(moving, tuple(_time_frame(pipeline, camera)[1] for _ in range(IDLE_FRAMES)), network_took)


def _until(pipeline: Pipeline, camera: VirtualCamera, *, at_rest: bool) -> list[Elapsed]:
    """Time each frame until the table is at rest, or moves."""
    taken = list[Elapsed]()
    for _ in range(MOST_FRAMES):
        observation, took = _time_frame(pipeline, camera)
        taken.append(took)
        if observation.at_rest is at_rest:
            break
    return taken


def _time_frame(pipeline: Pipeline, camera: VirtualCamera) -> tuple[Observation, Elapsed]:
    frame = _frame(camera)
    return _time(lambda: pipeline.process(frame))


def _time(work: Callable[[], Given]) -> tuple[Given, Elapsed]:
    began, worked = time.perf_counter(), time.thread_time()
    given = work()
    return given, Elapsed(1000 * (time.thread_time() - worked), 1000 * (time.perf_counter() - began))


def _frame(camera: VirtualCamera) -> Frame:
    frame = camera.frame()
    if frame is None:
        raise EOFError("the virtual camera gave no frame")
    return frame


def _print_speed(speeds: SpeedReport, yolo: YoloSized | None) -> None:
    names = ("frames", "median ms", "95 % within", "cpu median ms", "95 % within")
    print_grid(("a frame of 1280 x 960 with six dice", *names), map(_cells, speeds.timings()))
    if yolo:
        print(f"the network has {yolo.size}, and ran once after each frame that was read; its time is")
        print("; ".join(_ratios(speeds.ratios())))
    network = " and the network" if yolo else ""
    print(f"peak memory {speeds.peak_memory_mb:.0f} MB, the virtual tray{network} included")
    models = ", ".join(f"{name} {size / 1e6:.2f} MB" for name, size in speeds.models_bytes.items())
    print(f"models {sum(speeds.models_bytes.values()) / 1e6:.2f} MB: {models}")


def _cells(timing: Timing) -> tuple[str, ...]:
    figures = timing.figures()
    return (timing.of, *(str(figures[name]) for name in ("frames", *COLUMNS)))


def _ratios(ratios: dict[str, Any]) -> Iterable[str]:
    for name, told in (("clock", "by the clock"), ("cpu", "of the processor alone")):
        low, high = ratios[f"yolo_to_ours_{name}_interval"]
        yield f"{ratios[f'yolo_to_ours_{name}']} times ours {told} ({low} to {high})"


# Score the clips of a labelled folder: throws counted, faces read, and how soon a throw is reported


CLIP_COLUMNS = frozenset({"file", "fps", "last_motion_frame", "settled_faces_by_eye"})
SOON_MS = 200
"""How long after the last motion a throw may be reported as settled, in milliseconds."""


@dataclass(frozen=True)
class ClipScore:
    """The score of a clip: throws counted, the faces at the end, dice asked about, and the time.

    `settled_ms` is how long after the last moving frame the pipeline first reported a settled throw, or the clip ended;
    negative where it spoke too early.
    """

    clip: str
    throws: int
    faces: tuple[str, ...]
    asked: int
    truth: tuple[str, ...]
    settled_ms: float

    @property
    def verdict(self) -> str:
        """`right`, `asked` if a question covers what is missing, else `wrong`."""
        if self.throws != 1:
            return "wrong"
        if self.asked == 0:
            return "right" if Counter(self.faces) == Counter(self.truth) else "wrong"
        same = len(self.faces) + self.asked == len(self.truth) and not Counter(self.faces) - Counter(self.truth)
        return "asked" if same else "wrong"

    @property
    def timing(self) -> str:
        """`in time`, `too early` if before the last motion (never right), or `late`."""
        if self.settled_ms < 0:
            return "too early"
        return "in time" if self.settled_ms <= SOON_MS else "late"

    def figures(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": self.verdict, "timing": self.timing}


def run_clip_benchmark(folder: Path, leave_out: Sequence[str], as_json: bool) -> None:
    """Play a labelled folder's clips through the pipeline and print the scores; nothing if there are none.

    Raises LabelError, CameraError and BrokenModel.
    """
    table = folder / "clips" / "clips.csv"
    if not table.exists():
        return
    rows = [row for row in _clip_rows(table) if source_of(row["file"]) not in leave_out]
    models = LoadedModels.load()
    scores = [_score_clip(table.parent, row, models) for row in track(rows, "clips", console=errors)]
    if as_json:
        print_lines(one.figures() for one in scores)
        print_lines([totals(scores)])
    else:
        names = ("throws", "faces read", "asked", "truth", "verdict", f"settled (within {SOON_MS} ms)")
        print_grid(("clip", *names), map(_clip_cells, scores))


def totals(scores: Sequence[ClipScore]) -> dict[str, Any]:
    """Return how many clips were counted exactly and reported in time, with 95 % intervals."""
    counted = sum(one.throws == 1 for one in scores)
    timely = sum(one.timing == "in time" for one in scores)
    return {
        "clips": len(scores),
        "counted_exactly": counted,
        "counted_interval": _percent(counted, len(scores)),
        "in_time": timely,
        "in_time_interval": _percent(timely, len(scores)),
    }


def _percent(part: int, whole: int) -> list[float]:
    return [round(100 * share, 2) for share in wilson_interval(part, whole)]


def _clip_cells(one: ClipScore) -> tuple[str, ...]:
    settled = f"{one.settled_ms:.0f} ms, {one.timing}"
    return (one.clip, str(one.throws), " ".join(one.faces), str(one.asked), " ".join(one.truth), one.verdict, settled)


def _clip_rows(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    if any(row.get(column) is None for row in rows for column in CLIP_COLUMNS):
        raise LabelError(f"{table} needs the columns {', '.join(sorted(CLIP_COLUMNS))} in every row")
    return rows


def _score_clip(folder: Path, row: dict[str, str], models: LoadedModels) -> ClipScore:
    dice = die_sets.load(PLAIN_DICE)
    pipeline = models.pipeline(dice, TrayLayout(), live=False)
    last, settled = _play_clip(ReplayCamera(folder / row["file"], paced=False), pipeline)
    seen = [die.reading for die in last.dice]
    faces = tuple(sorted(canonical_face(one.face, dice) for one in seen if one.accepted))
    truth = row["settled_faces_by_eye"].removeprefix("end:").split()
    named = tuple(sorted(canonical_face(face, dice) for face in truth))
    asked = sum(not one.accepted for one in seen)
    return ClipScore(row["file"], last.throw, faces, asked, named, _since_motion(settled, row))


def _since_motion(settled: int, row: dict[str, str]) -> float:
    """Return milliseconds from the last moving frame to frame `settled`, both from 0. Raises LabelError."""
    try:
        return round(1000 * (settled - int(row["last_motion_frame"])) / float(row["fps"]), 1)
    except (ValueError, TypeError, ZeroDivisionError) as error:
        raise LabelError(f"{row['file']} has no last_motion_frame and fps that are numbers: {error}") from error


def _play_clip(camera: Camera, pipeline: Pipeline) -> tuple[Observation, int]:
    """Return the last observation, and the first frame (from 0) in which a throw had settled, or the last frame."""
    camera.open()
    settled, frames = -1, 0
    try:
        while (frame := camera.frame()) is not None:
            seen = pipeline.process(frame)
            if settled < 0 and seen.throw and seen.at_rest:
                settled = frames
            frames += 1
    finally:
        camera.close()
    return pipeline.finish(), settled if settled >= 0 else frames - 1


# `vander bench games`: play random games of every game, and measure rulings a second and the state's size


PLAYERS = 3
"""How many play each game, or the nearest number that the game allows."""
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
        print_grid(headings, map(_pace_cells, paces))


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


def _pace_cells(pace: GameBenchmark) -> tuple[str, ...]:
    counts = (pace.games, pace.finished, pace.rulings, pace.longest, f"{pace.rulings_a_second:.0f}")
    return (pace.game, *map(str, counts), f"{pace.early_bytes} bytes", f"{pace.late_bytes} bytes")
