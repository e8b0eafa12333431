"""What the pages of teaching need of the running program: the teacher's desk. `vander` gives one.

Pictures of single dice are called by a name of letters, digits, `-` and `_`; `shown` gives each as a JPEG.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

LEAST_QUOTA_MB, MOST_QUOTA_MB = 20, 1_000_000
"""What may be chosen as the room for pictures."""
RAREST_CHECK = 1000
"""One throw in so many is the rarest question that may be chosen."""


@dataclass(frozen=True)
class FaceMeter:
    """How well one face is captured. Shares are 0..1: of turns, places and lights seen, 1 is as varied as is useful.

    `advice` is what to do next, '' when it is enough; `picture` the name of its newest picture, '' before the first.
    """

    kind: str
    face: str
    title: str
    pictures: int = 0
    wanted: int = 0
    turns: float = 0.0
    places: float = 0.0
    lights: float = 0.0
    enough: bool = False
    advice: str = ""
    picture: str = ""


@dataclass(frozen=True)
class DiceShown:
    """A die set as the teacher sees it. `own`: made here, so that it may be renamed or dropped.

    `kinds` are (name, title), in order; `version` is the lesson in use, 0 for none; `fresh` says that pictures have
    come or changed since it was learned.
    """

    name: str
    title: str
    own: bool
    kinds: tuple[tuple[str, str], ...]
    faces: tuple[FaceMeter, ...]
    sessions: int = 0
    pictures: int = 0
    version: int = 0
    fresh: bool = False


@dataclass(frozen=True)
class Sitting:
    """A guided capture that is going on.

    `says` is one sentence for the person, such as "Turn and move the dice"; `mood` is wait, look, taken, again or
    trouble; `meter` the face's meter; `latest` the names of the pictures taken last, newest first; `taken` how many
    were taken in this sitting; `in_view` how many dice are seen.
    """

    dice: str
    title: str
    kind: str
    face: str
    says: str
    mood: str
    meter: FaceMeter
    taken: int = 0
    in_view: int = 0
    latest: tuple[str, ...] = ()
    itself: bool = True
    """Whether pictures are taken by themselves when the tray is at rest."""


@dataclass(frozen=True)
class Choices:
    """What the table has chosen.

    Whether play is kept (off until somebody switches it on), how much of it in megabytes, and how often it is asked
    whether a throw was read right: one throw in so many, 0 for never.
    """

    keep_play: bool = False
    quota_mb: int = 500
    check_one_in: int = 20


@dataclass(frozen=True)
class Overview:
    """All that the teaching page begins with.

    `used_mb`: what the pictures kept from play take up; `queued`: how many wait for a label; `trouble`: what cannot be
    kept or read of them, in a sentence, or ''.
    """

    dice: tuple[DiceShown, ...]
    sitting: Sitting | None
    choices: Choices
    queued: int = 0
    used_mb: float = 0.0
    trouble: str = ""


@dataclass(frozen=True)
class Captured:
    """One captured die.

    `said` and `read` are (kind, face, title), ('', '', '') for none; `likely` are (kind, face, title, share), likeliest
    first; `by` who said so, in words; `doubt` 0..1.
    """

    picture: str
    dice: str
    said: tuple[str, str, str] = ("", "", "")
    read: tuple[str, str, str] = ("", "", "")
    likely: tuple[tuple[str, str, str, float], ...] = ()
    by: str = ""
    at: str = ""
    doubt: float = 0.0


@dataclass(frozen=True)
class Pair:
    """Two faces that are confused or look alike, each with a few of its pictures.

    `alike`: so much so that they had better be one face, or be shown again from another side.
    """

    kind: str
    face: str
    title: str
    other: str
    other_title: str
    sentence: str
    pictures: tuple[str, ...] = ()
    other_pictures: tuple[str, ...] = ()
    alike: bool = False


@dataclass(frozen=True)
class Share:
    """A share with its 95 % interval: `hits` of `count`, all three in 0..1."""

    hits: int
    count: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Learned:
    """A lesson: what was learned from the pictures of a die set, and what to expect of it.

    `right` is of what it would accept, `asked` of all; `checked_by` says in words how that was found out
    ("each sitting read with what the others taught"). `version` 0: nothing has been learned yet, `sentence` says why.
    """

    dice: str
    title: str
    version: int
    sentence: str = ""
    at: str = ""
    pictures: int = 0
    faces: int = 0
    sessions: int = 0
    right: Share | None = None
    asked: Share | None = None
    checked_by: str = ""
    pairs: tuple[Pair, ...] = ()
    suspects: tuple[Captured, ...] = ()
    versions: tuple[tuple[int, str, str], ...] = ()
    """(version, when, a few words), newest first: each can be gone back to."""


@dataclass(frozen=True)
class Certificate:
    """The accuracy of this very table, from the throws that people were asked about. Shares are None before the first.

    `right`: dice read right of those accepted and checked; `throws`: checked throws with no mistake; `asked`: dice the
    reader asked about, of all read; `corrected`: dice that people corrected, of all read. `waiting` checks went
    unanswered.
    """

    since: str = ""
    right: Share | None = None
    throws: Share | None = None
    asked: Share | None = None
    corrected: Share | None = None
    waiting: int = 0
    sentence: str = ""


@dataclass(frozen=True)
class NewKind:
    """A kind of die to be made: its title and its faces' titles."""

    title: str
    faces: tuple[str, ...]
    count: int = 1


