"""A thread that reads a camera as fast as it sends, and keeps its newest picture alone: nobody is given an old one."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, TypeVar

from hardware.cameras.base import CameraError, CameraLost
from referee.sentences import say

Contents = TypeVar("Contents")
"""What a picture is before it is needed: pixels, or a file's bytes that are still to be decoded."""


@dataclass(frozen=True, eq=False)
class Taken(Generic[Contents]):
    """A picture with its number, from 1, and the moment it came, in seconds of `time.monotonic`."""

    contents: Contents
    number: int
    taken_at: float


class StreamReader(threading.Thread, ABC, Generic[Contents]):
    """Read pictures until stopped, or until the source gives no more; `failure` then says why, if anything is known.

    A source that hangs keeps the thread for ever. It is a daemon, and ends with its process.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.failure: CameraError | None = None
        self._changed = threading.Condition()
        self._newest: Taken[Contents] | None = None
        self._ended = threading.Event()

    @abstractmethod
    def read_all(self) -> None:
        """Read until `is_stopped`, and `keep` each picture. May raise CameraError."""

    def run(self) -> None:
        """Read, and take note of why it ended."""
        try:
            self.read_all()
        except CameraError as error:
            self.failure = error
        except Exception as error:  # its message may hold the address with the password
            self.failure = CameraLost(say("{name} failed: {cause}", name=self.name, cause=type(error).__name__))
        finally:
            self.stop()

    @property
    def is_stopped(self) -> bool:
        """True if nobody wants another picture."""
        return self._ended.is_set()

    def wait(self, number: int, timeout: float) -> Taken[Contents] | None:
        """Return the newest picture as soon as its number is above `number`; None when it does not come in time."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_stopped or self._is_newer(number), timeout)
            return self._newest if self._is_newer(number) else None

    def keep(self, contents: Contents) -> None:
        """Put a picture in place of the one before."""
        with self._changed:
            number = self._newest.number + 1 if self._newest else 1
            self._newest = Taken(contents, number, time.monotonic())
            self._changed.notify_all()

    def pause(self, seconds: float) -> None:
        """Wait, but no longer than until stopped."""
        self._ended.wait(seconds)

    def stop(self) -> None:
        """End the thread as soon as its source returns, and whatever waits for a picture."""
        with self._changed:
            self._ended.set()
            self._changed.notify_all()

    def _is_newer(self, number: int) -> bool:
        return self._newest is not None and self._newest.number > number
