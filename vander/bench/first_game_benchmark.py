"""How well dice are learned: in a table's first games, from few pictures, and against signs of no set."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from rich.progress import track

from models import die_sets
from models.dataset import FaceLabel, NewSample, SampleStore
from models.die_sets import DieSetCatalog, build_die_set
from models.synthetic.canvas import Use
from models.synthetic.family_art import SIDE, KindArt, random_body_style
from models.synthetic.novel_symbols import SIGNS, SYMBOLS, draw_novel, draw_sign, random_novel_style
from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vander.bench import first_game, photo_scores, simulated_families
from vander.resources import models_and_stores
from vander.resources.models_and_stores import LoadedModels, open_learning_service
from vander.storage.settings import load
from vision.frames import Pixels
from vision.model_file import wilson_interval
from vision.pipeline import read_photograph
from vision.rectification import RotatedSquare
from vision.tray_calibration import TrayLayout

# `vander bench teach` and `signs`: what a lesson costs, and how often a strange sign is taken for a face


PATCH, EDGE = 120, 44
"""Pixels of a side of a sample, and of the die in it."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
NAME = "bench"


def run_lesson_benchmark(faces: int, pictures: int, times: int, as_json: bool) -> None:
    """Print the time to learn these faces from this many pictures each, and the peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        write_die_set(Path(folder), faces, pictures)
        taken = [_run_once(Path(folder)) for _ in range(times)]
    seconds, megabytes = [one["seconds"] for one in taken], max(one["megabytes"] for one in taken)
    middle, low, high = photo_scores.median_interval(seconds)
    figures = {
        "faces": faces,
        "pictures of each": pictures,
        "runs": times,
        "seconds": round(middle, 2),
        "interval": [round(low, 2), round(high, 2)],
        "megabytes at most": round(megabytes),
    }
    if as_json:
        print(json.dumps(figures))
    else:
        photo_scores.print_grid(("figure", "value"), [(name, str(value)) for name, value in figures.items()])


def write_die_set(folder: Path, faces: int, pictures: int) -> None:
    """Write a die set of novel symbols into a data folder, with random pictures of each face."""
    symbols = SYMBOLS[Use.SCORING][:faces]
    kinds = [("Die", 1, [str(symbol).removeprefix("strange-") for symbol in symbols])]
    dice = build_die_set(NAME, NAME, kinds)
    DieSetCatalog(folder / "dice").save(dice)
    store, (kind,) = SampleStore(folder / "captured"), dice.kinds
    session, rng = store.start_session(NAME, "guided"), np.random.default_rng(1)
    hand, style = random_novel_style(rng, Use.SCORING)
    for symbol, face in zip(symbols, kind.faces, strict=True):
        art = draw_novel(symbol, hand, style, 2 * EDGE, rng).pixels
        for _ in range(pictures):
            taken = NewSample(*_draw_sample(art, rng), label=FaceLabel(kind.name, face, "drawn", datetime.now(UTC)))
            store.save(session, NAME, None, [taken])


def _draw_sample(art: Pixels, rng: np.random.Generator) -> tuple[Pixels, RotatedSquare]:
    """Return a drawn face on a plain table with random rotation, light and noise, and its position."""
    turned = float(rng.uniform(0, 90))
    turn = cv2.getRotationMatrix2D((art.shape[1] / 2, art.shape[0] / 2), -turned, EDGE / art.shape[0])
    turn += np.array([[0, 0, PATCH / 2 - art.shape[1] / 2], [0, 0, PATCH / 2 - art.shape[0] / 2]])
    table = np.full((PATCH, PATCH, 3), rng.uniform(40, 90, 3), np.uint8)
    cv2.warpAffine(art, turn, (PATCH, PATCH), dst=table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    seen = table * rng.uniform(0.7, 1.2) + rng.normal(0, 4, table.shape)
    return np.clip(seen, 0, 255).astype(np.uint8), RotatedSquare(PATCH / 2, PATCH / 2, EDGE, turned)


def _run_once(folder: Path) -> dict[str, float]:
    words = [sys.executable, "-m", "vander.bench.first_game_benchmark", str(folder)]
    done = subprocess.run(words, env=os.environ | ONE_THREAD, check=True, capture_output=True, text=True)  # noqa: S603
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _measure_lesson(folder: Path) -> Iterator[tuple[str, float]]:
    learning = open_learning_service(load(data_dir=folder), models_and_stores.LoadedModels.load())
    began = time.perf_counter()
    learning.teach(NAME)
    yield "seconds", time.perf_counter() - began
    yield "megabytes", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(dict(_measure_lesson(Path(sys.argv[1])))))


DICE = 6
"""Dice of a family, with six signs each."""
THROWS = 5
"""Throws of a family."""
ANY = "any known face"
WORST = 12
"""The signs and the silent errors that are listed at most."""


@dataclass(frozen=True)
class SignScore:
    """What became of dice with foreign signs, read as dice of one set: how many, asked about, taken for a face."""

    dice: int = 0
    asked: int = 0
    taken: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: SignScore) -> SignScore:
        return SignScore(self.dice + other.dice, self.asked + other.asked, self.taken + other.taken)

    def figures(self, read_as: str) -> dict[str, Any]:
        """Return the score as JSON, per cent with 95 % intervals; what is neither was turned away as no face."""
        return {
            "read_as": read_as,
            "dice": self.dice,
            "asked": self.asked,
            **photo_scores.share_of("asked", self.asked, self.dice),
            "taken": self.taken.total(),
            **photo_scores.share_of("taken", self.taken.total(), self.dice),
            "worst": dict(self.taken.most_common(WORST)),
        }


def run_sign_benchmark(families: int, as_json: bool) -> None:
    """Read dice with signs of no set, without a set and as the dice of each game, and print the figures."""
    cv2.setNumThreads(1)
    models = LoadedModels.load()
    total = dict.fromkeys((ANY, *simulated_families.GAMES), SignScore())
    for number in track(range(1, families + 1), "families", console=photo_scores.errors):
        for throw in simulated_families.family_game(sign_family(number), THROWS, number):
            for read_as in total:
                total[read_as] += score_throw(throw, None if read_as == ANY else die_sets.load(read_as), models)
    rows = [score.figures(read_as) for read_as, score in total.items()]
    if as_json:
        photo_scores.print_lines(rows)
        return
    photo_scores.print_grid(
        ("signs of no set, read as", "dice", "asked %", "silently taken for a face %"), map(_sign_cells, rows)
    )
    for what, count in sum(total.values(), SignScore()).taken.most_common(WORST):
        print(f"{count} x {what}")


def _sign_cells(row: dict[str, Any]) -> tuple[str, ...]:
    return row["read_as"], str(row["dice"]), photo_scores.share(row, "asked"), photo_scores.share(row, "taken")


def sign_family(number: int) -> simulated_families.Family:
    """Return the `number`-th family (from 1) of dice with foreign signs, for scoring."""
    rng = np.random.default_rng([number, 3])
    signs = rng.permutation(np.array(SIGNS * (1 + DICE * 6 // len(SIGNS))))[: DICE * 6].reshape(DICE, 6)
    kinds = {KindName(f"signs-{n}"): [str(sign) for sign in row] for n, row in enumerate(signs, 1)}
    art = {kind: _kind_art(row, rng) for kind, row in kinds.items()}
    counts = tuple(
        (DieKind(kind, str(kind), tuple(Face(FaceName(sign), sign) for sign in row)), 1) for kind, row in kinds.items()
    )
    return simulated_families.family_of(DieSet("signs", "Signs of no set", counts, 16.0), art, Use.SCORING, rng)


def _kind_art(signs: Sequence[str], rng: np.random.Generator) -> KindArt:
    style = random_body_style(Use.SCORING, rng)
    return KindArt(style.name, style.material, {FaceName(sign): draw_sign(sign, style, SIDE, rng) for sign in signs})


def score_throw(throw: simulated_families.FamilyThrow, dice: DieSet | None, models: LoadedModels) -> SignScore:
    """Return what becomes of a throw of foreign signs that is read as dice of a set, or as any known faces."""
    seen = read_photograph(throw.pixels, models.finder, models.reader, dice, TrayLayout())
    lying = tuple(_labelled(throw))
    label = photo_scores.PhotoLabel("", "", "", tuple(die.face for die in lying), lying, boxes=True)
    read, _ = first_game.read_dice(
        1, simulated_families.GameThrow(label, (None,) * len(lying), lambda: throw.pixels), seen
    )
    readings = [(one.die.face, one.reading) for one in read if one.reading]
    taken = Counter(f"{sign} read as {reading.face}" for sign, reading in readings if reading.accepted)
    return SignScore(len(lying), len(readings) - taken.total(), taken)


def _labelled(throw: simulated_families.FamilyThrow) -> Iterator[photo_scores.LabelledDie]:
    for die in throw.label["dice"]:
        yield photo_scores.LabelledDie(die["face"], die["cx"], die["cy"], max(die["w"], die["h"]))


# The figures of first games: by throw, with intervals, as a table, as JSON, and as a plot


BANDS = {"1-5": (1, 5), "6-10": (6, 10), "11-20": (11, 20), "21-60": (21, 60)}
"""The throws, from 1, that are counted together; `all` counts those after them too."""
PLOT_STEP = 5
"""Throws to a point of the plot."""


def by_band(throws: Iterable[first_game.PlayedThrow]) -> dict[str, first_game.ThrowScore]:
    played = list(throws)
    within = {name: [one.score for one in played if low <= one.number <= high] for name, (low, high) in BANDS.items()}
    return {
        name: sum(scores, first_game.ThrowScore())
        for name, scores in (within | {"all": [one.score for one in played]}).items()
    }


def band_figures(score: first_game.ThrowScore) -> dict[str, Any]:
    """Return counts and shares with their 95 % intervals as JSON: asked in per cent, silent errors per 1000."""
    return {
        **asdict(score),
        **photo_scores.share_of("asked", score.asked, score.dice),
        **photo_scores.share_of("wrong", score.wrong, score.dice, 1000),
        **photo_scores.share_of("missed", score.missed, score.dice),
    }


def throw_lines(game: first_game.PlayedGame) -> Iterator[dict[str, Any]]:
    """Yield a throw's counts as JSON, one line each."""
    for throw in game.throws:
        yield {"family": game.name, "throw": throw.number, **asdict(throw.score), "update_ms": throw.update_ms}


