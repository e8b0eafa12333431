"""The state of the session: a frozen value, with its prompts, alerts and the events that a decision leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Literal

from hardware.cameras.base import WORKING, CameraReport
from models.dataset.samples import CheckedDie, DieOfThrow, LabelSource, SpotCheck, StatedFaces
from referee.actions import Action
from referee.dice import Die, DieSet, KindName, Seen, SeenDie
from referee.journal import Actor, Entry
from referee.phrases import in_a_row
from referee.sentences import Refused, say
from referee.snapshot import Question, WaitingAction
from referee.umpire import HandChange, RethrowDue, Sayings
from vander.table.match import Match, Way
from vision.frame_reader import ImageSource
from vision.observations import Observation, TrackedDie
from vision.tray_calibration import TrayLayout

# Alerts

Kind = Literal["power", "heat", "disk", "clock", "journal"]


@dataclass(frozen=True)
class HealthAlert:
    """Something that is wrong with the box now, in one or two sentences for people: what it is, and what helps."""

    kind: Kind
    sentence: str


# What those hear who learn from people


@dataclass(frozen=True)
class DiceSettled:
    """The dice of a set have come to rest otherwise than before; those that count are `dice`."""

    die_set: str
    dice: tuple[TrackedDie, ...]


@dataclass(frozen=True)
class ThrowEnded:
    """Another throw lies there, or another game begins."""


@dataclass(frozen=True)
class DiceRecounted:
    """Dice and throws are counted from one again."""


@dataclass(frozen=True)
class ThrowRuled:
    """A throw that gave these dice their faces has been ruled on."""

    throw: int
    dice: tuple[CheckedDie, ...]


@dataclass(frozen=True)
class FacesStated:
    """People said what dice show; `source` is how it came that they said it."""

    faces: StatedFaces
    source: LabelSource


@dataclass(frozen=True)
class ReadingCorrected:
    """People corrected of themselves what a die was read as."""

    number: int
    throw: int


@dataclass(frozen=True)
class AnswerWithdrawn:
    """Earlier labels of these dice are invalid: the answer was taken back, or is being corrected."""

    dice: tuple[DieOfThrow, ...]


@dataclass(frozen=True)
class DoubtSettled:
    """Dice that were read in doubt, and that nobody was asked about, show this: the ruling that stands knows it."""

    faces: StatedFaces
    source: LabelSource = LabelSource.RULED


LabelEvent = (
    DiceSettled
    | ThrowEnded
    | DiceRecounted
    | ThrowRuled
    | FacesStated
    | ReadingCorrected
    | AnswerWithdrawn
    | DoubtSettled
)


# What people are asked


@dataclass(frozen=True)
class Prompt:
    """A question that is open; where it asks whether an answer is sure, `sure_of` is the question that was answered."""

    question: Question
    sure_of: Question | None = field(default=None, kw_only=True)

    def asks_the_same(self, other: Prompt) -> bool:
        """True if both ask the same, whatever their numbers and pictures."""
        asked = other.question
        like_other = replace(self.question, number=asked.number, picture=asked.picture, crops=asked.crops)
        return replace(self, question=like_other) == other

    def numbered(self, number: int) -> Prompt:
        """Return the same prompt with its question's number."""
        return replace(self, question=replace(self.question, number=number))


@dataclass(frozen=True)
class FaceQuestion(Prompt):
    """The question what a die shows, or what several dice show that look alike."""


@dataclass(frozen=True)
class KindQuestion(Prompt):
    """The question which die of a throw is of a kind."""

    kind: KindName


@dataclass(frozen=True)
class Breach:
    """A breach of the rules: its sentence, its rule, and the name of its picture or ''."""

    sentence: str
    rule: str
    evidence: str = field(default="", compare=False)


@dataclass(frozen=True)
class MeaningQuestion(Prompt):
    """The question what happened. The first answers stand for `ways`."""

    ways: tuple[Way, ...] = ()


@dataclass(frozen=True)
class LeanedQuestion(Prompt):
    """The question whether a die leaned that was thrown again after its throw was ruled on.

    If not, it was the `breach`, or a legal throw where that is None. `entry` is the throw in which it showed `old`; it
    shows `new` now.
    """

    breach: Breach | None
    entry: int
    old: Die
    new: Die


@dataclass(frozen=True)
class WhoThrewQuestion(MeaningQuestion):
    """The question who threw, the first step of several: the answers are seats, and each has ways of its own."""


@dataclass(frozen=True)
class HowFarQuestion(MeaningQuestion):
    """The question how far a player went before a throw, such as to which card; the answers stand for `ways`."""


