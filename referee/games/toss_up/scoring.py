"""The end of a turn of Toss Up!, and of the game. Rule numbers are those of referee/rules."""

from __future__ import annotations

from dataclasses import replace

from referee.game import Call, DiceSum, Moment, Outcome, SumTerm
from referee.games.toss_up.state import LAST_TURNS, TARGET, TIE, TossUpState, start_turn
from referee.phrases import clockwise, counted, with_set


def take_points(state: TossUpState) -> Outcome[TossUpState]:
    """End the turn and add its points to the total (T.2-10)."""
    before = state.scores[state.seat - 1]
    total = before + state.points
    added = DiceSum((SumTerm((), before, "before"), SumTerm((), state.points, "this turn"))) if before else None
    moment = Moment.SCORE if state.points else None
    call = Call(f"{state.who} takes {counted(state.points, 'point')} and has {total}.", "T.2-10", moment, added)
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
    turns = "have one last turn each" if len(others) > 1 else "has one last turn"
    return after, (
        Call(f"{state.who} has reached {target(state)}: {names} {turns}.", "T.2-11", Moment.LAST_ROUND),
        *calls,
    )


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
        return finish(state, best), (Call(f"{names} wins with {most}.", "T.2-12", Moment.WIN),)
    if state.chose(TIE, "one-more-turn"):
        again = Call(f"{names} are level with {most} and play one more turn each.", "AMB-T-3")
        return start_turn(replace(state, last_turns=best[1:]), best[0]), (again,)
    return finish(state, best), (Call(f"{names} share the win with {most}.", "AMB-T-3", Moment.WIN),)


def finish(state: TossUpState, winner: tuple[int, ...]) -> TossUpState:
    """Return the end of the game."""
    return replace(start_turn(state), winner=winner)
