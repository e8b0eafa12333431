"""The end of a turn of Toss Up!, and of the game. Rule numbers are those of referee/rules."""

from __future__ import annotations

from dataclasses import replace

from referee.calls import Call, DiceSum, Moment, SumTerm
from referee.games.toss_up.state import LAST_TURNS, TARGET, TIE, TossUpState, start_turn
from referee.phrases import clockwise, points, with_set
from referee.sentences import say, say_count
from referee.verb import Outcome


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
        sentence = say("{names} are level with {total} and play one more turn each.", names=names, total=most)
        return start_turn(replace(state, last_turns=best[1:]), best[0]), (Call(sentence, "AMB-T-3"),)
    sentence = say("{names} share the win with {total}.", names=names, total=most)
    return finish(state, best), (Call(sentence, "AMB-T-3", Moment.WIN),)


def finish(state: TossUpState, winner: tuple[int, ...]) -> TossUpState:
    """Return the end of the game."""
    return replace(start_turn(state), winner=winner)
