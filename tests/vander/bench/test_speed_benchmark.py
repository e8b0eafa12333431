"""`vander bench speed`: what it tells, not how fast this machine is."""

import json

import pytest

from vander.bench.baselines import YOLO
from vander.bench.speed_benchmark import run_speed_benchmark


@pytest.mark.slow
def test_a_frame_is_timed_beside_a_yolo_sized_network(capsys: pytest.CaptureFixture[str]) -> None:
    run_speed_benchmark(2, as_json=True)
    *timings, ratios, sizes = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["of"] for row in timings] == ["the frame that is read", "something moves", "nothing moves", YOLO]
    assert [timings[0]["frames"], timings[3]["frames"]] == [2, 2]
    for row in timings:
        low, high = row["cpu_median_interval"]
        assert 0 < low <= row["cpu_median_ms"] <= high
    low, high = ratios["yolo_to_ours_cpu_interval"]
    assert 0 < low <= ratios["yolo_to_ours_cpu"] <= high
    assert set(sizes["models_bytes"]) == {"arrival", "finder", "posture", "reader", "reference", "second", "space"}
