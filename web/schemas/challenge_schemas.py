"""JSON of a challenge: a past throw with its film and readings, and what would follow from another face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints

from referee.calls import CitedSentence
from referee.sentences import say
from referee.snapshot import DieRing, FaceTitle
from web.schemas.game_schemas import StepRequest
from web.schemas.response_model import FIELD, Count, Digits, Line, Needs, RequestModel, rounded

LONGEST_ACTION = 600
"""Characters: a throw of thirty dice has some 500."""
LARGEST_ENTRY = 10**6
FACES = r"^([0-9]{1,3}:[a-z0-9][a-z0-9-]{0,59})?( [0-9]{1,3}:[a-z0-9][a-z0-9-]{0,59}){0,99}$"

EntryNumber = Annotated[
    int,
    Digits,
    Field(ge=1, le=LARGEST_ENTRY),
    Needs(say("The request needs {field}, the number of an entry, from 1.", field=FIELD)),
]
ActionText = Annotated[str, Line(LONGEST_ACTION, may_be_empty=True)]
FacesText = Annotated[
    str,
    StringConstraints(pattern=FACES, max_length=2000),
    Needs(
        say("The request needs {field}, dice by their places with their faces, such as 0:star 2:happy.", field=FIELD)
    ),
]


@dataclass(frozen=True)
class PastThrow:
    """A throw that stands."""

    entry: Count
    sentence: str


@dataclass(frozen=True)
class PastThrowsResponse:
    """The throws of the game that stand, newest first."""

    throws: tuple[PastThrow, ...]


@dataclass(frozen=True)
class FaceShare:
    """A face that a die may show as well, and how likely."""

    face: str
    title: str
    share: Annotated[float, rounded(3)]


@dataclass(frozen=True)
class ChallengedDieSchema:
    """A die of a past throw."""

    place: Count
    """Its place among the dice of the action, from 0."""
    kind: str
    face: str
    title: str
    """The title of the face that counts."""
    read: str
    """The title of the face that it was ruled on with, where that was corrected since; else ''."""
    confidence: Annotated[float, rounded(3)] | None
    """How sure the reader was of the face that was ruled on; null where nothing was kept of the die."""
    runners_up: tuple[FaceShare, ...]
    handled: str
    """Why it is not certain that the die was thrown, or ''."""
    crop: str
    """The address of its picture, or ''."""
    ring: DieRing | None
    """Where it lies in the film's last pictures."""
    faces: tuple[FaceTitle, ...]


@dataclass(frozen=True)
class DepartureFrames:
    """A die that left the tray in the throw: the film's pictures that show it inside, at the edge, and after."""

    home: str
    frames: tuple[Count, Count, Count]


@dataclass(frozen=True)
class ChallengeResponse:
    """A past throw, with all that was kept of it."""

    entry: Count
    action: str
    step: str
    calls: tuple[CitedSentence, ...]
    film: str
    """The address of the film, or ''."""
    film_note: str
    """Why there is no film, or ''."""
    evidence: str
    """The name of the picture of the dice at rest, or ''."""
    dice: tuple[ChallengedDieSchema, ...]
    departures: tuple[DepartureFrames, ...]


@dataclass(frozen=True)
class ScoreChange:
    """A player's score as it stands, and as it would be."""

    seat: Count
    name: str
    now: int
    then: int


@dataclass(frozen=True)
class Consequence:
    """What becomes of an entry: the throw itself, or a later one that would be otherwise."""

    entry: Count
    now: str
    then: str
    """'' where the entry could not have been."""
    scores_now: tuple[int, ...]
    scores_then: tuple[int, ...]
    refusal: str = ""
    """Why the rules would refuse the entry, else ''."""
    rule: str = ""
    carried: bool = False
    """True if hands moved the die in this entry: it then has its other face there too."""

    @property
    def differs(self) -> bool:
        """True if anything of the entry would be otherwise."""
        return bool(self.refusal) or self.carried or (self.now, self.scores_now) != (self.then, self.scores_then)


@dataclass(frozen=True)
class WhatIfResponse:
    """What would follow if dice of a past throw had shown other faces."""

    step: str
    scores: tuple[ScoreChange, ...]
    rows: tuple[Consequence, ...]
    turn_now: str
    turn_then: str
    """Who is to act, or who has won."""
    refusal: str
    """Which entry could not have been, and why; '' where all of it can be."""
    rule: str
    can_take: bool
    """True if the correction can be taken as it is."""
    can_take_back: bool
    """True if it can be taken where the entries that could not have been are taken back."""


@dataclass(frozen=True)
class ChangedDie:
    """A die that does not lie or show as at the ruling before."""

    sentence: str
    before: DieRing | None
    after: DieRing | None


@dataclass(frozen=True)
class BeforeAfterResponse:
    """The table before and after a breach, with the dice that changed."""

    before: str
    """The address of the picture before, or ''."""
    after: str
    film: str
    changes: tuple[ChangedDie, ...]


class ThrowQuery(RequestModel):
    """Which throw, by its entry."""

    entry: EntryNumber


class WhatIfQuery(ThrowQuery):
    """Which throw, as the page shows it, and which of its dice would show other faces."""

    action: ActionText = ""
    faces: FacesText = ""


class BeforeAfterQuery(RequestModel):
    """The name of a breach's picture."""

    name: Annotated[str, Line(120)]


class ChallengeRequest(StepRequest):
    """What people decided on a past throw: it stands, it is corrected, or so and the rest is taken back."""

    example: ClassVar = {"entry": 7, "action": "1 roll d6:pip-2", "faces": "0:pip-3", "verdict": "correct"}

    entry: Annotated[
        int,
        Field(ge=1, le=LARGEST_ENTRY),
        Needs(say("The request needs {field}, the number of an entry.", field=FIELD)),
    ]
    action: ActionText = ""
    faces: FacesText = ""
    verdict: Annotated[
        Literal["stands", "correct", "take-back"],
        Needs(say("The request needs {field} as 'stands', 'correct' or 'take-back'.", field=FIELD)),
    ]


def faces_by_place(text: str) -> dict[int, str]:
    """Return the faces by the dice's places, of a text such as `0:star 2:happy`."""
    pairs = (word.split(":") for word in text.split())
    return {int(place): face for place, face in pairs}
