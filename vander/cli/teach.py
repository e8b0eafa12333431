"""`vander teach`: learn to read dice from their pictures."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from models.dataset import DatasetError, SaveFailed
from models.die_sets import NoSuchDieSet
from models.die_sets.catalog import BadDieSet
from vander.cli.command_options import AsJson, DataDir, command_app
from vander.cli.dataset_import import FacesOption, NumberStyle, import_pictures
from vander.cli.learning_errors import LearningRefused, refusals_as_errors
from vander.resources import data_stores, vision_models
from vander.storage import data_folder
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, Settings, load
from vision.model_file import BrokenModel
from web.schemas.learning_schemas import LessonSummary

EXPECTED_ERRORS = (
    SettingError,
    StorageError,
    BrokenModel,
    NoSuchDieSet,
    BadDieSet,
    DatasetError,
    SaveFailed,
    LearningRefused,
)

app = command_app()


@app.command()
def teach(  # noqa: PLR0913, PLR0917  each is an option of the command
    name: Annotated[str, Argument(help="the die set", metavar="NAME")],
    pictures: Annotated[Path | None, Argument(help="a folder with a folder of pictures for each face")] = None,
    back_to: Annotated[int | None, Option(min=0, help="use this earlier lesson again; 0: none")] = None,
    faces: FacesOption = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Learn to read dice from their pictures."""
    settings = load(data_dir=data_dir)
    with data_folder.hold(settings.data_dir):  # a running Vander learns in the same files
        learn(settings, name, pictures, back_to, as_json, faces)


def learn(  # noqa: PLR0913, PLR0917  each is an option of the command
    settings: Settings,
    name: str,
    pictures: Path | None,
    back_to: int | None,
    as_json: bool,
    faces: NumberStyle | None = None,
) -> None:
    """Learn a die set from its pictures, after importing those of a folder, or use an earlier lesson again.

    Raises LearningRefused, DatasetError, BadDieSet.
    """
    models = vision_models.LoadedModels.load(threads=2)
    if pictures is not None:
        imported = import_pictures(settings, models.finder, pictures, "faces", name, faces=faces)
        print(imported.sentence, file=sys.stderr)
    learning = data_stores.open_learning_service(settings, models)
    began = time.perf_counter()
    with refusals_as_errors():
        learned = learning.teach(name) if back_to is None else learning.use_lesson(name, back_to)
    took = time.perf_counter() - began
    print(json.dumps(asdict(learned)) if as_json else _describe(learned, took))


def _describe(learned: LessonSummary, took: float) -> str:
    if not learned.version:
        return learned.sentence
    lines = [f"Lesson {learned.version} of the {learned.title}, in {took:.1f} s: {learned.sentence}"]
    lines += [f"Found out by this: {learned.checked_by}."] if learned.checked_by else []
    lines += [pair.sentence for pair in learned.pairs]
    for one in learned.suspects:
        said = one.said.title if one.said else ""
        lines.append(f"{one.picture} is called {said} and looks like {one.likely[0].title}.")
    return "\n".join(lines)
