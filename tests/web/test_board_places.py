"""Every choice of Dice County Fair, Rollers and Switch 16 can be made on a board: it belongs to a place there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from models import die_sets
from referee.actions import GameState
from referee.games import named
from referee.record_check import check_record, start_of_record
from referee.record_parser import parse_record
from referee.snapshot import Offer
from web.schemas.snapshot_response import PlaceIndex

RECORDS = Path(__file__).parents[1] / "referee/golden"
BUTTONS = {
    "dice-county-fair": {"copy", "ready", "not-ready", "rethink", "done"},
    "rollers": {"stop", "done"},
    "switch-16": {"end"},
}
"""What has no place and stays a button."""


def states_of(record_file: Path) -> Iterator[GameState]:
    """The states of a golden game."""
    record = parse_record(record_file.read_text("utf-8"))
    game = named(record.game)
    start = start_of_record(record, game, die_sets.load(game.die_set))
    yield from (step.state for step in check_record(game, start, record))


@pytest.mark.parametrize("name", BUTTONS)
def test_every_choice_belongs_to_a_place_and_the_rest_are_few_buttons(name: str) -> None:
    game, placed, free = named(name), set[str](), set[str]()
    for state in (state for file in RECORDS.glob(f"{name}-*.txt") for state in states_of(file)):
        offers = tuple(Offer(action, "", by_tap=not action.is_throw) for action in game.legal(state))
        places = PlaceIndex(game.boards(state), offers)
        for offer in (each for each in offers if each.by_tap):
            (placed if places.of(offer) else free).add(offer.action.verb)
    assert free == BUTTONS[name]
    assert not placed & free
    assert placed | free >= set(game.help_texts) - {"lot", "roll"}
