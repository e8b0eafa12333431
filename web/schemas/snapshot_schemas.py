"""The shape of a snapshot: what every tablet shows at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from referee.journal import Deed, Source
from referee.snapshot import NoticeMood, QuestionTopic, TrayActivity
from web.schemas.board_schemas import BoardDie, BoardSchema
from web.schemas.response_model import Count, ResponseModel, rounded


@dataclass(frozen=True)
class KindHeading(ResponseModel):
    """A kind of die of the game, and the colours of its body (`#rrggbb`, none where they are not known)."""

    kind: str
    title: str
    bodies: tuple[str, ...]


@dataclass(frozen=True)
class GameHeading(ResponseModel):
    """The game that is played, and its dice."""

    name: str
    title: str
    die_set: str
    kinds: tuple[KindHeading, ...]


@dataclass(frozen=True)
class PlayerScore(ResponseModel):
    """A player and the score."""

    seat: Count
    name: str
    score: int
    left: bool
    """True if the player has left the game."""


@dataclass(frozen=True)
class AwaitedDice(ResponseModel):
    """How many dice of a kind are to be thrown."""

    kind: str
    title: str
    count: Count


@dataclass(frozen=True)
class StateSchema(ResponseModel):
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
class SumTermSchema(ResponseModel):
    """Dice that counted, and what they are worth together; `label` says what counted where no dice did."""

    dice: tuple[BoardDie, ...]
    worth: int
    label: str


@dataclass(frozen=True)
class DiceSumSchema(ResponseModel):
    """How a call counted: terms that are added up, then taken so many times."""

    terms: tuple[SumTermSchema, ...]
    times: Count
    total: int


@dataclass(frozen=True)
class CallSchema(ResponseModel):
    """What happened, and the rule that says so."""

    sentence: str
    rule: str
    moment: str
    """What the table celebrates or mourns with this call: `score`, `bust`, `win` and others; '' for nothing."""
    sum: DiceSumSchema | None


@dataclass(frozen=True)
class OfferSchema(ResponseModel):
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
    """True if the page asks once more before the action is done."""
    means: str
    """What a grave action does, else ''."""


@dataclass(frozen=True)
class TableOffer(OfferSchema):
    """Something that may be done, in the snapshot of the table."""

    places: tuple[str, ...]
    """The places of the boards that the offer belongs to, each as `seat:key`; seat 0 is the middle of the table."""
    dice: tuple[BoardDie, ...]
    """The dice that the action moves or uses; a face is '' where it is to be thrown."""
    throws: tuple[Count, ...]
    """The dice of the table that a throw takes up, by number; none for others, and where it is not known which."""


@dataclass(frozen=True)
class FaceTitle(ResponseModel):
    """A face and its title."""

    face: str
    title: str


@dataclass(frozen=True)
class OtherKind(ResponseModel):
    """A kind that a die may be corrected to, and its title."""

    kind: str
    title: str


@dataclass(frozen=True)
class Ring(ResponseModel):
    """Where a die lies in a picture: its centre and its edge as fractions of the picture's width and height."""

    x: Annotated[float, rounded(4)]
    y: Annotated[float, rounded(4)]
    edge: Annotated[float, rounded(4)]
    """A fraction of the width."""


@dataclass(frozen=True)
class DieSchema(ResponseModel):
    """A die as it was read."""

    number: Count
    kind: str
    face: str
    title: str
    confidence: Annotated[float, Field(ge=0, le=1), rounded(4)]
    sure: bool
    zone: str
    posture: str
    crop: str
    """The name of its picture, or ''."""
    faces: tuple[FaceTitle, ...]
    """What the die can be corrected to."""
    kinds: tuple[OtherKind, ...]
    """The other kinds that have its face."""
    mark: str
    """Why the face is not simply what was thrown and read: corrected, answered, by-hand, placed, turned, ...; or ''."""
    ring: Ring | None
    """Where it lies in the tray's picture; null where there is none."""


@dataclass(frozen=True)
class AnswerStepSchema(ResponseModel):
    """One action of the row that an answer stands for, and the dice that it names."""

    title: str
    dice: tuple[BoardDie, ...]


@dataclass(frozen=True)
class AnswerChoice(ResponseModel):
    """An answer to a question."""

    answer: str
    title: str
    likely: bool
    """True for the likeliest faces."""
    picture: str
    """The address of a picture of it, which may not be there (yet), or ''."""
    before: tuple[BoardDie, ...]
    """The dice that it is about, as they lay; a face is '' for a die that is thrown again."""
    after: tuple[BoardDie, ...]
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
class QuestionSchema(ResponseModel):
    """What the referee asks."""

    number: Count
    sentence: str
    choices: tuple[AnswerChoice, ...]
    picture: str
    die: Count
    """The die that the question is about, 0 for none and for several."""
    topic: QuestionTopic
    dice: tuple[Count, ...]
    """The dice that the question is about: one answer settles all of them."""
    crops: tuple[str, ...]
    """The names of their pictures, each may be ''."""
    seat: Count
    """Whose throw it is about, 0 where that is not known."""


