"""The second look settles doubts, and never makes a face more certain than its card allows."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vander.resources.models_and_stores import weights_path
from vision.classification import (
    NONE_CAP,
    Look,
    SecondLook,
    SecondLookSettings,
    capped,
    combined,
    combined_oblique,
    rescaled,
    vetoed,
)
from vision.frames import Pixels
from vision.kinds import CLASSES
from vision.model_file import BrokenModel, Floats

DIE = [Look.FROM_ABOVE]


@pytest.fixture(scope="module")
def second() -> SecondLook:
    return SecondLook(weights_path("second"))


def a_crop(seed: int = 1) -> Pixels:
    rng = np.random.default_rng(seed)
    crop = np.full((64, 64, 3), 90, np.uint8)
    crop[10:54, 10:54] = 235
    for x, y in ((22, 22), (42, 42), (32, 32)):
        crop[y - 4 : y + 4, x - 4 : x + 4] = 25
    return np.clip(crop + rng.normal(0, 4, crop.shape), 0, 255).astype(np.uint8)


def probabilities(**shares: float) -> Floats:
    row = np.full(len(CLASSES), 1e-4, np.float32)
    for name, share in shares.items():
        row[CLASSES.index(name.replace("_", "-"))] = share  # type: ignore[arg-type]  # faces are strings
    return np.asarray(row / row.sum(), np.float32)[None]


def test_dice_that_are_sure_are_left_as_they_are(second: SecondLook) -> None:
    sure = probabilities(pip_3=0.999)
    assert second.settle([a_crop()], sure, DIE) is sure


def test_a_plain_three_in_doubt_becomes_likelier(second: SecondLook) -> None:
    doubtful = probabilities(pip_3=0.6, pip_5=0.4)
    settled = second.settle([a_crop()], doubtful, DIE)
    assert settled[0].argmax() == CLASSES.index("pip-3")  # type: ignore[arg-type]
    assert settled[0].max() > doubtful[0].max()


def test_a_doubt_never_ends_in_more_certainty_than_the_card_allows(second: SecondLook) -> None:
    crops = [a_crop(seed) for seed in range(6)]
    settled = second.settle(crops, np.repeat(probabilities(pip_3=0.9, pip_5=0.06), 6, axis=0), 6 * DIE)
    assert settled.max() <= second.cap + 1e-6
    assert np.allclose(settled.sum(axis=1), 1, atol=1e-4)


def test_only_the_doubtful_dice_of_a_throw_are_changed(second: SecondLook) -> None:
    classes = np.concatenate([probabilities(pip_3=0.999), probabilities(pip_3=0.5, pip_2=0.5)])
    settled = second.settle([a_crop(), a_crop()], classes, 2 * DIE)
    assert np.array_equal(settled[0], classes[0])
    assert not np.array_equal(settled[1], classes[1])


def test_what_may_be_no_die_is_not_looked_at(second: SecondLook) -> None:
    doubtful = probabilities(pip_3=0.6, pip_5=0.4)
    assert second.settle([a_crop()], doubtful, [Look.NONE]) is doubtful


def test_a_sign_that_the_second_look_rejects_is_asked_about_and_not_left_out() -> None:
    first = probabilities(pip_3=0.9, none=0.05)
    held = vetoed(first, probabilities(none=0.99), np.array([NONE_CAP], np.float32))
    assert held[0, -1] == pytest.approx(NONE_CAP)
    assert held.sum() == pytest.approx(1, abs=1e-5)
    assert held[0].argmax() == CLASSES.index("none")  # type: ignore[arg-type]


def test_what_an_oblique_camera_sees_is_looked_at_though_the_reader_is_sure(second: SecondLook) -> None:
    sure = probabilities(pip_5=0.999)
    assert not np.array_equal(second.settle([a_crop()], sure, [Look.OBLIQUE]), sure)


def test_a_side_below_a_top_is_left_out_and_elsewhere_asked_about() -> None:
    settings = SecondLookSettings(0.7, 0.7, 0.99, 0.98)
    first, logits = np.repeat(probabilities(pip_5=0.99), 2, axis=0), np.zeros((2, len(CLASSES)), np.float32)
    logits[:, -1] = 12.0
    apart, below = combined_oblique(first, logits, np.array([False, True]), settings)[:, -1]
    assert apart == pytest.approx(NONE_CAP)
    assert below > 0.99


def test_the_turn_of_a_die_does_not_matter(second: SecondLook) -> None:
    crop = a_crop()
    turned = [np.ascontiguousarray(np.rot90(crop, quarters)) for quarters in range(4)]
    seen = second.probabilities(turned)
    assert np.abs(seen - seen[0]).max() < 0.02


def test_the_word_of_the_second_look_stands_in_place_of_the_readers() -> None:
    settings = SecondLookSettings(1.0, 1.0, 0.99, 0.98)
    first, logits = probabilities(pip_5=0.9), np.log(probabilities(pip_3=0.9, pip_5=0.06))
    assert np.allclose(combined(first, logits, settings), probabilities(pip_3=0.9, pip_5=0.06), atol=1e-5)
    surer = combined(first, logits, replace(settings, temperature=0.4))
    assert surer.max() == pytest.approx(0.98)


def test_what_is_above_the_cap_goes_to_the_others() -> None:
    held = capped(probabilities(pip_3=0.999), 0.97)
    assert held.max() == pytest.approx(0.97)
    assert held.sum() == pytest.approx(1, abs=1e-5)
    low = probabilities(pip_3=0.5, pip_5=0.5)
    assert np.array_equal(capped(low, 0.97), low)


def test_a_view_enlarges_the_middle() -> None:
    crop = a_crop()
    assert rescaled(crop, 1.0) is crop
    widths = [(rescaled(crop, scale)[14, :, 0] > 200).sum() for scale in (0.85, 1.0, 1.2)]
    assert widths[0] < widths[1] < widths[2]


def test_a_missing_or_strange_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenModel):
        SecondLook(tmp_path / "second.onnx")
    for suffix in (".onnx", ".toml"):
        shutil.copy(weights_path("second").with_suffix(suffix), tmp_path / f"second{suffix}")
    card = tmp_path / "second.toml"
    card.write_text(card.read_text("utf-8").replace('"pip-1", "pip-2"', '"pip-2", "pip-1"'), "utf-8")
    with pytest.raises(BrokenModel, match="knows other faces"):
        SecondLook(tmp_path / "second.onnx")
