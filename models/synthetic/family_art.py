"""The art of a family: the dice of one game in one maker's drawings, inks and bodies, none of which is trained on.

Drawings that are held out of training are few for some faces (one shape of pip, one head), so a family has more of its
own here. Those for choosing and those for scoring are disjoint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from models.synthetic.canvas import Canvas, Colour, Material, Style, Use, bgr, contrast, curve, mix, rounded_outline
from models.synthetic.faces import ARTISTS, POOLS, Artist, FaceArt, print_face, use_of
from models.synthetic.numerals import Mood
from models.synthetic.palette import BODIES_CHOOSING, BODIES_SCORING, random_face_style
from referee.dice import DieKind, DieSet, FaceName, KindName

SIDE = 96
"""Pixels a side of a drawn face."""

NUMERALS_SHARE = 0.3
"""Share of kinds with the numbers 1 to 6 that show numerals instead of pips."""
MAKERS_COLOURS_SHARE = 0.5
"""Share of families of Rollers in some purple and some black."""
GOLD_SHARE = 0.25
"""Share of kinds with golden numbers."""
LEAST_SIZE, MOST_WEAR = 0.85, 0.25
"""Limits of a drawing's size and wear: people have to read it at 25 pixels a die."""
APART = 45.0
"""The least distance in 8-bit L*a*b* of the bodies of two kinds with equal faces: people have to tell them apart."""

Rng = np.random.Generator
_Pip = Callable[[Canvas, float, float, float, Style], None]
_Head = Callable[[Canvas, Style], None]

_GOLD = tuple(bgr(text) for text in ("#d4a84b", "#b8862b", "#e6c56e"))
_MIN_GOLD_CONTRAST = 55.0


def _regular_pip(corners: int, first: float) -> _Pip:
    turns = np.radians(first + np.arange(corners) * 360 / corners)
    outline = 1.2 * np.stack([np.cos(turns), np.sin(turns)], axis=1)

    def pip(canvas: Canvas, x: float, y: float, radius: float, style: Style) -> None:
        canvas.polygon(np.array([x, y]) + radius * outline, style.ink)

    return pip


def _halo_pip(canvas: Canvas, x: float, y: float, radius: float, style: Style) -> None:
    canvas.disc(x, y, 0.8 * radius, style.ink)
    canvas.ring(x, y, 1.22 * radius, 0.2 * radius, style.ink)


def _domed_pip(canvas: Canvas, x: float, y: float, radius: float, style: Style) -> None:
    canvas.disc(x, y, 1.05 * radius, style.ink)
    canvas.disc(x - 0.3 * radius, y - 0.3 * radius, 0.35 * radius, mix(style.ink, style.body, 0.6))


def _rimmed_pip(canvas: Canvas, x: float, y: float, radius: float, style: Style) -> None:
    canvas.disc(x, y, 1.15 * radius, style.ink)
    canvas.disc(x, y, 0.6 * radius, mix(style.ink, style.accent, 0.5))


def _heart_pip(canvas: Canvas, x: float, y: float, radius: float, style: Style) -> None:
    for side in (-1, 1):
        canvas.disc(x + 0.48 * side * radius, y - 0.35 * radius, 0.6 * radius, style.ink)
    outline = [(x - 1.05 * radius, y - 0.15 * radius), (x + 1.05 * radius, y - 0.15 * radius), (x, y + 1.15 * radius)]
    canvas.polygon(outline, style.ink)


def _drop_pip(canvas: Canvas, x: float, y: float, radius: float, style: Style) -> None:
    canvas.disc(x, y + 0.25 * radius, 0.85 * radius, style.ink)
    left, right = x - 0.74 * radius, x + 0.74 * radius
    canvas.polygon([(left, y - 0.1 * radius), (right, y - 0.1 * radius), (x, y - 1.4 * radius)], style.ink)


