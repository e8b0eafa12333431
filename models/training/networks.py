"""The networks, small plain convolutions, which suit a Raspberry Pi's processor best, and the loop that trains them."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset
from tqdm import tqdm

from models.training.augmentation import DEVICE
from models.training.picture_dataset import single_threaded
from models.training.recipes import Recipe
from vision import posture
from vision.arrival import INPUTS, SIDE, WAYS
from vision.kinds import CLASSES

FINDER_OUTPUTS = 9
"""Heatmap, dx, dy, log size, cos, sin, and a logit for each posture."""

EMBEDDING = 64


def _block(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class ResidualBlock(nn.Module):
    """A residual block (He et al. 2016) that at first adds nothing, so that it can extend a trained network."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _block(channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        nn.init.zeros_(self.norm.weight)

    def forward(self, seen: Tensor) -> Tensor:
        """Return a tensor of the shape of `seen`."""
        return torch.relu(seen + self.norm(self.second(self.first(seen))))


class FinderNet(nn.Module):
    """A U-Net of strides 2 to 16 with output at stride 4: (n, 3, h, w) -> (n, 9, h / 4, w / 4).

    Heatmap and postures are logits.
    """

    def __init__(self) -> None:
        super().__init__()
        self.quarter = nn.Sequential(_block(3, 12, 2), _block(12, 28, 2), _block(28, 28))
        self.eighth = nn.Sequential(_block(28, 48, 2), _block(48, 48))
        self.sixteenth = nn.Sequential(
            _block(48, 72, 2), _block(72, 72), _block(72, 72), ResidualBlock(72), ResidualBlock(72)
        )
        self.rise = nn.Conv2d(72, 48, 1)
        self.join = nn.Sequential(_block(48, 48), nn.Conv2d(48, 28, 1))
        self.head = nn.Sequential(_block(28, 40), nn.Conv2d(40, FINDER_OUTPUTS, 1))
        nn.init.constant_(self.head[-1].bias[0], -4.0)  # dice are rare: start from "none"

    def forward(self, pictures: Tensor) -> Tensor:
        """Return the output at a quarter of the input's size."""
        quarter = self.quarter(pictures)
        eighth = self.eighth(quarter)
        deep = nn.functional.interpolate(self.rise(self.sixteenth(eighth)), scale_factor=2.0, mode="nearest")
        joined = nn.functional.interpolate(self.join(eighth + deep), scale_factor=2.0, mode="nearest")
        return self.head(quarter + joined)


POSTURE_WEIGHTS = (1.0, 5.0, 5.0)
"""Weight of each posture in the finder's loss: most dice lie flat."""


class ExportedFinder(nn.Module):
    """The finder as exported: heatmap and postures as probabilities, the latter without the weights of the loss."""

    def __init__(self, net: FinderNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, picture: Tensor) -> Tensor:
        """Return the output with probabilities in place of logits."""
        out = self.net(picture)
        told = torch.log(torch.tensor(POSTURE_WEIGHTS))[None, :, None, None]
        return torch.cat([out[:, :1].sigmoid(), out[:, 1:6], (out[:, 6:9] - told).softmax(1)], 1)


EARLY = 9
"""Number of blocks of the reader's trunk after which the early features are pooled."""


_MIDDLE = 8
"""Number of blocks of the trunk after which the second look's first new blocks follow, at stride 8."""
_FEATURE_SCALE = 8.0


class ReaderNet(nn.Module):
    """(n, 3, 64, 64) crops -> logits of CLASSES, logits of the postures, and 768 features.

    The features, by which learned faces are recognised, are pooled late and early in the trunk: late ones describe the
    faces of known dice, early ones any symbol. Both parts have length 1.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(
            _block(3, 20, 2), _block(20, 32), _block(32, 48, 2), _block(48, 48), ResidualBlock(48),
            _block(48, 96, 2), _block(96, 96), ResidualBlock(96),
            _block(96, 128, 2), _block(128, 128), ResidualBlock(128), ResidualBlock(128),
        )  # fmt: skip
        self.embed = nn.Linear(2 * 128, EMBEDDING)
        self.faces = nn.Linear(EMBEDDING, len(CLASSES))
        self.postures = nn.Linear(2 * 128, 3)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return face logits, posture logits and features."""
        early = self.trunk[:EARLY](crops)
        deep = self.trunk[EARLY:](early)
        pooled = torch.cat([deep.mean((2, 3)), deep.amax((2, 3))], 1)
        embedding = nn.functional.normalize(self.embed(pooled), dim=1)
        return self.faces(16.0 * embedding), self.postures(pooled), torch.cat([_unit(pooled), _unit(_pooled(early))], 1)


