"""A guided capture: a person lays dice with a face upward, and their pictures are taken when the tray is at rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

import numpy as np

from models.dataset import FaceLabel, NewSample, Sample, SampleReading, SampleStore, SaveFailed
from referee.dice import DieKind, DieSet, FaceName, KindName, Zone
from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say, say_count
from vision.frame_reader import ImageSource
from vision.frames import Pixels
from vision.kinds import KindFace
from vision.observations import LEANING, DieSighting, Observation, TrackedDie
from vision.pipeline import DieNotInView
from vision.rectification import RotatedSquare
from web.schemas.learning_schemas import CaptureMood, CaptureStatus, FaceMeter

# How well a face is covered by samples: how many, how varied, and what to do next


WANTED = 6
"""Samples of a face that are enough. Ten are better: docs/teaching.md says by how much."""
TURN_DEGREES, TURNS = 15.0, 4
"""The step in which turns are counted, within 90 degrees since the reader ignores quarter turns; and how many do."""
PLACE_EDGES, PLACES = 1.5, 4
"""The distance, in edges of a die, from which places count as two; and how many are enough."""
LIGHT, LIGHTS = 0.06, 3
"""The difference in brightness from which lights count as two; and how many are useful."""
HALF = 0.5


def meters(dice: DieSet, samples: Sequence[Sample]) -> tuple[FaceMeter, ...]:
    labelled = [sample for sample in samples if sample.label]
    return tuple(meter(kind, face, labelled) for kind in dice.kinds for face in kind.faces)


def meter(kind: DieKind, face: FaceName, samples: Iterable[Sample]) -> FaceMeter:
    """Return the meter of one face, from samples in the order they were taken."""
    own = [sample for sample in samples if sample.label and (sample.label.kind, sample.label.face) == (kind.name, face)]
    turns = _share(_turns(own), TURNS)
    places = _share(_places(own), PLACES)
    lights = _share(_apart([sample.light for sample in own], lambda a, b: abs(a - b) >= LIGHT), LIGHTS)
    advice = _advice(len(own), turns, places)
    return FaceMeter(
        kind=kind.name,
        face=face,
        title=kind.title_of(face),
        pictures=len(own),
        wanted=WANTED,
        turns=turns,
        places=places,
        lights=lights,
        enough=not advice,
        advice=advice,
        picture=own[-1].name if own else "",
    )


def _turns(samples: Sequence[Sample]) -> int:
    return len({int(sample.place.turned_degrees % 90 / TURN_DEGREES) for sample in samples})


def _places(samples: Sequence[Sample]) -> int:
    """Count the places; a sample without a frame may have been taken anywhere, and counts as a place."""
    known = [sample.in_frame for sample in samples if sample.in_frame]
    apart = _apart(known, lambda a, b: (a.x - b.x) ** 2 + (a.y - b.y) ** 2 >= (PLACE_EDGES * a.edge) ** 2)
    return apart + len(samples) - len(known)


T = TypeVar("T")


def _apart(found: Iterable[T], differ: Callable[[T, T], bool]) -> int:
    """Count, one after another, the values that differ from all counted before."""
    distinct: list[T] = []
    for one in found:
        if all(differ(one, other) for other in distinct):
            distinct.append(one)
    return len(distinct)


def _share(count: int, enough: int) -> float:
    return min(1.0, count / enough)


def _advice(pictures: int, turns: float, places: float) -> str:
    """Return what to do next, or '' when it is enough."""
    if pictures < WANTED:
        missing = WANTED - pictures
        return say_count("{count} more picture", "{count} more pictures", missing)
    if turns < HALF:
        return say("turn the die another way")
    if places < HALF:
        return say("lay the die elsewhere")
    return ""


# Which dice of a guided capture lie newly laid: where dice were pictured, turned down, and for how long they rest


SURE_OF_A_DIE = 0.5
"""The confidence, of the finder or of how it lies, from which something is pictured as a die."""
STILL_EDGES, STILL_DEGREES = 0.35, 10.0
"""A die that moved and turned less than this would give the same picture again."""
REST_FRAMES = 6
"""Frames in a row that dice must lie still before they are pictured; a die that fingers turn rests for moments too."""


@dataclass(frozen=True)
class SightedPosition:
    """How a die lay when it was pictured, in pixels of the camera."""

    x: float
    y: float
    edge: float
    turned_degrees: float

    @classmethod
    def of(cls, sighting: DieSighting) -> SightedPosition:
        return cls(sighting.x, sighting.y, sighting.edge, sighting.turned_degrees)

    def is_still(self, other: SightedPosition) -> bool:
        """True if a die that lay as the other one was neither moved nor turned since."""
        apart = float(np.hypot(self.x - other.x, self.y - other.y))
        turned = abs((self.turned_degrees - other.turned_degrees + 45) % 90 - 45)
        return apart < STILL_EDGES * self.edge and turned < STILL_DEGREES


class RestingDice:
    """Remembers how dice lay when they were pictured, or turned down because they look like another face."""

    def __init__(self) -> None:
        self._pictured: Sequence[SightedPosition] | None = None  # None until dice rest for the first time
        self._turned_down: Sequence[SightedPosition] = ()
        self._frames = 0

    def disturb(self) -> None:
        """Note that dice or hands move."""
        self._frames, self._turned_down = 0, ()

    def rest(self, dice: Sequence[TrackedDie]) -> bool:
        """Count a frame at rest, and return True if the dice rest for long enough.

        What rests the first time was not laid for any face, and is never pictured.
        """
        self._frames += 1
        if self._frames < REST_FRAMES:
            return False
        if self._pictured is None:
            self.mark_pictured(dice)
        return True

    def mark_pictured(self, dice: Sequence[TrackedDie] | None) -> None:
        """Picture these dice only after they were moved; None: whatever rests next."""
        self._pictured = None if dice is None else _positions(dice)

    def newly_laid(self, dice: Sequence[TrackedDie]) -> list[TrackedDie]:
        """Return the dice that were moved since they were pictured."""
        pictured = self._pictured or ()
        return [die for die in dice if not any(_position(die).is_still(one) for one in pictured)]

    def turn_down(self, dice: Sequence[TrackedDie]) -> None:
        """Do not look at these dice again before they were moved."""
        self._turned_down = _positions(dice)

    def accept_any(self) -> None:
        """Forget which dice were turned down."""
        self._turned_down = ()

    def are_turned_down(self, dice: Sequence[TrackedDie]) -> bool:
        """True if all of these dice were turned down, and none was moved since."""
        positions = _positions(dice)
        return bool(self._turned_down) and all(
            any(one.is_still(other) for other in self._turned_down) for one in positions
        )


def surely_dice(observation: Observation) -> list[TrackedDie]:
    """Return what is surely a die, in the tray or next to it on the mat."""
    dice = (die for die in observation.dice if die.zone is not Zone.OUT)
    return [die for die in dice if die.reading.sighting.confidence >= SURE_OF_A_DIE]


def _position(die: TrackedDie) -> SightedPosition:
    return SightedPosition.of(die.reading.sighting)


def _positions(dice: Sequence[TrackedDie]) -> list[SightedPosition]:
    return [_position(die) for die in dice]


# A guided capture: a person lays dice with a face upward, and their pictures are taken when the tray is at rest


LABELLED_BY = "guided capture"
LATEST = 12
"""Pictures taken last that the page shows."""

OtherFace = Callable[[Sequence[tuple[Pixels, RotatedSquare]], KindFace], KindFace | None]
"""Returns the face that one of these dice surely shows instead of the expected one, or None."""


@dataclass(frozen=True)
class CaptureGuidance:
    """What the page says to the person, and in which mood."""

    sentence: str
    mood: CaptureMood


class GuidedCapture:
    """One guided capture of one die set. It has no lock: LearningService holds its own.

    `model` is the version of the reader whose readings are saved with the samples; `other_face` checks the dice before
    they are pictured. `automatic`: pictures are taken without a tap when the tray is at rest.
    """

    def __init__(self, dice: DieSet, store: SampleStore, model: str, other_face: OtherFace) -> None:
        self.dice, self._store = dice, store
        self._model, self._other_face = model, other_face
        self._session = store.start_session(dice.name, "guided")
        self._taken: list[str] = []
        self._resting = RestingDice()
        self._last: tuple[Observation, ImageSource] | None = None
        self.automatic = True
        self._target = self._next_target()
        self._prompt = CaptureGuidance("", "look")
        self._ask()

    @property
    def taken(self) -> int:
        """How many pictures were taken, and were not deleted since."""
        return len(self._taken)

    # What the person does

    def go_to(self, kind: KindName, face: FaceName) -> None:
        """Go on to another face; the dice that lie there now must be moved first. Raises Refused."""
        if face not in _kind_of(self.dice, kind).faces:
            sentence = say(
                "The {dice} have no face {face} on a die {kind}.",
                dice=self.dice.title,
                face=repr(face),
                kind=repr(kind),
            )
            raise Refused(sentence, Reason.NOT_FOUND)
        self._target = kind, face
        self._resting.accept_any()
        self._mark_pictured()
        self._ask()

    def shutter(self) -> None:
        """Take a picture of every die in view now, whatever it looks like. Raises Refused and SaveFailed."""
        if self._last is None or not self._last[0].at_rest or self._last[0].hands_in:
            sentence = say("Wait until the dice lie still and all hands are out of the tray.")
            raise Refused(sentence, Reason.CONFLICT)
        observation, images = self._last
        dice = surely_dice(observation)
        if not dice:
            raise Refused(say("No die is in sight: lay one into the tray."), Reason.CONFLICT)
        try:
            self._take(dice, images)
        except DieNotInView:
            raise Refused(say("The dice were moved just then; press once more."), Reason.CONFLICT) from None

    def forget(self, names: Sequence[str]) -> None:
        """Do not count these samples any more: they were deleted."""
        self._taken = [name for name in self._taken if name not in names]

    # What the camera sees

    def observe(self, observation: Observation, images: ImageSource) -> None:
        """Handle an observation, and take pictures when newly laid dice rest."""
        self._last = observation, images
        if not observation.at_rest or observation.hands_in:
            moving = say("The dice are moving.")
            self._say(say("Take your hands out of the tray.") if observation.hands_in else moving, "wait")
            self._resting.disturb()
        elif self._resting.rest(dice := surely_dice(observation)):
            self._handle_rest(dice, observation, images)

    def _handle_rest(self, dice: Sequence[TrackedDie], observation: Observation, images: ImageSource) -> None:
        fresh = self._resting.newly_laid(dice)
        flat = [die for die in fresh if die.reading.sighting.posture not in LEANING]
        if not fresh:
            self._ask(again=bool(dice))
        elif not flat:
            self._say(say("That die seems to lean: lay it flat, or press the shutter."), "trouble")
        elif self.automatic and not observation.calibrated:
            sentence = say("No tray is in sight: bring its markers into the picture, or press the shutter.")
            self._say(sentence, "trouble")
        elif self.automatic:
            self._take_automatically(flat, images)
        elif self._prompt.mood != "taken":
            self._say(say("Press the shutter."), "look")

    def report_trouble(self, sentence: str) -> None:
        """Show what is wrong with the camera; '' for nothing."""
        if sentence:
            self._last = None
            self._say(sentence, "trouble")

    def status(self) -> CaptureStatus:
        kind, face = self._target
        return CaptureStatus(
            dice=self.dice.name,
            title=self.dice.title,
            kind=kind,
            face=face,
            says=self._prompt.sentence,
            mood=self._prompt.mood,
            meter=self._meter(),
            taken=self.taken,
            in_view=len(surely_dice(self._last[0])) if self._last else 0,
            latest=tuple(self._taken[: -LATEST - 1 : -1]),
            itself=self.automatic,
        )

    # Taking pictures

    def _take_automatically(self, dice: Sequence[TrackedDie], images: ImageSource) -> None:
        """Take pictures unless the dice look like another face. What cannot be saved is not tried again until moved."""
        if self._resting.are_turned_down(dice):
            return
        other = self._misread(dice) or self._other_face(
            [images.die_with_surroundings(die.number) for die in dice], self._target
        )
        if other is not None:
            self._resting.turn_down(dice)
            title = self.dice.kind(other[0]).title_of(other[1])
            sentence = say(
                "That looks like {other}. Lay {title} upward, or press the shutter if it is right.",
                other=title,
                title=self._title(),
            )
            self._say(sentence, "trouble")
            return
        try:
            self._take(dice, images)
        except SaveFailed as error:
            self._mark_pictured()
            self._say(as_sentence(error), "trouble")

    def _misread(self, dice: Sequence[TrackedDie]) -> KindFace | None:
        """Return a face other than the target that the reader accepts on one of the dice, or None."""
        read = ((die.reading.kind, die.reading.face) for die in dice if die.reading.accepted)
        known = {(kind.name, face) for kind in self.dice.kinds for face in kind.faces}
        return next((named for named in read if named in known and named[1] != self._target[1]), None)

    def _take(self, dice: Sequence[TrackedDie], images: ImageSource) -> None:
        tray = images.settled_tray()
        frame, corner = (tray[0], (tray[1], tray[2])) if tray else (None, None)
        new = [self._new_sample(die, images, corner) for die in dice]
        samples = self._store.save(self._session, self.dice.name, frame, new)
        self._taken += [sample.name for sample in samples]
        self._mark_pictured()
        self._go_on(len(samples))

    def _new_sample(self, die: TrackedDie, images: ImageSource, corner: tuple[float, float] | None) -> NewSample:
        pixels, place = images.die_with_surroundings(die.number)
        one, reading = die.reading.sighting, die.reading
        return NewSample(
            pixels,
            place,
            RotatedSquare(one.x - corner[0], one.y - corner[1], one.edge, place.turned_degrees) if corner else None,
            SampleReading(
                reading.kind, reading.face, reading.confidence, reading.accepted, reading.runners_up, self._model
            ),
            FaceLabel(*self._target, LABELLED_BY, datetime.now(UTC)),
            float(pixels.mean()) / 255,
        )

    def _mark_pictured(self) -> None:
        self._resting.mark_pictured(surely_dice(self._last[0]) if self._last else None)

    # What comes next

    def _go_on(self, count: int) -> None:
        """Say what was taken, and go on to the next face when this one has enough pictures."""
        title, now = self._title(), self._meter()
        if not now.enough or not self.automatic:
            advice = now.advice or say("that is enough")
            sentence = say(
                "{count} taken of {title}; {advice}. Turn and move the dice.", count=count, title=title, advice=advice
            )
            self._say(sentence, "taken")
            return
        missing = [one for one in meters(self.dice, self._samples()) if not one.enough]
        if missing:
            self._target = KindName(missing[0].kind), FaceName(missing[0].face)
            sentence = say("{title} is enough. Now lay {other} upward.", title=title, other=self._title())
            self._say(sentence, "taken")
        else:
            self._say(say("Every face is enough. Teach them now, or show more."), "taken")

    def _ask(self, again: bool = False) -> None:
        """Ask for the target while nothing new lies there; what was said last stands until the dice move."""
        if again and self._prompt.mood in ("taken", "trouble"):
            return
        title = self._title()
        lay = say("Lay the dice with {title} upward.", title=title)
        self._say(say("Turn or move the dice, with {title} upward.", title=title) if again else lay, "look")

    def _next_target(self) -> KindFace:
        """Return the first face that has too few pictures, or else the first."""
        found = meters(self.dice, self._samples())
        wanted = next((one for one in found if not one.enough), found[0])
        return KindName(wanted.kind), FaceName(wanted.face)

    def _samples(self) -> tuple[Sample, ...]:
        return self._store.samples(self.dice.name)

    def _meter(self) -> FaceMeter:
        kind, face = self._target
        return meter(_kind_of(self.dice, kind), face, self._samples())

    def _title(self) -> str:
        """Return the title of the target, with its kind where there are several kinds of dice."""
        kind = _kind_of(self.dice, self._target[0])
        title = kind.title_of(self._target[1])
        return title if len(self.dice.kinds) == 1 else say("{face} ({kind})", face=title, kind=kind.title)

    def _say(self, sentence: str, mood: CaptureMood) -> None:
        self._prompt = CaptureGuidance(sentence, mood)


def _kind_of(dice: DieSet, kind: KindName) -> DieKind:
    found = next((one for one in dice.kinds if one.name == kind), None)
    if found is None:
        raise Refused(say("The {dice} have no kind {kind}.", dice=dice.title, kind=repr(kind)), Reason.NOT_FOUND)
    return found


# The time limit of a guided capture: it ends after a while without its page or without a picture


PAGE_LEFT_S = 20.0
"""Seconds without a request of the capture's page after which nobody looks at it; it asks twice a second."""
NO_PICTURE_S = 300.0
"""Seconds without a picture, or another choice on the page, after which the tray is given back."""


class TrayLoan:
    """When a guided capture was looked at, and when it was last used. `clock` counts seconds and never goes back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._looked_at = self._used = clock()

    def look(self) -> None:
        """Take note that the page asked for the capture."""
        self._looked_at = self._clock()

    def use(self) -> None:
        """Take note that a picture was taken, by hand or by itself, or that something was chosen."""
        self._looked_at = self._used = self._clock()

    @property
    def is_over(self) -> bool:
        """True if the page was left, or no picture has been taken for minutes."""
        now = self._clock()
        return now - self._looked_at > PAGE_LEFT_S or now - self._used > NO_PICTURE_S
