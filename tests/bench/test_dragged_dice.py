"""Dice dragged one right after another, as a finger does on the virtual tray's page."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bench.fair_cases.opening import carry_to, fraction, lay_out
from bench.fair_cases.table import FairTable, Setting, new_tray
from referee.actions import Action
from referee.dice import Zone
from referee.games import named
from vander.resources.models_and_stores import LoadedModels

FIELD = ((180.0, 8.0), (50.0, 154.0), (222.0, 113.0), (109.0, 84.0), (144.0, 118.0), (194.0, 88.0))
BAY = ((252.0, 92.0), (269.0, 92.0), (286.0, 92.0))
PAUSE_SECONDS = 0.55


OPENING = (
    "1 lot traffic:happy traffic:happy traffic:happy traffic:two traffic:four",
    "2 lot traffic:two traffic:two traffic:sad traffic:three traffic:four",
    "1 roll signal:go traffic:star traffic:star traffic:star traffic:two traffic:four",
)


@pytest.mark.slow
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_three_stars_dragged_into_the_bay_without_waiting_are_parked(tmp_path: Path, order: tuple[int, ...]) -> None:
    setting = Setting(named("intersection"), LoadedModels.load())
    tray = new_tray(setting, seed=1)
    table = FairTable(tmp_path, setting, tray, seed=1)
    try:
        table.begin([Action.parse(action) for action in OPENING])
        lay_out(tray, setting.game.lay(table.state), Random(1), thrown=False)  # noqa: S311 -- where dice lie
        stars = [number for number, die in table.true().items() if die.face == "star"]
        for number, place in zip([*set(table.true()) - set(stars), *stars], FIELD, strict=True):
            carry_to(tray, number, *place)
        table.restart()
        table.settle()
        for place in order:
            tray.move(stars[place], *fraction(tray, *BAY[place]))
            table.wait(PAUSE_SECONDS)
        table.settle()
        shown = table.session.snapshot()
        assert "moved" not in shown.notice
        assert [die.zone for die in shown.dice if die.face == "star"] == [Zone.ASIDE] * 3
    finally:
        table.close()
