"""The pictures of a settled frame, compressed: they are kept with an observation that waits for the journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vision.camera_picture import CameraPicture, TrayPicture
from vision.die_crops import RotatedSquare
from vision.frames import Pixels
from vision.image_io import decode_picture, encode_jpeg, encode_png
from vision.image_source import ImageSource
from vision.observations import Observation


@dataclass(frozen=True)
class HeldImages:
    """A frozen copy of an `ImageSource`: later frames do not change it. About 0.5 MB; the frame itself has 3 MB.

    `settled`, the evidence, and `tray` are JPEG files, `tray` with the cut's corner in the frame; `dice` are JPEG files
    by the dice's numbers, `surroundings` PNG files with the die's place, since dice are learned from them. `upright` is
    the tray from straight above.
    """

    settled: bytes | None
    tray: tuple[bytes, float, float] | None
    dice: Mapping[int, bytes]
    surroundings: Mapping[int, tuple[bytes, RotatedSquare]]
    upright: bytes | None = None

    @classmethod
    def of(cls, observation: Observation, images: ImageSource) -> HeldImages:
        """Return the pictures of an observation."""
        numbers = [die.number for die in observation.dice]
        tray, settled = images.settled_tray(), images.settled_picture()
        around = {number: images.die_with_surroundings(number) for number in numbers}
        return cls(
            settled=None if settled is None else settled.tray_jpeg(),
            tray=None if tray is None else (encode_jpeg(tray[0]), *tray[1:]),
            dice={number: encode_jpeg(images.die_image(number)) for number in numbers},
            surroundings={number: (encode_png(pixels), place) for number, (pixels, place) in around.items()},
            upright=None if settled is None else settled.upright_jpeg(),
        )

    def die_image(self, number: int) -> Pixels:
        """Return the picture of one die of the observation."""
        return _decoded(self.dice[number])

    def die_with_surroundings(self, number: int) -> tuple[Pixels, RotatedSquare]:
        """Return one die of the observation with what lies around it, and the die's place in that picture."""
        picture, place = self.surroundings[number]
        return _decoded(picture), place

    def settled_tray(self) -> tuple[Pixels, float, float] | None:
        """Return the frame cut to the tray, and the cut's corner (x, y) in the frame, or None."""
        return None if self.tray is None else (_decoded(self.tray[0]), *self.tray[1:])

    def current_picture(self) -> CameraPicture | None:
        """Return None: the frame of the observation is no longer what the camera sees."""
        return None

    def settled_picture(self) -> TrayPicture | None:
        """Return the evidence of what was read."""
        return None if self.settled is None else HeldPicture(self.settled, self.upright)


@dataclass(frozen=True)
class HeldPicture:
    """A `TrayPicture` that was made already."""

    jpeg: bytes
    upright: bytes | None = None

    def tray_jpeg(self) -> bytes | None:
        """Return the JPEG file."""
        return self.jpeg

    def upright_jpeg(self) -> bytes | None:
        """Return the JPEG file of the tray from straight above."""
        return self.upright


def _decoded(picture: bytes) -> Pixels:
    return decode_picture(picture, shortest_side=1)
