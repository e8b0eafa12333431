"""The black die among purple ones in pictures of the virtual tray: right or asked about, never wrong."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.simulator.physics import flat_rotation
from hardware.simulator.scenery import LIGHT, SIZE, lens_for, scenery
from hardware.simulator.tray_dice import TRAINED_LOOKS, UNSEEN_LOOKS, face_art
from models import die_sets
from models.synthetic.die_renderer import Pose, SolidDie, emulate_sensor, paint_dice
from referee.dice import DieKind, FaceName
from vision.bodies import paper_light
from vision.classification import Reader
from vision.detection import Finder
from vision.frames import Frame, Pixels
from vision.observations import DieReading
from vision.rectification import TrayView, rectify
from vision.tray_calibration import TrayLayout, calibrate

ROLLERS = die_sets.load("rollers")
PLACES = ((50.0, 60.0), (105.0, 50.0), (160.0, 75.0), (65.0, 140.0), (125.0, 160.0), (190.0, 150.0))
DAYLIGHT, ORANGE = (1.0, 1.0, 1.0), (0.5, 0.8, 1.05)


def a_throw(
    look: str, black: int, light: tuple[float, float, float], *, swapped: bool = False, seed: int = 1
) -> Pixels:
    """Five purple dice and, at a place, the black one, all showing pips; `swapped` gives each the other's body."""
    rng = np.random.default_rng(seed)
    purple_kind, black_kind = ROLLERS.kinds[::-1] if swapped else ROLLERS.kinds
    kinds = [black_kind if n == black else purple_kind for n in range(6)]
    picture = scenery(SIZE).copy()
    lying = [_solid(kind, look, place, n, rng) for n, (kind, place) in enumerate(zip(kinds, PLACES, strict=True))]
    paint_dice(picture, lens_for(SIZE), lying, LIGHT)
    lit = np.clip(cv2.GaussianBlur(picture, (0, 0), 0.6) * np.array(light), 0, 255).astype(np.uint8)
    return np.asarray(emulate_sensor(lit, rng, noise=2.0, blur=0.0), np.uint8)


def _solid(kind: DieKind, look: str, place: tuple[float, float], n: int, rng: np.random.Generator) -> SolidDie:
    """A die with the pips n + 1 (modulo 5) up; the renderer's fifth face lies on top."""
    up = FaceName(f"pip-{n % 5 + 1}")
    others = [face for face in kind.faces if face != up]
    arts = [face_art(kind, face, look) for face in (*others[:4], up, others[4])]
    pose = Pose(np.array([*place, 8.0]), flat_rotation(4, float(rng.uniform(0, 6))), 16.0)
    return SolidDie(pose, (arts[0], arts[1], arts[2], arts[3], arts[4], arts[5]))


def view_of(pixels: Pixels) -> TrayView:
    frame = Frame(pixels, 1, 0.0)
    calibration = calibrate(frame, TrayLayout())
    assert calibration is not None
    return rectify(frame, calibration)


def read(finder: Finder, reader: Reader, pixels: Pixels) -> list[DieReading]:
    """The readings in the order of PLACES."""
    view = view_of(pixels)
    found = reader.read(view, finder.find(view), ROLLERS)
    return [min(found, key=lambda die: np.hypot(die.sighting.x_mm - x, die.sighting.y_mm - y)) for x, y in PLACES]


def wrong(readings: list[DieReading], black: int) -> list[int]:
    """The dice of which a wrong kind was accepted."""
    kinds = [ROLLERS.kinds[n == black].name for n in range(6)]
    return [n for n, (die, kind) in enumerate(zip(readings, kinds, strict=True)) if die.accepted and die.kind != kind]


@pytest.mark.parametrize("light", [DAYLIGHT, ORANGE], ids=["daylight", "orange"])
@pytest.mark.parametrize("look", [*TRAINED_LOOKS, *UNSEEN_LOOKS])
def test_the_black_die_in_plain_sight_is_right_or_asked_about(
    finder: Finder, reader: Reader, look: str, light: tuple[float, float, float]
) -> None:
    black = len(look + str(light)) % 6
    assert wrong(read(finder, reader, a_throw(look, black, light)), black) == []


@pytest.mark.parametrize("light", [DAYLIGHT, ORANGE], ids=["daylight", "orange"])
def test_in_the_shipped_look_nobody_is_asked_which_is_the_black_die(
    finder: Finder, reader: Reader, light: tuple[float, float, float]
) -> None:
    readings = read(finder, reader, a_throw("house-1", 2, light))
    assert [die.kind_accepted for die in readings] == [True] * 6
    assert [n for n, die in enumerate(readings) if die.kind == "rollers-black"] == [2]


def test_the_paper_of_the_markers_tells_the_light() -> None:
    white, orange = (paper_light(view_of(a_throw("house-1", 2, light))) for light in (DAYLIGHT, ORANGE))
    assert white is not None
    assert orange is not None
    assert np.nanmean(orange.levels / white.levels, axis=0) == pytest.approx(ORANGE, abs=0.06)
