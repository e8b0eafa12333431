"""One frame's pixels in memory that two processes share. It has no name: nothing is left of it when both have ended."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from dataclasses import dataclass
from mmap import mmap
from typing import Any

import numpy as np

from vision.frames import Frame, Pixels


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
        """Return a copy of the frame that is there."""
        pixels, *small = (picture.copy() for picture in self._pictures(place))
        return Frame(pixels, place.number, place.taken_at, small[0] if small else None, may_repeat=place.may_repeat)

    def close(self) -> None:
        """Give the memory back."""
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
