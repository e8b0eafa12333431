"""The beginning and the end of turns, rounds and the game of Rollers: who scores, and who wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.calls import Call, Moment
from referee.dice import Die, DieSet
from referee.game_state import Player
from referee.games.rollers.state import (
    ALL_SIX,
    CHIP_TIE,
    CHIPS,
    NEW_BOARD,
    NOTHING_LAID,
    PURPLE,
    TARGET,
    RollersPhase,
    RollersState,
)
from referee.phrases import points, with_set
from referee.sentences import say, say_count
from referee.verb import Outcome


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> RollersState:
    """Return empty boards, full chips, and one die to be thrown by each player for the first turn (R.2-1)."""
    nothing = (0,) * len(players)
    state = RollersState(players, dice, options, scores=nothing, contenders=tuple(each.seat for each in players))
    return next_lot(cleared_boards(state))


def cleared_boards(state: RollersState) -> RollersState:
    """Return the state with all boards cleared, and each player with all chips."""
    count = len(state.players)
    return replace(state, sections=(NEW_BOARD,) * count, laid=(NOTHING_LAID,) * count, chips=(CHIPS,) * count)


def next_lot(state: RollersState) -> RollersState:
    """Return the state in which the next contender throws for the first turn (R.2-1)."""
    seat = state.contenders[len(state.lots)]
    return replace(state, to_act=(seat,), dice_awaited=(Die(PURPLE),))


def new_round(state: RollersState, starter: int) -> RollersState:
    """Return the state at the start of a round: boards empty, all chips back (R.2-15)."""
    return new_turn(replace(cleared_boards(state), starter=starter, round=state.round + 1), starter)


def new_turn(state: RollersState, seat: int) -> RollersState:
    """Return the state before the first roll of a seat's turn (R.2-3)."""
    return replace(swept(state), phase=RollersPhase.ROLL, to_act=(seat,), dice_awaited=ALL_SIX)


def swept(state: RollersState) -> RollersState:
    """Return the state without the dice of a turn and without lots."""
    return replace(state, rolls=0, good=(), dead=(), used=(), saved=(), bound=(), contenders=(), lots=())


# The end of a round


def round_over(state: RollersState, calls: tuple[Call, ...]) -> Outcome[RollersState]:
    """Give the points of the round (R.2-14); then a new round, or the end of the game (R.2-16)."""
    paid, finished = _for_finishing(state)
    scored, chips = _for_chips(paid)
    calls = (*calls, finished, chips)
    goal = int(state.options[TARGET])
    reached = tuple(seat for seat in scored.present if scored.scores[seat - 1] >= goal)
    return _won(scored, reached, calls) if reached else _next_round(scored, calls)


def _for_finishing(state: RollersState) -> tuple[RollersState, Call]:
    worth = 2 if state.chips[state.seat - 1] else 1
    if worth == 2:
        sentence = say("{who} filled the board and gets {points}.", who=state.who, points=points(worth))
    else:
        sentence = say(
            "{who} filled the board and gets {points}, having no chips.", who=state.who, points=points(worth)
        )
    return _scored(state, state.seat, worth), Call(sentence, "R.2-14", Moment.SCORE)


def _for_chips(state: RollersState) -> tuple[RollersState, Call]:
    most = max(state.chips[seat - 1] for seat in state.present)
    richest = tuple(seat for seat in state.present if state.chips[seat - 1] == most)
    names = state.names(richest)
    if len(richest) == 1:
        sentence = say("{name} has the most chips, {chips}, and gets 1 point.", name=names, chips=most)
        return _scored(state, richest[0], 1), Call(sentence, "R.2-14", Moment.SCORE)
    if state.chose(CHIP_TIE, "nobody"):
        return state, Call(say("{names} are level in chips: nobody gets the point.", names=names), "AMB-R-6")
    for seat in richest:
        state = _scored(state, seat, 1)
    each = say("{names} are level in chips: each gets 1 point.", names=names)
    return state, Call(each, "AMB-R-6", Moment.SCORE)


def _scored(state: RollersState, seat: int, worth: int) -> RollersState:
    return replace(state, scores=with_set(state.scores, seat, state.scores[seat - 1] + worth))


def _won(state: RollersState, reached: tuple[int, ...], calls: tuple[Call, ...]) -> Outcome[RollersState]:
    most = max(state.chips[seat - 1] for seat in reached)
    winner = tuple(seat for seat in reached if state.chips[seat - 1] == most)
    over = finish(state, winner)
    goal, names = state.options[TARGET], state.names(reached)
    if len(reached) == 1:
        total = state.scores[reached[0] - 1]
        sentence = say("{name} has {total} points and wins: {goal} are enough.", name=names, total=total, goal=goal)
        return over, (*calls, Call(sentence, "R.2-16", Moment.WIN))
    decided = say(
        "{names} have reached {goal} together: the most chips decide, {outcome}.",
        names=names,
        goal=goal,
        outcome=outcome_of(over),
    )
    return over, (*calls, Call(decided, "AMB-R-7", Moment.WIN))


def finish(state: RollersState, winner: tuple[int, ...]) -> RollersState:
    """Return the end of the game."""
    return replace(swept(state), phase=RollersPhase.OVER, to_act=(), dice_awaited=(), winner=winner)


def outcome_of(state: RollersState) -> str:
    """Return who has won, in words."""
    if not state.winner:
        return say("Nobody wins")
    names = state.names(state.winner)
    return say_count("{names} wins", "{names} win together", len(state.winner), names=names)


def _next_round(state: RollersState, calls: tuple[Call, ...]) -> Outcome[RollersState]:
    starter = state.after(state.starter)[-1]
    right = say(
        "A new round: {name}, to the right of {other}, starts.",
        name=state.name(starter),
        other=state.name(state.starter),
    )
    return new_round(state, starter), (*calls, Call(right, "R.2-15"))