def _flower_pip(canvas: Canvas, x: float, y: float, radius: float, style: Style) -> None:
    for turn in np.radians(np.arange(0, 360, 72)):
        canvas.disc(x + 0.62 * radius * np.cos(turn), y + 0.62 * radius * np.sin(turn), 0.5 * radius, style.ink)
    canvas.disc(x, y, 0.3 * radius, style.body)


def _cross_pip(canvas: Canvas, x: float, y: float, radius: float, style: Style) -> None:
    canvas.rounded_rectangle((x, y), (1.1 * radius, 0.42 * radius), 0.1 * radius, style.ink)
    canvas.rounded_rectangle((x, y), (0.42 * radius, 1.1 * radius), 0.1 * radius, style.ink)


_PIPS: dict[Use, dict[str, _Pip]] = {
    Use.TRAINING: {},
    Use.CHOOSING: {
        "pentagon": _regular_pip(5, -90.0),
        "cross": _cross_pip,
        "oval": lambda canvas, x, y, radius, style: canvas.disc(x, y, 1.2 * radius, style.ink, 0.85 * radius),
        "rimmed": _rimmed_pip,
    },
    Use.SCORING: {
        "halo": _halo_pip,
        "domed": _domed_pip,
        "heart": _heart_pip,
        "drop": _drop_pip,
        "flower": _flower_pip,
        "octagon": _regular_pip(8, 22.5),
        "triangle": _regular_pip(3, -90.0),
    },
}
_PLACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _pips(count: int, pip: _Pip, canvas: Canvas, style: Style, _rng: Rng) -> None:
    reach, radius = 0.25 * style.spread, min(0.09 * style.size, 0.1)
    for x, y in _PLACES[count]:
        pip(canvas, reach * x, reach * y, radius, style)


def _sun_head(canvas: Canvas, style: Style) -> None:
    for turn in np.radians(np.arange(0, 360, 30)):
        way, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        canvas.polygon(np.array([0.32 * way + 0.07 * across, 0.48 * way, 0.32 * way - 0.07 * across]), style.ink)
    canvas.disc(0, 0, 0.35, style.ink)


def _bear_head(canvas: Canvas, style: Style) -> None:
    for side in (-1, 1):
        canvas.disc(0.3 * side, -0.3, 0.13, style.ink)
    canvas.disc(0, 0.03, 0.38, style.ink, 0.36)


def _frog_head(canvas: Canvas, style: Style) -> None:
    for side in (-1, 1):
        canvas.disc(0.17 * side, -0.2, 0.16, style.ink)
    canvas.disc(0, 0.1, 0.42, style.ink, 0.31)


def _robot_head(canvas: Canvas, style: Style) -> None:
    canvas.line([(0, -0.48), (0, -0.3)], 0.05, style.ink)
    canvas.disc(0, -0.45, 0.05, style.ink)
    canvas.rounded_rectangle((0, 0.05), (0.4, 0.37), 0.05, style.ink)


def _drop_head(canvas: Canvas, style: Style) -> None:
    canvas.disc(0, 0.08, 0.36, style.ink)
    canvas.polygon([(-0.31, -0.1), (0.31, -0.1), (0, -0.49)], style.ink)


def _egg_head(canvas: Canvas, style: Style) -> None:
    canvas.disc(0, 0, 0.33, style.ink, 0.44)


def _petal_head(canvas: Canvas, style: Style) -> None:
    for turn in np.radians(np.arange(0, 360, 60)):
        canvas.disc(0.3 * float(np.cos(turn)), 0.3 * float(np.sin(turn)), 0.17, style.ink)
    canvas.disc(0, 0, 0.32, mix(style.ink, (255, 255, 255), 0.25))


def _ghost_head(canvas: Canvas, style: Style) -> None:
    feet = [(0.36, 0.44), (0.24, 0.34), (0.12, 0.44), (0, 0.34), (-0.12, 0.44), (-0.24, 0.34), (-0.36, 0.44)]
    canvas.polygon(np.concatenate([curve((0, -0.08), (0.36, 0.36), 180, 360), feet]), style.ink)


