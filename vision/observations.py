"""The results of vision: sightings, readings, tracked dice, an observation. Frozen values without arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from referee.dice import Blindness, FaceName, Handling, KindName, Seen, SeenDie, Zone
from referee.sentences import say


class Posture(StrEnum):
    """How a die lies: flat, leaning against something, or on another die.

    UNKNOWN where nobody can tell: the networks see no lean, but no plane is calibrated to measure one against.
    """

    FLAT = "flat"
    COCKED = "cocked"
    STACKED = "stacked"
    UNKNOWN = "unknown"


USUAL_TRAY_MM = (300.0, 225.0)
"""Width and height of the marked rectangle before its markers were seen: that of the A3 mat."""
LEANING = frozenset({Posture.COCKED, Posture.STACKED})
"""The postures in which a die is thrown again."""
HAND_STAYS = say("Something reaches into the tray. Take it out, and the game goes on.")


@dataclass(frozen=True)
class DieSighting:
    """A die found in a view.

    x_mm, y_mm: centre of the top face in tray millimetres (frame pixels without a calibration); edge_mm: its edge in
    the same unit; turned_degrees: rotation in the view, 0 to 90, clockwise; x, y, edge: centre and edge in frame
    pixels; confidence: 0 to 1, that a die is there; flat: probability that it lies flat, 1 where nothing tells of it.
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
    flat: float = 1.0

    @property
    def leaning(self) -> float:
        """Return how likely it is that the die leans, 0 to 1; 1 also where nobody can tell."""
        return 1 - self.flat if self.posture is Posture.FLAT else 1.0


@dataclass(frozen=True)
class DieReading:
    """What a die shows.

    confidence: probability of the face, 0 to 1. accepted: False if a person should be asked; kind and face are then
    the best guess. runners_up: other faces with their probabilities, likeliest first. kind_confidence: probability of
    the kind given the face, 0 to 1. kinds: other kinds that have the face, with their probabilities, likeliest first.
    kind_accepted: False if it is in doubt which of the kinds that have the face the die is; it is not accepted then.
    only_kind_doubted: True if the face alone would have been accepted. body: the colour of its body as
    `vision.bodies` writes it, where kinds of the set have equal faces; else empty.
    """

    sighting: DieSighting
    kind: KindName
    face: FaceName
    confidence: float
    accepted: bool
    runners_up: tuple[tuple[FaceName, float], ...] = ()
    kind_confidence: float = 1.0
    kinds: tuple[tuple[KindName, float], ...] = ()
    kind_accepted: bool = True
    only_kind_doubted: bool = False
    body: tuple[float, ...] = ()

    @property
    def face_accepted(self) -> bool:
        """True if the face is sure, whatever the kind."""
        return self.accepted or self.only_kind_doubted


@dataclass(frozen=True)
class TrackedDie:
    """A reading with an identity.

    number: stays with the die while it is in view or carried by a hand, from 1. thrown: number of the throw in which it
    last moved, 0 for none. handled: why it is not certain that it was thrown; None where it was seen to tumble, or lay
    still. chance: how likely it is that it was thrown when it last moved, 0 to 1; None where nothing was seen of that.
    """

    number: int
    reading: DieReading
    zone: Zone
    thrown: int
    handled: Handling | None = None
    chance: float | None = None


@dataclass(frozen=True)
class BlindInterval:
    """A time in which the camera could not see the tray, in the seconds of the frames.

    It ends when it began where nobody knows how long it was: before the program started, or by a clock that was set.
    """

    reason: Blindness
    began: float
    ended: float


@dataclass(frozen=True)
class Observation:
    """What lies on the table.

    frame: number of the frame. throw: number of the last throw, 0 before the first. dice: by number, as last read while
    the table is not at rest. calibrated: False if no tray was found. doubts: sentences for the players. blind: when the
    camera could not see the tray, since the table was last at rest. tray_mm: width and height of the marked rectangle,
    by its markers. taken_up_at: when a hand last took dice up that had been thrown and were not read yet, in the
    seconds of the frames.
    """

    frame: int
    throw: int
    dice: tuple[TrackedDie, ...] = ()
    at_rest: bool = True
    hands_in: bool = False
    calibrated: bool = True
    doubts: tuple[str, ...] = field(default=())
    blind: tuple[BlindInterval, ...] = ()
    tray_mm: tuple[float, float] = USUAL_TRAY_MM
    taken_up_at: float | None = None

    def seen(self, bay: bool = True) -> Seen:
        """Return the observation in the referee's terms; `bay` is False for a tray without a bay."""
        dice, blind = tuple(map(_seen_die, self.dice)), tuple(dict.fromkeys(one.reason for one in self.blind))
        return Seen(dice, self.throw, self.at_rest, self.hands_in, bay, blind)


def _seen_die(die: TrackedDie) -> SeenDie:
    """Return a die in the referee's terms: other faces or kinds are possible only where those were not accepted."""
    reading = die.reading
    likely: tuple[tuple[FaceName, float], ...] = ((reading.face, reading.confidence),)
    if not reading.face_accepted:
        likely += reading.runners_up
    kinds = () if reading.kind_accepted else ((reading.kind, reading.kind_confidence), *reading.kinds)
    posture = reading.sighting.posture
    cocked, stacked = posture in LEANING, posture is Posture.STACKED
    return SeenDie(
        die.number, reading.kind, likely, die.zone, die.thrown, cocked, kinds, stacked, die.handled, die.chance
    )
