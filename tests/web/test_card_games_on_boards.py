"""Whole games of Rollers and Switch 16 in a real browser: choices on the boards, buttons only where a turn ends."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from board_player import any_face, seated
from playwright.sync_api import Browser, expect

from referee.actions import Action, GameState
from referee.dice import Die, DieSet, FaceName
from referee.games.rollers import RollersPhase, RollersSection, RollersState
from referee.games.rollers.state import STAR, VALUES, ZAP, counts_as
from referee.games.switch_16 import Switch16Phase, Switch16State

pytestmark = [pytest.mark.slow, pytest.mark.browser]

FEW_CARDS = 2
MIDDLE = range(6, 13)
"""The most cards that one has in Switch 16 while nothing is done on the boards that is not done before and after."""


def fill(state: GameState, offers: Sequence[Action]) -> Action:
    """Play Rollers: leave lying what fills a section, stop early, close before opening, and collect with the rest."""
    assert isinstance(state, RollersState)
    if state.phase is RollersPhase.APPLY:
        order = ("close", "open", "collect", "done")
        return next(offer for verb in order for offer in offers if offer.verb == verb)
    if not state.rolls:
        return next(offer for offer in offers if offer.verb == "roll")
    wanted = max(
        (tuple(die for die in state.good if counts_as(die, value)) for value in VALUES if not is_closed(state, value)),
        key=len,
        default=(),
    )
    if state.rolls == 1 and len(wanted) > len(state.saved):
        return next((offer for offer in offers if offer.dice == wanted), offers[0])
    return next(offer for offer in offers if offer.verb == ("roll" if state.rolls == 1 else "stop"))


def is_closed(state: RollersState, value: int) -> bool:
    return state.section(state.seat, value) is RollersSection.CLOSED


def starry(rng: random.Random, dice: DieSet, die: Die) -> FaceName:
    """Stars more often than the dice have them, and few zaps, so that a game takes few turns."""
    face = any_face(rng, dice, die)
    if face == ZAP and rng.random() < 0.5:
        return FaceName("pip-5")
    return STAR if STAR in dice.kind(die.kind).faces and rng.random() < 0.4 else face


def climb(state: GameState, offers: Sequence[Action]) -> Action:
    """Play Switch 16: discard, switch up, take the disk and put it down, and stop after two cards or at the last."""
    assert isinstance(state, Switch16State)
    put_down = [offer for offer in offers if offer.verb == "disk" and offer.player != state.seat]
    if put_down and state.phase is Switch16Phase.DISCARD:
        return max(put_down, key=lambda offer: offer.choice != str(state.seat))
    ways = [offer for offer in offers if offer.verb != "disk"]
    if state.phase is Switch16Phase.GREEN:
        return max(ways, key=lambda offer: state.top(int(offer.choice)) if offer.choice else state.deck.top)
    order = ("discard", "roll", "end") if state.turn_cards < FEW_CARDS else ("discard", "end", "roll")
    return next((offer for verb in order for offer in ways if offer.verb == verb), ways[-1])


def high(rng: random.Random, dice: DieSet, die: Die) -> FaceName:
    """Ordinary dice, and a Switch die that is rarely red, so that a game takes few turns."""
    face = any_face(rng, dice, die)
    return FaceName("block") if face == "red-switch" and rng.random() < 0.5 else face


@pytest.mark.timeout(240)
def test_rollers_is_played_to_its_end_on_the_boards(chromium: Browser, tmp_path: Path) -> None:
    shorter = {"target": "3"}
    with seated(chromium, tmp_path, "rollers", fill, luck=starry, options=shorter, starter=1) as player:
        player.buttons = frozenset({"stop", "done"})
        over = player.play()
        assert over.winner
        assert set(player.tapped) == {"open", "close", "collect"}
        assert player.tapped["close"] >= len(VALUES)
        expect(player.page.locator("#table.over")).to_be_attached()


@pytest.mark.timeout(240)
def test_switch_16_is_played_to_its_end_on_the_boards(chromium: Browser, tmp_path: Path) -> None:
    with seated(chromium, tmp_path, "switch-16", climb, players=3, luck=high, starter=1) as player:
        player.buttons = frozenset({"end"})
        player.is_put_away = lambda state: max(state.scores, default=0) in MIDDLE
        over = player.play()
        assert over.winner
        assert player.tapped["discard"] > 6
        assert {"switch", "disk"} <= set(player.tapped)
        expect(player.page.locator("#table.over")).to_be_attached()
