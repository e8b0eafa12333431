"""Examples of how dice came to lie: kept, drawn for training, judged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from models.training import arrival_training
from models.training.arrival_examples import ArrivalExample, load_examples, save_examples
from models.training.networks import ArrivalNet
from models.training.recipes import Recipe
from vision.arrival import INPUTS, NUMBERS, PLANES, SIDE, WAYS, PlaceFilm


def example(way: str, source: str = "tray", level: int = 0) -> ArrivalExample:
    planes = np.full((PLANES, SIDE, SIDE), level, np.uint8)
    seen = PlaceFilm(planes, np.zeros(NUMBERS, np.float32), 0.1)
    return ArrivalExample(seen, way, {"table": "a", "event": "throw", "source": source, "fps": 15.0})


def test_examples_come_back_as_they_were_kept(tmp_path: Path) -> None:
    save_examples(tmp_path / "one.npz", [example("thrown", level=7), example("moved", "mujoco")])
    save_examples(tmp_path / "two.npz", [])
    thrown, moved = load_examples([tmp_path])
    assert (thrown.way, moved.way) == ("thrown", "moved")
    assert thrown.facts == {"table": "a", "event": "throw", "source": "tray", "fps": 15.0}
    assert (int(thrown.seen.planes.max()), thrown.seen.longest_step) == (7, pytest.approx(0.1))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.npz", "two.npz"]


def test_each_way_and_source_is_drawn_as_often_and_what_is_not_learned_never() -> None:
    many = [example("thrown", level=10)] * 50 + [example("moved", level=90), example("moved", "mujoco", 170)]
    drawn = arrival_training.ArrivalDataset([*many, example("dropped", level=250)], 300, 1)
    ways = Counter(int(drawn[n][1]) for n in range(300))
    assert set(ways) == {WAYS.index("thrown"), WAYS.index("moved")}
    assert 60 < ways[WAYS.index("thrown")] < 140  # a third: thrown is one group of three


def test_what_is_seen_is_disturbed_within_its_range() -> None:
    seen = example("thrown", level=128).seen.seen
    seen[PLANES:] = 2.5
    for seed in range(20):
        disturbed = arrival_training.disturbed(seen, np.random.default_rng(seed))
        assert disturbed.shape == (INPUTS, SIDE, SIDE)
        assert 0.0 <= disturbed[:PLANES].min() <= disturbed[:PLANES].max() <= 1.0
        assert (disturbed[PLANES:] <= 2.5).all()  # a film that begins late is shorter
        assert (disturbed[PLANES] == 2.5).all()


def test_a_network_learns_what_differs(tmp_path: Path) -> None:
    pair = [example("thrown", level=220), example("moved", level=10)]
    small = Recipe(steps=25, batch=16, rate=3e-3, decay=0.0, seed=1, loaders=0, bfloat16=False)
    net = arrival_training.fit(pair, small, tmp_path / "arrival.pt")
    assert arrival_training.logits_of(net, pair).argmax(1).tolist() == [WAYS.index("thrown"), WAYS.index("moved")]


def test_the_worst_source_decides_how_sure_a_throw_may_be() -> None:
    """In one source the network is right, in the other its word means nothing."""
    right = [example("thrown"), example("moved")] * 10
    mixed = [example(way, "other") for way in ("thrown", "moved", "moved", "thrown")] * 5
    thrown = np.array([0.95, 0.05] * 10)
    logits = np.stack([np.log(thrown), *([np.log((1 - thrown) / 3)] * 3)], 1).astype(np.float32)
    alone, both = (
        (
            arrival_training.choose_temperature(np.concatenate([logits] * count), examples),
            arrival_training.choose_certainty(np.concatenate([thrown] * count), examples),
        )
        for count, examples in ((1, right), (2, right + mixed))
    )
    assert both[0] > alone[0]
    assert (alone[1], both[1]) == (0.5, pytest.approx(0.95))


@pytest.mark.filterwarnings("ignore::FutureWarning")  # of PyTorch's exporter, about itself
def test_a_shipped_network_has_its_card_and_the_program_reads_it(tmp_path: Path) -> None:
    torch.manual_seed(1)
    examples = [example("thrown", level=50), example("moved", "mujoco"), example("moved")]
    examples.append(example("thrown", "mujoco"))
    arrival_training.ship(ArrivalNet(), examples, {"trained_on": "nothing"}, tmp_path)
    model = arrival_training.ArrivalModel(tmp_path / "arrival.onnx")
    chances = model.chances([one.seen for one in examples])
    assert chances.shape == (len(examples), len(WAYS))
    assert chances.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    table = arrival_training.arrival_table(model, examples)
    assert "| tray | thrown | 1 |" in table
    assert "| mujoco, 15 fps | moved | 1 |" in table
