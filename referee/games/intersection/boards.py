"""Intersection in words: what the table waits for, and what lies before the players."""

from __future__ import annotations

from referee.board import Board
from referee.game import Action, Player
from referee.games.intersection.scoring import COME_IN_POINTS, in_turns, turn_points
from referee.games.intersection.state import IntersectionPhase, IntersectionState, traffic
from referee.games.intersection.verbs import VERBS
from referee.phrases import spell, spell_list


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


def boards(state: IntersectionState) -> tuple[Board, ...]:
    """Return the turn in the middle of the table, and before each player what the scores alone do not tell."""
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
