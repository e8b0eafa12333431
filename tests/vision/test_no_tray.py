"""Pictures that are no tray give no die that stands: neither as photographs nor from a camera."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from models import die_sets
from models.synthetic.die_renderer import emulate_sensor
from vander.cli.main import command_line
from vander.resources.models_and_stores import LoadedModels
from vision.frames import Frame, Pixels
from vision.pipeline import NOTHING_READABLE, read_photograph
from vision.tray_calibration import NO_TRAY, TrayLayout

HEIGHT, WIDTH = 960, 1280
DIE_SETS = (None, "d6", "intersection", "rollers")


def _plain(level: int | tuple[int, int, int]) -> Pixels:
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    picture[:] = level
    return picture


def black() -> Pixels:
    return _plain(0)


def white() -> Pixels:
    return _plain(255)


def grey_noise() -> Pixels:
    levels = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 1), np.uint8)
    return np.repeat(levels, 3, axis=2)


def coarse_noise() -> Pixels:
    blots = np.random.default_rng(2).integers(0, 256, (30, 40, 3), np.uint8)
    return np.asarray(cv2.resize(blots, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), np.uint8)


def stripes() -> Pixels:
    picture = _plain(230)
    for left in range(0, WIDTH, 64):
        picture[:, left : left + 30] = (60, 40, 160)
    return picture


def gradient() -> Pixels:
    slope = np.linspace(0, 255, WIDTH)[None, :, None] * np.linspace(1, 0.3, HEIGHT)[:, None, None]
    return np.asarray(np.repeat(slope, 3, axis=2), np.uint8)


def checkerboard() -> Pixels:
    rows, columns = np.indices((HEIGHT, WIDTH)) // 60
    return np.asarray(np.where(((rows + columns) % 2)[..., None], 225, 35) * np.ones(3), np.uint8)


def face() -> Pixels:
    """A head with hair, eyes, nose and mouth before a wall."""
    picture = _plain((170, 180, 175))
    cv2.ellipse(picture, (640, 430), (270, 350), 0, 0, 360, (40, 55, 80), cv2.FILLED, cv2.LINE_AA)
    cv2.ellipse(picture, (640, 500), (230, 310), 0, 0, 360, (140, 175, 225), cv2.FILLED, cv2.LINE_AA)
    for middle in (545, 735):
        cv2.ellipse(picture, (middle, 440), (48, 24), 0, 0, 360, (240, 240, 240), cv2.FILLED, cv2.LINE_AA)
        cv2.circle(picture, (middle, 440), 20, (110, 70, 40), cv2.FILLED, cv2.LINE_AA)
        cv2.circle(picture, (middle, 440), 9, (15, 15, 15), cv2.FILLED, cv2.LINE_AA)
        cv2.ellipse(picture, (middle, 395), (60, 18), 0, 190, 350, (40, 50, 70), 10, cv2.LINE_AA)
    cv2.ellipse(picture, (640, 560), (34, 60), 0, 20, 160, (105, 140, 195), 8, cv2.LINE_AA)
    cv2.ellipse(picture, (640, 650), (95, 45), 0, 10, 170, (80, 80, 190), 14, cv2.LINE_AA)
    return picture


def page_of_text() -> Pixels:
    picture = _plain((235, 240, 242))
    words = "The table is quiet and nobody has thrown for 1 or 2 minutes; 3 of 5 said so. "
    for line in range(28):
        begun = words[line % 9 :] + words
        cv2.putText(picture, begun[:78], (60, 70 + 32 * line), cv2.FONT_HERSHEY_COMPLEX, 0.7, (40, 38, 36), 1)
    return picture


def large_print() -> Pixels:
    picture = _plain((225, 232, 236))
    for line, words in enumerate(("SALE 50%", "1 2 3 4", "GO STOP")):
        cv2.putText(picture, words, (60, 260 + 280 * line), cv2.FONT_HERSHEY_DUPLEX, 7, (30, 30, 170), 24, cv2.LINE_AA)
    return picture


def keyboard() -> Pixels:
    """Square keys in rows, each with its letter."""
    picture = _plain((70, 70, 72))
    for row, letters in enumerate(("1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")):
        for column, letter in enumerate(letters):
            left, top = 60 + 40 * row + 116 * column, 180 + 116 * row
            cv2.rectangle(picture, (left, top), (left + 100, top + 100), (30, 30, 30), cv2.FILLED)
            cv2.rectangle(picture, (left + 8, top + 6), (left + 92, top + 88), (48, 48, 48), cv2.FILLED)
            at = left + 20, top + 44
            cv2.putText(picture, letter, at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (220, 220, 220), 2, cv2.LINE_AA)
    return picture


PICTURES = (
    black,
    white,
    grey_noise,
    coarse_noise,
    stripes,
    gradient,
    checkerboard,
    face,
    page_of_text,
    large_print,
    keyboard,
)
each = pytest.mark.parametrize("drawn", PICTURES, ids=lambda drawn: drawn.__name__)


@pytest.mark.slow
@each
@pytest.mark.parametrize("die_set", DIE_SETS)
def test_a_photograph_of_something_else_gives_no_die_that_stands(
    models: LoadedModels, drawn: Callable[[], Pixels], die_set: str | None
) -> None:
    dice = None if die_set is None else die_sets.load(die_set)
    seen = read_photograph(drawn(), models.finder, models.reader, dice, TrayLayout())
    assert [(die.reading.kind, die.reading.face) for die in seen.dice if die.reading.accepted] == []
    assert NOTHING_READABLE in seen.doubts
    assert not seen.calibrated


@pytest.mark.slow
@each
def test_a_camera_that_looks_at_something_else_shows_no_die_that_stands(
    models: LoadedModels, drawn: Callable[[], Pixels]
) -> None:
    pipeline, picture = models.pipeline(die_sets.load("intersection"), TrayLayout()), drawn()
    sensor = np.random.default_rng(3)
    for number in range(1, 19):
        seen = pipeline.process(Frame(emulate_sensor(picture, sensor, noise=2.0, blur=0.0), number, number / 15))
    assert [(die.reading.kind, die.reading.face) for die in seen.dice if die.reading.accepted] == []
    assert seen.throw == 0
    assert pipeline.fault or NO_TRAY in seen.doubts


@pytest.mark.slow
def test_vander_read_says_of_each_that_there_is_nothing_to_read(tmp_path: Path) -> None:
    photos = [tmp_path / f"{drawn.__name__}.png" for drawn in PICTURES]
    for photo, drawn in zip(photos, PICTURES, strict=True):
        cv2.imwrite(str(photo), drawn())
    words = ["read", "--json", *map(str, photos)]
    told = CliRunner().invoke(command_line(words), words)
    assert told.exit_code == 0, told.output
    records = [json.loads(line) for line in told.stdout.splitlines()]
    assert [Path(record["photo"]).stem for record in records] == [drawn.__name__ for drawn in PICTURES]
    for record in records:
        assert [die for die in record["dice"] if die["accepted"]] == []
        assert NOTHING_READABLE in record["doubts"]
    assert told.stderr == ""
