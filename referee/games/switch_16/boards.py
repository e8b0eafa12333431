"""Switch 16 in words: what the table waits for, and what lies before the players."""

from __future__ import annotations

from collections.abc import Iterator

from referee.board import Board, BoardRow
from referee.games.switch_16.state import (
    LAST_CARD,
    VARIANT,
    Switch16Phase,
    Switch16State,
    blocked_seat,
    dice_of,
    falls_to,
)
from referee.games.switch_16.switching import DISK, SWITCH_DECKS
from referee.games.switch_16.verbs import VERBS
from referee.phrases import spell_list


def tell(state: Switch16State) -> str:
    """Return one sentence: who is to do what."""
    if state.phase == Switch16Phase.OVER:
        return f"{state.names(state.winner) or 'Nobody'} {'have' if len(state.winner) > 1 else 'has'} won."
    seat = state.to_act[0]
    offers = ((verb, offer) for verb in VERBS if verb is not DISK for offer in verb.offers(state, seat))
    ways = [verb.title_of(state, offer) for verb, offer in offers]
    return f"{state.name(seat)}: {spell_list([f'{way[:1].lower()}{way[1:]}' for way in ways], 'or')}."


def boards(state: Switch16State) -> tuple[Board, ...]:
    """Return the tray with the disk, and each player's deck; a row stands for a player who may be named."""
    tray = Board(0, "Tray", (("Block disk", _disk_place(state)),))
    return (tray, *(_deck_board(state, player.seat) for player in state.players))


def _disk_place(state: Switch16State) -> str:
    there = blocked_seat(state)
    if there:
        return f"on {state.name(there)}'s deck"
    return f"in {state.name(state.holder)}'s hand" if state.holder else "next to the tray"


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
    verbs = (SWITCH_DECKS, DISK) if seat in state.to_act else ()
    named = {offer.choice for verb in verbs for offer in verb.offers(state, seat)}
    return tuple(other for other in state.after(seat) if str(other) in named)


def _deck_row(state: Switch16State, seat: int) -> BoardRow:
    cells = (state.name(seat), str(state.top(seat)), f"{dice_of(state, seat)} dice")
    return BoardRow(str(seat), cells, "blocked" if state.decks[seat - 1].blocked else "open")