_HEADS: dict[Use, dict[str, _Head]] = {
    Use.TRAINING: {},
    Use.CHOOSING: {"petal": _petal_head, "ghost": _ghost_head, "egg": _egg_head},
    Use.SCORING: {
        "sunny": _sun_head,
        "bear": _bear_head,
        "frog": _frog_head,
        "robot": _robot_head,
        "dropped": _drop_head,
    },
}


def _smiley(head: _Head, mood: Mood, canvas: Canvas, style: Style, rng: Rng) -> None:
    head(canvas, style)
    apart, deep, wide = rng.uniform(0.12, 0.16), rng.uniform(0.1, 0.15), rng.uniform(0.16, 0.22)
    for side in (-1, 1):
        canvas.disc(side * apart, -0.09, 0.045, style.accent, 0.06)
    across = np.linspace(-1.0, 1.0, 24)
    foot = 0.11 if mood is Mood.HAPPY else 0.24
    lips = np.stack([across * wide, foot + (1 - across**2) * deep * mood], axis=1)
    canvas.line(lips, 0.05 * style.weight, style.accent)


def _striped_panel(canvas: Canvas, style: Style, _rng: Rng) -> None:
    for y in (-0.29, 0.0, 0.29):
        canvas.rounded_rectangle((0, y), (0.42, 0.115), 0.02, style.ink)


def _quartered_panel(canvas: Canvas, style: Style, _rng: Rng) -> None:
    for x, y in ((-0.21, -0.21), (0.21, -0.21), (-0.21, 0.21), (0.21, 0.21)):
        canvas.square(0.19, 0.04, style.ink, x, y)


def _diamond_panel(canvas: Canvas, style: Style, _rng: Rng) -> None:
    canvas.polygon([(0, -0.47), (0.47, 0), (0, 0.47), (-0.47, 0)], style.ink)


def _blob_panel(canvas: Canvas, style: Style, _rng: Rng) -> None:
    turns = np.radians(np.arange(0, 360, 3))
    reach = 0.37 + 0.05 * np.cos(3 * turns) + 0.03 * np.sin(5 * turns)
    canvas.polygon((reach * np.array([np.cos(turns), np.sin(turns)])).T, style.ink)


def _corner_panel(canvas: Canvas, style: Style, _rng: Rng) -> None:
    canvas.polygon(rounded_outline((0, 0), (0.44, 0.44), 0.22), style.ink)
    canvas.square(0.16, 0.03, style.body)


_PANELS: dict[Use, dict[str, Artist]] = {
    Use.TRAINING: {},
    Use.CHOOSING: {"diamond": _diamond_panel, "blob": _blob_panel},
    Use.SCORING: {
        "striped": _striped_panel,
        "quartered": _quartered_panel,
        "annulus": lambda canvas, style, _rng: canvas.ring(0, 0, 0.31, 0.2, style.ink),
        "windowed": _corner_panel,
    },
}


def _own_art(use: Use) -> dict[FaceName, dict[str, Artist]]:
    """Return the drawings that are drawn for families alone, by face."""
    moods = ((FaceName("happy"), Mood.HAPPY), (FaceName("sad"), Mood.SAD))
    return {
        **{
            FaceName(f"pip-{count}"): {name: partial(_pips, count, pip) for name, pip in _PIPS[use].items()}
            for count in _PLACES
        },
        **{face: {name: partial(_smiley, head, mood) for name, head in _HEADS[use].items()} for face, mood in moods},
        **{FaceName(colour): _PANELS[use] for colour in ("green", "yellow", "red")},
    }


OWN_ART: dict[Use, dict[FaceName, dict[str, Artist]]] = {use: _own_art(use) for use in Use}
"""The drawings that are drawn for families alone, by use and face."""

