"""The process in which a camera runs by itself, and serves its frames to the program that started it.

Only `camera_process` starts it. It imports what the camera needs and nothing else, ignores the signals that are meant
for the whole program, and ends with that program, however that one ends.

First come the arguments that the camera is made of. Then a request is the name of one of the camera's methods and its
arguments, as JSON; each gets one reply. Pixels travel in `SharedFrames`. The end of the requests, or a call of `close`,
ends the process.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

from hardware.cameras.base import Camera, CameraError, CameraLost
from hardware.cameras.shared_frames import SharedFrames
from referee.sentences import say

log = logging.getLogger(__name__)

FOR_THE_PROGRAM = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that a terminal or systemd sends to all processes at once: the program ends the camera's process itself."""


def main() -> None:
    """Serve the camera whose factory is on the command line, with three file descriptors.

    The descriptors: the connection for requests, the shared memory, and the pipe that breaks when the program ends.
    """
    factory, *descriptors = sys.argv[1:5]
    control, memory, lifeline = map(int, descriptors)
    for number in FOR_THE_PROGRAM:
        signal.signal(number, signal.SIG_IGN)
    end_with_program(lifeline)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one that hangs is aborted, so that the log shows where it hung
    log_lines = LogLines()
    logging.getLogger().addHandler(log_lines)
    with Connection(control) as connection:
        camera: Camera = _named(factory)(*json.loads(connection.recv_bytes()))
        CameraServer(camera, connection, SharedFrames(memory), log_lines).serve()


def end_with_program(lifeline: int) -> None:
    """Have the kernel end this process as soon as the other end of this pipe is closed, even while a driver hangs.

    A thread that waits for that end would not do: a driver that hangs may hold Python's lock. Neither does
    PR_SET_PDEATHSIG: it takes the end of the thread that started this process for the end of the program.
    """
    signal.signal(signal.SIGIO, signal.SIG_DFL)  # which is to end the process
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    if select.select([lifeline], [], [], 0)[0]:  # it was closed before the kernel was asked
        raise SystemExit(0)


class LogLines(logging.Handler):
    """Keep what was logged until the next reply takes it along: one (logger, level, text) each."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[tuple[str, int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self._lines.append((record.name, record.levelno, self.format(record)))

    def take(self) -> list[tuple[str, int, str]]:
        """Return the lines since the last call."""
        lines, self._lines = self._lines, []
        return lines


class CameraServer:
    """Do with a camera what the requests say, one after another, until they end."""

    def __init__(self, camera: Camera, requests: Connection, frames: SharedFrames, log_lines: LogLines) -> None:
        self._camera = camera
        self._requests = requests
        self._frames = frames
        self._log_lines = log_lines
        self._calls: dict[str, Callable[..., dict[str, Any]]] = {"open": self._open, "frame": self._frame}

    def serve(self) -> None:
        """Answer requests; at their end, close the camera."""
        try:
            while (request := self._next_request())[0] != "close":
                self._requests.send_bytes(json.dumps(self._answer(*request)).encode())
        finally:
            self._camera.close()

    def _next_request(self) -> list[Any]:
        try:
            request: list[Any] = json.loads(self._requests.recv_bytes())
        except EOFError:
            return ["close"]
        return request

    def _answer(self, call: str, *arguments: object) -> dict[str, Any]:
        """Return what came of a call: its result or its error, the camera's notes, and what was logged."""
        try:
            answer = self._calls[call](*arguments)
        except CameraError as error:
            answer = {"error": [type(error).__name__, str(error)]}
        except Exception as error:
            log.exception("camera process: %s failed in %s", self._camera.name, call)
            answer = {
                "error": [
                    CameraLost.__name__,
                    say("{name} failed: {cause}", name=self._camera.name, cause=str(error) or type(error).__name__),
                ]
            }
        return {**answer, "notes": self._camera.notes, "log": self._log_lines.take()}

    def _open(self) -> dict[str, Any]:
        self._camera.open()
        return {}

    def _frame(self, timeout: float) -> dict[str, Any]:
        frame = self._camera.frame(timeout)
        if frame is None:
            raise CameraLost(say("{name} gives no more frames; check its cable", name=self._camera.name))
        return {"frame": asdict(self._frames.write(frame))}


def _named(factory: str) -> Callable[..., Camera]:
    """Return the class or function of that name, written `module:name`."""
    module, _, name = factory.partition(":")
    found: Callable[..., Camera] = getattr(import_module(module), name)
    return found
