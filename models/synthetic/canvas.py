"""A transparent canvas, in units of the die's edge: the face extends from -0.5 to 0.5, x right, y down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

Colour = tuple[int, int, int]
"""Blue, green and red, each 0 to 255."""

Points = Sequence[tuple[float, float]] | npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

CUT: tuple[int, int, int, int] = (0, 0, 0, 0)
_BITS = 4
_MAX_STROKE = 0.24  # of a letter's height: a thicker stroke would close the loops of letters


def bgr(text: str) -> Colour:
    """Return the colour of `#rrggbb`."""
    return int(text[5:7], 16), int(text[3:5], 16), int(text[1:3], 16)


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """Return a colour by hue (degrees, of any range), saturation and value (0 to 1)."""
    pixel = np.array([[[hue % 360.0, saturation, value]]], np.float32)
    blue, green, red = (cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255).round().astype(int).tolist()
    return blue, green, red


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return a mixture of two colours, with `share` (0 to 1) of the second."""
    blue, green, red = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return blue, green, red


def luma(colour: Colour) -> float:
    """Return the luma of a colour (ITU-R BT.601), 0 to 255."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def contrast(one: Colour, other: Colour) -> float:
    """Return a perceptual difference of two colours, 0 to about 255; mostly by luma."""
    chroma = float(np.linalg.norm(np.subtract(one, other))) / 3**0.5
    return 0.7 * abs(luma(one) - luma(other)) + 0.3 * chroma


def curve(centre: tuple[float, float], radii: tuple[float, float], start: float, end: float) -> npt.NDArray[np.float64]:
    """Return points, (n, 2), along an ellipse from `start` to `end` degrees; 0 is right and 90 is down."""
    angles = np.radians(np.linspace(start, end, max(8, int(abs(end - start) / 6))))
    return np.stack([centre[0] + radii[0] * np.cos(angles), centre[1] + radii[1] * np.sin(angles)], axis=1)


class Canvas:
    """A square transparent canvas. Later strokes cover earlier ones; the colour None cuts a hole."""

    def __init__(self, side: int) -> None:
        self.side = side
        self.paint = np.zeros((side, side, 4), np.uint8)

    def polygon(self, points: Points, colour: Colour | None) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.paint, [self._to_pixels(points)], _ink(colour), cv2.LINE_8, _BITS)

    def line(self, points: Points, width: float, colour: Colour | None, closed: bool = False) -> None:
        """Draw a polyline with round ends and joins."""
        cv2.polylines(
            self.paint, [self._to_pixels(points)], closed, _ink(colour), self._width(width), cv2.LINE_8, _BITS
        )

    def disc(self, x: float, y: float, radius: float, colour: Colour | None, height: float | None = None) -> None:
        """Fill a disc, or an upright ellipse if `height`, its half-height, is given."""
        self.polygon(curve((x, y), (radius, radius if height is None else height), 0, 360), colour)

    def ring(self, x: float, y: float, radius: float, width: float, colour: Colour | None) -> None:
        """Draw a circle; `radius` is that of the middle of the stroke."""
        self.line(curve((x, y), (radius, radius), 0, 360), width, colour, closed=True)

    def square(self, half: float, corner: float, colour: Colour | None, x: float = 0.0, y: float = 0.0) -> None:
        """Fill a square of half-side `half` with corners of radius `corner`."""
        self.rounded_rectangle((x, y), (half, half), corner, colour)

    def rounded_rectangle(
        self, at: tuple[float, float], half: tuple[float, float], corner: float, colour: Colour | None
    ) -> None:
        """Fill a rectangle with round corners."""
        self.polygon(rounded_outline(at, half, corner), colour)

    def text(self, words: str, font: int, box: tuple[float, float], width: float, colour: Colour | None) -> None:
        """Write in one of OpenCV's stroke fonts, fitted into a box (width, height) around the centre."""
        self.text_at(words, font, (0.0, 0.0), box, width, colour)

    def text_at(  # noqa: PLR0913, PLR0917 - a text has a place, a font and an ink, and each is said once
        self,
        words: str,
        font: int,
        at: tuple[float, float],
        box: tuple[float, float],
        width: float,
        colour: Colour | None,
    ) -> None:
        """Write the same around another point."""
        (wide, high), _ = cv2.getTextSize(words, font, 10.0, 1)
        room = [max((side - width) * self.side, 1.0) for side in box]
        scale = min(room[0] / wide, room[1] / high) * 10.0
        (wide, high), _ = cv2.getTextSize(words, font, scale, 1)
        thick = max(1, min(self._width(width), round(_MAX_STROKE * high)))
        left, foot = (at[0] + 0.5) * self.side - wide / 2, (at[1] + 0.5) * self.side + high / 2
        cv2.putText(self.paint, words, (round(left), round(foot)), font, scale, _ink(colour), thick)

    def stamp(self, mask: Pixels, at: tuple[float, float], half: tuple[float, float], colour: Colour | None) -> None:
        """Print a mask (ink above 127), scaled to fit into a box around a point, its aspect ratio kept."""
        high, wide = mask.shape
        scale = min(2 * half[0] * self.side / wide, 2 * half[1] * self.side / high)
        left, top = ((at[0] + 0.5) * self.side - scale * wide / 2, (at[1] + 0.5) * self.side - scale * high / 2)
        turn = np.array([[scale, 0.0, left], [0.0, scale, top]])
        self.paint[cv2.warpAffine(mask, turn, (self.side, self.side)) > 127] = _ink(colour)

    def transform(self, turn: float, grow: float, shift: tuple[float, float]) -> None:
        """Rotate (degrees), scale and shift everything drawn so far, as a careless print does."""
        middle = self.side / 2
        matrix = cv2.getRotationMatrix2D((middle, middle), turn, grow)
        matrix[:, 2] += np.multiply(shift, self.side)
        self.paint = np.asarray(cv2.warpAffine(self.paint, matrix, (self.side, self.side)), np.uint8)

    def downscaled(self, size: int) -> Pixels:
        """Return the canvas at its final size, (size, size, 4): premultiplied BGR, and the coverage."""
        return np.asarray(cv2.resize(self.paint, (size, size), interpolation=cv2.INTER_AREA), np.uint8)

    def _to_pixels(self, points: Points) -> npt.NDArray[np.int32]:
        return np.rint((np.asarray(points, np.float64) + 0.5) * (self.side << _BITS)).astype(np.int32)

    def _width(self, width: float) -> int:
        return max(1, round(width * self.side))


def rounded_outline(at: tuple[float, float], half: tuple[float, float], corner: float) -> npt.NDArray[np.float64]:
    """Return the outline, (n, 2), of a rectangle with round corners."""
    right, low = half[0] - corner, half[1] - corner
    corners: Iterable[tuple[float, float, float]] = (
        (right, low, 0),
        (-right, low, 90),
        (-right, -low, 180),
        (right, -low, 270),
    )
    return np.concatenate(
        [curve((at[0] + x, at[1] + y), (corner, corner), start, start + 90) for x, y, start in corners]
    )


def _ink(colour: Colour | None) -> tuple[int, int, int, int]:
    return CUT if colour is None else (*colour, 255)
