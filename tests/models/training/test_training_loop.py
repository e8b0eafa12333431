"""The one loop that trains all networks."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from torch import Tensor, nn

from models.training import networks
from models.training.augmentation import DEVICE
from models.training.recipes import Recipe

HOW = Recipe(steps=60, batch=16, rate=0.3, decay=0.0, seed=3, bfloat16=False)


class Sums:
    """Batches of pairs of numbers and their sums; `met` counts them."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe, self.met = recipe, 0

    def __iter__(self) -> Iterator[list[Tensor]]:
        for _ in range(self.recipe.steps):
            self.met += 1
            pairs = torch.randn(self.recipe.batch, 2)
            yield [pairs, pairs.sum(1)]


def batch_loss(net: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Tensor]:
    off = net(batch[0])[:, 0] - batch[1]
    return (off**2).mean(), (off.abs() < 0.1).float().mean()


def trained(recipe: Recipe, to: Path) -> tuple[nn.Module, Sums]:
    torch.manual_seed(1)
    net, batches = nn.Linear(2, 1).to(DEVICE), Sums(recipe)
    networks.train(net, batches, batch_loss, recipe, to)
    return net, batches


def test_a_network_is_trained_and_kept_with_its_curve(tmp_path: Path) -> None:
    net, batches = trained(HOW, tmp_path / "sums.pt")
    assert batches.met == 60
    assert torch.allclose(net.weight.detach().cpu(), torch.ones(1, 2), atol=0.1)
    kept = torch.load(tmp_path / "sums.pt", weights_only=True)
    assert torch.equal(kept["weight"], net.weight.detach().cpu())
    rows = list(csv.reader((tmp_path / "sums.csv").read_text("utf-8").splitlines()))
    assert rows[0] == ["step", "loss", "right"]
    assert int(rows[-1][0]) == 60


def test_a_run_of_so_many_minutes_ends_after_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100_000, 5))
    monkeypatch.setattr(networks, "monotonic", lambda: float(next(clock)))
    _, batches = trained(replace(HOW, minutes=2.0), tmp_path / "sums.pt")
    assert batches.met == 24  # 120 seconds of five a step


def test_the_rate_rises_then_falls_to_nothing() -> None:
    shares = [networks._one_cycle(done) for done in (0.0, 0.05, 0.1, 0.5, 0.9, 1.0)]
    assert shares[0] == pytest.approx(0.04)
    assert shares[2] == pytest.approx(1.0)
    assert shares[0] < shares[1] < shares[2] > shares[3] > shares[4] > shares[5]
    assert shares[5] < 1e-4
