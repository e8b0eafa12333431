"""The situations that are played: cheats and honest mishaps, each by the public verbs of the virtual tray.

A situation is a function that moves dice, lets frames pass, and says where the game may stand in the end. The modules
that are imported here put theirs into one list.
"""

from __future__ import annotations

from collections.abc import Mapping

from bench.fair_cases import dice_cheats, mishaps, simulator_situations, tablet_cheats
from bench.fair_cases.staged_case import ALL, Staged

MODULES = (dice_cheats, tablet_cheats, mishaps, simulator_situations)


def situations() -> Mapping[str, Staged]:
    """Return all situations by their names, in the order of MODULES."""
    names = [module.__name__ for module in MODULES]
    return dict(sorted(ALL.items(), key=lambda item: names.index(item[1].play.__module__)))
