"""Dice County Fair: one to eight players, six dice for all, and a sheet for each.

A player's turn is a plan in pencil until it is done: every step of it is an action, and none disturbs another's plan.
Rule numbers are those of referee/rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from typing import Final

from referee.game import BadSheet, Game, Option
from referee.games.dice_county_fair.boards import STEPS, boards, facts, tell
from referee.games.dice_county_fair.scoring import finish
from referee.games.dice_county_fair.sheet import FairSheet
from referee.games.dice_county_fair.state import COUNTY, OPTIONS, SHEET, FairPhase, FairState, lay, relaid, setup
from referee.games.dice_county_fair.verbs import FEATS, VERBS, begin_with, fault, out_of_turn, pass_over
from referee.rule_texts import numbered
from referee.sentences import say

__all__ = ["GAME", "FairPhase", "FairState"]


def on_sheets(texts: Mapping[str, str]) -> Game[FairState]:
    """Return the game with its own sheet and these, name to TOML text. Raises BadSheet.

    A sheet's reading of the option holds a mark of its text, `fair@1a2b3c4d`: an old game on a file that was changed
    since is not replayed on another sheet.
    """
    own = {_marked(name, text): FairSheet.parse(name, text) for name, text in texts.items()}
    shipped = (COUNTY.name, say("The sheet that comes with the program: invented, not the makers'."))
    typed_in = ((value, say("The sheet typed in as {name}.", name=sheet.name)) for value, sheet in own.items())
    option = Option(SHEET, say("Which sheet is played?"), (shipped, *typed_in), "D.1")
    return replace(_GAME, options=(option, *OPTIONS), setup=partial(setup, {COUNTY.name: COUNTY, **own}))


def _marked(name: str, text: str) -> str:
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise BadSheet(f"the sheet {name!r}: a sheet is called by small letters, digits and dashes, like my-sheet")
    return f"{name}@{sha256(text.encode()).hexdigest()[:8]}"


_GAME: Final = Game(
    name="dice-county-fair",
    title=say("Dice County Fair"),
    die_set="dice-county-fair",
    seats=(1, 8),
    options=OPTIONS,
    state_type=FairState,
    rules=numbered("D", rules=16, ambiguities=16),
    verbs=VERBS,
    setup=partial(setup, {COUNTY.name: COUNTY}),
    lay=lay,
    tell=tell,
    fault=fault,
    boards=boards,
    facts=facts,
    usual=lambda _state: ("ready", "copy", "complete", "buy", "done"),
    how_to_play=STEPS,
    feats=FEATS,
    pass_over=pass_over,
    finish=finish,
    begin_with=begin_with,
    relaid=relaid,
    waits=out_of_turn,
    on_sheets=on_sheets,
    cites={"verb": "D.2-3", "dice": "D.1", "turn": "D.2-2", "over": "D.2-14", "touched": "D.2-3", "cocked": "D.2-3"},
)
GAME: Final = on_sheets({})
