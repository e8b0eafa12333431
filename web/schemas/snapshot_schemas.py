"""The shape of a snapshot: what every tablet shows at one moment, its boards, and what an open question shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from referee import snapshot
from referee.board import BoardRow, Lights, Tally, Track
from referee.sentences import say
from web.schemas.response_model import FIELD, Count, Digits, Needs, RequestModel

# JSON of the boards: what lies before the players besides the thrown dice


@dataclass(frozen=True)
class TitledDie:
    """A die with a face, and the face's title; both are '' for a die that is to come."""

    kind: str
    face: str
    title: str


@dataclass(frozen=True)
class BoardFact:
    """A named value that a board shows."""

    name: str
    value: str


@dataclass(frozen=True)
class DicePlaceSchema:
    """A place for dice."""

    part: Literal["dice"]
    key: str
    title: str
    dice: tuple[TitledDie, ...]
    room: Count
    """How many places are drawn at least."""
    points: int | None
    price: Count
    needs: str
    wanted: tuple[TitledDie, ...]
    """The dice that the place takes next, where they can be shown."""
    takes_all: bool
    """True if an offer names all dice that are to lie there, also those that do already."""
    mark: str
    taps: Count
    """How many offers belong to the place; /api/offers lists them."""


@dataclass(frozen=True)
class CardSchema:
    """A card or a deck."""

    part: Literal["card"]
    key: str
    title: str
    face: str
    dice: tuple[TitledDie, ...]
    discarded: tuple[str, ...]
    holds: str
    made_of: tuple[TitledDie, ...]
    """The dice on the table that let the card go."""
    dealt_to: Count
    """The seat in whose colour the card is drawn, 0 for none."""
    mark: str
    taps: Count


@dataclass(frozen=True)
class SectionSchema:
    """A part of a sheet, or cards to choose from."""

    part: Literal["section"]
    key: str
    title: str
    places: tuple[DicePlaceSchema | CardSchema, ...]
    note: str
    is_here: bool
    facts: tuple[BoardFact, ...]
    taps: Count


@dataclass(frozen=True)
class TappedPart:
    """A part of a board on a page. `taps`: how many offers belong to it; by which verbs is not sent."""

    verbs: Annotated[tuple[str, ...], Field(exclude=True)] = ()
    taps: Count = 0


@dataclass(frozen=True)
class TrackSchema(TappedPart, Track):
    """A way to a goal."""

    part: Literal["track"] = "track"


@dataclass(frozen=True)
class LightsSchema(TappedPart, Lights):
    """Lights. `look`: '' in a row, `upright` one above the other, `titled` in a row with the title next to it."""

    part: Literal["lights"] = "lights"


@dataclass(frozen=True)
class TallySchema(TappedPart, Tally):
    """A number with a name. `look`: '' as a number, `chips` as a stack of chips, `dots` as so many dots of the most."""

    part: Literal["tally"] = "tally"


BoardPartSchema = DicePlaceSchema | SectionSchema | TrackSchema | CardSchema | LightsSchema | TallySchema


@dataclass(frozen=True)
class BoardRowSchema(BoardRow):
    """A line of a board. `taps`: how many offers a tap on the row opens; /api/offers lists them."""

    taps: Count = 0


@dataclass(frozen=True)
class BoardSchema:
    """What lies before a player, or (seat 0) in the middle of the table."""

    seat: Count
    title: str
    facts: tuple[BoardFact, ...]
    columns: tuple[str, ...]
    rows: tuple[BoardRowSchema, ...]
    parts: tuple[BoardPartSchema, ...]
    brief: tuple[str, ...]
    """The keys of the parts that are shown of a player who does not act."""


# The shape of a snapshot: what every tablet shows at one moment


@dataclass(frozen=True)
class KindHeading:
    """A kind of die of the game, and the colours of its body (`#rrggbb`, none where they are not known)."""

    kind: str
    title: str
    bodies: tuple[str, ...]


@dataclass(frozen=True)
class GameHeading:
    """The game that is played, and its dice."""

    name: str
    title: str
    die_set: str
    kinds: tuple[KindHeading, ...]


@dataclass(frozen=True)
class PlayerScore:
    """A player and the score."""

    seat: Count
    name: str
    score: int
    left: bool
    """True if the player has left the game."""


@dataclass(frozen=True)
class AwaitedDice:
    """How many dice of a kind are to be thrown."""

    kind: str
    title: str
    count: Count


@dataclass(frozen=True)
class StateSchema:
    """Where the game stands."""

    players: tuple[PlayerScore, ...]
    to_act: tuple[Count, ...]
    on_turn: Count
    """The seat whose turn it is, though others may interrupt it; 0 while several act at once."""
    winner: tuple[Count, ...]
    dice_awaited: tuple[AwaitedDice, ...]
    tell: str
    lots: bool
    """True while the throw decides who begins."""


@dataclass(frozen=True)
class SumTermSchema:
    """Dice that counted, and what they are worth together; `label` says what counted where no dice did."""

    dice: tuple[TitledDie, ...]
    worth: int
    label: str


@dataclass(frozen=True)
class DiceSumSchema:
    """How a call counted: terms that are added up, then taken so many times."""

    terms: tuple[SumTermSchema, ...]
    times: Count
    total: int


