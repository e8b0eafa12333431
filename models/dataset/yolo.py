"""The YOLO format: `images/` and `labels/` with a folder for each split, and `data.yaml` with the classes.

Each picture has a text with a line for each die: class, centre and size of its box, as fractions of the picture.
"""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Iterable
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from models.dataset.export_plan import SPLITS, ExportPicture, ExportPlan
from models.dataset.foreign_annotations import PICTURES, Annotation, BoundingBox, FileTree
from models.dataset.samples import ExchangeError, Sample, quoted

CLASSES = ("classes.txt", "_classes.txt")
"""Texts with the name of a class a line; so are all `.names` (CVAT, Darknet) and `.labels` (Roboflow)."""
NOTES = "notes.json"
"""The list of classes that Label Studio puts beside its boxes."""
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
    texts = {str(PurePosixPath(name).with_suffix("")): name for name in tree.named(".txt")}
    text_of = {
        picture: texts[place]
        for picture in tree.named(*PICTURES)
        for place in reversed(_text_places(picture))
        if place in texts
    }
    _check_pictures(tree, set(texts.values()) - set(text_of.values()))
    pictures_of: dict[str, str] = {}
    for picture, text in text_of.items():
        if pictures_of.setdefault(text, picture) != picture:
            raise ExchangeError(f"{quoted(pictures_of[text])} and {quoted(picture)} have one text; take one away")
    lines = {picture: _lines(tree, text) for picture, text in text_of.items()}
    if not any(lines.values()):
        raise ExchangeError(f"{tree.name} holds no boxes: pictures in images, and a text for each of them in labels")
    classes, has_keypoints = _classes(tree), _has_keypoints(tree)
    return [
        _box(f"{quoted(text_of[picture])} line {number}", words[:5] if has_keypoints else words, picture, classes)
        for picture, rows in lines.items()
        for number, words in rows
    ]


def _check_pictures(tree: FileTree, alone: Iterable[str]) -> None:
    """Check that no text has boxes of a picture that is not there. Raises ExchangeError."""
    for text in sorted(alone):
        lines = [words for _, words in _lines(tree, text)]
        if lines and all(len(words) >= 5 and _is_number(words[0]) and _is_number(words[-1]) for words in lines):
            raise ExchangeError(f"the picture of {quoted(text)} is not there")


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _lines(tree: FileTree, text: str) -> list[tuple[int, list[str]]]:
    """Return the words of each line that has some, and its number."""
    return [(number, line.split()) for number, line in enumerate(tree.text(text).splitlines(), 1) if line.strip()]


def _text_places(picture: str) -> list[str]:
    """Return the paths that a picture's text may have, without its suffix."""
    path = PurePosixPath(picture).with_suffix("")
    parts = list(path.parts)
    if "images" in parts:
        parts[len(parts) - 1 - parts[::-1].index("images")] = "labels"
    return [str(PurePosixPath(*parts)), str(path)]


def _classes(tree: FileTree) -> dict[int, str]:
    """Return the classes by number, from every list of classes that is there.

    Raises ExchangeError where there is none, since a class's number says nothing of a face, and where two differ.
    """
    found: dict[str, dict[int, str]] = {}
    for name in sorted(tree.files, key=lambda name: (name.count("/"), name)):
        if _is_yaml(name):
            found[name] = _names_in(name, tree.text(name))
        elif _lists_classes(name):
            found[name] = _names_by_line(tree.text(name))
        elif PurePosixPath(name).name.casefold() == NOTES:
            found[name] = _names_in_notes(name, tree.text(name))
    (first, classes), *others = [(name, names) for name, names in found.items() if names] or [("", {})]
    if not classes:
        raise ExchangeError(
            f"{tree.name} does not say what its classes are called; put a file {CLASSES[0]} into it, with a name a line"
        )
    for name, names in others:
        if names != classes:
            raise ExchangeError(f"{quoted(first)} and {quoted(name)} name the classes differently; take one away")
    if len(set(classes.values())) < len(classes) or any(name.startswith("#") for name in classes.values()):
        raise ExchangeError(f"{quoted(first)} has a comment or a name twice, so that its numbers may be others")
    return classes


def _lists_classes(name: str) -> bool:
    """True if a file of that name has the name of a class in each line."""
    path = PurePosixPath(name.casefold())
    return path.name in CLASSES or path.suffix in (".names", ".labels")


def _names_by_line(text: str) -> dict[int, str]:
    """Return the classes by number: that of their line, also behind an empty one."""
    return {number: line.strip() for number, line in enumerate(text.split("\n")) if line.strip()}


def _names_in_notes(name: str, text: str) -> dict[int, str]:
    """Return the classes by number from Label Studio's notes; none where they have none. Raises ExchangeError."""
    try:
        whole = json.loads(text)
        rows = (whole.get("categories") or []) if isinstance(whole, dict) else []
        return _checked({int(row["id"]): row["name"] for row in rows})
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise ExchangeError(f"the classes in {quoted(name)} cannot be read") from None


class _TextLoader(yaml.SafeLoader):
    """A SafeLoader that guesses no types: a class named `no` stays "no", and `1:30` is not 90. No key comes twice."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - PyYAML declares it so

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Return a mapping. Raises ValueError for a key that comes twice, of which PyYAML takes the last."""
        found = super().construct_mapping(node, deep)
        if len(found) < len(node.value):
            raise ValueError(node.start_mark)
        return found


def _is_yaml(name: str) -> bool:
    return name.lower().endswith((".yaml", ".yml"))


def _has_keypoints(tree: FileTree) -> bool:
    """True if points of a pose follow each box, by `kpt_shape` in a YAML file: they look like corners of an outline."""
    return any("kpt_shape:" in tree.text(name) for name in tree.files if _is_yaml(name))


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
    """Return `names` of a YAML document by number. Raises ValueError, also where `nc` counts others, and TypeError."""
    names = (whole.get("names") or {}) if isinstance(whole, dict) else {}
    if names and isinstance(whole, dict) and int(whole.get("nc") or len(names)) != len(names):
        raise ValueError(whole["nc"])
    if isinstance(names, list):
        names = dict(enumerate(names))
    if not isinstance(names, dict):
        raise TypeError(names)
    return _checked({int(number): title for number, title in names.items()})


def _checked(names: dict[int, str]) -> dict[int, str]:
    """Return names without the blanks around them. Raises TypeError for what is no text."""
    if not all(isinstance(title, str) for title in names.values()):
        raise TypeError(names)
    return {number: title.strip() for number, title in names.items()}


def _box(where: str, words: list[str], picture: str, classes: dict[int, str]) -> Annotation:
    try:
        number, numbers = int(words[0]), [float(word) for word in words[1:]]
    except ValueError:
        raise ExchangeError(f"{where} holds something else than numbers") from None
    if number not in classes:
        raise ExchangeError(f"{where} has a box of class {number}, which the set lacks")
    if not all(math.isfinite(n) for n in numbers) or len(numbers) < 4 or (len(numbers) > 5 and len(numbers) % 2):
        raise ExchangeError(f"{where} is no box")
    return Annotation(picture, classes[number], _upright(numbers), in_shares=True)


def _upright(numbers: list[float]) -> BoundingBox:
    """Return a box from centre and size, with or without a confidence, or else from the corners of an outline."""
    if len(numbers) <= 5:
        x, y, width, height = numbers[:4]
        return BoundingBox(x - width / 2, y - height / 2, width, height)
    across, down = numbers[::2], numbers[1::2]
    return BoundingBox(min(across), min(down), max(across) - min(across), max(down) - min(down))
