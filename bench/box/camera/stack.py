"""picamera2 on libcamera's virtual camera, on a machine that has neither a Raspberry Pi's camera nor a DMA heap.

Two adaptations, everything else is the real thing: buffers in anonymous memory where the kernel has no DMA heap, and no
question for raw modes, which the virtual camera has none of.
"""

from __future__ import annotations

import mmap
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import libcamera
from picamera2 import Picamera2
from picamera2.allocators.allocator import Allocator, Sync

HEAPS = ("/dev/dma_heap/vidbuf_cached", "/dev/dma_heap/linux,cma")


class AnonymousMemory(Allocator):  # type: ignore[misc]  # picamera2 has no types
    """Frame buffers in anonymous memory, with a plane for the brightness and one for the colours."""

    def __init__(self) -> None:
        super().__init__()
        self.sync = _Open
        self.mapped_buffers: dict[Any, mmap.mmap] = {}
        self._buffers: dict[Any, list[Any]] = {}
        self._files: list[int] = []

    def allocate(self, libcamera_config: Any, _use_case: str) -> None:
        self.close()
        for stream in libcamera_config:
            self._buffers[stream.stream] = [self._buffer(stream) for _ in range(stream.buffer_count)]

    def buffers(self, stream: Any) -> list[Any]:
        return self._buffers[stream]

    def close(self) -> None:
        for file in self._files:
            os.close(file)
        for mapped in self.mapped_buffers.values():
            with suppress(BufferError):  # a picture still looks at it; the memory goes with the picture
                mapped.close()
        self._files, self.mapped_buffers, self._buffers = [], {}, {}

    def _buffer(self, stream: Any) -> Any:
        file = os.memfd_create("frame", os.MFD_CLOEXEC)
        os.ftruncate(file, stream.frame_size)
        bright = stream.size.height * stream.stride
        buffer = libcamera.FrameBuffer([_plane(file, 0, bright), _plane(file, bright, stream.frame_size - bright)])
        self._files.append(file)
        self.mapped_buffers[buffer] = mmap.mmap(file, stream.frame_size)
        return buffer


def _plane(file: int, offset: int, length: int) -> Any:
    plane = libcamera.FrameBuffer.Plane()
    plane.fd, plane.offset, plane.length = file, offset, length
    return plane


class _Open(Sync):  # type: ignore[misc]  # picamera2 has no types
    def __init__(self, allocator: AnonymousMemory, buffer: Any, _write: bool) -> None:
        self._mapped = allocator.mapped_buffers[buffer]

    def __enter__(self) -> mmap.mmap:
        return self._mapped

    def __exit__(self, *_: object) -> None:
        pass


class VirtualPicamera2(Picamera2):  # type: ignore[misc]  # picamera2 has no types
    """Picamera2 itself, for a camera without raw modes and, where need be, without a DMA heap."""

    def __init__(self, number: int) -> None:
        super().__init__(number, allocator=None if any(Path(heap).exists() for heap in HEAPS) else AnonymousMemory())

    def close(self) -> None:
        """Close as Picamera2 does, but for the new heap that it takes at the very end for another opening."""
        memory = getattr(self, "allocator", None)
        with suppress(RuntimeError):
            super().close()
        if isinstance(memory, AnonymousMemory):
            memory.close()

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        first = self.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0)
        return [{"format": str(first.pixel_format), "size": (first.size.width, first.size.height)}]
