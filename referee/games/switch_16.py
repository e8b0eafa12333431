"""Switch 16: two to four players, a deck of sixteen cards each, five dice, the Switch die and the Block disk.

Rule numbers are those of docs/rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import Final

from referee.board import Board, BoardRow
from referee.dice import Die, DieSet, FaceName, KindName, Zone, number_on
from referee.game import Action, Call, DiePosition, Game, GameState, Player, Refusal
from referee.options import Option
from referee.words import clockwise, counted, spell_list, with_set

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

DICE: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    "from-7": ((1, 3), (7, 4), (12, 5)),
    "from-5": ((1, 3), (5, 4), (9, 5)),
}
"""For each edition the cards from which on the top card pictures so many dice: (card, dice)."""

OPTIONS: Final = (
    Option(
        VARIANT,
        "How long is the game?",
        (
            ("first-to-16", "Whoever discards a card 16 first has won."),
            ("to-100", "Rounds are played for points until somebody has 100."),
        ),
        "S.2-17",
    ),
    Option(
        DICE_PER_CARD,
        "How many dice do the cards picture?",
        (
            ("from-7", "Three for 1 to 6, four for 7 to 11, five from 12 on."),
            ("from-5", "Three for 1 to 4, four for 5 to 8, five from 9 on."),
        ),
        "S.1",
    ),
    Option(
        MILESTONE,
        "Which card is on top after a failed risk with 9 or more on top?",
        (("8", "Card 8, to be discarded again."), ("9", "Card 9: the milestone itself stays discarded.")),
        "AMB-S-1",
    ),
    Option(
        MILESTONE_AGAIN,
        "Where does a deck fall that was beyond the milestone before, and has 8 on top again?",
        (("by-card", "Back to card 1, as the card on top says."), ("protected", "No lower than the milestone.")),
        "AMB-S-2",
    ),
    Option(
        DISCARDS,
        "Must a player discard all that the roll allows?",
        (("optional", "No, as many as the player likes."), ("all", "Yes, before rolling again or ending the turn.")),
        "AMB-S-11",
    ),
)


class Phase(StrEnum):
    """What the player whose turn it is, or in ASKED the disk's holder, is in the middle of."""

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
    refused this roll's green switch, or 0. In the throw for the first turn `contenders` throw in turn, and `lots` are
    their dice so far. `scores` are the cards discarded of the decks now controlled, or the points in a game to 100.
    """

    phase: Phase = Phase.LOTS
    decks: tuple[Deck, ...] = ()
    holder: int = 0
    seat: int = 0
    rolled: tuple[int, ...] = ()
    face: FaceName = NO_FACE
    rolls: int = 0
    turn_cards: int = 0
    roll_cards: int = 0
    refused: int = 0
    contenders: tuple[int, ...] = ()
    lots: tuple[int, ...] = ()

    @property
    def deck(self) -> Deck:
        """The deck of the player whose turn it is."""
        return self.decks[self.seat - 1]

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats, in turn order."""
        return clockwise(len(self.players), self.seat)

    def top(self, seat: int) -> int:
        """The top card of the deck that a seat controls."""
        return self.decks[seat - 1].top


Outcome = tuple[Switch16State, tuple[Call, ...]]


# Cards and dice


@cache
def sums(pips: tuple[int, ...]) -> frozenset[int]:
    """What one die, or several added, can make (S.2-12)."""
    return frozenset(sum(some) for count in range(1, len(pips) + 1) for some in combinations(pips, count))


def chain(top: int, pips: tuple[int, ...]) -> int:
    """How many cards such dice can discard one after the other, from the top card on."""
    possible = sums(pips)
    return next(count for count in range(LAST_CARD + 1) if top + count > LAST_CARD or top + count not in possible)


def dice_for(edition: str, top: int) -> int:
    """How many dice a top card pictures in an edition, the reading of `dice-per-card`."""
    return max(dice for card, dice in DICE[edition] if card <= top)


def dice_of(state: Switch16State, seat: int) -> int:
    """How many dice a seat rolls by its top card, the Switch die not counted (S.2-2)."""
    return dice_for(state.options[DICE_PER_CARD], state.top(seat))


def falls_to(state: Switch16State, deck: Deck) -> int:
    """The top card after a failed risk (S.2-15)."""
    milestone = int(state.options[MILESTONE])
    protected = deck.passed and state.chose(MILESTONE_AGAIN, "protected")
    return milestone if protected or deck.top > MILESTONE_CARD else 1