class LearningBackend(Protocol):
    """The teacher's desk. Every method may be called from any thread. All refusals are `web.services.Refused`."""

    def overview(self) -> Overview:
        """The die sets, what is going on, and what was chosen."""

    def dice(self, name: str) -> DiceShown:
        """One die set with its meters."""

    def make(self, title: str, kinds: Sequence[NewKind], edge_mm: float) -> DiceShown:
        """Make a die set for dice that nobody has seen."""

    def drop(self, name: str) -> None:
        """Drop a die set that was made here, with its pictures and lessons."""

    def sit(self, name: str, kind: str = "", face: str = "") -> Sitting:
        """Begin a guided capture, or go on to another face; '' for the first that is not enough yet."""

    def sitting(self) -> Sitting | None:
        """How the capture stands, or None when none is going on."""

    def shutter(self) -> Sitting:
        """Take a picture now."""

    def by_itself(self, on: bool) -> Sitting:
        """Whether pictures are taken by themselves when the tray is at rest."""

    def rise(self) -> None:
        """End the guided capture; the table is played on again."""

    def captured(self, name: str, kind: str = "", face: str = "") -> Sequence[Captured]:
        """The labelled pictures of a die set, of one kind or face where given, newest first."""

    def queue(self, most: int = 60) -> Sequence[Captured]:
        """The pictures that wait for a label, most doubtful first."""

    def label(self, pictures: Sequence[str], kind: str, face: str) -> None:
        """Say what these pictures show: labels waiting ones, moves labelled ones."""

    def discard(self, pictures: Sequence[str]) -> None:
        """Throw these pictures away."""

    def teach(self, name: str) -> Learned:
        """Learn from the pictures of a die set; the new lesson is in use at once."""

    def learned(self, name: str) -> Learned:
        """The lesson in use."""

    def go_back(self, name: str, version: int) -> Learned:
        """Use an earlier lesson again; 0: none, the reader as it came."""

    def merge(self, name: str, kind: str, face: str, other: str) -> DiceShown:
        """Make one face of two: the pictures of `other` become those of `face`."""

    def certificate(self) -> Certificate:
        """The table's certificate."""

    def choose(self, choices: Choices) -> Choices:
        """Keep what the table has chosen."""

    def shown(self, picture: str) -> bytes:
        """A picture of a die, as a JPEG."""


@dataclass(frozen=True)
class CheckShown:
    """A throw that people are asked about: was it read right? `dice` are (number, title, picture)."""

    number: int
    dice: tuple[tuple[int, str, str], ...] = field(default=())


class ThrowCheckBackend(Protocol):
    """The table's own questions about a throw, for the table page. Refusals are `web.services.Refused`."""

    def check(self) -> CheckShown | None:
        """The throw that is asked about now, or None."""

    def checked(self, number: int, wrong: Mapping[int, str]) -> None:
        """All is right but these dice, each of which shows that face."""
