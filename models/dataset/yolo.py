"""The YOLO format: `images/` and `labels/` with a folder for each split, and `data.yaml` with the classes.

Each picture has a text with a line for each die: class, centre and size of its box, as fractions of the picture.
"""

from __future__ import annotations

import json
import math
from pathlib import Path, PurePosixPath

import yaml

from models.dataset.archives import PICTURES, FileTree
from models.dataset.bounding_boxes import BoundingBox
from models.dataset.dataset_errors import ExchangeError
from models.dataset.export_plan import SPLITS, ExportPicture, ExportPlan
from models.dataset.foreign_annotations import Annotation
from models.dataset.samples import Sample, quoted

MOST_YAML = 200_000
"""Letters of a YAML file that are read; the classes of the largest public data sets take 30,000."""


def picture_path(picture: ExportPicture) -> str:
    """Return the name of a picture's file in an export."""
    return f"images/{picture.split}/{picture.name}"


def crop_path(sample: Sample) -> str:
    """Return the name of the file of a sample's own picture, for a sample in a frame; it has no boxes."""
    return f"crops/{sample.name}.png"


def annotation_files(plan: ExportPlan) -> dict[str, str]:
    """Return the texts of the files of boxes and classes, by name."""
    numbers = {name: number for number, name in enumerate(plan.categories)}
    found = {"data.yaml": _yaml(plan)}
    for picture in plan.pictures:
        lines = [
            _line(numbers[die.category], die.box.to_fractions(picture.width, picture.height)) for die in picture.dice
        ]
        found[f"labels/{picture.split}/{Path(picture.name).stem}.txt"] = "".join(lines)
    return found


def _line(number: int, box: BoundingBox) -> str:
    x, y = box.left + box.width / 2, box.top + box.height / 2
    return f"{number} {x:.7f} {y:.7f} {box.width:.7f} {box.height:.7f}\n"


def _yaml(plan: ExportPlan) -> str:
    there = {picture.split for picture in plan.pictures}
    lines = [f"{share}: images/{share}" for share in SPLITS if share in there]
    lines += ["names:", *(f"  {number}: {json.dumps(name)}" for number, name in enumerate(plan.categories))]
    return "\n".join(lines) + "\n"


def read_annotations(tree: FileTree, root: str) -> list[Annotation]:
    """Return the boxes in a folder, from the text next to each picture, or in `labels` for a picture in `images`.

    Raises ExchangeError.
    """
    classes = _classes(tree)
    texts = {str(PurePosixPath(name).with_suffix("")): name for name in tree.named(".txt")}
    boxes: list[Annotation] = []
    for picture in tree.named(*PICTURES):
        text = next((texts[place] for place in _text_places(picture) if place in texts), None)
        if text is not None:
            boxes += _boxes(tree, text, picture, classes)
    if not boxes:
        raise ExchangeError(f"{tree.name} holds no boxes: pictures in images, and a text for each of them in labels")
    return boxes


def _text_places(picture: str) -> list[str]:
    """Return the paths that a picture's text may have, without its suffix."""
    path = PurePosixPath(picture).with_suffix("")
    parts = list(path.parts)
    if "images" in parts:
        parts[len(parts) - 1 - parts[::-1].index("images")] = "labels"
    return [str(PurePosixPath(*parts)), str(path)]


def _classes(tree: FileTree) -> dict[int, str]:
    """Return the classes by number, from data.yaml, another .yaml or classes.txt; {} where there are none."""
    for name in sorted(tree.named(".yaml", ".yml"), key=lambda name: (name.count("/"), name)):
        if names := _names_in(name, tree.text(name)):
            return names
    for name in tree.named(".txt"):
        if PurePosixPath(name).name == "classes.txt":
            return dict(enumerate(line.strip() for line in tree.text(name).splitlines() if line.strip()))
    return {}


class _TextLoader(yaml.SafeLoader):
    """A SafeLoader that guesses no types: a class named `no` stays "no", and `1:30` is not 90."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - PyYAML declares it so


def _names_in(name: str, text: str) -> dict[int, str]:
    """Return the classes by number from `names` of a YAML file, a list or a mapping; none where it has no `names`.

    Raises ExchangeError.
    """
    if len(text) > MOST_YAML:
        raise ExchangeError(f"{quoted(name)} has more than {MOST_YAML:,} letters, which no list of classes has")
    try:
        return _numbered(yaml.load(text, Loader=_TextLoader))  # noqa: S506 - it is a SafeLoader
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        raise ExchangeError(f"the classes in {quoted(name)} cannot be read; write a name a line under names:") from None


def _numbered(whole: object) -> dict[int, str]:
    """Return `names` of a YAML document by number. Raises ValueError and TypeError."""
    names = (whole.get("names") or {}) if isinstance(whole, dict) else {}
    if isinstance(names, list):
        names = dict(enumerate(names))
    if not isinstance(names, dict) or not all(isinstance(title, str) for title in names.values()):
        raise TypeError(names)
    return {int(number): title for number, title in names.items()}


def _boxes(tree: FileTree, text: str, picture: str, classes: dict[int, str]) -> list[Annotation]:
    lines = [(number, line.split()) for number, line in enumerate(tree.text(text).splitlines(), 1) if line.strip()]
    return [_box(f"{quoted(text)} line {number}", words, picture, classes) for number, words in lines]


def _box(where: str, words: list[str], picture: str, classes: dict[int, str]) -> Annotation:
    try:
        number, numbers = int(words[0]), [float(word) for word in words[1:]]
    except ValueError:
        raise ExchangeError(f"{where} holds something else than numbers") from None
    if classes and number not in classes:
        raise ExchangeError(f"{where} has a box of class {number}, which the set lacks")
    if not all(math.isfinite(n) for n in numbers) or len(numbers) < 4:
        raise ExchangeError(f"{where} is no box")
    return Annotation(picture, classes.get(number, str(number)), _upright(numbers), in_shares=True)


def _upright(numbers: list[float]) -> BoundingBox:
    """Return a box from centre and size, with or without a confidence, or else from the corners of an outline."""
    if len(numbers) <= 5:
        x, y, width, height = numbers[:4]
        return BoundingBox(x - width / 2, y - height / 2, width, height)
    across, down = numbers[::2], numbers[1::2]
    return BoundingBox(min(across), min(down), max(across) - min(across), max(down) - min(down))
