"""Where a game of Intersection stands: its dice, options and state, what parked dice are worth, and who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from referee.actions import DiePosition, GameState, Player
from referee.calls import Call, DiceSum, Moment, Outcome, SumTerm
from referee.dice import Die, DieSet, FaceName, KindName, Zone
from referee.game import ENDS, LEADER_LEAVES, read_game_options
from referee.phrases import clockwise, with_set
from referee.sentences import say, say_count

# Where a game of Intersection stands: its dice, its options and its state


PARKED_HAPPY: Final = "parked-happy"
STAR_WITH_SAD: Final = "star-with-sad"
STAR_AFTER_PARK: Final = "star-after-park"
FIVE_UNDER_SLOW: Final = "five-under-slow"
BELOW_300: Final = "below-300"
LAST_TURN: Final = "last-turn"
NO_DICE: Final = "no-dice"

OPTIONS: Final = read_game_options("intersection")

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
    return next(die.face for die in dice if die.kind == SIGNAL and die.face)


def traffic_faces(dice: Iterable[Die]) -> tuple[FaceName, ...]:
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


# Points in Intersection: what parked dice are worth, what is recorded, and who wins


SINGLES: Final = {STAR: 50, HAPPY: 100}
"""Points of each parked die of a face that scores alone."""
SETS: Final = {TWO: 200, THREE: 300, FOUR: 400}
"""Points of three parked dice of a number; every further one adds as much again."""
SET_SIZE: Final = 3
COME_IN_POINTS: Final = 300
GOAL_POINTS: Final = 5000


def points(parked: Iterable[FaceName]) -> int:
    """Return the worth of parked dice together, by the score table, whichever rolls they came from (I.1)."""
    return sum(_worth(face, count) for face, count in Counter(parked).items())


def _worth(face: FaceName, count: int) -> int:
    if face in SINGLES:
        return SINGLES[face] * count
    if face not in SETS or count < SET_SIZE:
        return 0
    return SETS[face] * (count - SET_SIZE + 1)


def parked_sum(parked: Iterable[FaceName], times: int = 1) -> DiceSum:
    """Return how parked dice count: a set is one term, each die that scores alone another."""
    counts = Counter(parked)
    singles = (SumTerm(traffic([face]), SINGLES[face]) for face in SINGLES for _ in range(counts[face]))
    sets = (SumTerm(traffic([face] * counts[face]), _worth(face, counts[face])) for face in SETS if counts[face])
    return DiceSum((*sets, *singles), times)


def turn_points(state: IntersectionState) -> int:
    """Return the worth of the turn so far: its parked dice."""
    return points(state.parked)


def scores_alone(state: IntersectionState, face: FaceName) -> bool:
    """True if a single die of the face may be parked: happy, star, or a number with three parked already (I.2-10)."""
    return face in SINGLES or (face in SETS and state.parked.count(face) >= SET_SIZE)


def may_record(state: IntersectionState) -> bool:
    """True if the points of the turn may be recorded, whether or not the player has come in (I.2-18)."""
    return counts(state, turn_points(state)) or state.chose(BELOW_300, "records-0")


def counts(state: IntersectionState, score: int) -> bool:
    """True if a score would be written down: the first one is 300 at least (I.2-18)."""
    return state.come_in(state.seat) or score >= COME_IN_POINTS


def for_chances(state: IntersectionState) -> IntersectionState:
    """Return the state as it bears on a throw: of the scores no more than who has come in (I.2-18).

    A game of 230 throws has some 110 opening rolls, each with 756 outcomes; they differ in the score alone.
    """
    none, never = (0,) * len(state.players), (False,) * len(state.players)
    came_in = tuple(int(state.come_in(player.seat)) for player in state.players)
    return replace(state, scores=came_in, turns=none, vandered=never, gave_up=never, starter=0, last_turns=None)


# Turn after turn


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> IntersectionState:
    """Return the game before the roll for the first player; a lone player starts at once (I.2-1, I.2-23)."""
    count = len(players)
    none, never = (0,) * count, (False,) * count
    state = IntersectionState(players, dice, options, scores=none, turns=none, vandered=never, gave_up=never)
    if state.is_solo:
        return start_turn(replace(state, starter=1), 1)
    return draw_lots(state, IntersectionPhase.SETUP, tuple(player.seat for player in players))


def start_turn(state: IntersectionState, seat: int) -> IntersectionState:
    """Return the state before the first roll of a seat's turn (I.2-2)."""
    return replace(_cleared(state), phase=IntersectionPhase.START, to_act=(seat,))


def draw_lots(state: IntersectionState, phase: IntersectionPhase, seats: tuple[int, ...]) -> IntersectionState:
    """Return the state in which these seats throw in turn, for the first turn or for a tie (I.2-1, I.2-21)."""
    return replace(state, phase=phase, contenders=seats, lots=(), to_act=seats[:1], last_turns=None)


