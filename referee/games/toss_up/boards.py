"""Toss Up! in words: what the table waits for, and what lies before the players."""

from __future__ import annotations

from collections.abc import Iterator

from referee.board import Board
from referee.games.toss_up.state import DICE, TossUpState, end_refusal, to_beat
from referee.games.toss_up.verbs import next_roll
from referee.phrases import counted


def tell(state: TossUpState) -> str:
    """Return one sentence: who is to do what."""
    if not state.to_act:
        names, won = state.names(state.winner) or "Nobody", [state.scores[seat - 1] for seat in state.winner]
        return f"{names} {'have' if len(won) > 1 else 'has'} won{f' with {won[0]}' if won else ''}."
    has = f", {counted(state.points, 'point')}" if state.rolled else ""
    last = f", last turn, {to_beat(state)} to beat" if state.last_turns is not None else ""
    ways = f"roll {next_roll(state)}{'' if end_refusal(state) else ' or end the turn'}"
    return f"{state.who}{last}{has}: {ways}."


def boards(state: TossUpState) -> tuple[Board, ...]:
    """Return how the turn stands, before its player; and in the middle, who still has a last turn."""
    return (*_turn_board(state), *_last_board(state))


def _turn_board(state: TossUpState) -> Iterator[Board]:
    if state.to_act:
        facts = (("Set aside", str(state.aside)), ("In hand", str(DICE - state.aside)))
        yield Board(state.seat, "Dice", facts)


def _last_board(state: TossUpState) -> Iterator[Board]:
    if state.to_act and state.last_turns is not None:
        after = state.names(state.last_turns)
        yield Board(0, "Last turns", (("To beat", str(to_beat(state))), ("After this turn", after or "nobody")))
