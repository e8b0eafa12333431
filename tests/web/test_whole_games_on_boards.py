"""Whole games in a real browser, in which every choice is made on the boards alone."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from board_player import any_face, seated
from playwright.sync_api import Browser, expect

from referee.actions import Action, GameState
from referee.dice import Die, DieSet, FaceName
from referee.games.intersection.state import SAD, IntersectionState, points, traffic_faces, turn_points
from referee.games.toss_up.state import TossUpState

pytestmark = [pytest.mark.slow, pytest.mark.browser]

ENOUGH_PARKED = 1000
ENOUGH_GREEN = 15
MIDDLE = range(30, 80)
"""The most points that one has in Toss Up! while nothing is done on the boards that is not done before and after."""


def first_of(offers: Sequence[Action], *verbs: str) -> Action:
    """Return the first offer with the first of these verbs that is offered."""
    return next(offer for verb in verbs for offer in offers if offer.verb == verb)


def drive(state: GameState, offers: Sequence[Action]) -> Action:
    """Play Intersection: park what scores, double what four dice brought, and end a turn that is worth it."""
    assert isinstance(state, IntersectionState)
    parks = [offer for offer in offers if offer.verb == "park"]
    if parks:
        return max(parks, key=lambda offer: points([*state.parked, *traffic_faces(offer.dice)]))
    order = ("end", "double", "on") if turn_points(state) >= ENOUGH_PARKED else ("double", "on", "end")
    return first_of(offers, *order, *(offer.verb for offer in offers))


def lucky_traffic(rng: random.Random, dice: DieSet, die: Die) -> FaceName:
    """Fours and stars more often than the dice have them, and never a stop, so that a game takes few turns."""
    if die.kind == "signal":
        return FaceName("go")
    face = any_face(rng, dice, die)
    return FaceName("four") if face == SAD or rng.random() < 0.5 else face


def toss(state: GameState, offers: Sequence[Action]) -> Action:
    """Play Toss Up!: roll until the turn is worth something, then bank it."""
    assert isinstance(state, TossUpState)
    return first_of(offers, "end", "roll") if state.points >= ENOUGH_GREEN else first_of(offers, "roll", "end")


def test_intersection_is_played_to_its_end_on_the_boards(chromium: Browser, tmp_path: Path) -> None:
    with seated(chromium, tmp_path, "intersection", drive, luck=lucky_traffic) as player:
        over = player.play()
        assert over.winner
        assert max(over.scores) >= 5000
        assert player.tapped["end"] > 2
        assert player.tapped["double"]
        expect(player.page.locator("#table.over")).to_be_attached()


def test_toss_up_is_played_to_its_end_on_the_boards(chromium: Browser, tmp_path: Path) -> None:
    with seated(chromium, tmp_path, "toss-up", toss) as player:
        player.is_put_away = lambda state: max(state.scores) in MIDDLE
        over = player.play()
        assert over.winner
        assert max(over.scores) > 100
        assert player.tapped["end"] > 2
        expect(player.page.locator("#table.over")).to_be_attached()
