"""Intersection: one to twelve players, five Traffic dice and the Signal die. Rule numbers are those of docs/rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Final

from referee.board import Board
from referee.dice import Die, DieSet, FaceName, KindName, Zone
from referee.game import Action, Call, DiePosition, Game, GameState, Player, Refusal
from referee.options import Option
from referee.words import clockwise, counted, spell, spell_list, with_set

# What the rulebook leaves open

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
        "Which happy face may fix a sad one?",
        (
            ("any", "One on the field or a parked one, as the player likes."),
            ("field-first", "A parked one only when none is on the field."),
        ),
        "AMB-I-1",
    ),
    Option(
        STAR_WITH_SAD,
        "May a star be rolled with the slow while a sad face shows?",
        (("always", "Yes, whatever else could be done."), ("last-resort", "Only when no sad face can be fixed.")),
        "AMB-I-3",
    ),
    Option(
        STAR_AFTER_PARK,
        "May a star be rolled with the slow straight after parking, with dice left on the field?",
        (("play-on-first", "No, the player has to play on first."), ("allowed", "Yes.")),
        "AMB-I-5",
    ),
    Option(
        FIVE_UNDER_SLOW,
        "All five dice are parked and the slow shows: what may be done?",
        (
            ("star-only", "Only a parked star may be rolled with the slow; without one the turn is over with nothing."),
            ("take-points", "The player may take the points."),
        ),
        "AMB-I-6",
    ),
    Option(
        BELOW_300,
        "May a player who has not come in end a turn below 300?",
        (("refused", "No, the player has to go on."), ("records-0", "Yes, and nothing is recorded.")),
        "AMB-I-10",
    ),
    Option(
        LAST_TURN,
        "Who gets a last turn when somebody reaches 5000?",
        (("everyone", "Every other player, once."), ("later-seats", "Only those who come later in the round.")),
        "AMB-I-13",
    ),
    Option(
        NO_DICE,
        "Does a player without any points tie with the best at the end (the No Dice rule)?",
        (("on", "Yes, unless the Vander Rule ended one of that player's turns."), ("off", "No.")),
        "AMB-I-14",
    ),
)


# Where a game stands

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

ANY_TRAFFIC: Final = Die(TRAFFIC)
ANY_SIGNAL: Final = Die(SIGNAL)
OPENING: Final = (ANY_SIGNAL, *[ANY_TRAFFIC] * TRAFFIC_DICE)
PAIR: Final = (ANY_SIGNAL, ANY_TRAFFIC)


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
    def is_solo(self) -> bool:
        """Whether one player plays alone."""
        return len(self.players) == 1

    @property
    def is_happy_face_there(self) -> bool:
        """Whether a happy face lies on the field or is parked."""
        return HAPPY in (*self.field, *self.parked)

    def come_in(self, seat: int) -> bool:
        """Whether the seat has recorded a score (I.2-18)."""
        return self.scores[seat - 1] > 0


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


# Where the dice lie


def lay(state: IntersectionState) -> tuple[DiePosition, ...]:
    """Where the dice of the turn lie: field, bay, and the Signal die on its spot; () between turns."""
    if not state.signal:
        return ()
    field = tuple(DiePosition(die, Zone.FIELD) for die in traffic(state.field))
    parked = tuple(DiePosition(die, Zone.ASIDE) for die in traffic(state.parked))
    return (*field, *parked, _signal_lying(state))


def _signal_lying(state: IntersectionState) -> DiePosition:
    return DiePosition(Die(SIGNAL, state.signal), Zone.SIGNAL)


def thrown(state: IntersectionState, action: Action) -> tuple[DiePosition, ...]:
    """The dice that the action throws, as they lay before; at the start of a turn nobody knows how they lay."""
    if not state.signal:
        return tuple(DiePosition(Die(die.kind), Zone.FIELD) for die in action.dice)
    signal = (_signal_lying(state),) if ANY_SIGNAL.kind in {die.kind for die in action.dice} else ()
    return (*_thrown_traffic(state, action), *signal)


def _thrown_traffic(state: IntersectionState, action: Action) -> tuple[DiePosition, ...]:
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


def _one(face: FaceName, zone: Zone) -> DiePosition:
    return DiePosition(Die(TRAFFIC, face), zone)


# What may be done


def legal(state: IntersectionState) -> tuple[Action, ...]:
    """All that the player to act may do now; in a throw the faces are unknown."""
    match state.phase:
        case Phase.GAME_OVER:
            return ()
        case Phase.SETUP | Phase.TIE_ROLL:
            return (Action(state.seat, "lot", (ANY_TRAFFIC,) * TRAFFIC_DICE),)
        case Phase.START:
            return (Action(state.seat, "roll", OPENING), Action(state.seat, "vander"))
        case _:
            return (*_decisions(state), Action(state.seat, "give-up"), Action(state.seat, "vander"))


def _decisions(state: IntersectionState) -> tuple[Action, ...]:
    match state.phase:
        case Phase.RESOLVE:
            return (*fixes(state), *goes(state), *stars(state), *parks(state))
        case Phase.DOUBLE:
            return (Action(state.seat, "roll", PAIR),)
        case Phase.PARKED:
            return (*ends(state), *ons(state), *doubles(state), *stars(state), *parks(state))
        case _:
            return (*ons(state), *stars(state), *parks(state))


def fixes(state: IntersectionState) -> Iterator[Action]:
    """A happy and a sad face rolled together (I.2-7)."""
    if SAD not in state.field:
        return
    if HAPPY in state.field:
        yield Action(state.seat, "fix", (ANY_TRAFFIC,) * 2, "field")
    if HAPPY in state.parked and not (HAPPY in state.field and state.chose(PARKED_HAPPY, "field-first")):
        yield Action(state.seat, "fix", (ANY_TRAFFIC,) * 2, "parked")


def goes(state: IntersectionState) -> Iterator[Action]:
    """The go and a sad face rolled together, only where no happy face is on the field or parked (I.2-8)."""
    if state.signal == GO and SAD in state.field and not state.is_happy_face_there:
        yield Action(state.seat, "go", PAIR)


def stars(state: IntersectionState) -> Iterator[Action]:
    """The slow and a star rolled together (I.2-9)."""
    if state.signal != SLOW or star_waits_for_play(state) or star_waits_for_fix(state):
        return
    if STAR in state.field:
        yield Action(state.seat, "star", PAIR, "field")
    if STAR in state.parked:
        yield Action(state.seat, "star", PAIR, "parked")


def star_waits_for_play(state: IntersectionState) -> bool:
    """Whether the player has to play on before a star may be rolled (AMB-I-5)."""
    return state.phase == Phase.MUST_PLAY_ON and state.chose(STAR_AFTER_PARK, "play-on-first")


def star_waits_for_fix(state: IntersectionState) -> bool:
    """Whether a sad face has to be fixed before a star may be rolled (AMB-I-3)."""
    return state.chose(STAR_WITH_SAD, "last-resort") and any(fixes(state))


def parks(state: IntersectionState) -> Iterator[Action]:
    """Every choice of scoring dice, one at least, that may be parked (I.2-6, I.2-10).

    More dice of the same roll may be parked before the player goes on: parking them one after the other comes to
    the same as parking them together, as long as each step is legal.
    """
    if SAD in state.field:
        return
    field = Counter(state.field)
    for counts in product(*(_parkable(state, face, count) for face, count in field.items())):
        faces = [face for face, count in zip(field, counts, strict=True) for _ in range(count)]
        if faces:
            yield Action(state.seat, "park", traffic(faces))


def _parkable(state: IntersectionState, face: FaceName, count: int) -> tuple[int, ...]:
    fewest = 1 if scores_alone(state, face) else SET_SIZE
    return (0, *range(fewest, count + 1))


def scores_alone(state: IntersectionState, face: FaceName) -> bool:
    """Whether a single die of the face may be parked: a happy, a star, or a number with three parked already."""
    return face in SINGLES or (face in SETS and state.parked.count(face) >= SET_SIZE)


def ons(state: IntersectionState) -> Iterator[Action]:
    """All Traffic dice that are not parked, rolled together (I.2-12)."""
    if state.field:
        yield Action(state.seat, "on", (ANY_TRAFFIC,) * len(state.field))


def ends(state: IntersectionState) -> Iterator[Action]:
    """Ending the turn with its points (I.2-11, I.2-17)."""
    if may_record(state):
        yield Action(state.seat, "end")


def doubles(state: IntersectionState) -> Iterator[Action]:
    """Declaring double or nothing with four dice parked (I.2-13)."""
    if len(state.parked) == DOUBLE_DICE and may_record(state):
        yield Action(state.seat, "double")


def may_record(state: IntersectionState) -> bool:
    """Whether the points of the turn may be recorded by a player who may or may not have come in (I.2-18)."""
    return counts(state, turn_points(state)) or state.chose(BELOW_300, "records-0")


def counts(state: IntersectionState, score: int) -> bool:
    """Whether a score would be written down: the first one is 300 at least (I.2-18)."""
    return state.come_in(state.seat) or score >= COME_IN_POINTS


# What it comes to

Outcome = tuple[IntersectionState, tuple[Call, ...]]


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> IntersectionState:
    """The game before the roll for the first player; a lone player starts at once (I.2-1, I.2-23)."""
    count = len(players)
    state = IntersectionState(
        players, dice, options, scores=(0,) * count, turns=(0,) * count, vandered=(False,) * count
    )
    if state.is_solo:
        first = _start(replace(state, starter=1), 1)
    else:
        first = _draw_lots(state, Phase.SETUP, tuple(player.seat for player in players))
    return replace(first, dice_awaited=_awaited(first))


def play(state: IntersectionState, action: Action) -> Outcome:
    """The state after a legal action, and the referee's calls."""
    after, calls = _PLAYS[action.verb](state, action)
    return replace(after, dice_awaited=_awaited(after)), calls