def lowest_others(state: Switch16State) -> tuple[int, ...]:
    """The seats a red switch may be done with: the lowest top cards, where lower than the player's own (S.2-6)."""
    lowest = min(state.top(seat) for seat in state.others)
    return tuple(seat for seat in state.others if state.top(seat) == lowest < state.deck.top)


def _can_discard(state: Switch16State) -> bool:
    return not state.deck.blocked and state.deck.top in sums(state.rolled)


def _blocked_seat(state: Switch16State) -> int:
    return next((seat for seat, deck in enumerate(state.decks, start=1) if deck.blocked), 0)


# What may be done


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> Switch16State:
    """The game before the throw for the first turn (S.2-1)."""
    seats = tuple(player.seat for player in players)
    return settled(
        Switch16State(players, dice, options, decks=_dealt(len(players)), scores=(0,) * len(players), contenders=seats)
    )


def _dealt(count: int) -> tuple[Deck, ...]:
    return tuple(Deck(seat) for seat in range(1, count + 1))


def settled(state: Switch16State) -> Switch16State:
    """The state with what follows from the rest: who may act, the dice awaited, and the scores as they stand."""
    discarded = tuple(deck.top - 1 for deck in state.decks)
    scores = discarded if state.chose(VARIANT, "first-to-16") else state.scores
    return replace(state, to_act=_acting(state), dice_awaited=_awaited(state), scores=scores)


def _acting(state: Switch16State) -> tuple[int, ...]:
    match state.phase:
        case Phase.OVER:
            return ()
        case Phase.LOTS:
            return (state.contenders[len(state.lots)],)
        case Phase.ASKED:
            return (state.holder,)
    return tuple(dict.fromkeys(seat for seat in (state.seat, state.holder) if seat))


def _awaited(state: Switch16State) -> tuple[Die, ...]:
    if state.phase == Phase.LOTS:
        return (ROLLED,)
    return _handful(state) if state.phase == Phase.START else ()


def _handful(state: Switch16State) -> tuple[Die, ...]:
    return (*[ROLLED] * dice_of(state, state.seat), ROLLED_SWITCH)


def legal(state: Switch16State) -> tuple[Action, ...]:
    """All that may be done now; in a throw the faces are unknown. The disk may be put down at any time (S.2-9)."""
    if state.phase == Phase.OVER:
        return ()
    if state.phase == Phase.LOTS:
        return (Action(state.to_act[0], "lot", (ROLLED,)),)
    return (*_decisions(state), *_disks(state))


def _decisions(state: Switch16State) -> Iterator[Action]:
    match state.phase:
        case Phase.START:
            yield Action(state.seat, "roll", _handful(state))
        case Phase.GREEN | Phase.RED:
            yield from _switches(state)
        case Phase.ASKED:
            yield from (Action(state.holder, verb) for verb in ("refuse", "agree"))
        case Phase.BLOCK:
            yield from (Action(state.seat, verb) for verb in ("take", "leave"))
        case _:
            yield from _after_roll(state)


def _switches(state: Switch16State) -> Iterator[Action]:
    for seat in _partners(state):
        yield Action(state.seat, "switch", choice=str(seat))
    if state.phase == Phase.GREEN:
        yield Action(state.seat, "decline")


def _partners(state: Switch16State) -> tuple[int, ...]:
    if state.phase == Phase.RED:
        return lowest_others(state)
    return tuple(seat for seat in state.others if seat != state.refused)


def _after_roll(state: Switch16State) -> Iterator[Action]:
    if _can_discard(state):
        yield Action(state.seat, "discard", choice=_card(state.deck.top))
    if not _owes_discard(state):
        yield Action(state.seat, "end")
    if not _owes_discard(state) and state.roll_cards:
        yield Action(state.seat, "roll", _handful(state))


def _card(card: int) -> str:
    return f"card-{card}"


def _owes_discard(state: Switch16State) -> bool:
    return state.chose(DISCARDS, "all") and _can_discard(state)


def _disks(state: Switch16State) -> Iterator[Action]:
    if state.holder:
        for seat in clockwise(len(state.players), state.holder):
            yield Action(state.holder, "disk", choice=str(seat))


# What it comes to


