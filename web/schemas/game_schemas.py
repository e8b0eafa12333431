"""JSON of the games: their options, offers, odds and throws, and what tablets ask of a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, StringConstraints

from referee.calls import CitedSentence
from referee.journal import OpenGame
from referee.phrases import shown_name
from referee.sentences import say
from referee.snapshot import DieRing, FaceTitle, OtherKind
from web.schemas.response_model import (
    FIELD,
    LONGEST_NAME,
    Count,
    Digits,
    Line,
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
from web.schemas.snapshot_schemas import OfferSchema, TableOffer


@dataclass(frozen=True)
class OptionReading:
    """One way to read the rules."""

    value: str
    meaning: str


@dataclass(frozen=True)
class OptionSchema:
    """A choice that the rules leave open."""

    name: str
    title: str
    default: str
    source: str
    readings: tuple[OptionReading, ...]


@dataclass(frozen=True)
class GameSchema:
    """A game that can be set up."""

    name: str
    title: str
    die_set: str
    seats: tuple[Count, Count]
    """The fewest and the most players."""
    turns: bool
    """True if players have turns, so that one of them begins and may leave."""
    how_to_play: bool
    """True if /api/rules tells how it is played."""
    options: tuple[OptionSchema, ...]


@dataclass(frozen=True)
class GamesResponse:
    """What can be set up."""

    games: tuple[GameSchema, ...]
    die_sets: tuple[NameTitle, ...]


@dataclass(frozen=True)
class AgreementsResponse:
    """What the table may agree on where the rules are silent."""

    number: Count
    """The number of the snapshot that the offers belong to."""
    offers: tuple[OfferSchema, ...]
    last_throw: str
    """The throw that may be declared not to count, in words; '' without one."""


@dataclass(frozen=True)
class OffersResponse:
    """What may be done with a place of a board, or with all places of a player's."""

    number: Count
    """The number of the snapshot that the offers belong to."""
    offers: tuple[TableOffer, ...]


@dataclass(frozen=True)
class ChanceFigure:
    """A computed chance or expectation, in words and with its unit."""

    what: str
    figure: str
    advised: bool


@dataclass(frozen=True)
class OddsResponse:
    """The chances of where the game stands."""

    chances: tuple[ChanceFigure, ...]


@dataclass(frozen=True)
class ThrowDie:
    """A die of a throw; `face` is '' where it is yet to be given."""

    kind: str
    face: str


@dataclass(frozen=True)
class ThrowSchema:
    """A throw, and the seats that may make it."""

    seats: tuple[Count, ...]
    verb: str
    choice: str
    title: str
    dice: tuple[ThrowDie, ...]


@dataclass(frozen=True)
class ThrowsResponse:
    """The throws whose dice may be entered by hand."""

    step: str
    throws: tuple[ThrowSchema, ...]
    kinds: tuple[OtherKind, ...]


# What tablets ask of a game: to begin one, to act, to answer, to correct, to confirm


MOST_PLAYERS = 99
"""As many seats as an action can name; how many a game takes is the game's own to say."""
LARGEST_SEAT = 99


def _different(names: list[str]) -> list[str]:
    if len({name.casefold() for name in names}) < len(names):
        raise sentence_error(say("Two players have the same name; give each a name of their own."))
    return names


class StartGameRequest(RequestModel):
    """A game to set up; `die_set` chooses the dice of a game that takes any."""

    example: ClassVar = {"game": "intersection", "players": ["Ann", "Bob"], "options": {"below-300": "nothing"}}

    game: Text
    players: Annotated[
        list[Annotated[str, Line(LONGEST_NAME, called=say("a player's name"))]],
        Field(min_length=1, max_length=MOST_PLAYERS),
        AfterValidator(_different),
        Needs(say("The request needs {field}, a list of 1 to {most} names.", field=FIELD, most=MOST_PLAYERS)),
    ]
    options: Annotated[
        dict[
            Annotated[str, Line(may_be_empty=True, called=say("an option"))],
            Annotated[str, Line(may_be_empty=True, called=say("the option {field}", field=FIELD))],
        ],
        Needs(say("The request needs {field} as an object of texts.", field=FIELD)),
    ] = Field(default_factory=dict)
    die_set: OptionalText = ""
    starter: Whole = 0
    """The seat that begins as the table agrees, 0 where the game's rules decide."""
    step: OptionalText = ""
    """The moment that the page shows, 0.0 without a game, so that no other game is ended."""
    leave_open: YesNo = False
    """True to leave the game open that is on the table, to be played on another time."""


class StepRequest(RequestModel):
    """A request that may say which moment the page shows."""

    step: OptionalText = ""
    """The moment that the page shows, so that a late tap is refused."""


class ActRequest(StepRequest):
    """A tapped action, in the notation of the game record."""

    example: ClassVar = {"action": "1 end"}

    action: Text


class AnswerRequest(RequestModel):
    """An answer to an open question; of one about several dice for one `die` alone, where it is not 0.

    To go on as the dice lie is asked a second time, with what changes, unless the answer is `confirmed`.
    """

    example: ClassVar = {"question": 1, "choice": "go on"}

    question: Whole
    choice: Text
    die: Whole = 0
    confirmed: bool = False


class CorrectRequest(StepRequest):
    """What a die really shows, and of which kind it is where it was taken for another one."""

    example: ClassVar = {"die": 2, "face": "star"}

    die: Whole
    face: Text
    kind: OptionalText = ""


class OffersQuery(RequestModel):
    """Whose board, and the key of its place; '' for all places of the board."""

    seat: Annotated[
        int,
        Digits,
        Field(ge=0, le=LARGEST_SEAT),
        Needs(say("The request needs {field}, a whole number from 0.", field=FIELD)),
    ]
    row: str = ""


class ConfirmRequest(RequestModel):
    """Whether another seat agrees to a change of the score, by its number."""

    example: ClassVar = {"number": 12, "agrees": True}

    number: Whole
    agrees: YesNo


# JSON of games that stand open, and the requests to go back to one or to end it


@dataclass(frozen=True)
class OpenSeatSchema:
    """A player of an open game."""

    name: str
    score: int | None
    """null where the rules of today cannot play the game on."""


@dataclass(frozen=True)
class OpenGameSchema:
    """A game that stands open."""

    number: Count
    game: str
    title: str
    started_at: str
    played_at: str
    """When something happened in it last: ISO 8601 in UTC."""
    on_table: bool
    """True for the game that is on the table now."""
    seats: tuple[OpenSeatSchema, ...]

    @classmethod
    def of(cls, game: OpenGame) -> OpenGameSchema:
        scores = dict(enumerate(game.scores))
        seats = tuple(OpenSeatSchema(shown_name(name), scores.get(place)) for place, name in enumerate(game.players))
        started, played = (moment.isoformat(timespec="seconds") for moment in (game.started_at, game.played_at))
        return cls(game.number, game.game, game.title, started, played, game.on_table, seats)


@dataclass(frozen=True)
class OpenGamesResponse:
    """The games that stand open, the one that was on the table last first."""

    games: tuple[OpenGameSchema, ...]
    most: Count
    """How many may stand open at once."""


class PlayOnRequest(StepRequest):
    """The open game to go back to; `step` is the moment that the page shows, 0.0 without a game."""

    number: Whole
    example: ClassVar = {"number": 3}


# JSON of a challenge: a past throw with its film and readings, and what would follow from another face


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
