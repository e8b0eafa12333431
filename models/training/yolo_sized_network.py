"""Build a detector of the size of YOLO11n, to be timed next to ours: the published structure, with random weights.

The structure is that of Ultralytics' YOLO11 (2024) at its smallest, for 80 classes: 2.6 million parameters and 6.5
GFLOPs at 640 x 640 by the publisher's own count. Batch norms are folded into the convolutions, as an export does. What
such a network finds is not asked here; how long it takes does not hang on its weights.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SIDE = 640
"""Pixels of the square input."""
CLASSES, BINS, HEAD_DIM, KEY_DIM = 80, 16, 64, 32
OPSET, IR_VERSION = 17, 8


@dataclass(frozen=True)
class Detector:
    """The network as an ONNX file, with its number of parameters and the floating-point operations of one picture.

    Input `picture`: 1 x 3 x SIDE x SIDE, 0..1. Output `found`: 1 x (4 + CLASSES) x 8400. As is usual, only
    convolutions and products of matrices are counted as operations, a product and its sum as two.
    """

    onnx: bytes
    parameters: int
    flops: int


@dataclass(frozen=True)
class _Map:
    """A feature map in the graph: name, channels and side."""

    name: str
    channels: int
    side: int


@dataclass
class _Graph:
    """Builds the ONNX graph."""

    rng: np.random.Generator
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    weights: list[onnx.TensorProto] = field(default_factory=list)
    parameters: int = 0
    flops: int = 0

    def op(self, kind: str, *inputs: str, **attributes: object) -> str:
        """Add a node with one output, and return the output's name."""
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, values: np.ndarray) -> str:
        """Add a tensor, and return its name."""
        name = f"tensor_{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def sizes(self, *values: int) -> str:
        """Add an int64 tensor, as shapes and slices need, and return its name."""
        return self.constant(np.array(values, np.int64))

    def plain(self, x: _Map, channels: int, kernel: int = 1, stride: int = 1, groups: int = 1) -> _Map:
        """Add a convolution with bias; its random weights preserve the variance of the activations (He et al. 2015)."""
        shape = (channels, x.channels // groups, kernel, kernel)
        fan = x.channels // groups * kernel * kernel
        weight = self.rng.normal(0, np.sqrt(2 / fan), shape).astype(np.float32)
        bias = np.zeros(channels, np.float32)
        side = x.side // stride
        self.parameters += weight.size + bias.size
        self.flops += 2 * weight.size * side * side
        pads = [kernel // 2] * 4
        how = {"kernel_shape": [kernel, kernel], "strides": [stride, stride], "pads": pads, "group": groups}
        return _Map(self.op("Conv", x.name, self.constant(weight), self.constant(bias), **how), channels, side)

    def conv(self, x: _Map, channels: int, kernel: int = 1, stride: int = 1, groups: int = 1) -> _Map:
        """Add a convolution and its activation, x * sigmoid(x)."""
        out = self.plain(x, channels, kernel, stride, groups)
        return replace(out, name=self.op("Mul", out.name, self.op("Sigmoid", out.name)))

    def add(self, one: _Map, other: _Map) -> _Map:
        return replace(one, name=self.op("Add", one.name, other.name))

    def join(self, *maps: _Map) -> _Map:
        """Concatenate maps along their channels."""
        name = self.op("Concat", *(one.name for one in maps), axis=1)
        return replace(maps[0], name=name, channels=sum(one.channels for one in maps))

    def halves(self, x: _Map) -> tuple[_Map, _Map]:
        """Split a map's channels in two."""
        half = x.channels // 2
        cuts = ((0, half), (half, x.channels))
        names = [self.op("Slice", x.name, self.sizes(a), self.sizes(b), self.sizes(1)) for a, b in cuts]
        return _Map(names[0], half, x.side), _Map(names[1], half, x.side)

    def doubled(self, x: _Map) -> _Map:
        """Upsample a map by 2."""
        scales = self.constant(np.array([1, 1, 2, 2], np.float32))
        how = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        return _Map(self.op("Resize", x.name, "", scales, **how), x.channels, 2 * x.side)

    def product(self, one: str, other: str, rows: int, inner: int, columns: int) -> str:
        self.flops += 2 * rows * inner * columns
        return self.op("MatMul", one, other)


def build(seed: int = 1) -> Detector:
    graph = _Graph(np.random.default_rng(seed))
    found = _head(graph, _neck(graph, *_backbone(graph, _Map("picture", 3, SIDE))))
    graph.nodes.append(helper.make_node("Identity", [found], ["found"]))
    picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, SIDE, SIDE])
    output = helper.make_tensor_value_info("found", TensorProto.FLOAT, None)
    whole = helper.make_graph(graph.nodes, "detector", [picture], [output], graph.weights)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    return Detector(model.SerializeToString(), graph.parameters, graph.flops)


