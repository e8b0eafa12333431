"""What a roll of Switch 16 leads to, and its verbs about decks and the disk: switch, refuse, take, put down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from referee.actions import Action
from referee.agreements import has_left
from referee.calls import Call, Moment, Outcome, Reasons, Refusal, Verb
from referee.dice import FaceName
from referee.games.switch_16.state import (
    BLOCK,
    DISK_WHEN_ASKED,
    GREEN,
    NO_FACE,
    RED,
    Deck,
    Switch16Phase,
    Switch16State,
    blocked_seat,
    can_discard,
    fails_freed,
    falls_to,
    lowest_others,
    sums,
)
from referee.phrases import spell_list, with_set
from referee.sentences import as_title, say

# What a roll of Switch 16 leads to: the Switch die first, then the dice


def with_call(call: Call, outcome: Outcome[Switch16State]) -> Outcome[Switch16State]:
    """Put a call before those of an outcome."""
    after, calls = outcome
    return after, (call, *calls)


def _green(state: Switch16State) -> Outcome[Switch16State]:
    call = Call(say("{who} may switch decks with another player. That ends the turn.", who=state.who), "S.2-4")
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
    kept = say("Nobody has a lower card on top. {who} keeps the deck. The turn is over.", who=state.who)
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
    before = state.disk_before or (state.holder, blocked_seat(state))
    unblocked = blocked_seat(state) == state.seat and not fails_freed(state)
    after = replace(with_disk(state, state.seat), disk_before=before)
    return with_call(call, count_dice(after, unblocked=unblocked))


def with_disk(state: Switch16State, holder: int, there: int = 0) -> Switch16State:
    """Return the state with the disk in a seat's hand, or there on a seat's deck; next to the tray without either."""
    decks = tuple(replace(deck, blocked=seat == there) for seat, deck in enumerate(state.decks, start=1))
    return replace(state, decks=decks, holder=holder)


def _taken(state: Switch16State) -> str:
    who, there = state.who, blocked_seat(state)
    if there == state.seat:
        return say("{who} takes the disk off {who}'s own deck.", who=who)
    if there:
        return say("{who} takes the disk off {name}'s deck.", who=who, name=state.name(there))
    if state.holder:
        return say("{who} takes the disk from {name}.", who=who, name=state.name(state.holder))
    return say("{who} takes the disk from next to the tray.", who=who)


def count_dice(state: Switch16State, *, unblocked: bool = False) -> Outcome[Switch16State]:
    """Count the dice, once the Switch die is settled (S.2-10, S.2-12, S.2-13, S.2-15).

    The risk of a player who has `unblocked` the deck with this roll cannot fail (AMB-S-21).
    """
    if can_discard(state):
        return replace(state, phase=Switch16Phase.DISCARD), ()
    if state.deck.top in sums(state.rolled):
        return stuck(state)
    if state.rolls == 1:
        sentence = say("The dice do not make {card}: {who}'s turn is over.", card=state.deck.top, who=state.who)
        return pass_on(state), (Call(sentence, "S.2-13", Moment.STOP),)
    return _only_unblocked(state) if unblocked else _fall(state)


def _only_unblocked(state: Switch16State) -> Outcome[Switch16State]:
    """End a risk in which Block did no more than take the disk off the player's own deck (AMB-S-21)."""
    sentence = say(
        "The dice do not make {card}. {who} has freed the deck, and no card goes back.",
        card=state.deck.top,
        who=state.who,
    )
    return pass_on(state), (Call(sentence, "AMB-S-21", Moment.STOP),)


def stuck(state: Switch16State) -> Outcome[Switch16State]:
    """End a turn in which the disk keeps every card on the deck (S.2-10)."""
    blocked = say("{who}'s deck is blocked: no card can go. The turn is over.", who=state.who)
    return pass_on(state), (Call(blocked, "S.2-10", Moment.STOP),)


def _fall(state: Switch16State) -> Outcome[Switch16State]:
    top = falls_to(state, state.deck)
    failed = say(
        "The risk failed: the dice do not make {card}. {who} goes back to card {top}.",
        card=state.deck.top,
        who=state.who,
        top=top,
    )
    fallen = with_deck(state, state.seat, replace(state.deck, top=top))
    return pass_on(fallen), (Call(failed, "S.2-15", Moment.STOP),)


def with_deck(state: Switch16State, seat: int, deck: Deck) -> Switch16State:
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
        passed_before=False,
        disk_before=None,
    )


def exchange(state: Switch16State, partner: int, rule: str) -> Outcome[Switch16State]:
    """Switch decks with a partner, disk and all, which ends the turn (S.2-4, S.2-6, S.2-11)."""
    mine, other = state.deck, state.decks[partner - 1]
    after = with_deck(with_deck(state, state.seat, other), partner, mine)
    sentence = say(
        "{who} and {name} switch decks. {who} now has {card} on top, {name} has {other}. The turn is over.",
        who=state.who,
        name=state.name(partner),
        card=other.top,
        other=mine.top,
    )
    moment = Moment.SCORE if other.top > mine.top else Moment.STOP
    call = Call(sentence, rule, moment)
    goes_along = Call(say("The disk stays where it is. That deck stays blocked."), "S.2-11")
    return pass_on(after), (call, goes_along) if mine.blocked or other.blocked else (call,)


