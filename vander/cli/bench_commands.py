"""`vander bench photos`, `first-game`, `signs`, `games`, `speed` and `teach`: measure accuracy, time and memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from hardware.cameras.base import CameraError
from models.dataset import DatasetError, SaveFailed
from models.die_sets import BadDieSet, NoSuchDieSet
from models.synthetic.canvas import Use
from referee.game import BadSheet
from vander.bench.first_game import Answering, TeachingPlan
from vander.bench.first_game_benchmark import (
    FirstGameOptions,
    SimulatedGames,
    run_first_game_benchmark,
    run_lesson_benchmark,
    run_sign_benchmark,
)
from vander.bench.photo_benchmark import ErrorPageError, ReportOptions, run_photo_benchmark
from vander.bench.photo_scores import LabelError
from vander.bench.speed_benchmark import run_clip_benchmark, run_game_benchmark, run_speed_benchmark
from vander.cli import AsJson, command_app
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError
from vision.image_io import BadPicture
from vision.model_file import BrokenModel

EXPECTED_ERRORS = (
    LabelError,
    BadPicture,
    ErrorPageError,
    BrokenModel,
    CameraError,
    NoSuchDieSet,
    BadDieSet,
    BadSheet,
    DatasetError,
    SaveFailed,
    StorageError,
    SettingError,
)

app = command_app("bench", "Measure how well and how fast dice are read, and how fast games are ruled on.")


@app.command("photos")
def bench_photos(  # noqa: PLR0913  each is an option of the command
    folder: Annotated[Path, Argument(help="a folder with labels.jsonl and its pictures")],
    leave_out: Annotated[list[str] | None, Option(help="a source or a pattern of names to leave out")] = None,
    worst: Annotated[int, Option(min=0, help="list this many of the worst pictures, and make a page of them")] = 0,
    page: Annotated[Path, Option(help="the page of the worst dice", dir_okay=False)] = Path("worst.html"),
    *,
    rivals: Annotated[bool, Option("--rivals", help="run the usual ways of reading dice next to ours")] = False,
    as_json: AsJson = False,
) -> None:
    """Score the reading of a labelled folder of photographs and clips."""
    left_out = tuple(leave_out or ())
    run_photo_benchmark(folder, left_out, ReportOptions(worst, page, rivals, as_json))
    run_clip_benchmark(folder, left_out, as_json)


@app.command("first-game")
def bench_first_game(  # noqa: PLR0913, PLR0917  each is an option of the command
    folders: Annotated[list[Path] | None, Argument(help="folders with labels.jsonl: each is one family's game")] = None,
    simulate: Annotated[list[str] | None, Option(help="a game whose families are painted, or all")] = None,
    families: Annotated[int, Option(min=1, help="how many families of each game to paint")] = 1,
    wrong_answers: Annotated[float, Option(min=0.0, max=1.0, help="the share of answers that are false")] = 0.0,
    seed: Annotated[int, Option(help="the seed by which false answers are chosen")] = 1,
    teach: Annotated[int, Option(min=0, help="teach so many pictures of each face first; they are not scored")] = 0,
    teach_kind: Annotated[str, Option(help="teach this kind of dice alone")] = "",
    plot: Annotated[Path | None, Option(help="draw asked and silently wrong over the throws", dir_okay=False)] = None,
    *,
    learning: Annotated[bool, Option("--learning/--no-learning", help="learn from the answers")] = True,
    choosing: Annotated[
        bool, Option("--choosing", help="paint the families to choose on, not those to score on")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Play first games with dice that nobody has seen, and print how much is asked and silently wrong by throw."""
    painted = SimulatedGames(tuple(simulate), families, Use.CHOOSING if choosing else Use.SCORING) if simulate else None
    lesson = TeachingPlan(teach, teach_kind) if teach else None
    wanted = FirstGameOptions(Answering(wrong_answers, seed), lesson, learning, as_json, plot)
    run_first_game_benchmark(tuple(folders or ()), painted, wanted)


@app.command("signs")
def bench_signs(
    families: Annotated[int, Option(min=1, help="how many families of 36 signs to paint")] = 6,
    as_json: AsJson = False,
) -> None:
    """Count how often signs that belong to no set (letters, runes, arrows) are silently taken for a face."""
    run_sign_benchmark(families, as_json)


@app.command("games")
def bench_games(
    count: Annotated[int, Option("--games", min=1, help="how many random games of each game to play")] = 100,
    seed: Annotated[int, Option(help="the seed of the random games")] = 1,
    as_json: AsJson = False,
) -> None:
    """Play whole games at random: rulings a second, and whether the state's size grows with a game's length."""
    run_game_benchmark(count, seed, as_json)


@app.command("speed")
def bench_speed(
    throws: Annotated[int, Option(min=2, help="how many throws to time")] = 20,
    as_json: AsJson = False,
) -> None:
    """Time a frame from pixels to observation on one thread, next to a YOLO-sized network, and measure the memory."""
    run_speed_benchmark(throws, as_json)


@app.command("teach")
def bench_teach(
    faces: Annotated[int, Option(min=2, max=20, help="how many faces to learn")] = 20,
    pictures: Annotated[int, Option(min=3, max=50, help="how many pictures of each")] = 10,
    times: Annotated[int, Option(min=3, help="how often")] = 7,
    as_json: AsJson = False,
) -> None:
    """Time a lesson on one thread in a process of its own, and measure the memory."""
    run_lesson_benchmark(faces, pictures, times, as_json)