def summary(games: Sequence[first_game.PlayedGame], peak_mb: float) -> dict[str, Any]:
    """Return the figures of all games together as JSON."""
    bands = by_band(throw for game in games for throw in game.throws)
    updates = sorted(one.update_ms for game in games for one in game.throws if one.update_ms is not None)
    return {
        **{name: band_figures(score) for name, score in bands.items()},
        "families": len(games),
        "update_median_ms": round(statistics.median(updates), 1) if updates else None,
        "update_p99_ms": round(updates[min(len(updates) - 1, int(0.99 * len(updates)))], 1) if updates else None,
        "peak_memory_mb": round(peak_mb),
        "answers": sum(game.answers for game in games),
        "false_answers": sum(game.false for game in games),
        "false_answers_named": sum(game.named for game in games),
        "true_answers_named": sum(game.accused for game in games),
    }


def print_report(games: Sequence[first_game.PlayedGame], peak_mb: float) -> None:
    """Print the table by throw, one by family, what was learned in which time, and the worst dice."""
    figures = summary(games, peak_mb)
    headings = (
        "dice",
        "asked %",
        "for the kind",
        "for the posture",
        "silently wrong per 1000",
        "by kind",
        "missed",
        "phantoms",
    )
    photo_scores.print_grid(("throws", *headings), (_cells(name, figures[name]) for name in (*BANDS, "all")))
    if len(games) > 1:
        rows = ((game.name, band_figures(game.score), by_band(game.throws)["1-5"]) for game in games)
        photo_scores.print_grid(
            ("family", *headings, "asked in throws 1-5"),
            ((*_cells(name, row), f"{first.asked} of {first.dice}") for name, row, first in rows),
        )
    if figures["update_median_ms"] is not None:
        print(
            f"an update took {figures['update_median_ms']} ms, 99 of 100 at most {figures['update_p99_ms']} ms,",
            end=" ",
        )
        print(f"on one thread; peak memory {figures['peak_memory_mb']} MB; people answered {figures['answers']} times")
    if figures["false_answers"]:
        named = f"{figures['false_answers_named']} of {figures['false_answers']} false answers were named as suspects"
        print(f"{named}, and {figures['true_answers_named']} true ones")
    for line in _worst(games):
        print(line)


