"""Initialise worker processes."""

from __future__ import annotations

import cv2


def single_threaded(_worker: int = 0) -> None:
    """Limit OpenCV to one thread: there are as many workers as cores."""
    cv2.setNumThreads(0)
