"""The signs themselves, drawn by lot into the room that a plate leaves: arrows, walkers, bolts, stars, words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from models.synthetic.canvas import Colour, Sheet, bgr, curve, luma, mixed, rounded
from models.synthetic.face_style import Style
from models.synthetic.lettering import MAKES, lettered, numeral, random_hand
from models.synthetic.plates import Field

Path = npt.NDArray[np.float64]
Rng = np.random.Generator
Glyph = Callable[[Sheet, Field, Style, Rng], None]

_NUMBERS = {1: "ONE", 2: "TWO", 3: "THREE", 4: "FOUR", 5: "FIVE", 6: "SIX"}
_CASES: tuple[Callable[[str], str], ...] = (str.upper, str.upper, str.title, str.lower)


def nothing(_sheet: Sheet, _field: Field, _style: Style, _rng: Rng) -> None:
    """The plate alone."""


def _fill(sheet: Sheet, field: Field, points: Sequence[tuple[float, float]] | Path, ink: Colour | None = None) -> None:
    sheet.polygon(field.put(points), field.ink if ink is None else ink)


def _stroke(sheet: Sheet, field: Field, points: Sequence[tuple[float, float]] | Path, width: float) -> None:
    sheet.line(field.put(points), width * field.side, field.ink)


def _spot(sheet: Sheet, field: Field, x: float, y: float, radius: float) -> None:
    sheet.polygon(field.put(curve((x, y), (radius, radius), 0, 360)), field.ink)


def _jogged(points: Sequence[tuple[float, float]] | Path, rng: Rng, by: float = 0.012) -> Path:
    path = np.asarray(points, np.float64)
    return np.asarray(path + rng.normal(0.0, by, path.shape))


def _turned(points: Sequence[tuple[float, float]] | Path, degrees: float) -> Path:
    lean = np.radians(degrees)
    turn = np.array([(np.cos(lean), np.sin(lean)), (-np.sin(lean), np.cos(lean))])
    return np.asarray(np.asarray(points, np.float64) @ turn)


def _words(choices: Sequence[str], sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    word = str(rng.choice(choices))
    case = _CASES[int(rng.integers(len(_CASES)))]
    hand = random_hand(str(rng.choice(MAKES)), rng)
    wide, high = field.half
    sheet.stamp(lettered(case(word), hand), field.at, (wide, high), field.ink)


def words(*choices: str) -> Glyph:
    """One of the words, in any hand, in capitals or not."""
    return partial(_words, choices)


def _numeral(count: int, make: str, sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    tall = field.half[1] * float(rng.uniform(0.8, 1.0))
    sheet.stamp(numeral(count, random_hand(make, rng), rng), field.at, (field.half[0], tall), field.ink)


def numerals(count: int) -> dict[str, Glyph]:
    """The numeral in each family of hands."""
    return {make: partial(_numeral, count, make) for make in MAKES}


def _number_and_word(count: int, sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    over = 1 if rng.random() < 0.75 else -1
    (x, y), (wide, high) = field.at, field.half
    makes = [str(rng.choice(("round", "slab", "quill", "upright", "slanted"))) for _ in range(2)]
    digit, word = numeral(count, random_hand(makes[0], rng), rng), lettered(_NUMBERS[count], random_hand(makes[1], rng))
    sheet.stamp(digit, (x, y - over * 0.3 * high), (wide, 0.62 * high), field.ink)
    sheet.stamp(word, (x, y + over * 0.72 * high), (wide, 0.26 * high), field.ink)


def number_words(count: int) -> dict[str, Glyph]:
    """The number's English name, alone and beside its numeral."""
    return {"word": words(_NUMBERS[count]), "numeral-and-word": partial(_number_and_word, count)}


# Go


