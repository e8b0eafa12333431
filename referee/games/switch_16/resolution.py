"""What a roll of Switch 16 leads to: the Switch die first, then the dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from referee.calls import Call, Moment
from referee.dice import FaceName
from referee.games.switch_16.state import (
    BLOCK,
    GREEN,
    NO_FACE,
    RED,
    Deck,
    Switch16Phase,
    Switch16State,
    blocked_seat,
    can_discard,
    falls_to,
    lowest_others,
    sums,
)
from referee.phrases import with_set
from referee.sentences import say
from referee.verb import Outcome


def with_call(call: Call, outcome: Outcome[Switch16State]) -> Outcome[Switch16State]:
    """Put a call before those of an outcome."""
    after, calls = outcome
    return after, (call, *calls)


def _green(state: Switch16State) -> Outcome[Switch16State]:
    call = Call(say("{who} may switch decks with another player, and the turn is then over.", who=state.who), "S.2-4")
    return replace(state, phase=Switch16Phase.GREEN), (call,)


def _red(state: Switch16State) -> Outcome[Switch16State]:
    lowest = lowest_others(state)
    if not lowest:
        return keep_deck(state)
    if len(lowest) == 1:
        return exchange(state, lowest[0], "S.2-6")
    sentence = say(
        "{names} have the lowest card on top: {who} chooses whose deck to take.",
        names=state.names(lowest),
        who=state.who,
    )
    return replace(state, phase=Switch16Phase.RED), (Call(sentence, "S.2-6"),)


def keep_deck(state: Switch16State) -> Outcome[Switch16State]:
    """End the turn of a red switch for which nobody has a lower card (S.2-6)."""
    kept = say("Nobody has a lower card on top than {who}, who keeps the deck; the turn is over.", who=state.who)
    return pass_on(state), (Call(kept, "S.2-6", Moment.STOP),)


def _block(state: Switch16State) -> Outcome[Switch16State]:
    there = blocked_seat(state)
    if state.holder == state.seat:
        return with_call(Call(say("{who} has the disk in hand already.", who=state.who), "S.2-8"), count_dice(state))
    if there in (0, state.seat):
        return take_disk(state)
    name = state.name(there)
    sentence = say("The disk lies on {name}'s deck: {who} takes it or leaves it there.", name=name, who=state.who)
    return replace(state, phase=Switch16Phase.BLOCK), (Call(sentence, "S.2-8"),)


Resolution = Callable[[Switch16State], Outcome[Switch16State]]
RESOLUTIONS: Final[Mapping[FaceName, Resolution]] = {GREEN: _green, RED: _red, BLOCK: _block}
"""What the faces of the Switch die lead to; with any other the dice count."""


def take_disk(state: Switch16State) -> Outcome[Switch16State]:
    """Take the disk into the hand, off a deck or from its holder, and count the dice (S.2-8)."""
    call = Call(_taken(state), "S.2-8")
    free = tuple(replace(deck, blocked=False) for deck in state.decks)
    return with_call(call, count_dice(replace(state, decks=free, holder=state.seat)))


def _taken(state: Switch16State) -> str:
    who, there = state.who, blocked_seat(state)
    if there == state.seat:
        return say("{who} takes the disk off {who}'s own deck.", who=who)
    if there:
        return say("{who} takes the disk off {name}'s deck.", who=who, name=state.name(there))
    if state.holder:
        return say("{who} takes the disk from {name}.", who=who, name=state.name(state.holder))
    return say("{who} takes the disk from next to the tray.", who=who)


def count_dice(state: Switch16State) -> Outcome[Switch16State]:
    """Count the dice, once the Switch die is settled (S.2-10, S.2-12, S.2-13, S.2-15)."""
    if can_discard(state):
        return replace(state, phase=Switch16Phase.DISCARD), ()
    if state.deck.top in sums(state.rolled):
        return stuck(state)
    if state.rolls == 1:
        sentence = say("The dice do not make {card}: {who}'s turn is over.", card=state.deck.top, who=state.who)
        return pass_on(state), (Call(sentence, "S.2-13", Moment.STOP),)
    return _fall(state)


def stuck(state: Switch16State) -> Outcome[Switch16State]:
    """End a turn in which the disk keeps every card on the deck (S.2-10)."""
    blocked = say("{who}'s deck is blocked: no card goes, and the turn is over.", who=state.who)
    return pass_on(state), (Call(blocked, "S.2-10", Moment.STOP),)


def _fall(state: Switch16State) -> Outcome[Switch16State]:
    top = falls_to(state, state.deck)
    failed = say(
        "The risk failed, the dice do not make {card}: {who}'s cards go back to {top}.",
        card=state.deck.top,
        who=state.who,
        top=top,
    )
    fallen = with_deck(state, state.seat, replace(state.deck, top=top))
    return pass_on(fallen), (Call(failed, "S.2-15", Moment.STOP),)


def with_deck(state: Switch16State, seat: int, deck: Deck) -> Switch16State:
    """Return the state with another deck for a seat."""
    return replace(state, decks=with_set(state.decks, seat, deck))


def pass_on(state: Switch16State) -> Switch16State:
    """Return the state before the first roll of the next player's turn."""
    return replace(between_turns(state), phase=Switch16Phase.START, seat=state.others[0])


def between_turns(state: Switch16State) -> Switch16State:
    """Return the state without the dice of a turn."""
    return replace(
        state,
        rolled=(),
        face=NO_FACE,
        rolls=0,
        turn_cards=0,
        roll_cards=0,
        refused=0,
    )


def exchange(state: Switch16State, partner: int, rule: str) -> Outcome[Switch16State]:
    """Switch decks with a partner, disk and all, which ends the turn (S.2-4, S.2-6, S.2-11)."""
    mine, other = state.deck, state.decks[partner - 1]
    after = with_deck(with_deck(state, state.seat, other), partner, mine)
    sentence = say(
        "{who} and {name} switch decks: {card} is on top for {who} now, {other} for {name}. The turn is over.",
        who=state.who,
        name=state.name(partner),
        card=other.top,
        other=mine.top,
    )
    moment = Moment.SCORE if other.top > mine.top else Moment.STOP
    call = Call(sentence, rule, moment)
    goes_along = Call(say("The disk goes with its deck, which stays blocked."), "S.2-11")
    return pass_on(after), (call, goes_along) if mine.blocked or other.blocked else (call,)