def record(state: IntersectionState, worth: DiceSum, rule: str, *calls: Call) -> Outcome[IntersectionState]:
    """End the turn and write its points down; a first score below 300 is not (I.2-17, I.2-18)."""
    score, who = worth.total, state.who
    if not counts(state, score):
        short = say(
            "{score} is not enough: {who}'s first score must be {least} or more.",
            score=score,
            least=COME_IN_POINTS,
            who=who,
        )
        return end_turn(state, *calls, Call(short, "I.2-18", Moment.BUST, worth))
    total = state.scores[state.seat - 1] + score
    moment = Moment.SCORE if state.come_in(state.seat) else Moment.COME_IN
    call = Call(
        say("{who} writes down {score} and has {total}.", who=who, score=score, total=total), rule, moment, worth
    )
    return end_turn(replace(state, scores=with_set(state.scores, state.seat, new=total)), *calls, call)


def end_turn(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    """End the turn: the next seat's turn, the last turns (I.2-20), or the end of the game."""
    return pass_dice(replace(state, turns=with_set(state.turns, state.seat, state.turns[state.seat - 1] + 1)), *calls)


def pass_dice(state: IntersectionState, *calls: Call) -> Outcome[IntersectionState]:
    """Go on after a turn, whether or not it counts as one: the next seat's turn, or the end (I.2-20)."""
    seat = state.seat
    if state.is_solo:
        if state.scores[0] < GOAL_POINTS:
            return start_turn(state, 1), calls
        return won(state, 1), (*calls, Call(in_turns(state), "I.2-23", Moment.WIN))
    if state.last_turns is not None:
        return _next(replace(state, last_turns=state.last_turns[1:]), calls)
    if state.scores[seat - 1] >= GOAL_POINTS:
        sentence = say("{who} has reached {goal}: the last turns begin.", who=state.who, goal=GOAL_POINTS)
        call = Call(sentence, "I.2-20", Moment.LAST_ROUND)
        return _next(replace(state, last_turns=_last_turns(state)), (*calls, call))
    return start_turn(state, state.after(seat)[0]), calls


def called_off(state: IntersectionState) -> Outcome[IntersectionState]:
    """Return the state without last turns where nobody who is there has reached the goal any more (AMB-I-19)."""
    reached = any(state.scores[seat - 1] >= GOAL_POINTS for seat in state.present)
    if state.last_turns is None or reached or state.chose(LEADER_LEAVES, ENDS):
        return state, ()
    nobody = say("Nobody who still plays has {total}. The game goes on without last turns.", total=GOAL_POINTS)
    return replace(state, last_turns=None), (Call(nobody, "AMB-I-19"),)


def in_turns(state: IntersectionState) -> str:
    """Return how a lone player came out: the points, and the number of turns (I.2-23)."""
    return say_count(
        "{name} has {points} points in {count} turn.",
        "{name} has {points} points in {count} turns.",
        state.turns[0],
        name=state.name(1),
        points=state.scores[0],
    )


def _next(state: IntersectionState, calls: tuple[Call, ...]) -> Outcome[IntersectionState]:
    if state.last_turns:
        return start_turn(state, state.last_turns[0]), calls
    return _final(state, calls)


def _last_turns(state: IntersectionState) -> tuple[int, ...]:
    others = clockwise(len(state.players), state.seat)
    if state.chose(LAST_TURN, "later-seats") and state.starter in others:
        others = others[: others.index(state.starter)]
    return tuple(seat for seat in others if seat not in state.gone)


def _final(state: IntersectionState, calls: tuple[Call, ...]) -> Outcome[IntersectionState]:
    best = max(state.scores[seat - 1] for seat in state.present)
    top = tuple(seat for seat in state.present if state.scores[seat - 1] == best)
    without = _without_points(state)
    tied = tuple(sorted({*top, *without}))
    names = state.names(tied)
    calls = (*calls, *(_never_scored(state, seat) for seat in without))
    if len(tied) == 1:
        wins = Call(say("{names} wins with {total}.", names=names, total=best), "I.2-20", Moment.WIN)
        return won(state, tied[0]), (*calls, wins)
    tie = Call(say("{names} are tied and throw to see who wins.", names=names), "I.2-21")
    return draw_lots(_cleared(state), IntersectionPhase.TIE_ROLL, tied), (*calls, tie)


def _never_scored(state: IntersectionState, seat: int) -> Call:
    return Call(say("{name} never scored and ties with the best.", name=state.name(seat)), "I.2-22")


def _without_points(state: IntersectionState) -> tuple[int, ...]:
    if state.chose(NO_DICE, "off"):
        return ()
    barred = state.vandered
    if state.chose(NO_DICE, "unless-given-up"):
        barred = tuple(vandered or gave_up for vandered, gave_up in zip(barred, state.gave_up, strict=True))
    rows = zip(state.players, state.scores, state.turns, barred, strict=True)
    without = (player.seat for player, score, turns, is_barred in rows if turns and not score and not is_barred)
    return tuple(seat for seat in without if seat not in state.gone)


def won(state: IntersectionState, *winner: int) -> IntersectionState:
    """Return the state at the end of the game, won by the seat, or by nobody."""
    over = replace(_cleared(state), phase=IntersectionPhase.GAME_OVER, to_act=(), winner=winner)
    return replace(over, contenders=(), lots=(), last_turns=None)


def _cleared(state: IntersectionState) -> IntersectionState:
    return replace(state, signal=NO_SIGNAL, field=(), parked=())
