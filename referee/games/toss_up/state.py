"""Where a game of Toss Up! stands: its dice, options and state, the end of a turn, and a player who is absent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from referee.actions import DiePosition, GameState, Player
from referee.calls import Call, DiceSum, Moment, Outcome, Refusal, SumTerm
from referee.dice import Die, DieSet, FaceName, KindName, Zone
from referee.game import ENDS, LEADER_LEAVES, read_game_options
from referee.phrases import clockwise, points, with_set
from referee.sentences import say, say_count

# Where a game of Toss Up! stands: its dice, its options and its state. Rule numbers are those of referee/rules


KIND: Final = KindName("tossup")
GREEN: Final = FaceName("green")
YELLOW: Final = FaceName("yellow")
DICE: Final = 10
ROLLED: Final = Die(KIND)
ASIDE: Final = DiePosition(Die(KIND, GREEN), None)
"""A green die is set aside wherever there is room."""

TARGET: Final = "target"
LAST_TURNS: Final = "last-turns"
TIE: Final = "tie"
YELLOW_START: Final = "yellow-start"
TEN_GREEN: Final = "ten-green"
NEW_GREEN: Final = "new-green"
LAST_YELLOW: Final = "last-yellow"

OPTIONS: Final = read_game_options("toss_up")


@dataclass(frozen=True)
class TossUpState(GameState):
    """Where a game of Toss Up! stands.

    `field` are the dice in hand as the last roll left them, in the order of their names; `aside` are the green dice set
    aside, `fresh` of them in the last roll. `points` are the turn's. `last_turns` are the seats that still have a last
    turn after this one, None before anybody passed 100. `starter` is the seat that began.
    """

    rolled: bool = False
    field: tuple[FaceName, ...] = ()
    aside: int = 0
    fresh: int = 0
    points: int = 0
    last_turns: tuple[int, ...] | None = None
    starter: int = 1


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> TossUpState:
    """Return the game before its first roll: the players have agreed on who begins and has seat 1 (T.2-1)."""
    return start_turn(TossUpState(players, dice, options, scores=(0,) * len(players)), 1)


def start_turn(state: TossUpState, *to_act: int) -> TossUpState:
    """Return the state before the first roll of a turn; of nobody's turn when the game is over."""
    return replace(state, to_act=to_act, rolled=False, field=(), aside=0, fresh=0, points=0)


def settle(state: TossUpState) -> TossUpState:
    """Return the state with `dice_awaited`: set while a single roll is all that may be done."""
    counts = throws(state)
    forced = state.to_act and len(counts) == 1 and end_refusal(state)
    awaited = (ROLLED,) * counts[0] if forced else ()
    return state if awaited == state.dice_awaited else replace(state, dice_awaited=awaited)


# What may be rolled, and whether the turn may end


def throws(state: TossUpState) -> tuple[int, ...]:
    """Return the numbers of dice that may be rolled: the hand, or all ten; more with new green dice (AMB-T-6)."""
    most = len(state.field) + state.fresh if state.chose(NEW_GREEN, "may-roll") else 0
    return (hand(state), *range(len(state.field) + 1, most))


def hand(state: TossUpState) -> int:
    """Return how many dice the next roll takes when no green die goes back into the hand (T.2-2, T.2-8, T.2-9)."""
    return len(state.field) or DICE


def taken_back(state: TossUpState, count: int) -> int:
    """Return how many green dice of the last roll a roll of `count` dice takes back into the hand (AMB-T-6)."""
    return 0 if count == hand(state) else count - len(state.field)


def end_refusal(state: TossUpState) -> Refusal | None:
    """Return why the turn cannot end now, None where it can."""
    if not state.rolled:
        return Refusal(TEN_FIRST, "T.2-2")
    if not state.points and state.chose(YELLOW_START, "roll-again"):
        return Refusal(say("You have no points in this turn yet. At this table you roll again."), "AMB-T-4")
    if state.aside == DICE and state.chose(TEN_GREEN, "roll-on"):
        return Refusal(say("All ten dice are green. At this table you roll all ten again."), "AMB-T-5")
    return None


TEN_FIRST: Final = say("Start your turn with all ten dice.")


# Where the dice lie


def faces(dice: Iterable[Die]) -> tuple[FaceName, ...]:
    """Return the faces that dice show, in the order of their names."""
    return tuple(sorted(die.face for die in dice if die.face))


def lay(state: TossUpState) -> tuple[DiePosition, ...]:
    """Return the dice in hand on the field and the green ones anywhere; () before a turn's first roll."""
    return (*on_field(state), *((ASIDE,) * state.aside))


def on_field(state: TossUpState) -> tuple[DiePosition, ...]:
    """Return the positions of the dice in hand, on the field."""
    return tuple(DiePosition(Die(KIND, face), Zone.FIELD) for face in state.field)


