"""JSON of learning: die sets, captured pictures, lessons, the table's accuracy, and questions about throws.

A picture of a single die has a name of letters, digits, `-` and `_`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import PlainSerializer

from web.schemas.response_model import Count, ResponseModel, rounded

LEAST_QUOTA_MB, MOST_QUOTA_MB = 20, 1_000_000
"""Limits of the disk space for pictures of play."""
RAREST_CHECK = 1000
"""One throw in so many is the rarest question that may be chosen."""

CaptureMood = Literal["wait", "look", "taken", "again", "trouble"]
Share4 = Annotated[float, rounded(4)]


@dataclass(frozen=True)
class LabelledFace(ResponseModel):
    """A face of a kind of dice, and its title."""

    kind: str
    face: str
    title: str


@dataclass(frozen=True)
class LikelyFace(LabelledFace):
    """A face that a die may show, and how likely it is."""

    share: Share4


@dataclass(frozen=True)
class KindTitle(ResponseModel):
    """A kind of dice."""

    name: str
    title: str


@dataclass(frozen=True)
class LessonVersion(ResponseModel):
    """A lesson that can be used again."""

    version: Count
    at: str
    words: str


@dataclass(frozen=True)
class ThrowCheckDie(ResponseModel):
    """A die of a throw as it was read, and the name of its picture."""

    number: Count
    title: str
    picture: str


def _face_or_none(which: tuple[str, str, str]) -> LabelledFace | None:
    return LabelledFace(*which) if which[1] else None


FaceOrNone = Annotated[tuple[str, str, str], PlainSerializer(_face_or_none, return_type=LabelledFace | None)]


@dataclass(frozen=True)
class FaceMeter(ResponseModel):
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
class DieSetSummary(ResponseModel):
    """A die set with the meters of its faces."""

    name: str
    title: str
    own: bool
    """True if it was made at this table: it may be deleted."""
    kinds: Annotated[
        tuple[tuple[str, str], ...],
        PlainSerializer(lambda kinds: [KindTitle(*kind) for kind in kinds], return_type=list[KindTitle]),
    ]
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
class CaptureStatus(ResponseModel):
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
class Choices(ResponseModel):
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
class LearningOverview(ResponseModel):
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
class CapturedDie(ResponseModel):
    """A captured die: `said` and `read` are null where nothing was said or read."""

    picture: str
    dice: str
    said: FaceOrNone = ("", "", "")
    read: FaceOrNone = ("", "", "")
    likely: Annotated[
        tuple[tuple[str, str, str, float], ...],
        PlainSerializer(lambda faces: [LikelyFace(*face) for face in faces], return_type=list[LikelyFace]),
    ] = ()
    """Likeliest first."""
    by: str = ""
    """Who said it, in words."""
    at: str = ""
    doubt: Share4 = 0.0
    """0..1."""


@dataclass(frozen=True)
class AlikeFaces(ResponseModel):
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
class Share(ResponseModel):
    """A share with its 95 % interval: `hits` of `count`; share, low and high are 0..1."""

    hits: Count
    count: Count
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class LessonSummary(ResponseModel):
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
    versions: Annotated[
        tuple[tuple[int, str, str], ...],
        PlainSerializer(lambda rows: [LessonVersion(*row) for row in rows], return_type=list[LessonVersion]),
    ] = ()
    """Newest first."""


@dataclass(frozen=True)
class TableAccuracy(ResponseModel):
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
class ThrowCheck(ResponseModel):
    """A throw that people are asked about, whether it was read right."""

    number: Count
    dice: Annotated[
        tuple[tuple[int, str, str], ...],
        PlainSerializer(lambda dice: [ThrowCheckDie(*die) for die in dice], return_type=list[ThrowCheckDie]),
    ] = ()


@dataclass(frozen=True)
class PlayedFace(LabelledFace):
    """A face, and of how many dice people said in play that they show it."""

    dice: Count = 0


@dataclass(frozen=True)
class DoubtedDie(ResponseModel):
    """A die of play whose label looks wrong, or of which people said one thing and then another."""

    die: str
    """Its name, which stays."""
    said: LabelledFace
    other: LabelledFace
    """What it looks like, or what was said of it before."""
    sentence: str
    at: str
    throw: Count = 0
    """The number of its throw, 0 where that is not known."""
    pictured: bool = False
    """True if its picture is still in memory."""


@dataclass(frozen=True)
class AskedShare(ResponseModel):
    """About how many dice of so many people were asked."""

    asked: Count
    dice: Count


@dataclass(frozen=True)
class PlayBoard(ResponseModel):
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
class PlayBoardResponse(ResponseModel):
    """What was learned of a die set in play."""

    played: PlayBoard


@dataclass(frozen=True)
class DieSetResponse(ResponseModel):
    """One die set."""

    dice: DieSetSummary


@dataclass(frozen=True)
class LessonResponse(ResponseModel):
    """The lesson in use."""

    learned: LessonSummary


@dataclass(frozen=True)
class CaptureResponse(ResponseModel):
    """The guided capture that is going on, or null; `halts_game` if one that began now would stop a game."""

    sitting: CaptureStatus | None
    halts_game: bool = False


@dataclass(frozen=True)
class PicturesResponse(ResponseModel):
    """Captured dice."""

    pictures: tuple[CapturedDie, ...]


@dataclass(frozen=True)
class ThrowCheckResponse(ResponseModel):
    """The throw that is asked about, or null."""

    check: ThrowCheck | None
