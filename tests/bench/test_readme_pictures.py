"""The README's film: which frames are kept, and how long each is shown."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bench.readme_pictures import LAST_S, MOVING_S, RESTING_S, Film, Still, save


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


def test_a_film_that_is_too_large_is_written_less_finely(tmp_path: Path) -> None:
    grain = np.random.default_rng(1).normal(90, 12, (6, 100, 160)).astype(np.uint8)
    shown = [Still(Image.fromarray(each).convert("RGB"), 0.1) for each in grain]
    path = tmp_path / "film.webp"
    save(shown, path)
    most = path.stat().st_size
    save(shown, path, most)
    assert path.stat().st_size < most
    with Image.open(path) as film:
        assert getattr(film, "n_frames", 1) == len(shown)
    with pytest.raises(SystemExit, match="100 at most"):
        save(shown, path, 100)