_PALE: dict[Use, dict[str, Colour]] = {
    Use.CHOOSING: {"sand": BODIES_CHOOSING["sand"], "linen": bgr("#ece4d8"), "ice": bgr("#dfe9ee")},
    Use.SCORING: {
        "bone": BODIES_SCORING["bone"],
        "pearl": bgr("#e9eaf0"),
        "frost": bgr("#e3efe6"),
        "blush": bgr("#f3e2df"),
    },
}
_STRONG: dict[Use, dict[str, Colour]] = {
    Use.CHOOSING: BODIES_CHOOSING
    | {"rust": bgr("#a6522c"), "fuchsia": bgr("#b83280"), "moss": bgr("#4d6138"), "cobalt": bgr("#2f5fd0")},
    Use.SCORING: BODIES_SCORING
    | {
        "coral": bgr("#e2735c"),
        "petrol": bgr("#1d4a57"),
        "olive": bgr("#6b7030"),
        "brick": bgr("#9b4a36"),
        "mint": bgr("#a8d8c2"),
        "mustard": bgr("#c99b2b"),
        "steel": bgr("#7e8b99"),
    },
}
_PURPLE: dict[Use, dict[str, Colour]] = {
    Use.CHOOSING: {"mauve": bgr("#6c4a7e"), "iris": bgr("#5546a8")},
    Use.SCORING: {"grape": bgr("#63389a"), "amethyst": bgr("#8450a8"), "aubergine": bgr("#552558")},
}
_DARK: dict[Use, dict[str, Colour]] = {
    Use.CHOOSING: {"soot": bgr("#1f2733"), "umber": bgr("#2b221d")},
    Use.SCORING: {"onyx": bgr("#221f24"), "graphite": bgr("#2b3038"), "coal": bgr("#101312")},
}
_MATERIALS: dict[Use, tuple[Material, ...]] = {
    Use.CHOOSING: (Material.PLAIN, Material.PLAIN, Material.CLOUDY, Material.FLECKED),
    Use.SCORING: (Material.PLAIN, Material.PLAIN, Material.MARBLED, Material.TRANSLUCENT, Material.SPECKLED),
}
_COLOURED = frozenset({"go", "slow", "stop", "green", "yellow", "red", "green-switch", "red-switch", "block"})
_ALIKE = (
    *(tuple(f"{word}-{n}" for n in range(1, 7)) for word in ("pip", "digit")),
    ("happy", "sad"),
    ("two", "three", "four"),
    ("green", "yellow", "red"),
    ("green-switch", "red-switch"),
)
"""Faces that one maker draws in one way."""
_NUMBERED = frozenset({"pip", "digit", "two", "three", "four"})
"""Faces, up to a hyphen, that share their inks and proportions too."""


@dataclass(frozen=True, eq=False)
class KindArt:
    """The look of a kind's dice: the body, and the art of each face."""

    body: str
    material: Material
    faces: Mapping[FaceName, FaceArt]


@dataclass(frozen=True)
class _KindBody:
    name: str
    colour: Colour
    material: Material

    def style(self) -> Style:
        return Style(self.name, self.colour, self.colour, self.colour, self.material)


def family_art(dice: DieSet, use: Use, rng: Rng) -> dict[KindName, KindArt]:
    """Return the look of each kind of a set, reproducible by the generator's state.

    Raises ValueError for training: families are there to choose and to score on.
    """
    if use is Use.TRAINING:
        raise ValueError("no family is drawn to train on")
    bodies = _bodies(dice, use, rng)
    numerals, gold = bool(rng.random() < NUMERALS_SHARE), bool(rng.random() < GOLD_SHARE)
    pips = str(rng.choice(sorted(_variants(FaceName("pip-1"), use))))
    lettering = str(rng.choice(sorted(_variants(FaceName("digit-1"), use))))
    numbers = {"digit": lettering} if numerals else {"pip": pips}
    return {kind.name: _kind_art(kind, bodies[kind.name], numbers, gold, use, rng) for kind in dice.kinds}


def random_body_style(use: Use, rng: Rng) -> Style:
    colours = _STRONG[use] | _PALE[use] | _DARK[use]
    name, materials = str(rng.choice(list(colours))), _MATERIALS[use]
    body = _KindBody(name, _tinted(colours[name], rng), materials[int(rng.integers(len(materials)))])
    return _style("digit-1/sign", body, gold=False, use=use, rng=rng)


