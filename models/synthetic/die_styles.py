"""The styles of the virtual tray's dice: three for every kind, the first the easiest to read."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from models.synthetic.canvas import Colour, bgr
from models.synthetic.face_style import Material, Style
from referee.dice import FaceName, KindName, NoSuchFace
from referee.sentences import say

_WHITE, _IVORY, _BLACK, _INK = bgr("#f4f4f1"), bgr("#ede3c9"), bgr("#1b1b1f"), bgr("#151518")
_GOLD, _YELLOW, _SKY, _PAPER = bgr("#e0a010"), bgr("#ffd02e"), bgr("#5aa9ea"), bgr("#fafaf6")
_GREEN, _AMBER, _RED, _BLUE = bgr("#149a48"), bgr("#f5a714"), bgr("#d01f2b"), bgr("#1c56b8")
_PANEL_YELLOW, _LEMON, _PURPLE = bgr("#f5d31c"), bgr("#fff04a"), bgr("#5b2a86")

STYLE_COUNT = 3
_NUMERALS = "bold"


@dataclass(frozen=True)
class _Face:
    """One face: the drawing's variant, and what differs from the die's own style."""

    variant: str
    ink: Colour | None = None
    accent: Colour | None = None
    size: float = 1.0
    weight: float = 1.0


@dataclass(frozen=True)
class _Die:
    """One die: its body, its ink, and the art of each face; `others` is the variant of faces not listed."""

    name: str
    body: Colour
    ink: Colour
    faces: dict[str, _Face] = field(default_factory=dict)
    others: str = "round"
    material: Material = Material.PLAIN
    depth: float = 0.7


def _moods(happy: str, sad: str) -> dict[str, _Face]:
    return {
        "happy": _Face(happy, _YELLOW, _INK),
        "sad": _Face(sad, _SKY, _INK),
        "star": _Face("filled", _GOLD, _PAPER),
    }


def _numbers(variant: str) -> dict[str, _Face]:
    return {face: _Face(variant) for face in ("two", "three", "four")}


def _signals(go: str, slow: str, stop: str) -> dict[str, _Face]:
    return {
        "go": _Face(go, _GREEN, _PAPER),
        "slow": _Face(slow, _AMBER, _INK),
        "stop": _Face(stop, _RED, _PAPER),
    }


def _panels(variant: str) -> dict[str, _Face]:
    return {
        "green": _Face(variant, _GREEN, _PAPER),
        "yellow": _Face(variant, _PANEL_YELLOW, _INK),
        "red": _Face(variant, _RED, _PAPER),
    }


def _switches(switch: str, block: str) -> dict[str, _Face]:
    return {
        "green-switch": _Face(switch, _GREEN, _PAPER),
        "red-switch": _Face(switch, _RED, _PAPER),
        "block": _Face(block, _BLUE, _PAPER),
        "blank": _Face("plain"),
    }


def _bare(face: str, variant: str, ink: Colour, accent: Colour) -> dict[str, _Face]:
    return {face: _Face(variant, ink, accent)}


_BOTTLE = bgr("#2f8f4e")
_KINDS: dict[str, tuple[_Die, _Die, _Die]] = {
    "d6": (
        _Die("white", _WHITE, _INK),
        _Die("red", bgr("#b81c28"), _PAPER, material=Material.TRANSLUCENT),
        _Die("ivory", _IVORY, _INK, {"pip-1": _Face("red", None, _RED), "pip-4": _Face("red", None, _RED)}),
    ),
    "traffic": (
        _Die("white", _WHITE, _INK, _moods("disc", "disc") | _numbers("bold"), depth=0.2),
        _Die("black", _BLACK, _PAPER, _moods("blushing", "tearful") | _numbers("round-pips"), depth=0.4),
        _Die("ivory", _IVORY, bgr("#20304e"), {
            "happy": _Face("bare"), "sad": _Face("bare"), "star": _Face("outlined"), **_numbers("digit-and-word"),
        }),
    ),
    "signal": (
        _Die("white", _WHITE, _INK, _signals("disc", "disc", "octagon-word"), depth=0.2),
        _Die("black", _BLACK, _PAPER, _signals("disc-word", "disc-word", "octagon-word"), depth=0.2),
        _Die("ivory", _IVORY, _INK, _signals("lamps", "lamps", "lamps"), depth=0.2),
    ),
    "tossup": (
        _Die("white", _WHITE, _INK, _panels("panel"), depth=0.15),
        _Die("ivory", _IVORY, _INK, _panels("rounded"), depth=0.15),
        _Die("white", _WHITE, _INK, _panels("disc"), depth=0.4),
    ),
    "rollers-purple": (
        _Die("purple", _PURPLE, _PAPER, _bare("star", "filled", _PAPER, _PAPER)),
        _Die("green", _BOTTLE, _PAPER, _bare("star", "rounded", _LEMON, _INK)),
        _Die("violet", bgr("#7440a8"), _LEMON, _bare("star", "filled", _LEMON, _INK), material=Material.MARBLED),
    ),
    "rollers-black": (
        _Die("black", _BLACK, _PAPER, _bare("zap", "classic", _LEMON, _PAPER)),
        _Die("red", bgr("#b3202c"), _PAPER, _bare("zap", "broad", _LEMON, _PAPER)),
        _Die("black", _BLACK, _LEMON, _bare("zap", "outlined", _LEMON, _PAPER), material=Material.SPECKLED),
    ),
    "switch": (
        _Die("white", _WHITE, _INK, _switches("swap", "panel"), depth=0.15),
        _Die("ivory", _IVORY, _INK, _switches("panel-swap", "crossed"), depth=0.15),
        _Die("white", _WHITE, _INK, _switches("circle", "word"), depth=0.15),
    ),
}  # fmt: skip


def art_for(kind: KindName, face: FaceName, number: int = 0) -> tuple[str, Style]:
    """Return the drawing and style of one face of a kind's die.

    `number` is that of the die's style, from 0, modulo STYLE_COUNT. Raises NoSuchFace for an unknown kind.
    """
    if kind not in _KINDS:
        raise NoSuchFace(
            say(
                "no art is drawn for dice of kind {kind}; there is art for {known}",
                kind=repr(kind),
                known=", ".join(_KINDS),
            )
        )
    die = _KINDS[kind][number % STYLE_COUNT]
    art = die.faces.get(face, _Face(_NUMERALS if face.startswith("digit-") else die.others))
    style = Style(die.name, die.body, die.ink, die.ink, die.material, depth=die.depth)
    return f"{face}/{art.variant}", replace(
        style, ink=art.ink or die.ink, accent=art.accent or die.ink, size=art.size, weight=art.weight
    )