def _awaited(state: IntersectionState) -> tuple[Die, ...]:
    ways = [offer for offer in legal(state) if offer.verb not in ("give-up", "vander")]
    throws = {offer.dice for offer in ways if offer.is_throw}
    return throws.pop() if len(throws) == 1 and all(offer.is_throw for offer in ways) else ()


def _lot(state: IntersectionState, action: Action) -> Outcome:
    count = traffic_faces(action.dice).count(HAPPY)
    lots = (*state.lots, count)
    rule = "I.2-1" if state.phase == Phase.SETUP else "I.2-21"
    call = Call(f"{state.who} throws {counted(count, 'happy face')}.", rule)
    if len(lots) < len(state.contenders):
        return replace(state, lots=lots, to_act=(state.contenders[len(lots)],)), (call,)
    return _draw(replace(state, lots=lots), call)


def _draw(state: IntersectionState, call: Call) -> Outcome:
    most = max(state.lots)
    best = tuple(seat for seat, lot in zip(state.contenders, state.lots, strict=True) if lot == most)
    if len(best) > 1:
        again = Call(f"{_names(state, best)} are level and throw again.", call.rule)
        return _draw_lots(state, state.phase, best), (call, again)
    return _drawn(state, best[0], call)


def _drawn(state: IntersectionState, seat: int, call: Call) -> Outcome:
    if state.phase == Phase.TIE_ROLL:
        return _won(state, seat), (call, Call(f"{state.name(seat)} breaks the tie and wins.", "I.2-21"))
    first = replace(state, starter=seat, contenders=(), lots=())
    return _start(first, seat), (call, Call(f"{state.name(seat)} starts.", "I.2-1"))


