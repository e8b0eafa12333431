"""YOLO: `images/` and `labels/` with a folder for each of train, val and test, and `data.yaml` with the classes.

Each picture has a text with a line a die: class, middle and size of its box in shares of the picture.
"""

from __future__ import annotations

import json
import math
from pathlib import Path, PurePosixPath

import yaml

from models.dataset.archives import PICTURES, FileTree
from models.dataset.bounding_boxes import BoundingBox
from models.dataset.dataset_errors import ExchangeError
from models.dataset.export_plan import ExportPicture, ExportPlan
from models.dataset.foreign_annotations import Annotation
from models.dataset.samples import Sample, quoted
from models.dataset.splits import SPLITS

MOST_YAML = 200_000
"""Letters of a YAML file that are read; the classes of the largest public data sets take 30,000."""


def at(picture: ExportPicture) -> str:
    """Where a picture goes."""
    return f"images/{picture.split}/{picture.name}"


def crop_at(sample: Sample) -> str:
    """Where the own picture of a die in a frame goes; it has no boxes."""
    return f"crops/{sample.name}.png"


def texts(plan: ExportPlan) -> dict[str, str]:
    """The files of boxes and classes."""
    numbers = {name: number for number, name in enumerate(plan.categories)}
    found = {"data.yaml": _yaml(plan)}
    for picture in plan.pictures:
        lines = [_line(numbers[die.category], die.box.shared(picture.width, picture.height)) for die in picture.dice]
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


def found(tree: FileTree, root: str) -> list[Annotation]:
    """The boxes in a folder: every text beside a picture, or in `labels` where the picture is in `images`.

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
    """Where a picture's text may be, without its ending."""
    path = PurePosixPath(picture).with_suffix("")
    parts = list(path.parts)
    if "images" in parts:
        parts[len(parts) - 1 - parts[::-1].index("images")] = "labels"
    return [str(PurePosixPath(*parts)), str(path)]


def _classes(tree: FileTree) -> dict[int, str]:
    """What the numbers mean, by data.yaml or another .yaml, or by classes.txt; else each is called by its number."""
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
    """Middle and size, perhaps with a confidence behind; or else the corners of an outline, x and y in turn."""
    if len(numbers) <= 5:
        x, y, width, height = numbers[:4]
        return BoundingBox(x - width / 2, y - height / 2, width, height)
    across, down = numbers[::2], numbers[1::2]
    return BoundingBox(min(across), min(down), max(across) - min(across), max(down) - min(down))
