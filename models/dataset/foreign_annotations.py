"""Annotations of other programs: boxes in pictures, each with a category."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import PurePosixPath

from models.dataset.archives import PICTURES, FileTree, composed
from models.dataset.bounding_boxes import BoundingBox
from models.dataset.dataset_errors import ExchangeError
from models.dataset.samples import quoted

_MARKED = re.compile(r"^[0-9a-f]{8}(?:-|__)(?=.)")
"""The prefix that Label Studio gives to the pictures that it stores or exports."""


@dataclass(frozen=True)
class Annotation:
    """A die, or several of one face, in a picture: the picture's name in the tree, the category's text, and the box.

    Without a box, dice lie anywhere in the picture. `in_shares`: the box is in fractions of the picture, not in pixels.
    `edge` (pixels) and `turned_degrees` are 0 where they are unknown. `drawn_on` is the picture's width and height as
    the labels state them, None where they state none.
    """

    picture: str
    category: str
    box: BoundingBox | None = None
    in_shares: bool = False
    edge: float = 0.0
    turned_degrees: float = 0.0
    drawn_on: tuple[int, int] | None = None


class PictureIndex:
    """Finds the pictures of a tree by the names that a file in one of its folders uses."""

    def __init__(self, tree: FileTree, folder: PurePosixPath) -> None:
        self._folder, self._there = folder, tree.named(*PICTURES)
        self._alike: dict[str, list[str]] = defaultdict(list)
        for name in self._there:
            self._alike[PurePosixPath(name).name].append(name)

    def find(self, text: str) -> str:
        """Return a picture: next to the file, in `data` or `images` there, or the only one of that name anywhere.

        Label Studio's prefix is ignored where no picture has it. Raises ExchangeError.
        """
        asked = PurePosixPath(composed(text).replace("\\", "/"))
        for place in (self._folder, self._folder / "data", self._folder / "images"):
            if str(place / asked) in self._there:
                return str(place / asked)
        alike = self._alike.get(asked.name) or self._alike.get(_MARKED.sub("", asked.name, count=1), [])
        if len(alike) != 1:
            why = "is not there" if not alike else f"is there {len(alike)} times"
            raise ExchangeError(f"the picture {quoted(text)} {why}")
        return alike[0]
