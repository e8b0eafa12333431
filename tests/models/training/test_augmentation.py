"""Batches of pictures as a finder's errors, lights and cheap cameras change them."""

import math

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from models.training.augmentation import (
    DEVICE,
    Randomness,
    cut,
    from_afar,
    lit,
    recoloured,
    stored,
    taken_by_a_camera,
)

SIDE = 64


def checks(count: int) -> torch.Tensor:
    """Return pictures of a chessboard of squares of eight pixels: dark blue and light yellow."""
    board = (np.indices((SIDE, SIDE)) // 8).sum(axis=0) % 2
    picture = np.where(board[..., None] == 1, (60, 200, 210), (150, 40, 30)).astype(np.uint8)
    return stored([picture] * count)


def plain(count: int) -> torch.Tensor:
    return checks(count).float() / 255


def middles(pictures: torch.Tensor, turned: torch.Tensor) -> torch.Tensor:
    """Return the middles of pictures, half as wide."""
    count = len(pictures)
    size = torch.full((count,), 0.5, device=DEVICE)
    return cut(pictures, torch.zeros(count, 2, device=DEVICE), size, turned, SIDE // 2)


def test_what_is_cut_out_without_errors_is_the_middle() -> None:
    seen = middles(checks(2), torch.zeros(2, device=DEVICE))
    assert torch.allclose(seen[0], plain(2)[0, :, 16:48, 16:48], atol=0.35)
    assert (seen[0] - plain(2)[0, :, 16:48, 16:48]).abs().mean() < 0.04


def test_a_turn_is_by_the_angle_that_is_told() -> None:
    picture = np.zeros((SIDE, SIDE, 3), np.uint8)
    picture[: SIDE // 2] = 250
    seen = middles(stored([picture] * 3), torch.tensor([0.0, math.pi / 2, math.pi], device=DEVICE))
    bright = [[float(half.mean()) > 0.5 for half in (one[:, :16], one[:, 16:])] for one in seen]
    assert bright[0] == [True, False]
    assert bright[2] == [False, True]
    assert abs(float(seen[1, :, :16].mean() - seen[1, :, 16:].mean())) < 0.1


@pytest.mark.parametrize("strength", [0.3, 1.0])
def test_a_bad_camera_spoils_a_picture_and_keeps_what_it_shows(strength: float) -> None:
    taken = taken_by_a_camera(plain(60), Randomness(60, 3), strength)
    assert taken.shape == (60, 3, SIDE, SIDE)
    assert float(taken.min()) >= 0
    assert float(taken.max()) <= 1
    assert all(not torch.equal(one, plain(1)[0]) for one in taken)
    kept = [float(np.corrcoef(one[1].cpu().ravel(), plain(1)[0, 1].cpu().ravel())[0, 1]) for one in taken]
    assert np.median(kept) > 0.9
    assert min(kept) > 0.3


def test_a_hue_that_tells_faces_apart_is_kept() -> None:
    free = torch.arange(400, device=DEVICE) % 2 == 0
    seen = recoloured(plain(400), Randomness(400, 5), free)
    turned = (seen - plain(400)).abs().mean((1, 2, 3)) > 0.12
    assert 0.08 < float(turned[free].float().mean()) < 0.4
    assert not bool(turned[~free].any())


def test_lights_and_distance_change_some_of_the_pictures() -> None:
    changed = ((lit(plain(400), Randomness(400, 7)) - plain(400)).abs().amax((1, 2, 3)) > 0.02).float().mean()
    assert 0.15 < float(changed) < 0.35
    assert from_afar(plain(8), Randomness(8, 7), 0.5).shape == (8, 3, SIDE, SIDE)


def test_the_same_seed_makes_the_same_batch() -> None:
    first, second = (from_afar(plain(8), Randomness(8, 9), 0.3) for _ in range(2))
    assert torch.equal(first, second)
    assert not torch.equal(first, from_afar(plain(8), Randomness(8, 10), 0.3))


def test_nothing_to_train_on_is_said() -> None:
    with pytest.raises(ValueError, match="nothing to train on"):
        stored([])
