"""What vision says of a frame: sightings, readings, tracked dice, an observation. Frozen values, no arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from referee.dice import FaceName, KindName, Seen, SeenDie, Zone


class Posture(StrEnum):
    """How a die lies."""

    FLAT = "flat"
    COCKED = "cocked"
    STACKED = "stacked"


@dataclass(frozen=True)
class DieSighting:
    """A die found in a view.

    x_mm, y_mm: centre of the top face in the tray's millimetres (pixels of the photograph when uncalibrated);
    edge_mm: edge of the top face in the same unit; turned_degrees: 0..90, clockwise;
    x, y, edge: the same in pixels of the frame. confidence: 0..1 that a die is there.
    """

    x_mm: float
    y_mm: float
    edge_mm: float
    turned_degrees: float
    posture: Posture
    confidence: float
    x: float
    y: float
    edge: float


@dataclass(frozen=True)
class DieReading:
    """What a die shows. `runners_up` are (face, probability), likeliest first, without the face itself.

    `accepted` is False where a person should be asked; kind and face are then the best guess.
    """

    sighting: DieSighting
    kind: KindName
    face: FaceName
    confidence: float
    accepted: bool
    runners_up: tuple[tuple[FaceName, float], ...] = ()


@dataclass(frozen=True)
class TrackedDie:
    """A reading with an identity: the die's number stays with it while it is in view or carried by a hand.

    `thrown` is the number of the throw in which it last moved.
    """

    number: int
    reading: DieReading
    zone: Zone
    thrown: int


@dataclass(frozen=True)
class Observation:
    """What the table looks like now. `doubts` are sentences; dice are those last seen when the view is unsettled."""

    frame: int
    throw: int
    dice: tuple[TrackedDie, ...] = ()
    at_rest: bool = True
    hands_in: bool = False
    calibrated: bool = True
    doubts: tuple[str, ...] = field(default=())

    def seen(self, bay: bool = True) -> Seen:
        """The same in the referee's words."""
        return Seen(tuple(_seen_die(die) for die in self.dice), self.throw, self.at_rest, self.hands_in, bay)


def _seen_die(die: TrackedDie) -> SeenDie:
    reading = die.reading
    likely: tuple[tuple[FaceName, float], ...] = ((reading.face, reading.confidence),)
    if not reading.accepted:
        likely += reading.runners_up
    cocked = reading.sighting.posture is not Posture.FLAT
    return SeenDie(die.number, reading.kind, likely, die.zone, die.thrown, cocked)
