"""Small live pictures of cameras that are not on. Each is open while somebody looks at it, and for no second longer."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event, Lock, Thread

from hardware.cameras.base import Camera, CameraError
from referee.phrases import as_sentence
from referee.sentences import say
from vision.frames import Pixels, downscale

log = logging.getLogger(__name__)

EVERY_S = 0.5
"""Seconds between pictures."""
UNSEEN_S = 5.0
"""Seconds without a look after which a camera is closed."""
AGAIN_S = 4.0
"""Seconds until a camera that failed is tried again."""
FRAME_S = 2.0
TAKING_S = 20.0
"""The most seconds to wait for a camera that is just being opened."""
FAILS = say("This camera fails while Vander looks through it. Unplug it and plug it in, or choose another one.")


class _Preview:
    """One camera, read by a thread of its own until nobody looks at it, or until it is taken over."""

    def __init__(self, camera: Camera) -> None:
        self.picture: Pixels | None = None
        self.trouble = ""
        self.failed_at = float("-inf")
        self.is_film = not camera.is_live
        self._camera = camera
        self._seen_at = time.monotonic()
        self._ended = Event()
        self._is_taken = self._is_open = False
        self._thread = Thread(target=self._run, name="camera preview", daemon=True)
        self._thread.start()

    @property
    def is_over(self) -> bool:
        """True if the camera is closed; its last picture is kept where it is one of a film."""
        return not self._thread.is_alive()

    def look(self) -> None:
        """Take note that somebody looks."""
        self._seen_at = time.monotonic()

    def end(self, *, is_taken: bool = False) -> Camera | None:
        """End the reading; the camera is closed, or returned if it is open and taken."""
        self._is_taken = is_taken
        self._ended.set()
        self._thread.join(TAKING_S)
        return self._camera if is_taken and self._is_open and self.is_over else None

    def _run(self) -> None:
        try:
            self._camera.open()
            self._is_open = True
            self._read()
        except CameraError as error:
            self._fail(as_sentence(error))
        except Exception as error:  # a camera's driver may raise anything
            log.warning("camera preview: failed: %s", type(error).__name__)
            self._fail(FAILS)
        finally:
            if not (self._is_taken and self._is_open):
                self._is_open = False
                self._camera.close()

    def _read(self) -> None:
        while not self._ended.is_set() and time.monotonic() - self._seen_at < UNSEEN_S:
            frame = self._camera.frame(FRAME_S)
            if frame is not None:
                self.picture = downscale(frame.pixels)
            if self.is_film:  # its first picture is enough
                self._is_open = False
                return
            self._ended.wait(EVERY_S)

    def _fail(self, sentence: str) -> None:
        self._is_open = False
        self.picture, self.trouble, self.failed_at = None, sentence, time.monotonic()


class CameraPreviews:
    """The previews by the names of their cameras; `camera` makes one. Any thread may call any method."""

    def __init__(self, camera: Callable[[str], Camera]) -> None:
        self._camera = camera
        self._lock = Lock()
        self._open: dict[str, _Preview] = {}

    def look(self, name: str) -> tuple[Pixels | None, str]:
        """Return the newest small picture (BGR) of a camera, None before its first, and why there is none."""
        with self._lock:
            preview = self._open.get(name)
            if preview is None or (preview.is_over and self._is_due(preview)):
                preview = self._open[name] = _Preview(self._camera(name))
            preview.look()
            return preview.picture, preview.trouble

    def trouble(self, name: str) -> str:
        """Return why a camera that was looked at gives no picture, '' for no reason."""
        preview = self._open.get(name)
        return preview.trouble if preview is not None else ""

    def take(self, name: str) -> Camera | None:
        """Return the camera if it is open, which is then the caller's; else None, and it is closed."""
        with self._lock:
            preview = self._open.pop(name, None)
        return preview.end(is_taken=True) if preview is not None else None

    def close(self) -> None:
        """Close all cameras."""
        with self._lock:
            previews, self._open = list(self._open.values()), {}
        for preview in previews:
            preview.end()

    @staticmethod
    def _is_due(preview: _Preview) -> bool:
        """True if a preview that is over is to begin again."""
        if preview.trouble:
            return time.monotonic() - preview.failed_at >= AGAIN_S
        return not preview.is_film
