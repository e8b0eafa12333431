"""Checks of what was installed and made: program, models, dice, sheets and lessons."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from models.die_sets.catalog import BadDieSet, DieSetCatalog
from referee.game import BadSheet
from referee.phrases import as_sentence, decimal, in_a_row, spell_list
from referee.sentences import as_whole, say, say_count
from vander.diagnostics.doctor_check import CheckSubject
from vander.learning.lesson_store import LessonStore
from vander.resources import game_catalog, vision_models
from vander.storage.settings import Settings
from vision.fewshot import PldaModel
from vision.model_file import BrokenModel, read_checked
from web.schemas.diagnostics_schemas import Finding

PROGRAM = CheckSubject("program", say("Program"))
MODELS = CheckSubject("models", say("Reading models"))
DICE = CheckSubject("dice", say("Dice and sheets"))

SHIPPED = {"finder": say("finder"), "reader": say("reader"), "second": say("second look")}
"""The models that come with Vander: file names, and what they are called."""

OLDEST, NEWEST = (3, 11), (3, 13)
"""The versions of Python that Vander is tested with."""


def program_version() -> str:
    """Return the installed version of Vander."""
    try:
        return version("vander")
    except PackageNotFoundError:
        return say("not installed")


def check_program(settings: Settings) -> Finding:
    """Check the program, its Python, and the package that the Pi's camera needs."""
    told = say(
        "Vander {version} on Python {python}, {machine}",
        version=program_version(),
        python=platform.python_version(),
        machine=f"{platform.system()} {platform.machine()}",
    )
    if settings.camera.startswith("picamera") and find_spec("picamera2") is None:
        return PROGRAM.bad(
            say("{told}, without picamera2, which the camera {name} needs.", told=told, name=settings.camera),
            say(
                "Install it with `sudo apt install python3-picamera2 --no-install-recommends`, and have Vander in a "
                "venv that was made with --system-site-packages."
            ),
        )
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        return PROGRAM.unsure(as_whole(told), say("Vander is tried with Python 3.11 to 3.13; use one of them."))
    return PROGRAM.good(as_whole(told))


def _name_and_size(path: Path, size: int) -> str:
    return say("{model} ({size} MB)", model=SHIPPED.get(path.stem, path.stem), size=decimal(size / 1e6, 1))


def check_models(weights: tuple[Path, ...] | None = None) -> Finding:
    """Check each model against its card."""
    files = weights or tuple(map(vision_models.weights_path, SHIPPED))
    try:
        sizes = [len(read_checked(path)[0]) for path in files]
        if weights is None:
            PldaModel.load(vision_models.plda_path())
    except BrokenModel as broken:
        return MODELS.bad(as_sentence(broken), say("Install Vander again; games and dice stay as they are."))
    names = [_name_and_size(path, size) for path, size in zip(files, sizes, strict=True)]
    return MODELS.good(
        as_whole(say("{models} are the ones that their cards describe.", models=spell_list(names, "and")))
    )


def check_dice(settings: Settings) -> Finding:
    """Check the die sets of the data folder, their lessons, and the printed sheets."""
    try:
        catalog = game_catalog.open_die_sets(settings)
        sheets = game_catalog.read_sheets(settings.data_dir / "sheets")
        game_catalog.games_with_sheets(sheets)
    except (BadDieSet, BadSheet) as bad:
        return DICE.bad(
            as_sentence(bad), say("Mend the file, or move it out of the data folder; then start Vander again.")
        )
    unread = _unread_lessons(settings.data_dir / "lessons", catalog)
    if unread:
        return DICE.unsure(in_a_row(*unread), say("Teach these dice again, or go back to an earlier lesson of theirs."))
    return DICE.good(
        say(
            "{readable}; {sets} and {sheets} made here.",
            readable=say_count("{count} die set can be read", "{count} die sets can be read", len(catalog.names())),
            sets=say_count("{count} set", "{count} sets", len(catalog.own)),
            sheets=say_count("{count} sheet", "{count} sheets", len(sheets)),
        )
    )


def _unread_lessons(folder: Path, catalog: DieSetCatalog) -> list[str]:
    """Return a sentence for each lesson in use that cannot be used."""
    if not folder.is_dir():
        return []
    lessons = LessonStore(folder, PldaModel.load(vision_models.plda_path()))
    return [as_sentence(doubt) for name in catalog.names() if (doubt := lessons.problem(name))]