def _draw_lots(state: IntersectionState, phase: Phase, seats: tuple[int, ...]) -> IntersectionState:
    return replace(state, phase=phase, contenders=seats, lots=(), to_act=seats[:1], last_turns=None)


def _start(state: IntersectionState, seat: int) -> IntersectionState:
    return replace(_cleared(state), phase=Phase.START, to_act=(seat,))


def _roll(state: IntersectionState, action: Action) -> Outcome:
    if state.phase == Phase.DOUBLE:
        return _double_or_nothing(state, action)
    return _rolled(state, action, "I.2-2")


def _fix(state: IntersectionState, action: Action) -> Outcome:
    return _rolled(_lift(state, HAPPY, action.choice, SAD), action, "I.2-7")


def _go(state: IntersectionState, action: Action) -> Outcome:
    return _rolled(_lift(state, SAD, "field"), action, "I.2-8")


def _star(state: IntersectionState, action: Action) -> Outcome:
    return _rolled(_lift(state, STAR, action.choice), action, "I.2-9")


def _on(state: IntersectionState, action: Action) -> Outcome:
    return _rolled(replace(state, field=()), action, "I.2-12")


def _lift(state: IntersectionState, face: FaceName, choice: str, *others: FaceName) -> IntersectionState:
    if choice == "parked":
        return replace(state, parked=take(state.parked, [face]), field=take(state.field, others))
    return replace(state, field=take(state.field, [face, *others]))


def _rolled(state: IntersectionState, action: Action, rule: str) -> Outcome:
    signal = signal_face(action.dice) if ANY_SIGNAL.kind in {die.kind for die in action.dice} else state.signal
    field = put(state.field, traffic_faces(action.dice))
    after = replace(state, phase=Phase.RESOLVE, signal=signal, field=field)
    return _or_bust(after, Call(f"{state.who} rolls {spell(action.dice)}.", rule))


def _or_bust(state: IntersectionState, *calls: Call) -> Outcome:
    if state.signal == STOP:
        return _over(state, *calls, Call(f"Stop: {state.who}'s turn is over with nothing.", "I.2-3"))
    if _decisions(state):
        return state, calls
    bust = Call(f"{state.who} has nothing left to do: the turn is over with nothing.", "I.2-16")
    return _over(state, *calls, bust)


def _park(state: IntersectionState, action: Action) -> Outcome:
    faces = traffic_faces(action.dice)
    parked = replace(state, field=take(state.field, faces), parked=put(state.parked, faces))
    call = Call(f"{state.who} parks {spell(action.dice)}: {turn_points(parked)} parked.", "I.2-10")
    return _has_parked(parked, call)


def _has_parked(state: IntersectionState, *calls: Call) -> Outcome:
    if state.signal == SLOW:
        return _parked_under_slow(state, *calls)
    return _or_below_300(replace(state, phase=Phase.PARKED), *calls)


def _parked_under_slow(state: IntersectionState, *calls: Call) -> Outcome:
    if state.field:
        must = Call(f"The slow shows: {state.who} has to play on.", "I.2-14")
        return replace(state, phase=Phase.MUST_PLAY_ON), (*calls, must)
    if state.chose(FIVE_UNDER_SLOW, "take-points"):
        return _or_below_300(replace(state, phase=Phase.PARKED), *calls)
    return _or_bust(replace(state, phase=Phase.RESOLVE), *calls, Call("No points are taken under a slow.", "I.2-15"))


def _or_below_300(state: IntersectionState, *calls: Call) -> Outcome:
    if _decisions(state):
        return state, calls
    short = f"{state.who} comes in with {COME_IN_POINTS} at least and has no die left to roll: nothing is recorded."
    return _over(state, *calls, Call(short, "I.2-18"))


def _end(state: IntersectionState, _action: Action) -> Outcome:
    return _record(state, turn_points(state), "I.2-17")


def _double(state: IntersectionState, _action: Action) -> Outcome:
    call = Call(f"{state.who} declares double or nothing for {turn_points(state)}.", "I.2-13")
    return replace(state, phase=Phase.DOUBLE), (call,)


