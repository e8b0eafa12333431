"""All that the pages, the lamp and the button need to know of the table at one moment: frozen values, typed facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.board import Board
from referee.dice import Die
from referee.game import Action, Call, Game, GameState


class NoticeMood(StrEnum):
    """What kind of line the notice is: all is well, a question, a breach of the rules, or play cannot go on (LOST).

    LOST stands for no view of the tray, and for a journal that cannot be written.
    """

    CALM = "calm"
    ASK = "ask"
    BREACH = "breach"
    LOST = "lost"


class TrayActivity(StrEnum):
    """What goes on in the tray, as far as the camera has seen it."""

    UNSEEN = "unseen"
    AT_REST = "quiet"
    MOVING = "moving"
    HAND_IN = "a hand is in it"


@dataclass(frozen=True)
class Offer:
    """Something that may be done now. `by_tap` is False for throws, which the camera sees."""

    action: Action
    title: str
    by_tap: bool


@dataclass(frozen=True)
class ShownDie:
    """A die as the tablet shows it: what was read, how sure, where; `crop` names its picture.

    `confidence` is 0..1; `faces` are all faces that the die can be corrected to.
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


class QuestionTopic(StrEnum):
    """What a question is about: what happened, what dice show, or which die is of a kind."""

    MEANING = "meaning"
    FACE = "face"
    KIND = "kind"


@dataclass(frozen=True)
class Question:
    """A question that the table must answer: which of several ways, which face dice show, which die is of a kind.

    `choices` are (answer, title); an answer is sent back unchanged. The first `likely` of them are the likeliest, 0
    where none is likelier, and `shown` is what the first ones say that lies there. `picture` is '' where there is none.
    One answer settles all `dice`, whose pictures are `crops`, '' for none; `die` is 0 where they are none or several.
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


@dataclass(frozen=True)
class WaitingAction:
    """A tapped action that does not count yet, since another player may interrupt it: `sentence` says who, and how."""

    action: Action
    title: str
    sentence: str


@dataclass(frozen=True)
class Snapshot:
    """The table at one moment. `number` grows with every change during one run of the program."""

    number: int
    game: Game | None = None
    state: GameState | None = None
    calls: tuple[Call, ...] = ()
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
    questions: tuple[Question, ...] = ()
    last: tuple[str, ...] = ()
    """The last few standing actions in words, newest first."""
    last_throw: str = ""
    """The last standing throw that counts, in words, or ''."""
    can_undo: bool = False
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
    """How many throws wait until the journal can be written."""
    lent: bool = False
    """True while dice are shown in the tray, and nobody plays there."""
    manual_entry: bool = False
    """True if dice may be entered by hand now, and a throw is awaited."""
    step: str = ""
    """The game's number and how many entries it has, `12.34`; '' without a game."""
    run: str = ""
    """This run of the program: numbers of snapshots are compared within a run only."""
