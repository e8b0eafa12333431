"""Train the network that tells how a die came to lie where it lies, choose how sure it may be, and score it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.utils.data import Dataset

from models.training import model_card
from models.training.arrival_examples import ArrivalExample
from models.training.networks import ArrivalNet, loaded, train
from models.training.recipes import Recipe
from vision.arrival import (
    NUMBERS,
    PLANES,
    SECONDS_TO_FACE,
    SECONDS_TO_REST,
    SIDE,
    TIMES,
    WAYS,
    ArrivalModel,
    Way,
    turned_mean,
)
from vision.model_file import Floats, softmax, wilson_interval
from vision.tracking import HARDLY

GAINS = (0.25, 1.4)
"""How much fainter or stronger differences may be than they were filmed."""
FLICKER_SHARE, FLICKER = 0.25, 0.08
"""Share of the examples whose pictures are brighter or darker than others, and by how much at most."""
HELD_SHARE = 0.3
"""Share of the examples in which some pictures are missing, as in a film of fewer frames."""
BLURRED_SHARE = 0.5
"""Share of the examples in which what moves is smeared over two pictures, as by a camera that exposes long; twice."""
SCALES, SHIFT = (0.75, 1.3), 1.0
"""How much larger or smaller a die may seem, and how far it may be shifted, in pixels of the planes."""
CUT_SHARE, CUT_SECONDS = 0.4, (0.15, 1.0)
"""Share of the examples in which the film begins late, and so many seconds before the die's face was there."""
TEMPERATURES = np.geomspace(0.6, 4.0, 40)
MOST_PASSED = 0.1
"""Share of the dice that were moved or turned by hand which may be taken for surely thrown."""


class ArrivalDataset(Dataset[tuple[Tensor, Tensor]]):
    """`count` examples, each way and each source as often as the others, turned, mirrored and disturbed at random."""

    def __init__(self, examples: Sequence[ArrivalExample], count: int, seed: int) -> None:
        self._count, self._seed = count, seed
        groups: dict[tuple[str, object], list[ArrivalExample]] = {}
        for one in examples:
            if one.way in WAYS:
                groups.setdefault((one.way, one.facts["source"]), []).append(one)
        self._groups = list(groups.values())
        self._ways = [WAYS.index(Way(way)) for way, _ in groups]

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng([self._seed, index])
        group = int(rng.integers(len(self._groups)))
        example = self._groups[group][int(rng.integers(len(self._groups[group])))]
        return torch.from_numpy(disturbed(example.seen.seen, rng)), torch.tensor(self._ways[group])


def disturbed(seen: Floats, rng: np.random.Generator) -> Floats:
    """Return what is seen of a place (INPUTS, SIDE, SIDE) as it might be seen by chance as well."""
    planes = np.rot90(seen, int(rng.integers(4)), (1, 2))
    planes = np.array(planes[:, :, ::-1] if rng.random() < 0.5 else planes, np.float32)
    planes[:PLANES] = _zoomed(planes[:PLANES], rng)
    times = planes[: 3 * TIMES].reshape(TIMES, 3, SIDE, SIDE)
    if rng.random() < HELD_SHARE:
        for one in np.flatnonzero(rng.random(TIMES - 1) < rng.uniform(0.1, 0.6)):
            times[one] = times[one + 1]
    for _ in range(2):
        if rng.random() < BLURRED_SHARE:
            times[:-1] += np.float32(rng.uniform(0.2, 0.7)) * (times[1:] - times[:-1])
    if rng.random() < FLICKER_SHARE:
        times += rng.uniform(-FLICKER, FLICKER, (TIMES, 1, 1, 1)).astype(np.float32)
    if rng.random() < CUT_SHARE:
        _cut_beginning(planes, float(rng.uniform(*CUT_SECONDS)))
    planes[:PLANES] *= rng.uniform(*GAINS)
    planes[:PLANES] += 0.01 * rng.standard_normal(planes[:PLANES].shape, np.float32)
    planes[:PLANES] = np.clip(planes[:PLANES], 0, 1)
    return planes


