"""Intersection in words: what the table waits for, and what lies before the players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.board import Board, BoardPart, DicePlace, Light, Lights, Tally, Token, Track
from referee.game import Action, Player
from referee.games.intersection.scoring import COME_IN_POINTS, GOAL_POINTS, in_turns, turn_points
from referee.games.intersection.state import (
    GO,
    LOTS,
    SLOW,
    STOP,
    TRAFFIC_DICE,
    IntersectionPhase,
    IntersectionState,
    traffic,
)
from referee.games.intersection.verbs import VERBS
from referee.phrases import spell_list


def tell(state: IntersectionState) -> str:
    """Return one sentence: who is to do what."""
    if state.phase == IntersectionPhase.GAME_OVER:
        return in_turns(state) if state.is_solo else f"{state.names(state.winner)} has won."
    offered = (verb for verb in VERBS if not verb.grave and any(verb.offers(state, state.seat)))
    ways = [_uncapitalized(verb.title_of(state, Action(state.seat, verb.name))) for verb in offered]
    worth = f", {turn_points(state)} parked" if state.parked else ""
    return f"{state.who}{worth}: {spell_list(ways, 'or')}."


def _uncapitalized(title: str) -> str:
    return f"{title[:1].lower()}{title[1:]}"


_COLOURS: Final = {STOP: "red", SLOW: "yellow", GO: "green"}
"""The Signal's faces as a traffic light has them, from above."""


def boards(state: IntersectionState) -> tuple[Board, ...]:
    """Return the Signal, the parked dice and the road in the middle, and before each player who has come in."""
    title = "Who begins" if state.phase == IntersectionPhase.SETUP else "The road"
    players = tuple(_board(state, player) for player in state.players)
    return (Board(0, title, parts=(*_lots(state), *_turn(state), _road(state))), *players)


def _lots(state: IntersectionState) -> Iterator[BoardPart]:
    """Yield what each of those who throw for the first turn, or for a tie, has thrown so far."""
    for seat, happy in zip(state.contenders, state.lots, strict=False) if state.phase in LOTS else ():
        yield Tally(f"lot-{seat}", f"{state.name(seat)}: happy faces", happy, of=TRAFFIC_DICE)


def _turn(state: IntersectionState) -> Iterator[BoardPart]:
    """Yield the Signal as a traffic light, and the lane of parked dice with what they are worth."""
    if state.to_act and state.phase not in LOTS:
        lights = tuple(Light(colour, state.signal == face, face) for face, colour in _COLOURS.items())
        yield Lights("signal", "Signal", lights, is_upright=True)
        yield DicePlace(
            "parked",
            "Parked",
            traffic(state.parked),
            room=TRAFFIC_DICE,
            points=turn_points(state),
            verbs=("park", "double"),
        )


def _road(state: IntersectionState) -> Track:
    """Return the road to 5000, on which a tap takes the points of the turn."""
    tokens = tuple(
        Token(player.seat, state.scores[player.seat - 1], turn_points(state) if player.seat in state.to_act else 0)
        for player in state.players
    )
    is_anybody_out = not all(map(state.come_in, state.present))
    marks = (COME_IN_POINTS,) if is_anybody_out else ()
    return Track("road", f"The road to {GOAL_POINTS}", GOAL_POINTS, tokens, marks, verbs=("end",))


def _board(state: IntersectionState, player: Player) -> Board:
    parts = tuple(_player_parts(state, player.seat))
    return Board(player.seat, player.name, parts=parts, brief=tuple(part.key for part in parts))


def _player_parts(state: IntersectionState, seat: int) -> Iterator[BoardPart]:
    """Yield whether the player has come in, a lone player's turns, and a last turn that is still to come."""
    at_risk = turn_points(state) if seat in state.to_act else 0
    if state.come_in(seat):
        yield Lights("come-in", "Has come in", (Light("green", is_lit=True),))
    else:
        yield Tally("come-in", "To come in", at_risk, of=COME_IN_POINTS)
    if state.is_solo:
        yield Tally("turns", "Turns", state.turns[seat - 1])
    if seat in (state.last_turns or ()):
        yield Lights("last-turn", "Last turn to come", (Light("yellow", is_lit=True),))
