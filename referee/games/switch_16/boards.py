"""Switch 16 in words, as boards, as facts of `vander check --json`, and how it is played in one minute."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypedDict

from referee.board import Board, BoardPart, Card, DicePlace, Section, Tally, Token, Track, tell_winner
from referee.dice import Die
from referee.game import PlayStep
from referee.games.switch_16.state import (
    BLOCK,
    GOAL_POINTS,
    GREEN,
    LAST_CARD,
    MILESTONE_CARD,
    RED,
    ROLLED,
    ROLLED_SWITCH,
    SWITCH,
    VARIANT,
    Switch16Phase,
    Switch16State,
    blocked_seat,
    can_discard,
    chain,
    dice_of,
    falls_to,
    showing,
    summands,
)
from referee.games.switch_16.switching import DECLINE, DISK, LEAVE, SWITCH_DECKS
from referee.games.switch_16.verbs import DISCARD, ROLL, VERBS
from referee.phrases import spell_list
from referee.sentences import as_part, say

# Switch 16 in words: what the table waits for, and what lies before the players


BLOCK_DISK: Final = say("Block disk")
MOST_SHOWN: Final = 3
"""Of the cards that could follow at most so many are shown."""


def tell(state: Switch16State) -> str:
    """Return one sentence: who is to do what."""
    if state.phase == Switch16Phase.OVER:
        return tell_winner(state)
    seat = state.to_act[0]
    offers = [(verb, offer) for verb in VERBS if verb is not DISK for offer in verb.offers(state, seat)]
    brief = {}
    if len(offers) > 1:
        card = say("discard card {card}", card=state.deck.top)
        brief = {DISCARD: card, ROLL: say("take the risk"), DECLINE: say("keep yours"), LEAVE: say("leave it")}
    if sum(verb is SWITCH_DECKS for verb, _ in offers) > 1:
        brief[SWITCH_DECKS] = say("choose whose deck you take")
    ways = list(dict.fromkeys(brief.get(verb) or as_part(verb.title_of(state, offer)) for verb, offer in offers))
    if len(ways) == 1:
        return say("{who}: {ways}.", who=state.name(seat), ways=ways[0])
    return say("{who}: {ways}?", who=state.name(seat), ways=spell_list(ways, "or"))


def boards(state: Switch16State) -> tuple[Board, ...]:
    """Return all decks with the disk in the middle, and before each player the own deck and what it is asked about."""
    decks = tuple(_small_deck(state, player.seat) for player in state.players)
    return (
        Board(0, say("The decks"), parts=(*decks, _disk(state))),
        *(_own(state, each.seat) for each in state.players),
    )


def _small_deck(state: Switch16State, seat: int) -> Card:
    """Return a player's deck as everybody sees it: it is tapped to switch with it, or to put the disk on it."""
    card = _card(state, seat, str(seat), state.name(seat))
    named = f"disk ={seat}", f"switch ={seat}"
    return replace(card, mark=card.mark or ("here" if seat == state.seat else ""), verbs=named)


def _card(state: Switch16State, seat: int, key: str, title: str) -> Card:
    """Return the deck that a seat controls, with the dice that its top card pictures."""
    deck = state.decks[seat - 1]
    if deck.top > LAST_CARD:
        return Card(key, title, "", dealt_to=deck.dealt_to)
    pictured = (*[ROLLED] * dice_of(state, seat), ROLLED_SWITCH)
    holds, mark = (BLOCK_DISK, "blocked") if deck.blocked else ("", "")
    return Card(key, title, str(deck.top), pictured, holds=holds, mark=mark, dealt_to=deck.dealt_to)


def _disk(state: Switch16State) -> Card:
    """Return the place of the disk off the decks: titled with who holds it, empty while it lies on a deck."""
    if there := blocked_seat(state):
        return Card("disk", _deck_title(state, there), "")
    held = say("{name}'s hand", name=state.name(state.holder)) if state.holder else BLOCK_DISK
    return Card("disk", held, "", holds=BLOCK_DISK)