def _backbone(graph: _Graph, picture: _Map) -> tuple[_Map, _Map, _Map]:
    """Return the maps of strides 8, 16 and 32."""
    x = graph.conv(graph.conv(picture, 16, 3, 2), 32, 3, 2)
    x = graph.conv(_crossed(graph, x, 64, share=4), 64, 3, 2)
    eighth = _crossed(graph, x, 128, share=4)
    sixteenth = _crossed(graph, graph.conv(eighth, 128, 3, 2), 128, deep=True)
    x = _crossed(graph, graph.conv(sixteenth, 256, 3, 2), 256, deep=True)
    return eighth, sixteenth, _attentive(graph, _pooled(graph, x))


def _neck(graph: _Graph, eighth: _Map, sixteenth: _Map, last: _Map) -> tuple[_Map, _Map, _Map]:
    """Return the three maps after the feature pyramid, which combines their scales."""
    middle = _crossed(graph, graph.join(graph.doubled(last), sixteenth), 128)
    fine = _crossed(graph, graph.join(graph.doubled(middle), eighth), 64)
    middle = _crossed(graph, graph.join(graph.conv(fine, 64, 3, 2), middle), 128)
    coarse = _crossed(graph, graph.join(graph.conv(middle, 128, 3, 2), last), 256, deep=True)
    return fine, middle, coarse


def _head(graph: _Graph, maps: tuple[_Map, _Map, _Map]) -> str:
    """Return boxes in pixels and class probabilities, for each cell."""
    rows = [graph.join(graph.plain(graph.conv(graph.conv(x, 64, 3), 64, 3), 4 * BINS), _names(graph, x)) for x in maps]
    shape = graph.sizes(1, 4 * BINS + CLASSES, -1)
    flat = graph.op("Concat", *(graph.op("Reshape", row.name, shape) for row in rows), axis=2)
    cut, channels = graph.sizes(4 * BINS), graph.sizes(1)
    edges = graph.op("Slice", flat, graph.sizes(0), cut, channels)
    names = graph.op("Slice", flat, cut, graph.sizes(4 * BINS + CLASSES), channels)
    boxes = _boxes(graph, _expected(graph, edges), [x.side for x in maps])
    return graph.op("Concat", boxes, graph.op("Sigmoid", names), axis=1)


def _names(graph: _Graph, x: _Map) -> _Map:
    x = graph.conv(graph.conv(x, x.channels, 3, groups=x.channels), CLASSES)
    return graph.plain(graph.conv(graph.conv(x, CLASSES, 3, groups=CLASSES), CLASSES), CLASSES)


def _expected(graph: _Graph, edges: str) -> str:
    """Return the distance of each edge from the cell: the mean of a distribution over BINS (Li et al. 2020)."""
    spread = graph.op("Reshape", edges, graph.sizes(1, 4, BINS, -1))
    shares = graph.op("Softmax", graph.op("Transpose", spread, perm=[0, 1, 3, 2]), axis=3)
    mean = graph.op("MatMul", shares, graph.constant(np.arange(BINS, dtype=np.float32)[:, None]))
    return graph.op("Reshape", mean, graph.sizes(1, 4, -1))


def _boxes(graph: _Graph, distances: str, sides: list[int]) -> str:
    """Return centres and sizes in pixels, from the distances to left, top, right and bottom in cells."""
    axis = graph.sizes(1)
    near = graph.op("Slice", distances, graph.sizes(0), graph.sizes(2), axis)
    far = graph.op("Slice", distances, graph.sizes(2), graph.sizes(4), axis)
    cells, strides = _cells(sides)
    low = graph.op("Sub", graph.constant(cells), near)
    high = graph.op("Add", graph.constant(cells), far)
    middle = graph.op("Div", graph.op("Add", low, high), graph.constant(np.array(2, np.float32)))
    box = graph.op("Concat", middle, graph.op("Sub", high, low), axis=1)
    return graph.op("Mul", box, graph.constant(strides))


