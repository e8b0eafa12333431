"""Play one case from its seed: an opening, the situation, the verdict."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.fair_cases.case import Case, NotThisTime
from bench.fair_cases.episodes import add_episode
from bench.fair_cases.judgement import Outcome, judge_facts
from bench.fair_cases.opening import LONG, Opening, find_opening, lay_out
from bench.fair_cases.staged_case import Fate, Staged
from bench.fair_cases.table import FairTable, Setting, new_tray
from bench.simulator_truth import truth
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray

MOST_OPENINGS = 8
MOST_SEEDS = 12


@dataclass(frozen=True)
class Result:
    """What became of a case, with what happened in it."""

    situation: str
    sort: str
    game: str
    seed: int
    outcome: str
    notes: tuple[str, ...]


def play_case(
    setting: Setting, staged: Staged, seed: int, folder: Path | None = None, keep: Path | None = None
) -> Result | None:
    """Play a case; None where no opening fits. The same seed plays the same case. Its episode is added to `keep`."""
    why = ""
    for opening_seed in range(seed * 1000, seed * 1000 + MOST_OPENINGS):
        rng = random.Random(opening_seed)  # noqa: S311 -- play
        opening = find_opening(setting.game, setting.dice, rng, staged.wanted)
        if opening is None:
            continue
        with tempfile.TemporaryDirectory(dir=folder) as data:
            try:
                return _play(setting, staged, seed, opening_seed, opening, Path(data), keep)
            except NotThisTime as passed:
                why = str(passed)
    return Result(staged.name, str(staged.sort), setting.game.name, seed, "", (why,)) if why else None


def _play(  # what a case is, and where it is kept
    setting: Setting, staged: Staged, seed: int, opening_seed: int, opening: Opening, data: Path, keep: Path | None
) -> Result:
    tray = _laid_tray(setting, staged, opening_seed, opening)
    table = FairTable(data, setting, tray, opening_seed)
    try:
        begun = table.begin(opening.actions)
        if begun != opening.state or table.session.snapshot().questions or table.session.state.unresolved.mismatch:
            raise NotThisTime("the opening itself is asked about, or its dice lie wrong")
        case = Case(table, staged.sort, begun, opening.throw)
        staged.play(case)
        outcome = judge_facts(case.facts())
        notes = (*case.notes, *_end(case, outcome))
        result = Result(staged.name, str(staged.sort), setting.game.name, seed, str(outcome), notes)
        if keep:
            table.episode.case = {"situation": staged.name, "seed": seed, "outcome": str(outcome)}
            add_episode(keep, table.episode)
        return result
    finally:
        table.close()


def _end(case: Case, outcome: Outcome) -> Iterator[str]:
    shown = case.table.session.snapshot()
    if outcome is Outcome.RIGHT:
        return
    yield f"offer {case.offer}"
    yield f"page says: {shown.notice!r} ({shown.mood}); {[question.sentence for question in shown.questions]}"
    yield f"misread: {case.table.misread()}"
    if case.state not in case.fair and case.fair:
        names = [name for name in vars(case.state) if getattr(case.state, name) != getattr(case.fair[-1], name, None)]
        for name in names:
            yield f"{name} is {getattr(case.state, name)!r}, fair would be {getattr(case.fair[-1], name)!r}"[:300]
    for entry in case.table.entries[case.table.story.entries :]:
        yield f"entry {entry.number} {entry.source} {entry.deed} {entry.action or ''} {entry.note}"


def _laid_tray(setting: Setting, staged: Staged, seed: int, opening: Opening) -> VirtualTray:
    """Return a tray on which the dice lie as the opening has them, and on which the next throw meets its fate."""
    if staged.fate == Fate.PLAIN:
        tray = new_tray(setting, seed)
        lay_out(tray, setting.game.lay(opening.state), random.Random(seed))  # noqa: S311 -- play
        return tray
    count = len(opening.throw.dice)
    share = 1.0 / count
    mishaps = Mishaps(share, 0.0) if staged.fate == Fate.LEANS else Mishaps(0.0, share)
    for tray_seed in range(seed * 100, seed * 100 + MOST_SEEDS):
        twin, tray = (_carried(setting, tray_seed, mishaps, opening) for _ in range(2))
        twin.throw([int(die["number"]) for die in twin.dice()][:count])
        twin.advance(LONG)
        if _met(twin, staged.fate) == 1:
            return tray
    raise NotThisTime(f"no throw {staged.fate}")


def _carried(setting: Setting, seed: int, mishaps: Mishaps, opening: Opening) -> VirtualTray:
    tray = new_tray(setting, seed, mishaps)
    lay_out(tray, setting.game.lay(opening.state), random.Random(seed), thrown=False)  # noqa: S311 -- play
    return tray


def _met(tray: VirtualTray, fate: str) -> int:
    if fate == Fate.LEANS:
        return sum(not die.flat for die in truth(tray).values())
    return sum(str(die["place"]) in ("out", "off") for die in tray.dice())
