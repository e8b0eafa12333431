"""`replay:PATH`: the pictures of a folder, or the frames of a video, as a camera."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from hardware.cameras.base import Camera, CameraLost, NoSuchCamera
from referee.sentences import say
from vision.frames import Frame, Pixels
from vision.image_io import BadPicture, load_picture

log = logging.getLogger(__name__)

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
PICTURES_A_SECOND = 2.0
"""Pictures a second of a paced replay of a folder."""
USUAL_RATE = 15.0
"""Frames a second for a video that does not say its rate."""


def camera(place: str) -> ReplayCamera:
    """Return a paced replay of the folder, picture or video at that path. Raises NoSuchCamera without a path."""
    if not place:
        raise NoSuchCamera(say("a replay needs a path; write replay:PATH with a folder of pictures or a video file"))
    return ReplayCamera(Path(place))


class _Shown(NamedTuple):
    """A picture, and when it is shown, in seconds from the first."""

    pixels: Pixels
    at: float


class ReplayCamera(Camera):
    """A camera that gives each picture once, in the order of their names, or each frame of a video; then None.

    paced: keep to the clip's own rate. Otherwise frames come as fast as they are asked for, and `taken_at` counts in
        the clip's time.

    Opening again starts from the beginning. A picture that cannot be read is skipped and logged.
    """

    def __init__(self, path: Path, paced: bool = True) -> None:
        self.name = f"replay:{path}"
        self._path = path
        self._paced = paced
        self._pictures: Iterator[_Shown] | None = None
        self._number = 0
        self._began = 0.0

    @property
    def is_live(self) -> bool:
        """Return False: the frames were taken before, and may repeat."""
        return False

    def open(self) -> None:
        """Start from the beginning. Raises NoSuchCamera when there is nothing at the path that can be shown."""
        self.close()
        if not self._path.exists():
            raise NoSuchCamera(
                say("there is nothing at {path}; give a folder of pictures or a video file", path=repr(str(self._path)))
            )
        files = _pictures_at(self._path)
        if files:
            self._pictures = _read_files(files)
        elif self._path.is_dir():
            raise NoSuchCamera(
                say(
                    "the folder {path} holds no pictures ({known})",
                    path=repr(str(self._path)),
                    known=", ".join(sorted(PICTURES)),
                )
            )
        else:
            self._open_video()
        self._number, self._began = 0, time.monotonic()

    def frame(self, timeout: float = 1.0) -> Frame | None:
        """Return the next picture; None after the last. Raises CameraLost when not open."""
        if self._pictures is None:
            raise CameraLost(say("{name} is not open; open it first", name=self.name))
        shown = next(self._pictures, None)
        if shown is None:
            return None
        due = self._began + shown.at
        if self._paced:
            time.sleep(max(0.0, due - time.monotonic()))
        self._number += 1
        return Frame(shown.pixels, self._number, due)

    def close(self) -> None:
        """Stop; harmless when not open."""
        self._pictures = None

    def _open_video(self) -> None:
        video = cv2.VideoCapture(str(self._path))
        readable, first = video.read()
        if not readable:
            video.release()
            raise NoSuchCamera(
                say("{path} is no video that OpenCV can read; try an .mp4 or .avi file", path=repr(str(self._path)))
            )
        self._pictures = _read_video(video, np.asarray(first, np.uint8))


def _pictures_at(path: Path) -> list[Path]:
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file for file in files if file.suffix.lower() in PICTURES and file.is_file()]


def _read_files(files: list[Path]) -> Iterator[_Shown]:
    number = 0
    for file in files:
        try:
            yield _Shown(load_picture(file), number / PICTURES_A_SECOND)
            number += 1
        except BadPicture as error:
            log.warning("replay: skipped a picture: %s", error)


def _read_video(video: cv2.VideoCapture, first: Pixels) -> Iterator[_Shown]:
    """Yield frames at the times that the video gives them: those of a phone are uneven. Without, at its rate."""
    step = 1 / (video.get(cv2.CAP_PROP_FPS) or USUAL_RATE)
    shown, began = _Shown(first, 0.0), _time_in(video)
    try:
        while True:
            yield shown
            good, pixels = video.read()
            if not good:
                return
            at = _time_in(video) - began
            shown = _Shown(np.asarray(pixels, np.uint8), at if at > shown.at else shown.at + step)
    finally:
        video.release()


def _time_in(video: cv2.VideoCapture) -> float:
    """Return the time of the frame that was read last, in seconds; 0 where the video does not say."""
    return video.get(cv2.CAP_PROP_POS_MSEC) / 1000