def print_json(games: Sequence[first_game.PlayedGame], peak_mb: float) -> None:
    """Print the summary as the last line of JSON; the throws were printed as they were played."""
    photo_scores.print_lines([{"summary": summary(games, peak_mb)}])


def _cells(name: str, figures: dict[str, Any]) -> tuple[str, ...]:
    return (
        name,
        str(figures["dice"]),
        photo_scores.share(figures, "asked"),
        str(figures["asked_kind"]),
        str(figures["asked_posture"]),
        photo_scores.share(figures, "wrong", "per_1000"),
        str(figures["wrong_kind"]),
        str(figures["missed"]),
        str(figures["phantoms"]),
    )


def _worst(games: Sequence[first_game.PlayedGame]) -> list[str]:
    wrong = Counter(
        f"{game.name}: {' '.join(true)} read as {' '.join(read)}"
        for game in games
        for throw in game.throws
        for true, read in throw.mistaken
    )
    return [f"{count} x {what}" for what, count in wrong.most_common(WORST)]


def draw_plot(games: Sequence[first_game.PlayedGame], file: Path) -> None:
    """Draw the share of dice asked about over the throws of the game, with its 95 % interval."""
    import matplotlib as mpl  # noqa: PLC0415  of the train extra

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    points = list(_points(games))
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    middles = [point[0] for point in points]
    axes.plot(middles, [point[1] for point in points], marker="o", label="asked about")
    axes.fill_between(middles, [point[2] for point in points], [point[3] for point in points], alpha=0.2)
    axes.plot(middles, [point[4] for point in points], marker="x", label="silently wrong")
    axes.set(xlabel="throw", ylabel="share of dice (%)", title=f"First games of {len(games)} families", ylim=(0, None))
    axes.legend()
    figure.savefig(file, dpi=110)
    plt.close(figure)


