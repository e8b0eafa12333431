"""The whole examination: what is looked at, in the order in which it is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from assistant import opened
from assistant.box.worries import Worry
from assistant.doctor import box, house, keeping, picture, way_in
from assistant.doctor.picture import Picture
from assistant.doctor.sight import Sighted
from assistant.doctor.subjects import Check, looked_at
from assistant.settings import Settings
from hardware import power
from web.doctor import Finding, Verdict

SUBJECTS = {"power": "power", "heat": "heat", "disk": "disk", "clock": "clock"}
"""The finding that each kind of worry belongs to."""
HELPS = "The table says so too while it lasts."


def examined(
    settings: Settings,
    sighted: Sighted,
    *,
    serving: bool = False,
    worries: Sequence[Worry] = (),
    root: Path = Path("/"),
) -> tuple[Finding, ...]:
    """All findings: of the picture that was seen, and of the box below `root`. Raises nothing."""
    seen = Picture(sighted, opened.layout(settings))
    found = looked_at([*picture.checks(seen), *_checks(settings, root, serving=serving)])
    return tuple(worried(found, worries))


def worried(findings: Iterable[Finding], worries: Sequence[Worry]) -> list[Finding]:
    """The findings, and what the box worries about: where the look found nothing, the worry has the word."""
    told = {SUBJECTS[worry.kind]: worry.sentence for worry in worries}
    return [
        replace(found, verdict=Verdict.UNSURE, told=told[found.name], advice=HELPS)
        if found.name in told and found.verdict is Verdict.GOOD
        else found
        for found in findings
    ]


def _checks(settings: Settings, root: Path, *, serving: bool) -> tuple[Check, ...]:
    now = power.read(root)
    return (
        Check(house.MODELS, house.models),
        Check(house.DICE, lambda: house.dice(settings)),
        Check(keeping.JOURNAL, lambda: keeping.journal(settings)),
        Check(keeping.DISK, lambda: keeping.disk(settings)),
        Check(box.POWER, lambda: box.power(now)),
        Check(box.HEAT, lambda: box.heat(now)),
        Check(box.CLOCK, lambda: box.clock(root, datetime.now(UTC), box.newest_of(_written(settings)))),
        Check(way_in.ADDRESS, lambda: way_in.address(settings, way_in.Network.now(root), serving=serving)),
        Check(box.WIRING, lambda: box.wires(settings, root)),
        Check(house.PROGRAM, lambda: house.program(settings)),
    )


def _written(settings: Settings) -> tuple[Path, ...]:
    """Files that were written before now: the journal, and the program itself."""
    journal = settings.data_dir / "journal.sqlite"
    return journal, journal.with_name(f"{journal.name}-wal"), Path(__file__)
