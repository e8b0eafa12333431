"""The camera that is on: another one takes its place between two frames, while the game goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hardware.cameras import kind_of
from hardware.cameras.base import Camera, CameraReport
from hardware.cameras.found_cameras import identity_of
from vander.app.camera_loop import CameraLoop
from vision.frames import Frame, Pixels
from vision.observations import TrackedDie

OPEN_TWICE = frozenset({"virtual", "replay"})
"""The kinds that may be open twice: nobody waits for a loop that still reads what one of them showed."""


class LoopMaker(Protocol):
    """Make the loop that reads a camera; `CameraLoop` says what the arguments are."""

    def __call__(
        self, camera: Camera, *, first: Frame | None, on_failure: Callable[[CameraReport], None]
    ) -> CameraLoop:
        """Return the loop, which is not started."""


class CameraSwitch:
    """The camera that is on, by its name, and the loop that reads it from `start` to `stop`.

    Any thread may read; changes are made by one thread at a time.
    """

    def __init__(self, name: str, camera: Camera) -> None:
        self.name, self.camera = name, camera
        self._make_loop: LoopMaker | None = None
        self._loop: CameraLoop | None = None
        self._ending: dict[str, CameraLoop] = {}

    @property
    def kind(self) -> str:
        """Return the kind of the camera that is on, such as `usb`."""
        return kind_of(self.name)

    @property
    def pixels(self) -> Pixels | None:
        """Return the last frame's pixels as the loop has them."""
        return self._loop.pixels if self._loop is not None else None

    @property
    def dice(self) -> tuple[TrackedDie, ...]:
        """Return the dice as the loop has last read them."""
        return self._loop.dice if self._loop is not None else ()

    @property
    def is_over(self) -> bool:
        """True if the camera was a film that is over."""
        return self._loop is not None and self._loop.over

    @property
    def needs_detail(self) -> bool:
        """Return what the loop says."""
        return self._loop is None or self._loop.needs_detail

    def start(self, make_loop: LoopMaker) -> None:
        """Read the camera, which is opened first."""
        self._make_loop = make_loop
        self._loop = make_loop(self.camera, first=None, on_failure=lambda _: None)
        self._loop.start()

    def stop(self) -> None:
        """End the loop, which closes the camera."""
        for loop in (self._loop, *self._ending.values()):
            if loop is not None:
                loop.stop()

    def is_closing(self, name: str) -> bool:
        """True while a camera that was on is still being closed, and cannot be opened again."""
        if kind_of(name) in OPEN_TWICE:
            return False
        self._ending = {each: loop for each, loop in self._ending.items() if loop.is_alive}
        return identity_of(name) in self._ending

    def await_closed(self, name: str) -> None:
        """Wait until a camera that was on before is closed, so that it can be opened again."""
        if self.is_closing(name):
            self._ending[identity_of(name)].stop()

    def change(
        self,
        name: str,
        camera: Camera,
        first: Frame | None,
        agree: Callable[[], None],
        on_failure: Callable[[CameraReport], None],
    ) -> None:
        """Go on with another camera, which is open if it gave a `first` frame.

        `agree` is called while nothing of a frame is passed on; if it raises, the camera stays that is on. `on_failure`
        hears each time the new camera had to be closed.
        """
        if self._make_loop is None:
            raise RuntimeError("no camera is read yet")
        before, named_before = self._loop, self.name
        following = self._make_loop(camera, first=first, on_failure=on_failure)

        def hand_over() -> None:
            agree()
            self.name, self.camera = name, camera

        if before is None:
            hand_over()
        else:
            before.between_frames(hand_over, is_last=True)
            self._ending[identity_of(named_before)] = before
        self._loop = following
        following.start()

    def between_frames(self, change: Callable[[], None]) -> None:
        """Make a change while nothing of a frame is passed on. Raises what it raises."""
        if self._loop is None:
            change()
        else:
            self._loop.between_frames(change)
