"""The temperature that makes a reader's probabilities honest (Guo et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime as ort
from torch.utils.data import DataLoader

from models.training.crops import UNKNOWN, Cutting
from models.training.reader_training import Crops
from models.training.worker_pool import alone

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

CROPS = 12_000
"""Crops drawn to choose the temperature on."""


def logits_of(weights: Path, found: Sequence[Cutting], seed: int) -> tuple[Floats, Labels]:
    """A reader's logits for crops it was not trained on, and their classes."""
    session = ort.InferenceSession(weights, providers=["CPUExecutionProvider"])
    logits, labels = [], []
    shown = Crops(found, CROPS, seed + 1)
    for crops, faces, _ in DataLoader(shown, batch_size=256, num_workers=2, worker_init_fn=alone):
        known = faces.numpy() != UNKNOWN
        seen = session.run(["faces"], {"crops": crops.numpy().astype(np.float32) / 255})[0]
        logits.append(seen[known])
        labels.append(faces.numpy()[known])
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
