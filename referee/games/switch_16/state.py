"""Where a game of Switch 16 stands: its dice, decks, options and state, and feats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import Final

from referee.actions import Action, DiePosition, GameState, Player
from referee.dice import Die, DieSet, FaceName, KindName, Zone
from referee.game import GameFeat, read_game_options
from referee.phrases import spell_list
from referee.sentences import say

# Where a game of Switch 16 stands: its dice, its decks, its options and its state


D6: Final = KindName("d6")
SWITCH: Final = KindName("switch")
ROLLED: Final = Die(D6)
ROLLED_SWITCH: Final = Die(SWITCH)
MOST_DICE: Final = 5

GREEN: Final = FaceName("green-switch")
RED: Final = FaceName("red-switch")
BLOCK: Final = FaceName("block")
NO_FACE: Final = FaceName("")

LAST_CARD: Final = 16
MILESTONE_CARD: Final = 8
GOAL_POINTS: Final = 100

VARIANT: Final = "variant"
DICE_PER_CARD: Final = "dice-per-card"
MILESTONE: Final = "milestone"
MILESTONE_AGAIN: Final = "milestone-again"
DISCARDS: Final = "discards"
OWN_BLOCK: Final = "own-block"
DISK_WHEN_ASKED: Final = "disk-when-asked"

DICE: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    "from-7": ((1, 3), (7, 4), (12, 5)),
    "from-5": ((1, 3), (5, 4), (9, 5)),
}
"""For each edition the cards from which on the top card pictures so many dice: (card, dice)."""

OPTIONS: Final = read_game_options("switch_16")


class Switch16Phase(StrEnum):
    """What the player whose turn it is, or in ASKED the disk's holder, has to do next."""

    LOTS = "lots"
    START = "start"
    GREEN = "green"
    ASKED = "asked"
    RED = "red"
    BLOCK = "block"
    DISCARD = "discard"
    OVER = "over"


@dataclass(frozen=True)
class Deck:
    """A deck: the seat it was dealt to, its top card (17 when all are gone), and what goes with it in a switch.

    `passed` says that its card 8 was discarded once, `blocked` that the disk lies on it.
    """

    dealt_to: int
    top: int = 1
    passed: bool = False
    blocked: bool = False


@dataclass(frozen=True)
class Switch16State(GameState):
    """Where a game of Switch 16 stands.

    `decks` are in the order of the seats that control them. `holder` is the seat with the disk in hand, 0 where nobody
    has it. `seat` is whose turn it is (0 in the throw for it). `rolled` holds what the dice of the last roll show, in
    order, and `face` what the Switch die shows; both are empty between turns. `rolls` counts the turn's rolls,
    `turn_cards` and `roll_cards` the cards discarded in the turn and since its last roll. `refused` is the seat that
    refused this roll's green switch, or 0. `passed_before` says whether the player's card 8 was discarded before the
    turn, `disk_before` where the disk was before the player took it in this turn: the seat with it in hand and the seat
    on whose deck it lay, 0 for none. In the throw for the first turn `contenders` throw in turn, and `lots` are
    their dice so far. `scores` are the cards discarded of the decks now controlled, or the points in a game to 100.
    """

    phase: Switch16Phase = Switch16Phase.LOTS
    decks: tuple[Deck, ...] = ()
    holder: int = 0
    seat: int = 0
    rolled: tuple[int, ...] = ()
    face: FaceName = NO_FACE
    rolls: int = 0
    turn_cards: int = 0
    roll_cards: int = 0
    refused: int = 0
    passed_before: bool = False
    disk_before: tuple[int, int] | None = None
    contenders: tuple[int, ...] = ()
    lots: tuple[int, ...] = ()

    @property
    def on_turn(self) -> int:
        """Return the seat whose turn it is, also while the disk's holder may interrupt it; the holder who is asked."""
        return self.to_act[0] if self.to_act else 0

    @property
    def turn_seat(self) -> int:
        """Return the seat whose turn it is, also while the disk's holder is asked whether to switch (S.2-5)."""
        return self.seat if self.phase == Switch16Phase.ASKED else self.on_turn

    @property
    def deck(self) -> Deck:
        """The deck of the player whose turn it is."""
        return self.decks[self.seat - 1]

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats, in turn order."""
        return self.after(self.seat)

    def top(self, seat: int) -> int:
        """Return the top card of the deck that a seat controls."""
        return self.decks[seat - 1].top


# Cards and dice


@cache
def summands(number: int, pips: tuple[int, ...]) -> tuple[int, ...]:
    """Return the fewest dice that make a number, alone or added; () where none do (S.2-12)."""
    ways = (some for count in range(1, len(pips) + 1) for some in combinations(pips, count))
    return next((some for some in ways if sum(some) == number), ())


@cache
def sums(pips: tuple[int, ...]) -> frozenset[int]:
    """Return the numbers that one die, or several added, can make (S.2-12)."""
    return frozenset(sum(some) for count in range(1, len(pips) + 1) for some in combinations(pips, count))


def chain(top: int, pips: tuple[int, ...]) -> int:
    """Return how many cards such dice can discard one after another, from the top card on (S.2-12)."""
    possible = sums(pips)
    return next(count for count in range(LAST_CARD + 1) if top + count > LAST_CARD or top + count not in possible)


def dice_for(edition: str, top: int) -> int:
    """Return how many dice a top card pictures in an edition, the reading of `dice-per-card`."""
    return max(dice for card, dice in DICE[edition] if card <= top)


def dice_of(state: Switch16State, seat: int) -> int:
    """Return how many dice a seat rolls by its top card, without the Switch die (S.2-2)."""
    return dice_for(state.options[DICE_PER_CARD], state.top(seat))


def falls_to(state: Switch16State, deck: Deck) -> int:
    """Return the top card after a failed risk (S.2-15)."""
    milestone = int(state.options[MILESTONE])
    protected = deck.passed and state.chose(MILESTONE_AGAIN, "protected")
    return milestone if protected or deck.top > MILESTONE_CARD else 1


def fails_freed(state: Switch16State) -> bool:
    """True if a risk may fail also where its Block takes the disk off the player's own deck (AMB-S-21)."""
    return state.chose(OWN_BLOCK, "go-back")


