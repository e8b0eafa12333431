"""Phases with more on the boards than most have: what whole games came to, and no short game shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from game_phases import NAMES, seen, whole_game

from models import die_sets
from referee.actions import Action, GameState
from referee.game import Game, begin
from referee.games import named
from referee.games.rollers.state import RollersPhase, RollersState
from referee.judge import judge
from referee.snapshot import Snapshot

PLANNED = ("{} copy", "{} ready")
ROLL = "{} roll d6:pip-2 d6:pip-4 d6:pip-4 d6:pip-4 d6:pip-5 d6:pip-6"
TURNS = 5
"""After so many turns without a purchase an excess area holds 30 dice; whole games came to 25."""
STARS = "{} roll rollers-black:pip-5 rollers-purple:pip-2 rollers-purple:pip-2 " + "rollers-purple:star " * 3
ZAPPED = "{} roll rollers-black:zap rollers-purple:star"


LONG_NAMES = ("Maximilian-Alexander", "Bartholomäus", "Cy", "Friederike-Sophie", "Eve", "Wolfgang Amadeus")
LONG_STEPS = 60


@cache
def long_named(game_name: str) -> Mapping[str, Snapshot]:
    """Return the start of a game, its state with the most choices and a late one: of two and of six with long names."""
    found = {}
    for seats in (2, len(LONG_NAMES)):
        shown = list(whole_game(named(game_name), seats, LONG_STEPS, names=LONG_NAMES))
        found[f"start of {seats}"] = shown[0]
        found[f"choice of {seats}"] = max(shown[1:], key=lambda each: sum(offer.by_tap for offer in each.offers))
        found[f"late of {seats}"] = shown[-1]
    return found


@cache
def crowded(game_name: str) -> Mapping[str, Snapshot]:
    """Return the crowded phases of a game by their names; none of a game that has none."""
    return {"dice-county-fair": _fair, "rollers": _rollers}.get(game_name, dict)()


def _played(game: Game, state: GameState, actions: Sequence[str]) -> GameState:
    for action in actions:
        ruling = judge(game, state, Action.parse(action.format(state.seat)))
        assert not ruling.refusal, f"{action}: {ruling.refusal}"
        state = ruling.state
    return state


def _fair() -> Mapping[str, Snapshot]:
    """Return the end of a turn that two players share, and a sheet with much excess."""
    game = named("dice-county-fair")
    opened = _played(game, begin(game, NAMES[:2], die_sets.load("dice-county-fair")), (*PLANNED, *PLANNED))
    shared = _played(game, opened, (ROLL, "1 start =food-hall"))
    late = _played(game, shared, ("1 done", "2 start =carnival", "2 done", *((ROLL, "1 done", "2 done") * (TURNS - 1))))
    return {"shared": seen(game, shared), "excess": seen(game, _played(game, late, (ROLL, "1 done")))}


def _rollers() -> Mapping[str, Snapshot]:
    """Return rolls that a zap has cancelled, with one die saved before, with four, and with five."""
    game = named("rollers")
    state = begin(game, NAMES[:3], die_sets.load("rollers"))
    assert isinstance(state, RollersState)
    state = replace(state, phase=RollersPhase.ROLL, starter=1, round=1)
    found = {}
    for count in (1, 4, 5):
        rolled = _played(game, state, (STARS.strip(),))
        assert isinstance(rolled, RollersState)
        kept, again = rolled.good[-count:], rolled.good[:-count]
        dice = " ".join(f"{die.kind}:{'zap' if die.kind == 'rollers-black' else 'star'}" for die in again)
        saved = _played(game, rolled, ("{} save " + " ".join(map(str, kept)), "{} roll " + dice))
        found[f"zapped-{count}"] = seen(game, saved)
    return found
