"""Train a network: one loop for finder and reader, configured by a recipe, that writes its learning curve."""

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
from models.training.worker_pool import single_threaded

LOG_EVERY = 100
"""Steps between two rows of the learning curve."""
CHECKPOINT_EVERY = 200
"""Steps between two checkpoints."""

BatchLoss = Callable[[nn.Module, list[Tensor]], tuple[Tensor, float]]
"""Return the loss of a batch and its accuracy (0 to 1): the share of faces or dice that are right."""


def fit(net: nn.Module, dataset: Dataset[Any], batch_loss: BatchLoss, recipe: Recipe, checkpoint: Path) -> None:
    """Train the network in place, with AdamW and a one-cycle schedule, by a recipe.

    The weights are written to `checkpoint` every CHECKPOINT_EVERY steps, the curve to a CSV file next to it.
    Convolutions run in bfloat16 if the recipe says so: twice as fast on processors that have it, half as fast on
    others, with no measurable loss of accuracy.
    """
    torch.manual_seed(recipe.seed)
    net.train()
    optimizer = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.rate, total_steps=recipe.steps, pct_start=0.1)
    batches = DataLoader(dataset, batch_size=recipe.batch, num_workers=recipe.loaders, worker_init_fn=single_threaded)
    running = (0.0, 0.0)
    with checkpoint.with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(("step", "loss", "right"))
        for step, batch in enumerate(tqdm(batches, desc=checkpoint.stem, mininterval=10), 1):
            running = _averaged(
                running, _step(net, batch, batch_loss, optimizer, half=recipe.bfloat16), 1 / min(step, LOG_EVERY)
            )
            schedule.step()
            if step % LOG_EVERY == 0 or step == recipe.steps:
                curve.writerow((step, *(round(figure, 4) for figure in running)))
                file.flush()
            if step % CHECKPOINT_EVERY == 0:
                torch.save(net.state_dict(), checkpoint)
    torch.save(net.state_dict(), checkpoint)
    net.eval()


def _step(
    net: nn.Module, batch: list[Tensor], batch_loss: BatchLoss, optimizer: torch.optim.Optimizer, *, half: bool
) -> tuple[float, float]:
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        loss, right = batch_loss(net, batch)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimizer.step()
    return loss.item(), right


def _averaged(old: tuple[float, float], new: tuple[float, float], share: float) -> tuple[float, float]:
    return old[0] + share * (new[0] - old[0]), old[1] + share * (new[1] - old[1])


def load_partial_weights(net: nn.Module, start: Path) -> None:
    """Load the weights of an earlier run; residual layers that it lacked keep their own, which at first add nothing.

    Raises ValueError if the weights are of another network.
    """
    known = torch.load(start, weights_only=True)
    missing, strange = net.load_state_dict(known, strict=False)
    if strange or any(".norm" not in name and ".first" not in name and ".second" not in name for name in missing):
        raise ValueError(f"{start} holds the weights of another network")
