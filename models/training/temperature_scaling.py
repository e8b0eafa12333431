"""Calibrate the reader's probabilities by temperature scaling (Guo et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime as ort
from torch.utils.data import DataLoader

from models.training.crops import UNKNOWN, TrainingCrop
from models.training.reader_training import CropDataset
from models.training.worker_pool import single_threaded

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

CROPS = 12_000
"""Number of crops that the temperature is chosen on."""


def logits_of(weights: Path, found: Sequence[TrainingCrop], seed: int) -> tuple[Floats, Labels]:
    """Return a reader's logits, (n, classes), for crops it was not trained on, and their classes, (n,)."""
    session = ort.InferenceSession(weights, providers=["CPUExecutionProvider"])
    logits, labels = [], []
    dataset = CropDataset(found, CROPS, seed + 1)
    for crops, faces, _ in DataLoader(dataset, batch_size=256, num_workers=2, worker_init_fn=single_threaded):
        known = faces.numpy() != UNKNOWN
        seen = session.run(["faces"], {"crops": crops.numpy().astype(np.float32) / 255})[0]
        logits.append(seen[known])
        labels.append(faces.numpy()[known])
    return np.concatenate(logits).astype(np.float64), np.concatenate(labels)


def log_softmax(logits: Floats) -> Floats:
    """Return log-probabilities of logits (n, classes)."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def choose_temperature(logits: Floats, labels: Labels) -> float:
    """Return the divisor of the logits with the lowest negative log-likelihood (Guo et al. 2017, section 4.2)."""
    tried = np.geomspace(0.3, 4.0, 60)
    rows = np.arange(len(labels))
    return float(min(tried, key=lambda t: -log_softmax(logits / t)[rows, labels].mean()))
