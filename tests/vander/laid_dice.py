"""Dice laid out by hand: what the pipeline would say of them, and a picture that is always the same."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from referee.dice import FaceName, Handling, KindName, Zone
from vander.table.pictures import HeldPicture
from vision.frame_reader import CUT_COMMENT, CameraPicture, TrayPicture
from vision.frames import Frame, Pixels
from vision.image_io import add_comment, encode_jpeg
from vision.observations import BlindInterval, DieReading, DieSighting, Observation, Posture, TrackedDie
from vision.rectification import RotatedSquare
from vision.tray_calibration import TrayLayout

SIGNAL = 6
"""The number of the Signal die; 1 to 5 are the Traffic dice."""


@dataclass
class Dice:
    """The five Traffic dice and the Signal die, laid out by hand: what the pipeline would say of them."""

    throw_number: int = 0
    frame: int = 0
    faces: dict[int, str] = field(default_factory=lambda: {**dict.fromkeys(range(1, 6), "sad"), SIGNAL: "stop"})
    zones: dict[int, Zone] = field(default_factory=dict)
    thrown: dict[int, int] = field(default_factory=dict)
    unsure: dict[int, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    leaning: set[int] = field(default_factory=set)
    flat: dict[int, float] = field(default_factory=dict)
    """How likely it is that dice lie flat that are taken to."""
    away: set[int] = field(default_factory=set)
    """Dice out of view."""
    marks: dict[int, Handling] = field(default_factory=dict)
    """Why it is not certain that dice were thrown, until they are thrown again."""
    chances: dict[int, float] = field(default_factory=dict)
    """How likely it is that they were, where the camera tells that."""
    shifted: dict[int, float] = field(default_factory=dict)
    """How far dice lie from their usual places, in mm."""
    blind: tuple[BlindInterval, ...] = ()

    def throw(self, **faces: str) -> Observation:
        """Throw dice together: `d1="happy", signal="go"`."""
        self.throw_number += 1
        for name, face in faces.items():
            number = SIGNAL if name == "signal" else int(name[1:])
            self.faces[number], self.zones[number], self.thrown[number] = face, Zone.FIELD, self.throw_number
            self.unsure.pop(number, None)
            self.marks.pop(number, None)
            self.chances.pop(number, None)
        self.blind = ()
        return self.look()

    def lay(self, mark: Handling, **faces: str) -> Observation:
        """Lay dice down by hand, or while nobody sees it: the tracker counts them as thrown, and marks them."""
        self.throw(**faces)
        numbers = [SIGNAL if name == "signal" else int(name[1:]) for name in faces]
        self.marks |= dict.fromkeys(numbers, mark)
        self.chances |= dict.fromkeys([] if mark is Handling.UNSEEN else numbers, 0.01)
        return self.look()

    def roll(self, signal: str, *faces: str) -> Observation:
        """Throw all six dice."""
        return self.throw(signal=signal, **{f"d{number}": face for number, face in enumerate(faces, 1)})

    def carry(self, zone: Zone, *numbers: int) -> Observation:
        """Carry dice to a zone."""
        self.zones.update(dict.fromkeys(numbers, zone))
        return self.look()

    def recount(self) -> None:
        """Count throws from one again, as after a restart."""
        self.throw_number, self.thrown = 0, {}

    def look(self, *, at_rest: bool = True, hands_in: bool = False) -> Observation:
        """What the pipeline says now."""
        self.frame += 1
        dice = tuple(self._die(number) for number in self.faces if number not in self.away)
        return Observation(
            self.frame,
            self.throw_number,
            dice,
            at_rest=at_rest,
            hands_in=hands_in,
            blind=self.blind,
        )

    def kind_of(self, number: int) -> KindName:
        """The kind of a die."""
        return KindName("signal" if number == SIGNAL else "traffic")

    def _die(self, number: int) -> TrackedDie:
        posture = Posture.COCKED if number in self.leaning else Posture.FLAT
        x_mm, flat = 30.0 * number + self.shifted.get(number, 0.0), self.flat.get(number, 1.0)
        sighting = DieSighting(x_mm, 50, 16, 0, posture, 0.99, 100.0 * number, 200, 50, flat)
        kind = self.kind_of(number)
        others = tuple((FaceName(face), share) for face, share in self.unsure.get(number, ()))
        sure = 0.99 - sum(share for _, share in others)
        is_sure = posture is Posture.FLAT and not others
        reading = DieReading(sighting, kind, FaceName(self.faces[number]), sure, is_sure, others)
        zone, thrown = self.zones.get(number, Zone.FIELD), self.thrown.get(number, 0)
        return TrackedDie(number, reading, zone, thrown, self.marks.get(number), self.chances.get(number))


class StillPicture:
    """A sight that always shows the same grey picture."""

    def die_image(self, number: int) -> Pixels:
        return np.full((96, 96, 3), 20 * number % 256, np.uint8)

    def die_with_surroundings(self, number: int) -> tuple[Pixels, RotatedSquare]:
        return np.full((120, 120, 3), 20 * number % 256, np.uint8), RotatedSquare(60, 60, 40, 0)

    def settled_tray(self) -> tuple[Pixels, float, float]:
        return np.full((40, 60, 3), 127, np.uint8), 2.0, 3.0

    def current_picture(self) -> CameraPicture:
        return CameraPicture(Frame(np.full((48, 64, 3), 128, np.uint8), 1, 0.0), TrayLayout())

    def settled_picture(self) -> TrayPicture:
        return cut_picture(np.full((48, 64, 3), 127, np.uint8))


def cut_picture(pixels: Pixels) -> TrayPicture:
    """A picture that was cut to the tray."""
    return HeldPicture(add_comment(encode_jpeg(pixels), CUT_COMMENT))
