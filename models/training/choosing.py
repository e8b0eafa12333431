"""Choosing what training cannot: the temperature that makes probabilities honest, and where acceptance begins."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import DataLoader

from models.training.nets import ReaderNet
from models.training.reader import NONE, Crops, Cutting
from models.training.workers import alone

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

CROPS = 12_000
"""Crops drawn to choose on."""

SILENT = 0.001
"""The share of silent errors that a threshold may let through."""

LEAST_ACCEPTANCE = 0.95
"""Dice at home look less like the training's than the choosing pictures do: accept nothing below this."""


def logits_of(net: ReaderNet, found: Sequence[Cutting], seed: int) -> tuple[Floats, Labels]:
    """The network's logits for crops it was not trained on, and their classes."""
    logits, labels = [], []
    with torch.inference_mode():
        for crops, faces, _ in DataLoader(
            Crops(found, CROPS, seed + 1), batch_size=256, num_workers=2, worker_init_fn=alone
        ):
            logits.append(net(crops.float() / 255)[0].numpy())
            labels.append(faces.numpy())
    return np.concatenate(logits).astype(np.float64), np.concatenate(labels)


def log_softmax(logits: Floats) -> Floats:
    """Logarithms of probabilities along the last axis."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def choose_temperature(logits: Floats, labels: Labels) -> float:
    """The divisor of the logits with the least negative log-likelihood (Guo et al. 2017, section 4.2)."""
    tried = np.geomspace(0.3, 4.0, 60)
    rows = np.arange(len(labels))
    return float(min(tried, key=lambda t: -log_softmax(logits / t)[rows, labels].mean()))


def choose_acceptance(logits: Floats, labels: Labels) -> float:
    """The least probability from which on accepted readings are wrong no more often than SILENT."""
    shares = np.exp(log_softmax(logits))
    shares[:, NONE] = 0
    sure, wrong = shares.max(axis=1), (shares.argmax(axis=1) != labels)
    order = np.argsort(-sure)
    risk = np.cumsum(wrong[order]) / np.arange(1, len(order) + 1)
    good = np.nonzero(risk <= SILENT)[0]
    chosen = float(sure[order[good[-1]]]) if len(good) else 0.99
    return float(np.clip(chosen, LEAST_ACCEPTANCE, 0.995))
