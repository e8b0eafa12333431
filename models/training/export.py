"""Export trained weights as eight-bit ONNX models, with their cards, thresholds and plots."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import onnxruntime as ort
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import nn

from models.synthetic.canvas import Use
from models.training import model_card, painted_dice, photograph_scores, reading_scores, second_choice
from models.training.crops import UNKNOWN, TrainingCrop, crops_of_lying, cut_crops
from models.training.finder_training import PatchDataset
from models.training.model_card import quantise
from models.training.networks import FinderNet, ReaderNet, SecondNet
from models.training.picture_dataset import StoredPicture
from models.training.posture_truth import PosturePicture
from models.training.reader_training import CropBatches
from models.training.reading_scores import ReadingOutcome, ReadingScore, risk_and_coverage
from vision.classification import Reader, SecondLook, SecondLookSettings
from vision.detection import UNIT_EDGE, Finder
from vision.frames import Frame
from vision.kinds import CLASSES
from vision.model_file import wilson_interval
from vision.rectification import unrectified_view

Entries = Mapping[str, model_card.Entry]
Floats = npt.NDArray[np.float32]

CALIBRATION_PATCHES = 96
"""Patches, and times eight crops, on which the activation scales are calibrated."""

COMPARED_PICTURES = 240
"""Choosing pictures on which eight-bit and 32-bit finders are compared."""

FINDER: Entries = {
    "name": "finder",
    "purpose": "marks the centre, size, rotation and posture of every die's top face",
    "input": "BGR 0..1, height and width multiples of 16; dice of 9 to 46 pixels an edge, 20 at best",
    "unit_edge": UNIT_EDGE,
    "edge_pixels": [7.0, 56.0],
    "least_confidence": 0.3,
    "least_over_tray": 0.15,
}
READER: Entries = {
    "name": "reader",
    "purpose": "classifies a top face's drawing and the die's posture, and gives features for few-shot learning",
    "input": "upright crops, 1.5 edges wide, 64 pixels square, BGR 0..1",
    "glance_from": 0.99,
    "untrayed_from": 0.6,
    "side_from": 0.8,
    "die_from": 0.8,
    "classes": list(CLASSES),
}

CALIBRATION_DICE = 768
"""Painted dice on which the second look's activation scales are calibrated."""
SIGN_BATCHES = 1
"""Batches of painted foreign signs, and of novel symbols, that the second look's settings are chosen on."""

SECOND: Entries = {
    "name": "second",
    "purpose": "looks again, from all sides and at several scales, at dice that the reader is not sure of",
    "input": "upright crops, 1.5 edges wide, 64 pixels square, BGR 0..1",
    "classes": list(CLASSES),
}


def ship_finder(
    checkpoint: Path, trained: Sequence[StoredPicture], chosen: Sequence[StoredPicture], notes: Entries, to: Path
) -> None:
    """Export a trained finder with its card, which records the loss by quantisation on some choosing pictures."""
    net = _load_network(FinderNet(), checkpoint)
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "finder.onnx"
        model_card.export_finder(net, whole)
        quantise(whole, _calibration_patches(trained), to / "finder.onnx")
        entries: Entries = {**FINDER, **notes}
        for weights in (whole, to / "finder.onnx"):
            model_card.write_card(weights, entries)
        shares = [_count_found(Finder(weights), chosen[:COMPARED_PICTURES]) for weights in (to / "finder.onnx", whole)]
    cost = "dice found of {} in choosing pictures: {} with eight bits, {} with thirty-two"
    model_card.write_card(
        to / "finder.onnx", {**entries, "quantised": cost.format(shares[0][1], shares[0][0], shares[1][0])}
    )