def relaid(state: TossUpState, lying: tuple[DiePosition, ...]) -> Outcome[TossUpState] | None:
    """Return the turn with its dice lying so: each green die more or fewer is a point more or fewer.

    Dice out of view are green ones set aside. None before the first roll, which is thrown again, and where more dice
    are out of view than were set aside.
    """
    unseen = DICE - len(lying)
    if not state.rolled or unseen > state.aside:
        return None
    field = tuple(face for face in faces(each.die for each in lying) if face != GREEN)
    aside = DICE - len(field)
    after = replace(state, field=field, aside=aside, fresh=0, points=state.points + aside - state.aside)
    turn = points(after.points)
    sentence = say("{who} has {aside} green aside and {points} in this turn.", who=state.who, aside=aside, points=turn)
    return settle(after), (Call(sentence, "T.2-4"),)


def to_beat(state: TossUpState) -> int:
    """Return the highest total of the others."""
    return max(state.scores[seat - 1] for seat in state.after(state.seat))


# The end of a turn of Toss Up!, and of the game. Rule numbers are those of referee/rules


def take_points(state: TossUpState) -> Outcome[TossUpState]:
    """End the turn and add its points to the total (T.2-10)."""
    before = state.scores[state.seat - 1]
    total = before + state.points
    terms = (SumTerm((), before, say("before")), SumTerm((), state.points, say("this turn")))
    added = DiceSum(terms) if before else None
    moment = Moment.SCORE if state.points else None
    sentence = say("{who} takes {points} and has {total}.", who=state.who, points=points(state.points), total=total)
    call = Call(sentence, "T.2-10", moment, added)
    banked = replace(state, scores=with_set(state.scores, state.seat, total))
    after, calls = next_turn(banked) if state.last_turns is not None or total < target(state) else _last_turns(banked)
    return after, (call, *calls)


def target(state: TossUpState) -> int:
    """Return the total with which the last turns start (T.2-11, AMB-T-1)."""
    return 100 if state.chose(TARGET, "from-100") else 101


def _last_turns(state: TossUpState) -> Outcome[TossUpState]:
    others = _last_seats(state)
    after, calls = next_turn(replace(state, last_turns=others))
    if not others:
        return after, calls
    names = state.names(others)
    sentence = say_count(
        "{who} has reached {total}: {names} has one last turn.",
        "{who} has reached {total}: {names} have one last turn each.",
        len(others),
        who=state.who,
        total=target(state),
        names=names,
    )
    return after, (Call(sentence, "T.2-11", Moment.LAST_ROUND), *calls)


def _last_seats(state: TossUpState) -> tuple[int, ...]:
    others = clockwise(len(state.players), state.seat)
    if state.chose(LAST_TURNS, "later-seats") and state.starter in others:
        others = others[: others.index(state.starter)]
    return tuple(seat for seat in others if seat not in state.gone)


def next_turn(state: TossUpState) -> Outcome[TossUpState]:
    """Pass the dice on, or end the game after the last of the last turns (T.2-11, T.2-12)."""
    if state.last_turns is None:
        return start_turn(state, state.after(state.seat)[0]), ()
    if state.last_turns:
        return start_turn(replace(state, last_turns=state.last_turns[1:]), state.last_turns[0]), ()
    return _decided(state)


def _decided(state: TossUpState) -> Outcome[TossUpState]:
    most = max(state.scores[seat - 1] for seat in state.present)
    best = tuple(seat for seat in state.present if state.scores[seat - 1] == most)
    names = state.names(best)
    if len(best) == 1:
        sentence = say("{names} wins with {total}.", names=names, total=most)
        return finish(state, best), (Call(sentence, "T.2-12", Moment.WIN),)
    if state.chose(TIE, "one-more-turn"):
        sentence = say("{names} are tied at {total} and play one more turn each.", names=names, total=most)
        return start_turn(replace(state, last_turns=best[1:]), best[0]), (Call(sentence, "AMB-T-3"),)
    sentence = say("{names} share the win with {total}.", names=names, total=most)
    return finish(state, best), (Call(sentence, "AMB-T-3", Moment.WIN),)


def finish(state: TossUpState, winner: tuple[int, ...]) -> TossUpState:
    return replace(start_turn(state), winner=winner)


# Toss Up! without a player: a turn that is skipped, somebody who leaves, and who begins


def pass_over(state: TossUpState, seat: int) -> Outcome[TossUpState] | None:
    """End the seat's turn with nothing; last turns are called off with the last player who has reached the goal."""
    after, calls = _called_off(state)
    if seat != state.seat:
        return (after, calls) if calls else None
    following, more = next_turn(after)
    return following, (*calls, *more)


def _called_off(state: TossUpState) -> Outcome[TossUpState]:
    reached = any(state.scores[seat - 1] >= target(state) for seat in state.present)
    if state.last_turns is None or reached or state.chose(LEADER_LEAVES, ENDS):
        return state, ()
    nobody = say("Nobody who still plays has {total}. The game goes on without last turns.", total=target(state))
    return replace(state, last_turns=None), (Call(nobody, "AMB-T-10"),)


def begin_with(state: TossUpState, seat: int) -> TossUpState | None:
    """Return the state in which the seat begins: before the first roll of the first turn."""
    is_new = state.to_act == (state.starter,) and not state.rolled and not any(state.scores)
    return start_turn(replace(state, starter=seat), seat) if is_new else None
