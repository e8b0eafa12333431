"""Real servers of pictures on loopback: ffmpeg's MJPEG over HTTP, GStreamer's RTSP, and a socket that says anything."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

DEBIAN_PYTHON = "/usr/bin/python3"
"""Debian's own Python, which sees GStreamer."""
RTSP_SERVER = Path(__file__).with_name("rtsp_server.py")
LONGEST_S = 60
"""Seconds after which a server ends by itself, whatever becomes of the test."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        port: int = one.getsockname()[1]
        return port


def jpeg(grey: int = 90, width: int = 64, height: int = 48) -> bytes:
    """A picture as a file, its left half of that grey."""
    pixels = np.full((height, width, 3), 200, np.uint8)
    pixels[:, : width // 2] = grey
    return cv2.imencode(".jpg", pixels)[1].tobytes()


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server of its own process, which is ended by its own number."""
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        yield server
    finally:
        server.kill()
        server.wait()
        assert server.stdout is not None
        server.stdout.close()


def until_listening(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait for somebody to listen, without a connection, which ffmpeg would take for its one client."""
    wanted, deadline = f":{port:04X} 00000000:0000 0A", time.monotonic() + 60
    while wanted not in Path("/proc/net/tcp").read_text("ascii"):
        assert process.poll() is None, "the server ended"
        assert time.monotonic() < deadline, "the server does not listen"
        time.sleep(0.02)


@contextmanager
def mjpeg_server(port: int, path: str = "/video", rate: int = 15) -> Iterator[subprocess.Popen[bytes]]:
    """Have ffmpeg serve one client a film of its own at that port."""
    if shutil.which("ffmpeg") is None:
        missing("ffmpeg")
    film = ("-re", "-f", "lavfi", "-t", str(LONGEST_S), "-i", f"testsrc=size=320x240:rate={rate}")
    address = f"http://127.0.0.1:{port}{path}"
    sent = ("-c:v", "mjpeg", "-q:v", "5", "-f", "mpjpeg", "-flush_packets", "1", "-listen", "1", address)
    with running("ffmpeg", "-loglevel", "quiet", "-nostdin", *film, *sent) as server:
        until_listening(port, server)
        yield server


@contextmanager
def rtsp_server(*options: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """GStreamer serves a film at `/tray` of the port that is given back; `rtsp_server.py` knows the options."""
    with running(DEBIAN_PYTHON, str(RTSP_SERVER), str(LONGEST_S), *options) as server:
        assert server.stdout is not None
        line = server.stdout.readline()
        if not line:
            missing("GStreamer's RTSP server (gir1.2-gst-rtsp-server-1.0)")
        yield int(line), server


def missing(what: str) -> None:
    """Skip the test, but not where everything is to be there."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


@contextmanager
def talking(*answers: Callable[[socket.socket, bytes], None]) -> Iterator[int]:
    """A server at the port that is given back: each connection gets the next answer, the last one again and again."""
    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        thread = threading.Thread(target=_talk, args=(listener, answers, ended))
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            ended.set()
            thread.join()


def _talk(
    listener: socket.socket, answers: tuple[Callable[[socket.socket, bytes], None], ...], ended: threading.Event
) -> None:
    number, threads = 0, list[threading.Thread]()
    while not ended.is_set():
        with suppress(TimeoutError):
            connection, _ = listener.accept()
            answer = answers[min(number, len(answers) - 1)]
            threads.append(threading.Thread(target=_answer, args=(connection, answer)))
            threads[-1].start()
            number += 1
    for thread in threads:
        thread.join()


def _answer(connection: socket.socket, answer: Callable[[socket.socket, bytes], None]) -> None:
    with connection, suppress(OSError):
        connection.settimeout(5)
        asked = b""
        while b"\r\n\r\n" not in asked:
            asked += connection.recv(4096) or b"\r\n\r\n"
        answer(connection, asked)


def http(status: str, *headers: str, body: bytes = b"") -> Callable[[socket.socket, bytes], None]:
    """An answer of HTTP, and the connection is closed."""
    head = "\r\n".join((f"HTTP/1.1 {status}", "Connection: close", *headers, "", ""))
    return lambda connection, _: connection.sendall(head.encode() + body)


def held_open(
    begin: Callable[[socket.socket, bytes], None], seconds: float = 2.0
) -> Callable[[socket.socket, bytes], None]:
    """An answer after which nothing more comes for a while, or until the other side goes."""

    def answer(connection: socket.socket, asked: bytes) -> None:
        begin(connection, asked)
        connection.settimeout(seconds)
        connection.recv(1)

    return answer


def stream(*pictures: bytes, boundary: str = "frame", length: bool = True) -> Callable[[socket.socket, bytes], None]:
    """An answer with some parts of a multipart stream."""
    body = b""
    for picture in pictures:
        told = f"Content-Length: {len(picture)}\r\n" if length else ""
        body += f"--{boundary}\r\nContent-Type: image/jpeg\r\n{told}\r\n".encode() + picture + b"\r\n"
    return http("200 OK", f"Content-Type: multipart/x-mixed-replace; boundary={boundary}", body=body)
