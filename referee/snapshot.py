"""All that the pages, the lamp and the button need to know of the table at one moment: frozen values, typed facts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Literal, Self

from referee.actions import Action, GameState
from referee.board import Board
from referee.calls import Call
from referee.dice import Die, DieKind, DieSet, FaceName
from referee.game import Game
from referee.journal import Deed, Source

SURE = 0.9
"""From this confidence on a reading is shown as sure."""


class NoticeMood(StrEnum):
    """What kind of line the notice is: all is well, a question, a breach of the rules, or play cannot go on (LOST).

    LOST stands for no view of the tray, and for a journal that cannot be written.
    """

    CALM = "calm"
    ASK = "ask"
    BREACH = "breach"
    LOST = "lost"


class TrayActivity(StrEnum):
    """State of the tray as the camera last saw it: not seen, at rest, moving, or a hand inside."""

    UNSEEN = "unseen"
    AT_REST = "quiet"
    MOVING = "moving"
    HAND_IN = "a hand is in it"


@dataclass(frozen=True)
class Offer:
    """Something that may be done now. `by_tap` is False for throws, which the camera sees.

    `throws` are the numbers of the dice on the table that a throw takes up; () for others, and where dice are missing.
    `usual` is 1 for what most people do next, 2 for what ends the turn instead, 0 for the rest. `loses` says what it
    throws away that could still be had.
    """

    action: Action
    title: str
    by_tap: bool
    throws: tuple[int, ...] = ()
    usual: int = 0
    loses: str = ""


def offers_of(game: Game, state: GameState) -> tuple[Offer, ...]:
    """Return what may be done in a state, for a table that sees each throw."""
    usual = game.usual_taps(state)
    return tuple(
        Offer(
            action,
            game.offer_title(state, action),
            not action.is_throw,
            usual=usual.get(action, 0),
            loses=game.loses(state, action),
        )
        for action in game.legal(state)
    )


@dataclass(frozen=True)
class DieRing:
    """Where a die lies in a picture: its centre and its edge as fractions of the picture's width and height."""

    x: float
    y: float
    edge: float
    """A fraction of the width."""

    @classmethod
    def at(cls, x: float, y: float, edge: float) -> Self:
        """Return a ring to four decimals: a page draws it no finer."""
        return cls(round(x, 4), round(y, 4), round(edge, 4))


@dataclass(frozen=True)
class FaceTitle:
    """A face and its title."""

    face: str
    title: str


@dataclass(frozen=True)
class OtherKind:
    """A kind that a die may be corrected to, and its title."""

    kind: str
    title: str
    faces: tuple[FaceTitle, ...]
    """What the die may show as one of that kind; empty where the kind has the face that is read."""


@dataclass(frozen=True)
class ShownDie:
    """A die as it was read."""

    number: int
    kind: str
    face: str
    title: str
    confidence: float
    """0..1."""
    sure: bool
    zone: str
    posture: str
    crop: str
    """The name of its picture, or ''."""
    faces: tuple[FaceTitle, ...]
    """What the die can be corrected to."""
    kinds: tuple[OtherKind, ...]
    """The other kinds of the set."""
    mark: str = ""
    """Why the face is not simply what was thrown and read: corrected, answered, by-hand, placed, turned, ...; or ''."""
    ring: DieRing | None = None
    """Where it lies in the tray's picture; null where there is none, or the die is beyond it."""

    @classmethod
    def of(  # noqa: PLR0913  # what was read, each by its name
        cls,
        dice: DieSet,
        number: int,
        die: Die,
        *,
        confidence: float,
        zone: str,
        posture: str = "flat",
        crop: str = "",
        faces: Iterable[FaceName] = (),
    ) -> Self:
        """Return a die of this set that was read so, and that may be corrected to these faces."""
        face = die.face or FaceName("")
        return cls(
            number=number,
            kind=die.kind,
            face=face,
            title=dice.face_title(die.kind, face),
            confidence=confidence,
            sure=confidence >= SURE,
            zone=zone,
            posture=posture,
            crop=crop,
            faces=tuple(FaceTitle(each, dice.face_title(die.kind, each)) for each in faces),
            kinds=tuple(_other_kind(kind, face) for kind in dice.kinds if die.kind and kind.name != die.kind),
        )


