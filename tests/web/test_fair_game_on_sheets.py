"""A whole game of Dice County Fair in a real browser: prices, starts, purchases, activities and moves on the sheets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from board_player import Chooser, seated
from playwright.sync_api import Browser, expect

from referee.actions import Action, GameState
from referee.games.dice_county_fair import FairPhase, FairState

pytestmark = [pytest.mark.slow, pytest.mark.browser]

BUTTONS = frozenset({"copy", "ready", "not-ready", "done"})
"""What has no place on a sheet."""
PLANNING = (
    "1 price =lemonade/2",
    "1 price =corn-dog/6",  # which the page asks for by itself
    "2 price =swings/6",
    "1 erase =lemonade",
    "1 price =lemonade/3",
    "1 price =carousel/4",
    "1 copy",
    "1 ready",
    "2 copy",
    "1 not-ready",
    "1 erase =duck-pond",
    "1 price =duck-pond/6",
    "1 ready",
    "2 ready",
)
"""What both do before the fair opens: some prices are written, and the others are those of the sheet."""
LATER_TURNS = range(4, 11)
"""In which nothing is done on a sheet that was not done before."""
ORDER = ("roll", "start", "complete", "buy", "move", "done")


def visitor() -> Chooser:
    """Plan as said, then spend all that can be spent: one player moves in the even turns and the other in the odd."""
    planned = list(map(Action.parse, PLANNING))

    def choose(state: GameState, offers: Sequence[Action]) -> Action:
        assert isinstance(state, FairState)
        if state.phase is FairPhase.PLANNING:
            return planned.pop(0)
        first = [offer for offer in offers if offer.player == state.to_act[0]]
        ways = [offer for offer in first if offer.verb != "move" or (offer.player + state.turn) % 2]
        return next(offer for verb in ORDER for offer in ways if offer.verb == verb)

    return choose


@pytest.mark.timeout(290)
def test_dice_county_fair_is_played_to_its_end_on_the_sheets(chromium: Browser, tmp_path: Path) -> None:
    """Twelve turns of two players, the first and the last on the tablet; most prices are taken by a button."""
    with seated(chromium, tmp_path, "dice-county-fair", visitor()) as player:
        player.buttons = BUTTONS
        player.is_put_away = lambda state: isinstance(state, FairState) and state.turn in LATER_TURNS
        over = player.play()
        assert over.winner
        assert set(player.tapped) == {"price", "erase", "start", "buy", "complete", "move"}
        assert set(player.pressed) == BUTTONS
        assert player.tapped["complete"] > 2
        expect(player.page.locator("#table.over")).to_be_attached()
        expect(player.page.locator(".sheet-total")).to_contain_text("Total")
