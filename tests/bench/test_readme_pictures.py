"""The README's film: which frames are kept, and how long each is shown."""

from __future__ import annotations

import io

from PIL import Image

from bench.readme_pictures import LAST_S, MOVING_S, RESTING_S, Film


def jpeg(grey: int) -> bytes:
    picture = io.BytesIO()
    Image.new("L", (80, 50), grey).save(picture, "JPEG")
    return picture.getvalue()


def test_a_frame_that_is_to_be_read_stays_and_one_that_shows_nothing_new_is_left_out() -> None:
    film = Film()
    film.frames += [(0.0, jpeg(10)), (0.2, jpeg(12))]
    film.rest()
    film.frames += [(5.0, jpeg(90)), (5.01, jpeg(120)), (9.0, jpeg(200))]
    shown = film.stills()
    assert [round(each.picture.convert("L").getpixel((0, 0)), -1) for each in shown] == [10, 90, 200]  # type: ignore[arg-type, call-overload]
    assert [each.seconds for each in shown] == [RESTING_S, MOVING_S, LAST_S]