def _points(games: Sequence[first_game.PlayedGame]) -> Iterator[tuple[float, float, float, float, float]]:
    """Yield the middle of each few throws, asked with its interval, and silently wrong, in per cent."""
    last = max(throw.number for game in games for throw in game.throws)
    for first in range(1, last + 1, PLOT_STEP):
        few = range(first, first + PLOT_STEP)
        score = sum((one.score for game in games for one in game.throws if one.number in few), first_game.ThrowScore())
        low, high = wilson_interval(score.asked, score.dice)
        dice = max(score.dice, 1)
        yield first + (PLOT_STEP - 1) / 2, 100 * score.asked / dice, 100 * low, 100 * high, 100 * score.wrong / dice


# `vander bench first-game`: play first games, and print how much is asked and how much goes wrong


@dataclass(frozen=True)
class SimulatedGames:
    """Which simulated families play: of these games so many each, to score or to choose on."""

    games: tuple[str, ...]
    families: int
    use: Use = Use.SCORING


@dataclass(frozen=True)
class FirstGameOptions:
    """How the games are played, and what is printed."""

    answering: first_game.Answering
    lesson: first_game.TeachingPlan | None = None
    learning: bool = True
    as_json: bool = False
    plot: Path | None = None


def run_first_game_benchmark(
    folders: Sequence[Path], simulated: SimulatedGames | None, wanted: FirstGameOptions
) -> None:
    """Play the games of labelled folders and of simulated families on one thread, and print the figures.

    Raises LabelError, BadPicture, NoSuchDieSet, BrokenModel and SaveFailed.
    """
    cv2.setNumThreads(1)
    if wanted.plot:
        if find_spec("matplotlib") is None:
            raise photo_scores.LabelError("the plot needs the package matplotlib: pip install 'vander[train]'")
        if not wanted.plot.parent.is_dir():
            raise photo_scores.LabelError(
                f"the plot {wanted.plot} cannot be written: there is no folder {wanted.plot.parent}"
            )
    games = _games(folders, simulated)
    models = LoadedModels.load()
    played = [_played(game, models, wanted) for game in games]
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if wanted.plot:
        draw_plot(played, wanted.plot)
    (print_json if wanted.as_json else print_report)(played, peak_mb)


def _games(folders: Sequence[Path], simulated: SimulatedGames | None) -> Iterable[simulated_families.FamilyGame]:
    """Return the games, each painted when it is played. Raises LabelError before anything takes long."""
    if not folders and simulated is None:
        raise photo_scores.LabelError("there is nothing to play: name a labelled folder, or --simulate a game")
    of_folders = [simulated_families.folder_game(folder) for folder in folders]
    names = _names(simulated)
    pairs = [(name, number) for number in range(1, simulated.families + 1 if simulated else 0) for name in names]
    use = simulated.use if simulated else Use.SCORING
    painted = (simulated_families.simulated_game(name, number, use=use) for name, number in pairs)
    both = (game for games in (of_folders, painted) for game in games)
    return track(both, "families", total=len(of_folders) + len(pairs), console=photo_scores.errors)


def _names(simulated: SimulatedGames | None) -> tuple[str, ...]:
    if simulated is None:
        return ()
    return (
        simulated_families.GAMES
        if "all" in simulated.games
        else tuple(map(simulated_families.check_game, simulated.games))
    )


def _played(
    game: simulated_families.FamilyGame, models: LoadedModels, wanted: FirstGameOptions
) -> first_game.PlayedGame:
    """Play a game at a table of its own, which is taught first and learns in play on request."""
    with TemporaryDirectory() as folder:
        table = first_game.PlayTable(Path(folder), game.dice, models)
        shown = first_game.teach(game, table, models.finder, wanted.lesson) if wanted.lesson else frozenset()
        learning = table if wanted.learning else first_game.UntaughtTable(table.reader)
        played = first_game.play(game, models, learning, wanted.answering, shown)
    if wanted.as_json:
        photo_scores.print_lines(throw_lines(played))
    return played
