"""A camera in a process of its own: what hangs in its driver is killed, and opened again, while the program goes on."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from typing import Any

from hardware.cameras.base import Camera, CameraError, CameraLost, CameraStuck, NoSuchCamera
from hardware.cameras.shared_frames import FramePlace, SharedFrames
from referee.error_messages import message_of
from referee.sentences import Remembered, say
from vision.frames import Frame

log = logging.getLogger(__name__)

ERRORS = {error.__name__: error for error in (CameraError, NoSuchCamera, CameraStuck, CameraLost)}
"""The errors that cross from process to process, by their names."""
MOST_LEFT_BEHIND = 3
"""Killed processes that do not end, from which on no other one is started: each would hang in the same driver."""
PROGRAM = "import sys; sys.path[:] = sys.argv[5:]; from hardware.cameras.camera_child import main; main()"
ENVIRONMENT = {
    # NumPy starts a thread for each core as soon as it is imported; a camera needs none of them.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    # Each frame's memory is used again. By default glibc returns it and takes new pages: 5 ms for a decoded JPEG.
    "MALLOC_MMAP_THRESHOLD_": str(32 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(128 << 20),
}
"""Environment variables that the camera process gets in addition to those of the program."""


CHECK_CABLE = say("check its cable")
CHECK_NETWORK = say("look whether it is on, and in the same network")
"""What helps where a camera's process hangs or breaks off."""


@dataclass(frozen=True)
class ProcessTimeouts:
    """How many seconds to wait for a process that may hang.

    opening_s: for its start and for the camera's own timeout. grace_s: beyond the timeout that a frame was asked with.
    closing_s: for a camera that closes, before its process is killed. aborting_s: for one that hangs to log where.
    reaping_s: for a process that was killed, which a driver may keep from ending for ever.
    """

    opening_s: float = 18.0
    grace_s: float = 0.5
    closing_s: float = 4.0
    aborting_s: float = 0.5
    reaping_s: float = 1.0

    @property
    def longest_s(self) -> float:
        """Return the most seconds that opening and closing may take together."""
        return self.opening_s + self.closing_s + self.aborting_s + self.reaping_s


DEFAULT_PROCESS_TIMEOUTS = ProcessTimeouts()
NETWORK_TIMEOUTS = ProcessTimeouts(closing_s=1.5)
"""A stream holds no device that has to be closed well: nobody waits for one that hangs."""


class CameraProcess(Camera):
    """A live camera that runs in a process of its own, from `open` to `close`. Linux only.

    factory: the camera's class, written `module:name`; the process makes it from the arguments, which JSON can hold.
    remedy: what helps where the process hangs or breaks off.

    A process that does not answer in time is killed: `open` and `frame` raise as for a camera that does not answer. A
    killed process that does not end, since its driver never returns, is left behind; another one is tried then.
    """

    def __init__(
        self,
        name: str,
        factory: str,
        *arguments: str | float,
        timeouts: ProcessTimeouts = DEFAULT_PROCESS_TIMEOUTS,
        remedy: str = CHECK_CABLE,
    ) -> None:
        self.name = name
        self._remedy = remedy
        self._factory = factory
        self._arguments = arguments
        self._timeouts = timeouts
        self._child: _Child | None = None
        self._left_behind: list[subprocess.Popen[bytes]] = []
        self._hangs = 0
        self._notes: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the camera said with its last frame; () for a camera that is not open."""
        return self._notes

    @property
    def process(self) -> int | None:
        """Return the number of the process in which the camera runs; None while it is not open."""
        return self._child.process.pid if self._child else None

    def open(self) -> None:
        """Start the process and open the camera there. Raises NoSuchCamera; CameraStuck where the driver hangs."""
        self.close()
        if self._reap_left_behind() >= MOST_LEFT_BEHIND:
            raise self._stuck()
        try:
            self._child = _Child.start(self._factory, self._arguments)
        except OSError as error:
            raise NoSuchCamera(
                say(
                    "{name} gets no process of its own ({cause}); restart the box",
                    name=self.name,
                    cause=message_of(error),
                )
            ) from error
        try:
            self._ask("open", timeout_s=self._timeouts.opening_s)
        except TimeoutError as error:
            raise CameraStuck(
                say(
                    "{name} hangs while it is opened; {remedy}, or restart the box", name=self.name, remedy=self._remedy
                )
            ) from error
        except CameraError as error:
            self.close()
            raise self._not_opened(error) from error

    def frame(self, timeout: float = 1.0) -> Frame:
        """Return the next frame. Raises CameraLost after `timeout` seconds and a grace of half a second."""
        try:
            frame = self._ask("frame", timeout, timeout_s=timeout + self._timeouts.grace_s)["frame"]
        except TimeoutError as error:
            told = say("{name} hangs and was stopped; {remedy}", name=self.name, remedy=self._remedy)
            raise CameraLost(told) from error
        return self._open_child().frames.read(FramePlace.parse(frame))

    def close(self) -> None:
        """End the process; harmless when not open. One that does not end in time is killed."""
        child, self._child, self._notes = self._child, None, ()
        if child is not None:
            child.ask_to_close(self._timeouts.closing_s)
            self._end(child)

    def _ask(self, call: str, *arguments: float, timeout_s: float) -> dict[str, Any]:
        """Return the camera's answer to a call. Raises its errors, and TimeoutError when the process was killed."""
        child = self._open_child()
        try:
            answer = child.ask([call, *arguments], timeout_s)
        except TimeoutError:
            self._log_hang(child, call)
            self._drop(child)
            raise
        except (EOFError, OSError) as error:
            self._drop(child)
            ending = _end_of(child.process)
            told = say("{name} broke off ({ending}); {remedy}", name=self.name, ending=ending, remedy=self._remedy)
            raise CameraLost(told) from error
        self._notes = tuple(map(Remembered, answer["notes"]))
        for logger, level, line in answer["log"]:
            logging.getLogger(logger).log(level, "%s", line)
        if "error" in answer:
            name, sentence = answer["error"]
            raise ERRORS[name](Remembered(sentence))
        return answer

    def _open_child(self) -> _Child:
        if self._child is None:
            raise CameraLost(say("{name} is not open; open it first", name=self.name))
        return self._child

    def _drop(self, child: _Child) -> None:
        self._child, self._notes = None, ()
        self._end(child)

    def _end(self, child: _Child) -> None:
        if not child.kill(self._timeouts.reaping_s):
            log.warning("camera process: %s does not end although it was killed", self.name)
            self._left_behind.append(child.process)

    def _log_hang(self, child: _Child, call: str) -> None:
        """Log where the process hangs: the first time, the second, the fourth, the eighth and so on."""
        self._hangs += 1
        if self._hangs.bit_count() == 1:
            log.warning("camera process: %s hangs in %s, killed (%d times so far)", self.name, call, self._hangs)
            child.abort(self._timeouts.aborting_s)

    def _reap_left_behind(self) -> int:
        """Forget the processes that have ended meanwhile; return how many have not."""
        self._left_behind = [process for process in self._left_behind if process.poll() is None]
        return len(self._left_behind)

    def _stuck(self) -> CameraStuck:
        return CameraStuck(say("{name} hangs in its driver; restart the box", name=self.name))

    def _not_opened(self, error: CameraError) -> NoSuchCamera:
        """Return what to say of a camera that did not open: a process that still holds it comes first."""
        if self._reap_left_behind():
            return self._stuck()
        return error if isinstance(error, NoSuchCamera) else NoSuchCamera(message_of(error))


