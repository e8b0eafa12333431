"""What the pages need of the running program to choose its camera."""

from __future__ import annotations

from typing import Protocol

from web.schemas.camera_schemas import CamerasResponse


class CameraBackend(Protocol):
    """The cameras that are found, and the one that is on. Any thread may call any method; refusals are `Refused`.

    A choice that is refused leaves the camera on that was on. CONFLICT: somebody else chooses just now, or a throw
    waits for an answer. UNAVAILABLE: the camera gives no picture.
    """

    def cameras(self) -> CamerasResponse:
        """Return the cameras that can be chosen now."""

    def choose(self, key: str) -> CamerasResponse:
        """Go on with a camera; a phone is waited for. Raises Refused, also NOT_FOUND for one that is gone."""

    def choose_address(self, address: str) -> CamerasResponse:
        """Go on with a camera in the network. Raises Refused, also INVALID for what is no address."""

    def adjust(self, mirrored: bool | None, turned: int | None) -> CamerasResponse:
        """Put the pictures of the camera that is on right at their source. Raises Refused."""

    def picture(self, key: str) -> bytes | None:
        """Return a small JPEG of what a camera sees now, None before its first picture.

        A camera that is not on is open for it, and closed soon after nobody asks any more. Raises Refused: NOT_FOUND,
        UNAVAILABLE where it gives no picture.
        """