def lowest_others(state: Switch16State) -> tuple[int, ...]:
    """Return the seats for a red switch: the lowest top cards, where lower than the player's own (S.2-6)."""
    lowest = min(state.top(seat) for seat in state.others)
    return tuple(seat for seat in state.others if state.top(seat) == lowest < state.deck.top)


def can_discard(state: Switch16State) -> bool:
    """True if the dice make the top card, and the disk does not lie on the deck."""
    return not state.deck.blocked and state.deck.top in sums(state.rolled)


def blocked_seat(state: Switch16State) -> int:
    """Return the seat whose deck has the disk on it, 0 where none has."""
    return next((seat for seat, deck in enumerate(state.decks, start=1) if deck.blocked), 0)


def handful(state: Switch16State) -> tuple[Die, ...]:
    """Return the dice of the next roll: as many as the top card pictures, and the Switch die (S.2-2)."""
    return (*[ROLLED] * dice_of(state, state.seat), ROLLED_SWITCH)


def showing(pips: Iterable[int]) -> tuple[Die, ...]:
    """Return ordinary dice that show these numbers."""
    return tuple(Die(D6, FaceName(f"pip-{number}")) for number in pips)


def spell_pips(pips: tuple[int, ...]) -> str:
    """Return the numbers that dice show, joined by commas and `and`."""
    return spell_list([str(number) for number in pips], "and")


# The first state, and what follows from the rest of a state


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> Switch16State:
    """Return the game before the throw for the first turn (S.2-1)."""
    seats = tuple(player.seat for player in players)
    decks, scores = deal(len(players)), (0,) * len(players)
    return Switch16State(players, dice, options, decks=decks, scores=scores, contenders=seats)


def deal(count: int) -> tuple[Deck, ...]:
    """Return fresh decks, one for each player."""
    return tuple(Deck(seat) for seat in range(1, count + 1))


def settle(state: Switch16State) -> Switch16State:
    """Return the state with what follows from the rest: who may act, the dice awaited, and the scores as they stand.

    The disk of a player who has left lies next to the tray, and a switch asked of that player is asked anew.
    """
    if state.holder in state.gone:
        phase = Switch16Phase.GREEN if state.phase == Switch16Phase.ASKED else state.phase
        state = replace(state, holder=0, phase=phase)
    discarded = tuple(deck.top - 1 for deck in state.decks)
    scores = discarded if state.chose(VARIANT, "first-to-16") else state.scores
    return replace(state, to_act=_acting(state), dice_awaited=_awaited(state), scores=scores)


def _acting(state: Switch16State) -> tuple[int, ...]:
    match state.phase:
        case Switch16Phase.OVER:
            return ()
        case Switch16Phase.LOTS:
            return (state.contenders[len(state.lots)],)
        case Switch16Phase.ASKED:
            return (state.holder,)
    return tuple(dict.fromkeys(seat for seat in (state.seat, state.holder) if seat))


def _awaited(state: Switch16State) -> tuple[Die, ...]:
    if state.phase == Switch16Phase.LOTS:
        return (ROLLED,)
    return handful(state) if state.phase == Switch16Phase.START else ()


# Where the dice lie


def lay(state: Switch16State) -> tuple[DiePosition, ...]:
    """Return where the dice lie during a turn: the last roll on the field, the others anywhere; () between turns."""
    if not state.rolled:
        return ()
    field = tuple(DiePosition(die, Zone.FIELD) for die in showing(state.rolled))
    spare = (DiePosition(ROLLED, None),) * (MOST_DICE - len(field))
    return (*field, DiePosition(Die(SWITCH, state.face), Zone.FIELD), *spare)


# What players of Switch 16 may be proud of


LONG_RUN = 5
"""The cards of one turn from which on it is a long run."""


def _long_run(before: Switch16State, action: Action, after: Switch16State) -> Iterator[int]:
    """Yield the player who discards the fifth card of a turn."""
    if after.turn_cards >= LONG_RUN > before.turn_cards:
        yield action.player


FEATS = (GameFeat("long-run", say("Long run"), say("Discard five cards in one turn of Switch 16."), _long_run),)
