"""Intersection played: what may be done (`legal`) and what it comes to (`play`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Final, TypeVar

from referee.dice import Die, DieSet, FaceName
from referee.game import Action, Call, Player
from referee.games.intersection.options import (
    BELOW_300,
    FIVE_UNDER_SLOW,
    LAST_TURN,
    NO_DICE,
    PARKED_HAPPY,
    STAR_AFTER_PARK,
    STAR_WITH_SAD,
)
from referee.games.intersection.table import (
    COME_IN_POINTS,
    DOUBLE_DICE,
    GO,
    GOAL_POINTS,
    HAPPY,
    NO_SIGNAL,
    OPENING,
    ROLLED_SIGNAL,
    ROLLED_TRAFFIC,
    SAD,
    SET_SIZE,
    SETS,
    SINGLES,
    SLOW,
    STAR,
    STOP,
    TRAFFIC_DICE,
    IntersectionState,
    Phase,
    points,
    put,
    signal_face,
    spell,
    spell_list,
    take,
    traffic,
    traffic_faces,
    turn_points,
)

Outcome = tuple[IntersectionState, tuple[Call, ...]]

T = TypeVar("T")

PAIR: Final = (ROLLED_SIGNAL, ROLLED_TRAFFIC)


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


# What may be done


def legal(state: IntersectionState) -> tuple[Action, ...]:
    """All that the player to act may do now; in a throw the faces are unknown."""
    match state.phase:
        case Phase.GAME_OVER:
            return ()
        case Phase.SETUP | Phase.TIE_ROLL:
            return (Action(state.seat, "lot", (ROLLED_TRAFFIC,) * TRAFFIC_DICE),)
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
        yield Action(state.seat, "fix", (ROLLED_TRAFFIC,) * 2, "field")
    if HAPPY in state.parked and not (HAPPY in state.field and state.chose(PARKED_HAPPY, "field-first")):
        yield Action(state.seat, "fix", (ROLLED_TRAFFIC,) * 2, "parked")


def goes(state: IntersectionState) -> Iterator[Action]:
    """The go and a sad face rolled together, only where no happy face is on the field or parked (I.2-8)."""
    if state.signal == GO and SAD in state.field and HAPPY not in put(state.field, state.parked):
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
        yield Action(state.seat, "on", (ROLLED_TRAFFIC,) * len(state.field))


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
    call = Call(f"{state.who} throws {_counted(count, 'happy face')}.", rule)
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
    return _rolled(replace(state, field=(), parked=()), action, "I.2-2")


def _fix(state: IntersectionState, action: Action) -> Outcome:
    return _rolled(_lift(state, HAPPY, action.choice, SAD), action, "I.2-7")


def _go(state: IntersectionState, action: Action) -> Outcome:
    return _rolled(replace(state, field=take(state.field, [SAD])), action, "I.2-8")


def _star(state: IntersectionState, action: Action) -> Outcome:
    return _rolled(_lift(state, STAR, action.choice), action, "I.2-9")


def _on(state: IntersectionState, action: Action) -> Outcome:
    return _rolled(replace(state, field=()), action, "I.2-12")


def _lift(state: IntersectionState, face: FaceName, choice: str, *others: FaceName) -> IntersectionState:
    if choice == "parked":
        return replace(state, parked=take(state.parked, [face]), field=take(state.field, others))
    return replace(state, field=take(state.field, [face, *others]))


def _rolled(state: IntersectionState, action: Action, rule: str) -> Outcome:
    signal = signal_face(action.dice) if ROLLED_SIGNAL.kind in {die.kind for die in action.dice} else state.signal
    field = put(state.field, traffic_faces(action.dice))
    after = replace(state, phase=Phase.RESOLVE, signal=signal, field=field)
    call = Call(f"{state.who} rolls {spell(action.dice)}.", rule)
    if signal == STOP:
        return _nothing(after, call, Call(f"Stop: {state.who}'s turn is over with nothing.", "I.2-3"))
    return _or_bust(after, call)


def _or_bust(state: IntersectionState, *calls: Call) -> Outcome:
    if _decisions(state):
        return state, calls
    return _nothing(
        state, *calls, Call(f"{state.who} has nothing left to do: the turn is over with nothing.", "I.2-16")
    )


def _park(state: IntersectionState, action: Action) -> Outcome:
    faces = traffic_faces(action.dice)
    parked = replace(state, field=take(state.field, faces), parked=put(state.parked, faces))
    worth = turn_points(parked)
    call = Call(f"{state.who} parks {spell(action.dice)}: {worth} parked.", "I.2-10")
    if state.signal == SLOW:
        return _parked_under_slow(parked, call)
    return _or_below_300(replace(parked, phase=Phase.PARKED), call)


def _parked_under_slow(state: IntersectionState, call: Call) -> Outcome:
    if state.field:
        must = Call(f"The slow shows: {state.who} has to play on.", "I.2-14")
        return replace(state, phase=Phase.MUST_PLAY_ON), (call, must)
    if state.chose(FIVE_UNDER_SLOW, "take-points"):
        return _or_below_300(replace(state, phase=Phase.PARKED), call)
    return _or_bust(replace(state, phase=Phase.RESOLVE), call, Call("No points are taken under a slow.", "I.2-15"))


def _or_below_300(state: IntersectionState, call: Call) -> Outcome:
    if _decisions(state):
        return state, (call,)
    short = f"{state.who} comes in with {COME_IN_POINTS} at least and has no die left to roll: nothing is recorded."
    return _nothing(state, call, Call(short, "I.2-18"))


def _end(state: IntersectionState, _action: Action) -> Outcome:
    return _record(state, turn_points(state), "I.2-17")


def _double(state: IntersectionState, _action: Action) -> Outcome:
    call = Call(f"{state.who} declares double or nothing for {turn_points(state)}.", "I.2-13")
    return replace(state, phase=Phase.DOUBLE), (call,)


def _double_or_nothing(state: IntersectionState, action: Action) -> Outcome:
    call = Call(f"{state.who} rolls {spell(action.dice)}.", "I.2-13")
    signal, (face,) = signal_face(action.dice), traffic_faces(action.dice)
    if signal == STOP:
        return _nothing(state, call, Call(f"Stop: {state.who}'s turn is over with nothing.", "I.2-3"))
    if signal != GO or not scores_alone(state, face):
        return _nothing(state, call, Call(f"Nothing: {state.who}'s four parked dice are lost.", "I.2-13"))
    return _record(state, 2 * points(put(state.parked, [face])), "I.2-13", call)


def _give_up(state: IntersectionState, _action: Action) -> Outcome:
    return _nothing(state, Call(f"{state.who} gives up the turn and gets nothing.", "I.2-16"))


def _vander(state: IntersectionState, _action: Action) -> Outcome:
    flags = _set(state.vandered, state.seat, new=True)
    call = Call(f"A die left the table: {state.who}'s turn is over with nothing.", "I.2-19")
    return _nothing(replace(state, vandered=flags), call)


def _record(state: IntersectionState, score: int, rule: str, *calls: Call) -> Outcome:
    if not counts(state, score):
        short = f"{score} does not reach {COME_IN_POINTS}: {state.who} has not come in, and nothing is recorded."
        return _nothing(state, *calls, Call(short, "I.2-18"))
    total = state.scores[state.seat - 1] + score
    call = Call(f"{state.who} records {score} and has {total}.", rule)
    return _over(replace(state, scores=_set(state.scores, state.seat, new=total)), *calls, call)


def _nothing(state: IntersectionState, *calls: Call) -> Outcome:
    return _over(state, *calls)


# Turn after turn


def _over(state: IntersectionState, *calls: Call) -> Outcome:
    seat = state.seat
    done = replace(state, turns=_set(state.turns, seat, new=state.turns[seat - 1] + 1))
    if state.is_solo:
        return _next_alone(done, calls)
    if done.last_turns is not None:
        return _next(replace(done, last_turns=done.last_turns[1:]), calls)
    if done.scores[seat - 1] >= GOAL_POINTS:
        call = Call(f"{state.who} has reached {GOAL_POINTS}: the last turns begin.", "I.2-20")
        return _next(replace(done, last_turns=_last_turns(done)), (*calls, call))
    return _start(done, _clockwise(done, seat)[0]), calls


def _next_alone(state: IntersectionState, calls: tuple[Call, ...]) -> Outcome:
    if state.scores[0] < GOAL_POINTS:
        return _start(state, 1), calls
    call = Call(f"{state.who} has {state.scores[0]} points in {_counted(state.turns[0], 'turn')}.", "I.2-23")
    return _won(state, 1), (*calls, call)


def _next(state: IntersectionState, calls: tuple[Call, ...]) -> Outcome:
    if state.last_turns:
        return _start(state, state.last_turns[0]), calls
    return _final(state, calls)


def _last_turns(state: IntersectionState) -> tuple[int, ...]:
    others = _clockwise(state, state.seat)
    if state.chose(LAST_TURN, "everyone"):
        return others
    return others[: others.index(state.starter)] if state.starter in others else others


def _clockwise(state: IntersectionState, seat: int) -> tuple[int, ...]:
    seats = tuple(player.seat for player in state.players)
    return (*seats[seat:], *seats[: seat - 1])


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


def _set(values: tuple[T, ...], seat: int, *, new: T) -> tuple[T, ...]:
    return (*values[: seat - 1], new, *values[seat:])


def _names(state: IntersectionState, seats: tuple[int, ...]) -> str:
    return spell_list([state.name(seat) for seat in seats], "and")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


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
