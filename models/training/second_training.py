"""Train the second look: it starts as the shipped reader, deepened, and learns the faces that are hard to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.training.crops import NONE, UNKNOWN, TrainingCrop
from models.training.networks import ReaderNet, ResidualBlock, SecondNet, train
from models.training.reader_training import CropDataset
from models.training.recipes import Recipe

CALIBRATION_CROPS = 384
"""Crops on which the statistics of the reader's layers are measured."""


FROZEN = 4
"""Number of the trunk's first blocks that keep the reader's weights: they cost most, and see edges and colours."""

BACKGROUND_SHARE = 0.08
"""Places beside painted dice, which show no face, for every die."""


def batch_loss(net: nn.Module, batch: list[Tensor]) -> tuple[Tensor, float]:
    """Return the cross-entropy of a batch of crops and its accuracy; UNKNOWN labels are ignored."""
    crops, faces, _ = batch
    logits = net((crops.float() / 255).contiguous(memory_format=torch.channels_last))
    known = faces != UNKNOWN
    loss = nn.functional.cross_entropy(logits, faces, label_smoothing=0.02, ignore_index=UNKNOWN)
    return loss, (logits.argmax(1) == faces)[known].float().mean().item()


def fit(
    found: Sequence[TrainingCrop], recipe: Recipe, checkpoint: Path, reader: Path, start: Path | None = None
) -> SecondNet:
    """Train the second look by a recipe, from a reader (an ONNX file) or from the weights `start`."""
    torch.manual_seed(recipe.seed)
    net = SecondNet().to(memory_format=torch.channels_last)
    if start is not None:
        net.load_state_dict(torch.load(start, weights_only=True))
    else:
        start_from(net.reader, reader, found, recipe)
    net.reader.trunk[:FROZEN].requires_grad_(False)
    dataset = CropDataset(found, recipe.batch * recipe.steps, recipe.seed, hard=True, distant=recipe.distant)
    train(net, dataset, batch_loss, recipe, checkpoint)
    return net


def places_beside(found: Sequence[TrainingCrop], seed: int) -> list[TrainingCrop]:
    """Return crop places next to some dice, of class NONE: the table, edges and sides of dice."""
    rng = np.random.default_rng([seed, 3])
    chosen = rng.choice(len(found), round(BACKGROUND_SHARE * len(found)), replace=False)
    return [_beside(found[int(k)], rng) for k in chosen]


def _beside(die: TrainingCrop, rng: np.random.Generator) -> TrainingCrop:
    away, around = die.edge * rng.uniform(0.75, 1.1), rng.uniform(0, 2 * np.pi)
    x, y = die.x + away * float(np.cos(around)), die.y + away * float(np.sin(around))
    return replace(die, x=x, y=y, turned_degrees=float(rng.uniform(0, 90)), face=NONE, posture=UNKNOWN)


def start_from(net: ReaderNet | SecondNet, weights: Path, found: Sequence[TrainingCrop], recipe: Recipe) -> None:
    """Load an exported network, whose normalisations are folded into its convolutions, into a network to be trained.

    The normalisations are measured anew on crops, so that it computes the same in training.
    """
    values = _dequantised(weights)
    state = net.state_dict()
    net.load_state_dict(state | {name: value for name, value in values.items() if name in state})
    norms = dict(_normalised(net))
    for name, norm in norms.items():
        norm.bias.data.copy_(values[f"{name}.bias"])
        norm.weight.data.fill_((1.0 + norm.eps) ** 0.5)
    _measure(net, list(norms.values()), CropDataset(found, CALIBRATION_CROPS, recipe.seed + 1, hard=True))


def _dequantised(weights: Path) -> dict[str, Tensor]:
    """Return an eight-bit model's weights by name, as 32-bit values."""
    known = {entry.name: numpy_helper.to_array(entry) for entry in onnx.load(weights).graph.initializer}
    plain = {name: value for name, value in known.items() if value.dtype == np.float32 and "scale" not in name}
    whole = {name.removesuffix("_quantized"): value for name, value in known.items() if name.endswith("_quantized")}
    for name, value in whole.items():
        scale = known[f"{name}_scale" if f"{name}_scale" in known else f"{name}_quantized_scale"]
        plain[name.replace(".weight_bias", ".bias")] = value * scale.reshape(-1, *[1] * (value.ndim - 1))
    return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in plain.items()}


def _normalised(net: ReaderNet) -> list[tuple[str, nn.BatchNorm2d]]:
    """Return every convolution's name with the normalisation that follows it."""
    found = []
    for name, module in net.named_modules():
        if isinstance(module, ResidualBlock):
            found.append((f"{name}.second", module.norm))
        elif isinstance(module, nn.Sequential) and len(module) > 1 and isinstance(module[1], nn.BatchNorm2d):
            found.append((f"{name}.0", module[1]))
    return found


def _measure(net: ReaderNet, norms: Sequence[nn.BatchNorm2d], crops: CropDataset) -> None:
    """Give every normalisation the mean and variance of what it sees, and undo them in its weights."""
    seen: dict[nn.Module, tuple[Tensor, Tensor]] = {}

    def note(module: nn.Module, inputs: tuple[Tensor, ...], _output: Tensor) -> None:
        seen[module] = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3), unbiased=False)

    hooks = [norm.register_forward_hook(note) for norm in norms]
    with torch.no_grad():
        net.eval()(torch.stack([crops[k][0] for k in range(CALIBRATION_CROPS)]).float() / 255)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, variance = seen[norm]
        norm.running_mean, norm.running_var = mean.clone(), variance.clone()
        norm.weight.data.copy_((variance + norm.eps).sqrt())
        norm.bias.data.add_(mean)
