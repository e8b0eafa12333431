"""Switch 16 as `vander check --json` tells it. docs/record.md names every key, and none of them changes."""

from __future__ import annotations

from typing import TypedDict

from referee.games.switch_16.state import Switch16State, blocked_seat


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
