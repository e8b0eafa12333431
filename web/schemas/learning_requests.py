"""Requests of the learning pages."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, ClassVar

from pydantic import Field, StringConstraints, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler

from referee.sentences import say
from web.schemas.learning_schemas import LEAST_QUOTA_MB, MOST_QUOTA_MB, RAREST_CHECK, Choices, NewKind
from web.schemas.request_model import (
    FIELD,
    LONGEST_NAME,
    Digits,
    Line,
    Name,
    Needs,
    OptionalText,
    RequestModel,
    Text,
    Whole,
    YesNo,
    sentence_error,
)

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
        """Return the kind for the learning service."""
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


class LearnInPlayRequest(RequestModel):
    """Whether a die set is learned from in play."""

    example: ClassVar = {"on": False}

    on: YesNo


class PlayedLabelRequest(RequestModel):
    """What a die that was learned from in play really shows; the same face as before to keep it."""

    example: ClassVar = {"die": "20261122T183000-1-5-12", "kind": "traffic", "face": "happy"}

    die: Text
    kind: Text
    face: Text


class AutomaticCaptureRequest(RequestModel):
    """Whether pictures are taken without a tap when the tray is at rest."""

    example: ClassVar = {"on": True}

    on: YesNo


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
        """Return the choices for the learning service."""
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
