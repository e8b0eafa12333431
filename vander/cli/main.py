"""The command line: `vander play` and its fellows; `vander --help` lists them.

An error is one sentence on standard error. The exit status is 2 for bad input, 1 for a breach or a failed check, and 0
for success.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import cv2
import typer
from typer import Argument, Option

from hardware.cameras.base import CameraError
from hardware.mat import MatError, mat_pdf
from models.dataset import DatasetError, SaveFailed, import_export
from models.die_sets import NoSuchDieSet
from models.die_sets.catalog import BadDieSet
from referee.game import BadSheet
from referee.games import NoSuchGame
from referee.record import BadRecord
from vander import backup
from vander.access import pairing_console as door
from vander.access.local_client import LocalClient, ServerUnreachable
from vander.app import server
from vander.bench import game_benchmark
from vander.bench import lesson_benchmark as taught
from vander.bench.clip_benchmark import clips
from vander.bench.error_page import ErrorPageError
from vander.bench.photo_benchmark import ReportOptions, photographs
from vander.bench.photo_scores import LabelError
from vander.bench.speed_benchmark import speed
from vander.cli import calibrate as calibrate_command
from vander.cli import check as check_command
from vander.cli import doctor as doctor_command
from vander.cli import read as read_command
from vander.cli import record_files
from vander.cli import support as packing
from vander.cli import teach as lessons
from vander.resources import data_stores, game_catalog
from vander.storage.journal_store import StorageError
from vander.storage.settings import SettingError, load
from vision.image_io import BadPicture
from vision.model_file import BrokenModel

BAD_INPUT, FAILED = 2, 1
OPENCV_ERRORS = 2
"""OpenCV's number for telling errors and nothing less."""
SAYABLE = (
    SettingError,
    StorageError,
    CameraError,
    BrokenModel,
    NoSuchDieSet,
    NoSuchGame,
    BadSheet,
    BadRecord,
    record_files.RecordFileError,
    record_files.NoSuchJournalGame,
    MatError,
    LabelError,
    BadPicture,
    ErrorPageError,
    server.PortTaken,
    DatasetError,
    SaveFailed,
    lessons.LearningRefused,
    BadDieSet,
    backup.BadBackup,
    ServerUnreachable,
)
"""What a person can mend: said in one sentence, without a traceback."""

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
bench = typer.Typer(no_args_is_help=True, help="Measure how well and how fast dice are read, and games ruled on.")
app.add_typer(bench, name="bench")
captures = typer.Typer(invoke_without_command=True, help="Show dice to Vander, and exchange their pictures.")
app.add_typer(captures, name="capture")

CameraName = Annotated[str | None, Option("--camera", help="virtual, replay:PATH, usb:NUMBER or picamera:NUMBER")]
DataDir = Annotated[Path | None, Option("--data-dir", help="the folder that holds the journal and the evidence")]
AsJson = Annotated[bool, Option("--json", help="one JSON object a line on standard output, and nothing else")]


@app.callback()
def vander() -> None:
    """Vander, a referee for real dice on a real table."""


