"""Putting captured dice out for other programs, and taking in what they made."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from models import atomic_files
from models.dataset import coco, export_manifest, face_folders, yolo
from models.dataset.archives import FileTree, open_tree
from models.dataset.dataset_errors import ExchangeError
from models.dataset.export_manifest import ManifestRow
from models.dataset.export_plan import ExportPicture, ExportPlan, plan_export
from models.dataset.foreign_annotations import Annotation
from models.dataset.importer import NO_OPTIONS, Importer, ImportOptions, ImportResult
from models.dataset.sample_store import SampleStore
from models.dataset.samples import Sample, checked_face


class DatasetFormat(Protocol):
    """What the module of a form gives."""

    def at(self, picture: ExportPicture) -> str:
        """Where a picture goes."""

    def crop_at(self, sample: Sample) -> str:
        """Where the own picture of a die in a frame goes."""

    def texts(self, plan: ExportPlan) -> dict[str, str]:
        """The files of boxes and classes, by their names."""

    def found(self, tree: FileTree, root: str) -> list[Annotation]:
        """What is in a folder of this form."""


FORMATS: Mapping[str, DatasetFormat] = {"coco": coco, "yolo": yolo, "faces": face_folders}
FORMAT_TITLES = {"coco": "COCO", "yolo": "YOLO", "faces": "folders"}

Put = Callable[[str, Path | str], None]
"""Puts a file, or a text, under a name."""


@dataclass(frozen=True)
class ExportResult:
    """What was put out: so many pictures, dice, and dice in each of train, val and test; and what is to be said."""

    pictures: int
    dice: int
    splits: Mapping[str, int]
    sentences: tuple[str, ...] = ()


def export_dataset(store: SampleStore, to: Path, form: str, die_set: str = "", waiting: bool = False) -> ExportResult:
    """Put dice out into a new folder, or a new zip when the name ends so: all of it is there at the end, or nothing.

    `form` is one of FORMATS; of one die set or of all; `waiting`: those without a label as well, called "unlabelled".
    Raises ExchangeError, NoSuchSample, SaveFailed.
    """
    chosen, made = _form(form), plan_export(store, die_set, waiting)
    rows = _rows(chosen, made)
    with atomic_files.keeping(f"{to}"), _into(to) as put:
        for name, path in _pictures(chosen, made, rows).items():
            put(name, path)
        for name, text in chosen.texts(made).items():
            put(name, text)
        put(export_manifest.NAME, export_manifest.format_manifest(form, made.sessions, rows))
    return ExportResult(len(made.pictures), len(rows), Counter(row.split for row in rows), made.sentences)


def import_dataset(store: SampleStore, path: Path, form: str, foreign: ImportOptions = NO_OPTIONS) -> ImportResult:
    """Take in a folder or a zip of that form: all of it, or nothing.

    What Vander exported comes back as it was, except for new labels. Raises ExchangeError, BadSample, SaveFailed.
    """
    chosen = _form(form)
    checked_face(foreign.kind, "a kind")
    if foreign.die_set:
        checked_face(foreign.die_set, "a die set")
    with store.staging_folder() as place:
        tree = open_tree(path, place / "archive")
        root = _root(tree)
        sessions, rows = export_manifest.read(tree, root)
        arrival = Importer(store, place, tree, f"imported from {FORMAT_TITLES[form]}", foreign)
        arrival.expect(sessions, rows)
        arrival.take(chosen.found(tree, root))
        return arrival.over()


def _form(name: str) -> DatasetFormat:
    if name not in FORMATS:
        raise ExchangeError(f"there is no form {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def _root(tree: FileTree) -> str:
    """The folder in the tree that was put out by Vander, with its stroke; '' for the tree itself."""
    lists = [PurePosixPath(name) for name in tree.files if PurePosixPath(name).name == export_manifest.NAME]
    above = min((path.parent for path in lists), key=lambda path: len(path.parts), default=PurePosixPath())
    return f"{above}/" if above.parts else ""


def _rows(form: DatasetFormat, made: ExportPlan) -> list[ManifestRow]:
    """Where each die's pictures are."""
    frames = {die.sample.frame: form.at(picture) for picture, die in made.dice if not picture.lone}
    return [_row(form, picture, die.sample, frames.get(die.sample.frame, "")) for picture, die in made.dice]


def _row(form: DatasetFormat, picture: ExportPicture, sample: Sample, frame: str) -> ManifestRow:
    at = form.at(picture)
    return ManifestRow(sample, at, at if picture.lone else form.crop_at(sample), frame, picture.split)


def _pictures(form: DatasetFormat, made: ExportPlan, rows: Sequence[ManifestRow]) -> dict[str, Path]:
    pictures = {form.at(picture): picture.path for picture in made.pictures}
    return pictures | {row.crop: made.crops[row.sample.name] for row in rows}


@contextmanager
def _into(to: Path) -> Iterator[Put]:
    """A new folder or zip, which has its name only when all of it is there."""
    if to.exists() and (to.is_file() or any(to.iterdir())):
        raise ExchangeError(f"{to} is there already; give the name of a new folder or zip")
    to.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f"{to.name}{atomic_files.PART}-", dir=to.parent))
    try:
        if to.suffix.lower() == ".zip":
            with zipfile.ZipFile(unfinished / to.name, "w", zipfile.ZIP_STORED) as archive:
                yield _packing(archive)
            (unfinished / to.name).replace(to)
        else:
            yield _filing(unfinished)
            unfinished.chmod(0o755)
            unfinished.replace(to)
    finally:
        atomic_files.remove(unfinished)


def _packing(archive: zipfile.ZipFile) -> Put:
    """Pictures are pressed already, so that only texts are."""

    def put(name: str, what: Path | str) -> None:
        if isinstance(what, str):
            archive.writestr(name, what, zipfile.ZIP_DEFLATED)
        else:
            archive.write(what, name)

    return put


def _filing(folder: Path) -> Put:
    def put(name: str, what: Path | str) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(what, str):
            (folder / name).write_text(what, "utf-8")
        else:
            shutil.copyfile(what, folder / name)

    return put