def _other_kind(kind: DieKind, face: FaceName) -> OtherKind:
    faces = () if face in kind.faces else tuple(FaceTitle(each, kind.title_of(each)) for each in kind.faces)
    return OtherKind(kind.name, kind.title, faces)


class QuestionTopic(StrEnum):
    """What a question is about: what happened, what dice show, which die is of a kind, dice that lie wrong or lean."""

    MEANING = "meaning"
    FACE = "face"
    KIND = "kind"
    PUT_BACK = "put-back"
    LEANING = "leaning"


@dataclass(frozen=True)
class AnswerStep:
    """One action of the row that an answer stands for, in words as they stand within a sentence, with its dice."""

    title: str
    dice: tuple[Die, ...] = ()


@dataclass(frozen=True)
class AnswerEffect:
    """What an answer would change on the table, for the small picture on its button.

    `before` and `after` are the dice that it is about, as they lay and as they are taken then; one without a face is
    thrown again. `seat` is who threw by this answer, `turn` whose turn it is then, each 0 where that says nothing;
    `points` is what that turn is worth then. `steps` is what was done, action by action.
    """

    answer: str
    before: tuple[Die, ...] = ()
    after: tuple[Die, ...] = ()
    seat: int = 0
    turn: int = 0
    points: int = 0
    steps: tuple[AnswerStep, ...] = ()


@dataclass(frozen=True)
class QuestionFacts:
    """What a question says in the program and on the pages alike."""

    number: int
    sentence: str
    _: KW_ONLY
    picture: str = ""
    die: int = 0
    """The die that the question is about, 0 for none and for several."""
    topic: QuestionTopic = QuestionTopic.MEANING
    dice: tuple[int, ...] = ()
    """The dice that the question is about: one answer settles all of them."""
    crops: tuple[str, ...] = ()
    """The names of their pictures, each may be ''."""
    seat: int = 0
    """Whose throw it is about, 0 where that is not known."""


@dataclass(frozen=True)
class Question(QuestionFacts):
    """A question that the table must answer: which of several ways, which face dice show, which die is of a kind.

    `choices` are (answer, title), the likeliest first; an answer is sent back unchanged. Of faces and of dice to choose
    among the first `likely` are shown at once, the others on request, and `shown` is what the first ones say that lies
    there. `effects` are of the answers that have one.
    """

    choices: tuple[tuple[str, str], ...]
    _: KW_ONLY
    likely: int = 0
    shown: tuple[Die, ...] = ()
    effects: tuple[AnswerEffect, ...] = ()


@dataclass(frozen=True)
class PicturedTray:
    """A picture of the tray from straight above, by its name, and where the dice in question lie in it."""

    name: str
    rings: tuple[DieRing, ...] = ()


@dataclass(frozen=True)
class QuestionPictures:
    """Pictures for an open question: the tray at the last ruling, and the tray now.

    Each is None where it is not at hand; `has_film` is True if there is a film of what moved between them.
    """

    before: PicturedTray | None = None
    after: PicturedTray | None = None
    has_film: bool = False


@dataclass(frozen=True)
class Intervention:
    """What somebody did to the game besides playing it, or what the camera saw hands do."""

    number: int
    """The number of its entry."""
    sentence: str
    deed: Deed
    source: Source
    device: str = ""
    """The name of the device, or '' where it is not known."""
    seat: int = 0
    """The seat that the device is bound to, or 0."""
    kind: str = ""
    old: FaceTitle | None = None
    """What the die was taken for."""
    new: FaceTitle | None = None
    """What people say that it shows."""


@dataclass(frozen=True)
class PutBack:
    """A die that lies wrong, and how it should lie, which lets the turn continue."""

    die: int
    """Its number; 0 where it is not in view."""
    kind: str
    face: str
    title: str
    """What it should show."""
    shows: str
    """What it shows now, or ''."""
    place: str = ""
    """The zone where it belongs, '' where it lies there already."""
    crop_before: str = ""
    crop_now: str = ""
    """The names of its pictures, each may be ''."""
    picture: str = ""
    """The address of a picture of the face that it should show, or ''."""


@dataclass(frozen=True)
class WaitingAction:
    """A tapped action that does not count yet, since another player may interrupt it: `sentence` says who, and how."""

    action: Action
    title: str
    sentence: str


