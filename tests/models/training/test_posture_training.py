"""Learning how dice lie: the parts of dice, mirrored dice, and the decision."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from models.synthetic.die_renderer import PinholeCamera
from models.training import posture_training
from models.training.augmentation import Randomness
from models.training.networks import PARTS
from models.training.posture_training import UNSURE, LearnedView, SeenLie
from models.training.posture_truth import PosturePicture, TrueLie, true_lie
from models.training.recipes import Recipe
from vision.observations import DieSighting, Posture
from vision.posture import PER_EDGE, SIDE, TOLD, NetworkPosture, TopPlane, flat_die
from vision.rectification import camera_over
from vision.tray_calibration import Calibration, TrayLayout

SIZE, EDGE_MM = (640, 480), 16.0
LENS = PinholeCamera.above((150.0, 112.0), 420.0, 575.0, SIZE, tilt_degrees=20.0)
PLANE = Calibration(TrayLayout(), np.asarray(np.linalg.inv(LENS.homography()), np.float64), {}, SIZE)
NONE, TOP, ON_SIDE, OTHER = range(len(PARTS))


def lie(x: float, y: float, lean_degrees: float = 0.0) -> TrueLie:
    turn = np.asarray(cv2.Rodrigues(np.radians([lean_degrees, 0.0, 0.0]))[0])
    centre = np.array([x, y, float(np.abs(turn[2]).sum()) * EDGE_MM / 2])
    return true_lie(centre, turn, EDGE_MM, LENS.project, lambda points: points)[0]


def seen(*dice: TrueLie) -> SeenLie:
    """Return the first of dice as a perfect finder sees it."""
    x, y, z = LENS.eye
    picture = PosturePicture(np.zeros((*SIZE[::-1], 3), np.uint8), PLANE, dice, (x, y, z))
    first = dice[0]
    top = np.array(first.centre_mm) + np.array(first.axis) * EDGE_MM / 2
    x_mm, y_mm = cv2.perspectiveTransform(LENS.project(top[None])[None], PLANE.to_mm)[0, 0]
    edge = EDGE_MM * z / (z - EDGE_MM)
    sighting = DieSighting(float(x_mm), float(y_mm), edge, 0.0, Posture.FLAT, 0.9, first.x, first.y, first.edge)
    return SeenLie(first, picture, TopPlane(PLANE, camera_over(PLANE), EDGE_MM), NetworkPosture(sighting, 0.9))


def views(*dice: TrueLie) -> list[LearnedView]:
    """Return the views of the first of dice: by the perfect finder's square, and by others."""
    return posture_training.views_of([seen(*dice)], np.random.default_rng(1))


def shares(parts: np.ndarray) -> list[float]:
    return [float((parts == part).mean()) for part in range(len(PARTS))]


def test_the_parts_of_a_flat_die_are_those_that_the_network_is_shown() -> None:
    view = views(lie(80, 60))[0]
    top, whole = flat_die(view.die.sight)[:, ::2, ::2] > 0
    drawn = view.parts
    assert np.linalg.norm(view.told[:4]) < 0.02
    assert ((drawn == TOP) != top).mean() < 0.03
    assert ((drawn == ON_SIDE) != (whole & ~top)).mean() < 0.04


def test_a_die_that_leans_departs_and_shows_other_parts() -> None:
    flat, leaning = views(lie(80, 60))[0], views(lie(80, 60, 20.0))[0]
    assert np.linalg.norm(leaning.told[:2]) > 0.2
    assert (flat.parts != leaning.parts).mean() > 0.03


def test_a_die_in_front_of_it_hides_its_parts() -> None:
    alone, behind = views(lie(150, 60))[0].parts, views(lie(150, 60), lie(150, 77))[0].parts
    assert shares(alone)[OTHER] == 0.0
    assert shares(behind)[OTHER] > 0.05
    assert shares(behind)[ON_SIDE] < shares(alone)[ON_SIDE]


def test_a_square_that_is_off_is_told_by_how_much() -> None:
    """Where the top face is drawn is where it is said to lie."""
    for view in views(lie(80, 60))[1:]:
        drawn = np.argwhere(view.parts == TOP)[:, ::-1].mean(axis=0)
        assert view.told[2:4] == pytest.approx(((drawn + 0.5) / (SIDE // 2) - 0.5) * SIDE / PER_EDGE, abs=0.06)


def test_a_mirrored_die_is_the_same_die() -> None:
    """Where the top is, where the axis departs to and how large the die is."""
    view = views(lie(80, 60, 20.0))[1]
    pictures = torch.from_numpy(view.die.seen())[None].repeat(64, 1, 1, 1)
    told = torch.from_numpy(view.told)[None].repeat(64, 1)
    parts = torch.from_numpy(view.parts.astype(np.int64))[None].repeat(64, 1, 1)
    out, moved, drawn = posture_training.mirrored(pictures, told, parts, Randomness(64, 1))
    at = (torch.arange(SIDE // 2) + 0.5) / (SIDE // 2) - 0.5
    top = (drawn == TOP).float()
    centres = torch.stack([(top.sum(1) * at).sum(1), (top.sum(2) * at).sum(1)], 1) / top.sum((1, 2))[:, None]
    assert torch.allclose(moved[:, 2:4], centres * SIDE / PER_EDGE, atol=0.06)
    assert len({tuple(row) for row in moved.round(decimals=4).tolist()}) == 8
    assert {round(float(one), 4) for one in moved[:, 4]} == {round(float(view.told[4]), 4)}
    flat = out[:, 3, ::2, ::2]
    assert float((flat - torch.from_numpy(view.die.seen()[3, ::2, ::2])).abs().mean()) < 0.05


def test_what_hardly_leans_is_learned_as_neither() -> None:
    assert [seen(lie(80, 60, lean)).learned_posture for lean in (0.0, 5.0, 20.0)] == [0, UNSURE, 1]


def test_a_network_is_trained_on_dice_that_lie_each_way(tmp_path: Path) -> None:
    flat, leaning = seen(lie(80, 60)), seen(lie(80, 60, 20.0))
    dice = [flat, replace(flat, truth=replace(flat.truth, touches=True)), leaning]
    dice.append(replace(leaning, truth=replace(leaning.truth, stacked=True)))
    learned = posture_training.views_of(dice, np.random.default_rng(1))
    assert {one.group for one in learned} == set(posture_training.SHARES)
    recipe = Recipe(steps=2, batch=16, rate=1e-3, decay=0.0, seed=1, bfloat16=False)
    net = posture_training.fit(learned, recipe, tmp_path / "posture.pt")
    told, parts = net(torch.from_numpy(learned[0].die.seen()[None]))
    assert (told.shape, parts.shape) == ((1, 3 + TOLD), (1, len(PARTS), SIDE // 2, SIDE // 2))


def test_the_decision_makes_probabilities_of_evidence() -> None:
    rng = np.random.default_rng(1)
    postures = rng.integers(0, 3, 900)
    told = (np.eye(3)[postures] + rng.normal(0, 0.6, (900, 3))).astype(np.float32)
    chances = posture_training.decided(told, posture_training.fit_decision(told, postures))
    assert (chances.argmax(axis=1) == postures).mean() > 0.7
    assert chances.mean(axis=0) == pytest.approx(np.bincount(postures) / 900, abs=0.02)
