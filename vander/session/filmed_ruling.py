"""What is kept with the film of a ruling: how each die was read, before and after. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from referee.dice import Seen, SeenDie
from vander.session.film_sink import FilmedRuling
from vander.session.session_state import SessionState, Step, TableView
from vander.storage.film_file import FilmDie, FilmTimes
from vision.observations import TrackedDie


def filmed_ruling(before: SessionState, step: Step, find_crop: Callable[[str], bytes | None]) -> FilmedRuling:
    """Return what a step that has evidence was ruled on; `find_crop` returns the picture of a die by its name."""
    table, lay = step.state.table, before.table
    entry_at = next((entry.at.isoformat() for entry in step.entries if entry.evidence == step.evidence), "")
    crops = {number: find_crop(name) for number, name in table.crops.items()}
    return FilmedRuling(
        step.evidence,
        entry_at,
        dice=_film_dice(table, table.seen, _throws_in(lay.ruled)),
        lay=_film_dice(lay, lay.ruled, {}),
        departures=_departures(table.seen),
        crops={number: crop for number, crop in crops.items() if crop},
    )


def _throws_in(ruled: Seen | None) -> dict[int, int]:
    return {die.number: die.throw for die in ruled.dice} if ruled else {}


def _film_dice(table: TableView, seen: Seen | None, old: Mapping[int, int]) -> tuple[FilmDie, ...]:
    """The dice of `seen`; where a die lies is known while it was not moved since. `old` holds their earlier throws."""
    tracked = {die.number: die for die in table.observed.dice} if table.observed else {}
    dice = seen.dice if seen else ()
    return tuple(_film_die(die, tracked.get(die.number), old.get(die.number, 0)) for die in dice)


def _film_die(seen: SeenDie, tracked: TrackedDie | None, old_throw: int) -> FilmDie:
    read = FilmDie(
        seen.number,
        str(seen.kind),
        str(seen.die.face or ""),
        confidence=seen.faces[0][1] if seen.faces else 0.0,
        zone=str(seen.zone),
        thrown=seen.throw > old_throw,
        handled=str(seen.handled or ""),
    )
    if tracked is None or (tracked.thrown, tracked.zone) != (seen.throw, seen.zone):
        return read
    reading, at = tracked.reading, tracked.reading.sighting
    likely = ((str(reading.face), reading.confidence), *((str(face), share) for face, share in reading.runners_up))
    others = tuple((face, share) for face, share in likely if face != read.face)
    confidence = dict(likely).get(read.face, 0.0)
    return replace(read, confidence=confidence, runners_up=others, x=at.x, y=at.y, edge=at.edge)


def _departures(seen: Seen | None) -> tuple[FilmTimes, ...]:
    departures = seen.departures if seen else ()
    return tuple(FilmTimes(gone.die, str(gone.home), gone.moments) for gone in departures)
