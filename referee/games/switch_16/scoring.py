"""The end of a round and of the game of Switch 16: who scores, and who wins."""

from __future__ import annotations

from dataclasses import replace

from referee.calls import Call, Moment
from referee.games.switch_16.state import GOAL_POINTS, VARIANT, Switch16Phase, Switch16State, deal
from referee.games.switch_16.switching import between_turns, pass_on, with_call
from referee.phrases import spell_list
from referee.sentences import say
from referee.verb import Outcome


def last_card_gone(state: Switch16State) -> Outcome[Switch16State]:
    """End the game (S.2-16), or the round of a game to 100 (S.2-17), after a card 16."""
    if state.chose(VARIANT, "to-100"):
        return _round_over(state)
    won = Call(say("{who} has discarded the 16 and wins.", who=state.who), "S.2-16", Moment.WIN)
    return finish(state, (state.seat,)), (won,)


def finish(state: Switch16State, winner: tuple[int, ...]) -> Switch16State:
    """Return the end of the game."""
    over = replace(between_turns(state), phase=Switch16Phase.OVER, winner=winner)
    return replace(over, contenders=(), lots=())


def _round_over(state: Switch16State) -> Outcome[Switch16State]:
    gained = tuple(0 if seat in state.gone else deck.top - 1 for seat, deck in enumerate(state.decks, start=1))
    points = tuple(old + new for old, new in zip(state.scores, gained, strict=True))
    written = [
        say("{name} {points}", name=player.name, points=new) for player, new in zip(state.players, gained, strict=True)
    ]
    sentence = say("The round is over. Points for it: {written}.", written=spell_list(written, "and"))
    call = Call(sentence, "S.2-17", Moment.SCORE)
    return with_call(call, _next_round(replace(state, scores=points)))


def _next_round(state: Switch16State) -> Outcome[Switch16State]:
    best = max(state.scores[seat - 1] for seat in state.present)
    if best >= GOAL_POINTS:
        winner = tuple(seat for seat in state.present if state.scores[seat - 1] == best)
        return finish(state, winner), (_won(state, winner, best),)
    fresh = replace(pass_on(state), decks=deal(len(state.players)), holder=0)
    sentence = say("The decks are dealt again, the disk lies next to the tray, {who} starts.", who=fresh.who)
    return fresh, (Call(sentence, "AMB-S-15"),)


def _won(state: Switch16State, winner: tuple[int, ...], points: int) -> Call:
    if len(winner) > 1:
        sentence = say("{names} share the win with {points} points each.", names=state.names(winner), points=points)
        return Call(sentence, "AMB-S-15", Moment.WIN)
    sentence = say("{name} wins with {points} points.", name=state.name(winner[0]), points=points)
    return Call(sentence, "S.2-17", Moment.WIN)


def unsafe_points(state: Switch16State, seat: int) -> int:
    """Return what a round of a game to 100 would bring a seat now; in a game to card 16 the scores hold all cards."""
    is_in_round = state.chose(VARIANT, "to-100") and state.phase != Switch16Phase.OVER
    return state.top(seat) - 1 if is_in_round else 0
