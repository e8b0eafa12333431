"""The training's own parts: what needs neither PyTorch nor MuJoCo is tested wherever the tests run."""

import json
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training import picture_dataset, surfaces
from models.training.camera_emulation import emulate
from models.training.lying_dice import TrueDie
from models.training.reading_scores import match
from vision.model_file import wilson_interval
from vision.observations import DieReading, DieSighting, Posture


def a_die(x: float, *, clear: bool = True, face: str = "pip-3") -> TrueDie:
    return TrueDie(face, f"{face}/round", x, 50.0, 20.0, 0.0, "flat", clear)


def a_reading(x: float, face: str = "pip-3") -> DieReading:
    sighting = DieSighting(x, 50, 20, 0, Posture.FLAT, 0.9, x, 50, 20)
    return DieReading(sighting, "d6", face, 0.99, accepted=True)


@pytest.mark.parametrize(
    "make", [maker for makers in surfaces.MAKERS.values() for maker in makers], ids=lambda make: make.__name__
)
def test_a_surface_is_a_picture_that_its_seed_remakes(make: surfaces.Maker) -> None:
    first, second = (make(96, np.random.default_rng(5)) for _ in range(2))
    assert first.shape == (96, 96, 3)
    assert first.dtype == np.uint8
    assert np.array_equal(first, second)


def test_no_surface_has_two_uses() -> None:
    makers = [set(makers) for makers in surfaces.MAKERS.values()]
    assert sum(map(len, makers)) == len(set.union(*makers))
    assert all(makers)


def test_a_bad_camera_spoils_a_picture_but_keeps_what_it_shows() -> None:
    picture = np.full((80, 120, 3), 60, np.uint8)
    picture[20:60, 30:70] = 200
    taken = [emulate(picture, np.random.default_rng(seed)) for seed in range(20)]
    assert all(shot.shape == picture.shape and shot.dtype == np.uint8 for shot in taken)
    assert all(not np.array_equal(shot, picture) for shot in taken)
    assert all(shot[30:50, 40:60].mean() > shot[65:, 90:].mean() + 20 for shot in taken)


def test_a_perfect_camera_changes_next_to_nothing() -> None:
    picture = np.random.default_rng(0).integers(20, 235, (40, 40, 3)).astype(np.uint8)
    shots = [emulate(picture, np.random.default_rng(seed), strength=0.0) for seed in range(8)]
    plain = [np.abs(shot.astype(int) - picture).max() <= 2 for shot in shots]
    assert sum(plain) >= 5  # a few are sharpened or shaken all the same


def test_pictures_on_disk_load_with_their_truth(tmp_path: Path) -> None:
    picture = np.full((60, 80, 3), 90, np.uint8)
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    (tmp_path / "truth-0000.jsonl").write_text(json.dumps({"file": "a.png", "dice": [asdict(a_die(30))]}) + "\n")
    (kept,) = picture_dataset.load_pictures(tmp_path)
    assert kept.dice == (a_die(30),)
    assert np.array_equal(kept.pixels(), picture)


def test_an_empty_folder_of_pictures_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no training pictures in"):
        picture_dataset.load_pictures(tmp_path)


def test_a_reading_belongs_to_the_die_it_lies_on() -> None:
    met, unmatched = match([a_die(50), a_die(100)], [a_reading(97), a_reading(200)])
    assert [reading for _, reading in met] == [None, a_reading(97)]
    assert unmatched == [a_reading(200)]


def test_a_reading_of_a_cut_die_is_no_phantom() -> None:
    met, unmatched = match([a_die(50, clear=False)], [a_reading(52)])
    assert (met, unmatched) == ([], [])


def test_the_interval_of_a_share_holds_it_and_narrows_with_the_count() -> None:
    assert wilson_interval(0, 100)[0] == 0
    assert wilson_interval(0, 100)[1] == pytest.approx(0.037, abs=0.001)
    few, many = wilson_interval(9, 10), wilson_interval(900, 1000)
    assert few[0] < many[0] < 0.9 < many[1] < few[1]
