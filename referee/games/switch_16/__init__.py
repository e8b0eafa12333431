"""Switch 16: two to four players, a deck of sixteen cards each, five dice, the Switch die and the Block disk.

Rule numbers are those of referee/rules.
"""

from __future__ import annotations

from typing import Final

from referee.game import Game
from referee.games.switch_16.boards import STEPS, boards, facts, tell
from referee.games.switch_16.state import FEATS, OPTIONS, Switch16Phase, Switch16State, lay, settle, setup
from referee.games.switch_16.verbs import (
    VERBS,
    alike,
    begin_with,
    fault,
    finish,
    not_to_act,
    out_of_turn,
    pass_over,
    pause,
    unsafe_points,
)
from referee.rule_texts import numbered
from referee.sentences import say

__all__ = ["GAME", "Switch16Phase", "Switch16State"]

GAME: Final = Game(
    name="switch-16",
    title=say("Switch 16"),
    die_set="switch-16",
    seats=(2, 4),
    options=OPTIONS,
    state_type=Switch16State,
    rules=numbered("S", rules=18, ambiguities=22),
    verbs=VERBS,
    setup=setup,
    settle=settle,
    lay=lay,
    tell=tell,
    fault=fault,
    refusals=out_of_turn,
    waits=not_to_act,
    turn_points=lambda state: state.turn_cards,
    unsafe_points=unsafe_points,
    boards=boards,
    facts=facts,
    usual=lambda _state: ("discard", "decline", "switch", "agree", "take", "end"),
    how_to_play=STEPS,
    feats=FEATS,
    alike=alike,
    pass_over=pass_over,
    finish=finish,
    begin_with=begin_with,
    pause=pause,
    held_actions=20,
    cites={"verb": "S.2-2", "dice": "S.1", "turn": "S.2-1", "over": "S.2-16", "touched": "S.2-12", "cocked": "S.1"},
)
