"""The bench of films and pictures of others: what it does to a film, and what it counts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench import contact
from bench.bad_pictures import Place, covered, photographed, sheet
from bench.contact_films import FilmedThrow, FilmScore, RealFilm, score_film
from bench.film_conditions import FORMATS, Condition, Shot, banded, can_encode, conditions, dropped, every
from referee.dice import Handling, Zone
from tests.vision.painted import reading
from vander.bench.photo_scores import PhotoScore
from vision.frames import Frame, Pixels
from vision.observations import Observation, TrackedDie
from vision.tray_calibration import TrayLayout, locate

RATE = 30.0


@pytest.fixture
def film(tmp_path: Path) -> RealFilm:
    """A film of 30 pictures, a second, in which a light square goes to the right over a dark ramp."""
    writer = cv2.VideoWriter(str(tmp_path / "filmed.avi"), cv2.VideoWriter.fourcc(*"MJPG"), RATE, (320, 240))
    for number in range(30):
        writer.write(picture(number))
    writer.release()
    return RealFilm(tmp_path / "filmed.avi", RATE, (FilmedThrow(0.2, 0.8, ("pip-3", "pip-5")),))


def picture(number: int) -> Pixels:
    shown = np.repeat(np.linspace(20, 120, 320, dtype=np.uint8)[None, :, None], 240, axis=0).repeat(3, axis=2)
    shown[40:80, 5 * number : 5 * number + 40] = 220
    return shown


@pytest.mark.parametrize("rate", [5.0, 10.0, 24.0, 30.0, 60.0])
def test_a_film_is_given_at_another_rate_and_no_picture_comes_twice(film: RealFilm, rate: float) -> None:
    shots = list(film.shots(rate))
    assert len(shots) == pytest.approx(rate, abs=1)
    assert np.diff([shot.at for shot in shots]) == pytest.approx([1 / rate] * (len(shots) - 1))
    assert all(not np.array_equal(one.pixels, other.pixels) for one, other in pairwise(shots))


def test_each_condition_is_played_in_a_worker_and_has_its_rows(
    tmp_path: Path, film: RealFilm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contact, "real_films", lambda _: [film])
    monkeypatch.setattr(contact, "virtual_films", lambda: [])
    monkeypatch.setattr(contact, "play", lambda film, *_: FilmScore(throws=len(film.throws)))
    monkeypatch.setattr(contact, "_models", lambda: None)
    rows = list(contact.condition_rows(tmp_path, 1, quick=False))
    assert {row.what.removesuffix(", real") for row in rows[::2]} >= {
        one.name for one in conditions() if one.container is None
    }
    assert [row.throws for row in rows[::2]] == [1] * len(rows[::2])


def test_a_picture_is_mirrored_and_turned() -> None:
    by_name = {condition.name: condition for condition in conditions()}

    def first(name: str) -> Pixels:
        return next(by_name[name].change(iter([Shot(0.0, picture(3))]))).pixels

    assert np.array_equal(first("mirrored"), picture(3)[:, ::-1])
    assert np.array_equal(first("upside down"), picture(3)[::-1, ::-1])
    assert first("turned by 90 degrees").shape == (320, 240, 3)
    assert max(first("long side 3840, 15 a second").shape) == 3840


def test_a_lamps_bands_lie_along_the_lines_and_wander() -> None:
    grey = np.full((240, 320, 3), 120, np.uint8)
    bands = banded(grey, 0.0)
    assert np.ptp(bands[:, 0, 0]) > 20
    assert np.ptp(bands[0, :, 0]) == 0
    assert not np.array_equal(bands, banded(grey, 1 / RATE))


def test_pictures_are_lost_by_chance_and_never_many_in_a_row(film: RealFilm) -> None:
    kept = [shot.at for shot in dropped(film.shots(RATE))]
    assert 8 < len(kept) < 28
    assert max(np.diff(kept)) < 5.1 / RATE


@pytest.mark.skipif(not can_encode(), reason="ffmpeg is not there")
@pytest.mark.parametrize("name", [name for name in FORMATS if name != "mp4, uneven times"])
def test_each_format_gives_the_film_back(film: RealFilm, name: str, tmp_path: Path) -> None:
    condition = Condition(name, container=FORMATS[name], live=False)
    frames = list(condition.frames(film.shots(RATE), tmp_path))
    assert len(frames) == (15 if name == "gif" else 30)
    assert frames[0].taken_at == 0
    assert frames[-1].taken_at == pytest.approx(29 / RATE, abs=0.05)
    is_turned = name == "mp4, turned by its own note"
    assert frames[0].pixels.shape == ((320, 240, 3) if is_turned else (240, 320, 3))
    upright = cv2.rotate(frames[-1].pixels, cv2.ROTATE_90_COUNTERCLOCKWISE) if is_turned else frames[-1].pixels
    assert min(np.abs(upright.astype(int) - way).mean() for way in (picture(29), picture(29)[::-1, ::-1])) < 12


@pytest.mark.skipif(not can_encode(), reason="ffmpeg is not there")
def test_a_film_of_uneven_times_keeps_them(film: RealFilm, tmp_path: Path) -> None:
    frames = list(Condition("", container=FORMATS["mp4, uneven times"]).frames(film.shots(RATE), tmp_path))
    assert max(np.diff([frame.taken_at for frame in frames])) == pytest.approx(5 / RATE, abs=0.01)


def seen(throw: int, *faces: str, handled: Handling | None = None, at_rest: bool = True) -> Observation:
    dice = tuple(
        TrackedDie(k, replace(reading(face=face), face=face), Zone.FIELD, throw, handled if k == 1 else None)
        for k, face in enumerate(faces, 1)
    )
    return Observation(frame=1, throw=throw, dice=dice, at_rest=at_rest)


@pytest.mark.parametrize(
    ("shown", "told"),
    [
        ([(0.1, seen(0)), (1.0, seen(1, "pip-3", "pip-5"))], FilmScore(1, 1, 0, 2, 2, 0, 0, 2)),
        ([(0.1, seen(0)), (1.0, seen(1, "pip-3", "pip-4"))], FilmScore(1, 1, 0, 2, 1, 0, 1, 2)),
        ([(0.1, seen(0)), (1.0, seen(1, "pip-3"))], FilmScore(1, 1, 0, 2, 1, 0, 0, 1)),
        ([(0.1, seen(0)), (1.0, seen(2, "pip-3", "pip-5"))], FilmScore(1, 0, 1, 2, 2, 0, 0, 2)),
        ([(0.1, seen(0)), (1.0, seen(0))], FilmScore(1, 0, 0, 2)),
        (
            [(0.1, seen(0)), (1.0, seen(1, "pip-3", "pip-5", handled=Handling.PLACED))],
            FilmScore(1, 1, 0, 2, 2, 0, 0, 1),
        ),
    ],
)
def test_what_became_of_a_throw_is_counted(
    film: RealFilm, shown: list[tuple[float, Observation]], told: FilmScore
) -> None:
    assert score_film(film, shown) == told


def test_good_mats_are_found_and_a_covered_marker_is_said() -> None:
    def found(*papers: Pixels) -> tuple[bool, str]:
        pixels = photographed(*((paper, Place()) for paper in papers))
        calibration, doubt = locate(Frame(pixels, 1, 0.0), TrayLayout())
        return calibration is not None, doubt

    assert found(sheet("a4")) == (True, "")
    is_found, doubt = found(covered(sheet("a4")))
    assert not is_found
    assert "bottom right" in doubt


def test_photographs_that_were_trained_on_are_not_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("epanemu_001", "penlington_002", "penlington_003", "seanwieser_001")
    rows = [{"file": f"{name}.jpg", "kind": "pip", "view": "top-down", "faces": []} for name in names]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for name in names:
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), picture(0))
    monkeypatch.setattr(contact, "_in_parallel", lambda work, tasks, _: [PhotoScore(pictures=1) for _ in tasks])
    pictures = {row.what: row.pictures for row in contact.photo_rows(tmp_path, 1, quick=False)}
    assert pictures == {"penlington, top-down": 1, "seanwieser, top-down": 1, "all top-down": 2, "all photographs": 2}


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    bench = contact.__file__
    command = [sys.executable, bench, tmp_path / "gone"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 -- this program
    assert ended.returncode == 1
    gone = f"there are no photographs at {tmp_path / 'gone'}"
    assert ended.stderr.strip() == f"{gone}; give the labelled folder as PHOTOS=DIR"


def test_a_change_is_made_of_every_picture() -> None:
    def shots() -> Iterator[Shot]:
        yield from (Shot(number / RATE, picture(number)) for number in range(3))

    darker = every(lambda pixels, _: pixels // 2)
    assert [int(shot.pixels.max()) for shot in darker(shots())] == [110, 110, 110]
