"""The format with a folder for each face, `SET/KIND/FACE/NAME.png`, which image classifiers read."""

from __future__ import annotations

from pathlib import PurePosixPath

from models.dataset.export_plan import ExportPicture, ExportPlan
from models.dataset.foreign_annotations import PICTURES, UNLABELLED, Annotation, FileTree
from models.dataset.samples import ExchangeError, Sample, quoted

NO_FACES = ("frames", "crops")
"""Top-level folders that hold no face."""
NEITHER = ("train", "training", "val", "valid", "validation", "test", "images", "jpegimages", "data")
"""Names of a folder that name neither a face nor a kind of dice."""


def picture_path(picture: ExportPicture) -> str:
    """Return the name of a picture's file in an export."""
    return crop_path(picture.dice[0].sample) if picture.lone else f"frames/{picture.name}"


def crop_path(sample: Sample) -> str:
    """Return the name of the file of a sample's own picture."""
    label = sample.label
    inner = f"{label.kind}/{label.face}" if label else UNLABELLED
    return f"{sample.die_set}/{inner}/{sample.name}.png"


def annotation_files(plan: ExportPlan) -> dict[str, str]:
    """Return no files: the folders say it all."""
    return {}


def read_annotations(tree: FileTree, root: str) -> list[Annotation]:
    """Return every picture, with the face named by its folder and the kind named by the folder above.

    Raises ExchangeError.
    """
    names = [PurePosixPath(name) for name in tree.named(*PICTURES)]
    stems = {name.stem for name in names}
    boxes = [name for name in tree.named(".txt", ".xml", ".json") if PurePosixPath(name).stem in stems]
    if boxes:  # cameras or days may have folders here, which are no faces
        raise ExchangeError(f"{quoted(min(boxes))} labels a picture; import it as coco or yolo, or take it away")
    inside = [name for name in names if len(name.parts) > 1 and _below(name, root) not in NO_FACES]
    if not inside:
        raise ExchangeError(f"{tree.name} holds no folder with pictures; make one for each face")
    return [Annotation(str(name), _category(name, root)) for name in inside]


def _below(name: PurePosixPath, root: str) -> str:
    return PurePosixPath(str(name).removeprefix(root)).parts[0]


def _category(name: PurePosixPath, root: str) -> str:
    parts = PurePosixPath(str(name).removeprefix(root)).parts[:-1] or name.parts[:-1]
    kind = parts[-2] if len(parts) > 1 and parts[-2].casefold() not in NEITHER else ""
    if parts[-1].casefold() in NEITHER:
        raise ExchangeError(f"{quoted(str(name))} lies in no folder of a face; make one for each face")
    face = _escaped(parts[-1])
    return UNLABELLED if face == UNLABELLED else f"{_escaped(kind)}:{face}" if kind else face


def _escaped(text: str) -> str:
    """Return a folder's name without the marks that separate kind and face in a category."""
    return text.replace(":", " ").replace("/", " ")
