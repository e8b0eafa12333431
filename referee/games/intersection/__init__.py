"""Intersection: one to twelve players, five Traffic dice, the Signal die. Rule numbers are those of referee/rules."""

from __future__ import annotations

from typing import Final

from referee.game import Game
from referee.games.intersection.boards import STEPS, boards, facts, tell
from referee.games.intersection.state import (
    OPTIONS,
    IntersectionPhase,
    IntersectionState,
    for_chances,
    lay,
    setup,
    turn_points,
)
from referee.games.intersection.turns import relaid, settle
from referee.games.intersection.verbs import (
    FEATS,
    VERBS,
    begin_with,
    fault,
    finish,
    out_of_phase,
    out_of_turn,
    pass_over,
    usual,
)
from referee.rule_texts import numbered
from referee.sentences import say

__all__ = ["GAME", "IntersectionPhase", "IntersectionState"]

GAME: Final = Game(
    name="intersection",
    title=say("Intersection"),
    die_set="intersection",
    seats=(1, 12),
    options=OPTIONS,
    state_type=IntersectionState,
    rules=numbered("I", rules=23, ambiguities=19),
    verbs=VERBS,
    setup=setup,
    settle=settle,
    lay=lay,
    tell=tell,
    fault=fault,
    refusals=out_of_phase,
    waits=out_of_turn,
    turn_points=turn_points,
    boards=boards,
    facts=facts,
    usual=usual,
    how_to_play=STEPS,
    feats=FEATS,
    pass_over=pass_over,
    finish=finish,
    begin_with=begin_with,
    for_chances=for_chances,
    relaid=relaid,
    cites={
        "verb": "I.2-2",
        "dice": "I.1",
        "turn": "I.2-1",
        "over": "I.2-20",
        "touched": "I.2-12",
        "cocked": "AMB-I-16",
    },
)
