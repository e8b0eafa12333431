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
NEEDED = ("pulseaudio", "parec")
OPENS_S, ENDS_S = 20.0, 5.0
"""How long the server may take to open its socket, and a program to end."""


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

        A chunk may be read late but never early: the smallest delay of it and all later ones tells when it was played.
        Delays of earlier chunks do not: what a busy machine lost in between would be counted as played.
        Nothing, from that moment on, where no chunk has come since.
        """
        chunks = list(self._chunks)
        ends = np.cumsum([len(samples) for _, samples in chunks]) / RATE * 1000
        delays = np.array([came_at for came_at, _ in chunks]) - ends
        played = ends + np.minimum.accumulate(delays[::-1])[::-1]
        after = np.flatnonzero(played > moment)
        if not len(after):
            return moment, np.zeros(0, np.float32)
        kept = [samples for _, samples in chunks[after[0] :]]
        began = float(played[after[0]]) - len(kept[0]) / RATE * 1000
        first = max(0, int((moment - began) / 1000 * RATE))
        return began + first / RATE * 1000, np.concatenate(kept).astype(np.float32)[first:] / 32768


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
            wait_for_socket(socket, server, OPENS_S)
            yield from _recorded(socket)
        finally:
            _end(server)


def wait_for_socket(socket: Path, server: subprocess.Popen[bytes], longest_s: float) -> None:
    """Wait until a server has opened its socket. Raises SystemExit if it ends before, or takes longer."""
    over = time.monotonic() + longest_s
    while not socket.exists():
        if server.poll() is not None:
            raise SystemExit(f"pulseaudio ended with status {server.returncode} before anything was played")
        if time.monotonic() > over:
            raise SystemExit(f"pulseaudio did not open its socket within {longest_s:g} s: is the machine very busy?")
        time.sleep(0.05)


def _end(program: subprocess.Popen[bytes]) -> None:
    program.terminate()
    try:
        program.wait(ENDS_S)
    except subprocess.TimeoutExpired:
        program.kill()


def _recorded(socket: Path) -> Iterator[Recording]:
    recording = Recording(f"unix:{socket}")
    form = ("--format=s16le", "--channels=1", f"--rate={RATE}", "--latency-msec=5")
    with subprocess.Popen(  # noqa: S603  our own words
        ["parec", f"--server={recording.server}", "--device=table.monitor", *form],  # noqa: S607
        stdout=subprocess.PIPE,
    ) as reader:
        thread = Thread(target=_read, args=(reader, recording), daemon=True)
        thread.start()
        try:
            yield recording
        finally:
            _end(reader)
            thread.join(ENDS_S)


def _read(reader: subprocess.Popen[bytes], recording: Recording) -> None:
    while chunk := reader.stdout.read(2 * CHUNK) if reader.stdout else b"":
        recording.add(1000 * time.time(), np.frombuffer(chunk[: len(chunk) // 2 * 2], np.int16))
