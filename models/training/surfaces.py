"""Procedural table surfaces, drawn with NumPy and OpenCV, and which lamps are for which use."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Use

# Procedural table surfaces (felt, wood, cloth and the like), drawn with NumPy and OpenCV
#
# Every maker takes a size in pixels and a generator, and returns a picture: uint8, (size, size, 3), BGR. `MAKERS`
# says which surfaces are for training, choosing and scoring.


Picture = npt.NDArray[np.uint8]
Rng = np.random.Generator
Maker = Callable[[int, Rng], Picture]


def _colour(rng: Rng, low: int = 15, high: int = 245) -> npt.NDArray[np.float32]:
    """Return a random BGR colour (0 to 255) of any hue, seldom saturated; `low` and `high` limit the HSV value."""
    hue, chroma, value = rng.uniform(0, 180), rng.beta(1.2, 1.8) * 255, rng.uniform(low, high)
    pixel = cv2.cvtColor(np.array([[[hue, chroma, value]]], np.uint8), cv2.COLOR_HSV2BGR)
    return pixel[0, 0].astype(np.float32)


def _noise(size: int, grain: float, rng: Rng) -> npt.NDArray[np.float32]:
    """Return smooth noise, (size, size), of standard deviation about 1, whose blobs are about `grain` pixels wide."""
    small = max(4, round(size / grain))
    field = rng.normal(0, 1, (small, small)).astype(np.float32)
    return np.asarray(cv2.resize(field, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def _tinted(colour: npt.NDArray[np.float32], shade: npt.NDArray[np.float32]) -> Picture:
    """Return a colour times 1 + shade, (size, size)."""
    return np.clip(colour * (1 + shade[..., None]), 0, 255).astype(np.uint8)


def plain(size: int, rng: Rng) -> Picture:
    """Draw a painted board or a plastic mat."""
    return _tinted(_colour(rng), 0.03 * _noise(size, size / 3, rng))


def felt(size: int, rng: Rng) -> Picture:
    """Draw felt or a carpet: fine fibres over slow blotches."""
    shade = rng.uniform(0.03, 0.22) * _noise(size, rng.uniform(1.2, 4), rng) + 0.05 * _noise(size, 60, rng)
    return _tinted(_colour(rng, 15, 180), shade)


def wood(size: int, rng: Rng) -> Picture:
    """Draw planks with a grain that runs one way."""
    colour = np.array([rng.uniform(30, 120), rng.uniform(70, 170), rng.uniform(100, 220)], np.float32)
    streaks = cv2.resize(
        rng.normal(0, 1, (size // 2, 8)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
    )
    shade = rng.uniform(0.05, 0.2) * streaks + 0.03 * _noise(size, 3, rng)
    if rng.random() < 0.5:
        shade[:: size // int(rng.integers(3, 7))] = -0.6
    return _rotated(_tinted(colour, shade), rng)


def granite(size: int, rng: Rng) -> Picture:
    """Draw speckled stone."""
    grain = rng.uniform(3, 9)
    shade = 0.25 * np.sign(_noise(size, grain, rng)) + 0.2 * _noise(size, grain / 2, rng)
    return _tinted(_colour(rng, 60, 220), shade)


def lined_paper(size: int, rng: Rng) -> Picture:
    paper = _tinted(np.array([235, 240, 240], np.float32) * rng.uniform(0.7, 1), 0.02 * _noise(size, 3, rng))
    step = int(rng.integers(14, 60))
    ink = _colour(rng, 60, 200)
    paper[::step] = ink
    if rng.random() < 0.5:
        paper[:, ::step] = ink
    return _rotated(paper, rng)


def blotched(size: int, rng: Rng) -> Picture:
    """Draw two colours that blend into each other, as on a print or a stained table."""
    share = 1 / (1 + np.exp(-4 * _noise(size, rng.uniform(15, 120), rng)))[..., None]
    mixed = _colour(rng) * share + _colour(rng) * (1 - share)
    return np.clip(mixed + 6 * _noise(size, 2, rng)[..., None], 0, 255).astype(np.uint8)


def printed(size: int, rng: Rng) -> Picture:
    """Draw a printed play mat: letters, discs and lines."""
    picture = plain(size, rng)
    for _ in range(int(rng.integers(5, 30))):
        _print_something(picture, rng)
    return picture


def _print_something(picture: Picture, rng: Rng) -> None:
    size = len(picture)
    at = (int(rng.integers(0, size)), int(rng.integers(0, size)))
    ink = tuple(float(c) for c in _colour(rng))
    what = rng.integers(0, 5)
    if what == 0:
        text = "".join(rng.choice(list("ABCDEGHKMRSTUVXYZ0123456789"), int(rng.integers(1, 6))))
        cv2.putText(
            picture, text, at, int(rng.integers(0, 5)), rng.uniform(0.5, 3), ink, int(rng.integers(1, 6)), cv2.LINE_AA
        )
    elif what == 1:
        cv2.circle(picture, at, int(rng.integers(3, 60)), ink, int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
    elif what == 2:
        other = (int(rng.integers(0, size)), int(rng.integers(0, size)))
        cv2.line(picture, at, other, ink, int(rng.integers(1, 8)), cv2.LINE_AA)
    elif what == 3:
        side = int(rng.integers(10, 90))
        patch = picture[at[1] : at[1] + side, at[0] : at[0] + side]
        patch[:] = lettered(96, rng)[: patch.shape[0], : patch.shape[1]]
    else:
        box = cv2.boxPoints((at, (rng.uniform(10, 120), rng.uniform(10, 120)), rng.uniform(0, 90)))
        cv2.polylines(picture, [box.astype(np.int32)], True, ink, int(rng.integers(1, 6)), cv2.LINE_AA)


def tiled(size: int, rng: Rng) -> Picture:
    """Draw tiles or parquet: squares and rectangles of a few colours, with or without joints."""
    wide, high = (int(side) for side in rng.integers(14, 110, 2))
    high = wide if rng.random() < 0.7 else high
    colours = np.array([_colour(rng) for _ in range(int(rng.integers(2, 5)))])
    rows, columns = -(-size // high), -(-size // wide)
    laid = colours[rng.integers(0, len(colours), (rows, columns))]
    picture = np.repeat(np.repeat(laid, high, axis=0), wide, axis=1)[:size, :size]
    if rng.random() < 0.6:
        joint, width = _colour(rng), int(rng.integers(1, 5))
        for offset in range(width):
            picture[offset::high], picture[:, offset::wide] = joint, joint
    return _rotated(np.clip(picture * (1 + 0.04 * _noise(size, 3, rng)[..., None]), 0, 255).astype(np.uint8), rng)


def lettered(size: int, rng: Rng) -> Picture:
    """Draw a key cap, tile or label: one to three letters or signs, none of which is on any die, on one colour."""
    picture = plain(size, rng)
    ink = tuple(230.0 - 200.0 * (picture.mean() > 120) + float(c) for c in rng.normal(0, 15, 3))
    text = "".join(rng.choice(list("ABCDEFGHJKLMNPQRTUVWXYZ%&@$<>?+="), int(rng.choice([1, 1, 1, 2, 3]))))
    font, thick = int(rng.integers(0, 5)), int(rng.integers(size // 40, size // 12))
    (width, height), _ = cv2.getTextSize(text, font, 1.0, thick)
    scale = size * rng.uniform(0.3, 0.7) / max(width, height)
    at = (int((size - width * scale) / 2 + rng.normal(0, 6)), int((size + height * scale) / 2 + rng.normal(0, 6)))
    cv2.putText(picture, text, at, font, scale, ink, thick, cv2.LINE_AA)
    return np.rot90(picture, int(rng.integers(4))).copy()


def leather(size: int, rng: Rng) -> Picture:
    """Draw leather: a net of fine creases."""
    creases = np.abs(_noise(size, 8, rng)) + np.abs(_noise(size, 14, rng))
    shade = 0.25 * np.clip(creases, 0, 1) - 0.2
    return _tinted(_colour(rng, 20, 140), shade)


def cork(size: int, rng: Rng) -> Picture:
    """Draw cork: dark crumbs in tan."""
    crumbs = (_noise(size, 5, rng) > 1.2).astype(np.float32)
    return _tinted(np.array([95, 150, 195], np.float32), 0.08 * _noise(size, 4, rng) - 0.45 * crumbs)


def checked_cloth(size: int, rng: Rng) -> Picture:
    """Draw a checked tablecloth with a weave."""
    step = int(rng.integers(16, 64))
    lines = (np.arange(size) // step % 2).astype(np.float32)
    share = ((lines[:, None] + lines[None]) / 2)[..., None]
    weave = 0.06 * _noise(size, 1.5, rng)[..., None]
    return np.clip((_colour(rng) * share + _colour(rng) * (1 - share)) * (1 + weave), 0, 255).astype(np.uint8)


def linen(size: int, rng: Rng) -> Picture:
    """Draw linen: thin threads that cross, some thicker than others."""
    threads = [cv2.GaussianBlur(rng.normal(0, 1, (size, 1)).astype(np.float32), (0, 0), 1.2) for _ in range(2)]
    return _tinted(_colour(rng, 60, 220), 0.14 * (threads[0] + threads[1].T) + 0.03 * _noise(size, 2, rng))


def bamboo(size: int, rng: Rng) -> Picture:
    """Draw a mat of round sticks, with a seam across them here and there."""
    step = int(rng.integers(18, 44))
    along = np.arange(size) % step / step
    shade = np.sin(np.pi * along)[:, None] * 0.35 - 0.25 + 0.05 * _noise(size, 9, rng)
    shade[:, :: int(rng.integers(200, 420))] -= 0.3
    return _rotated(_tinted(np.array([110, 165, 195], np.float32) * rng.uniform(0.6, 1.1), shade), rng)


def denim(size: int, rng: Rng) -> Picture:
    """Draw denim: a diagonal twill with faded patches."""
    step = int(rng.integers(5, 10))
    rows, columns = np.indices((size, size), np.int32)
    twill = ((rows + columns) % step < step / 2).astype(np.float32)
    colour = np.array([rng.uniform(90, 150), rng.uniform(60, 95), rng.uniform(30, 60)], np.float32)
    return _tinted(colour, 0.22 * twill - 0.1 + 0.12 * _noise(size, 90, rng) + 0.06 * _noise(size, 2, rng))


def terrazzo(size: int, rng: Rng) -> Picture:
    """Draw terrazzo: angular chips of a few colours in a pale ground."""
    picture = _tinted(np.array([205, 210, 214], np.float32) * rng.uniform(0.7, 1), 0.02 * _noise(size, 3, rng))
    chips = [_colour(rng, 40, 220) for _ in range(4)]
    for x, y in rng.integers(0, size, (size // 2, 2)).tolist():
        chip = np.array([x, y]) + rng.uniform(3, 15) * rng.normal(0, 1, (5, 2)).clip(-1.2, 1.2)
        ink = tuple(float(c) for c in chips[int(rng.integers(4))])
        cv2.fillConvexPoly(picture, cv2.convexHull(chip.astype(np.int32)), ink, cv2.LINE_AA)
    return picture


def _rotated(picture: Picture, rng: Rng) -> Picture:
    """Return the picture rotated by a random angle, its edges mirrored."""
    size = len(picture)
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 180), 1.0)
    return cv2.warpAffine(picture, turn, (size, size), borderMode=cv2.BORDER_REFLECT).astype(np.uint8)


MAKERS: dict[Use, tuple[Maker, ...]] = {
    Use.TRAINING: (plain, felt, felt, wood, granite, lined_paper, blotched, printed, printed, tiled, tiled),
    Use.CHOOSING: (leather,),
    Use.SCORING: (cork, checked_cloth),
}

FAMILY_MAKERS: dict[Use, tuple[Maker, ...]] = {
    Use.TRAINING: (),
    Use.CHOOSING: (*MAKERS[Use.CHOOSING], linen),
    Use.SCORING: (*MAKERS[Use.SCORING], bamboo, denim, terrazzo),
}
"""The surfaces of simulated families."""


def surface(size: int, rng: Rng, use: Use = Use.TRAINING) -> Picture:
    makers = MAKERS[use]
    return makers[int(rng.integers(len(makers)))](size, rng)


# Which lamps are for which use, in every renderer


ELEVATIONS: dict[Use, tuple[float, float]] = {Use.TRAINING: (32, 88), Use.CHOOSING: (24, 31), Use.SCORING: (15, 23)}
"""Elevation of the first light in degrees."""
WARMTHS: dict[Use, tuple[float, float]] = {Use.CHOOSING: (0.35, -0.3), Use.SCORING: (0.55, -0.45)}
"""Red minus blue of the first light where none of training's may be used: candle light, or a window."""
