"""Axis-aligned boxes, as other programs draw them, and the rotated squares of dice."""

from __future__ import annotations

import math
from dataclasses import dataclass

from vision.rectification import RotatedSquare

MEAN_SPREAD = 4 / math.pi
"""A square of edge 1, turned by t, has a box of |cos t| + |sin t| a side: on average over all turns 4 / pi."""
BEYOND = 2.0
"""Pixels by which a box may reach beyond its picture without a word, since programs round."""
LEAST_INSIDE = 0.5
"""The fraction of a box that must lie in its picture: with less of it, the box was drawn on another picture."""
SAME = 2.0
"""Pixels by which the sides of a box may differ from those that were exported."""


@dataclass(frozen=True)
class BoundingBox:
    """Left, top, width and height in pixels; the picture's corner is at 0, 0."""

    left: float
    top: float
    width: float
    height: float

    def to_fractions(self, width: int, height: int) -> BoundingBox:
        """Return the box in fractions of a picture's width and height."""
        return BoundingBox(self.left / width, self.top / height, self.width / width, self.height / height)

    def to_pixels(self, width: int, height: int) -> BoundingBox:
        """Return a box in fractions of a picture in pixels of a picture of that size."""
        return BoundingBox(self.left * width, self.top * height, self.width * width, self.height * height)

    @property
    def is_valid(self) -> bool:
        """True if all numbers are finite and the box is not empty."""
        numbers = (self.left, self.top, self.width, self.height)
        return all(math.isfinite(n) and abs(n) < 1e7 for n in numbers) and self.width > 0 and self.height > 0

    def reaches_beyond(self, width: int, height: int) -> bool:
        """True if the box reaches beyond a picture of that size by more than BEYOND pixels."""
        right, bottom = self.left + self.width, self.top + self.height
        return min(self.left, self.top) < -BEYOND or right > width + BEYOND or bottom > height + BEYOND

    def cut_to(self, width: int, height: int) -> BoundingBox | None:
        """Return the part of the box in a picture of that size, or None where that is less than LEAST_INSIDE of it."""
        left, top = max(0.0, self.left), max(0.0, self.top)
        right, bottom = min(width, self.left + self.width), min(height, self.top + self.height)
        if right <= left or bottom <= top:
            return None
        part = BoundingBox(left, top, right - left, bottom - top)
        return part if part.width * part.height >= LEAST_INSIDE * self.width * self.height else None

    def turned_upright(self, orientation: int, width: int, height: int) -> BoundingBox:
        """Return a box of a picture that is stored with an EXIF orientation, in the upright picture of that size."""
        box = BoundingBox(self.top, self.left, self.height, self.width) if orientation >= 5 else self
        left = width - box.left - box.width if orientation in (2, 3, 6, 7) else box.left
        top = height - box.top - box.height if orientation in (3, 4, 7, 8) else box.top
        return BoundingBox(left, top, box.width, box.height)

    def holds(self, place: RotatedSquare) -> bool:
        """True if the centre of a die lies in the box."""
        x, y = place.x + 0.5 - self.left, place.y + 0.5 - self.top
        return 0 <= x <= self.width and 0 <= y <= self.height

    def is_same(self, other: BoundingBox) -> bool:
        """True if the boxes are the same except for rounding."""
        sides = ((self.left, other.left), (self.top, other.top), (self.width, other.width), (self.height, other.height))
        return all(abs(one - two) <= SAME for one, two in sides)


def box_of(place: RotatedSquare, width: int, height: int) -> BoundingBox:
    """Return the axis-aligned box around a die's top face, cut to a picture of that size.

    A place is measured from the centre of the first pixel, a box from its corner.
    """
    turn = math.radians(place.turned_degrees)
    reach = place.edge * (abs(math.cos(turn)) + abs(math.sin(turn))) / 2
    left, right = (min(width, max(0.0, place.x + 0.5 + side * reach)) for side in (-1, 1))
    top, bottom = (min(height, max(0.0, place.y + 0.5 + side * reach)) for side in (-1, 1))
    return BoundingBox(round(left, 3), round(top, 3), round(right - left, 3), round(bottom - top, 3))


def place_of(box: BoundingBox, edge: float = 0.0, turned_degrees: float = 0.0) -> RotatedSquare:
    """Return the place of a die whose box is known, and its edge and turn too unless `edge` is 0."""
    longer = max(box.width, box.height)
    known = math.isfinite(edge) and math.isfinite(turned_degrees) and 0.5 * longer < edge < 1.5 * longer
    x, y = box.left + box.width / 2 - 0.5, box.top + box.height / 2 - 0.5
    return RotatedSquare(x, y, edge if known else longer / MEAN_SPREAD, turned_degrees if known else 0.0)