def _double_or_nothing(state: IntersectionState, action: Action) -> Outcome:
    call = Call(f"{state.who} rolls {spell(action.dice)}.", "I.2-13")
    signal, (face,) = signal_face(action.dice), traffic_faces(action.dice)
    if signal == STOP:
        return _over(state, call, Call(f"Stop: {state.who}'s turn is over with nothing.", "I.2-3"))
    if signal != GO or not scores_alone(state, face):
        return _over(state, call, Call(f"Nothing: {state.who}'s four parked dice are lost.", "I.2-13"))
    return _record(state, 2 * points(put(state.parked, [face])), "I.2-13", call)


def _give_up(state: IntersectionState, _action: Action) -> Outcome:
    return _over(state, Call(f"{state.who} gives up the turn and gets nothing.", "I.2-16"))


def _vander(state: IntersectionState, _action: Action) -> Outcome:
    flags = with_set(state.vandered, state.seat, new=True)
    call = Call(f"A die left the table: {state.who}'s turn is over with nothing.", "I.2-19")
    return _over(replace(state, vandered=flags), call)


def _record(state: IntersectionState, score: int, rule: str, *calls: Call) -> Outcome:
    if not counts(state, score):
        short = f"{score} does not reach {COME_IN_POINTS}: {state.who} has not come in, and nothing is recorded."
        return _over(state, *calls, Call(short, "I.2-18"))
    total = state.scores[state.seat - 1] + score
    call = Call(f"{state.who} records {score} and has {total}.", rule)
    return _over(replace(state, scores=with_set(state.scores, state.seat, new=total)), *calls, call)


# Dice that people laid


def relaid(state: IntersectionState, lying: tuple[DiePosition, ...]) -> IntersectionState | None:
    """The turn with its dice lying so: five Traffic dice and the Signal die, those in the bay parked; else None.

    A player who had parked, and whose other dice are untouched, may still do what could be done; otherwise the dice
    stand as if they had just been rolled, so that a stop, or nothing left to do, ends the turn.
    """
    dice = [each.die for each in lying if each.zone is not Zone.OUT]
    signals, faces = [die.face for die in dice if die.kind == SIGNAL and die.face], traffic_faces(dice)
    if state.phase in (*LOTS, Phase.GAME_OVER) or len(signals) != 1 or len(faces) != TRAFFIC_DICE:
        return None
    parked = _laid_aside(state, lying)
    laid = replace(state, signal=signals[0], field=take(faces, parked), parked=parked)
    if not all(scores_alone(laid, face) for face in parked):
        return None
    after = _going_on(state, laid)
    return replace(after, dice_awaited=_awaited(after))


def _laid_aside(state: IntersectionState, lying: tuple[DiePosition, ...]) -> tuple[FaceName, ...]:
    """The faces in the bay, and, of dice that may lie anywhere, those that were parked before."""
    aside = traffic_faces(each.die for each in lying if each.zone in (Zone.ASIDE, Zone.SIGNAL))
    anywhere = Counter(traffic_faces(each.die for each in lying if each.zone is None))
    return put(aside, (anywhere & Counter(take(state.parked, aside))).elements())


def _going_on(before: IntersectionState, laid: IntersectionState) -> IntersectionState:
    had_parked = before.phase in (Phase.PARKED, Phase.MUST_PLAY_ON, Phase.DOUBLE)
    if not laid.field and laid.signal != STOP:
        return _has_parked(laid)[0]
    if had_parked and (laid.field, laid.signal) == (before.field, before.signal):
        return laid
    return _or_bust(replace(laid, phase=Phase.RESOLVE))[0]


# Turn after turn


def _over(state: IntersectionState, *calls: Call) -> Outcome:
    seat = state.seat
    done = replace(state, turns=with_set(state.turns, seat, new=state.turns[seat - 1] + 1))
    if state.is_solo:
        return _next_alone(done, calls)
    if done.last_turns is not None:
        return _next(replace(done, last_turns=done.last_turns[1:]), calls)
    if done.scores[seat - 1] >= GOAL_POINTS:
        call = Call(f"{state.who} has reached {GOAL_POINTS}: the last turns begin.", "I.2-20")
        return _next(replace(done, last_turns=_last_turns(done)), (*calls, call))
    return _start(done, clockwise(len(done.players), seat)[0]), calls


def _next_alone(state: IntersectionState, calls: tuple[Call, ...]) -> Outcome:
    if state.scores[0] < GOAL_POINTS:
        return _start(state, 1), calls
    call = Call(f"{state.who} has {state.scores[0]} points in {counted(state.turns[0], 'turn')}.", "I.2-23")
    return _won(state, 1), (*calls, call)


def _next(state: IntersectionState, calls: tuple[Call, ...]) -> Outcome:
    if state.last_turns:
        return _start(state, state.last_turns[0]), calls
    return _final(state, calls)


def _last_turns(state: IntersectionState) -> tuple[int, ...]:
    others = clockwise(len(state.players), state.seat)
    if state.chose(LAST_TURN, "everyone"):
        return others
    return others[: others.index(state.starter)] if state.starter in others else others