def play(state: Switch16State, action: Action) -> Outcome:
    """The state after a legal action, and the referee's calls."""
    after, calls = _PLAYS[action.verb](state, action)
    return settled(after), calls


def _told(call: Call, outcome: Outcome) -> Outcome:
    after, calls = outcome
    return after, (call, *calls)


def _lot(state: Switch16State, action: Action) -> Outcome:
    pips = number_on(action.dice[0].face)
    lots = (*state.lots, pips)
    call = Call(f"{state.name(action.player)} throws a {pips} for the first turn.", "S.2-1")
    if len(lots) < len(state.contenders):
        return replace(state, lots=lots), (call,)
    return _told(call, _drawn(replace(state, lots=lots)))


def _drawn(state: Switch16State) -> Outcome:
    best = tuple(seat for seat, lot in zip(state.contenders, state.lots, strict=True) if lot == max(state.lots))
    if len(best) > 1:
        again = Call(f"{_names(state, best)} are level and throw again.", "AMB-S-16")
        return replace(state, contenders=best, lots=()), (again,)
    started = replace(state, phase=Phase.START, seat=best[0], contenders=(), lots=())
    return started, (Call(f"{started.who} starts.", "S.2-1"),)


def _roll(state: Switch16State, action: Action) -> Outcome:
    pips = tuple(sorted(number_on(die.face) for die in action.dice if die.kind == D6))
    face = next(die.face for die in action.dice if die.kind == SWITCH) or NO_FACE
    after = replace(state, rolled=pips, face=face, rolls=state.rolls + 1, roll_cards=0, refused=0)
    call = Call(f"{state.who} rolls {_spelled(pips)} with {_SHOWN[face]}.", "S.2-2")
    return _told(call, _RESOLVED.get(face, _count)(after))


def _spelled(pips: tuple[int, ...]) -> str:
    return spell_list([str(number) for number in pips], "and")


_SHOWN: Final = {GREEN: "the green switch", RED: "the red switch", BLOCK: "Block", FaceName("blank"): "a blank"}


def _green(state: Switch16State) -> Outcome:
    call = Call(f"{state.who} may switch decks with another player, and the turn is then over.", "S.2-4")
    return replace(state, phase=Phase.GREEN), (call,)


def _red(state: Switch16State) -> Outcome:
    lowest = lowest_others(state)
    if not lowest:
        kept = Call(f"Nobody has a lower card on top than {state.who}, who keeps the deck; the turn is over.", "S.2-6")
        return _pass_on(state), (kept,)
    if len(lowest) == 1:
        return _exchange(state, lowest[0], "S.2-6")
    call = Call(f"{_names(state, lowest)} have the lowest card on top: {state.who} chooses whose deck it is.", "S.2-6")
    return replace(state, phase=Phase.RED), (call,)


def _block(state: Switch16State) -> Outcome:
    there = _blocked_seat(state)
    if state.holder == state.seat:
        return _told(Call(f"{state.who} has the disk in hand already.", "S.2-8"), _count(state))
    if there in (0, state.seat):
        return _take_disk(state)
    call = Call(f"The disk lies on {state.name(there)}'s deck: {state.who} takes it or leaves it there.", "S.2-8")
    return replace(state, phase=Phase.BLOCK), (call,)


_RESOLVED: Final[Mapping[FaceName, Callable[[Switch16State], Outcome]]] = {GREEN: _green, RED: _red, BLOCK: _block}


def _take_disk(state: Switch16State) -> Outcome:
    call = Call(f"{state.who} takes the disk {_whence(state)}.", "S.2-8")
    free = tuple(replace(deck, blocked=False) for deck in state.decks)
    return _told(call, _count(replace(state, decks=free, holder=state.seat)))


def _whence(state: Switch16State) -> str:
    there = _blocked_seat(state)
    if there:
        return f"off {state.name(there)}'s {'own ' if there == state.seat else ''}deck"
    return f"from {state.name(state.holder)}" if state.holder else "from beside the tray"


def _count(state: Switch16State) -> Outcome:
    """What the dice come to, once the Switch die is settled (S.2-10, S.2-12, S.2-13, S.2-15)."""
    if _can_discard(state):
        return replace(state, phase=Phase.DISCARD), ()
    if state.deck.top in sums(state.rolled):
        return _stuck(state)
    if state.rolls == 1:
        return _pass_on(state), (Call(f"The dice do not make {state.deck.top}: {state.who}'s turn is over.", "S.2-13"),)
    return _fall(state)


