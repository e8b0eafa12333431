"""Export trained weights as eight-bit ONNX models, with their cards, thresholds and plots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from models.synthetic.face_style import Use
from models.training import (
    model_card,
    oblique_dice,
    plots,
    reading_scores,
    second_choice,
    sign_scores,
    temperature_scaling,
    threshold_selection,
)
from models.training.crops import TrainingCrop, cut_crops
from models.training.finder_training import PatchDataset
from models.training.networks import FinderNet, ReaderNet, SecondNet
from models.training.picture_dataset import StoredPicture
from models.training.quantization import quantise
from models.training.reader_training import CropDataset
from vision.classification import Reader, SecondLook, SecondLookSettings
from vision.detection import UNIT_EDGE, Finder
from vision.frames import Frame
from vision.kinds import CLASSES
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
}
READER: Entries = {
    "name": "reader",
    "purpose": "classifies a top face's drawing and the die's posture, and gives features for few-shot learning",
    "input": "upright crops, 1.5 edges wide, 64 pixels square, BGR 0..1",
    "glance_from": 0.99,
    "sighting_from": 0.5,
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


def ship_second(
    checkpoint: Path,
    trained: Sequence[TrainingCrop],
    chosen: Sequence[StoredPicture],
    notes: Entries,
    to: Path,
) -> str:
    """Export the second look, choose how it is pooled with the reader in the same folder, and write its card.

    Return the figures on the dice that it was chosen on.
    """
    net, weights = _load_network(SecondNet(), checkpoint), to / "second.onnx"
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "second.onnx"
        model_card.export_second(net, whole)
        quantise(whole, _batches_of_one(CropDataset(trained, 8 * CALIBRATION_PATCHES, seed=0, hard=True)), weights)
    entries: Entries = {**SECOND, **notes}
    model_card.write_card(weights, {**entries, **asdict(SecondLookSettings(1.0, 0.5, 1.0, 0.99, 1.0, 1.0))})
    finder, reader, second = Finder(to / "finder.onnx"), Reader(to / "reader.onnx"), SecondLook(weights)
    dice = second_choice.looked_again(chosen, finder, reader, second, float(str(READER["sighting_from"])))
    signs = sign_scores.painted_signs(SIGN_BATCHES, Use.CHOOSING, seed=71).values()
    seen = [second_choice.signs_looked_again(shown, reader, second) for shown in signs]
    choice = second_choice.choose(dice, seen, reader.accept_from)
    aslant = second_choice.oblique_looked_at(oblique_dice.oblique_crops_to_choose_on(), reader, second)
    oblique = second_choice.choose_oblique(aslant, choice.settings, reader.accept_from)
    figures = f"{choice.figures}; {oblique.figures}"
    model_card.write_card(weights, {**entries, **asdict(oblique.settings), "chosen": figures})
    return figures


def _batches_of_one(shown: CropDataset) -> Iterator[Floats]:
    return (shown[k][0].numpy()[None].astype(np.float32) / 255 for k in range(len(shown)))


def _count_right(weights: Path, found: Sequence[TrainingCrop]) -> tuple[int, int]:
    """Return how many of the crops a reader gets right, and of how many."""
    logits, faces = temperature_scaling.logits_of(weights, found, seed=0)
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


def choose(picture: Sequence[StoredPicture], entries: Entries, to: Path, drawn: Path) -> str:
    """Choose the exported reader's temperature and threshold, write them to its card, and plot them.

    Return the figures on the pictures that they were chosen on.
    """
    weights = to / "reader.onnx"
    temperature = temperature_scaling.choose_temperature(
        *temperature_scaling.logits_of(weights, cut_crops(picture, seed=0), seed=0)
    )
    entries = {**entries, "temperature": round(temperature, 3)}
    model_card.write_card(weights, {**entries, "accept_from": 0.0})
    found = threshold_selection.outcomes(reading_scores.score(picture, Finder(to / "finder.onnx"), Reader(weights)))
    accept = threshold_selection.choose_threshold(found)
    model_card.write_card(weights, {**entries, "accept_from": accept})
    plots.reliability(found, drawn / "reliability.png")
    plots.risk_coverage(found, accept, drawn / "risk-coverage.png")
    total = reading_scores.score(picture, Finder(to / "finder.onnx"), Reader(weights))
    plots.confusion(total, drawn / "confusion.png")
    return reading_scores.table(total)


def _load_network(net: nn.Module, checkpoint: Path) -> nn.Module:
    net.load_state_dict(torch.load(checkpoint, weights_only=True))
    return net.eval()


def _calibration_patches(trained: Sequence[StoredPicture]) -> Iterator[Floats]:
    shown = PatchDataset(trained, CALIBRATION_PATCHES, seed=0)
    return (shown[k][0].numpy()[None].astype(np.float32) / 255 for k in range(CALIBRATION_PATCHES))


def _calibration_crops(trained: Sequence[StoredPicture]) -> Iterator[Floats]:
    found = cut_crops(trained[:: max(1, len(trained) // CALIBRATION_PATCHES)], seed=0)
    return _batches_of_one(CropDataset(found, 8 * CALIBRATION_PATCHES, seed=0, hard=True))