def _final(state: IntersectionState, calls: tuple[Call, ...]) -> Outcome:
    best = max(state.scores)
    top = tuple(seat for seat, score in enumerate(state.scores, start=1) if score == best)
    without = _without_points(state)
    tied = tuple(sorted({*top, *without}))
    calls = (*calls, *(Call(f"{state.name(seat)} never scored and ties with the best.", "I.2-22") for seat in without))
    if len(tied) == 1:
        return _won(state, tied[0]), (*calls, Call(f"{state.name(tied[0])} wins with {best}.", "I.2-20"))
    tie = Call(f"{_names(state, tied)} tie and throw for it.", "I.2-21")
    return _draw_lots(_cleared(state), Phase.TIE_ROLL, tied), (*calls, tie)


def _without_points(state: IntersectionState) -> tuple[int, ...]:
    if state.chose(NO_DICE, "off"):
        return ()
    rows = enumerate(zip(state.scores, state.turns, state.vandered, strict=True), start=1)
    return tuple(seat for seat, (score, turns, vandered) in rows if turns and not score and not vandered)


def _won(state: IntersectionState, seat: int) -> IntersectionState:
    over = replace(_cleared(state), phase=Phase.GAME_OVER, to_act=(), winner=(seat,))
    return replace(over, contenders=(), lots=(), last_turns=None)


def _cleared(state: IntersectionState) -> IntersectionState:
    return replace(state, signal=NO_SIGNAL, field=(), parked=())


def _names(state: IntersectionState, seats: tuple[int, ...]) -> str:
    return spell_list([state.name(seat) for seat in seats], "and")


_PLAYS: Final[dict[str, Callable[[IntersectionState, Action], Outcome]]] = {
    "lot": _lot,
    "roll": _roll,
    "fix": _fix,
    "go": _go,
    "star": _star,
    "park": _park,
    "on": _on,
    "end": _end,
    "double": _double,
    "give-up": _give_up,
    "vander": _vander,
}


# In words


def tell(state: IntersectionState) -> str:
    """One sentence: who is to do what."""
    if state.phase == Phase.GAME_OVER:
        return f"{state.name(state.winner[0])} has won."
    ways = dict.fromkeys(_way(state, offer.verb) for offer in legal(state) if offer.verb not in _ALWAYS)
    worth = f", {turn_points(state)} parked" if state.parked else ""
    return f"{state.who}{worth}: {spell_list(list(ways), 'or')}."


_ALWAYS: Final = ("give-up", "vander")


def _way(state: IntersectionState, verb: str) -> str:
    title = _TITLES[_occasion(state, verb)].format(**_figures(state, ()))
    return f"{title[:1].lower()}{title[1:]}"


def offer_title(state: IntersectionState, action: Action) -> str:
    """What a button for the action says; also the words for an action already done."""
    if action.choice == "parked":
        return _PARKED_TITLES[action.verb]
    title = _PARK if action.verb == "park" else _TITLES[_occasion(state, action.verb)]
    return title.format(**_figures(state, action.dice))


def _occasion(state: IntersectionState, verb: str) -> str:
    return f"{state.phase} {verb}" if f"{state.phase} {verb}" in _TITLES else verb


def _figures(state: IntersectionState, dice: tuple[Die, ...]) -> dict[str, str]:
    left = len(state.field)
    return {
        "kept": f"keep {turn_points(state)}" if state.seat and counts(state, turn_points(state)) else "record nothing",
        "stake": str(turn_points(state)),
        "left": "the last die" if left == 1 else f"the other {left} dice" if state.parked else f"all {left} dice",
        "dice": spell(dice),
        "worth": str(points([*state.parked, *traffic_faces(dice)]) - points(state.parked)),
    }


_PARK: Final = "Park {dice} ({worth})"

_TITLES: Final = {
    "lot": "Throw the five Traffic dice",
    "roll": "Roll all six dice",
    "double roll": "Roll the last die with the signal",
    "fix": "Fix a sad face with a happy one",
    "go": "Roll the go with a sad face",
    "star": "Roll a star with the slow",
    "park": "Park scoring dice",
    "on": "Play on with {left}",
    "end": "End the turn and {kept}",
    "double": "Declare double or nothing for {stake}",
    "give-up": "Give up the turn",
    "vander": "A die left the table",
}

_PARKED_TITLES: Final = {
    "fix": "Fix a sad face with a parked happy one",
    "star": "Roll a parked star with the slow",
}


def boards(state: IntersectionState) -> tuple[Board, ...]:
    """The turn in the middle of the table, and before each player what the scores alone do not tell."""
    players = tuple(_board(state, player) for player in state.players)
    return (Board(0, "The turn", _turn_facts(state)), *players) if state.signal else players


def _turn_facts(state: IntersectionState) -> tuple[tuple[str, str], ...]:
    parked = f"{spell(traffic(state.parked))} ({turn_points(state)})" if state.parked else "nothing"
    return (("Signal", state.signal), ("Parked", parked))


def _board(state: IntersectionState, player: Player) -> Board:
    come_in = "yes" if state.come_in(player.seat) else f"with {COME_IN_POINTS} in one turn"
    facts = [("Come in", come_in), ("Turns", str(state.turns[player.seat - 1]))]
    last = [("Last turn", "still to come")] if player.seat in (state.last_turns or ()) else []
    return Board(player.seat, player.name, (*facts, *last))


