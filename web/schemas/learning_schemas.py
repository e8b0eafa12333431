"""JSON of learning: die sets, captured pictures, lessons, accuracy, and what the learning pages ask."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler

from referee.sentences import say
from web.schemas.response_model import (
    FIELD,
    LONGEST_NAME,
    Count,
    Digits,
    Line,
    Name,
    NameTitle,
    Needs,
    OptionalText,
    RequestModel,
    Text,
    Whole,
    YesNo,
    rounded,
    sentence_error,
)
from web.schemas.snapshot_schemas import TitledDie

# JSON of learning: die sets, captured pictures, lessons, the table's accuracy, and questions about throws
#
# A picture of a single die has a name of letters, digits, `-` and `_`.


LEAST_QUOTA_MB, MOST_QUOTA_MB = 20, 1_000_000
"""Limits of the disk space for pictures of play."""
RAREST_CHECK = 1000
"""One throw in so many is the rarest question that may be chosen."""

CaptureMood = Literal["wait", "look", "taken", "again", "trouble"]
Share4 = Annotated[float, rounded(4)]


@dataclass(frozen=True)
class LikelyFace(TitledDie):
    """A face that a die may show, and how likely it is."""

    share: Share4


@dataclass(frozen=True)
class LessonVersion:
    """A lesson that can be used again."""

    version: Count
    at: str
    words: str


@dataclass(frozen=True)
class ThrowCheckDie:
    """A die of a throw as it was read, and the name of its picture."""

    number: Count
    title: str
    picture: str


@dataclass(frozen=True)
class FaceMeter:
    """How well one face is captured. Shares are 0..1: 1 is as varied as is useful."""

    kind: str
    face: str
    title: str
    pictures: Count = 0
    wanted: Count = 0
    turns: float = 0.0
    places: float = 0.0
    lights: float = 0.0
    enough: bool = False
    advice: str = ""
    """What to do next, '' when it is enough."""
    picture: str = ""
    """The name of the newest picture, '' before the first."""


@dataclass(frozen=True)
class DieSetSummary:
    """A die set with the meters of its faces."""

    name: str
    title: str
    own: bool
    """True if it was made at this table: it may be deleted."""
    kinds: tuple[NameTitle, ...]
    faces: tuple[FaceMeter, ...]
    sessions: Count = 0
    pictures: Count = 0
    version: Count = 0
    """The lesson in use, 0 for none."""
    fresh: bool = False
    """True if pictures have come or changed since the lesson was learned."""
    answers: Count = 0
    """How many answers of play were learned from."""
    doubted: Count = 0
    """How many of them look wrong."""


@dataclass(frozen=True)
class CaptureStatus:
    """A guided capture that is going on."""

    dice: str
    title: str
    kind: str
    face: str
    says: str
    """One sentence for the person, such as "Turn and move the dice"."""
    mood: CaptureMood
    meter: FaceMeter
    taken: Count = 0
    """Pictures taken in this sitting."""
    in_view: Count = 0
    """How many dice are seen."""
    latest: tuple[str, ...] = ()
    """The pictures taken last, newest first."""
    itself: bool = True
    """True if pictures are taken without a tap when the tray is at rest."""


@dataclass(frozen=True)
class Choices:
    """What the table has chosen."""

    keep_play: bool = False
    """True if pictures of play are kept."""
    quota_mb: Count = 500
    """The disk space for them, in megabytes."""
    check_one_in: Count = 20
    """One throw in so many is asked about, 0 for none."""


@dataclass(frozen=True)
class NewKind:
    """A kind of die to be made: its title and its faces' titles."""

    title: str
    faces: tuple[str, ...]
    count: int = 1


@dataclass(frozen=True)
class LearningOverview:
    """All that the page of the dice begins with."""

    dice: tuple[DieSetSummary, ...]
    sitting: CaptureStatus | None
    choices: Choices
    queued: Count = 0
    """How many pictures wait for a label."""
    used_mb: Annotated[float, rounded(1)] = 0.0
    """What the pictures kept from play take up."""
    trouble: str = ""
    """What cannot be kept or read of them, in a sentence, or ''."""


