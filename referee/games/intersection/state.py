"""Where a game of Intersection stands: its dice, its options and its state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.actions import DiePosition
from referee.dice import Die, FaceName, KindName, Zone
from referee.game_options import Option, leaning_die
from referee.game_state import GameState
from referee.sentences import say

PARKED_HAPPY: Final = "parked-happy"
STAR_WITH_SAD: Final = "star-with-sad"
STAR_AFTER_PARK: Final = "star-after-park"
FIVE_UNDER_SLOW: Final = "five-under-slow"
BELOW_300: Final = "below-300"
LAST_TURN: Final = "last-turn"
NO_DICE: Final = "no-dice"

OPTIONS: Final = (
    Option(
        PARKED_HAPPY,
        say("Which happy face may fix a sad one?"),
        (
            ("any", say("One on the field or a parked one, as the player likes.")),
            ("field-first", say("A parked one only when none is on the field.")),
        ),
        "AMB-I-1",
    ),
    Option(
        STAR_WITH_SAD,
        say("May a star be rolled with the slow while a sad face shows?"),
        (
            ("always", say("Yes, whatever else could be done.")),
            ("last-resort", say("Only when no sad face can be fixed.")),
        ),
        "AMB-I-3",
    ),
    Option(
        STAR_AFTER_PARK,
        say("May a star be rolled with the slow straight after parking, with dice left on the field?"),
        (("play-on-first", say("No, the player has to play on first.")), ("allowed", say("Yes."))),
        "AMB-I-5",
    ),
    Option(
        FIVE_UNDER_SLOW,
        say("All five dice are parked and the slow shows: what may be done?"),
        (
            (
                "star-only",
                say("Only a parked star may be rolled with the slow; without one the turn is over with nothing."),
            ),
            ("take-points", say("The player may take the points.")),
        ),
        "AMB-I-6",
    ),
    Option(
        BELOW_300,
        say("May a player who has not come in end a turn below 300?"),
        (("refused", say("No, the player has to go on.")), ("records-0", say("Yes, and nothing is recorded."))),
        "AMB-I-10",
    ),
    Option(
        LAST_TURN,
        say("Who gets a last turn when somebody reaches 5000?"),
        (
            ("everyone", say("Every other player, once.")),
            ("later-seats", say("Only those who come later in the round.")),
        ),
        "AMB-I-13",
    ),
    Option(
        NO_DICE,
        say("Does a player without any points tie with the best at the end (the No Dice rule)?"),
        (
            ("on", say("Yes, unless the Vander Rule ended one of that player's turns.")),
            ("off", say("No.")),
            (
                "unless-given-up",
                say("Yes, unless the Vander Rule ended one of these turns, or the player gave one up."),
            ),
        ),
        "AMB-I-14",
    ),
    leaning_die("AMB-I-16"),
)

TRAFFIC: Final = KindName("traffic")
SIGNAL: Final = KindName("signal")

HAPPY: Final = FaceName("happy")
STAR: Final = FaceName("star")
SAD: Final = FaceName("sad")
TWO: Final = FaceName("two")
THREE: Final = FaceName("three")
FOUR: Final = FaceName("four")
GO: Final = FaceName("go")
SLOW: Final = FaceName("slow")
STOP: Final = FaceName("stop")
NO_SIGNAL: Final = FaceName("")

TRAFFIC_DICE: Final = 5
DOUBLE_DICE: Final = 4
ANY_TRAFFIC: Final = Die(TRAFFIC)
ANY_SIGNAL: Final = Die(SIGNAL)
OPENING: Final = (ANY_SIGNAL, *[ANY_TRAFFIC] * TRAFFIC_DICE)
PAIR: Final = (ANY_SIGNAL, ANY_TRAFFIC)


class IntersectionPhase(StrEnum):
    """What the player to act has to do next."""

    SETUP = "setup"
    START = "start"
    RESOLVE = "resolve"
    PARKED = "parked"
    MUST_PLAY_ON = "must-play-on"
    DOUBLE = "double"
    TIE_ROLL = "tie-roll"
    GAME_OVER = "game-over"


LOTS: Final = (IntersectionPhase.SETUP, IntersectionPhase.TIE_ROLL)


@dataclass(frozen=True)
class IntersectionState(GameState):
    """Where a game of Intersection stands.

    `field` and `parked` hold five faces together once a turn has been opened, in sorted order. `starter` is the seat
    that began (0 before it is known), `turns` and `vandered` count each seat's turns and say whether the Vander Rule
    ended one; `gave_up` says whether the player gave one up. `last_turns` are the seats that still have their last
    turn, the present one first, or None before somebody has reached 5000. While lots are thrown `contenders` throw in
    turn, and `lots` are their happy faces so far.
    """

    phase: IntersectionPhase = IntersectionPhase.SETUP
    signal: FaceName = NO_SIGNAL
    field: tuple[FaceName, ...] = ()
    parked: tuple[FaceName, ...] = ()
    starter: int = 0
    turns: tuple[int, ...] = ()
    vandered: tuple[bool, ...] = ()
    gave_up: tuple[bool, ...] = ()
    last_turns: tuple[int, ...] | None = None
    contenders: tuple[int, ...] = ()
    lots: tuple[int, ...] = ()

    @property
    def is_solo(self) -> bool:
        """True if one player plays alone."""
        return len(self.players) == 1

    @property
    def is_happy_face_there(self) -> bool:
        """True if a happy face lies on the field or is parked."""
        return HAPPY in (*self.field, *self.parked)

    def come_in(self, seat: int) -> bool:
        """True if the seat has recorded a score (I.2-18)."""
        return self.scores[seat - 1] > 0


# Dice and their faces


def traffic(faces: Iterable[FaceName]) -> tuple[Die, ...]:
    """Return Traffic dice that show these faces."""
    return tuple(Die(TRAFFIC, face) for face in faces)


def signal_face(dice: Iterable[Die]) -> FaceName:
    """Return the face of the Signal die, which is among these."""
    return next(die.face for die in dice if die.kind == SIGNAL and die.face)


def traffic_faces(dice: Iterable[Die]) -> tuple[FaceName, ...]:
    """Return the faces of the Traffic dice among these."""
    return tuple(die.face for die in dice if die.kind == TRAFFIC and die.face)


def put(faces: Iterable[FaceName], more: Iterable[FaceName]) -> tuple[FaceName, ...]:
    """Return these faces and more of them, sorted."""
    return tuple(sorted([*faces, *more]))


def take(faces: Iterable[FaceName], fewer: Iterable[FaceName]) -> tuple[FaceName, ...]:
    """Return these faces without some of them, sorted."""
    return tuple(sorted((Counter(faces) - Counter(fewer)).elements()))


# Where the dice lie


def lay(state: IntersectionState) -> tuple[DiePosition, ...]:
    """Return where the dice of the turn lie: field, bay, and the Signal die on its spot; () between turns."""
    if not state.signal:
        return ()
    field = tuple(DiePosition(die, Zone.FIELD) for die in traffic(state.field))
    parked = tuple(DiePosition(die, Zone.ASIDE) for die in traffic(state.parked))
    return (*field, *parked, signal_position(state))


def signal_position(state: IntersectionState) -> DiePosition:
    """Return where the Signal die lies: on its spot."""
    return DiePosition(Die(SIGNAL, state.signal), Zone.SIGNAL)


def one_traffic(face: FaceName, zone: Zone) -> DiePosition:
    """Return the position of one Traffic die that shows the face."""
    return DiePosition(Die(TRAFFIC, face), zone)