# Why something is not allowed: each verb has its reasons against it, the first to be told to a player first

Reasons = Iterator[Refusal]

PARK_FIRST: Final = "One scoring die at least has to be parked before playing on."


def why_not(state: IntersectionState, action: Action) -> Refusal:
    """Why an action of the player to act, with dice of the game, is not allowed; it is not among the legal ones."""
    if action.verb not in _AGAINST:
        return Refusal(f"Intersection has no {action.verb!r}; a player may {', '.join(_AGAINST)}.", "I.2-2")
    return _first(_out_of_phase(state, action)) or _in_turn(state, action)


def _first(reasons: Reasons) -> Refusal | None:
    return next(reasons, None)


def _in_turn(state: IntersectionState, action: Action) -> Refusal:
    return _first(_AGAINST[action.verb](state, action)) or _misshapen(state, action.verb)


def _misshapen(state: IntersectionState, verb: str) -> Refusal:
    sentence, rule = _SHAPES[verb]
    return Refusal(sentence.format(verb=verb, left=len(state.field)), rule)


def _out_of_phase(state: IntersectionState, action: Action) -> Reasons:
    if state.phase in LOTS and action.verb == "vander":
        yield Refusal("The Vander Rule counts in a player's own turn; here the dice are thrown again.", "I.2-19")
    if state.phase == Phase.SETUP:
        yield Refusal("The first turn is thrown for: the five Traffic dice, and nothing else.", "I.2-1")
    if state.phase == Phase.TIE_ROLL:
        yield Refusal("The tie is thrown for: the five Traffic dice, and nothing else.", "I.2-21")
    if state.phase == Phase.START:
        yield Refusal("A turn starts with one roll of all six dice: the Signal die and five Traffic dice.", "I.2-2")
    if state.phase == Phase.DOUBLE:
        yield Refusal("After declaring double or nothing the last Traffic die and the Signal die are rolled.", "I.2-13")


def _no_lot(_state: IntersectionState, _action: Action) -> Reasons:
    yield Refusal("Lots are thrown for the first turn and for a tie only.", "I.2-1")


def _no_roll(_state: IntersectionState, _action: Action) -> Reasons:
    yield Refusal("All dice are rolled together at the start of a turn only.", "I.2-4")


def _no_fix(state: IntersectionState, action: Action) -> Reasons:
    if SAD not in state.field:
        yield Refusal("There is no sad face to fix.", "I.2-7")
    if not state.is_happy_face_there:
        yield Refusal("There is no happy face, on the field or parked, to fix a sad one with.", "I.2-7")
    yield from _not_there(state, action, HAPPY, "I.2-7")
    if action.choice == "parked" and HAPPY in state.field and state.chose(PARKED_HAPPY, "field-first"):
        yield Refusal("A parked happy face has to wait while one is on the field, as this table plays.", "I.2-7")


def _not_there(state: IntersectionState, action: Action, face: FaceName, rule: str) -> Reasons:
    if action.choice == "field" and face not in state.field:
        yield Refusal(f"There is no {face} on the field, only a parked one.", rule)
    if action.choice == "parked" and face not in state.parked:
        yield Refusal(f"There is no parked {face}, only one on the field.", rule)


def _no_go(state: IntersectionState, _action: Action) -> Reasons:
    if SAD not in state.field:
        yield Refusal("The go is rolled with a sad face only, and there is none.", "I.2-8")
    if state.is_happy_face_there:
        yield Refusal(
            "The go cannot be rolled with a sad face while there is a happy one, on the field or parked.", "I.2-8"
        )
    if state.signal != GO:
        yield Refusal(f"The signal shows {state.signal}, not go.", "I.2-8")


def _no_star(state: IntersectionState, action: Action) -> Reasons:
    if state.signal != SLOW:
        yield Refusal(f"A star is rolled with a slow only; the signal shows {state.signal}.", "I.2-9")
    if STAR not in (*state.field, *state.parked):
        yield Refusal("There is no star, on the field or parked, to roll with the slow.", "I.2-9")
    if star_waits_for_play(state):
        yield Refusal("After parking under a slow the player plays on before a star may be rolled with it.", "I.2-14")
    yield from _not_there(state, action, STAR, "I.2-9")
    if star_waits_for_fix(state):
        yield Refusal("The sad face can still be fixed, and that comes first as this table plays.", "I.2-9")


def _no_park(state: IntersectionState, action: Action) -> Reasons:
    faces = traffic_faces(action.dice)
    missing = tuple((Counter(faces) - Counter(state.field)).elements())
    if SAD in state.field:
        yield Refusal("There is still a sad face on the field, so nothing can be parked yet.", "I.2-6")
    if len(faces) < len(action.dice):
        yield Refusal("The Signal die is never parked.", "I.2-5")
    if not faces:
        yield Refusal("Parking takes one scoring die at least.", "I.2-10")
    if missing:
        yield Refusal(f"There is no {spell(traffic(missing))} on the field to park.", "I.2-10")
    for face, count in Counter(faces).items():
        if face in SETS and count < SET_SIZE and not scores_alone(state, face):
            yield Refusal(
                f"{count} {face}{'' if count == 1 else 's'} cannot be parked: a number takes three lying together, "
                "or three parked before.",
                "I.2-10",
            )


