"""Toss Up! in words: what the table waits for, and what lies before the players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.board import Board, BoardPart, Light, Lights, Tally, Token, Track
from referee.game_state import Player
from referee.games.toss_up.scoring import target
from referee.games.toss_up.state import DICE, GREEN, TossUpState, end_refusal, to_beat
from referee.games.toss_up.verbs import next_roll
from referee.phrases import points
from referee.sentences import say, say_count

LAST: Final = "last-turn"


def tell(state: TossUpState) -> str:
    """Return one sentence: who is to do what."""
    if not state.to_act:
        return _won(state)
    who: str = state.who
    if state.last_turns is not None:
        who = say("{who}, last turn, {total} to beat", who=who, total=to_beat(state))
    if state.rolled:
        who = say("{who}, {points}", who=who, points=points(state.points))
    if end_refusal(state):
        return say("{who}: roll {dice}.", who=who, dice=next_roll(state))
    return say("{who}: roll {dice} or end the turn.", who=who, dice=next_roll(state))


def _won(state: TossUpState) -> str:
    if not state.winner:
        return say("Nobody has won.")
    names, total = state.names(state.winner), state.scores[state.winner[0] - 1]
    return say_count(
        "{names} has won with {total}.",
        "{names} have won with {total}.",
        len(state.winner),
        names=names,
        total=total,
    )


def boards(state: TossUpState) -> tuple[Board, ...]:
    """Return the ten lights and the bank in the middle, and before each player whether a last turn is still to come."""
    middle = Board(0, say("The lights"), parts=(*_turn(state), _road(state), *_to_beat(state)))
    return (middle, *(_board(state, player) for player in state.players))


def _turn(state: TossUpState) -> Iterator[BoardPart]:
    """Yield a light for each die, and the points that ending the turn takes."""
    if state.to_act:
        title = say("{aside} green, {dice} in hand", aside=state.aside, dice=DICE - state.aside)
        yield Lights(
            "lights",
            title,
            tuple(_lights(state)),
        )
        banked = state.scores[state.seat - 1]
        yield Tally("bank", say("{who}'s points", who=state.who), banked, at_risk=state.points, verbs=("end",))


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
    return Track("road", say("The road to {target}", target=target(state)), target(state), tokens)


def _to_beat(state: TossUpState) -> Iterator[BoardPart]:
    if state.to_act and state.last_turns is not None:
        yield Tally("to-beat", say("To beat"), to_beat(state))


def _board(state: TossUpState, player: Player) -> Board:
    """Return one yellow light for a player who still has a last turn after this one."""
    last = (Lights(LAST, say("Last turn to come"), (Light("yellow", is_lit=True),)),)
    parts = last if player.seat in (state.last_turns or ()) else ()
    return Board(player.seat, player.name, parts=parts, brief=(LAST,) if parts else ())
