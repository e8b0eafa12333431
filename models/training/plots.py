"""Plot learning curves, the confusion matrix, reliability, and risk against coverage."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")  # before pyplot is imported: it opens its window library then
import matplotlib.pyplot as plt

from models.training.reading_scores import ReadingScore
from models.training.threshold_selection import ReadingOutcome, risk_and_coverage
from vision.model_file import wilson_interval

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Limits of the reliability plot's columns: most readings have probabilities near 1."""
_SIZE, _DOTS = (6.0, 4.0), 90
_OURS, _FAINT = "#1c56b8", "#b8b8b8"


def curve(rows: Path, to: Path) -> None:
    """Plot loss and accuracy over the steps of a training run, from its CSV file."""
    with rows.open(encoding="utf-8", newline="") as file:
        table = [(int(row["step"]), float(row["loss"]), float(row["right"])) for row in csv.DictReader(file)]
    steps, losses, rights = zip(*table, strict=True)
    figure, left = plt.subplots(figsize=_SIZE)
    left.plot(steps, losses, color=_FAINT)
    left.set(xlabel="step", ylabel="loss (grey)", title=f"{rows.stem}: batches of the training")
    right = left.twinx()
    right.plot(steps, [100 * share for share in rights], color=_OURS)
    right.set_ylabel("right, % (blue)")
    _save(figure, to)


def confusion(total: ReadingScore, to: Path) -> None:
    """Plot the confusion matrix of flat dice, on a logarithmic scale that shows a few in a thousand."""
    pairs = [(met.wanted, str(met.reading.face)) for met in total.dice() if met.reading]
    names = sorted({name for pair in pairs for name in pair})
    shares = np.zeros((len(names), len(names)))
    for wanted, read in pairs:
        shares[names.index(wanted), names.index(read)] += 1
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
    figure, axes = plt.subplots(figsize=(8.0, 7.0))
    drawn = axes.imshow(np.log10(shares + 1e-3), cmap="Blues", vmin=-3, vmax=0)
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=7)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.set(xlabel="read, accepted or asked", ylabel="truth", title="What is read as what")
    bar = figure.colorbar(drawn, ticks=[-3, -2, -1, 0])
    bar.ax.set_yticklabels(["none", "1 %", "10 %", "all"])
    _save(figure, to)


def reliability(outcomes: Sequence[ReadingOutcome], to: Path) -> None:
    """Plot how often readings of a probability are right, with 95 % intervals and counts."""
    sures = np.array([one.confidence for one in outcomes])
    rights = np.array([one.correct for one in outcomes])
    figure, axes = plt.subplots(figsize=_SIZE)
    for k, (low, high) in enumerate(itertools.pairwise(EDGES)):
        some = (sures >= low) & ((sures < high) | (high == EDGES[-1]))
        if count := int(some.sum()):
            _interval(axes, k, (int(rights[some].sum()), count), float(sures[some].mean()))
    axes.set_xticks(range(len(EDGES) - 1), [f"{low:g} to {high:g}" for low, high in itertools.pairwise(EDGES)])
    axes.tick_params(axis="x", labelrotation=30, labelsize=8)
    axes.set(xlabel="probability said", ylabel="share right (blue), probability (grey)")
    axes.set(title=f"Reliability, {len(outcomes)} flat dice", xlim=(-0.6, len(EDGES) - 1.4), ylim=(0, 1.1))
    _save(figure, to)


def _interval(axes: plt.Axes, k: int, rights: tuple[int, int], said: float) -> None:
    """Draw one column: the share right with its interval, the mean probability, and the count."""
    low, high = wilson_interval(*rights)
    axes.plot([k, k], [low, high], color=_OURS)
    axes.plot(k, said, "_", color=_FAINT, markersize=24, markeredgewidth=3)
    axes.plot(k, rights[0] / rights[1], "o", color=_OURS)
    axes.text(k, 1.04, str(rights[1]), ha="center", fontsize=8)


def risk_coverage(outcomes: Sequence[ReadingOutcome], chosen: float, to: Path) -> None:
    """Plot the share silently wrong against the share asked about, for every threshold, and mark the chosen one."""
    thresholds, wrong, asked = risk_and_coverage(outcomes)
    figure, axes = plt.subplots(figsize=_SIZE)
    axes.plot(100 * asked, 1000 * wrong, color=_OURS)
    at = int(np.argmin(np.abs(thresholds - chosen)))
    axes.plot(100 * asked[at], 1000 * wrong[at], "o", color="#d01f2b")
    axes.set(
        xlabel="asked about, %",
        ylabel="silently wrong, per 1000",
        title=f"Risk and coverage, {len(outcomes)} flat dice; chosen: {chosen:.3f}",
    )
    axes.set_xlim(0, min(100.0, 4 * 100 * asked[at] + 5))
    _save(figure, to)


def _save(figure: plt.Figure, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(to, dpi=_DOTS)
    plt.close(figure)