def _cells(sides: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the centres of all cells, (1, 2, n), in cells, and their strides, (1, 1, n), in pixels."""
    grids = [np.stack(np.meshgrid(np.arange(side) + 0.5, np.arange(side) + 0.5)).reshape(2, -1) for side in sides]
    strides = [np.full((1, side * side), SIDE / side) for side in sides]
    return (np.concatenate(grids, 1)[None].astype(np.float32), np.concatenate(strides, 1)[None].astype(np.float32))


def _crossed(graph: _Graph, x: _Map, channels: int, share: int = 2, deep: bool = False) -> _Map:
    """Add a cross-stage partial block: half of the channels bypass the bottlenecks ("C3k2")."""
    straight, way = graph.halves(graph.conv(x, 2 * (channels // share)))
    through = _nested(graph, way) if deep else _bottleneck(graph, way, way.channels // 2)
    return graph.conv(graph.join(straight, way, through), channels)


def _nested(graph: _Graph, x: _Map) -> _Map:
    """Add two bottlenecks with a bypass ("C3k")."""
    half = x.channels // 2
    through = reduce(lambda y, _: _bottleneck(graph, y, half), range(2), graph.conv(x, half))
    return graph.conv(graph.join(through, graph.conv(x, half)), x.channels)


def _bottleneck(graph: _Graph, x: _Map, inner: int) -> _Map:
    return graph.add(x, graph.conv(graph.conv(x, inner, 3), x.channels, 3))


def _pooled(graph: _Graph, x: _Map) -> _Map:
    """Concatenate the map with its maxima over 5, 9 and 13 cells ("SPPF")."""
    maps = [graph.conv(x, x.channels // 2)]
    for _ in range(3):
        name = graph.op("MaxPool", maps[-1].name, kernel_shape=[5, 5], strides=[1, 1], pads=[2] * 4)
        maps.append(replace(maps[0], name=name))
    return graph.conv(graph.join(*maps), x.channels)


def _attentive(graph: _Graph, x: _Map) -> _Map:
    """Add a block in which half of the channels pass through self-attention ("C2PSA")."""
    straight, way = graph.halves(graph.conv(x, x.channels))
    way = graph.add(way, _attention(graph, way))
    way = graph.add(way, graph.plain(graph.conv(way, 2 * way.channels), way.channels))
    return graph.conv(graph.join(straight, way), x.channels)


def _attention(graph: _Graph, x: _Map) -> _Map:
    heads, cells = x.channels // HEAD_DIM, x.side * x.side
    mixed = graph.plain(x, x.channels + 2 * KEY_DIM * heads)
    split = graph.op("Reshape", mixed.name, graph.sizes(heads, 2 * KEY_DIM + HEAD_DIM, cells))
    cuts, axis = (0, KEY_DIM, 2 * KEY_DIM, 2 * KEY_DIM + HEAD_DIM), graph.sizes(1)
    query, key, value = (
        graph.op("Slice", split, graph.sizes(low), graph.sizes(high), axis) for low, high in pairwise(cuts)
    )
    turned = graph.op("Transpose", query, perm=[0, 2, 1])
    alike = graph.product(turned, key, heads * cells, KEY_DIM, cells)
    scaled = graph.op("Mul", alike, graph.constant(np.array(KEY_DIM**-0.5, np.float32)))
    shares = graph.op("Transpose", graph.op("Softmax", scaled, axis=2), perm=[0, 2, 1])
    seen = graph.product(value, shares, heads * HEAD_DIM, cells, cells)
    square = graph.sizes(1, x.channels, x.side, x.side)
    place = graph.plain(replace(x, name=graph.op("Reshape", value, square)), x.channels, 3, groups=x.channels)
    return graph.plain(graph.add(replace(x, name=graph.op("Reshape", seen, square)), place), x.channels)
