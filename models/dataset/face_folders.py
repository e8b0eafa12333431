"""A folder a face: `SET/KIND/FACE/NAME.png`, as tools that sort pictures into classes like it."""

from __future__ import annotations

from pathlib import PurePosixPath

from models.dataset.archives import PICTURES, FileTree
from models.dataset.dataset_errors import ExchangeError
from models.dataset.export_plan import ExportPicture, ExportPlan
from models.dataset.foreign_annotations import Annotation
from models.dataset.label_names import UNLABELLED
from models.dataset.samples import Sample

ASIDE = ("frames", "crops")
"""Folders at the top that hold no face."""
NOT_KINDS = ("train", "training", "val", "valid", "validation", "test", "images", "data")
"""Folders above those of the faces that are no kinds of dice."""


def at(picture: ExportPicture) -> str:
    """Where a picture goes."""
    return crop_at(picture.dice[0].sample) if picture.lone else f"frames/{picture.name}"


def crop_at(sample: Sample) -> str:
    """Where a die's own picture goes."""
    label = sample.label
    inner = f"{label.kind}/{label.face}" if label else UNLABELLED
    return f"{sample.die_set}/{inner}/{sample.name}.png"


def texts(plan: ExportPlan) -> dict[str, str]:
    """No file but the list that goes along."""
    return {}


def found(tree: FileTree, root: str) -> list[Annotation]:
    """Every picture with the face that its folder is called by, and the kind that the folder above is called by.

    Raises ExchangeError.
    """
    names = [PurePosixPath(name) for name in tree.named(*PICTURES)]
    inside = [name for name in names if len(name.parts) > 1 and _below(name, root) not in ASIDE]
    if not inside:
        raise ExchangeError(f"{tree.name} holds no folder with pictures; make one for each face")
    return [Annotation(str(name), _category(name, root)) for name in inside]


def _below(name: PurePosixPath, root: str) -> str:
    return PurePosixPath(str(name).removeprefix(root)).parts[0]


def _category(name: PurePosixPath, root: str) -> str:
    parts = PurePosixPath(str(name).removeprefix(root)).parts[:-1] or name.parts[:-1]
    kind = parts[-2] if len(parts) > 1 and parts[-2].casefold() not in NOT_KINDS else ""
    face = _escaped(parts[-1])
    return UNLABELLED if face == UNLABELLED else f"{_escaped(kind)}:{face}" if kind else face


def _escaped(text: str) -> str:
    """A folder's name holds no mark between kind and face."""
    return text.replace(":", " ").replace("/", " ")