@app.command()
def play(
    camera: CameraName = None,
    host: Annotated[str | None, Option(help="the address to serve on")] = None,
    port: Annotated[int | None, Option(help="the port to serve on")] = None,
    game: Annotated[str | None, Option(help="the game whose dice lie ready, or dice")] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the table: watch the dice, keep the journal, show the tablet's page."""
    server.play(load(camera=camera, host=host, port=port, game=game, data_dir=data_dir))


@app.command()
def read(
    photos: Annotated[list[Path], Argument(help="photographs of dice", metavar="PHOTO...", show_default=False)],
    as_json: AsJson = False,
    die_set: Annotated[str | None, Option("--set", help="the dice, such as d6 or intersection")] = None,
    data_dir: DataDir = None,
) -> None:
    """Read the dice in photographs."""
    failed = read_command.read(photos, die_set, as_json, load(data_dir=data_dir))
    raise typer.Exit(BAD_INPUT if failed else 0)


@app.command()
def check(
    paths: Annotated[list[str], Argument(help="game records; - for standard input", metavar="RECORD...")],
    as_json: AsJson = False,
    sheet: Annotated[list[Path] | None, Option(help="a printed sheet of your own, as many as there are")] = None,
    data_dir: DataDir = None,
) -> None:
    """Hold game records against the rules, and name what breaks them."""
    raise typer.Exit(
        check_command.check_all(paths, sheet or (), as_json, game_catalog.open_die_sets(load(data_dir=data_dir)))
    )


@app.command()
def export(
    path: Annotated[
        Path | None, Argument(help="the file to write; without it, standard output", metavar="FILE")
    ] = None,
    number: Annotated[int | None, Option("--game-number", help="which game of the journal; the latest, else")] = None,
    data_dir: DataDir = None,
) -> None:
    """Write a game of the journal as a game record."""
    settings = load(data_dir=data_dir)
    with closing(data_stores.open_journal(settings)) as journal:
        record_files.put_out(
            record_files.exported(
                journal, game_catalog.load_games(settings), number, game_catalog.open_die_sets(settings)
            ),
            path,
        )


@app.command("backup")
def back_up(
    to: Annotated[Path, Argument(help="a new file, a folder for one named by the day, or - for standard output")],
    data_dir: DataDir = None,
) -> None:
    """Pack games, settings, evidence and taught dice into one file, also while Vander runs."""
    settings = load(data_dir=data_dir)
    told = backup.create_backup(settings.data_dir, to, settings.database)
    typer.echo(told, err=str(to) == "-")


@app.command()
def restore(
    archive: Annotated[Path, Argument(help="a file that `vander backup` made, or - for standard input")],
    data_dir: DataDir = None,
) -> None:
    """Put a backup in the place of all that is in the data folder; the old files stay beside it."""
    settings = load(data_dir=data_dir)
    typer.echo(backup.restore_backup(settings.data_dir, archive, settings.database))


@app.command()
def doctor(camera: CameraName = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Examine the box: camera, light, models, disk, power, clock, address; and say what helps."""
    raise typer.Exit(doctor_command.doctor(load(camera=camera, data_dir=data_dir), as_json))


@app.command()
def support(
    path: Annotated[Path, Argument(help="the zip to write, or - for standard output")],
    camera: CameraName = None,
    data_dir: DataDir = None,
    *,
    pictures: Annotated[bool, Option("--pictures", help="pack the last pictures of the tray as well")] = False,
) -> None:
    """Pack logs, settings and findings, without secrets, for whoever helps."""
    packing.support(load(camera=camera, data_dir=data_dir), path, pictures)


@app.command()
def pair(
    host: Annotated[str | None, Option(help="the address that Vander serves on")] = None,
    port: Annotated[int | None, Option(help="the port that Vander serves on")] = None,
    data_dir: DataDir = None,
) -> None:
    """Have the running Vander show the code by which a tablet joins in."""
    settings = load(host=host, port=port, data_dir=data_dir)
    typer.echo(door.in_words(door.pair(LocalClient(settings.data_dir, settings.host, settings.port))))


@app.command("import")
def import_record(
    path: Annotated[str, Argument(help="a game record; - for standard input", metavar="RECORD")],
    go_on: Annotated[bool, Option("--go-on", help="let the table go on with it when it is started next")] = False,
    data_dir: DataDir = None,
) -> None:
    """Put a game record into the journal, as a game of its own that has ended."""
    settings = load(data_dir=data_dir)
    with closing(data_stores.open_journal(settings)) as journal:
        kept, told = record_files.imported(
            journal, path, game_catalog.load_games(settings), go_on=go_on, known=game_catalog.open_die_sets(settings)
        )
    typer.echo(" ".join(filter(None, (told, f"{path} is game {kept.number} of the journal."))))


@app.command()
def calibrate(camera: CameraName = None, data_dir: DataDir = None) -> None:
    """Say whether the tray's markers are seen, and at what scale."""
    raise typer.Exit(calibrate_command.calibrate(load(camera=camera, data_dir=data_dir)))


@app.command()
def mat(
    path: Annotated[Path, Argument(help="the PDF to write")],
    paper: Annotated[str, Option(help="a3, a4 or letter")] = "a3",
) -> None:
    """Make a printable mat with the tray's markers and zones."""
    size = mat_pdf(path, paper).rectangle
    typer.echo(
        f"{path} is made; the settings are VANDER_TRAY_WIDTH_MM={size.width:g} VANDER_TRAY_HEIGHT_MM={size.height:g}"
    )


@captures.callback()
def capture(  # noqa: PLR0913, PLR0917  each is an option of the command
    context: typer.Context,
    die_set: Annotated[str, Option("--set", help="the dice: a game's, or a name for dice nobody has seen")] = "",
    face: Annotated[list[str] | None, Option(help="a face of new dice, as often as they have faces")] = None,
    pictures: Annotated[int, Option(min=0, help="end after so many; 0: when every face is enough")] = 0,
    camera: CameraName = None,
    data_dir: DataDir = None,
    *,
    as_json: AsJson = False,
) -> None:
    """Take pictures of dice: lay them with the face asked for upward; each is taken when the tray is at rest."""
    if context.invoked_subcommand is not None:
        return
    if not die_set:
        raise lessons.LearningRefused(
            "name the dice with --set, such as --set intersection, or --set mine --face Moon ..."
        )
    lessons.capture(load(camera=camera, data_dir=data_dir), die_set, face or (), pictures, as_json)


@captures.command("export")
def capture_export(  # noqa: PLR0913  each is an option of the command
    to: Annotated[Path, Argument(help="a new folder, or a new zip", metavar="TO")],
    form: Annotated[str, Option(help="coco, yolo or faces")] = "coco",
    die_set: Annotated[str, Option("--set", help="one die set; without it all")] = "",
    data_dir: DataDir = None,
    *,
    waiting: Annotated[bool, Option("--waiting", help="those without a label as well")] = False,
    as_json: AsJson = False,
) -> None:
    """Put captured dice out for other programs."""
    collection = data_stores.open_sample_store(load(data_dir=data_dir))
    lessons.tell_exported(import_export.export_dataset(collection, to, form, die_set, waiting), to, as_json)


@captures.command("import")
def capture_import(
    path: Annotated[Path, Argument(help="a folder or a zip", metavar="FROM")],
    form: Annotated[str, Option(help="coco, yolo or faces")] = "coco",
    die_set: Annotated[str, Option("--set", help="whose dice they are, where the pictures do not say")] = "",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Take in pictures of dice that Vander or another program put out."""
    lessons.take_in(load(data_dir=data_dir), path, form, die_set, as_json)


@app.command()
def teach(
    name: Annotated[str, Argument(help="the die set", metavar="NAME")],
    pictures: Annotated[Path | None, Argument(help="a folder with a folder of pictures for each face")] = None,
    back_to: Annotated[int | None, Option(min=0, help="use this earlier lesson again; 0: none")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Learn to read dice from their pictures."""
    lessons.teach(load(data_dir=data_dir), name, pictures, back_to, as_json)


@bench.command("photos")
def bench_photos(  # noqa: PLR0913  each is an option of the command
    folder: Annotated[Path, Argument(help="a folder with labels.jsonl and its pictures")],
    leave_out: Annotated[list[str] | None, Option(help="a source to leave out, such as one trained on")] = None,
    worst: Annotated[int, Option(min=0, help="tell so many of the worst pictures, and make a page of them")] = 0,
    page: Annotated[Path, Option(help="the page of the worst dice", dir_okay=False)] = Path("worst.html"),
    *,
    rivals: Annotated[bool, Option("--rivals", help="run the usual ways of reading dice beside ours")] = False,
    as_json: AsJson = False,
) -> None:
    """Score the reading of a labelled folder of photographs and clips."""
    left_out = tuple(leave_out or ())
    photographs(folder, left_out, ReportOptions(worst, page, rivals, as_json))
    clips(folder, left_out, as_json)


@bench.command("games")
def bench_games(
    count: Annotated[int, Option("--games", min=1, help="how many random games of each game to play")] = 100,
    seed: Annotated[int, Option(help="other random games for another number")] = 1,
    as_json: AsJson = False,
) -> None:
    """Play whole games at random: rulings a second, and whether what is held grows with a game's length."""
    game_benchmark.bench_games(count, seed, as_json)


@bench.command("speed")
def bench_speed(
    throws: Annotated[int, Option(min=2, help="how many throws to time")] = 20,
    as_json: AsJson = False,
) -> None:
    """Time a frame from pixels to observation on one thread, beside a YOLO-sized network, and the memory it takes."""
    speed(throws, as_json)


@bench.command("teach")
def bench_teach(
    faces: Annotated[int, Option(min=2, max=20, help="how many faces to learn")] = 20,
    pictures: Annotated[int, Option(min=3, max=50, help="how many pictures of each")] = 10,
    times: Annotated[int, Option(min=3, help="how often")] = 7,
    as_json: AsJson = False,
) -> None:
    """Time a lesson on one thread in a process of its own, and the memory it takes."""
    taught.teach(faces, pictures, times, as_json)


def main(words: Sequence[str] | None = None) -> None:
    """Do what the words say, by default those of the command line, and exit."""
    _hush_opencv()
    try:
        app(args=words, prog_name="vander")
    except SAYABLE as error:
        print(f"vander: {' '.join(str(error).split())}", file=sys.stderr)
        raise SystemExit(BAD_INPUT) from None
    except record_files.NotImported as refused:
        print(f"vander: {refused}", file=sys.stderr)
        raise SystemExit(FAILED) from None


def _hush_opencv() -> None:
    """Keep OpenCV's own warnings from standing beside our one sentence on standard error."""
    # Debian 12 holds it at 4.11, where what came to lie in `cv2.utils.logging` has another place.
    told = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    told(OPENCV_ERRORS)
