"""The network that is timed beside ours has the size that was published, and runs."""

import numpy as np
import onnxruntime as ort
import pytest

from models.training import yolo_sized_network


@pytest.fixture(scope="module")
def detector() -> yolo_sized_network.Detector:
    return yolo_sized_network.build()


def test_it_has_the_parameters_and_operations_of_yolo11n(detector: yolo_sized_network.Detector) -> None:
    assert detector.parameters == 2_616_232  # 2,616,248 were published, with the sixteen of a fixed mean
    assert detector.flops / 1e9 == pytest.approx(6.5, abs=0.05)


def test_it_finds_boxes_and_classes_in_every_cell(detector: yolo_sized_network.Detector) -> None:
    session = ort.InferenceSession(detector.onnx, providers=["CPUExecutionProvider"])
    picture = np.random.default_rng(0).random((1, 3, yolo_sized_network.SIDE, yolo_sized_network.SIDE), np.float32)
    (found,) = session.run(["found"], {"picture": picture})
    assert found.shape == (1, 4 + yolo_sized_network.CLASSES, 8400)
    assert np.isfinite(found).all()
    assert 0 < found[0, 4:].min() < found[0, 4:].max() < 1
    assert found[0, :2].min() > 0
    assert found[0, :2].max() < yolo_sized_network.SIDE