@dataclass(frozen=True)
class BreachQuestion(Prompt):
    """The question after a recorded breach: put the dice right, or go on as they lie."""


@dataclass(frozen=True)
class MismatchQuestion(Prompt):
    """The question about dice that do not lie as the journal has them: put them right, or go on as they lie."""


@dataclass(frozen=True)
class ThrownQuestion(Prompt):
    """The question whether dice were thrown that nobody saw tumble, each for its throw."""

    asked: tuple[DieOfThrow, ...] = ()


@dataclass(frozen=True)
class InterventionQuestion(Prompt):
    """What hands did that has to be put right: it is done, or people say that dice were thrown, or go on as they lie.

    `asked` are the dice of which that may be said.
    """

    asked: tuple[DieOfThrow, ...] = ()


@dataclass(frozen=True)
class UnseenThrowQuestion(MismatchQuestion):
    """The question whether dice that lie wrong were thrown while nobody saw it. The first answers stand for `ways`."""

    ways: tuple[Way, ...] = ()


@dataclass(frozen=True)
class SetFlatQuestion(Prompt):
    """The question whether leaning dice count that a hand has set flat, or are thrown again."""


@dataclass(frozen=True)
class LeaningQuestion(Prompt):
    """The question about dice that seem to lean: they are thrown again, or set down if they were kept, or lie flat."""


@dataclass(frozen=True)
class Mismatch:
    """The dice do not lie as the journal has them; `sentence` says where."""

    sentence: str


# The state, and one decision
#
# Nothing in here is changed in place; every decision takes a SessionState and returns a Step.

MAKE_ROOM = say("Make room on the card, or use another one.")


class Mode(Enum):
    """What the tray is used for."""

    PLAYING = "playing"
    CAPTURING = "capturing"
    """It is lent: dice are shown there, and play waits."""
    MANUAL = "manual"
    """Dice were entered by hand since the camera was lost: what it sees is ruled on only after a fresh start."""


@dataclass(frozen=True)
class SessionConfig:
    """What does not change in play; another camera or tray changes it.

    `dice` lie ready while no game is on; `camera` is the camera's name; without a `bay` field and aside cannot be told
    apart; an action that another player may interrupt waits `pause_s`; `run` is a token of this run of the program;
    `layout` is the tray's size and zones.
    """

    dice: DieSet
    camera: str = ""
    bay: bool = True
    pause_s: float = 0.0
    run: str = ""
    layout: TrayLayout = field(default_factory=TrayLayout)


@dataclass(frozen=True)
class CameraView:
    """State of the camera, and whether something moves or a hand is in the tray.

    `calibrated` is of the last observation at rest, `doubts` are of the last one. `pictured` counts how often dice were
    pictured, so that each picture has a name of its own; `has_image` is True if a frame is at hand that may be kept as
    evidence. Blind times up to `blind_until`, and dice taken up until `taken_up_until`, are in the journal (both in the
    seconds of the frames).
    """

    report: CameraReport = WORKING
    at_rest: bool = False
    hands_in: bool = False
    calibrated: bool = True
    doubts: tuple[str, ...] = ()
    pictured: int = 0
    has_image: bool = False
    blind_until: float = -1.0
    taken_up_until: float = -1.0


@dataclass(frozen=True)
class TableView:
    """Facts about the dice, by die number, since the last recount (which numbers dice and throws from one again).

    `observed` is the last observation at rest that differed from the one before; `seen` is the same in the referee's
    words, with the faces that people stated; `ruled` is the table as last ruled on. All three are None until the
    camera has seen the tray.
    `stated` is what a die shows beyond doubt, for the throw that it was said of; `sources` is why people said it.
    `kinds_left` are the kinds that a die may still be of after what people said.
    `thrown_by` is the entry that gave a die its face, `given` all dice that an entry gave their faces, `crops` the name
    of a die's last picture, `ruled_crops` that of its picture as it was last ruled on; `picture` is the name of the
    picture of the tray in which `observed` was read, '' for none; `ruled_observed` and `ruled_picture` are both as they
    were last ruled on. Dice of throws up to the number `before_game` lay so when the game began; -1 where none did.
    """

    observed: Observation | None = None
    seen: Seen | None = None
    ruled: Seen | None = None
    stated: StatedFaces = field(default_factory=dict)
    sources: Mapping[int, tuple[int, LabelSource]] = field(default_factory=dict)
    kinds_left: Mapping[DieOfThrow, tuple[KindName, ...]] = field(default_factory=dict)
    thrown_by: Mapping[int, int] = field(default_factory=dict)
    given: Mapping[int, tuple[DieOfThrow, ...]] = field(default_factory=dict)
    before_game: int = -1
    crops: Mapping[int, str] = field(default_factory=dict)
    ruled_crops: Mapping[int, str] = field(default_factory=dict)
    picture: str = ""
    ruled_observed: Observation | None = None
    ruled_picture: str = ""

    @property
    def thrown(self) -> tuple[SeenDie, ...]:
        """Return the dice that were thrown since the last ruling."""
        since = self.ruled.throw if self.ruled else 0
        return tuple(die for die in self.seen.dice if die.throw > since) if self.seen else ()

    @property
    def thrown_since_ruling(self) -> frozenset[DieOfThrow]:
        """Return the same, each as its number and its throw."""
        return frozenset((die.number, die.throw) for die in self.thrown)

    @property
    def lay(self) -> Mapping[int, Die]:
        """Return what the dice showed as they were last ruled on, by their numbers."""
        return {die.number: die.die for die in self.ruled.dice} if self.ruled else {}

    def ruled_on(self) -> TableView:
        """Return the view in which what lies there has been ruled on."""
        ruled = replace(self, ruled=self.seen, ruled_crops=self.crops)
        return replace(ruled, ruled_observed=self.observed, ruled_picture=self.picture)