def _stuck(state: Switch16State) -> Outcome:
    return _pass_on(state), (Call(f"{state.who}'s deck is blocked: no card goes, and the turn is over.", "S.2-10"),)


def _fall(state: Switch16State) -> Outcome:
    top = falls_to(state, state.deck)
    call = Call(
        f"The risk failed, the dice do not make {state.deck.top}: {state.who}'s cards go back to {top}.", "S.2-15"
    )
    return _pass_on(_with_deck(state, state.seat, replace(state.deck, top=top))), (call,)


def _with_deck(state: Switch16State, seat: int, deck: Deck) -> Switch16State:
    return replace(state, decks=with_set(state.decks, seat, deck))


def _pass_on(state: Switch16State) -> Switch16State:
    """The next player's turn, before its first roll."""
    return replace(
        state,
        phase=Phase.START,
        seat=state.others[0],
        rolled=(),
        face=NO_FACE,
        rolls=0,
        turn_cards=0,
        roll_cards=0,
        refused=0,
    )


def _switch(state: Switch16State, action: Action) -> Outcome:
    partner = int(action.choice)
    if state.phase == Phase.RED:
        return _exchange(state, partner, "S.2-6")
    if partner != state.holder:
        return _exchange(state, partner, "S.2-4")
    call = Call(f"{state.who} wants {state.name(partner)}'s deck; whoever holds the disk may refuse.", "S.2-5")
    return replace(state, phase=Phase.ASKED), (call,)


def _exchange(state: Switch16State, partner: int, rule: str) -> Outcome:
    mine, other = state.deck, state.decks[partner - 1]
    after = _with_deck(_with_deck(state, state.seat, other), partner, mine)
    tops = f"{other.top} is on top for {state.who} now, {mine.top} for {state.name(partner)}"
    call = Call(f"{state.who} and {state.name(partner)} switch decks: {tops}. The turn is over.", rule)
    goes_along = Call("The disk goes with its deck, which stays blocked.", "S.2-11")
    return _pass_on(after), (call, goes_along) if mine.blocked or other.blocked else (call,)


def _decline(state: Switch16State, _action: Action) -> Outcome:
    return _told(Call(f"{state.who} keeps the deck, and the dice count.", "S.2-4"), _count(state))


def _refuse(state: Switch16State, action: Action) -> Outcome:
    call = Call(f"{state.name(action.player)} refuses the switch, and keeps the disk in hand.", "S.2-5")
    after = replace(state, refused=action.player, phase=Phase.GREEN)
    if _partners(after):
        return after, (call,)
    return _told(call, _told(Call("There is nobody else to switch with, so the dice count.", "AMB-S-7"), _count(after)))


def _agree(state: Switch16State, action: Action) -> Outcome:
    return _exchange(state, action.player, "S.2-4")


def _take(state: Switch16State, _action: Action) -> Outcome:
    return _take_disk(state)


def _leave(state: Switch16State, _action: Action) -> Outcome:
    there = state.name(_blocked_seat(state))
    return _told(Call(f"{state.who} leaves the disk on {there}'s deck.", "S.2-8"), _count(state))


def _disk(state: Switch16State, action: Action) -> Outcome:
    seat = int(action.choice)
    words = f"{state.name(action.player)} puts the disk on {state.name(seat)}'s deck, which is blocked now."
    after = replace(_with_deck(state, seat, replace(state.decks[seat - 1], blocked=True)), holder=0)
    return _told(Call(words, "S.2-9"), _with_disk_down(after, action.player))


def _with_disk_down(state: Switch16State, placed_by: int) -> Outcome:
    """Where the game goes on: without the disk a switch is not refused, and a turn without a card may be over."""
    if state.phase == Phase.ASKED:
        return _exchange(state, placed_by, "S.2-4")
    if state.phase == Phase.DISCARD and state.deck.blocked and not state.roll_cards:
        return _stuck(state)
    return state, ()


def _discard(state: Switch16State, action: Action) -> Outcome:
    card = state.deck.top
    deck = replace(state.deck, top=card + 1, passed=state.deck.passed or card == MILESTONE_CARD)
    after = replace(
        _with_deck(state, state.seat, deck), turn_cards=state.turn_cards + 1, roll_cards=state.roll_cards + 1
    )
    call = Call(f"{state.who} discards card {card}: {_made(card, state.rolled)}.", "S.2-12")
    return _told(call, _finished(after)) if card == LAST_CARD else (after, (call,))