@dataclass(frozen=True)
class CallSchema:
    """What happened, and the rule that says so."""

    sentence: str
    rule: str
    moment: str
    """What the table celebrates or mourns with this call: `score`, `bust`, `win` and others; '' for nothing."""
    sum: DiceSumSchema | None


@dataclass(frozen=True)
class OfferSchema:
    """Something that may be done."""

    action: str
    """In the notation of the game record."""
    player: Count
    """The seat, 0 for anybody."""
    verb: str
    choice: str
    title: str
    by_tap: bool
    grave: bool
    """True of what ruins a turn."""
    usual: Count
    """1 for what most people do next, 2 for what ends the turn instead, 0 for the rest: one offer of a seat each."""
    means: str
    """What a grave action does, or what one throws away; the page asks once more where it says something."""


@dataclass(frozen=True)
class TableOffer(OfferSchema):
    """Something that may be done, in the snapshot of the table."""

    places: tuple[str, ...]
    """The places of the boards that the offer belongs to, each as `seat:key`; seat 0 is the middle of the table."""
    dice: tuple[TitledDie, ...]
    """The dice that the action moves or uses; a face is '' where it is to be thrown."""
    throws: tuple[Count, ...]
    """The dice of the table that a throw takes up, by number; none for others, and where it is not known which."""


@dataclass(frozen=True)
class AnswerStepSchema:
    """One action of the row that an answer stands for, and the dice that it names."""

    title: str
    dice: tuple[TitledDie, ...]


@dataclass(frozen=True)
class AnswerChoice:
    """An answer to a question."""

    answer: str
    title: str
    likely: bool
    """True for the likeliest faces."""
    picture: str
    """The address of a picture of it, which may not be there (yet), or ''."""
    before: tuple[TitledDie, ...]
    """The dice that it is about, as they lay; a face is '' for a die that is thrown again."""
    after: tuple[TitledDie, ...]
    """The same dice as they are taken with this answer."""
    seat: Count
    """Who threw by this answer, 0 where that says nothing."""
    turn: Count
    """Whose turn it is then, 0 for nobody's, or where it says nothing of that."""
    points: int
    """What that turn is worth then."""
    steps: tuple[AnswerStepSchema, ...]
    """What was done, action by action; none for an answer that is no row of actions."""


@dataclass(frozen=True)
class QuestionSchema(snapshot.QuestionFacts):
    """What the referee asks."""

    choices: tuple[AnswerChoice, ...]


@dataclass(frozen=True)
class ExtrasSchema:
    """Facts in the names of the first API, kept for its clients: each a text, '' where there is nothing to say.

    A new fact is no extra: it is a field of `SnapshotResponse`.
    """

    table: snapshot.TrayActivity
    doubts: str
    """Sentences about what the camera cannot tell."""
    waits: str
    """The title of a tapped action that does not count yet."""
    check: str
    """The number of the throw that people are asked about."""
    worries: str
    """What is wrong with the box, a line each."""
    power: str
    """`low` while the supply's voltage is too low."""
    woke: str
    """Where the game stands after a restart."""
    lent: str
    """`lent` while dice are shown in the tray and nobody plays there."""
    by_hand: str
    """`open` while dice may be entered by hand."""
    step: str
    """The moment that the page shows; requests send it back so that a late tap is refused."""
    run: str
    """This run of the program; numbers of snapshots are compared within a run only."""


@dataclass(frozen=True, kw_only=True)
class SnapshotResponse(snapshot.SnapshotFacts):
    """The table at one moment."""

    game: GameHeading | None
    state: StateSchema | None
    calls: tuple[CallSchema, ...]
    moment: str
    """The strongest moment of the calls, '' for none."""
    offers: tuple[TableOffer, ...]
    boards: tuple[BoardSchema, ...]
    questions: tuple[QuestionSchema, ...]
    odds: bool
    """True if chances can be computed for this game."""
    extras: ExtrasSchema


# JSON of what a page shows of an open question: the tray before and after, and a film of what moved between


LARGEST_QUESTION = 10**9


@dataclass(frozen=True)
class PicturedTraySchema:
    """The tray from straight above, and where the dice in question lie in the picture."""

    src: str
    rings: tuple[snapshot.DieRing, ...]


@dataclass(frozen=True)
class QuestionPicturesResponse:
    """What can be shown of what an open question is about."""

    film: str
    """The address of the film of what moved since the last ruling, or ''."""
    before: PicturedTraySchema | None
    """The tray as it was ruled on last; null where that is not at hand."""
    after: PicturedTraySchema | None


class QuestionQuery(RequestModel):
    """Which open question, by its number."""

    number: Annotated[
        int,
        Digits,
        Field(ge=0, le=LARGEST_QUESTION),
        Needs(say("The request needs {field}, the number of a question.", field=FIELD)),
    ]


def question_pictures_response(number: int, found: snapshot.QuestionPictures) -> QuestionPicturesResponse:
    """Return what can be shown of the question of that number, with its addresses."""
    film = f"/api/question/film?number={number}" if found.has_film else ""
    return QuestionPicturesResponse(film, _pictured(found.before), _pictured(found.after))


def _pictured(tray: snapshot.PicturedTray | None) -> PicturedTraySchema | None:
    if tray is None:
        return None
    return PicturedTraySchema(f"/pictures/{tray.name}.jpg", tray.rings)
