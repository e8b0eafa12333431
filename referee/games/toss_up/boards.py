"""Toss Up! in words: what the table waits for, and what lies before the players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.board import Board, BoardPart, Light, Lights, Tally, Token, Track
from referee.game import Player
from referee.games.toss_up.scoring import target
from referee.games.toss_up.state import DICE, GREEN, TossUpState, end_refusal, to_beat
from referee.games.toss_up.verbs import next_roll
from referee.phrases import counted

LAST: Final = "last-turn"


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
    """Return the ten lights and the bank in the middle, and before each player whether a last turn is still to come."""
    middle = Board(0, "The lights", parts=(*_turn(state), _road(state), *_to_beat(state)))
    return (middle, *(_board(state, player) for player in state.players))


def _turn(state: TossUpState) -> Iterator[BoardPart]:
    """Yield a light for each die, and the points that ending the turn takes."""
    if state.to_act:
        yield Lights("lights", f"{state.aside} green, {DICE - state.aside} in hand", tuple(_lights(state)))
        banked = state.scores[state.seat - 1]
        yield Tally("bank", f"{state.who}'s points", banked, at_risk=state.points, verbs=("end",))


def _lights(state: TossUpState) -> Iterator[Light]:
    """Yield green for the dice set aside, then the dice in hand as the last roll left them, unlit before a roll."""
    yield from (Light("green", is_lit=True, face=GREEN) for _ in range(state.aside))
    yield from (Light(face, is_lit=True, face=face) for face in reversed(state.field))
    unlit = DICE - state.aside - len(state.field)
    yield from (Light("white", is_lit=False) for _ in range(unlit))


def _road(state: TossUpState) -> Track:
    at_risk = {state.seat: state.points} if state.to_act else {}
    tokens = tuple(
        Token(player.seat, state.scores[player.seat - 1], at_risk.get(player.seat, 0)) for player in state.players
    )
    return Track("road", f"The road to {target(state)}", target(state), tokens)


def _to_beat(state: TossUpState) -> Iterator[BoardPart]:
    if state.to_act and state.last_turns is not None:
        yield Tally("to-beat", "To beat", to_beat(state))


def _board(state: TossUpState, player: Player) -> Board:
    """Return one yellow light for a player who still has a last turn after this one."""
    last = (Lights(LAST, "Last turn to come", (Light("yellow", is_lit=True),)),)
    parts = last if player.seat in (state.last_turns or ()) else ()
    return Board(player.seat, player.name, parts=parts, brief=(LAST,) if parts else ())