@dataclass(frozen=True)
class ThrowDenied:
    """A throw that people say was none: its dice, by number, are thrown again after the throw of that number."""

    dice: frozenset[int]
    throw: int


@dataclass(frozen=True)
class Unresolved:
    """What came up since the last ruling. A ruling, or going on from how the dice lie, resolves all of it.

    `apart` are the dice that people said do not all show the same, so that they are asked about one by one.
    `pending` is what hands have done in the tray, `moved` what was pending before a throw that is not ruled on yet.
    `unfinished` is a sentence of the umpire on what is still to be done, or ''. `rethrow` is the dice that
    leaned since and are to be thrown again. `missed` counts the throws that nothing was kept of, so that they have to
    be made again. `said` is what people said of dice: whether they were thrown. `accused` are those of the throw that
    the breach is about. `hands` is what hands did with single dice, `intervention` the sentence on what of it has to be
    put right, `told` what of it everybody was told though nothing has to be done. `thrown_again` are the dice that are
    thrown again since people said that they had not been thrown.
    """

    prompts: tuple[Prompt, ...] = ()
    breach: Breach | None = None
    mismatch: Mismatch | None = None
    unfinished: str = ""
    pending: tuple[Action, ...] = ()
    moved: tuple[Action, ...] = ()
    rethrow: RethrowDue | None = None
    missed: int = 0
    apart: frozenset[DieOfThrow] = frozenset()
    said: Sayings = field(default_factory=dict)
    accused: frozenset[DieOfThrow] = frozenset()
    hands: tuple[HandChange, ...] = ()
    intervention: str = ""
    told: frozenset[HandChange] = frozenset()
    thrown_again: ThrowDenied | None = None


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question that was answered, for whoever answers it a moment later: the answer, and its title."""

    number: int
    choice: str
    title: str


@dataclass(frozen=True)
class HeldObservation:
    """The dice at rest as they were seen while nobody could rule on them, with their pictures if there are any.

    `missed` counts the throws that led there, where nothing was kept of those before the last: none can be ruled on.
    """

    observation: Observation
    images: ImageSource | None = None
    missed: int = 0


@dataclass(frozen=True)
class Backlog:
    """What was seen while the journal could not be written, or a question was open, in order."""

    observations: tuple[HeldObservation, ...] = ()


@dataclass(frozen=True)
class Health:
    """What is not well with the box and its disk.

    `unsaved` is why the journal cannot be written, `evidence_trouble` why the last picture could not be kept,
    '' where it could.
    """

    alerts: tuple[HealthAlert, ...] = ()
    unsaved: str = ""
    evidence_trouble: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return all of it in sentences: what keeps play from going on comes first.

        While the journal cannot be written, no other sentence about the card says that play goes on.
        """
        if self.unsaved:
            others = (alert.sentence for alert in self.alerts if alert.kind != "disk")
            return (in_a_row(self.unsaved, MAKE_ROOM), *others)
        said = (*(alert.sentence for alert in self.alerts), self.evidence_trouble)
        return tuple(sentence for sentence in said if sentence)

    def has(self, kind: Kind) -> bool:
        """True if there is an alert of that kind."""
        return any(alert.kind == kind for alert in self.alerts)


@dataclass(frozen=True)
class WaitingChange:
    """A change of the score that waits until another seat confirms it; `decide` does it then."""

    number: int
    sentence: str
    by: Actor
    decide: Callable[[SessionState], Step] = field(compare=False, repr=False)


