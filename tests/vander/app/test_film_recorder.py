"""The last seconds of the stream: how much stays in memory, and which part becomes the film of a ruling."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from laid_dice import StillPicture
from true_tray import FRAME, TrayPictures

from vander.app.film_recorder import LENGTH_S, LONGEST_S, MOST_PICTURES, FilmBuffer, FilmRecorder, RecordedPicture
from vander.storage.evidence_store import FilmDie, FilmStore, read_film
from vander.table.pictures import FilmedRuling
from vision.image_io import decode_picture
from vision.observations import Observation

NAME = "game-1-entry-3"


def fill(buffer: FilmBuffer, began: float, ended: float, *, at_rest: bool, rate: float = 30) -> None:
    for number in range(round((ended - began) * rate)):
        buffer.add(RecordedPicture(began + number / rate, at_rest, b"jpeg"))


def times(pictures: tuple[RecordedPicture, ...]) -> list[float]:
    return [picture.taken_at for picture in pictures]


def test_a_film_shows_the_last_ten_seconds() -> None:
    buffer = FilmBuffer()
    fill(buffer, 0, 40, at_rest=True, rate=5)
    film, _ = buffer.cut_film()
    assert times(film)[-1] - times(film)[0] == pytest.approx(LENGTH_S, abs=0.3)


def test_a_throw_that_was_asked_about_for_long_is_in_the_film_of_its_ruling() -> None:
    buffer = FilmBuffer()
    fill(buffer, 0, 5, at_rest=True, rate=5)
    buffer.cut_film()
    fill(buffer, 5, 8, at_rest=False)
    fill(buffer, 8, 45, at_rest=True, rate=5)
    film, before = buffer.cut_film()
    assert sum(not picture.at_rest for picture in film) == 90
    assert film[before].at_rest
    assert film[before].taken_at < 5
    assert len(film) < 90 + 5 * (LENGTH_S + 1)


def test_what_moved_before_the_last_ruling_is_not_shown_again() -> None:
    buffer = FilmBuffer()
    fill(buffer, 0, 3, at_rest=False)
    fill(buffer, 3, 4, at_rest=True, rate=5)
    buffer.cut_film()
    fill(buffer, 4, 30, at_rest=True, rate=5)
    fill(buffer, 30, 32, at_rest=False)
    film, before = buffer.cut_film()
    assert times(film)[0] > 3
    assert film[before].at_rest


def test_memory_is_bounded_however_long_and_fast_dice_move() -> None:
    buffer = FilmBuffer()
    fill(buffer, 0, 3 * LONGEST_S, at_rest=False, rate=60)
    assert len(buffer.pictures) <= MOST_PICTURES


def test_a_picture_that_comes_twice_or_late_is_dropped() -> None:
    buffer = FilmBuffer()
    for taken_at in (1.0, 1.1, 1.1, 1.05, 1.2):
        buffer.add(RecordedPicture(taken_at, at_rest=False, jpeg=b""))
    assert times(buffer.pictures) == [1.0, 1.1, 1.2]


def test_a_clock_that_is_set_back_begins_the_film_anew_and_one_set_forward_ends_the_old_one() -> None:
    buffer = FilmBuffer()
    fill(buffer, 1000, 1003, at_rest=False)
    fill(buffer, 5, 7, at_rest=False)
    assert max(times(buffer.pictures)) < 7
    fill(buffer, 9000, 9003, at_rest=False)
    film, _ = buffer.cut_film()
    assert min(times(film)) == 9000


def test_a_ruling_before_any_picture_has_an_empty_film() -> None:
    assert FilmBuffer().cut_film() == ((), 0)


@pytest.fixture
def sight() -> TrayPictures:
    return TrayPictures(FRAME)


def seen(*, at_rest: bool) -> Observation:
    return Observation(1, 1, at_rest=at_rest)


def test_the_film_of_a_ruling_is_on_disk_with_its_readings_and_crops(
    recorder: FilmRecorder, store: FilmStore, sight: TrayPictures
) -> None:
    for number in range(20):
        recorder.take(seen(at_rest=number < 5), sight.at(100 + number / 30))
    die = FilmDie(4, "traffic", "happy", 0.9, (("star", 0.1),), 320.0, 240.0, 32.0, "field", thrown=True)
    recorder.keep(FilmedRuling(NAME, "2026-11-22T18:00:00+00:00", (die,), crops={4: b"crop", 5: b"gone"}))
    recorder.stop()
    film = store.read(NAME)
    assert len(film.index.times) == 16  # one of the five at rest, which were taken within 0.2 s
    assert film.crop(4) == b"crop"
    picture = film.picture(len(film.index.times) - 1)
    assert picture is not None
    assert np.std(decode_picture(picture)) > 10
    assert film.index.width > 0


def test_where_no_tray_was_found_no_picture_is_kept(
    recorder: FilmRecorder, store: FilmStore, sight: TrayPictures
) -> None:
    sight.calibration = None
    recorder.take(seen(at_rest=False), sight)
    recorder.take(seen(at_rest=False), StillPicture())
    recorder.keep(FilmedRuling(NAME, ""))
    recorder.stop()
    assert store.read(NAME).index.times == ()


def test_a_full_card_is_said_and_stops_nothing(tmp_path: Path, sight: TrayPictures) -> None:
    recorder = FilmRecorder(FilmStore(tmp_path, quota_mb=10, spare_mb=10**9))
    recorder.start()
    recorder.take(seen(at_rest=False), sight)
    recorder.keep(FilmedRuling(NAME, ""))
    recorder.stop()
    assert "could not be kept" in recorder.trouble


def test_the_film_of_an_open_question_is_at_hand_and_stays_that_of_its_moment(
    recorder: FilmRecorder, store: FilmStore, sight: TrayPictures
) -> None:
    for number in range(10):
        recorder.take(seen(at_rest=False), sight.at(100 + number / 30))
    recorder.ask({7, 8})
    for number in range(10, 20):
        recorder.take(seen(at_rest=False), sight.at(100 + number / 30))
    recorder.keep(FilmedRuling(NAME, ""))
    recorder.stop()
    asked = read_film(recorder.asked(7))
    assert (len(asked.index.times), recorder.asked(8), recorder.asked(9)) == (10, recorder.asked(7), b"")
    assert len(store.read(NAME).index.times) == 20  # a question takes nothing from the film of the ruling


def test_a_question_before_any_picture_has_no_film(recorder: FilmRecorder) -> None:
    recorder.ask({7})
    recorder.stop()
    assert recorder.asked(7) == b""