@dataclass(frozen=True)
class UnconfirmedChange:
    """A change of the score that waits until another seat confirms it, and the device that asks for it."""

    number: int
    sentence: str
    device: str
    seat: int


@dataclass(frozen=True)
class SpokenPart:
    """A part of what the caller says: a sound of that name, or clips by their keys."""

    sound: str = ""
    clips: tuple[tuple[str, ...], ...] = ()
    """Rows of keys, the best first: the first row is said of which the voice has all."""
    name: str = ""
    """Said before the clips where the device has a voice for names, '' for none."""
    unnamed: tuple[tuple[str, ...], ...] = ()
    """Said in place of the clips where the name is not said; empty: the clips are."""


@dataclass(frozen=True)
class Utterance:
    """What the caller says for one change."""

    number: int
    """The number of the snapshot that brought the change: a device says it once."""
    level: Literal["low", "all"]
    """From which level of the caller on it is said."""
    parts: tuple[SpokenPart, ...]


@dataclass(frozen=True)
class SnapshotFacts:
    """What a snapshot says in the program and on the pages alike."""

    number: int
    """Grows with every change during one run of the program."""
    called: int = 0
    """The number of the journal's entry that the calls are of, 0 for none: a page shows its moment once."""
    notice: str = ""
    """The one line at the top of the page, or ''."""
    notice_is_prompt: bool = False
    """True if the notice says what the game waits for, as its state does."""
    mood: NoticeMood = NoticeMood.CALM
    rule: str = ""
    """The rule that a breach is against, or ''."""
    evidence: str = ""
    """The name of the picture that belongs to the notice, or ''."""
    dice: tuple[ShownDie, ...] = ()
    tray_picture: str = ""
    """The name of the picture of the tray, from straight above, in which the dice have rings; or ''."""
    put_back: tuple[PutBack, ...] = ()
    """The dice that lie wrong while a breach or a mismatch stands."""
    last: tuple[str, ...] = ()
    """The last few standing actions in words, newest first."""
    unconfirmed: UnconfirmedChange | None = None
    interventions: tuple[Intervention, ...] = ()
    """What people or hands did besides playing, since the last throw but one; newest first."""
    last_throws: tuple[int, ...] = ()
    """For each of `last` the number of its entry if that threw dice, so that it can be challenged; else 0."""
    take_back: str = ""
    """What would be taken back now, in words: the newest thing done, a correction too; '' for nothing."""
    camera: str = ""
    """The camera's name."""
    camera_trouble: str = ""
    """'' or one sentence: lost, frozen, covered, no tray in sight, lent."""
    turn_points: int = 0
    unsaved: bool = False
    """True while the journal cannot be written: nobody should throw, and what is tapped is refused."""
    held_throws: int = 0
    """How many throws wait until the journal can be written, or the open question is answered."""
    utterances: tuple[Utterance, ...] = ()
    """What the caller said of the last changes, the newest last."""


@dataclass(frozen=True)
class Snapshot(SnapshotFacts):
    """The table at one moment."""

    game: Game | None = None
    state: GameState | None = None
    calls: tuple[Call, ...] = ()
    offers: tuple[Offer, ...] = ()
    questions: tuple[Question, ...] = ()
    last_throw: str = ""
    """The last standing throw that counts, in words, or ''."""
    boards: tuple[Board, ...] = ()
    """What lies before each player besides the dice; seat 0 is the middle of the table."""
    tray: TrayActivity = TrayActivity.UNSEEN
    doubts: tuple[str, ...] = ()
    """Sentences about what the camera cannot tell."""
    waiting: WaitingAction | None = None
    check: int | None = None
    """The number of the throw that people are asked about (was it read right?), or None."""
    alerts: tuple[str, ...] = ()
    """Sentences about the box and its disk: what keeps play from going on comes first."""
    low_power: bool = False
    resumed: str = ""
    """Where the game stands, after a restart and until something happens; else ''."""
    lent: bool = False
    """True while dice are shown in the tray, and nobody plays there."""
    manual_entry: bool = False
    """True if dice may be entered by hand now, and a throw is awaited."""
    step: str = ""
    """The game's number and how many entries it has, `12.34`; '' without a game."""
    run: str = ""
    """This run of the program: numbers of snapshots are compared within a run only."""
