"""Toss Up!: two to six players and ten dice of green, yellow and red. Rule numbers are those of referee/rules."""

from __future__ import annotations

from typing import Final

from referee.game import Game
from referee.games.toss_up.boards import STEPS, boards, facts, tell
from referee.games.toss_up.state import OPTIONS, TossUpState, begin_with, finish, lay, pass_over, relaid, settle, setup
from referee.games.toss_up.verbs import FEATS, VERBS, fault, out_of_turn
from referee.rule_texts import numbered
from referee.sentences import say

__all__ = ["GAME", "TossUpState"]

GAME: Final = Game(
    name="toss-up",
    title=say("Toss Up!"),
    die_set="toss-up",
    seats=(2, 6),
    options=OPTIONS,
    state_type=TossUpState,
    rules=numbered("T", rules=12, ambiguities=10),
    verbs=VERBS,
    setup=setup,
    settle=settle,
    lay=lay,
    tell=tell,
    fault=fault,
    waits=out_of_turn,
    turn_points=lambda state: state.points,
    boards=boards,
    facts=facts,
    usual=lambda _state: ("end",),
    how_to_play=STEPS,
    feats=FEATS,
    pass_over=pass_over,
    finish=finish,
    begin_with=begin_with,
    relaid=relaid,
    held_actions=1,
    cites={"verb": "T.2-7", "dice": "T.1", "turn": "T.2-1", "over": "T.2-11", "touched": "T.2-9", "cocked": "T.2-3"},
)
