"""The odds of Switch 16, exact by counting every roll; docs/odds.md says in words what they are of.

A roll's dice are counted without their order, each as often as it comes. A turn's best plan is found backwards from the
card 16. It counts the cards discarded of the deck that a player controls when the turn is over, with green switches let
be and nobody putting the disk down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Final

from referee.chances import Chance
from referee.games.switch_16 import GAME, Switch16Phase, Switch16State
from referee.games.switch_16.state import DICE_PER_CARD, DISCARDS, LAST_CARD, chain, dice_for, fails_freed, falls_to
from referee.sentences import say

RED: Final = Fraction(1, 6)
GREEN: Final = Fraction(1, 6)
BLOCK: Final = Fraction(1, 3)
BLANK: Final = Fraction(1, 3)
"""The faces of the Switch die: one green, one red, two times Block and two blanks (S.1)."""


# One roll


@cache
def lets_go(dice: int, top: int) -> Mapping[int, Fraction]:
    """Return the chances that a roll of `dice` dice discards exactly 0, 1, 2 ... cards, from this top card on."""
    rolls = Counter[int]()
    for pips in combinations_with_replacement(range(1, 7), dice):
        rolls[chain(top, pips)] += factorial(dice) // prod(map(factorial, Counter(pips).values()))
    return {cards: Fraction(count, 6**dice) for cards, count in sorted(rolls.items())}


def makes(dice: int, top: int) -> Fraction:
    """Return the chance that a roll of `dice` dice makes the top card."""
    return 1 - lets_go(dice, top).get(0, Fraction(0))


# A turn


@dataclass(frozen=True)
class Outlook:
    """The worth of the rest of a turn, by the top card: cards discarded when it is over, with the best play."""

    state: Switch16State
    best: Mapping[int, Fraction]

    @classmethod
    def of(cls, state: Switch16State) -> Outlook:
        """Return the outlook of the player whose turn it is."""
        best = {LAST_CARD + 1: Fraction(LAST_CARD)}
        outlook = cls(state, best)
        for top in range(LAST_CARD, 0, -1):
            best[top] = max(Fraction(top - 1), outlook.risk(top))
        return outlook

    def risk(self, top: int, blocked: bool = False) -> Fraction:
        """Return the worth of rolling again."""
        return self._roll(top, blocked, Fraction(falls_to(self.state, replace(self.state.deck, top=top)) - 1))

    def first(self) -> Fraction:
        """Return the worth of a turn before its first roll, which costs nothing when it fails."""
        top = self.state.deck.top
        return self._roll(top, self.state.deck.blocked, Fraction(top - 1))

    def counted(self) -> Fraction:
        """Return the worth of the dice as they lie, once they count."""
        deck = self.state.deck
        cards = chain(deck.top, self.state.rolled)
        if cards and not deck.blocked:
            return self.after(deck.top, cards)
        return Fraction((deck.top if cards or self.state.rolls == 1 else falls_to(self.state, deck)) - 1)

    def after(self, top: int, cards: int) -> Fraction:
        """Return the best that can be made of dice that would discard `cards` cards."""
        fewest = cards if self.state.chose(DISCARDS, "all") else 1
        return max(self.best[top + count] for count in range(fewest, cards + 1))

    def _roll(self, top: int, blocked: bool, failed: Fraction) -> Fraction:
        chances = lets_go(dice_for(self.state.options[DICE_PER_CARD], top), top)
        freed = Fraction(top - 1) if blocked and not fails_freed(self.state) else failed
        free = sum((chance * self._of(top, cards, freed) for cards, chance in chances.items()), Fraction(0))
        stuck = chances.get(0, 0) * failed + makes_of(chances) * (top - 1) if blocked else free
        return RED * (self._after_red(top) - 1) + BLOCK * free + (BLANK + GREEN) * stuck

    def _of(self, top: int, cards: int, failed: Fraction) -> Fraction:
        return self.after(top, cards) if cards else failed

    def _after_red(self, top: int) -> int:
        return min(top, *(self.state.top(seat) for seat in self.state.others))


def makes_of(chances: Mapping[int, Fraction]) -> Fraction:
    """Return the chance of one card at least."""
    return sum((chance for cards, chance in chances.items() if cards), Fraction(0))


# What the table is shown


def chances(state: Switch16State) -> tuple[Chance, ...]:
    """Return the figures for the decision at hand, or for the roll that is due."""
    figures = _FIGURES.get(state.phase)
    return tuple(figures(state)) if figures else ()


def _start(state: Switch16State) -> Iterator[Chance]:
    yield Chance(say("The dice make card {card}", card=state.deck.top), float(_makes_top(state)), "chance")
    yield from _red(state)
    yield Chance(say("Cards discarded after the turn, on average"), float(Outlook.of(state).first()), "cards")


def _makes_top(state: Switch16State) -> Fraction:
    return makes(dice_for(state.options[DICE_PER_CARD], state.deck.top), state.deck.top)


def _red(state: Switch16State) -> Iterator[Chance]:
    lowest = min(state.top(seat) for seat in state.others)
    if lowest < state.deck.top:
        what = say("A red switch takes the deck for one with {card} on top", card=lowest)
        yield Chance(what, float(RED), "chance")


def _discard(state: Switch16State) -> Iterator[Chance]:
    outlook, top = Outlook.of(state), state.deck.top
    worth = {
        "discard": (say("discarding goes on"), outlook.counted()),
        "end": (say("the turn ends now"), Fraction(top - 1)),
        "roll": (say("the risk is taken now"), outlook.risk(top, state.deck.blocked)),
    }
    may = dict.fromkeys(offer.verb for offer in GAME.legal(state) if offer.verb in worth)
    if "roll" in may:
        yield from _risk(state)
    yield from _compared([worth[verb] for verb in may])


def _risk(state: Switch16State) -> Iterator[Chance]:
    make = _makes_top(state)
    let_count = BLOCK if state.deck.blocked else 1 - RED
    fallen = say("The risk brings the cards back to {card}", card=falls_to(state, state.deck))
    yield Chance(say("The risk lets a card go"), float(let_count * make), "chance")
    may_fall = 1 - RED if not state.deck.blocked or fails_freed(state) else 1 - RED - BLOCK
    yield Chance(fallen, float(may_fall * (1 - make)), "chance")
    yield from _red(state)


def _compared(worth: Sequence[tuple[str, Fraction]]) -> Iterator[Chance]:
    """Return the worth of each decision in cards; the best is advised where no other is as good."""
    values = [cards for _, cards in worth]
    clear = values.count(max(values)) == 1
    for when, cards in worth:
        advised = clear and cards == max(values)
        yield Chance(say("Cards discarded if {when}", when=when), float(cards), "cards", advised)


def _green(state: Switch16State) -> Iterator[Chance]:
    partners = (int(offer.choice) for offer in GAME.legal(state) if offer.verb == "switch")
    keeps = (say("the deck is kept"), Outlook.of(state).counted())
    return _compared([keeps, *(_of_deck(state, seat) for seat in partners)])


def _of_deck(state: Switch16State, seat: int) -> tuple[str, Fraction]:
    return say("the deck is {name}'s", name=state.name(seat)), Fraction(state.top(seat) - 1)


def _asked(state: Switch16State) -> Iterator[Chance]:
    return _compared([_of_deck(state, state.holder), _of_deck(state, state.seat)])


_FIGURES: Final[Mapping[Switch16Phase, Callable[[Switch16State], Iterator[Chance]]]] = {
    Switch16Phase.START: _start,
    Switch16Phase.DISCARD: _discard,
    Switch16Phase.GREEN: _green,
    Switch16Phase.ASKED: _asked,
}