@dataclass(frozen=True)
class CapturedDie:
    """A captured die: `said` and `read` are null where nothing was said or read."""

    picture: str
    dice: str
    said: TitledDie | None = None
    read: TitledDie | None = None
    likely: tuple[LikelyFace, ...] = ()
    """Likeliest first."""
    by: str = ""
    """Who said it, in words."""
    at: str = ""
    doubt: Share4 = 0.0
    """0..1."""


@dataclass(frozen=True)
class AlikeFaces:
    """Two faces that are confused or look alike, each with a few of its pictures."""

    kind: str
    face: str
    title: str
    other: str
    other_title: str
    sentence: str
    pictures: tuple[str, ...] = ()
    other_pictures: tuple[str, ...] = ()
    alike: bool = False
    """True if they had better be one face, or be shown once more."""


@dataclass(frozen=True)
class Share:
    """A share with its 95 % interval: `hits` of `count`; share, low and high are 0..1."""

    hits: Count
    count: Count
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class LessonSummary:
    """What was learned from the pictures of a die set; shares are null where nothing was measured."""

    dice: str
    title: str
    version: Count
    """0: nothing has been learned yet, and `sentence` says why."""
    sentence: str = ""
    at: str = ""
    pictures: Count = 0
    faces: Count = 0
    sessions: Count = 0
    right: Share | None = None
    """Of the pictures that it would accept."""
    asked: Share | None = None
    """Of all pictures."""
    checked_by: str = ""
    """How `right` and `asked` were measured, in words."""
    pairs: tuple[AlikeFaces, ...] = ()
    suspects: tuple[CapturedDie, ...] = ()
    versions: tuple[LessonVersion, ...] = ()
    """Newest first."""


@dataclass(frozen=True)
class TableAccuracy:
    """How well this table reads its dice, from checked throws; shares are null before the first."""

    since: str = ""
    right: Share | None = None
    """Dice read right, of those accepted and checked."""
    throws: Share | None = None
    """Checked throws with no mistake."""
    asked: Share | None = None
    """Dice that the reader asked about, of all read."""
    corrected: Share | None = None
    """Dice that people corrected, of all read."""
    waiting: Count = 0
    """Checks that nobody answered."""
    sentence: str = ""


@dataclass(frozen=True)
class ThrowCheck:
    """A throw that people are asked about, whether it was read right."""

    number: Count
    dice: tuple[ThrowCheckDie, ...] = ()


@dataclass(frozen=True)
class PlayedFace(TitledDie):
    """A face, and of how many dice people said in play that they show it."""

    dice: Count = 0


@dataclass(frozen=True)
class DoubtedDie:
    """A die of play whose label looks wrong, or of which people said one thing and then another."""

    die: str
    """Its name, which stays."""
    said: TitledDie
    other: TitledDie
    """What it looks like, or what was said of it before."""
    sentence: str
    at: str
    throw: Count = 0
    """The number of its throw, 0 where that is not known."""
    pictured: bool = False
    """True if its picture is still in memory."""


@dataclass(frozen=True)
class AskedShare:
    """About how many dice of so many people were asked."""

    asked: Count
    dice: Count


@dataclass(frozen=True)
class PlayBoard:
    """What was learned of a die set in play."""

    dice: str
    title: str
    on: bool
    """False if these dice are neither learned from in play, nor read by what was learned so."""
    answers: Count
    faces: tuple[PlayedFace, ...]
    now: AskedShare | None = None
    """The last dice that were thrown; null before the first."""
    before: AskedShare | None = None
    """The first dice that were thrown; null while they are the last as well."""
    doubted: tuple[DoubtedDie, ...] = ()
    notes: tuple[str, ...] = ()
    """What is wrong with it, in sentences."""


@dataclass(frozen=True)
class PlayBoardResponse:
    """What was learned of a die set in play."""

    played: PlayBoard


@dataclass(frozen=True)
class DieSetResponse:
    """One die set."""

    dice: DieSetSummary