# The verbs of Switch 16 about decks and the disk, one record each: switch, refuse, take, put down


# switch and decline: after a green or a red switch


def _switch_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer the players to switch decks with, after a green switch (S.2-4) or a red one (S.2-6)."""
    if state.phase in (Switch16Phase.GREEN, Switch16Phase.RED) and seat == state.seat:
        yield from (Action(seat, "switch", choice=str(partner)) for partner in _partners(state))


def _partners(state: Switch16State) -> tuple[int, ...]:
    if state.phase == Switch16Phase.RED:
        return lowest_others(state)
    return tuple(seat for seat in state.others if seat != state.refused)


def _switch(state: Switch16State, action: Action) -> Outcome[Switch16State]:
    partner = int(action.choice)
    if state.phase == Switch16Phase.RED:
        return exchange(state, partner, "S.2-6")
    if partner != state.holder:
        return exchange(state, partner, "S.2-4")
    name = state.name(partner)
    sentence = say("{who} wants {name}'s deck. {name} holds the disk and may say no.", who=state.who, name=name)
    return replace(state, phase=Switch16Phase.ASKED), (Call(sentence, "S.2-5"),)


def _no_switch(state: Switch16State, action: Action) -> Reasons:
    if state.phase == Switch16Phase.DISCARD and state.face == GREEN:
        yield Refusal(say("The green switch is over for this roll. Now the dice count."), "S.2-4")
    if state.phase not in (Switch16Phase.GREEN, Switch16Phase.RED):
        yield Refusal(say("You can switch decks only after a green or a red switch."), "S.2-4")
    yield from _chosen_has_left(state, action)
    if state.refused and action.choice == str(state.refused):
        name = state.name(state.refused)
        yield Refusal(say("{name} refused this switch: choose another player.", name=name), "AMB-S-7")
    if state.phase == Switch16Phase.RED:
        lowest = _either(state, lowest_others(state))
        yield Refusal(say("A red switch is with whoever has the lowest card on top: {either}.", either=lowest), "S.2-6")
    partners = _either(state, _partners(state))
    yield Refusal(say("Choose whose deck you take: {either}.", either=partners), "S.2-4")


def _chosen_has_left(state: Switch16State, action: Action) -> Reasons:
    seat = next((each.seat for each in state.players if str(each.seat) == action.choice), 0)
    return has_left(state, seat)


def _either(state: Switch16State, seats: tuple[int, ...]) -> str:
    return spell_list([state.name(seat) for seat in seats], "or")


SWITCH_DECKS: Final = Verb(
    name="switch",
    rule="S.2-4",
    help=say("After a green or a red switch, switch decks with another player."),
    offers=_switch_offers,
    play=_switch,
    title=lambda state, action: as_title(say("switch decks with {name}", name=state.name(int(action.choice)))),
    refusals=_no_switch,
    implied=True,
)


def _decline_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer to let a green switch be (S.2-4)."""
    if state.phase == Switch16Phase.GREEN and seat == state.seat:
        yield Action(seat, "decline")


def _decline(state: Switch16State, _action: Action) -> Outcome[Switch16State]:
    return with_call(Call(say("{who} keeps the deck, and the dice count.", who=state.who), "S.2-4"), count_dice(state))


def _no_decline(state: Switch16State, _action: Action) -> Reasons:
    if state.phase == Switch16Phase.RED:
        yield Refusal(say("A red switch is a must: you cannot keep your deck."), "S.2-6")
    if state.phase != Switch16Phase.GREEN:
        yield Refusal(say("There is no green switch to say no to."), "S.2-4")


DECLINE: Final = Verb(
    name="decline",
    rule="S.2-4",
    help=say("Keep your deck after a green switch, so that the dice count."),
    offers=_decline_offers,
    play=_decline,
    title=as_title(say("keep your deck")),
    refusals=_no_decline,
    implied=True,
)


# refuse and agree: the holder of the disk is asked


def _refuse_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer the holder of the disk to refuse a green switch (S.2-5)."""
    if state.phase == Switch16Phase.ASKED and seat == state.holder:
        yield Action(seat, "refuse")


def _refuse(state: Switch16State, action: Action) -> Outcome[Switch16State]:
    call = Call(say("{name} refuses the switch, and keeps the disk in hand.", name=state.name(action.player)), "S.2-5")
    after = replace(state, refused=action.player, phase=Switch16Phase.GREEN)
    if _partners(after):
        return after, (call,)
    alone = Call(say("There is nobody else to switch with, so the dice count."), "AMB-S-7")
    return with_call(call, with_call(alone, count_dice(after)))


def _no_answer(state: Switch16State, _action: Action) -> Reasons:
    if state.phase != Switch16Phase.ASKED:
        yield Refusal(say("Nobody is asking to switch decks right now."), "S.2-5")


REFUSE: Final = Verb(
    name="refuse",
    rule="S.2-5",
    help=say("Hold the disk and say no to a green switch."),
    offers=_refuse_offers,
    play=_refuse,
    title=as_title(say("keep your deck")),
    refusals=_no_answer,
    implied=True,
)


def _agree_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer the holder of the disk to agree to a green switch (S.2-5)."""
    if state.phase == Switch16Phase.ASKED and seat == state.holder:
        yield Action(seat, "agree")