@dataclass(frozen=True)
class PutBackSchema(ResponseModel):
    """A die that lies wrong, and how it should lie."""

    die: Count
    """Its number; 0 where it is not in view."""
    kind: str
    face: str
    title: str
    """What it should show."""
    shows: str
    """What it shows now, or ''."""
    place: str
    """The zone where it belongs, '' where it lies there already."""
    crop_before: str
    crop_now: str
    """The names of its pictures, each may be ''."""
    picture: str
    """The address of a picture of the face that it should show, or ''."""


@dataclass(frozen=True)
class ExtrasSchema(ResponseModel):
    """Facts in the names of the first API, kept for its clients: each a text, '' where there is nothing to say.

    A new fact is no extra: it is a field of `SnapshotResponse`.
    """

    table: TrayActivity
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


@dataclass(frozen=True)
class InterventionSchema(ResponseModel):
    """What somebody did to the game besides playing it, or what the camera saw hands do."""

    number: Count
    """The number of its entry."""
    sentence: str
    deed: Deed
    source: Source
    device: str
    """The name of the device, or '' where it is not known."""
    seat: Count
    """The seat that the device is bound to, or 0."""
    kind: str
    old: FaceTitle | None
    """What the die was taken for."""
    new: FaceTitle | None
    """What people say that it shows."""


@dataclass(frozen=True)
class UnconfirmedSchema(ResponseModel):
    """A change of the score that waits until another seat confirms it."""

    number: Count
    sentence: str
    device: str
    seat: Count


@dataclass(frozen=True)
class SpokenPartSchema(ResponseModel):
    """A part of what the caller says: a sound of that name, or clips by their keys."""

    sound: str
    clips: tuple[tuple[str, ...], ...]
    """Rows of keys, the best first: the first row is said of which the voice has all."""
    name: str
    """Said before the clips where the device has a voice for names, '' for none."""
    unnamed: tuple[tuple[str, ...], ...]
    """Said in place of the clips where the name is not said; empty: the clips are."""


@dataclass(frozen=True)
class UtteranceSchema(ResponseModel):
    """The utterance of the caller for one change."""

    number: Count
    """The number of the snapshot that brought the change: a device says it once."""
    level: Literal["low", "all"]
    """From which level of the caller on it is said."""
    parts: tuple[SpokenPartSchema, ...]


@dataclass(frozen=True)
class SnapshotResponse(ResponseModel):
    """The table at one moment."""

    number: Count
    """Grows with every change during one run of the program."""
    game: GameHeading | None
    state: StateSchema | None
    calls: tuple[CallSchema, ...]
    called: Count
    """The number of the entry that the calls are of, 0 for none: a page shows its moment once."""
    moment: str
    """The strongest moment of the calls, '' for none."""
    notice: str
    """The one line at the top, or ''."""
    notice_is_prompt: bool
    """True if the notice says no more than `state.tell`."""
    mood: NoticeMood
    rule: str
    evidence: str
    """The name of the picture that belongs to the notice, or ''."""
    offers: tuple[TableOffer, ...]
    boards: tuple[BoardSchema, ...]
    dice: tuple[DieSchema, ...]
    tray_picture: str
    """The name of the picture of the tray, from straight above, in which the dice have rings; or ''."""
    questions: tuple[QuestionSchema, ...]
    put_back: tuple[PutBackSchema, ...]
    """The dice that lie wrong while a breach or a mismatch stands."""
    last: tuple[str, ...]
    """The last few standing actions in words, newest first."""
    unconfirmed: UnconfirmedSchema | None
    interventions: tuple[InterventionSchema, ...]
    """What people or hands did besides playing, since the last throw but one; newest first."""
    last_throws: tuple[Count, ...]
    """For each of `last` the number of its entry if that threw dice, so that it can be challenged; else 0."""
    take_back: str
    """What would be taken back now, in words: the newest thing done, a correction too; '' for nothing."""
    camera: str
    camera_trouble: str
    turn_points: int
    odds: bool
    """True if chances can be computed for this game."""
    unsaved: bool
    """True while the journal cannot be written: nobody should throw, and what is tapped is refused."""
    held_throws: Count
    """How many throws wait until the journal can be written, or the open question is answered."""
    utterances: tuple[UtteranceSchema, ...]
    """What the caller said of the last changes, the newest last."""
    extras: ExtrasSchema
