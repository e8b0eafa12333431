"""A guided capture: dice are laid with a face upward, and their pictures are taken when the tray is at rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from models.dataset import FaceLabel, NewSample, Sample, SampleReading, SampleStore, SaveFailed
from referee.dice import DieKind, DieSet, FaceName, KindName, Zone
from referee.refused import Reason, Refused
from referee.text import as_sentence
from vander.learning.coverage import meter, meters
from vision.assignment import KindFace
from vision.die_crops import RotatedSquare
from vision.frames import Pixels
from vision.image_source import ImageSource
from vision.observations import DieSighting, Observation, Posture, TrackedDie
from vision.pipeline import DieNotInView
from web.schemas import learning_schemas as shown
from web.schemas.learning_schemas import CaptureMood

BY = "guided capture"
SURE_OF_A_DIE = 0.5
"""From this confidence of the finder on something is a die to be pictured."""
LIES_STILL_EDGES, LIES_STILL_DEGREES = 0.35, 10.0
"""A die that moved and turned less than this since its last picture would give the same picture again."""
RESTS = 6
"""Frames on end that dice must lie still before they are pictured: one that fingers turn over rests for moments too."""
LATEST = 12
"""Pictures that the page shows of those taken last."""

FaceDoubt = Callable[[Sequence[tuple[Pixels, RotatedSquare]], KindFace], "KindFace | None"]
"""What dice that are said to show a face look like for certain otherwise; None where nothing speaks against it."""


@dataclass(frozen=True)
class SightedPosition:
    """How a die lay when it was last pictured, in pixels of the camera."""

    x: float
    y: float
    edge: float
    turned_degrees: float

    @classmethod
    def of(cls, sighting: DieSighting) -> SightedPosition:
        """How a sighted die lies."""
        return cls(sighting.x, sighting.y, sighting.edge, sighting.turned_degrees)

    def is_still(self, other: SightedPosition) -> bool:
        """Whether a die that lies like the other one has neither been moved nor turned."""
        apart = float(np.hypot(self.x - other.x, self.y - other.y))
        turned = abs((self.turned_degrees - other.turned_degrees + 45) % 90 - 45)
        return apart < LIES_STILL_EDGES * self.edge and turned < LIES_STILL_DEGREES


class GuidedCapture:
    """One sitting with one die set. It has no lock of its own: whoever calls holds the school's.

    `model` names the reader that reads along; `otherwise` says what dice look like that are said to show a face.
    """

    def __init__(self, dice: DieSet, store: SampleStore, model: str, otherwise: FaceDoubt) -> None:
        self.dice, self._store = dice, store
        self._model, self._otherwise = model, otherwise
        self._session = store.start_session(dice.name, "guided")
        self._taken: list[str] = []
        self._lays: list[SightedPosition] | None = (
            None  # None: nothing was seen yet; what lies there then was laid for nothing
        )
        self._seen: tuple[Observation, ImageSource] | None = None
        self._itself = True
        self._rested = 0
        self._odd: list[SightedPosition] = []  # how dice lie that look otherwise, and were turned down
        self._says = ""
        self._mood: CaptureMood = "look"
        self._kind, self._face = self._next_wanted()
        self._ask()

    # What the teacher does

    def go_to(self, kind: KindName, face: FaceName) -> None:
        """Go on to another face; the dice that lie there now must be moved first."""
        if face not in _kind_of(self.dice, kind).faces:
            raise Refused(f"The {self.dice.title} have no face {face!r} on a die {kind!r}.", Reason.NOT_FOUND)
        self._kind, self._face = kind, face
        self._odd = []
        self._hold_still()
        self._ask()

    def by_itself(self, on: bool) -> None:
        """Whether pictures are taken by themselves when the tray is at rest."""
        self._itself = on

    def shutter(self) -> None:
        """Take a picture of every die in sight now, whatever it looks like. Raises Refused when there is none."""
        if self._seen is None or not self._seen[0].at_rest or self._seen[0].hands_in:
            raise Refused("Wait until the dice lie still and all hands are out of the tray.", Reason.CONFLICT)
        observation, sight = self._seen
        dice = _dice(observation)
        if not dice:
            raise Refused("No die is in sight: lay one into the tray.", Reason.CONFLICT)
        try:
            self._take(dice, sight)
        except DieNotInView:
            raise Refused("The dice were moved just then; press once more.", Reason.CONFLICT) from None

    def discard(self, names: Sequence[str]) -> None:
        """Pictures of this sitting were thrown away."""
        self._taken = [name for name in self._taken if name not in names]

    # What the camera sees

    def look(self, observation: Observation, sight: ImageSource) -> None:
        """Take in what lies there, and take its picture when the dice lie still, newly laid."""
        self._seen = observation, sight
        if not observation.at_rest or observation.hands_in:
            hands = "Take your hands out of the tray." if observation.hands_in else "The dice are moving."
            self._say(hands, "wait")
            self._rested, self._odd = 0, []
            return
        self._rested += 1
        if self._rested >= RESTS:
            self._look_at_rest(observation, sight)

    def _look_at_rest(self, observation: Observation, sight: ImageSource) -> None:
        if self._lays is None:
            self._hold_still()
        dice = _dice(observation)
        fresh = [die for die in dice if not self._is_pictured(die)]
        if not fresh:
            self._ask(again=bool(dice))
        elif not (flat := [die for die in fresh if die.reading.sighting.posture is Posture.FLAT]):
            self._say("That die seems to lean: lay it flat, or press the shutter.", "trouble")
        elif self._itself and not observation.calibrated:
            self._say("No tray is in sight: bring its markers into the picture, or press the shutter.", "trouble")
        elif self._itself:
            self._take_if_it_can_be_kept(flat, sight)
        elif self._mood != "taken":
            self._say("Press the shutter.", "look")

    def trouble(self, sentence: str) -> None:
        """The camera has trouble; '' when it has none."""
        if sentence:
            self._seen = None
            self._say(sentence, "trouble")

    def shown(self) -> shown.Sitting:
        """How the capture stands."""
        kind = _kind_of(self.dice, self._kind)
        return shown.Sitting(
            dice=self.dice.name,
            title=self.dice.title,
            kind=self._kind,
            face=self._face,
            says=self._says,
            mood=self._mood,
            meter=meter(kind, self._face, self._samples()),
            taken=len(self._taken),
            in_view=len(_dice(self._seen[0])) if self._seen else 0,
            latest=tuple(self._taken[: -LATEST - 1 : -1]),
            itself=self._itself,
        )

    def _samples(self) -> tuple[Sample, ...]:
        return self._store.samples(self.dice.name)

    def _next_wanted(self) -> tuple[KindName, FaceName]:
        """The first face that is not enough yet, or the very first."""
        found = meters(self.dice, self._samples())
        wanted = next((one for one in found if not one.enough), found[0])
        return KindName(wanted.kind), FaceName(wanted.face)

    def _is_pictured(self, die: TrackedDie) -> bool:
        return any(SightedPosition.of(die.reading.sighting).is_still(lay) for lay in self._lays or ())

    def _hold_still(self) -> None:
        """From now on only what is moved is pictured."""
        self._lays = [SightedPosition.of(die.reading.sighting) for die in _dice(self._seen[0])] if self._seen else None

    def _take_if_it_can_be_kept(self, dice: Sequence[TrackedDie], sight: ImageSource) -> None:
        """What cannot be kept is not tried again before the dice were moved."""
        try:
            self._take_unless_odd(dice, sight)
        except SaveFailed as error:
            self._hold_still()
            self._say(as_sentence(error), "trouble")

    def _take_unless_odd(self, dice: Sequence[TrackedDie], sight: ImageSource) -> None:
        lays = [SightedPosition.of(die.reading.sighting) for die in dice]
        if self._odd and all(any(lay.is_still(odd) for odd in self._odd) for lay in lays):
            return
        cuts = [sight.die_with_surroundings(die.number) for die in dice]
        other = self._read_otherwise(dice) or self._otherwise(cuts, (self._kind, self._face))
        if other is None:
            self._take(dice, sight)
            return
        self._odd = lays
        title = self.dice.kind(other[0]).title_of(other[1])
        self._say(
            f"That looks like {title}. Lay {self._title()} upward, or press the shutter if it is right.", "trouble"
        )

    def _read_otherwise(self, dice: Sequence[TrackedDie]) -> KindFace | None:
        """Another face of the set that the reader surely reads on one of the dice: several may lie there, not alike."""
        read = ((die.reading.kind, die.reading.face) for die in dice if die.reading.accepted)
        known = {(kind.name, face) for kind in self.dice.kinds for face in kind.faces}
        return next((named for named in read if named in known and named[1] != self._face), None)

    def _take(self, dice: Sequence[TrackedDie], sight: ImageSource) -> None:
        kept = sight.settled_tray()
        frame, corner = (kept[0], (kept[1], kept[2])) if kept else (None, None)
        taken = [self._taken_of(die, sight, corner) for die in dice]
        samples = self._store.save(self._session, self.dice.name, frame, taken)
        self._taken += [sample.name for sample in samples]
        self._hold_still()
        self._go_on(len(samples))

    def _taken_of(self, die: TrackedDie, sight: ImageSource, corner: tuple[float, float] | None) -> NewSample:
        pixels, place = sight.die_with_surroundings(die.number)
        one, reading = die.reading.sighting, die.reading
        read = SampleReading(
            reading.kind, reading.face, reading.confidence, reading.accepted, reading.runners_up, self._model
        )
        return NewSample(
            pixels,
            place,
            RotatedSquare(one.x - corner[0], one.y - corner[1], one.edge, place.turned_degrees) if corner else None,
            read,
            FaceLabel(self._kind, self._face, BY, datetime.now(UTC)),
            float(pixels.mean()) / 255,
        )

    def _go_on(self, count: int) -> None:
        """Say what was taken, and go on to the next face when this one is enough."""
        title = self._title()
        now = meter(_kind_of(self.dice, self._kind), self._face, self._samples())
        if not now.enough or not self._itself:
            advice = f"; {now.advice}" if now.advice else "; that is enough"
            self._say(f"{count} taken of {title}{advice}. Turn and move the dice.", "taken")
            return
        missing = [one for one in meters(self.dice, self._samples()) if not one.enough]
        if missing:
            self._kind, self._face = KindName(missing[0].kind), FaceName(missing[0].face)
            self._say(f"{title} is enough. Now lay {self._title()} upward.", "taken")
        else:
            self._say("Every face is enough. Teach them now, or show more.", "taken")

    def _ask(self, again: bool = False) -> None:
        """Say what is to be done while nothing new lies there; what was just said stands until the dice move."""
        if again and self._mood in ("taken", "trouble"):
            return
        self._say(f"{'Turn or move the dice, with' if again else 'Lay the dice with'} {self._title()} upward.", "look")

    def _title(self) -> str:
        """The face that is asked for; where there are several kinds of dice, with its kind."""
        kind = _kind_of(self.dice, self._kind)
        title = kind.title_of(self._face)
        return title if len(self.dice.kinds) == 1 else f"{title} ({kind.title})"

    def _say(self, sentence: str, mood: CaptureMood) -> None:
        self._says, self._mood = sentence, mood


def _dice(observation: Observation) -> list[TrackedDie]:
    """What is surely a die, on the table."""
    dice = (die for die in observation.dice if die.zone is not Zone.OUT)
    return [die for die in dice if die.reading.sighting.confidence >= SURE_OF_A_DIE]


def _kind_of(dice: DieSet, kind: KindName) -> DieKind:
    found = next((one for one in dice.kinds if one.name == kind), None)
    if found is None:
        raise Refused(f"The {dice.title} have no kind {kind!r}.", Reason.NOT_FOUND)
    return found