AGREE: Final = Verb(
    name="agree",
    rule="S.2-5",
    help=say("Hold the disk and still say yes to a green switch."),
    offers=_agree_offers,
    play=lambda state, action: exchange(state, action.player, "S.2-4"),
    title=lambda state, _action: as_title(say("switch decks with {name}", name=state.who)),
    refusals=_no_answer,
    implied=True,
)


# take and leave: after Block


def _take_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer to take the disk off another player's deck (S.2-8)."""
    if state.phase == Switch16Phase.BLOCK and seat == state.seat:
        yield Action(seat, "take")


def _take(state: Switch16State, _action: Action) -> Outcome[Switch16State]:
    return take_disk(state)


def _no_choice_of_disk(state: Switch16State, _action: Action) -> Reasons:
    if state.phase != Switch16Phase.BLOCK:
        yield Refusal(say("That works only after Block. The disk must lie on another player's deck."), "S.2-8")


TAKE: Final = Verb(
    name="take",
    rule="S.2-8",
    help=say("After Block, take the disk off another player's deck."),
    offers=_take_offers,
    play=_take,
    title=lambda state, _action: as_title(say("take the disk off {name}'s deck", name=state.name(blocked_seat(state)))),
    refusals=_no_choice_of_disk,
    implied=True,
)


def _leave_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer to leave the disk on another player's deck (S.2-8)."""
    if state.phase == Switch16Phase.BLOCK and seat == state.seat:
        yield Action(seat, "leave")


def _leave(state: Switch16State, _action: Action) -> Outcome[Switch16State]:
    there = state.name(blocked_seat(state))
    sentence = say("{who} leaves the disk on {name}'s deck.", who=state.who, name=there)
    return with_call(Call(sentence, "S.2-8"), count_dice(state))


LEAVE: Final = Verb(
    name="leave",
    rule="S.2-8",
    help=say("After Block, leave the disk on another player's deck."),
    offers=_leave_offers,
    play=_leave,
    title=lambda state, _action: as_title(say("leave the disk on {name}'s deck", name=state.name(blocked_seat(state)))),
    refusals=_no_choice_of_disk,
    implied=True,
)


# disk: put it down at any time


def _disk_offers(state: Switch16State, seat: int) -> Iterator[Action]:
    """Offer the holder to put the disk on another player's deck, at any time (S.2-9, AMB-S-10)."""
    if seat == state.holder and not _answers_first(state):
        for other in state.after(seat):
            yield Action(seat, "disk", choice=str(other))


def _answers_first(state: Switch16State) -> bool:
    return state.phase == Switch16Phase.ASKED and state.chose(DISK_WHEN_ASKED, "answer-first")


def _disk(state: Switch16State, action: Action) -> Outcome[Switch16State]:
    seat = int(action.choice)
    who, name = state.name(action.player), state.name(seat)
    sentence = say("{who} puts the disk on {name}'s deck, which is blocked now.", who=who, name=name)
    after = replace(with_deck(state, seat, replace(state.decks[seat - 1], blocked=True)), holder=0)
    return with_call(Call(sentence, "S.2-9"), _with_disk_down(after, action.player))


def _with_disk_down(state: Switch16State, placed_by: int) -> Outcome[Switch16State]:
    """Go on with the disk put down: a switch is no longer refused (S.2-5), a turn may be over (S.2-10)."""
    if state.phase == Switch16Phase.ASKED:
        return exchange(state, placed_by, "S.2-4")
    if state.phase == Switch16Phase.DISCARD and state.deck.blocked and not state.roll_cards:
        return stuck(state)
    return state, ()


def _no_disk(state: Switch16State, action: Action) -> Reasons:
    if action.player != state.holder:
        yield Refusal(say("Only the player who holds the disk in hand may put it down."), "S.2-9")
    if _answers_first(state):
        first = say("{who} wants to switch. Say yes or no before you put the disk down.", who=state.who)
        yield Refusal(first, "AMB-S-22")
    yield from _chosen_has_left(state, action)
    if action.choice == str(action.player):
        yield Refusal(say("Put the disk on another player's deck, not on your own."), "AMB-S-10")


DISK: Final = Verb(
    name="disk",
    rule="S.2-9",
    help=say("Put your disk on another player's deck, at any time."),
    offers=_disk_offers,
    play=_disk,
    title=lambda state, action: say("Put the disk on {name}'s deck", name=state.name(int(action.choice))),
    refusals=_no_disk,
    usage=say("Choose whose deck gets the disk."),
)
