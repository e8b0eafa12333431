"""From fitted weights to what ships: ONNX of eight bits, with its card, its thresholds and its plots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from models.training import model_card, plots, scoring, temperature_scaling, threshold_selection
from models.training.crops import Cutting, cuttings
from models.training.finder_training import Patches
from models.training.networks import FinderNet, ReaderNet
from models.training.picture_dataset import Kept
from models.training.quantization import quantise
from models.training.reader_training import Crops
from vision.classification import Reader
from vision.detection import UNIT_EDGE, Finder
from vision.drawings import CLASSES
from vision.frames import Frame
from vision.rectification import unrectified_view

Entries = Mapping[str, model_card.Entry]
Floats = npt.NDArray[np.float32]

MEASURED = 96
"""Parts of pictures, and as many times eight crops, on which the scales of the activations are measured."""

COMPARED = 240
"""Choosing pictures on which finders of eight and of thirty-two bits are compared."""

FINDER: Entries = {
    "name": "finder",
    "purpose": "marks the middle, size, turn and posture of every die's top face",
    "input": "BGR 0..1, height and width multiples of 16; dice of 9 to 46 pixels an edge, 20 at best",
    "unit_edge": UNIT_EDGE,
    "edge_pixels": [7.0, 56.0],
    "least_confidence": 0.3,
}
READER: Entries = {
    "name": "reader",
    "purpose": "names the drawing on a die's top face, says how the die lies, and gives features to teach by",
    "input": "upright crops, 1.5 edges wide, 64 pixels square, BGR 0..1",
    "glance_from": 0.99,
    "sighting_from": 0.5,
    "die_from": 0.8,
    "classes": list(CLASSES),
}


def ship_finder(fitted: Path, trained: Sequence[Kept], chosen: Sequence[Kept], told: Entries, to: Path) -> None:
    """Export a fitted finder with its card, which says what eight bits cost on some of the choosing pictures."""
    net = _net(FinderNet(), fitted)
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "finder.onnx"
        model_card.export_finder(net, whole)
        quantise(whole, _parts(trained), to / "finder.onnx")
        entries: Entries = {**FINDER, **told}
        for weights in (whole, to / "finder.onnx"):
            model_card.write_card(weights, entries)
        shares = [_found(Finder(weights), chosen[:COMPARED]) for weights in (to / "finder.onnx", whole)]
    cost = "dice found of {} in choosing pictures: {} with eight bits, {} with thirty-two"
    model_card.write_card(
        to / "finder.onnx", {**entries, "quantised": cost.format(shares[0][1], shares[0][0], shares[1][0])}
    )


def ship_reader(fitted: Path, trained: Sequence[Kept], chosen: Sequence[Kept], told: Entries, to: Path) -> Entries:
    """Export a fitted reader with a card that lacks what is to be chosen: it accepts everything.

    Returns the card's entries, with what eight bits cost on crops of the choosing pictures.
    """
    net = _net(ReaderNet(), fitted)
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "reader.onnx"
        model_card.export_reader(net, whole)
        quantise(whole, _crops(trained), to / "reader.onnx")
        found = cuttings(chosen, seed=0)
        rights = [_right(weights, found) for weights in (to / "reader.onnx", whole)]
    cost = "crops of choosing pictures read rightly of {}: {} with eight bits, {} with thirty-two"
    entries: Entries = {**READER, **told, "quantised": cost.format(rights[0][1], rights[0][0], rights[1][0])}
    model_card.write_card(to / "reader.onnx", {**entries, "temperature": 1.0, "accept_from": 0.0})
    return entries


def _right(weights: Path, found: Sequence[Cutting]) -> tuple[int, int]:
    """How many crops of the cuttings a reader names rightly, and of how many."""
    logits, faces = temperature_scaling.logits_of(weights, found, seed=0)
    return int((logits.argmax(axis=1) == faces).sum()), len(faces)


def _found(finder: Finder, kept: Sequence[Kept]) -> tuple[int, int]:
    """How many clear dice of the pictures a finder sights, and of how many."""
    seen = dice = 0
    for one in kept:
        sighted = finder.find(unrectified_view(Frame(one.pixels(), 0, 0.0)))
        for die in (die for die in one.dice if die.clear):
            dice += 1
            seen += any(np.hypot(at.x - die.x, at.y - die.y) < 0.5 * die.edge for at in sighted)
    return seen, dice


def choose(kept: Sequence[Kept], entries: Entries, to: Path, drawn: Path) -> str:
    """Choose the shipped reader's temperature and threshold, write them into its card, and draw what led to them.

    Returns the figures that hold with them on the pictures that they were chosen on.
    """
    weights = to / "reader.onnx"
    temperature = temperature_scaling.choose_temperature(
        *temperature_scaling.logits_of(weights, cuttings(kept, seed=0), seed=0)
    )
    entries = {**entries, "temperature": round(temperature, 3)}
    model_card.write_card(weights, {**entries, "accept_from": 0.0})
    found = threshold_selection.outcomes(scoring.score(kept, Finder(to / "finder.onnx"), Reader(weights)))
    accept = threshold_selection.choose_acceptance(found)
    model_card.write_card(weights, {**entries, "accept_from": accept})
    plots.reliability(found, drawn / "reliability.png")
    plots.risk_coverage(found, accept, drawn / "risk-coverage.png")
    total = scoring.score(kept, Finder(to / "finder.onnx"), Reader(weights))
    plots.confusion(total, drawn / "confusion.png")
    return scoring.table(total)


def _net(net: nn.Module, fitted: Path) -> nn.Module:
    net.load_state_dict(torch.load(fitted, weights_only=True))
    return net.eval()


def _parts(trained: Sequence[Kept]) -> Iterator[Floats]:
    shown = Patches(trained, MEASURED, seed=0)
    return (shown[k][0].numpy()[None].astype(np.float32) / 255 for k in range(MEASURED))


def _crops(trained: Sequence[Kept]) -> Iterator[Floats]:
    found = cuttings(trained[:: max(1, len(trained) // MEASURED)], seed=0)
    shown = Crops(found, 8 * MEASURED, seed=0, hard=True)
    return (shown[k][0].numpy()[None].astype(np.float32) / 255 for k in range(8 * MEASURED))