@dataclass(frozen=True)
class LessonResponse:
    """The lesson in use."""

    learned: LessonSummary


@dataclass(frozen=True)
class CaptureResponse:
    """The guided capture that is going on, or null; `halts_game` if one that began now would stop a game."""

    sitting: CaptureStatus | None
    halts_game: bool = False


@dataclass(frozen=True)
class PicturesResponse:
    """Captured dice."""

    pictures: tuple[CapturedDie, ...]


@dataclass(frozen=True)
class ThrowCheckResponse:
    """The throw that is asked about, or null."""

    check: ThrowCheck | None


# Requests of the learning pages


MOST_LISTED = 50
"""Kinds, or faces of a kind, in one request; the learning service limits how many a die set can have."""
MOST_PICTURES = 500
"""In one request: their names are a quarter of the largest body."""
MOST_QUEUED = 200
MOST_WRONG = 160
"""Dice of one throw in one request."""
SOME_QUEUED = 60
NAME_PATTERN = r"^[A-Za-z0-9_-]{1,100}$"
"""Of a die set's and a captured picture's name."""

PictureNames = Annotated[
    list[
        Annotated[
            str,
            StringConstraints(pattern=NAME_PATTERN),
            Needs(say("The request names a picture with characters that no picture's name has.")),
        ]
    ],
    Field(min_length=1, max_length=MOST_PICTURES),
    Needs(say("The request needs {field}, a list of 1 to {most} names.", field=FIELD, most=MOST_PICTURES)),
]


