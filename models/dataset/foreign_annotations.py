"""What was found in a set from elsewhere: boxes in pictures, with what they are called."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import PurePosixPath

from models.dataset.archives import PICTURES, FileTree
from models.dataset.bounding_boxes import BoundingBox
from models.dataset.dataset_errors import ExchangeError
from models.dataset.samples import quoted

_MARKED = re.compile(r"^[0-9a-f]{8}(?:-|__)(?=.)")
"""Label Studio sets such a mark before the names of pictures that it stores or puts out."""


@dataclass(frozen=True)
class Annotation:
    """A die, or several of one face, in a picture: the picture's name in the tree, the category's text, and the box.

    No box: wherever dice lie in it. `in_shares`: the box is in shares of the picture, not pixels. `edge` (pixels) and
    `turned_degrees` are 0 where they are not known.
    """

    picture: str
    category: str
    box: BoundingBox | None = None
    in_shares: bool = False
    edge: float = 0.0
    turned_degrees: float = 0.0


class PictureIndex:
    """The pictures of a tree, as a file in some folder of it calls them."""

    def __init__(self, tree: FileTree, folder: PurePosixPath) -> None:
        self._folder, self._there = folder, tree.named(*PICTURES)
        self._alike: dict[str, list[str]] = defaultdict(list)
        for name in self._there:
            self._alike[PurePosixPath(name).name].append(name)

    def called(self, text: str) -> str:
        """The picture that is meant: beside the file, in `data` or `images` there, or the only one of that name.

        A mark of Label Studio's before the name does not count where no picture has it. Raises ExchangeError.
        """
        asked = PurePosixPath(text.replace("\\", "/"))
        for place in (self._folder, self._folder / "data", self._folder / "images"):
            if str(place / asked) in self._there:
                return str(place / asked)
        alike = self._alike.get(asked.name) or self._alike.get(_MARKED.sub("", asked.name, count=1), [])
        if len(alike) != 1:
            why = "is not there" if not alike else f"is there {len(alike)} times"
            raise ExchangeError(f"the picture {quoted(text)} {why}")
        return alike[0]