def _made(card: int, pips: tuple[int, ...]) -> str:
    """The fewest dice that make a card, added up in words."""
    ways = (some for count in range(1, len(pips) + 1) for some in combinations(pips, count))
    return " + ".join(str(number) for number in next(some for some in ways if sum(some) == card))


def _finished(state: Switch16State) -> Outcome:
    if state.chose(VARIANT, "to-100"):
        return _round_over(state)
    won = Call(f"{state.who} has discarded the 16 and wins.", "S.2-16")
    return _over(state, (state.seat,)), (won,)


def _over(state: Switch16State, winner: tuple[int, ...]) -> Switch16State:
    return replace(_pass_on(state), phase=Phase.OVER, seat=state.seat, winner=winner)


def _round_over(state: Switch16State) -> Outcome:
    gained = tuple(deck.top - 1 for deck in state.decks)
    points = tuple(old + new for old, new in zip(state.scores, gained, strict=True))
    written = spell_list([f"{player.name} {new}" for player, new in zip(state.players, gained, strict=True)], "and")
    call = Call(f"The round is over; written down are {written}.", "S.2-17")
    return _told(call, _next_round(replace(state, scores=points)))


def _next_round(state: Switch16State) -> Outcome:
    best = max(state.scores)
    if best >= GOAL_POINTS:
        winner = tuple(seat for seat, score in enumerate(state.scores, start=1) if score == best)
        return _over(state, winner), (_won(state, winner, best),)
    fresh = replace(_pass_on(state), decks=_dealt(len(state.players)), holder=0)
    return fresh, (Call(f"The decks are dealt anew, the disk lies beside the tray, {fresh.who} starts.", "AMB-S-15"),)


def _won(state: Switch16State, winner: tuple[int, ...], points: int) -> Call:
    if len(winner) > 1:
        return Call(f"{_names(state, winner)} share the win with {points} points each.", "AMB-S-15")
    return Call(f"{state.name(winner[0])} wins with {points} points.", "S.2-17")


def _end(state: Switch16State, _action: Action) -> Outcome:
    cards = counted(state.turn_cards, "card")
    return _pass_on(state), (Call(f"{state.who} ends the turn, having discarded {cards} in it.", "S.2-14"),)


_PLAYS: Final[Mapping[str, Callable[[Switch16State, Action], Outcome]]] = {
    "lot": _lot,
    "roll": _roll,
    "switch": _switch,
    "decline": _decline,
    "refuse": _refuse,
    "agree": _agree,
    "take": _take,
    "leave": _leave,
    "disk": _disk,
    "discard": _discard,
    "end": _end,
}


# Why something is not allowed

Reasons = Iterator[Refusal]


def why_not(state: Switch16State, action: Action) -> Refusal:
    """Why an action of a player who may act, with dice of the game, is not allowed; it is not among the legal ones."""
    if action.verb not in _AGAINST:
        return Refusal(f"Switch 16 has no {action.verb!r}; a player may {spell_list(list(_AGAINST), 'or')}.", "S.2-2")
    reasons = (*_out_of_turn(state, action), *_AGAINST[action.verb](state, action), _shape(state, action))
    return reasons[0]


def _out_of_turn(state: Switch16State, action: Action) -> Reasons:
    if state.phase == Phase.LOTS:
        yield Refusal("The first turn is thrown for, with one die each and nothing else.", "S.2-1")
    elif action.verb == "disk":
        return
    elif state.phase == Phase.ASKED and action.verb not in ("refuse", "agree"):
        yield Refusal(f"{state.who} wants to switch: that is refused or agreed to first.", "S.2-5")
    elif state.phase != Phase.ASKED and action.player != state.seat:
        yield Refusal(f"It is {state.who}'s turn; {state.name(action.player)} may only put the disk down.", "S.2-9")


def _no_lot(_state: Switch16State, _action: Action) -> Reasons:
    yield Refusal("Lots are thrown for the first turn of the game only.", "S.2-1")


