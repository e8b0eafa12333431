"""How old a picture of a network camera is when Vander has it, on this machine's loopback.

    python bench/network_cameras.py [--seconds 10]

A film of 1280 x 960 and 15 frames a second is drawn here; each frame holds the millisecond at which it was drawn. It
goes to an encoder (ffmpeg), from there to a real server (ffmpeg for MJPEG, GStreamer for H.264 over RTSP), and is read
by `--camera url:` and `--camera rtsp://` in a process of their own. So the age holds the encoder's time too, and no
Wi-Fi.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/hardware/cameras"))
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from network_servers import DEBIAN_PYTHON, RTSP_SERVER, free_port, until_listening

from hardware.cameras import open_camera
from vision.frames import Pixels

WIDTH, HEIGHT, RATE = 1280, 960, 15
BITS = 32
BLOCK = WIDTH // BITS
RAW = (
    *("ffmpeg", "-loglevel", "quiet", "-fflags", "nobuffer", "-probesize", "32", "-f", "rawvideo", "-pix_fmt", "gray"),
    *(
        "-s",
        f"{WIDTH}x{HEIGHT}",
        "-framerate",
        str(RATE),
        "-i",
        "pipe:0",
        "-pix_fmt",
        "yuvj420p",
        "-flush_packets",
        "1",
    ),
)
H264 = (
    "-c:v",
    "libx264",
    "-preset",
    "ultrafast",
    "-tune",
    "zerolatency",
    "-x264-params",
    "sliced-threads=0",
    "-crf",
    "28",
    "-g",
    str(RATE),
    "-f",
    "h264",
    "pipe:1",
)


def drawn(noise: Pixels) -> bytes:
    """Return a grey picture with a little noise, with this millisecond as black and white blocks along its top."""
    now = int(time.monotonic() * 1000) & 0xFFFFFFFF
    bits = np.array([now >> bit & 1 for bit in range(BITS)], np.uint8) * 255
    noise[:BLOCK] = np.repeat(bits, BLOCK)
    return noise.tobytes()


def age_ms(pixels: Pixels) -> int:
    """Return how many milliseconds ago a picture was drawn."""
    row = pixels[BLOCK // 2, BLOCK // 2 :: BLOCK, 0] > 127
    then = sum(int(bit) << place for place, bit in enumerate(row))
    return (int(time.monotonic() * 1000) - then) & 0xFFFFFFFF


@contextmanager
def filming(encoder: subprocess.Popen[bytes]) -> Iterator[None]:
    """While it lasts, frames go to the encoder."""
    ended = threading.Event()
    noise = np.random.default_rng(1).integers(118, 123, (HEIGHT, WIDTH), np.uint8)

    def film() -> None:
        assert encoder.stdin is not None
        due = time.monotonic()
        try:
            while not ended.wait(max(due - time.monotonic(), 0)):
                encoder.stdin.write(drawn(noise))
                encoder.stdin.flush()
                due += 1 / RATE
        except OSError:
            return

    thread = threading.Thread(target=film)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        encoder.kill()
        thread.join()


@contextmanager
def mjpeg() -> Iterator[str]:
    port = free_port()
    sent = ("-c:v", "mjpeg", "-q:v", "4", "-f", "mpjpeg", "-listen", "1", f"http://127.0.0.1:{port}/video")
    with subprocess.Popen([*RAW, *sent], stdin=subprocess.PIPE) as encoder, filming(encoder):  # noqa: S603
        until_listening(port, encoder)
        yield f"url:http://127.0.0.1:{port}/video"


@contextmanager
def h264() -> Iterator[str]:
    with subprocess.Popen([*RAW, *H264], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as encoder:  # noqa: S603
        served = [DEBIAN_PYTHON, str(RTSP_SERVER), "120", "--input"]
        with subprocess.Popen(served, stdin=encoder.stdout, stdout=subprocess.PIPE) as server, filming(encoder):  # noqa: S603
            assert server.stdout is not None
            try:
                yield f"rtsp://127.0.0.1:{int(server.stdout.readline())}/tray"
            finally:
                server.kill()


def measure(name: str, address: str, seconds: float) -> None:
    """Print how old the pictures of one camera are."""
    camera = open_camera(address)
    began = time.monotonic()
    camera.open()
    opened_s, ages = time.monotonic() - began, list[int]()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        frame = camera.frame(2.0)
        assert frame is not None
        ages.append(age_ms(frame.pixels))
    camera.close()
    ages.sort()
    print(
        f"{name}: opened in {opened_s:.1f} s; {len(ages) / seconds:.1f} pictures a second, "
        f"{statistics.median(ages):.0f} ms old at the median, {ages[int(0.95 * len(ages))]} ms at 95 %, "
        f"{ages[-1]} ms at most"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    seconds = parser.parse_args().seconds
    for name, served in (("MJPEG over http", mjpeg), ("H.264 over rtsp", h264)):
        with served() as address:
            measure(name, address, seconds)


if __name__ == "__main__":
    main()
