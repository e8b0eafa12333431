"""A camera in a process of its own: what hangs in its driver is killed, and opened again, while the program goes on."""

from __future__ import annotations

import fcntl
import json
import logging
import os
import resource
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from mmap import mmap
from multiprocessing.connection import Connection, Pipe
from typing import Any

import numpy as np

from hardware.cameras.base import Camera, CameraError, CameraLost, CameraStuck, NoSuchCamera
from referee.sentences import Remembered, message_of, say
from vision.frames import Frame, Pixels

# One frame's pixels in memory that two processes share; nothing is left of it when both have ended


@dataclass(frozen=True)
class FramePlace:
    """What is known of a frame whose pixels are in shared memory: number, time, shapes of its pictures, `may_repeat`.

    The pictures follow each other from the beginning of the memory: the frame's own, and its small one if it has one.
    """

    number: int
    taken_at: float
    shapes: tuple[tuple[int, int, int], ...]
    may_repeat: bool

    @classmethod
    def parse(cls, fields: dict[str, Any]) -> FramePlace:
        """Return what `dataclasses.asdict` made, after a way through JSON."""
        shapes = tuple((h, w, depth) for h, w, depth in fields["shapes"])
        return cls(fields["number"], fields["taken_at"], shapes, fields["may_repeat"])


class SharedFrames:
    """Memory for one frame, by its file descriptor, which another process may be given. It grows and never shrinks.

    The two processes take turns: one writes a frame and says so, the other copies it before it asks for another.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._memory: mmap | None = None

    @classmethod
    def create(cls) -> SharedFrames:
        """Return new memory, still empty."""
        descriptor = os.memfd_create("vander frames", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        # A process that reads memory which another has cut off is killed: nobody may.
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        return cls(descriptor)

    def write(self, frame: Frame) -> FramePlace:
        """Put a frame in, in place of the one before."""
        pictures = [frame.pixels] if frame.small is None else [frame.pixels, frame.small]
        shapes = tuple(_shape(picture) for picture in pictures)
        place = FramePlace(frame.number, frame.taken_at, shapes, frame.may_repeat)
        for picture, there in zip(pictures, self._pictures(place), strict=True):
            np.copyto(there, picture)
        return place

    def read(self, place: FramePlace) -> Frame:
        pixels, *small = (picture.copy() for picture in self._pictures(place))
        return Frame(pixels, place.number, place.taken_at, small[0] if small else None, may_repeat=place.may_repeat)

    def close(self) -> None:
        self._memory = None
        os.close(self.descriptor)

    def _pictures(self, place: FramePlace) -> Iterable[Pixels]:
        """Yield the places of the pictures as arrays over the shared memory."""
        memory, begin = self._mapped(sum(map(_size, place.shapes))), 0
        for shape in place.shapes:
            yield np.ndarray(shape, np.uint8, memory, begin)
            begin += _size(shape)

    def _mapped(self, length: int) -> mmap:
        """Return the memory, `length` bytes of it at least."""
        if self._memory is None or len(self._memory) < length:
            if os.fstat(self.descriptor).st_size < length:
                os.ftruncate(self.descriptor, length)
            self._memory = mmap(self.descriptor, 0)
        return self._memory


def _shape(picture: Pixels) -> tuple[int, int, int]:
    height, width, depth = picture.shape
    return height, width, depth


def _size(shape: tuple[int, int, int]) -> int:
    height, width, depth = shape
    return height * width * depth


log = logging.getLogger(__name__)

ERRORS = {error.__name__: error for error in (CameraError, NoSuchCamera, CameraStuck, CameraLost)}
"""The errors that cross from process to process, by their names."""
MOST_LEFT_BEHIND = 3
"""Killed processes that do not end, from which on no other one is started: each would hang in the same driver."""
PROGRAM = "import sys; sys.path[:] = sys.argv[5:]; from hardware.cameras.camera_process import main; main()"
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
            with suppress(OSError, subprocess.TimeoutExpired):
                child.requests.send_bytes(json.dumps(["close"]).encode())
                child.process.wait(self._timeouts.closing_s)
            self._end(child)

    def _ask(self, call: str, *arguments: float, timeout_s: float) -> dict[str, Any]:
        """Return the camera's answer to a call. Raises its errors, and TimeoutError when the process was killed."""
        child = self._open_child()
        try:
            answer = child.ask([call, *arguments], timeout_s)
        except TimeoutError:
            self._hangs += 1
            if self._hangs.bit_count() == 1:  # the first time, the second, the fourth, the eighth and so on
                log.warning("camera process: %s hangs in %s, killed (%d times so far)", self.name, call, self._hangs)
                child.abort(self._timeouts.aborting_s)
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


# The process in which a camera runs by itself, and serves its frames to the program that started it
#
# It imports what the camera needs and nothing else, ignores the signals that are meant for the whole program, and ends
# with that program, however that one ends. First come the arguments that the camera is made of. Then a request is the
# name of one of the camera's methods and its arguments, as JSON; each gets one reply. Pixels travel in `SharedFrames`.
# The end of the requests, or a call of `close`, ends the process.


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
        module, _, name = factory.partition(":")
        camera: Camera = getattr(import_module(module), name)(*json.loads(connection.recv_bytes()))
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