class SecondNet(nn.Module):
    """The reader's trunk, deepened by residual blocks: (n, 3, 64, 64) crops -> logits of CLASSES.

    The new blocks and the second classifier, which also sees the early features, at first add nothing, so that it
    starts as the reader.
    """

    def __init__(self) -> None:
        super().__init__()
        self.reader = ReaderNet()
        self.middle = nn.Sequential(ResidualBlock(96), ResidualBlock(96))
        self.late = nn.Sequential(ResidualBlock(128))
        self.more = nn.Sequential(nn.Linear(2 * 128 + 4 * 128, 160), nn.ReLU(inplace=True))
        self.faces = nn.Linear(160, len(CLASSES))
        nn.init.zeros_(self.faces.weight)
        nn.init.zeros_(self.faces.bias)

    def forward(self, crops: Tensor) -> Tensor:
        middle = self.middle(self.reader.trunk[:_MIDDLE](crops))
        early = self.reader.trunk[_MIDDLE:EARLY](middle)
        deep = self.late(self.reader.trunk[EARLY:](early))
        pooled = torch.cat([deep.mean((2, 3)), deep.amax((2, 3))], 1)
        embedding = nn.functional.normalize(self.reader.embed(pooled), dim=1)
        more = self.more(torch.cat([_unit(pooled), _unit(_pooled(early))], 1) * _FEATURE_SCALE)
        return self.reader.faces(16.0 * embedding) + self.faces(more)


def _pooled(early: Tensor) -> Tensor:
    """Pool (n, c, 4, 4) to (n, 4 c): each channel's mean, maximum, standard deviation, and mean of the centre."""
    spread = early.var((2, 3), unbiased=False).sqrt()
    return torch.cat([early.mean((2, 3)), early.amax((2, 3)), spread, early[:, :, 1:3, 1:3].mean((2, 3))], 1)


def _unit(features: Tensor) -> Tensor:
    return nn.functional.normalize(features, dim=1)