def _no_on(state: IntersectionState, _action: Action) -> Reasons:
    if SAD in state.field:
        yield Refusal("There is still a sad face on the field: it is fixed before playing on.", "I.2-12")
    if not state.field:
        yield Refusal("All five dice are parked: none is left to play on with.", "I.2-11")
    if state.phase == Phase.RESOLVE:
        yield Refusal(PARK_FIRST, "I.2-11")


def _no_end(state: IntersectionState, _action: Action) -> Reasons:
    if SAD in state.field:
        yield Refusal("There is still a sad face on the field: points are taken after it is fixed.", "I.2-12")
    if state.phase == Phase.MUST_PLAY_ON:
        yield Refusal("The slow shows and dice are left: the player has to play on.", "I.2-14")
    if state.signal == SLOW:
        yield Refusal("Points are never taken under a slow: it has to become a go first.", "I.2-15")
    if state.phase == Phase.RESOLVE:
        yield Refusal("One scoring die at least has to be parked after a roll before the turn can end.", "I.2-11")
    yield from _no_record(state)


def _no_double(state: IntersectionState, _action: Action) -> Reasons:
    count = len(state.parked)
    if state.phase != Phase.PARKED or state.signal != GO:
        yield Refusal("Double or nothing is declared after parking, with the go showing.", "I.2-13")
    if count != DOUBLE_DICE:
        yield Refusal(f"Double or nothing takes exactly four parked dice; there are {count}.", "I.2-13")
    yield from _no_record(state)


def _no_record(state: IntersectionState) -> Reasons:
    short = f"{turn_points(state)} is not enough to come in: the first score is {COME_IN_POINTS} at least."
    if not may_record(state):
        yield Refusal(short, "I.2-18")


def _always(_state: IntersectionState, _action: Action) -> Reasons:
    yield from ()


_AGAINST: Final[dict[str, Callable[[IntersectionState, Action], Reasons]]] = {
    "lot": _no_lot,
    "roll": _no_roll,
    "fix": _no_fix,
    "go": _no_go,
    "star": _no_star,
    "park": _no_park,
    "on": _no_on,
    "end": _no_end,
    "double": _no_double,
    "give-up": _always,
    "vander": _always,
}

_BARE: Final = "{verb!r} takes no dice and no choice."
_SHAPES: Final = {
    "fix": (
        "A fix rolls two Traffic dice, a happy and a sad one, and says =field or =parked for the happy one.",
        "I.2-7",
    ),
    "go": ("The Signal die is rolled with exactly one sad Traffic die.", "I.2-8"),
    "star": ("The Signal die is rolled with one star, and =field or =parked says which.", "I.2-9"),
    "park": ("Parking names the Traffic dice to be parked, and nothing else.", "I.2-10"),
    "on": ("Playing on rolls all Traffic dice that are not parked: {left}, and no other.", "I.2-12"),
    "end": (_BARE, "I.2-17"),
    "double": (_BARE, "I.2-13"),
    "give-up": (_BARE, "I.2-16"),
    "vander": (_BARE, "I.2-19"),
}
"""What a verb takes with it, when all else would allow it."""


# Throws that no legal action explains


