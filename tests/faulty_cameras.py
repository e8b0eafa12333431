"""Cameras that go wrong, each in its way, for a process of their own: `faulty_cameras:Steady` and the rest."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from hardware.cameras import base
from hardware.cameras.base import Camera
from vision.frames import Frame, Pixels


def picture(number: int, width: int, height: int) -> Pixels:
    """The noise that is frame number `number`."""
    return np.random.default_rng(number).integers(0, 256, (height, width, 3), np.uint8)


class Steady(Camera):
    """A camera without fault: frames of that size, each with a small one where `small` is its width."""

    def __init__(self, width: int = 64, height: int = 48, small: int = 0) -> None:
        self.name = "steady:0"
        self.size = width, height
        self._small = small
        self._number = 0

    def open(self) -> None:
        self._number = 0

    def frame(self, timeout: float = 1.0) -> Frame:
        self._number += 1
        width, height = self.size
        small = picture(-self._number % 1000, self._small, self._small * height // width) if self._small else None
        return Frame(picture(self._number, width, height), self._number, time.monotonic(), small)

    def close(self) -> None:
        """There is nothing to close."""


class Growing(Steady):
    """Doubles its size with each frame."""

    def frame(self, timeout: float = 1.0) -> Frame:
        frame = super().frame(timeout)
        self.size = self.size[0] * 2, self.size[1] * 2
        return frame


class Repeating(Steady):
    """Gives one picture again and again, or for ever a fresh one once the file is there."""

    def __init__(self, cure: str = "") -> None:
        super().__init__()
        self._cure = cure

    def frame(self, timeout: float = 1.0) -> Frame:
        time.sleep(0.02)
        frame = super().frame(timeout)
        return frame if Path(self._cure).is_file() else Frame(picture(1, *self.size), frame.number, frame.taken_at)


class Noting(Steady):
    """Says something of itself with each frame, and logs it."""

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"The camera has given {self._number} frames.",) if self._number else ()

    def frame(self, timeout: float = 1.0) -> Frame:
        frame = super().frame(timeout)
        logging.getLogger("steady").warning("frame %d of 100 %%", frame.number)
        return frame


class Failing(Steady):
    """Does something bad in a call, by its name: `hang`, `hang with the lock`, `exit`, `crash`, or raises an error."""

    def __init__(self, call: str, fault: str, begun: str = "") -> None:
        super().__init__()
        self._call, self._fault, self._begun = call, fault, begun

    def open(self) -> None:
        super().open()
        self._pass("open")

    def frame(self, timeout: float = 1.0) -> Frame:
        self._pass("frame")
        return super().frame(timeout)

    def close(self) -> None:
        self._pass("close")

    def _pass(self, call: str) -> None:
        if call == self._call:
            if self._begun:
                Path(self._begun).write_text(str(os.getpid()), "ascii")
            FAULTS.get(self._fault, self._raise)()

    def _raise(self) -> None:
        error = getattr(base, self._fault, None) or ZeroDivisionError
        raise error(f"{self._fault} says what would help")


def _hang() -> None:
    while True:
        time.sleep(1000)


def _hang_with_the_lock() -> None:
    """Hang as a driver may whose binding keeps Python's lock: no other thread of the process runs."""
    while True:
        ctypes.PyDLL(None).sleep(1000)


FAULTS: dict[str, Callable[[], object]] = {
    "hang": _hang,
    "hang with the lock": _hang_with_the_lock,
    "exit": lambda: os._exit(3),
    "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV),
}


class Telling(Steady):
    """Writes into a file, when it is closed, which modules were imported and which signals are ignored."""

    def __init__(self, told: str) -> None:
        super().__init__()
        self._told = told

    def close(self) -> None:
        ignored = [number.name for number in signal.Signals if signal.getsignal(number) is signal.SIG_IGN]
        Path(self._told).write_text("\n".join([" ".join(ignored), *sys.modules]), "utf-8")


class Held(Steady):
    """Cannot be opened while the file is there."""

    def __init__(self, held: str) -> None:
        super().__init__()
        self._held = held

    def open(self) -> None:
        if Path(self._held).exists():
            raise base.NoSuchCamera("steady:0 is in use by another program; close that one")


class HangLater(Steady):
    """Hangs after ten good frames each time that it is opened."""

    def frame(self, timeout: float = 1.0) -> Frame:
        time.sleep(0.02)
        if self._number == 10:
            _hang()
        return super().frame(timeout)


class Disturbed(Camera):
    """Passes on another camera's frames, but drops, repeats and delays some, by shares of them; seeded.

    `clock` maps each frame's moment to the one that the frame tells.
    """

    def __init__(
        self,
        camera: Camera,
        seed: int,
        *,
        drops: float = 0.0,
        repeats: float = 0.0,
        delays: float = 0.0,
        clock: Callable[[float], float] = lambda moment: moment,
    ) -> None:
        self.name = f"disturbed {camera.name}"
        self._camera = camera
        self._shares = drops, drops + repeats, drops + repeats + delays
        self._clock = clock
        self._rng = np.random.default_rng(seed)
        self._due: list[Frame] = []

    def open(self) -> None:
        self._camera.open()

    def frame(self, timeout: float = 1.0) -> Frame | None:
        while not self._due:
            frame = self._camera.frame(timeout)
            if frame is None:
                return None
            self._disturb(replace(frame, taken_at=self._clock(frame.taken_at)), timeout)
        return self._due.pop(0)

    def close(self) -> None:
        self._camera.close()

    def _disturb(self, frame: Frame, timeout: float) -> None:
        fate, (drop, repeat, delay) = self._rng.random(), self._shares
        if fate < drop:
            return
        if repeat <= fate < delay:
            ahead = [self._camera.frame(timeout) for _ in range(int(self._rng.integers(1, 4)))]
            self._due += [replace(one, taken_at=self._clock(one.taken_at)) for one in ahead if one is not None]
        self._due += [frame] * (2 if fate < repeat else 1)
