"""What the second look may settle is chosen: few questions, hardly more silent errors, foreign signs asked about."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from models.training.crops import NONE
from models.training.model_card import export_finder, quantise
from models.training.networks import POSTURE_WEIGHTS, ExportedFinder, FinderNet, load_exported
from models.training.second_choice import SIGNS_TAKEN, LookedAgain, choose
from vision.kinds import CLASSES
from vision.model_file import softmax

ACCEPT_FROM = 0.93


def seen(labels: list[int], first: float, second: float, guesses: list[int] | None = None) -> LookedAgain:
    """Return dice whose likeliest drawing has logits `first` and `second` over the others."""
    rows, rng = np.arange(len(labels)), np.random.default_rng(4)
    logits = [rng.normal(0, 0.3, (len(labels), len(CLASSES))).astype(np.float32) for _ in range(2)]
    for of, height in zip(logits, (first, second), strict=True):
        of[rows, guesses or labels] += height
    return LookedAgain(softmax(logits[0]), logits[1], np.array(labels))


def test_a_second_look_that_is_right_saves_questions() -> None:
    dice = seen([n % 28 for n in range(400)], first=5.0, second=9.0)
    signs = seen([NONE] * 60, first=2.0, second=7.0)
    choice = choose([dice], [signs], ACCEPT_FROM)
    assert 0.93 < choice.settings.cap < 1.0
    assert "100.0 % by the reader alone, 0.0 % after the second look" in choice.figures


def test_foreign_signs_that_the_reader_takes_for_faces_are_asked_about() -> None:
    dice = seen([n % 28 for n in range(400)], first=5.0, second=9.0)
    signs = seen([NONE] * 60, first=7.0, second=8.0, guesses=[2] * 60)
    rejected = LookedAgain(signs.first, seen([NONE] * 60, first=0.0, second=8.0).logits, signs.labels)
    choice = choose([dice], [rejected], ACCEPT_FROM)
    before, after = (float(part.split(" %")[0]) for part in choice.figures.rsplit(": ", 1)[1].split(", then "))
    assert after <= SIGNS_TAKEN * before


def test_the_source_that_errs_most_decides() -> None:
    labels = [n % 28 for n in range(400)]
    easy = seen(labels, first=5.0, second=9.0)
    misled = seen(labels, first=5.0, second=9.0, guesses=[(n + 1) % 28 for n in labels])
    signs = seen([NONE] * 60, first=2.0, second=7.0)
    alone, both = (choose(sources, [signs], ACCEPT_FROM) for sources in ([easy], [easy, misled]))
    assert "0.0 % after the second look, then silently wrong 0" in alone.figures
    assert "silently wrong 0; of 400 flat dice" in both.figures
    assert both.figures.count("100.0 % after the second look, then silently wrong 0") == 2  # sooner asks about all


def test_exported_weights_that_are_trained_further_compute_the_same_at_first(tmp_path: Path) -> None:
    torch.manual_seed(3)
    net, again, shown = FinderNet(), FinderNet(), torch.rand(8, 3, 64, 64)
    for module in net.modules():  # new residual blocks add nothing, and would not be written
        if isinstance(module, torch.nn.BatchNorm2d):
            module.weight.data.uniform_(0.5, 1.5)
    with torch.no_grad():
        net.train()(shown)  # gives the normalisations something to fold in
    export_finder(net.eval(), tmp_path / "whole.onnx")
    quantise(tmp_path / "whole.onnx", iter(shown[:, None].numpy()), tmp_path / "finder.onnx")
    load_exported(again, tmp_path / "finder.onnx", shown)
    with torch.no_grad():
        apart = (again.eval()(shown) - net(shown)).abs().mean() / net(shown).std()
    assert apart < 0.1  # what eight bits leave


def test_the_finders_word_on_postures_is_given_without_the_weights_of_the_loss() -> None:
    net, shown = FinderNet().eval(), torch.rand(1, 3, 64, 64)
    with torch.no_grad():
        told, raw = ExportedFinder(net)(shown)[:, 6:], net(shown)[:, 6:].softmax(1)
    odds = (told[:, 0] / told[:, 1]) / (raw[:, 0] / raw[:, 1])
    assert torch.allclose(odds, torch.full_like(odds, POSTURE_WEIGHTS[1]), rtol=1e-3)