def _zoomed(planes: Floats, rng: np.random.Generator) -> Floats:
    scale = float(rng.uniform(*SCALES))
    x, y = (SIDE - 1) / 2 * (1 - scale) + rng.uniform(-SHIFT, SHIFT, 2)
    turn = np.array([[scale, 0, x], [0, scale, y]], np.float64)
    rows = planes.reshape(-1, 1, SIDE, SIDE).transpose(2, 3, 0, 1).reshape(SIDE, SIDE, -1)
    # OpenCV warps at most four channels at once by this border.
    parts = [
        cv2.warpAffine(rows[:, :, k : k + 4], turn, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
        for k in range(0, rows.shape[2], 4)
    ]
    return np.asarray(
        np.concatenate([part.reshape(SIDE, SIDE, -1) for part in parts], 2).transpose(2, 0, 1), np.float32
    )


def _cut_beginning(planes: Floats, seconds: float) -> None:
    """Let the film begin so many seconds before the face was there: what was before looks like the table before."""
    times = planes[: 3 * TIMES].reshape(TIMES, 3, SIDE, SIDE)
    near, _ = planes[3 * TIMES : PLANES]
    still = planes[PLANES + 1, 0, 0]  # from the face to rest, as `BurstView` has it
    past = (*SECONDS_TO_FACE, *(one - still for one in SECONDS_TO_REST))
    for time, one in zip(times, past, strict=True):
        if one > seconds:
            time[0], time[1:] = near, 0
    planes[PLANES + 2] = np.minimum(planes[PLANES + 2], seconds)


def batch_loss(net: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Return the cross-entropy of a batch, and its accuracy."""
    places, ways = batch
    logits = net(places.contiguous(memory_format=torch.channels_last)).float()
    loss = nn.functional.cross_entropy(logits, ways, label_smoothing=0.01)
    return loss, (logits.argmax(1) == ways).float().mean()


def fit(examples: Sequence[ArrivalExample], recipe: Recipe, checkpoint: Path) -> ArrivalNet:
    torch.manual_seed(recipe.seed)
    net = ArrivalNet().to(memory_format=torch.channels_last)
    dataset = ArrivalDataset(examples, recipe.batch * recipe.steps, recipe.seed)
    train(net, loaded(dataset, recipe), batch_loss, recipe, checkpoint)
    return net


def logits_of(net: ArrivalNet, examples: Sequence[ArrivalExample]) -> Floats:
    """Return the network's logits of WAYS as `ArrivalModel` takes them, float32 (n, WAYS)."""
    net.eval()

    def logits(seen: Floats) -> Floats:
        with torch.no_grad():
            return net(torch.from_numpy(seen)).numpy()

    parts = [examples[first : first + 256] for first in range(0, len(examples), 256)]
    return np.concatenate([turned_mean(logits, np.stack([one.seen.seen for one in part])) for part in parts])


def choose_temperature(logits: Floats, examples: Sequence[ArrivalExample]) -> float:
    """Return by what the logits (n, WAYS) are to be divided so that chances are as often right as they say.

    Chosen by likelihood on examples that were not trained on; the source on which it is worst decides.
    """
    ways, sources = _truth(examples)
    best = []
    for source in set(sources):
        of = sources == source
        weights = 1 / np.bincount(ways[of], minlength=len(WAYS))[ways[of]].clip(1)
        best.append(min(TEMPERATURES, key=lambda one: float(weights @ _surprise(logits[of] / one, ways[of]))))
    return float(round(max(best), 3))


def choose_certainty(thrown: npt.NDArray[np.float64], examples: Sequence[ArrivalExample]) -> float:
    """Return the chance of a throw from which on at most MOST_PASSED of the dice moved by hand reach it.

    The source on which it is highest decides; never less than a half.
    """
    ways, sources = _truth(examples)
    by_hand = np.isin(ways, [WAYS.index(Way.MOVED), WAYS.index(Way.TURNED)])
    highest = [float(np.quantile(thrown[by_hand & (sources == one)], 1 - MOST_PASSED)) for one in set(sources)]
    return round(max(0.5, *highest), 3)


def _truth(examples: Sequence[ArrivalExample]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.str_]]:
    return np.array([WAYS.index(Way(one.way)) for one in examples]), np.array([one.facts["source"] for one in examples])


def _surprise(logits: Floats, ways: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    shifted = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(np.log(np.exp(shifted).sum(axis=1)) - shifted[np.arange(len(ways)), ways], np.float64)


def ship(net: ArrivalNet, chosen: Sequence[ArrivalExample], notes: model_card.Entries, to: Path) -> None:
    """Write the network with its card into a folder, its temperature and its certainty chosen on some examples."""
    known = [one for one in chosen if one.way in WAYS]
    logits = logits_of(net, known)
    temperature = choose_temperature(logits, known)
    thrown = softmax(logits / temperature)[:, WAYS.index(Way.THROWN)].astype(np.float64)
    model_card.export_arrival(net, to / "arrival.onnx")
    entries: model_card.Entries = {
        "name": "arrival",
        "purpose": "tells by a film how a die came to lie where it lies",
        "input": "how a die's place differs at twenty times from the tables before and after, near by and farther "
        f"round, {PLANES} planes of {SIDE} x {SIDE}, 0..1, and {NUMBERS} numbers as planes",
        "ways": [str(way) for way in WAYS],
        "temperature": temperature,
        "sure_from": choose_certainty(thrown, known),
        **notes,
    }
    model_card.write_card(to / "arrival.onnx", entries)


def arrival_table(model: ArrivalModel, examples: Sequence[ArrivalExample]) -> str:
    """Return how dice that came by each way are judged, by source: counts and 95 % intervals."""
    lines = ["| source | truly | dice | surely thrown | in doubt | surely not thrown |", "| --- " * 6 + "|"]
    judged: dict[tuple[str, str], Counter[str]] = {}
    seen = [one.seen for one in examples]
    thrown = [chance for first in range(0, len(seen), 64) for chance in model.chances(seen[first : first + 64])[:, 0]]
    for one, chance in zip(examples, thrown, strict=True):
        how = "thrown" if chance >= model.sure_from else "not" if chance <= HARDLY else "doubt"
        for source in (str(one.facts["source"]), f"{one.facts['source']}, {one.facts['fps']:g} fps"):
            judged.setdefault((source, one.way), Counter())[how] += 1
    for (source, way), counts in sorted(judged.items()):
        total = counts.total()
        cells = " | ".join(_share(counts[how], total) for how in ("thrown", "doubt", "not"))
        lines.append(f"| {source} | {way} | {total} | {cells} |")
    return "\n".join(lines)


def _share(count: int, total: int) -> str:
    low, high = wilson_interval(count, total)
    return f"{count} ({100 * low:.1f}-{100 * high:.1f} %)"