# Before a player


def _own(state: Switch16State, seat: int) -> Board:
    parts = (*_deck(state, seat), *_turn(state, seat), *_points(state, seat))
    return Board(seat, _deck_title(state, seat), parts=parts)


def _deck_title(state: Switch16State, seat: int) -> str:
    return say("{name}'s deck", name=state.name(seat))


def _deck(state: Switch16State, seat: int) -> tuple[BoardPart, ...]:
    """Return the deck with its discards, and how far it has got."""
    deck = state.decks[seat - 1]
    gone = tuple(map(str, range(1, deck.top)))
    card = replace(_card(state, seat, "deck", _deck_title(state, seat)), discarded=gone, verbs=("discard",))
    made_of = _made_of(state, deck.top) if seat == state.seat and state.phase is Switch16Phase.DISCARD else ()
    return (replace(card, made_of=made_of), _way(state, seat))


def _way(state: Switch16State, seat: int) -> Track:
    """Return the way to the last card: a failed risk costs what lies beyond the token's place."""
    deck = state.decks[seat - 1]
    safe = min(falls_to(state, deck), deck.top) - 1
    token = Token(seat, safe, deck.top - 1 - safe)
    title = say("A failed risk: back to card {card}", card=falls_to(state, deck))
    return Track("way", title, LAST_CARD, (token,), (MILESTONE_CARD,))


def _points(state: Switch16State, seat: int) -> tuple[BoardPart, ...]:
    scored = state.chose(VARIANT, "to-100")
    return (Tally("points", say("Points"), state.scores[seat - 1], of=GOAL_POINTS),) if scored else ()


# The turn


def _turn(state: Switch16State, seat: int) -> tuple[BoardPart, ...]:
    """Return what was rolled, the cards that could follow, and what the player is asked."""
    rolled = (_rolled(state),) if seat == state.seat and state.rolled else ()
    return (*rolled, *_next_cards(state, seat), *_question(state, seat))


def _rolled(state: Switch16State) -> DicePlace:
    return DicePlace("rolled", say("Rolled"), (*showing(state.rolled), Die(SWITCH, state.face)))


def _made_of(state: Switch16State, card: int) -> tuple[Die, ...]:
    """Return the dice of the roll that make a card; () where none do, or the disk keeps the card."""
    return () if state.deck.blocked else showing(summands(card, state.rolled))


def _next_cards(state: Switch16State, seat: int) -> tuple[BoardPart, ...]:
    """Return the cards that come after the top card, up to the first that this roll does not make."""
    if seat != state.seat or state.phase is not Switch16Phase.DISCARD or not can_discard(state):
        return ()
    first = state.deck.top + 1
    count = chain(first, state.rolled) if first <= LAST_CARD else 0
    shown = range(first, min(first + min(count + 1, MOST_SHOWN), LAST_CARD + 1))
    cards = tuple(_next_card(state, card) for card in shown)
    return (Section("next", say("Then"), cards),) if cards else ()


def _next_card(state: Switch16State, card: int) -> Card:
    made_of = _made_of(state, card)
    mark = "" if made_of else "blocked"
    return Card("", "", str(card), made_of=made_of, mark=mark, dealt_to=state.deck.dealt_to)


# Questions


def _question(state: Switch16State, seat: int) -> tuple[BoardPart, ...]:
    """Return the two cards or more among which the player chooses now."""
    asked = _ASKED.get(state.phase)
    return (asked(state, seat),) if asked and seat == state.to_act[0] else ()


def _green(state: Switch16State, seat: int) -> Section:
    keep = replace(_card(state, seat, "decline", say("Keep yours")), verbs=("decline",))
    return Section("question", say("Green switch: which deck?"), (keep, *_partners(state, seat)))


def _red(state: Switch16State, seat: int) -> Section:
    return Section("question", say("Red switch: whose deck?"), _partners(state, seat))


def _partners(state: Switch16State, seat: int) -> tuple[Card, ...]:
    chosen = (int(offer.choice) for offer in SWITCH_DECKS.offers(state, seat))
    return tuple(_partner(state, other) for other in chosen)