def _arrow_points(rng: Rng) -> Path:
    half, neck = float(rng.uniform(0.28, 0.46)), float(rng.uniform(0.07, 0.19))
    throat, foot = float(rng.uniform(-0.14, 0.06)), float(rng.uniform(0.36, 0.5))
    barb, flare = throat + float(rng.uniform(-0.02, 0.12)), neck * float(rng.uniform(0.8, 1.2))
    right = [(0.0, -0.5), (half, barb), (neck, throat), (flare, foot)]
    return np.array(right + [(-x, y) for x, y in right[:0:-1]])


def _arrow(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    _fill(sheet, field, _turned(_jogged(_arrow_points(rng), rng), 90.0 * int(rng.integers(4))))


def _line_arrow(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    width, half = float(rng.uniform(0.1, 0.17)) * style.weight, float(rng.uniform(0.24, 0.38))
    turn = 90.0 * int(rng.integers(4))
    _stroke(sheet, field, _turned([(0.0, 0.44), (0.0, -0.42)], turn), width)
    _stroke(sheet, field, _turned([(-half, -0.42 + half), (0.0, -0.42), (half, -0.42 + half)], turn), width)


def _chevrons(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    count, half = int(rng.integers(1, 4)), float(rng.uniform(0.28, 0.44))
    width, turn = min(0.16 * style.weight, 0.5 / (count + 1)), 90.0 * int(rng.integers(4))
    for y in np.linspace(-0.3, 0.3, count) if count > 1 else (0.0,):
        _stroke(sheet, field, _turned([(-half, y + 0.17), (0.0, y - 0.17), (half, y + 0.17)], turn), width)


def _play(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    turn, deep = 90.0 * int(rng.integers(4)), float(rng.uniform(0.36, 0.46))
    if rng.random() < 0.3:
        for shift in (-0.2, 0.2):
            _fill(sheet, field, _turned([(shift + 0.22, 0.0), (shift - 0.18, -0.36), (shift - 0.18, 0.36)], turn))
    else:
        _fill(sheet, field, _turned(_jogged([(deep, 0.0), (-0.34, -0.45), (-0.34, 0.45)], rng), turn))


def _walker(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    width, stride = 0.105 * min(style.weight, 1.15), float(rng.uniform(0.16, 0.26))
    way = 1 if rng.random() < 0.5 else -1
    lean = np.array([(way, 1.0)])
    _spot(sheet, field, way * 0.05, -0.39, 0.1)
    parts = (
        ([(0.03, -0.22), (0.0, 0.1)], width * 1.5),
        ([(0.0, 0.1), (stride * 0.7, 0.26), (stride * 0.85, 0.47)], width),
        ([(0.0, 0.1), (-stride * 0.5, 0.3), (-stride * 1.1, 0.47)], width),
        ([(0.03, -0.2), (0.2, -0.05), (0.28, 0.07)], width * 0.8),
        ([(0.03, -0.2), (-0.14, -0.06), (-0.2, 0.08)], width * 0.8),
    )
    for points, thick in parts:
        _stroke(sheet, field, _jogged(points, rng) * lean, thick)


def _tick(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    points = [(-0.38, float(rng.uniform(0.0, 0.1))), (-0.1, 0.34), (0.4, float(rng.uniform(-0.4, -0.26)))]
    _stroke(sheet, field, points, float(rng.uniform(0.12, 0.18)) * style.weight)


def _lamps(lit: int, sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    """A traffic light with one lamp lit, in the sign's own colour, upright or lying."""
    lying, light = rng.random() < 0.35, luma(field.ground or (255, 255, 255)) > 90
    housing = bgr("#22262c") if light else bgr("#c4c8cc")
    dark, size = mixed(housing, (110, 110, 110), float(rng.uniform(0.2, 0.7))), float(rng.uniform(0.11, 0.14))
    lamp = style.ink
    half = (0.5, 0.2) if lying else (0.2, 0.5)
    sheet.polygon(field.put(rounded((0, 0), half, float(rng.uniform(0.02, 0.19)))), housing)
    for place, away in enumerate((-0.3, 0.0, 0.3)):
        spot = curve((away, 0.0) if lying else (0.0, away), (size, size), 0, 360)
        sheet.polygon(field.put(spot), lamp if place == lit else dark)


# Slow


def _exclaimed(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    top, width = float(rng.uniform(0.07, 0.13)) * style.weight, float(rng.uniform(0.04, 0.1))
    _fill(sheet, field, [(-top, -0.48), (top, -0.48), (width, 0.17), (-width, 0.17)])
    _spot(sheet, field, 0.0, 0.38, float(rng.uniform(0.08, 0.11)))


def _waves(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    count, high, turns = int(rng.integers(2, 4)), float(rng.uniform(0.05, 0.1)), float(rng.uniform(1.5, 3.0))
    across = np.linspace(-0.45, 0.45, 40)
    for y in np.linspace(-0.3, 0.3, count):
        wave = np.stack([across, y + high * np.sin(across * 2 * np.pi * turns)], axis=1)
        _stroke(sheet, field, wave, 0.09 * style.weight)


def _turtle(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    way = np.array([(1.0 if rng.random() < 0.5 else -1.0, 1.0)])
    shell = curve((0.0, 0.08), (0.36, float(rng.uniform(0.3, 0.4))), 180, 360)
    _fill(sheet, field, np.concatenate([shell, [(0.36, 0.16), (-0.36, 0.16)]]) * way)
    for x in (-0.22, 0.2):
        _stroke(sheet, field, np.array([(x, 0.16), (x + 0.03, 0.3)]) * way, 0.13)
    _stroke(sheet, field, np.array([(0.3, 0.12), (0.41, 0.0)]) * way, 0.12 * style.weight)


def _snail(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    way, turns = np.array([(1.0 if rng.random() < 0.5 else -1.0, 1.0)]), np.linspace(0, 4.2 * np.pi, 60)
    reach = np.linspace(0.03, float(rng.uniform(0.25, 0.3)), 60)
    shell = np.stack([-0.07 + reach * np.cos(turns), -0.02 + reach * np.sin(turns)], axis=1)
    _stroke(sheet, field, shell * way, 0.07 * style.weight)
    _stroke(sheet, field, np.array([(-0.42, 0.3), (0.24, 0.3), (0.34, 0.2), (0.38, -0.04)]) * way, 0.1 * style.weight)


def _hourglass(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    half, waist = float(rng.uniform(0.26, 0.36)), float(rng.uniform(0.02, 0.06))
    _fill(sheet, field, [(-half, -0.42), (half, -0.42), (waist, 0.0), (half, 0.42), (-half, 0.42), (-waist, 0.0)])
    for y in (-0.44, 0.44):
        _stroke(sheet, field, [(-half - 0.04, y), (half + 0.04, y)], 0.09)


# Stop


def _hand(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    width, spread = float(rng.uniform(0.1, 0.13)), float(rng.uniform(0.0, 0.3))
    way = np.array([(1.0 if rng.random() < 0.5 else -1.0, 1.0)])
    palm = rounded((0.02, 0.24), (0.24, 0.25), 0.09)
    _fill(sheet, field, palm * way)
    for k, tip in enumerate((-0.3, -0.44, -0.4, -0.24)):
        x = -0.165 + 0.125 * k
        away = x + spread * 0.3 * (k - 1.5) / 1.5
        _stroke(sheet, field, np.array([(x, 0.15), (away, tip + rng.normal(0, 0.02))]) * way, width)
    _stroke(sheet, field, np.array([(-0.15, 0.34), (-0.38, float(rng.uniform(-0.02, 0.1)))]) * way, width * 1.05)


def _stander(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    width, hip = 0.12 * min(style.weight, 1.15), float(rng.uniform(0.08, 0.14))
    _spot(sheet, field, 0.0, -0.39, float(rng.uniform(0.09, 0.115)))
    _fill(sheet, field, rounded((0.0, -0.07), (hip, 0.19), 0.05))
    reach = float(rng.uniform(0.04, 0.3))
    for way in (-1, 1):
        _stroke(sheet, field, [(way * hip * 0.6, 0.1), (way * hip * 0.75, 0.47)], width)
        elbow = (way * (hip + 0.1 + 0.3 * reach), -0.02)
        _stroke(sheet, field, [(way * hip, -0.19), elbow, (way * (hip + reach * 0.6), 0.14)], width * 0.75)


def _entry_bar(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    half = float(rng.uniform(0.4, 0.5)), float(rng.uniform(0.09, 0.15))
    _fill(sheet, field, rounded((0, 0), half, float(rng.uniform(0.005, 0.05))))


# Block


def _crossed(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    reach, width = float(rng.uniform(0.3, 0.4)), float(rng.uniform(0.11, 0.2)) * style.weight
    for way in (-1, 1):
        _stroke(sheet, field, _jogged([(-reach, -reach * way), (reach, reach * way)], rng), width)


def _barred(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    radius, width = float(rng.uniform(0.36, 0.43)), float(rng.uniform(0.09, 0.14)) * style.weight
    reach, way = 0.7 * radius, 1 if rng.random() < 0.5 else -1
    _stroke(sheet, field, curve((0, 0), (radius, radius), 0, 366), width)
    _stroke(sheet, field, [(-reach, -reach * way), (reach, reach * way)], width)


def _shield(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    half, waist = float(rng.uniform(0.34, 0.43)), float(rng.uniform(-0.04, 0.1))
    dip = float(rng.uniform(-0.06, 0.06))
    right = np.array(
        [(0.0, -0.44 + dip), (half, -0.44), (half, waist), (0.74 * half, 0.24), (0.36 * half, 0.4), (0.0, 0.5)]
    )
    outline = np.concatenate([right, (right * (-1, 1))[:0:-1]])
    match int(rng.integers(3)):
        case 0:
            _fill(sheet, field, outline)
        case 1:
            _stroke(sheet, field, np.concatenate([outline, outline[:2]]), 0.09 * style.weight)
        case _:
            _fill(sheet, field, outline)
            sheet.polygon(field.put(outline[len(right) - 1 :] * 0.72), field.ground)


def _lock(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    half, top = float(rng.uniform(0.28, 0.38)), float(rng.uniform(-0.06, 0.02))
    bow, width = float(rng.uniform(0.17, 0.23)), 0.09 * style.weight
    hoop = curve((0.0, top - 0.14), (bow, 0.24), 180, 360)
    _stroke(sheet, field, np.concatenate([[(-bow, top + 0.05)], hoop, [(bow, top + 0.05)]]), width)
    _fill(sheet, field, rounded((0.0, (top + 0.48) / 2), (half, (0.48 - top) / 2), 0.06))
    if rng.random() < 0.7:
        middle = (top + 0.48) / 2
        sheet.polygon(field.put(curve((0.0, middle - 0.03), (0.06, 0.06), 0, 360)), field.ground)
        sheet.polygon(
            field.put([(-0.03, middle), (0.03, middle), (0.045, middle + 0.13), (-0.045, middle + 0.13)]), field.ground
        )


def _wall(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    rows, joint = int(rng.integers(3, 5)), float(rng.uniform(0.04, 0.06))
    high, wide = 0.9 / rows, float(rng.uniform(0.36, 0.5))
    for row in range(rows):
        y = -0.45 + (row + 0.5) * high
        edges = np.arange(-0.45 - (wide / 2 if row % 2 else 0.0), 0.45, wide)
        for left in edges:
            low, up = max(left, -0.45), min(left + wide - joint, 0.45)
            if up - low > 0.05:
                _fill(sheet, field, rounded(((low + up) / 2, y), ((up - low) / 2, (high - joint) / 2), 0.01))


def _grating(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    count = int(rng.integers(3, 6))
    for x in np.linspace(-0.36, 0.36, count):
        _stroke(sheet, field, [(x, -0.42), (x, 0.42)], 0.5 / (2 * count - 1))
    for y in (-0.36, 0.36):
        _stroke(sheet, field, [(-0.44, y), (0.44, y)], 0.08)


# Switch


def _straight_swap(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    apart, half = float(rng.uniform(0.16, 0.24)), float(rng.uniform(0.12, 0.19))
    neck, width = float(rng.uniform(0.1, 0.24)), float(rng.uniform(0.08, 0.14)) * style.weight
    upright = 90.0 * int(rng.integers(2))
    way = 1 if rng.random() < 0.5 else -1
    for side in (-1, 1):
        ahead = side * way
        shaft = np.array([(-0.42 * ahead, side * apart), (ahead * neck, side * apart)])
        head = np.array(
            [(0.48 * ahead, side * apart), (ahead * neck, side * apart - half), (ahead * neck, side * apart + half)]
        )
        _stroke(sheet, field, _turned(shaft, upright), width)
        _fill(sheet, field, _turned(head, upright))


def _thin_swap(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    apart, barb = float(rng.uniform(0.15, 0.24)), float(rng.uniform(0.12, 0.2))
    width, upright = float(rng.uniform(0.07, 0.11)) * style.weight, 90.0 * int(rng.integers(2))
    both = rng.random() < 0.4
    for side in (-1, 1):
        y, tip = side * apart, 0.42 * side
        _stroke(sheet, field, _turned([(-tip, y), (tip, y)], upright), width)
        _stroke(sheet, field, _turned([(tip - side * barb, y - barb * side * (not both)), (tip, y)], upright), width)
        _stroke(sheet, field, _turned([(tip - side * barb, y + barb), (tip, y)], upright), width)


def _arc_arrow(sheet: Sheet, field: Field, arc: tuple[float, float, float], width: float, head: float) -> None:
    """An arc (radius, start and sweep in degrees) with a head at its end, clockwise when the sweep is positive."""
    radius, start, sweep = arc
    _stroke(sheet, field, curve((0, 0), (radius, radius), start, start + sweep), width)
    end, way = np.radians(start + sweep), np.sign(sweep)
    out = np.array([np.cos(end), np.sin(end)])
    ahead = way * np.array([-np.sin(end), np.cos(end)])
    foot = out * radius
    _fill(sheet, field, np.array([foot + ahead * head * 1.25, foot + out * head, foot - out * head]))


def _circling(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    count, radius = int(rng.choice((1, 2, 2, 2, 3))), float(rng.uniform(0.27, 0.34))
    width, head = float(rng.uniform(0.08, 0.12)) * style.weight, float(rng.uniform(0.13, 0.19))
    way, start = (1 if rng.random() < 0.7 else -1), float(rng.uniform(0, 360))
    gap = np.degrees(1.35 * head / radius) + 12
    for k in range(count):
        _arc_arrow(sheet, field, (radius, start + k * 360 / count, way * (360 / count - gap)), width, head)


def _curved_swap(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    rise, width = float(rng.uniform(0.14, 0.26)), float(rng.uniform(0.08, 0.12)) * style.weight
    head, way = float(rng.uniform(0.13, 0.18)), (1 if rng.random() < 0.5 else -1)
    for side in (-1, 1):
        bow = curve((0.0, side * 0.12), (0.36, rise), 180, 360 - 18) * (side * way, 1.0 if side < 0 else -1.0)
        bow = bow if side < 0 else np.stack([bow[:, 0], -(bow[:, 1])], axis=1) * (1, -1) + (0.0, 0.24)
        _stroke(sheet, field, bow, width)
        tip, back = bow[-1], bow[-4]
        ahead = (tip - back) / np.linalg.norm(tip - back)
        out = np.array([-ahead[1], ahead[0]])
        _fill(sheet, field, np.array([tip + ahead * head * 1.2, tip + out * head, tip - out * head]))


def _shuffle(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    apart, width = float(rng.uniform(0.2, 0.28)), float(rng.uniform(0.08, 0.12)) * style.weight
    head, turn = float(rng.uniform(0.11, 0.16)), 90.0 * int(rng.integers(4))
    for side in (-1, 1):
        line = [(-0.44, side * apart), (-0.2, side * apart), (0.12, -side * apart), (0.28, -side * apart)]
        _stroke(sheet, field, _turned(line, turn), width)
        y = -side * apart
        _fill(sheet, field, _turned([(0.48, y), (0.24, y - head), (0.24, y + head)], turn))


def _letter(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    make = str(rng.choice([make for make in MAKES if make != "stencil"]))
    sheet.stamp(lettered("S", random_hand(make, rng)), field.at, field.half, field.ink)


def _toggle(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    high, way = float(rng.uniform(0.19, 0.26)), (1 if rng.random() < 0.5 else -1)
    sheet.polygon(field.put(rounded((0, 0), (0.46, high), high - 0.001)), field.ink)
    knob = curve((way * (0.46 - high), 0.0), (0.78 * high, 0.78 * high), 0, 360)
    sheet.polygon(field.put(knob), field.ground)


# Zap


def bolt_points(rng: Rng) -> Path:
    """A bolt of lightning: down one side of a zig-zag of two or three turns and up the other, to a point below."""
    zigs, lean = int(rng.choice((1, 1, 1, 2))), float(rng.uniform(0.1, 0.3))
    heights = np.linspace(-0.5, 0.5, zigs + 2)
    right, left = [], []
    top = float(rng.uniform(0.06, 0.24))
    x, half = lean * float(rng.uniform(0.2, 1.2)), top
    right.append((x + half, -0.5))
    left.append((x - half, -0.5))
    for k in range(1, zigs + 1):
        y, width = heights[k] + float(rng.normal(0, 0.03)), half * (1 - k / (zigs + 2)) + 0.05
        jut, step = float(rng.uniform(0.12, 0.26)), float(rng.uniform(0.02, 0.12))
        x -= lean * 1.1
        right += [(x + width + 0.02, y - step), (x + width + jut, y - step - float(rng.uniform(-0.02, 0.04)))]
        left += [(x - width - jut * 0.9, y + step), (x - width * 0.2, y + step - float(rng.uniform(-0.02, 0.04)))]
        x += lean * 0.8
    tip = (x - lean * float(rng.uniform(0.6, 1.4)), 0.5)
    outline = np.array([*right, tip, *left[::-1]])
    outline -= (outline.min(axis=0) + outline.max(axis=0)) / 2
    outline /= max(np.ptp(outline, axis=0).max(), 1e-6)
    return outline * (1 if rng.random() < 0.5 else -1, 1)


def _bolt(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    _fill(sheet, field, _turned(bolt_points(rng), float(rng.normal(0, 8))))


def _bolt_lined(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    outline = bolt_points(rng) * 0.92
    _stroke(sheet, field, np.concatenate([outline, outline[:2]]), float(rng.uniform(0.05, 0.08)) * style.weight)


def _bolt_edged(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    outline, width = bolt_points(rng) * 0.9, float(rng.uniform(0.08, 0.14))
    other = style.accent if field.ink == style.ink else style.ink
    edge = other if other != field.ground else mixed(field.ink, (0, 0, 0), 0.5)
    sheet.line(field.put(outline), width * field.side, edge, closed=True)
    _fill(sheet, field, outline)


def _bolts(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    outline = bolt_points(rng) * (0.62, 0.85)
    for x in (-0.24, 0.24):
        _fill(sheet, field, outline + np.array([x, 0.0]))


def _spark_line(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    """A bolt drawn as one thick zig-zag line."""
    jut = float(rng.uniform(0.14, 0.26))
    way = 1 if rng.random() < 0.5 else -1
    low = float(rng.uniform(0.02, 0.12))
    line = _jogged([(0.12, -0.46), (-jut, low), (jut, -low), (-0.12, 0.46)], rng) * (way, 1)
    _stroke(sheet, field, line, float(rng.uniform(0.1, 0.16)) * style.weight)


# Stars


def star_outline(rng: Rng) -> Path:
    """A star of four to eight tips, five above all, sharp or stout."""
    tips = int(rng.choice((4, 5, 6, 7, 8), p=(0.14, 0.5, 0.16, 0.08, 0.12)))
    waist = float(rng.uniform(0.34, 0.62)) if tips != 4 else float(rng.uniform(0.24, 0.46))
    turns = np.radians(-90 + np.arange(2 * tips) * 180 / tips)
    radii = np.where(np.arange(2 * tips) % 2, 0.5 * waist, 0.5) * (1 + rng.normal(0, 0.02, 2 * tips))
    return np.stack([radii * np.cos(turns), radii * np.sin(turns)], axis=1)


def _star(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    _fill(sheet, field, star_outline(rng))


def _star_lined(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    outline = star_outline(rng) * 0.92
    _stroke(sheet, field, np.concatenate([outline, outline[:2]]), float(rng.uniform(0.06, 0.1)) * style.weight)


def _star_rounded(sheet: Sheet, field: Field, _style: Style, rng: Rng) -> None:
    outline, width = star_outline(rng) * 0.82, float(rng.uniform(0.1, 0.18))
    _fill(sheet, field, outline)
    _stroke(sheet, field, np.concatenate([outline, outline[:2]]), width)


def _star_in_star(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    outline, share = star_outline(rng), float(rng.uniform(0.4, 0.66))
    other = style.accent if field.ink == style.ink else style.ink
    _fill(sheet, field, outline)
    sheet.polygon(field.put(outline * share), field.ground if rng.random() < 0.5 else other)


def _asterisk(sheet: Sheet, field: Field, style: Style, rng: Rng) -> None:
    """A star of crossing strokes."""
    arms, width = int(rng.choice((5, 6, 8))), float(rng.uniform(0.09, 0.14)) * style.weight
    for k in range(arms):
        _stroke(sheet, field, _turned([(0.0, 0.0), (0.0, -0.44)], k * 360 / arms), width)


GO_GLYPHS: dict[str, Glyph] = {
    "word": words("GO", "GO", "GO", "GO!"),
    "arrow": _arrow,
    "line-arrow": _line_arrow,
    "chevrons": _chevrons,
    "play": _play,
    "walker": _walker,
    "tick": _tick,
    "light": partial(_lamps, 2),
}
SLOW_GLYPHS: dict[str, Glyph] = {
    "word": words("SLOW"),
    "exclaimed": _exclaimed,
    "waves": _waves,
    "turtle": _turtle,
    "snail": _snail,
    "hourglass": _hourglass,
    "light": partial(_lamps, 1),
}
STOP_GLYPHS: dict[str, Glyph] = {
    "word": words("STOP"),
    "hand": _hand,
    "stander": _stander,
    "entry-bar": _entry_bar,
    "light": partial(_lamps, 0),
}
BLOCK_GLYPHS: dict[str, Glyph] = {
    "word": words("BLOCK"),
    "crossed": _crossed,
    "barred": _barred,
    "shield": _shield,
    "lock": _lock,
    "wall": _wall,
    "grating": _grating,
}
SWITCH_GLYPHS: dict[str, Glyph] = {
    "straight": _straight_swap,
    "thin": _thin_swap,
    "circling": _circling,
    "curved": _curved_swap,
    "shuffle": _shuffle,
    "letter": _letter,
    "toggle": _toggle,
    "word": words("SWITCH", "SWITCH", "SWAP"),
}
BOLT_GLYPHS: dict[str, Glyph] = {
    "bolt": _bolt,
    "bolt-lined": _bolt_lined,
    "bolt-edged": _bolt_edged,
    "bolts": _bolts,
    "spark-line": _spark_line,
    "word": words("ZAP", "ZAP", "ZAP!"),
}
STAR_GLYPHS: dict[str, Glyph] = {
    "star": _star,
    "star-lined": _star_lined,
    "star-rounded": _star_rounded,
    "star-in-star": _star_in_star,
    "asterisk": _asterisk,
}
