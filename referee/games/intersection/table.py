"""The table of Intersection: where a game stands, where its dice lie, and what they are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.dice import Die, FaceName, KindName, Zone
from referee.game import Action, GameState, Lying

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

SINGLES: Final = {STAR: 50, HAPPY: 100}
"""Points of each parked die of a face that scores alone."""
SETS: Final = {TWO: 200, THREE: 300, FOUR: 400}
"""Points of three parked dice of a number; every further one adds as much again."""
SET_SIZE: Final = 3
TRAFFIC_DICE: Final = 5
DOUBLE_DICE: Final = 4
COME_IN_POINTS: Final = 300
GOAL_POINTS: Final = 5000

ROLLED_TRAFFIC: Final = Die(TRAFFIC)
ROLLED_SIGNAL: Final = Die(SIGNAL)
OPENING: Final = (ROLLED_SIGNAL, *[ROLLED_TRAFFIC] * TRAFFIC_DICE)


class Phase(StrEnum):
    """What the player to act is in the middle of."""

    SETUP = "setup"
    START = "start"
    RESOLVE = "resolve"
    PARKED = "parked"
    MUST_PLAY_ON = "must-play-on"
    DOUBLE = "double"
    TIE_ROLL = "tie-roll"
    GAME_OVER = "game-over"


LOTS: Final = (Phase.SETUP, Phase.TIE_ROLL)


@dataclass(frozen=True)
class IntersectionState(GameState):
    """Where a game of Intersection stands.

    `field` and `parked` hold five faces together once a turn has been opened, in sorted order. `starter` is the seat
    that began (0 before it is known), `turns` and `vandered` count each seat's turns and say whether the Vander Rule
    ended one. `last_turns` are the seats that still have their last turn, the present one first, or None before
    somebody has reached 5000. While lots are thrown `contenders` throw in turn, and `lots`
    are their happy faces so far.
    """

    phase: Phase = Phase.SETUP
    signal: FaceName = NO_SIGNAL
    field: tuple[FaceName, ...] = ()
    parked: tuple[FaceName, ...] = ()
    starter: int = 0
    turns: tuple[int, ...] = ()
    vandered: tuple[bool, ...] = ()
    last_turns: tuple[int, ...] | None = None
    contenders: tuple[int, ...] = ()
    lots: tuple[int, ...] = ()

    @property
    def seat(self) -> int:
        """The seat to act, 0 when the game is over."""
        return self.to_act[0] if self.to_act else 0

    @property
    def who(self) -> str:
        """The name of the player to act."""
        return self.name(self.seat)

    @property
    def is_solo(self) -> bool:
        """Whether one player plays alone."""
        return len(self.players) == 1

    def come_in(self, seat: int) -> bool:
        """Whether the seat has recorded a score (I.2-18)."""
        return self.scores[seat - 1] > 0

    def chose(self, option: str, value: str) -> bool:
        """Whether the table plays by this reading of an option."""
        return self.options[option] == value


def points(parked: Iterable[FaceName]) -> int:
    """What parked dice are worth together (I.1): the score table, whichever rolls they came from."""
    return sum(_worth(face, count) for face, count in Counter(parked).items())


def _worth(face: FaceName, count: int) -> int:
    if face in SINGLES:
        return SINGLES[face] * count
    if face not in SETS or count < SET_SIZE:
        return 0
    return SETS[face] * (count - SET_SIZE + 1)


def turn_points(state: IntersectionState) -> int:
    """What the turn is worth so far: its parked dice."""
    return points(state.parked)


def traffic(faces: Iterable[FaceName]) -> tuple[Die, ...]:
    """Traffic dice that show these faces."""
    return tuple(Die(TRAFFIC, face) for face in faces)


def signal_face(dice: Iterable[Die]) -> FaceName:
    """What the Signal die among these shows; it must be there."""
    return next(die.face for die in dice if die.kind == SIGNAL and die.face)


def traffic_faces(dice: Iterable[Die]) -> tuple[FaceName, ...]:
    """What the Traffic dice among these show."""
    return tuple(die.face for die in dice if die.kind == TRAFFIC and die.face)


def put(faces: Iterable[FaceName], more: Iterable[FaceName]) -> tuple[FaceName, ...]:
    """These faces and more of them, sorted."""
    return tuple(sorted([*faces, *more]))


def take(faces: Iterable[FaceName], fewer: Iterable[FaceName]) -> tuple[FaceName, ...]:
    """These faces without some of them, sorted."""
    return tuple(sorted((Counter(faces) - Counter(fewer)).elements()))


def spell(dice: Iterable[Die]) -> str:
    """What dice show, in words: `happy, 2 x star and go`."""
    faces = Counter(die.face for die in dice if die.face)
    return spell_list([face if count == 1 else f"{count} x {face}" for face, count in faces.items()], "and")


def spell_list(words: Sequence[str], last: str) -> str:
    """Words in a row, with `last` (and, or) before the last one."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def lay(state: IntersectionState) -> tuple[Lying, ...]:
    """Where the dice of the turn lie: field, bay, and the Signal die on its spot; () between turns."""
    if not state.signal:
        return ()
    field = tuple(Lying(die, Zone.FIELD) for die in traffic(state.field))
    parked = tuple(Lying(die, Zone.ASIDE) for die in traffic(state.parked))
    return (*field, *parked, signal_lying(state))


def signal_lying(state: IntersectionState) -> Lying:
    """Where the Signal die lies after the opening roll."""
    return Lying(Die(SIGNAL, state.signal), Zone.SIGNAL)


def thrown(state: IntersectionState, action: Action) -> tuple[Lying, ...]:
    """The dice that the action throws, as they lay before; at the start of a turn nobody knows how they lay."""
    if not state.signal:
        return tuple(Lying(Die(die.kind), Zone.FIELD) for die in action.dice)
    signal = (signal_lying(state),) if ROLLED_SIGNAL.kind in {die.kind for die in action.dice} else ()
    return (*_thrown_traffic(state, action), *signal)


def _thrown_traffic(state: IntersectionState, action: Action) -> tuple[Lying, ...]:
    zone = Zone.ASIDE if action.choice == "parked" else Zone.FIELD
    match action.verb:
        case "fix":
            return (_one(HAPPY, zone), _one(SAD, Zone.FIELD))
        case "go":
            return (_one(SAD, Zone.FIELD),)
        case "star":
            return (_one(STAR, zone),)
        case "on" | "roll":
            return tuple(_one(face, Zone.FIELD) for face in state.field)
    return ()


def _one(face: FaceName, zone: Zone) -> Lying:
    return Lying(Die(TRAFFIC, face), zone)
