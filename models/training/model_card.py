"""Export a network to ONNX, in 32 or eight bits, with the card that describes it and holds its checksum."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import nn

from models.training.networks import (
    ArrivalNet,
    ExportedFinder,
    ExportedPosture,
    FinderNet,
    PostureNet,
    ReaderNet,
    SecondNet,
)
from vision import posture
from vision.arrival import INPUTS, SIDE
from vision.detection import MULTIPLE
from vision.rectification import INPUT_SIDE

Sizes = Mapping[int, object]
Entry = str | int | float | Sequence[str] | Sequence[float]
Entries = Mapping[str, Entry]


def export_finder(net: FinderNet, to: Path) -> None:
    """Export the finder: `picture` (1, 3, h, w), h and w multiples of MULTIPLE, to `dice` (1, 9, h / 4, w / 4)."""
    height, width = torch.export.Dim("height", min=2, max=256), torch.export.Dim("width", min=2, max=256)
    sizes = {2: height * MULTIPLE, 3: width * MULTIPLE}
    _export(ExportedFinder(net), torch.rand(1, 3, 320, 416), to, (["picture"], ["dice"]), sizes)


def export_reader(net: ReaderNet, to: Path) -> None:
    """Export the reader: `crops` (n, 3, INPUT_SIDE, INPUT_SIDE) to `faces`, `postures` (logits) and `features`."""
    names = ["crops"], ["faces", "postures", "features"]
    _export(net, torch.rand(3, 3, INPUT_SIDE, INPUT_SIDE), to, names, {0: torch.export.Dim("dice", min=1, max=64)})


def export_second(net: SecondNet, to: Path) -> None:
    """Export the second look: `crops` (n, 3, INPUT_SIDE, INPUT_SIDE) to `faces` (logits)."""
    sizes = {0: torch.export.Dim("views", min=1, max=4096)}
    _export(net, torch.rand(3, 3, INPUT_SIDE, INPUT_SIDE), to, (["crops"], ["faces"]), sizes)


def export_arrival(net: ArrivalNet, to: Path) -> None:
    """Export the network of arrivals: `places` (n, INPUTS, SIDE, SIDE) to `ways` (logits)."""
    sizes = {0: torch.export.Dim("places", min=1, max=64)}
    _export(net, torch.rand(3, INPUTS, SIDE, SIDE), to, (["places"], ["ways"]), sizes)


def export_posture(net: PostureNet, to: Path) -> None:
    """Export the network of postures: `dice` (n, PLANES, SIDE, SIDE) to `told`, logits of POSTURES and a departure."""
    sizes, shape = {0: torch.export.Dim("dice", min=1, max=1024)}, (posture.PLANES, posture.SIDE, posture.SIDE)
    _export(ExportedPosture(net), torch.rand(3, *shape), to, (["dice"], ["told"]), sizes)


def _export(net: nn.Module, example: torch.Tensor, to: Path, names: tuple[list[str], list[str]], sizes: Sizes) -> None:
    """Write the network with its weights inside; `names` are of inputs and outputs, `sizes` the dynamic axes."""
    torch.onnx.export(
        net.eval(),
        (example,),
        str(to),
        input_names=names[0],
        output_names=names[1],
        dynamo=True,
        dynamic_shapes=(sizes,),
        external_data=False,
        verbose=False,
    )
    strip(to)


def strip(weights: Path) -> None:
    """Remove what the exporter recorded of its machine: source paths and stack traces of every node."""
    model = onnx.load(weights)
    for part in (model.graph, *model.graph.node, *model.graph.value_info, *model.graph.initializer):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    onnx.save(model, weights)


def write_card(weights: Path, entries: Mapping[str, Entry]) -> None:
    """Write the card (TOML) next to the weights: its entries and the weights' size and SHA-256."""
    whole = {**entries, "bytes": weights.stat().st_size, "sha256": hashlib.sha256(weights.read_bytes()).hexdigest()}
    lines = [f"{key} = {_toml(value)}" for key, value in whole.items()]
    weights.with_suffix(".toml").write_text("\n".join(lines) + "\n", "utf-8")


def _toml(value: Entry) -> str:
    """Return a value as TOML: a multi-line literal, or JSON, whose strings, numbers and lists are valid TOML."""
    if isinstance(value, str) and "\n" in value:
        return f"'''\n{value.strip()}\n'''"
    return json.dumps(value if isinstance(value, str | int | float) else list(value))


# Eight bits: a quarter of the size, and less than half of the time
#
# The scales of the activations are measured on training pictures. Weights have seven bits, since processors without
# byte dot products (AVX2 without VNNI) could overflow with eight.


Floats = npt.NDArray[np.float32]


class _Feeds(CalibrationDataReader):
    """The calibration inputs, one after another."""

    def __init__(self, name: str, inputs: Iterable[Floats]) -> None:
        self._left: Iterator[dict[str, Floats]] = ({name: one} for one in inputs)

    def get_next(self) -> dict[str, Floats] | None:
        """Return the next input by name; None after the last."""
        return next(self._left, None)


def quantise(weights: Path, inputs: Iterable[Floats], to: Path, *, dense_from: int | None = None) -> None:
    """Write an eight-bit copy of a model with one input. The last layers, whose outputs are values, keep 32 bits.

    dense_from: fully connected layers with more weights get eight bits too; None for none.
    """
    with TemporaryDirectory() as folder:
        plain = Path(folder) / weights.name
        quant_pre_process(str(weights), str(plain), skip_symbolic_shape=True)
        graph = onnx.load(plain).graph
        convolutions = [node.name for node in graph.node if node.op_type == "Conv"]
        dense = [node for node in graph.node if node.op_type in {"Gemm", "MatMul"}]
        sizes = {one.name: math.prod(one.dims) for one in graph.initializer}
        kept = [
            one.name
            for one in dense
            if dense_from is None or max(sizes.get(name, 0) for name in one.input) <= dense_from
        ]
        quantize_static(
            str(plain),
            str(to),
            _Feeds(graph.input[0].name, inputs),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            op_types_to_quantize=["Conv", "Add", "Relu", "Resize", "Gemm"],
            nodes_to_exclude=[*kept, *(() if dense else convolutions[-1:])],
        )
    strip(to)
