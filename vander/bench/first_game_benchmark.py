"""`vander bench first-game`: play first games, and print how much is asked and how much goes wrong."""

from __future__ import annotations

import resource
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
from rich.progress import track

from models.synthetic.canvas import Use
from vander.bench.first_game import (
    Answering,
    PlayedGame,
    PlayedThrow,
    PlayTable,
    TeachingPlan,
    ThrowScore,
    UntaughtTable,
    play,
    teach,
)
from vander.bench.photo_scores import LabelError, errors, print_grid, print_lines, share, share_of
from vander.bench.simulated_families import GAMES, FamilyGame, check_game, folder_game, simulated_game
from vander.resources.vision_models import LoadedModels
from vision.model_file import wilson_interval

# The figures of first games: by throw, with intervals, as a table, as JSON, and as a plot


BANDS = {"1-5": (1, 5), "6-10": (6, 10), "11-20": (11, 20), "21-60": (21, 60)}
"""The throws, from 1, that are counted together; `all` counts those after them too."""
WORST = 12
"""The silent errors that are listed at most."""
PLOT_STEP = 5
"""Throws to a point of the plot."""


def by_band(throws: Iterable[PlayedThrow]) -> dict[str, ThrowScore]:
    """Return the score of each band, and of all."""
    played = list(throws)
    within = {name: [one.score for one in played if low <= one.number <= high] for name, (low, high) in BANDS.items()}
    return {
        name: sum(scores, ThrowScore()) for name, scores in (within | {"all": [one.score for one in played]}).items()
    }


def band_figures(score: ThrowScore) -> dict[str, Any]:
    """Return counts and shares with their 95 % intervals as JSON: asked in per cent, silent errors per 1000."""
    return {
        **asdict(score),
        **share_of("asked", score.asked, score.dice),
        **share_of("wrong", score.wrong, score.dice, 1000),
        **share_of("missed", score.missed, score.dice),
    }


def throw_lines(game: PlayedGame) -> Iterator[dict[str, Any]]:
    """Yield a throw's counts as JSON, one line each."""
    for throw in game.throws:
        yield {"family": game.name, "throw": throw.number, **asdict(throw.score), "update_ms": throw.update_ms}


def summary(games: Sequence[PlayedGame], peak_mb: float) -> dict[str, Any]:
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


def print_report(games: Sequence[PlayedGame], peak_mb: float) -> None:
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
    print_grid(("throws", *headings), (_cells(name, figures[name]) for name in (*BANDS, "all")))
    if len(games) > 1:
        rows = ((game.name, band_figures(game.score), by_band(game.throws)["1-5"]) for game in games)
        print_grid(
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


def print_json(games: Sequence[PlayedGame], peak_mb: float) -> None:
    """Print the summary as the last line of JSON; the throws were printed as they were played."""
    print_lines([{"summary": summary(games, peak_mb)}])


def _cells(name: str, figures: dict[str, Any]) -> tuple[str, ...]:
    return (
        name,
        str(figures["dice"]),
        share(figures, "asked"),
        str(figures["asked_kind"]),
        str(figures["asked_posture"]),
        share(figures, "wrong", "per_1000"),
        str(figures["wrong_kind"]),
        str(figures["missed"]),
        str(figures["phantoms"]),
    )


def _worst(games: Sequence[PlayedGame]) -> list[str]:
    wrong = Counter(
        f"{game.name}: {' '.join(true)} read as {' '.join(read)}"
        for game in games
        for throw in game.throws
        for true, read in throw.mistaken
    )
    return [f"{count} x {what}" for what, count in wrong.most_common(WORST)]


def draw_plot(games: Sequence[PlayedGame], file: Path) -> None:
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


def _points(games: Sequence[PlayedGame]) -> Iterator[tuple[float, float, float, float, float]]:
    """Yield the middle of each few throws, asked with its interval, and silently wrong, in per cent."""
    last = max(throw.number for game in games for throw in game.throws)
    for first in range(1, last + 1, PLOT_STEP):
        few = range(first, first + PLOT_STEP)
        score = sum((one.score for game in games for one in game.throws if one.number in few), ThrowScore())
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

    answering: Answering
    lesson: TeachingPlan | None = None
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
            raise LabelError("the plot needs the package matplotlib: pip install 'vander[train]'")
        if not wanted.plot.parent.is_dir():
            raise LabelError(f"the plot {wanted.plot} cannot be written: there is no folder {wanted.plot.parent}")
    games = _games(folders, simulated)
    models = LoadedModels.load()
    played = [_played(game, models, wanted) for game in games]
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if wanted.plot:
        draw_plot(played, wanted.plot)
    (print_json if wanted.as_json else print_report)(played, peak_mb)


def _games(folders: Sequence[Path], simulated: SimulatedGames | None) -> Iterable[FamilyGame]:
    """Return the games, each painted when it is played. Raises LabelError before anything takes long."""
    if not folders and simulated is None:
        raise LabelError("there is nothing to play: name a labelled folder, or --simulate a game")
    of_folders = [folder_game(folder) for folder in folders]
    names = _names(simulated)
    pairs = [(name, number) for number in range(1, simulated.families + 1 if simulated else 0) for name in names]
    use = simulated.use if simulated else Use.SCORING
    painted = (simulated_game(name, number, use=use) for name, number in pairs)
    both = (game for games in (of_folders, painted) for game in games)
    return track(both, "families", total=len(of_folders) + len(pairs), console=errors)


def _names(simulated: SimulatedGames | None) -> tuple[str, ...]:
    if simulated is None:
        return ()
    return GAMES if "all" in simulated.games else tuple(map(check_game, simulated.games))


def _played(game: FamilyGame, models: LoadedModels, wanted: FirstGameOptions) -> PlayedGame:
    """Play a game at a table of its own, which is taught first and learns in play on request."""
    with TemporaryDirectory() as folder:
        table = PlayTable(Path(folder), game.dice, models)
        shown = teach(game, table, models.finder, wanted.lesson) if wanted.lesson else frozenset()
        learning = table if wanted.learning else UntaughtTable(table.reader)
        played = play(game, models, learning, wanted.answering, shown)
    if wanted.as_json:
        print_lines(throw_lines(played))
    return played