def _no_roll(state: Switch16State, _action: Action) -> Reasons:
    yield from _unsettled(state)
    if state.phase == Phase.DISCARD and not state.roll_cards:
        yield Refusal("Before a risk is taken a card has to be discarded with the last roll.", "S.2-14")
    yield from _owed(state)


def _unsettled(state: Switch16State) -> Reasons:
    if state.phase == Phase.GREEN:
        yield Refusal("The green switch comes first: switch with somebody, or let the dice count.", "S.2-3")
    if state.phase == Phase.RED:
        yield Refusal("The red switch has to be done first; only with whom is open.", "S.2-6")
    if state.phase == Phase.BLOCK:
        yield Refusal("Block comes first: take the disk, or leave it where it lies.", "S.2-3")


def _owed(state: Switch16State) -> Reasons:
    if _owes_discard(state):
        yield Refusal(
            f"Card {state.deck.top} can be discarded, and all that can be has to be, as this table plays.", "AMB-S-11"
        )


def _no_switch(state: Switch16State, action: Action) -> Reasons:
    if state.phase == Phase.DISCARD and state.face == GREEN:
        yield Refusal("The green switch of this roll is settled: the dice count now.", "S.2-4")
    if state.phase not in (Phase.GREEN, Phase.RED):
        yield Refusal("Decks are switched only when the Switch die shows a green or a red switch.", "S.2-4")
    if state.refused and action.choice == str(state.refused):
        yield Refusal(f"{state.name(state.refused)} has refused this switch: name another player.", "AMB-S-7")
    if state.phase == Phase.RED:
        yield Refusal(f"A red switch is done with {_either(state, lowest_others(state))}.", "S.2-6")


def _no_decline(state: Switch16State, _action: Action) -> Reasons:
    if state.phase == Phase.RED:
        yield Refusal("A red switch has to be done, like it or not.", "S.2-6")
    if state.phase != Phase.GREEN:
        yield Refusal("There is no green switch to let be.", "S.2-4")


def _no_answer(state: Switch16State, _action: Action) -> Reasons:
    if state.phase != Phase.ASKED:
        yield Refusal("No switch is asked for; only the holder of the disk is asked, after a green one.", "S.2-5")


def _no_choice_of_disk(state: Switch16State, _action: Action) -> Reasons:
    if state.phase != Phase.BLOCK:
        yield Refusal("The disk is taken or left only after Block, while it lies on another player's deck.", "S.2-8")


def _no_disk(state: Switch16State, action: Action) -> Reasons:
    if action.player != state.holder:
        yield Refusal("Only the player who holds the disk in hand may put it down.", "S.2-9")
    if action.choice == str(action.player):
        yield Refusal("The disk goes on another player's deck, not on one's own.", "AMB-S-10")
    yield Refusal("Say on whose deck the disk goes with the seat, such as =2, and no dice.", "S.2-9")


def _no_discard(state: Switch16State, action: Action) -> Reasons:
    top = state.deck.top
    yield from _unsettled(state)
    if state.phase == Phase.START:
        yield Refusal("Cards are discarded after a roll.", "S.2-12")
    if state.deck.blocked:
        yield Refusal(f"The disk lies on {state.who}'s deck: no card goes before a Block is rolled.", "S.2-10")
    if action.choice != _card(top):
        yield Refusal(f"Cards go in order, one at a time: =card-{top} is on top.", "S.2-12")
    if not _can_discard(state):
        yield Refusal(f"{_spelled(state.rolled)} do not make {top}, alone or added up.", "S.2-12")


def _no_end(state: Switch16State, _action: Action) -> Reasons:
    yield from _unsettled(state)
    if state.phase == Phase.START:
        yield Refusal("A turn has one roll at least.", "S.2-2")
    yield from _owed(state)


_AGAINST: Final[Mapping[str, Callable[[Switch16State, Action], Reasons]]] = {
    "lot": _no_lot,
    "roll": _no_roll,
    "switch": _no_switch,
    "decline": _no_decline,
    "refuse": _no_answer,
    "agree": _no_answer,
    "take": _no_choice_of_disk,
    "leave": _no_choice_of_disk,
    "disk": _no_disk,
    "discard": _no_discard,
    "end": _no_end,
}