class ArrivalNet(nn.Module):
    """(n, INPUTS, SIDE, SIDE) films of a place -> logits of WAYS."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(_block(INPUTS, 48, 2), _block(48, 64), _block(64, 32, 2), nn.Flatten())
        self.ways = nn.Sequential(
            nn.Dropout(0.3), nn.Linear(32 * (SIDE // 4) ** 2, 48), nn.ReLU(inplace=True), nn.Linear(48, len(WAYS))
        )

    def forward(self, places: Tensor) -> Tensor:
        return self.ways(self.trunk(places))


PARTS = ("none", "top", "side", "other die")
"""What the network of postures draws of a die: its top face and its sides, and other dice."""


class PostureNet(nn.Module):
    """(n, PLANES, SIDE, SIDE) straightened dice -> (n, 3 + TOLD) and (n, PARTS, SIDE / 2, SIDE / 2).

    The first are the logits of the postures and TOLD, the second the logits of the parts.
    How a die lies follows from where its parts are, next to those of a flat die: their areas, centres and spreads.
    """

    def __init__(self) -> None:
        super().__init__()
        self.by_two = nn.Sequential(_block(posture.PLANES, 16, 2), ResidualBlock(16))
        self.by_four = nn.Sequential(_block(16, 24, 2), ResidualBlock(24), ResidualBlock(24))
        self.by_eight = nn.Sequential(_block(24, 48, 2), ResidualBlock(48), ResidualBlock(48))
        self.rise, self.join = nn.ModuleList([nn.Conv2d(48, 24, 1), nn.Conv2d(24, 16, 1)]), _block(24, 24)
        self.fine = _block(16, 16)
        self.parts = nn.Conv2d(16, len(PARTS), 1)
        self.coarse = nn.Sequential(nn.Conv2d(48, 16, 1), nn.ReLU(inplace=True))
        self.detail = nn.Sequential(nn.AvgPool2d(2), nn.Conv2d(16, 8, 1), nn.ReLU(inplace=True))
        self.shapes = nn.Sequential(
            nn.Linear((len(PARTS) - 1 + 2) * 6, 48), nn.ReLU(inplace=True), nn.Linear(48, 48), nn.ReLU(inplace=True)
        )
        cells = (posture.SIDE // 8) ** 2
        self.drop = nn.Dropout(0.2)
        self.told = nn.Sequential(
            nn.Linear((16 + 4 + 8 * 4 + len(PARTS)) * cells + 48, 96),
            nn.ReLU(inplace=True),
            nn.Linear(96, 3 + posture.TOLD),
        )

    def forward(self, dice: Tensor) -> tuple[Tensor, Tensor]:
        by_two = self.by_two(dice)
        by_four = self.by_four(by_two)
        by_eight = self.by_eight(by_four)
        joined = self.join(by_four + nn.functional.interpolate(self.rise[0](by_eight), scale_factor=2.0))
        fine = self.fine(by_two + nn.functional.interpolate(self.rise[1](joined), scale_factor=2.0))
        parts = self.parts(fine)
        shares = parts.softmax(1)
        flat = nn.functional.avg_pool2d(dice[:, 3:], 2)
        maps = [self.coarse(by_eight), self.detail(fine), nn.functional.avg_pool2d(shares, 4)]
        pooled = [nn.functional.avg_pool2d(shares[:, 1:2], 2), *maps]
        shapes = self.shapes(_shapes(torch.cat([shares[:, 1:], flat], 1)).flatten(1))
        told = self.drop(torch.cat([one.flatten(1) for one in pooled], 1))
        return self.told(torch.cat([told, shapes], 1)), parts


def _shapes(planes: Tensor) -> Tensor:
    """Return the area, centre and spread of each plane (n, c, side, side), in edges, (n, c, 6)."""
    side, edges = planes.shape[-1], posture.SIDE / posture.PER_EDGE
    at = ((torch.arange(side, device=planes.device) + 0.5) / side - 0.5) * edges
    across, down = planes.sum(2), planes.sum(3)
    total = planes.sum((2, 3)) + 0.01 * side
    x, y = (across * at).sum(2) / total, (down * at).sum(2) / total
    spread_x, spread_y = (across * at * at).sum(2) / total - x * x, (down * at * at).sum(2) / total - y * y
    both = ((planes * at).sum(3) * at).sum(2) / total - x * y
    return torch.stack([planes.mean((2, 3)) * edges**2, 2 * x, 2 * y, 3 * spread_x, 3 * spread_y, 3 * both], 2)


class ExportedPosture(nn.Module):
    """The network of postures as exported: without the parts."""

    def __init__(self, net: PostureNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, dice: Tensor) -> Tensor:
        return self.net(dice)[0]


# One training loop for all, configured by a recipe, that writes its learning curve


WARM_UP = 0.1
"""Share of a run in which the learning rate rises."""
LOG_EVERY = 100
"""Steps between two rows of the learning curve."""
CHECKPOINT_EVERY = 200
"""Steps between two checkpoints."""

BatchLoss = Callable[[nn.Module, list[Tensor]], tuple[Tensor, Tensor]]
"""Return the loss of a batch and its accuracy (0 to 1): the share of faces or dice that are right."""


def train(
    net: nn.Module, batches: Iterable[list[Tensor]], batch_loss: BatchLoss, recipe: Recipe, checkpoint: Path
) -> None:
    """Train the network in place, with AdamW and a one-cycle schedule (Smith and Topin 2019), by a recipe.

    On a GPU where there is one; where the recipe gives minutes, the schedule is over by then.

    The weights are written to `checkpoint` every CHECKPOINT_EVERY steps, the curve to a CSV file next to it.
    Convolutions run in bfloat16 if the recipe says so: twice as fast on processors that have it, half as fast on
    others, with no measurable loss of accuracy.
    """
    torch.manual_seed(recipe.seed)
    net.train()
    optimizer = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    running, begun = torch.zeros(2, device=DEVICE), monotonic()
    with checkpoint.with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(("step", "loss", "right"))
        for step, batch in enumerate(tqdm(batches, desc=checkpoint.stem, mininterval=10), 1):
            done = step / recipe.steps
            if recipe.minutes:
                done = min(1.0, max(done, (monotonic() - begun) / 60 / recipe.minutes))
            for group in optimizer.param_groups:
                group["lr"] = recipe.rate * _one_cycle(done)
            now = _step(net, [part.to(DEVICE) for part in batch], batch_loss, optimizer, half=recipe.bfloat16)
            running += (now - running) / min(step, LOG_EVERY)
            if step % LOG_EVERY == 0 or done == 1:
                curve.writerow((step, *(round(figure, 4) for figure in running.tolist())))
                file.flush()
            if step % CHECKPOINT_EVERY == 0:
                torch.save(net.state_dict(), checkpoint)
            if done == 1:
                break
    net.to("cpu").eval()
    torch.save(net.state_dict(), checkpoint)


def _one_cycle(done: float) -> float:
    """Return the learning rate, as a share of the highest, when that share of the run is done: up, and then down."""
    if done < WARM_UP:
        return 1 - 0.96 * (1 + math.cos(math.pi * done / WARM_UP)) / 2
    return max(1e-5, (1 + math.cos(math.pi * (done - WARM_UP) / (1 - WARM_UP))) / 2)


def loaded(dataset: Dataset[Any], recipe: Recipe) -> DataLoader[Any]:
    """Return the batches of a dataset, prepared by other processes."""
    return DataLoader(
        dataset,
        batch_size=recipe.batch,
        num_workers=recipe.loaders,
        worker_init_fn=single_threaded,
        prefetch_factor=4 if recipe.loaders else None,
    )


def _step(
    net: nn.Module, batch: list[Tensor], batch_loss: BatchLoss, optimizer: torch.optim.Optimizer, *, half: bool
) -> Tensor:
    """Take a step, and return the loss of the batch and its accuracy, (2,)."""
    with torch.autocast(DEVICE, torch.bfloat16, enabled=half):
        loss, right = batch_loss(net, batch)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    optimizer.step()
    return torch.stack([loss.detach().float(), right.float()])


def start_from(net: nn.Module, start: Path, shown: Tensor) -> None:
    """Load the weights of an earlier run, or of an exported network (.onnx), to which inputs are `shown` then."""
    if start.suffix == ".onnx":
        load_exported(net, start, shown)
    else:
        net.load_state_dict(torch.load(start, weights_only=True, map_location=DEVICE))


def load_exported(net: nn.Module, weights: Path, shown: Tensor) -> None:
    """Load an exported network, whose normalisations are folded into its convolutions, into a network to be trained.

    The normalisations are measured anew on inputs that are `shown` to it, so that it computes the same in training.
    """
    values = {name.removeprefix("net."): value for name, value in _dequantised(weights).items()}
    state = net.state_dict()
    net.load_state_dict(state | {name: value for name, value in values.items() if name in state})
    norms = dict(_normalised(net))
    for name, norm in norms.items():
        norm.bias.data.copy_(values[f"{name}.bias"])
        norm.weight.data.fill_((1.0 + norm.eps) ** 0.5)
    _measure(net, list(norms.values()), shown)


def _dequantised(weights: Path) -> dict[str, Tensor]:
    """Return an eight-bit model's weights by name, as 32-bit values."""
    known = {entry.name: numpy_helper.to_array(entry) for entry in onnx.load(weights).graph.initializer}
    plain = {name: value for name, value in known.items() if value.dtype == np.float32 and "scale" not in name}
    whole = {name.removesuffix("_quantized"): value for name, value in known.items() if name.endswith("_quantized")}
    for name, value in whole.items():
        scale = known[f"{name}_scale" if f"{name}_scale" in known else f"{name}_quantized_scale"]
        plain[name.replace(".weight_bias", ".bias")] = value * scale.reshape(-1, *[1] * (value.ndim - 1))
    return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in plain.items()}


def _normalised(net: nn.Module) -> list[tuple[str, nn.BatchNorm2d]]:
    """Return every convolution's name with the normalisation that follows it."""
    found = []
    for name, module in net.named_modules():
        if isinstance(module, ResidualBlock):
            found.append((f"{name}.second", module.norm))
        elif isinstance(module, nn.Sequential) and len(module) > 1 and isinstance(module[1], nn.BatchNorm2d):
            found.append((f"{name}.0", module[1]))
    return found


def _measure(net: nn.Module, norms: Sequence[nn.BatchNorm2d], shown: Tensor) -> None:
    """Give every normalisation the mean and variance of what it sees, and undo them in its weights."""
    seen: dict[nn.Module, tuple[Tensor, Tensor]] = {}

    def note(module: nn.Module, inputs: tuple[Tensor, ...], _output: Tensor) -> None:
        seen[module] = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3), unbiased=False)

    hooks = [norm.register_forward_hook(note) for norm in norms]
    with torch.no_grad():
        net.eval()(shown)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, variance = seen[norm]
        norm.running_mean, norm.running_var = mean.clone(), variance.clone()
        norm.weight.data.copy_((variance + norm.eps).sqrt())
        norm.bias.data.add_(mean)