def ship_reader(
    checkpoint: Path, trained: Sequence[StoredPicture], chosen: Sequence[StoredPicture], notes: Entries, to: Path
) -> Entries:
    """Export a trained reader with temperature 1 and threshold 0, and return its card's entries.

    The entries record the loss by quantisation on crops of the choosing pictures.
    """
    net = _load_network(ReaderNet(), checkpoint)
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "reader.onnx"
        model_card.export_reader(net, whole)
        quantise(whole, _calibration_crops(trained), to / "reader.onnx")
        found = cut_crops(chosen, seed=0)
        rights = [_count_right(weights, found) for weights in (to / "reader.onnx", whole)]
    cost = "crops of choosing pictures read correctly of {}: {} with eight bits, {} with thirty-two"
    entries: Entries = {**READER, **notes, "quantised": cost.format(rights[0][1], rights[0][0], rights[1][0])}
    model_card.write_card(to / "reader.onnx", {**entries, "temperature": 1.0, "accept_from": 0.0})
    return entries


@dataclass(frozen=True)
class ChoosingPictures:
    """What settings are chosen on: MuJoCo's pictures and those by Blender's Cycles, if any."""

    rendered: Sequence[StoredPicture]
    traced: Sequence[PosturePicture]


def ship_second(
    checkpoint: Path, trained: Sequence[TrainingCrop], chosen: ChoosingPictures, notes: Entries, to: Path
) -> str:
    """Export the second look, choose how sure it may be next to the reader in the same folder, and write its card.

    Return the figures on the dice that it was chosen on.
    """
    net, weights = _load_network(SecondNet(), checkpoint), to / "second.onnx"
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "second.onnx"
        model_card.export_second(net, whole)
        quantise(whole, _one_by_one(CropBatches(trained, 8, CALIBRATION_PATCHES, 0, hard=True)), weights)
    entries: Entries = {**SECOND, **notes}
    model_card.write_card(weights, {**entries, **asdict(SecondLookSettings(1.0, 1.0, 0.99, 1.0))})
    finder, reader, second = Finder(to / "finder.onnx"), Reader(to / "reader.onnx"), SecondLook(weights)
    dice = [second_choice.looked_again(chosen.rendered, finder, reader, second)]
    aslant = [second_choice.oblique_looked_at(painted_dice.oblique_crops_to_choose_on(), reader, second)]
    if chosen.traced:
        above, beside = second_choice.lying_looked_again(chosen.traced, finder, reader, second)
        dice, aslant = [*dice, above], [*aslant, beside]
    signs = second_choice.painted_signs(SIGN_BATCHES, Use.CHOOSING, seed=71).values()
    seen = [second_choice.signs_looked_again(shown, reader, second) for shown in signs]
    choice = second_choice.choose(dice, seen, reader.accept_from)
    oblique = second_choice.oblique_figures(aslant, choice.settings, reader.accept_from)
    figures = f"{choice.figures}; {oblique}"
    model_card.write_card(weights, {**entries, **asdict(choice.settings), "chosen": figures})
    return figures


def _one_by_one(shown: CropBatches) -> Iterator[Floats]:
    return (one[None] for batch in shown for one in batch[0].cpu().numpy())


def _count_right(weights: Path, found: Sequence[TrainingCrop]) -> tuple[int, int]:
    """Return how many of the crops a reader gets right, and of how many."""
    logits, faces = logits_of(weights, found, seed=0)
    return int((logits.argmax(axis=1) == faces).sum()), len(faces)


def _count_found(finder: Finder, picture: Sequence[StoredPicture]) -> tuple[int, int]:
    """Return how many clear dice of the pictures a finder finds, and of how many."""
    seen = dice = 0
    for one in picture:
        sighted = finder.find(unrectified_view(Frame(one.pixels(), 0, 0.0)))
        for die in (die for die in one.dice if die.clear):
            dice += 1
            seen += any(np.hypot(at.x - die.x, at.y - die.y) < 0.5 * die.edge for at in sighted)
    return seen, dice


