"""The recorded loudspeaker of the bench: what it lost is not counted as played, and no wait is without end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
from null_sink import CHUNK, RATE, Recording, wait_for_socket

CHUNK_MS = 1000 * CHUNK / RATE


def recording(lost_ms: float, tone_at: int, chunks: int = 100) -> Recording:
    """Silent chunks, read as soon as they were played; before the tone of one chunk so much was lost."""
    found = Recording("")
    for number in range(chunks):
        came_at = 1000 + (number + 1) * CHUNK_MS + (lost_ms if number >= tone_at // 2 else 0)
        found.add(came_at, np.full(CHUNK, 9999 if number == tone_at else 0, np.int16))
    return found


@pytest.mark.parametrize("lost_ms", [0, 300])
def test_a_sound_is_found_at_its_time_whatever_was_lost_before_it(lost_ms: float) -> None:
    tone_at = 1000 + 50 * CHUNK_MS + lost_ms
    began, heard = recording(lost_ms, tone_at=50).since(tone_at - 40)
    assert began + np.flatnonzero(heard)[0] / RATE * 1000 == pytest.approx(tone_at, abs=0.1)
    assert np.count_nonzero(heard) == CHUNK


def test_nothing_is_heard_of_a_moment_after_the_last_chunk() -> None:
    began, heard = recording(0, tone_at=50).since(99_000)
    assert (began, len(heard)) == (99_000, 0)


@pytest.mark.parametrize(("program", "said"), [("import time; time.sleep(9)", "did not open"), ("exit(3)", "status 3")])
def test_a_server_that_opens_nothing_is_not_waited_for(tmp_path: Path, program: str, said: str) -> None:
    with subprocess.Popen([sys.executable, "-c", program]) as server:  # noqa: S603  our own words
        with pytest.raises(SystemExit, match=said):
            wait_for_socket(tmp_path / "native", server, 0.3 if "sleep" in program else 20)
        server.kill()