def _partner(state: Switch16State, seat: int) -> Card:
    title = say("Take {name}'s", name=state.name(seat))
    return replace(_card(state, seat, f"switch-{seat}", title), verbs=(f"switch ={seat}",))


def _refusal(state: Switch16State, seat: int) -> Section:
    keep = replace(_card(state, seat, "refuse", say("Keep yours")), verbs=("refuse",))
    take = say("Take {name}'s", name=state.who)
    other = replace(_card(state, state.seat, "agree", take), verbs=("agree",))
    return Section("question", say("{who} wants your deck", who=state.who), (keep, other))


def _block(state: Switch16State, _seat: int) -> Section:
    there = blocked_seat(state)
    take = Card("take", say("Take the disk"), "", holds=BLOCK_DISK, verbs=("take",))
    lies = say("Leave it on {name}'s", name=state.name(there))
    leave = replace(_card(state, there, "leave", lies), verbs=("leave",))
    return Section("question", say("Block: take the disk?"), (take, leave))


_ASKED: Final[Mapping[Switch16Phase, Callable[[Switch16State, int], Section]]] = {
    Switch16Phase.GREEN: _green,
    Switch16Phase.RED: _red,
    Switch16Phase.ASKED: _refusal,
    Switch16Phase.BLOCK: _block,
}


# Switch 16 as `vander check --json` tells it. docs/record.md names every key, and none of them changes


class Switch16Facts(TypedDict):
    """The decks, in the order of the seats that control them, the Block disk, and the last roll.

    `decks` are their top cards, 17 when all cards are gone; `dealt_to` the seats that they were dealt to. `disk` is
    the seat with the disk in hand, `disk_on` the seat on whose deck it lies, each 0 for nobody. `switch` is what the
    Switch die shows, '' between turns. `rolls` and `discarded` count for this turn.
    """

    phase: str
    decks: list[int]
    dealt_to: list[int]
    disk: int
    disk_on: int
    rolled: list[int]
    switch: str
    rolls: int
    discarded: int


def facts(state: Switch16State) -> Switch16Facts:
    """Return what everybody at the table can see."""
    return Switch16Facts(
        phase=state.phase.value,
        decks=[deck.top for deck in state.decks],
        dealt_to=[deck.dealt_to for deck in state.decks],
        disk=state.holder,
        disk_on=blocked_seat(state),
        rolled=list(state.rolled),
        switch=state.face,
        rolls=state.rolls,
        discarded=state.turn_cards,
    )


# How Switch 16 is played, in one minute


STEPS: Final = (
    PlayStep(
        say("Roll as many dice as your top card shows, together with the Switch die."),
        (Card("", say("Your deck"), "1", (ROLLED,) * 3),),
    ),
    PlayStep(
        say("Discard the top card when one die, or several together, make its number."),
        (Card("", say("Your deck"), "7"), DicePlace("", "3 + 4 = 7", showing((3, 4)))),
    ),
    PlayStep(
        say("Discard more with the same dice, then end the turn or risk another roll."),
        (Card("", say("Next card"), "8"), DicePlace("", "2 + 6 = 8", showing((2, 6)))),
    ),
    PlayStep(
        say("A failed risk sends you back to card 1. From card 9 on, only to 8."),
        (Card("", say("Before"), "6"), Card("", say("After"), "1")),
    ),
    PlayStep(
        say("With green you may switch decks, with red you must. Block gives you the disk."),
        (
            DicePlace("", say("May switch"), (Die(SWITCH, GREEN),)),
            DicePlace("", say("Must switch"), (Die(SWITCH, RED),)),
            DicePlace("", say("Take the disk"), (Die(SWITCH, BLOCK),)),
        ),
    ),
    PlayStep(
        say("The disk blocks another player's deck until Block is rolled. Whoever discards card 16 wins."),
        (Card("", say("Blocked"), "16", holds=say("Block disk"), mark="blocked"),),
    ),
)
