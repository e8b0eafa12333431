"""The COCO format: pictures in `data/`, all boxes in `labels.json`, and a file for each of train, val and test.

The layout is FiftyOne's for a COCODetectionDataset; the fields are those of cocodataset.org, and some of our own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from models.dataset.export_plan import SPLITS, BoxedDie, ExportPicture, ExportPlan
from models.dataset.foreign_annotations import Annotation, BoundingBox, FileTree, PictureIndex
from models.dataset.samples import ExchangeError, Sample, quoted


def picture_path(picture: ExportPicture) -> str:
    """Return the name of a picture's file in an export."""
    return f"data/{picture.name}"


def crop_path(sample: Sample) -> str:
    """Return the name of the file of a sample's own picture, for a sample in a frame; it has no boxes."""
    return f"crops/{sample.name}.png"


def annotation_files(plan: ExportPlan) -> dict[str, str]:
    """Return the texts of the JSON files, by name."""
    found = {"labels.json": _json(plan, plan.pictures)}
    for share in SPLITS:
        if pictures := [picture for picture in plan.pictures if picture.split == share]:
            found[f"{share}.json"] = _json(plan, pictures)
    return found


def _json(plan: ExportPlan, pictures: Iterable[ExportPicture]) -> str:
    numbers = {name: number for number, name in enumerate(plan.categories, 1)}
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for image, picture in enumerate(pictures, 1):
        images.append(_image(image, picture))
        for die in picture.dice:
            annotations.append(_annotation(len(annotations) + 1, image, numbers[die.category], picture, die))
    categories = [{"id": n, "name": name, "supercategory": name.rpartition(":")[0]} for name, n in numbers.items()]
    info = {"description": "Dice captured by Vander", "version": "1"}
    whole = {"info": info, "licenses": [], "images": images, "annotations": annotations, "categories": categories}
    return json.dumps(whole, indent=1, allow_nan=False)


def _image(number: int, picture: ExportPicture) -> dict[str, Any]:
    taken_at = min(die.sample.taken_at for die in picture.dice)
    return {
        "id": number,
        "file_name": picture.name,
        "width": picture.width,
        "height": picture.height,
        "date_captured": f"{taken_at:%Y-%m-%d %H:%M:%S}",
        "split": picture.split,
        "session": picture.dice[0].sample.session,
    }


def _annotation(number: int, image: int, category: int, picture: ExportPicture, die: BoxedDie) -> dict[str, Any]:
    """Return an annotation. `segmentation` is empty: with one, some programs would draw every die twice."""
    box, label = die.box, die.sample.label
    return {
        "id": number,
        "image_id": image,
        "category_id": category,
        "bbox": [box.left, box.top, box.width, box.height],
        "area": round(box.width * box.height, 3),
        "iscrowd": 0,
        "segmentation": [],
        "die": die.sample.name,
        "session": die.sample.session,
        "split": picture.split,
        "edge": round(die.place.edge, 3),
        "turned_degrees": round(die.place.turned_degrees, 3),
        "said_by": label.by if label else "",
        "said_at": label.at.isoformat() if label else "",
    }


def read_annotations(tree: FileTree, root: str) -> list[Annotation]:
    """Return the boxes in a folder, of `labels.json` or else of every COCO file. Raises ExchangeError.

    Crowds (`iscrowd` 1, also as a text) are left out.
    """
    first = f"{root}labels.json"
    names = [first] if first in tree.files else sorted(tree.named(".json"))
    wholes = [(name, whole) for name in names if (whole := _whole(tree, name)) is not None]
    if not wholes:
        raise ExchangeError(f"{tree.name} holds no COCO file: a .json with images, annotations and categories")
    files = [_CocoFile(tree, name, whole) for name, whole in wholes]
    boxes = [one for file in files for one in file.boxes()]
    here = {picture for file in files for picture in file.pictures.here}
    for file in files:
        for picture, text in file.pictures.elsewhere.items():
            if picture in here:  # that of another folder has the same name
                raise ExchangeError(f"the picture {quoted(text)} of {quoted(file.name)} is not there")
    return boxes


def _whole(tree: FileTree, name: str) -> dict[str, Any] | None:
    try:
        whole = json.loads(tree.text(name))
    except (ValueError, RecursionError) as error:
        if isinstance(error, ExchangeError):
            raise
        raise ExchangeError(f"{quoted(name)} is no JSON, or is damaged") from None
    lists = ("images", "annotations", "categories")
    return whole if isinstance(whole, dict) and all(isinstance(whole.get(key), list) for key in lists) else None


class _CocoFile:
    """One COCO file."""

    def __init__(self, tree: FileTree, name: str, whole: dict[str, Any]) -> None:
        self.name, self._whole = name, whole
        self.pictures = PictureIndex(tree, PurePosixPath(name).parent)

    def boxes(self) -> list[Annotation]:
        try:
            names = _names_by_id(self.name, self._whole["categories"], "name")
            pictures = _names_by_id(self.name, self._whole["images"], "file_name")
            sizes = {row["id"]: _size(row) for row in self._whole["images"]}
            dice = [row for row in self._whole["annotations"] if not _is_crowd(row.get("iscrowd"))]
            return [self._box(row, names, pictures, sizes) for row in dice]
        except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
            if isinstance(error, ExchangeError):
                raise
            raise ExchangeError(
                f"{quoted(self.name)} lacks something that COCO asks for, or has it otherwise"
            ) from None

    def _box(
        self,
        row: dict[str, Any],
        names: dict[int, str],
        pictures: dict[int, str],
        sizes: dict[int, tuple[int, int] | None],
    ) -> Annotation:
        if row["category_id"] not in names:
            raise ExchangeError(
                f"{quoted(self.name)} has a box of category {quoted(row['category_id'])}, which it lacks"
            )
        if row["image_id"] not in pictures:
            raise ExchangeError(f"{quoted(self.name)} has a box in image {quoted(row['image_id'])}, which it lacks")
        left, top, width, height = (_number(n) for n in row["bbox"])
        edge, turned = (_number(row.get(key) or 0) for key in ("edge", "turned_degrees"))
        picture = self.pictures.find(pictures[row["image_id"]])
        box, drawn_on = BoundingBox(left, top, width, height), sizes[row["image_id"]]
        return Annotation(picture, names[row["category_id"]], box, False, edge, turned, drawn_on)


def _size(image: dict[str, Any]) -> tuple[int, int] | None:
    """Return the width and height that a row states of its picture; None where it states none, or 0."""
    width, height = (int(image.get(key) or 0) for key in ("width", "height"))
    return (width, height) if width and height else None


CROWDS = {None: False, "": False, "0": False, "false": False, "1": True, "true": True}


def _is_crowd(value: object) -> bool:
    """Return what `iscrowd` says, also where a program wrote the number as a text. Raises KeyError."""
    said = value if value is None else str(value).strip().casefold()
    return CROWDS[said]


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def _names_by_id(name: str, rows: list[dict[str, Any]], key: str) -> dict[int, str]:
    """Return what the rows are called, by their ids. Raises ExchangeError where two have the same id."""
    called = {row["id"]: row[key] for row in rows}
    if len(called) < len(rows):
        raise ExchangeError(f"{quoted(name)} gives two {'categories' if key == 'name' else 'images'} the same id")
    if not all(isinstance(text, str) for text in called.values()):
        raise TypeError(key)
    return called