def _bodies(dice: DieSet, use: Use, rng: Rng) -> dict[KindName, _KindBody]:
    """Return a body for each kind; kinds with equal faces get bodies that are far apart."""
    found: dict[KindName, _KindBody] = {}
    by_maker = rng.random() < MAKERS_COLOURS_SHARE
    for kind in dice.kinds:
        rivals = [body for name, body in found.items() if set(dice.kind(name).faces) & set(kind.faces)]
        colours = _body_colours(kind, by_maker, use)
        far = [name for name in colours if all(_distance(colours[name], one.colour) >= APART for one in rivals)]
        name = str(rng.choice(far or list(colours)))
        materials = _MATERIALS[use]
        found[kind.name] = _KindBody(name, _tinted(colours[name], rng), materials[int(rng.integers(len(materials)))])
    return found


def _body_colours(kind: DieKind, by_maker: bool, use: Use) -> dict[str, Colour]:
    if _COLOURED & set(kind.faces):
        return _PALE[use]
    if by_maker and kind.name == "rollers-purple":
        return _PURPLE[use]
    if by_maker and kind.name == "rollers-black":
        return _DARK[use]
    return _STRONG[use] | _PALE[use] | _DARK[use] | _PURPLE[use]


def _distance(one: Colour, other: Colour) -> float:
    lab = cv2.cvtColor(np.array([[one, other]], np.uint8), cv2.COLOR_BGR2LAB)[0].astype(np.float64)
    return float(np.linalg.norm(lab[0] - lab[1]))


def _tinted(colour: Colour, rng: Rng) -> Colour:
    blue, green, red = np.clip(np.array(colour) + rng.normal(0.0, 5.0, 3), 0, 255).astype(int).tolist()
    return blue, green, red


def _kind_art(  # noqa: PLR0913, PLR0917  a maker decides on each
    kind: DieKind, body: _KindBody, numbers: Mapping[str, str], gold: bool, use: Use, rng: Rng
) -> KindArt:
    """Return the look of a kind; faces that belong together share a variant, and numbers their style too."""
    variants: dict[int, str] = {}
    styles: dict[int, Style] = {}
    faces: dict[FaceName, FaceArt] = {}
    for face in kind.faces:
        drawn = FaceName(face.replace("pip-", "digit-")) if "digit" in numbers else face
        group = next((n for n, alike in enumerate(_ALIKE) if drawn in alike), -1)
        known = numbers.get(drawn.partition("-")[0]) or variants.get(group)
        variant = known or str(rng.choice(sorted(_variants(drawn, use))))
        style = styles.get(group) or _style(f"{drawn}/{variant}", body, gold, use, rng)
        if group >= 0:
            variants[group] = variant
        if drawn.partition("-")[0] in _NUMBERED:
            styles[group] = style
        faces[face] = print_face(_variants(drawn, use)[variant], style, SIDE, rng)
    return KindArt(body.name, body.material, faces)


def _variants(face: FaceName, use: Use) -> dict[str, Artist]:
    """Return the drawings of a face for a use; a blank side has none, since its body says all."""
    held_out = [drawing for drawing in POOLS[use][face] if use_of(drawing) is use or face == "blank"]
    shipped = {name.partition("/")[2]: ARTISTS[face][name.partition("/")[2]] for name in held_out}
    return shipped | OWN_ART[use].get(face, {})


def _style(drawing: str, body: _KindBody, gold: bool, use: Use, rng: Rng) -> Style:
    style = random_face_style(drawing, rng, use, body.style())
    inks = [ink for ink in _GOLD if contrast(ink, body.colour) >= _MIN_GOLD_CONTRAST]
    if gold and inks and drawing.startswith(("pip-", "digit-")):
        style = replace(style, ink=inks[int(rng.integers(len(inks)))])
    return replace(style, size=max(style.size, LEAST_SIZE), wear=min(style.wear, MOST_WEAR))
