"""Export samples for other programs, and import what they made."""

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
from models.dataset import coco, export_plan, face_folders, yolo
from models.dataset.export_plan import ExportPicture, ExportPlan, ManifestRow, plan_export
from models.dataset.foreign_annotations import Annotation, FileTree, open_tree
from models.dataset.importing import NO_OPTIONS, Importer, ImportOptions, ImportResult
from models.dataset.sample_store import SampleStore
from models.dataset.samples import ExchangeError, Sample, checked_face


class DatasetFormat(Protocol):
    """What the module of a format offers."""

    def picture_path(self, picture: ExportPicture) -> str:
        """Return the name of a picture's file in an export."""

    def crop_path(self, sample: Sample) -> str:
        """Return the name of the file of a sample's own picture, for a sample in a frame."""

    def annotation_files(self, plan: ExportPlan) -> dict[str, str]:
        """Return the texts of the files of boxes and classes, by the files' names."""

    def read_annotations(self, tree: FileTree, root: str) -> list[Annotation]:
        """Return what is in a folder of this format. Raises ExchangeError."""


FORMATS: Mapping[str, DatasetFormat] = {"coco": coco, "yolo": yolo, "faces": face_folders}
FORMAT_TITLES = {"coco": "COCO", "yolo": "YOLO", "faces": "folders"}

Put = Callable[[str, Path | str], None]
"""Adds a file, or a text, under a name."""


@dataclass(frozen=True)
class ExportResult:
    """What was exported: how many pictures, dice, and dice in each of train, val and test; and sentences for people."""

    pictures: int
    dice: int
    splits: Mapping[str, int]
    sentences: tuple[str, ...] = ()


def export_dataset(store: SampleStore, to: Path, form: str, die_set: str = "", waiting: bool = False) -> ExportResult:
    """Export samples of one die set, or of all, into a new folder, or a new zip if `to` ends in .zip: all or nothing.

    `form` is one of FORMATS. With `waiting`, samples without a label are exported too, as "unlabelled". Raises
    ExchangeError, NoSuchSample and SaveFailed.
    """
    chosen, made = _form(form), plan_export(store, die_set, waiting)
    rows = _rows(chosen, made)
    with atomic_files.saving(f"{to}"), _into(to) as put:
        for name, path in _pictures(chosen, made, rows).items():
            put(name, path)
        for name, text in chosen.annotation_files(made).items():
            put(name, text)
        put(export_plan.NAME, export_plan.format_manifest(form, made.sessions, rows))
    return ExportResult(len(made.pictures), len(rows), Counter(row.split for row in rows), made.sentences)


def import_dataset(store: SampleStore, path: Path, form: str, options: ImportOptions = NO_OPTIONS) -> ImportResult:
    """Import a folder or a zip of a format: all of it, or nothing.

    What Vander exported comes back as it was, except for new labels. Raises ExchangeError, BadSample and SaveFailed.
    """
    chosen = _form(form)
    checked_face(options.kind, "a kind")
    if options.die_set:
        checked_face(options.die_set, "a die set")
    with store.staging_folder() as place:
        tree = open_tree(path, place / "archive")
        root = _root(tree)
        sessions, rows = export_plan.read_manifest(tree, root)
        importer = Importer(store, place, tree, f"imported from {FORMAT_TITLES[form]}", options)
        importer.expect(sessions, rows)
        importer.add(chosen.read_annotations(tree, root))
        return importer.finish()


def _form(name: str) -> DatasetFormat:
    if name not in FORMATS:
        raise ExchangeError(f"there is no form {name!r}; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def _root(tree: FileTree) -> str:
    """Return the folder in the tree that Vander exported, with a slash at its end; '' for the tree itself."""
    lists = [PurePosixPath(name) for name in tree.files if PurePosixPath(name).name == export_plan.NAME]
    above = min((path.parent for path in lists), key=lambda path: len(path.parts), default=PurePosixPath())
    return f"{above}/" if above.parts else ""


def _rows(form: DatasetFormat, made: ExportPlan) -> list[ManifestRow]:
    frames = {die.sample.frame: form.picture_path(picture) for picture, die in made.dice if not picture.lone}
    return [_row(form, picture, die.sample, frames.get(die.sample.frame, "")) for picture, die in made.dice]


def _row(form: DatasetFormat, picture: ExportPicture, sample: Sample, frame: str) -> ManifestRow:
    at = form.picture_path(picture)
    return ManifestRow(sample, at, at if picture.lone else form.crop_path(sample), frame, picture.split)


def _pictures(form: DatasetFormat, made: ExportPlan, rows: Sequence[ManifestRow]) -> dict[str, Path]:
    pictures = {form.picture_path(picture): picture.path for picture in made.pictures}
    return pictures | {row.crop: made.crops[row.sample.name] for row in rows}


@contextmanager
def _into(to: Path) -> Iterator[Put]:
    """Yield what fills a new folder or zip, which gets its name only when it is complete."""
    if to.exists() and (to.is_file() or any(to.iterdir())):
        raise ExchangeError(f"{to} is there already; give the name of a new folder or zip")
    to.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f"{to.name}{atomic_files.PART}-", dir=to.parent))
    try:
        if to.suffix.lower() == ".zip":
            with zipfile.ZipFile(unfinished / to.name, "w", zipfile.ZIP_STORED) as archive:
                yield _zip_writer(archive)
            (unfinished / to.name).replace(to)
        else:
            yield _folder_writer(unfinished)
            unfinished.chmod(0o755)
            unfinished.replace(to)
    finally:
        atomic_files.remove(unfinished)


def _zip_writer(archive: zipfile.ZipFile) -> Put:
    """Return what adds to a zip; pictures are compressed already, so that only texts are deflated."""

    def put(name: str, what: Path | str) -> None:
        if isinstance(what, str):
            archive.writestr(name, what, zipfile.ZIP_DEFLATED)
        else:
            archive.write(what, name)

    return put


def _folder_writer(folder: Path) -> Put:
    def put(name: str, what: Path | str) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(what, str):
            (folder / name).write_text(what, "utf-8")
        else:
            shutil.copyfile(what, folder / name)

    return put
