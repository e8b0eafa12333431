"""`vander bench first-game`: play first games, and print how much is asked and how much goes wrong."""

from __future__ import annotations

import resource
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
from rich.progress import track

from models.synthetic.face_style import Use
from vander.bench.first_game import Answering, PlayedGame, UntaughtTable, play
from vander.bench.first_game_report import check_plot, draw_plot, print_json, print_report, throw_lines
from vander.bench.game_throws import FamilyGame, folder_game, simulated_game
from vander.bench.photo_scores import LabelError
from vander.bench.play_table import PlayTable
from vander.bench.report import errors, print_lines
from vander.bench.simulated_families import GAMES, check_game
from vander.bench.taught_family import TeachingPlan, teach
from vander.resources.vision_models import LoadedModels


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
        check_plot(wanted.plot)
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
