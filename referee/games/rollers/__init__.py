"""Rollers: two to five players, five purple dice with a star and one black die with a zap.

Sets of dice open and close the five sections of a player's board; then they collect chips from the others. Rule numbers
are those of referee/rules/rollers.md.
"""

from __future__ import annotations

from typing import Final

from referee.game import Game
from referee.games.rollers.boards import STEPS, boards, facts, tell
from referee.games.rollers.state import OPTIONS, RollersPhase, RollersSection, RollersState, finish, lay, relaid, setup
from referee.games.rollers.verbs import FEATS, VERBS, begin_with, fault, out_of_phase, out_of_turn, pass_over
from referee.rule_texts import numbered
from referee.sentences import say

__all__ = ["GAME", "RollersPhase", "RollersSection", "RollersState"]

GAME: Final = Game(
    name="rollers",
    title=say("Rollers"),
    die_set="rollers",
    seats=(2, 5),
    options=OPTIONS,
    state_type=RollersState,
    rules=numbered("R", rules=16, ambiguities=16),
    verbs=VERBS,
    setup=setup,
    lay=lay,
    tell=tell,
    fault=fault,
    refusals=out_of_phase,
    waits=out_of_turn,
    boards=boards,
    facts=facts,
    usual=lambda _state: ("close", "open", "collect", "done", "stop"),
    how_to_play=STEPS,
    feats=FEATS,
    pass_over=pass_over,
    finish=finish,
    goes_on=lambda state: state.rolls > 0,
    begin_with=begin_with,
    relaid=relaid,
    held_actions=1,
    cites={"verb": "R.2-2", "dice": "R.1", "turn": "R.2-2", "over": "R.2-16", "touched": "R.2-4", "cocked": "R.2-3"},
)
