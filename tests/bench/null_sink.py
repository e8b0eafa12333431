"""A loudspeaker that nobody hears: a PulseAudio server of its own with a null sink, and all that is played on it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import numpy as np
from numpy.typing import NDArray

RATE = 48000
CHUNK = 480
NEEDED = ("pulseaudio", "parec", "pactl")


@dataclass
class Recording:
    """What was played: chunks of samples, each with the moment at which it had come whole, in milliseconds."""

    server: str
    _chunks: list[tuple[float, NDArray[np.int16]]] = field(default_factory=list)

    def add(self, came_at: float, samples: NDArray[np.int16]) -> None:
        """Add a chunk."""
        self._chunks.append((came_at, samples))

    def since(self, moment: float) -> tuple[float, NDArray[np.float32]]:
        """Return what was played from a moment on, -1..1, and the moment of its first sample, in milliseconds.

        A chunk may be read late but never early: the smallest delay of all tells when the first one began.
        """
        chunks = list(self._chunks)
        ends = np.cumsum([len(samples) for _, samples in chunks]) / RATE * 1000
        began = min(came_at - end for (came_at, _), end in zip(chunks, ends, strict=True))
        whole = np.concatenate([samples for _, samples in chunks]).astype(np.float32) / 32768
        first = max(0, int((moment - began) / 1000 * RATE))
        return began + first / RATE * 1000, whole[first:]


@contextmanager
def null_sink() -> Iterator[Recording]:
    """Run a PulseAudio server, and record what is played on it until the end."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        raise SystemExit(f"install {missing[0]}: on Debian the packages pulseaudio and pulseaudio-utils")
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder) / "native"
        words = ("-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=error")
        sink = f"module-null-sink sink_name=table rate={RATE}"
        door = f"module-native-protocol-unix auth-anonymous=1 auth-cookie-enabled=0 socket={socket}"
        server = subprocess.Popen(  # noqa: S603  our own words
            ["pulseaudio", *words, "-L", sink, "-L", door],  # noqa: S607
            env={"PULSE_RUNTIME_PATH": folder, "HOME": folder, "PATH": "/usr/bin:/bin"},
            stderr=subprocess.DEVNULL,
        )
        try:
            yield from _recorded(socket)
        finally:
            server.terminate()
            server.wait()


def _recorded(socket: Path) -> Iterator[Recording]:
    while not socket.exists():
        time.sleep(0.05)
    recording = Recording(f"unix:{socket}")
    form = ("--format=s16le", "--channels=1", f"--rate={RATE}", "--latency-msec=5")
    with subprocess.Popen(  # noqa: S603  our own words
        ["parec", f"--server={recording.server}", "--device=table.monitor", *form],  # noqa: S607
        stdout=subprocess.PIPE,
    ) as reader:
        thread = Thread(target=_read, args=(reader, recording))
        thread.start()
        try:
            yield recording
        finally:
            reader.terminate()
            thread.join()


def _read(reader: subprocess.Popen[bytes], recording: Recording) -> None:
    while chunk := reader.stdout.read(2 * CHUNK) if reader.stdout else b"":
        recording.add(1000 * time.time(), np.frombuffer(chunk[: len(chunk) // 2 * 2], np.int16))
