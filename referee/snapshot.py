"""All that the pages, the lamp and the button need to know of the table at one moment: frozen values, typed facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.actions import Action
from referee.board import Board
from referee.calls import Call
from referee.dice import Die
from referee.game import Game
from referee.game_state import GameState
from referee.journal import Deed, Source


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
    """

    action: Action
    title: str
    by_tap: bool
    throws: tuple[int, ...] = ()


@dataclass(frozen=True)
class DieRing:
    """Where a die lies in the picture of the tray: its centre (x, y) and its edge.

    `x` and `edge` are fractions of the picture's width, `y` of its height.
    """

    x: float
    y: float
    edge: float


@dataclass(frozen=True)
class ShownDie:
    """A die as the tablet shows it: what was read, how sure, where; `crop` names its picture.

    `confidence` is 0..1; `faces` are all faces that the die can be corrected to. `mark` is why the face is not simply
    what a throw showed and the camera read: "corrected", "answered", "by-hand", or a `Handling`; '' where it is.
    """

    number: int
    kind: str
    face: str
    title: str
    confidence: float
    zone: str
    posture: str
    crop: str = ""
    faces: tuple[str, ...] = ()
    mark: str = ""
    ring: DieRing | None = None
    """Where it lies in the snapshot's `tray_picture`; None where there is none, or the die is beyond it."""


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
class Question:
    """A question that the table must answer: which of several ways, which face dice show, which die is of a kind.

    `choices` are (answer, title), the likeliest first; an answer is sent back unchanged. Of faces and of dice to choose
    among the first `likely` are shown at once, the others on request, and `shown` is what the first ones say that lies
    there. `picture` is '' where there is none.
    One answer settles all `dice`, whose pictures are `crops`, '' for none; `die` is 0 where they are none or several.
    `seat` is whose throw it is about, 0 where that is not known; `effects` are of the answers that have one.
    """

    number: int
    sentence: str
    choices: tuple[tuple[str, str], ...]
    picture: str = ""
    die: int = 0
    dice: tuple[int, ...] = ()
    crops: tuple[str, ...] = ()
    likely: int = 0
    shown: tuple[Die, ...] = ()
    topic: QuestionTopic = QuestionTopic.MEANING
    seat: int = 0
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
    """A line on every tablet: what somebody did to the game besides playing it, or what the camera saw hands do.

    `number` is the entry's; `device` and `seat` are '' and 0 where they are not known. `kind`, `old_face` and
    `new_face` are of the die that it is about, '' for none.
    """

    number: int
    sentence: str
    deed: Deed
    source: Source
    device: str = ""
    seat: int = 0
    kind: str = ""
    old_face: str = ""
    new_face: str = ""


@dataclass(frozen=True)
class PutBack:
    """A die in the wrong place or with the wrong face, and the target that lets the turn continue.

    `die` is its number, 0 where it is not in view. `kind`, `face` and `title` are what it should show, `shows` the
    title of what it shows now. `place` is the zone where it belongs, '' where it lies there already. `crop_before` and
    `crop_now` are the names of its pictures, '' for none.
    """

    die: int
    kind: str
    face: str
    title: str
    shows: str
    place: str = ""
    crop_before: str = ""
    crop_now: str = ""


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
    """A part of what the caller says: a sound, or the keys of clips that a voice has.

    `clips` are rows of keys, the best first: the first row is said of which the voice has all. `name` is said before
    them where there is a voice for names; where there is none, `unnamed` is said in place of `clips`, unless it is ().
    """

    sound: str = ""
    clips: tuple[tuple[str, ...], ...] = ()
    name: str = ""
    unnamed: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Utterance:
    """What the caller says of the change to the snapshot of this number; where it says a little, `is_low` alone."""

    number: int
    is_low: bool
    parts: tuple[SpokenPart, ...]


@dataclass(frozen=True)
class Snapshot:
    """The table at one moment. `number` grows with every change during one run of the program."""

    number: int
    game: Game | None = None
    state: GameState | None = None
    calls: tuple[Call, ...] = ()
    called: int = 0
    """The number of the journal's entry that the calls are of, 0 for none: it grows with each new one."""
    notice: str = ""
    """The one line at the top of the page."""
    notice_is_prompt: bool = False
    """True if the notice says what the game waits for, as its state does."""
    mood: NoticeMood = NoticeMood.CALM
    rule: str = ""
    """The rule that a breach is against, or ''."""
    evidence: str = ""
    """The name of the picture that belongs to the notice, or ''."""
    offers: tuple[Offer, ...] = ()
    dice: tuple[ShownDie, ...] = ()
    tray_picture: str = ""
    """The name of the picture of the tray in which the dice were read, from straight above, or ''."""
    questions: tuple[Question, ...] = ()
    put_back: tuple[PutBack, ...] = ()
    """The dice that lie wrong while a breach or a mismatch stands."""
    last: tuple[str, ...] = ()
    """The last few standing actions in words, newest first."""
    unconfirmed: UnconfirmedChange | None = None
    interventions: tuple[Intervention, ...] = ()
    """What people or hands did besides playing, since the last throw but one; newest first."""
    last_throws: tuple[int, ...] = ()
    """For each of `last` the number of its entry if that threw dice, so that it can be challenged; else 0."""
    last_throw: str = ""
    """The last standing throw that counts, in words, or ''."""
    take_back: str = ""
    """What would be taken back now, in words: the newest thing done, a correction too; '' for nothing."""
    boards: tuple[Board, ...] = ()
    """What lies before each player besides the dice; seat 0 is the middle of the table."""
    camera: str = ""
    """The camera's name."""
    camera_trouble: str = ""
    """'' or one sentence: lost, frozen, covered, no tray in sight, lent."""
    turn_points: int = 0
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
    unsaved: bool = False
    """True while the journal cannot be written: nobody should throw, and what is tapped is refused."""
    held_throws: int = 0
    """How many throws wait until the journal can be written, or the open question is answered."""
    lent: bool = False
    """True while dice are shown in the tray, and nobody plays there."""
    manual_entry: bool = False
    """True if dice may be entered by hand now, and a throw is awaited."""
    step: str = ""
    """The game's number and how many entries it has, `12.34`; '' without a game."""
    utterances: tuple[Utterance, ...] = ()
    """What the caller said of the last changes, the newest last."""
    run: str = ""
    """This run of the program: numbers of snapshots are compared within a run only."""