@dataclass(frozen=True)
class SessionState:
    """The session at one moment.

    `waiting` is a tapped action that does not count yet; `check` is the throw that people are asked about; `resumed` is
    True after a restart until something happens, `returned` after going back to an open game. `backlog` waits until it
    can be ruled on. `recounts` counts how often the pipeline was asked to count dice and throws from one again,
    `questions` numbers the questions, and `answered` are the last ones that were answered. `unconfirmed` is a change
    that waits for another seat.
    """

    config: SessionConfig
    match: Match | None = None
    camera: CameraView = CameraView()
    table: TableView = TableView()
    unresolved: Unresolved = Unresolved()
    mode: Mode = Mode.PLAYING
    waiting: WaitingAction | None = None
    check: SpotCheck | None = None
    health: Health = Health()
    backlog: Backlog = Backlog()
    resumed: bool = False
    returned: bool = False
    recounts: int = 0
    questions: int = 0
    answered: tuple[AnsweredQuestion, ...] = ()
    unconfirmed: WaitingChange | None = None

    @property
    def dice(self) -> DieSet:
        """Return the dice that should lie on the table: the game's, or those that lie ready."""
        return self.match.start.dice if self.match else self.config.dice

    def signed(self, by: Actor) -> SessionState:
        """Return the state in which the next entries of people are by that actor."""
        if self.match is None or self.match.by == by:
            return self
        return replace(self, match=self.match.signed(by))

    @property
    def is_on(self) -> bool:
        """True if a game is on."""
        return self.match is not None and not self.match.over

    @property
    def is_blind(self) -> bool:
        """True if nobody sees what lies in the tray: the camera does not work, or the tray is lent."""
        return self.mode is Mode.CAPTURING or not self.camera.report.is_working

    @property
    def tray_doubt(self) -> str:
        """Return the doubt that no tray is in sight, where one should be; else ''."""
        is_expected = self.config.bay or self.config.layout.tapped is not None
        is_missing = is_expected and not self.camera.calibrated
        return next(iter(self.camera.doubts), "") if is_missing else ""

    @property
    def takes_manual_entry(self) -> bool:
        """True if dice may be entered by hand: nobody sees the tray, or did until now, or dice or throws are wrong."""
        is_unseen = any(isinstance(prompt, UnseenThrowQuestion) for prompt in self.unresolved.prompts)
        is_wrong = self.unresolved.mismatch is not None or self.unresolved.missed > 0 or is_unseen
        is_open = self.is_blind or bool(self.tray_doubt) or is_wrong or self.resumed
        return self.is_on and self.mode is not Mode.CAPTURING and is_open

    def with_image(self, has_image: bool) -> SessionState:
        """Return the state in which a frame may be kept as evidence, or none."""
        if has_image == self.camera.has_image:
            return self
        return replace(self, camera=replace(self.camera, has_image=has_image))

    def with_reports(self, check: SpotCheck | None, evidence_trouble: str) -> SessionState:
        """Return the state with the throw that people are asked about, and why the last picture could not be kept."""
        health = replace(self.health, evidence_trouble=evidence_trouble)
        if (check, health) == (self.check, self.health):
            return self
        return replace(self, check=check, health=health)

    @property
    def is_settled(self) -> bool:
        """True if the dice lie still and no hand is in the tray, or nobody can see whether they do."""
        return self.camera.at_rest or self.is_blind or self.table.seen is None


@dataclass(frozen=True)
class Step:
    """The result of one decision: the new state, with its journal entries, pictures and label events.

    `entries` are new in the journal, `evidence` names the picture kept with them (empty for none), `pictures` names
    the crops to be taken, by the dice's numbers, `events` are for those who learn from what people say. `refused` is
    said to who asked, after all else was done.
    """

    state: SessionState
    entries: tuple[Entry, ...] = ()
    evidence: str = ""
    pictures: Mapping[int, str] = field(default_factory=dict)
    events: tuple[LabelEvent, ...] = ()
    refused: Refused | None = None

    def to(self, state: SessionState, *events: LabelEvent) -> Step:
        """Return the step that leads to that state instead, with these events added."""
        return replace(self, state=state, events=(*self.events, *events))

    def with_match(self, after: Match, evidence: str = "") -> Step:
        """Return the step with a match that has gone on: its new entries are the step's."""
        before = self.state.match
        known = len(before.entries) if before else 0
        entries = (*self.entries, *after.entries[known:])
        state = replace(self.state, match=after, resumed=False, returned=False)
        return replace(self, state=state, entries=entries, evidence=evidence or self.evidence)


def shown_face(die: TrackedDie) -> Die:
    """Return a die with the face that it was read as."""
    return Die(die.reading.kind, die.reading.face)
