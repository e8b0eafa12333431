"""What the pages need of the running program where a tray has no markers: a still, and its four corners."""

from __future__ import annotations

from typing import Protocol

from web.schemas.tray_corners_schemas import CornersRequest, CornersResponse, CornersStill
from web.services.phone_camera_backend import Phone


class TrayCornersBackend(Protocol):
    """The tapped corners of a tray without markers. Any thread may call any method; refusals are `Refused`.

    `phone` is the camera phone that asks, None for a keeper; a camera phone is answered about its own picture alone.
    """

    def now(self) -> CornersResponse:
        """Return what is kept, and whether it fits the present picture."""

    def take_still(self, phone: Phone | None) -> CornersStill:
        """Take a still of what the camera shows now. Raises Refused: UNAVAILABLE without a picture, NOT_ALLOWED."""

    def still_jpeg(self, phone: Phone | None, number: int) -> bytes:
        """Return a still as a JPEG. Raises Refused: GONE for another one than the last, NOT_ALLOWED."""

    def keep(self, phone: Phone | None, asked: CornersRequest) -> CornersResponse:
        """Keep the corners that were tapped in a still.

        Raises Refused: INVALID for corners of no tray, GONE for another still than the last, CONFLICT while a throw
        waits for an answer, UNAVAILABLE where nothing can be kept, NOT_ALLOWED.
        """

    def forget(self, phone: Phone | None) -> CornersResponse:
        """Take the corners away: the markers count again. Raises Refused as `keep` does."""