def _shape(state: Switch16State, action: Action) -> Refusal:
    if action.verb == "roll":
        return Refusal(f"{_by_top_card(state)}, no more and no fewer.", "S.2-2")
    if action.verb == "switch":
        return Refusal(f"Say whose deck with the seat: {_either(state, _partners(state))}, and no dice.", "S.2-4")
    if action.verb == "discard":
        return Refusal("A discard names its card and no dice.", "S.2-12")
    return Refusal(f"{action.verb!r} takes no dice and no choice.", "S.2-2")


def _by_top_card(state: Switch16State) -> str:
    count = dice_of(state, state.seat)
    return f"With {state.deck.top} on top {state.who} rolls {count} dice and the Switch die"


def _either(state: Switch16State, seats: tuple[int, ...]) -> str:
    return spell_list([f"{state.name(seat)} (={seat})" for seat in seats], "or")


def fault(state: Switch16State, thrown: tuple[DiePosition, ...], _kept: tuple[DiePosition, ...]) -> Refusal:
    """Which rule a throw breaks that no legal action explains: the number of its dice, or the Switch die."""
    count = sum(lying.die.kind == D6 for lying in thrown)
    if not thrown:
        return Refusal("The dice of a roll stay where they fell until the turn is over.", "S.2-12")
    if state.phase == Phase.LOTS:
        return Refusal(f"For the first turn each player throws one ordinary die alone, not {_words(thrown)}.", "S.2-1")
    if count == len(thrown):
        return Refusal("The Switch die is rolled along with the dice, every time.", "S.2-2")
    if not count:
        return Refusal("The Switch die is never rolled alone.", "S.2-2")
    if state.phase == Phase.START:
        return Refusal(f"{_by_top_card(state)}, not {count}.", "S.2-2")
    dice = "1 die" if count == 1 else f"{count} dice"
    return Refusal(f"By the cards on top nobody could roll {dice} with the Switch die now.", "S.2-2")


def _words(thrown: tuple[DiePosition, ...]) -> str:
    return "the Switch die" if len(thrown) == 1 else f"{len(thrown)} dice"


# The table


def lay(state: Switch16State) -> tuple[DiePosition, ...]:
    """Where the dice lie during a turn: those of the last roll on the field, the others anywhere; () between turns."""
    if not state.rolled:
        return ()
    field = tuple(DiePosition(Die(D6, FaceName(f"pip-{number}")), Zone.FIELD) for number in state.rolled)
    spare = (DiePosition(ROLLED, None),) * (MOST_DICE - len(field))
    return (*field, DiePosition(Die(SWITCH, state.face), Zone.FIELD), *spare)


def thrown(_state: Switch16State, action: Action) -> tuple[DiePosition, ...]:
    """The dice that the action throws: any of their kind will do, since a roll takes all it needs anew."""
    return tuple(DiePosition(Die(die.kind), Zone.FIELD) for die in action.dice)


def turn_points(state: Switch16State) -> int:
    """The cards discarded in this turn."""
    return state.turn_cards


def boards(state: Switch16State) -> tuple[Board, ...]:
    """The tray with the disk, and each player's deck; a tap on another player's row means that player's deck."""
    tray = Board(0, "Tray", (("Block disk", _disk_place(state)),))
    return (tray, *(_deck_board(state, player.seat) for player in state.players))


def _disk_place(state: Switch16State) -> str:
    there = _blocked_seat(state)
    if there:
        return f"on {state.name(there)}'s deck"
    return f"in {state.name(state.holder)}'s hand" if state.holder else "beside the tray"


def _deck_board(state: Switch16State, seat: int) -> Board:
    rows = tuple(_deck_row(state, other) for other in _seats_to_name(state, seat))
    columns = ("Player", "Top card", "Rolls") if rows else ()
    return Board(seat, f"{state.name(seat)}'s deck", tuple(_facts(state, seat)), columns, rows)


def _facts(state: Switch16State, seat: int) -> Iterator[tuple[str, str]]:
    deck = state.decks[seat - 1]
    if state.chose(VARIANT, "to-100"):
        yield "Points", str(state.scores[seat - 1])
    yield "Top card", str(deck.top) if deck.top <= LAST_CARD else "none"
    yield "Discarded", f"1 to {deck.top - 1}" if deck.top > 2 else "1" if deck.top == 2 else "none"
    yield "Rolls", f"{dice_of(state, seat)} dice and the Switch die"
    yield "A failed risk", f"back to {falls_to(state, deck)}"
    yield "Dealt to", state.name(deck.dealt_to)
    if deck.blocked:
        yield "Block disk", "on this deck"
    if state.holder == seat:
        yield "Block disk", "in hand"