class NewKindRequest(RequestModel):
    """A kind of dice to be made; a face without a title is called by its place."""

    title: Name
    count: Whole = 1
    faces: Annotated[
        list[Annotated[str, Line(LONGEST_NAME, may_be_empty=True, called=say("a face's title"))]],
        Field(min_length=1, max_length=MOST_LISTED),
        Needs(say("Each kind of dice needs {field}, a list of 1 to {most} titles.", field=FIELD, most=MOST_LISTED)),
    ]

    @field_validator("count", mode="wrap")
    @classmethod
    def _name_the_kind(cls, count: object, validate: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:  # noqa: ANN401 - pydantic's own signature
        try:
            return validate(count)
        except ValidationError:
            kind = info.data.get("title", "")
            raise sentence_error(
                say("The request needs the count of the kind {kind} as a whole number from 0.", kind=repr(kind))
            ) from None

    @model_validator(mode="after")
    def _tell_apart(self) -> NewKindRequest:
        twice = _named_twice(self.face_titles)
        if twice:
            raise sentence_error(
                say(
                    "Two faces of {kind} are called {title}; give each a name of its own.",
                    kind=repr(self.title),
                    title=repr(twice),
                )
            )
        return self

    @property
    def face_titles(self) -> tuple[str, ...]:
        """The titles of the faces, with `Face 2` for the second when it has none."""
        return tuple(face or f"Face {place}" for place, face in enumerate(self.faces, start=1))

    def kind(self) -> NewKind:
        return NewKind(self.title, self.face_titles, self.count)


def _named_twice(titles: tuple[str, ...]) -> str:
    """Return the first title that stands twice, in whatever capitals; '' for none."""
    counts = Counter(title.casefold() for title in titles)
    return next((title for title in titles if counts[title.casefold()] > 1), "")


class MakeDiceRequest(RequestModel):
    """A die set to be made."""

    example: ClassVar = {"title": "Moons", "kinds": [{"title": "Moon", "faces": ["full", "new"]}]}

    title: Name
    kinds: Annotated[
        list[
            Annotated[
                NewKindRequest, Needs(say("The request needs each of 'kinds' as an object with a title and faces."))
            ]
        ],
        Field(min_length=1, max_length=MOST_LISTED),
        Needs(say("The request needs {field}, a list of 1 to {most} kinds of dice.", field=FIELD, most=MOST_LISTED)),
    ]

    @field_validator("kinds")
    @classmethod
    def _tell_apart(cls, kinds: list[NewKindRequest]) -> list[NewKindRequest]:
        twice = _named_twice(tuple(kind.title for kind in kinds))
        if twice:
            raise sentence_error(
                say("Two kinds of dice are called {title}; give each a name of its own.", title=repr(twice))
            )
        return kinds


class GoBackRequest(RequestModel):
    """The lesson to use again, 0 for the reader as it was delivered."""

    example: ClassVar = {"version": 0}

    version: Whole


class MergeFacesRequest(RequestModel):
    """A face, and the other whose pictures become the face's."""

    example: ClassVar = {"kind": "traffic", "face": "happy", "other": "star"}

    kind: Text
    face: Text
    other: Text


class LabelRequest(RequestModel):
    """What pictures show."""

    example: ClassVar = {"pictures": ["c-1"], "kind": "traffic", "face": "happy"}

    pictures: PictureNames
    kind: Text
    face: Text


class DiscardRequest(RequestModel):
    """Pictures to delete."""

    example: ClassVar = {"pictures": ["c-1"]}

    pictures: PictureNames


class StartCaptureRequest(RequestModel):
    """The die set to capture, and the face to begin with; '' for the first that has too few pictures.

    `lend`: people agreed that a game which is on waits for it.
    """

    example: ClassVar = {"dice": "intersection", "kind": "traffic", "face": "happy", "lend": True}

    dice: Text
    kind: OptionalText = ""
    face: OptionalText = ""
    lend: YesNo = False


class PlayedLabelRequest(RequestModel):
    """What a die that was learned from in play really shows; the same face as before to keep it."""

    example: ClassVar = {"die": "20261122T183000-1-5-12", "kind": "traffic", "face": "happy"}

    die: Text
    kind: Text
    face: Text


class ChoicesRequest(RequestModel):
    """What the table chooses."""

    example: ClassVar = {"keep_play": True, "quota_mb": 500, "check_one_in": 20}

    keep_play: YesNo
    quota_mb: Annotated[
        int,
        Field(ge=LEAST_QUOTA_MB, le=MOST_QUOTA_MB),
        Needs(
            say(
                "The room for pictures, in MB, is a whole number from {least} to {most}.",
                least=LEAST_QUOTA_MB,
                most=MOST_QUOTA_MB,
            )
        ),
    ]
    check_one_in: Annotated[
        int,
        Field(ge=0, le=RAREST_CHECK),
        Needs(say("One throw in how many is asked about is a whole number from 0 to {most}.", most=RAREST_CHECK)),
    ]

    def choices(self) -> Choices:
        return Choices(self.keep_play, self.quota_mb, self.check_one_in)


class CheckAnswerRequest(RequestModel):
    """The throw was read right, but for `wrong`: the faces that dice really show, by the dice's numbers."""

    example: ClassVar = {"number": 12, "wrong": {"3": "star"}}

    number: Whole
    wrong: Annotated[
        dict[
            Annotated[
                str,
                StringConstraints(pattern=r"^[0-9]{1,9}$"),
                Needs(say("The request needs each die of 'wrong' by its number.")),
            ],
            Annotated[str, Line(called="'face'")],
        ],
        Field(max_length=MOST_WRONG),
        Needs(
            say(
                "The request needs {field}, an object of faces by the dice's numbers, such as {example}.",
                field=FIELD,
                example='{"3": "happy"}',
            )
        ),
    ] = Field(default_factory=dict)

    def faces(self) -> dict[int, str]:
        """Return the faces by the dice's numbers."""
        return {int(number): face for number, face in self.wrong.items()}


class PicturesQuery(RequestModel):
    """The kind and the face whose pictures are listed; '' for all."""

    kind: OptionalText = ""
    face: OptionalText = ""


class QueueQuery(RequestModel):
    """How many pictures of the queue are listed."""

    most: Annotated[
        int,
        Digits,
        Field(ge=1, le=MOST_QUEUED),
        Needs(say("The request needs {field}, a whole number from 1 to {most}.", field=FIELD, most=MOST_QUEUED)),
    ] = SOME_QUEUED
