"""What the training's worker processes have in common."""

from __future__ import annotations

import cv2


def alone(_worker: int = 0) -> None:
    """Keep to one thread: there are as many workers as processors."""
    cv2.setNumThreads(0)