def _seats_to_name(state: Switch16State, seat: int) -> tuple[int, ...]:
    named = {offer.choice for offer in legal(state) if offer.player == seat and offer.verb in ("switch", "disk")}
    return tuple(other for other in clockwise(len(state.players), seat) if str(other) in named)


def _deck_row(state: Switch16State, seat: int) -> BoardRow:
    cells = (state.name(seat), str(state.top(seat)), f"{dice_of(state, seat)} dice")
    return BoardRow(str(seat), cells, "blocked" if state.decks[seat - 1].blocked else "open")


def pause(state: Switch16State, action: Action) -> str:
    """A discard waits a moment for the player who holds the disk (AMB-S-18)."""
    if action.verb != "discard" or state.holder in (0, state.seat):
        return ""
    return f"{state.name(state.holder)} may put the disk on {state.who}'s deck."


# Words


def tell(state: Switch16State) -> str:
    """One sentence: who is to do what."""
    if state.phase == Phase.OVER:
        return f"{_names(state, state.winner)} {'has' if len(state.winner) == 1 else 'have'} won."
    ways = [offer_title(state, offer) for offer in legal(state) if offer.verb != "disk"]
    first, *rest = ways
    words = [f"{first[:1].lower()}{first[1:]}", *(f"{way[:1].lower()}{way[1:]}" for way in rest)]
    return f"{state.name(state.to_act[0])}: {spell_list(words, 'or')}."


def offer_title(state: Switch16State, action: Action) -> str:
    """What a button for the action says; also the words for an action already done."""
    if action.verb == "discard":
        return f"Discard card {state.deck.top} ({_made(state.deck.top, state.rolled)})"
    if action.verb == "roll":
        return _roll_title(state)
    name = state.name(int(action.choice)) if action.choice else state.name(state.seat or 1)
    disk = state.name(_blocked_seat(state) or 1)
    return _TITLES[action.verb].format(name=name, disk=disk)


def _roll_title(state: Switch16State) -> str:
    again = "Take the risk and roll" if state.rolls else "Roll"
    return f"{again} {dice_of(state, state.seat)} dice and the Switch die"


_TITLES: Final = {
    "lot": "Throw one die for the first turn",
    "switch": "Switch decks with {name}",
    "decline": "Keep the deck and let the dice count",
    "refuse": "Refuse to switch decks with {name}",
    "agree": "Agree to switch decks with {name}",
    "take": "Take the disk off {disk}'s deck",
    "leave": "Leave the disk on {disk}'s deck",
    "disk": "Put the disk on {name}'s deck",
    "end": "End the turn",
}


def _names(state: Switch16State, seats: tuple[int, ...]) -> str:
    return spell_list([state.name(seat) for seat in seats], "and")


GAME: Final = Game(
    name="switch-16",
    title="Switch 16",
    die_set="switch-16",
    seats=(2, 4),
    options=OPTIONS,
    setup=setup,
    legal=legal,
    play=play,
    lay=lay,
    thrown=thrown,
    tell=tell,
    offer_title=offer_title,
    why_not=why_not,
    fault=fault,
    turn_points=turn_points,
    boards=boards,
    pause=pause,
    verbs={
        "lot": "Throw one die for the first turn.",
        "roll": "Roll the dice that the top card pictures with the Switch die; in a turn's later rolls, take the risk.",
        "switch": "After a switch on the Switch die, exchange decks with the player of that seat.",
        "decline": "Let a green switch be, so that the dice count.",
        "refuse": "Holding the disk, refuse a green switch.",
        "agree": "Holding the disk, agree to a green switch all the same.",
        "take": "After Block, take the disk off another player's deck.",
        "leave": "After Block, leave the disk on another player's deck.",
        "disk": "Put the disk from the hand on the deck of the player of that seat, at any time.",
        "discard": "Discard the top card, which the dice make.",
        "end": "End the turn.",
    },
    implied=frozenset({"switch", "decline", "refuse", "agree", "take", "leave", "discard", "end"}),
    handfuls=20,
    ends=frozenset({"end"}),
    cites={"dice": "S.1", "turn": "S.2-1", "over": "S.2-16", "touched": "S.2-12", "cocked": "S.1"},
)