def choose(chosen: ChoosingPictures, entries: Entries, to: Path, drawn: Path) -> str:
    """Choose the exported reader's temperature and threshold, write them to its card, and plot them.

    The worst of the sources decides. Return the figures on the pictures that they were chosen on.
    """
    weights, finder = to / "reader.onnx", Finder(to / "finder.onnx")
    sources = [cut_crops(chosen.rendered, seed=0)]
    if chosen.traced:
        sources.append(crops_of_lying(chosen.traced, finder, Reader(weights)))
    temperature = choose_temperature([logits_of(weights, found, seed=0) for found in sources])
    entries = {**entries, "temperature": round(temperature, 3)}
    model_card.write_card(weights, {**entries, "accept_from": 0.0})
    found = [reading_scores.outcomes(reading_scores.score(chosen.rendered, finder, Reader(weights)))]
    if chosen.traced:
        found.append(photograph_scores.outcomes(photograph_scores.read_dice(chosen.traced, finder, Reader(weights))))
    accept = reading_scores.choose_threshold(found)
    model_card.write_card(weights, {**entries, "accept_from": accept})
    plot_reliability([one for source in found for one in source], drawn / "reliability.png")
    plot_risk_coverage(found[-1], accept, drawn / "risk-coverage.png")
    total = reading_scores.score(chosen.rendered, finder, Reader(weights))
    plot_confusion(total, drawn / "confusion.png")
    return reading_scores.table(total)


def _load_network(net: nn.Module, checkpoint: Path) -> nn.Module:
    net.load_state_dict(torch.load(checkpoint, weights_only=True))
    return net.eval()


def _calibration_patches(trained: Sequence[StoredPicture]) -> Iterator[Floats]:
    shown = PatchDataset(trained, CALIBRATION_PATCHES, seed=0)
    return (shown[k][0].numpy()[None].astype(np.float32) / 255 for k in range(CALIBRATION_PATCHES))