def fault(state: IntersectionState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    """Which rule a throw breaks: `thrown` are its dice as they lay before, `kept` those left, where they lie now."""
    parked = _newly_parked(state, kept)
    park = Action(state.seat, "park", traffic(parked))
    if out_of_phase := _first(_thrown_out_of_phase(state, thrown)):
        return out_of_phase
    if parked and park not in parks(state):
        return _in_turn(state, park)
    return _badly_thrown(_with_parked(state, parked), thrown, kept)


def _thrown_out_of_phase(state: IntersectionState, thrown: tuple[DiePosition, ...]) -> Reasons:
    lot = f"A lot is thrown with the five Traffic dice, not with {_so_many(thrown)}."
    if state.phase == Phase.SETUP:
        yield Refusal(lot, "I.2-1")
    if state.phase == Phase.TIE_ROLL:
        yield Refusal(lot, "I.2-21")
    if state.phase == Phase.START:
        yield Refusal(f"A turn starts with all six dice rolled together, not with {_so_many(thrown)}.", "I.2-2")
    if state.phase == Phase.DOUBLE:
        yield Refusal("Double or nothing is rolled with the last Traffic die and the Signal die alone.", "I.2-13")


def _newly_parked(state: IntersectionState, kept: tuple[DiePosition, ...]) -> tuple[FaceName, ...]:
    aside = traffic_faces(lying.die for lying in kept if lying.zone is Zone.ASIDE)
    return take(aside, state.parked)


def _with_parked(state: IntersectionState, faces: tuple[FaceName, ...]) -> IntersectionState:
    if not faces:
        return state
    phase = Phase.MUST_PLAY_ON if state.signal == SLOW else Phase.PARKED
    return replace(state, phase=phase, field=take(state.field, faces), parked=put(state.parked, faces))


def _badly_thrown(state: IntersectionState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    faces = traffic_faces(lying.die for lying in thrown)
    if len(thrown) > _count_traffic(thrown):
        reasons, otherwise = _bad_signal(state, thrown, faces), _NO_PAIR
    elif sorted(faces) == sorted((HAPPY, SAD)):
        choice = "parked" if any(lying.zone is Zone.ASIDE for lying in thrown) else ""
        reasons, otherwise = _no_fix(state, Action(state.seat, "fix", choice=choice)), _MISPLACED
    else:
        reasons, otherwise = _bad_traffic(state, thrown, kept, faces), _NO_OTHER
    return _first(reasons) or otherwise


_NO_PAIR: Final = Refusal("The Signal die is rolled with a sad face, a star, or for double or nothing.", "I.2-4")
_MISPLACED: Final = Refusal(
    "The dice left lying are not where they were: parked dice stay parked, the others stay.", "I.2-12"
)
_NO_OTHER: Final = Refusal("Playing on rolls the dice that are not parked, and no other.", "I.2-12")


def _bad_signal(state: IntersectionState, thrown: tuple[DiePosition, ...], faces: tuple[FaceName, ...]) -> Reasons:
    count = _count_traffic(thrown)
    if count == 0:
        yield Refusal("The Signal die is never rolled alone.", "I.2-4")
    if count > 1:
        yield Refusal(f"The Signal die is rolled with one Traffic die, not with {count}.", "I.2-4")
    if len(state.parked) == DOUBLE_DICE and state.phase == Phase.PARKED:
        yield Refusal("Double or nothing has to be declared before it is rolled.", "I.2-13")
    if faces == (SAD,):
        yield from _no_go(state, Action(state.seat, "go"))
    if faces == (STAR,):
        yield from _no_star(state, Action(state.seat, "star"))


def _bad_traffic(
    state: IntersectionState,
    thrown: tuple[DiePosition, ...],
    kept: tuple[DiePosition, ...],
    faces: tuple[FaceName, ...],
) -> Reasons:
    played_on = len(faces) == len(state.field)
    one_happy = f"A sad face is fixed by rolling it with one happy face, not {spell(traffic(faces))}."
    if faces == (SAD,) and any(goes(state)):
        yield Refusal("Without a happy face a sad one is rolled together with the go, not alone.", "I.2-8")
    if SAD in faces and not played_on:
        yield from _no_fix(state, Action(state.seat, "fix"))
        yield Refusal(one_happy, "I.2-7")
    yield from _parked_touched(state, thrown, kept)
    if SAD in state.field and len(faces) == 2:
        yield Refusal(one_happy, "I.2-7")
    if SAD in state.field:
        yield Refusal("Sad faces were left unfixed: each is rolled with one happy face before anything else.", "I.2-6")
    if state.phase == Phase.RESOLVE:
        yield Refusal(PARK_FIRST, "I.2-11")
    left = len(state.field) - len(faces)
    lie = "1 die was" if left == 1 else f"{left} dice were"
    if left > 0:
        yield Refusal(f"Playing on rolls all dice that are not parked; {lie} left lying.", "I.2-12")


def _parked_touched(
    state: IntersectionState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]
) -> Reasons:
    rolled = traffic_faces(lying.die for lying in thrown if lying.zone is Zone.ASIDE)[:1]
    if rolled:
        yield Refusal(f"A parked {spell(traffic(rolled))} was rolled; parked dice stay where they are.", "I.2-12")
    lying = traffic_faces(die.die for die in kept if die.zone is Zone.FIELD)
    if take(lying, state.field):
        yield Refusal("A parked die was moved back onto the field without being rolled.", "I.2-12")


def _count_traffic(thrown: tuple[DiePosition, ...]) -> int:
    return sum(lying.die.kind == TRAFFIC for lying in thrown)


def _so_many(thrown: tuple[DiePosition, ...]) -> str:
    traffic_dice = _count_traffic(thrown)
    signal = "the Signal die and " if len(thrown) > traffic_dice else ""
    return f"{signal}{traffic_dice} Traffic {'die' if traffic_dice == 1 else 'dice'}"


GAME = Game(
    name="intersection",
    title="Intersection",
    die_set="intersection",
    seats=(1, 12),
    options=OPTIONS,
    setup=setup,
    legal=legal,
    play=play,
    lay=lay,
    thrown=thrown,
    tell=tell,
    offer_title=offer_title,
    why_not=why_not,
    fault=fault,
    turn_points=turn_points,
    boards=boards,
    relaid=relaid,
    verbs={
        "lot": "Throw five Traffic dice for the first turn, or for a tie.",
        "roll": "Roll all six dice at the start of a turn, or the last die with the signal for double or nothing.",
        "fix": "Roll a happy face, from the field or parked, with a sad one.",
        "go": "Roll the go with a sad face.",
        "star": "Roll a star, from the field or parked, with the slow.",
        "park": "Park scoring dice.",
        "on": "Play on with all dice that are not parked.",
        "double": "Declare double or nothing.",
        "end": "End the turn and take its points.",
        "give-up": "Give up the turn for nothing.",
        "vander": "A die left the table: the turn is over.",
    },
    by_hand=frozenset({"park"}),
    implied=frozenset({"end"}),
    lost="vander",
    grave=frozenset({"give-up", "vander"}),
    ends=frozenset({"end"}),
    cites={"dice": "I.1", "turn": "I.2-1", "over": "I.2-20", "touched": "I.2-12", "cocked": "AMB-I-16"},
)
