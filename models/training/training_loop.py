"""Fitting a network: one loop for the finder and the reader, told by a recipe, that leaves its curve behind."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset
from tqdm import tqdm

from models.training.recipes import Recipe
from models.training.worker_pool import alone

NOTED = 100
"""Steps between two rows of the curve."""
KEPT = 200
"""Steps between two writings of the weights."""

Worth = Callable[[nn.Module, list[Tensor]], tuple[Tensor, float]]
"""The loss of a batch, and a share that tells a person how well it goes: of faces named rightly, of dice sighted."""


def fit(net: nn.Module, shown: Dataset[Any], worth: Worth, how: Recipe, checkpoint: Path) -> None:
    """Train the net in place. The weights go to `checkpoint` now and then, the curve to a CSV file beside it.

    Convolutions run in bfloat16, which newer processors do twice as fast and which changes nothing that could be seen.
    """
    torch.manual_seed(how.seed)
    net.train()
    best = torch.optim.AdamW(net.parameters(), lr=how.rate, weight_decay=how.decay)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, how.rate, total_steps=how.steps, pct_start=0.1)
    batches = DataLoader(shown, batch_size=how.batch, num_workers=2, worker_init_fn=alone)
    running = (0.0, 0.0)
    with checkpoint.with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(("step", "loss", "right"))
        for step, batch in enumerate(tqdm(batches, desc=checkpoint.stem, mininterval=10), 1):
            running = _averaged(running, _step(net, batch, worth, best), 1 / min(step, NOTED))
            plan.step()
            if step % NOTED == 0 or step == how.steps:
                curve.writerow((step, *(round(figure, 4) for figure in running)))
                file.flush()
            if step % KEPT == 0:
                torch.save(net.state_dict(), checkpoint)
    torch.save(net.state_dict(), checkpoint)
    net.eval()


def _step(net: nn.Module, batch: list[Tensor], worth: Worth, best: torch.optim.Optimizer) -> tuple[float, float]:
    with torch.autocast("cpu", torch.bfloat16):
        loss, right = worth(net, batch)
    best.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    best.step()
    return loss.item(), right


def _averaged(old: tuple[float, float], new: tuple[float, float], share: float) -> tuple[float, float]:
    return old[0] + share * (new[0] - old[0]), old[1] + share * (new[1] - old[1])


def grown(net: nn.Module, start: Path) -> None:
    """Take over the weights of an earlier fit; layers that it had not keep their own, which at first add nothing."""
    known = torch.load(start, weights_only=True)
    missing, strange = net.load_state_dict(known, strict=False)
    if strange or any(".norm" not in name and ".first" not in name and ".second" not in name for name in missing):
        raise ValueError(f"{start} holds the weights of another network")