def _calibration_crops(trained: Sequence[StoredPicture]) -> Iterator[Floats]:
    found = cut_crops(trained[:: max(1, len(trained) // CALIBRATION_PATCHES)], seed=0)
    return _one_by_one(CropBatches(found, 8, CALIBRATION_PATCHES, 0, hard=True))


# The reader's probabilities by temperature scaling (Guo et al. 2017)


Doubles = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

CROPS, CROPS_A_BATCH = 12_000, 240
"""Number of crops that the temperature is chosen on, and how many are read at a time."""


def logits_of(weights: Path, found: Sequence[TrainingCrop], seed: int) -> tuple[Doubles, Labels]:
    """Return a reader's logits, (n, classes), for crops it was not trained on, and their classes, (n,)."""
    session = ort.InferenceSession(weights, providers=["CPUExecutionProvider"])
    logits, labels = [], []
    for crops, faces, _ in CropBatches(found, CROPS_A_BATCH, CROPS // CROPS_A_BATCH, seed + 1):
        known = faces.cpu().numpy() != UNKNOWN
        logits.append(session.run(["faces"], {"crops": crops.cpu().numpy()})[0][known])
        labels.append(faces.cpu().numpy()[known])
    return np.concatenate(logits).astype(np.float64), np.concatenate(labels)


def log_softmax(logits: Doubles) -> Doubles:
    """Return log-probabilities of logits (n, classes)."""
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))


def choose_temperature(sources: Sequence[tuple[Doubles, Labels]]) -> float:
    """Return the divisor of the logits with the lowest negative log-likelihood (Guo et al. 2017, section 4.2).

    `sources` are logits and classes of crops; the one that the divisor suits least decides.
    """

    def unlikeliness(divisor: float) -> float:
        return max(
            -float(log_softmax(logits / divisor)[np.arange(len(labels)), labels].mean()) for logits, labels in sources
        )

    return float(min(np.geomspace(0.3, 4.0, 60), key=unlikeliness))


# Plots


PLOTTED_EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Limits of the reliability plot's columns: most readings have probabilities near 1."""
_SIZE, _DOTS = (6.0, 4.0), 90
_OURS, _FAINT = "#1c56b8", "#b8b8b8"


def plot_curve(rows: Path, to: Path) -> None:
    """Plot loss and accuracy over the steps of a training run, from its CSV file."""
    with rows.open(encoding="utf-8", newline="") as file:
        table = [(int(row["step"]), float(row["loss"]), float(row["right"])) for row in csv.DictReader(file)]
    steps, losses, rights = zip(*table, strict=True)
    figure = Figure(_SIZE)
    left = figure.subplots()
    left.plot(steps, losses, color=_FAINT)
    left.set(xlabel="step", ylabel="loss (grey)", title=f"{rows.stem}: batches of the training")
    right = left.twinx()
    right.plot(steps, [100 * share for share in rights], color=_OURS)
    right.set_ylabel("right, % (blue)")
    _save(figure, to)


def plot_confusion(total: ReadingScore, to: Path) -> None:
    """Plot the confusion matrix of flat dice, on a logarithmic scale that shows a few in a thousand."""
    pairs = [(met.wanted, str(met.reading.face)) for met in total.dice() if met.reading]
    names = sorted({name for pair in pairs for name in pair})
    shares = np.zeros((len(names), len(names)))
    for wanted, read in pairs:
        shares[names.index(wanted), names.index(read)] += 1
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
    figure = Figure((8.0, 7.0))
    axes = figure.subplots()
    drawn = axes.imshow(np.log10(shares + 1e-3), cmap="Blues", vmin=-3, vmax=0)
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=7)
    axes.set_yticks(range(len(names)), names, fontsize=7)
    axes.set(xlabel="read, accepted or asked", ylabel="truth", title="What is read as what")
    bar = figure.colorbar(drawn, ticks=[-3, -2, -1, 0])
    bar.ax.set_yticklabels(["none", "1 %", "10 %", "all"])
    _save(figure, to)


def plot_reliability(outcomes: Sequence[ReadingOutcome], to: Path) -> None:
    """Plot how often readings of a probability are right, with 95 % intervals and counts."""
    sures = np.array([one.confidence for one in outcomes])
    rights = np.array([one.correct for one in outcomes])
    figure = Figure(_SIZE)
    axes = figure.subplots()
    for k, (low, high) in enumerate(itertools.pairwise(PLOTTED_EDGES)):
        some = (sures >= low) & ((sures < high) | (high == PLOTTED_EDGES[-1]))
        if count := int(some.sum()):
            _interval(axes, k, (int(rights[some].sum()), count), float(sures[some].mean()))
    axes.set_xticks(
        range(len(PLOTTED_EDGES) - 1), [f"{low:g} to {high:g}" for low, high in itertools.pairwise(PLOTTED_EDGES)]
    )
    axes.tick_params(axis="x", labelrotation=30, labelsize=8)
    axes.set(xlabel="probability said", ylabel="share right (blue), probability (grey)")
    axes.set(title=f"Reliability, {len(outcomes)} flat dice", xlim=(-0.6, len(PLOTTED_EDGES) - 1.4), ylim=(0, 1.1))
    _save(figure, to)


def _interval(axes: Axes, k: int, rights: tuple[int, int], said: float) -> None:
    """Draw one column: the share right with its interval, the mean probability, and the count."""
    low, high = wilson_interval(*rights)
    axes.plot([k, k], [low, high], color=_OURS)
    axes.plot(k, said, "_", color=_FAINT, markersize=24, markeredgewidth=3)
    axes.plot(k, rights[0] / rights[1], "o", color=_OURS)
    axes.text(k, 1.04, str(rights[1]), ha="center", fontsize=8)


def plot_risk_coverage(outcomes: Sequence[ReadingOutcome], chosen: float, to: Path) -> None:
    """Plot the share silently wrong against the share asked about, for every threshold, and mark the chosen one."""
    thresholds, wrong, asked = risk_and_coverage(outcomes)
    figure = Figure(_SIZE)
    axes = figure.subplots()
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


def _save(figure: Figure, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(to, dpi=_DOTS)