@dataclass(frozen=True)
class _Child:
    """A camera's process, and what connects it with this one: requests, frames, and the pipe that it ends with."""

    process: subprocess.Popen[bytes]
    requests: Connection
    frames: SharedFrames
    lifeline: Connection

    @classmethod
    def start(cls, factory: str, arguments: tuple[str | float, ...]) -> _Child:
        """Start a process; the camera is not open yet."""
        requests, theirs = Pipe()
        broken_at_end, lifeline = Pipe(duplex=False)
        frames = SharedFrames.create()
        with theirs, broken_at_end, ExitStack() as on_error:
            on_error.callback(frames.close)
            given = (theirs.fileno(), frames.descriptor, broken_at_end.fileno())
            command = [sys.executable, "-I", "-X", "faulthandler", "-c", PROGRAM, factory]
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own module
                [*command, *map(str, given), *sys.path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, **ENVIRONMENT},
                pass_fds=given,
                start_new_session=True,  # so that Ctrl+C in a terminal is not sent to it
            )
            on_error.pop_all()
        # Not on the command line, which every user of the machine can read: an address may hold a password.
        requests.send_bytes(json.dumps(arguments).encode())
        return cls(process, requests, frames, lifeline)

    def ask(self, request: list[Any], timeout_s: float) -> dict[str, Any]:
        """Return the reply. Raises TimeoutError without one in time, and EOFError or OSError at the process's end."""
        self.requests.send_bytes(json.dumps(request).encode())
        if not self.requests.poll(timeout_s):
            raise TimeoutError
        reply: dict[str, Any] = json.loads(self.requests.recv_bytes())
        return reply

    def ask_to_close(self, timeout_s: float) -> None:
        """Ask for the camera to be closed, and wait for the end of the process."""
        with suppress(OSError, subprocess.TimeoutExpired):
            self.requests.send_bytes(json.dumps(["close"]).encode())
            self.process.wait(timeout_s)

    def abort(self, timeout_s: float) -> None:
        """Have the process log the stack of each thread, and end; a driver may keep it from ending."""
        self.process.send_signal(signal.SIGABRT)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout_s)

    def kill(self, timeout_s: float) -> bool:
        """Kill the process if it still runs, let go of it, and return True if it has ended."""
        self.process.kill()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout_s)
        self.requests.close()
        self.lifeline.close()
        self.frames.close()
        return self.process.returncode is not None


def _end_of(process: subprocess.Popen[bytes]) -> str:
    """Return how a process ended: `exit status 3`, or the signal's name."""
    status = process.returncode
    if status is None or status >= 0:
        return f"exit status {status}"
    return signal.Signals(-status).name
