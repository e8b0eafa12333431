"""How well a face is covered by samples: how many, how varied, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from models.dataset import Sample
from referee.dice import DieKind, DieSet, FaceName
from referee.sentences import say, say_count
from web.schemas.learning_schemas import FaceMeter

WANTED = 6
"""Samples of a face that are enough. Ten are better: docs/teaching.md says by how much."""
TURN_DEGREES, TURNS = 15.0, 4
"""The step in which turns are counted, within 90 degrees since the reader ignores quarter turns; and how many do."""
PLACE_EDGES, PLACES = 1.5, 4
"""The distance, in edges of a die, from which places count as two; and how many are enough."""
LIGHT, LIGHTS = 0.06, 3
"""The difference in brightness from which lights count as two; and how many are useful."""
HALF = 0.5


def meters(dice: DieSet, samples: Sequence[Sample]) -> tuple[FaceMeter, ...]:
    """Return the meter of every face of a die set, in the order of the set."""
    labelled = [sample for sample in samples if sample.label]
    return tuple(meter(kind, face, labelled) for kind in dice.kinds for face in kind.faces)


def meter(kind: DieKind, face: FaceName, samples: Iterable[Sample]) -> FaceMeter:
    """Return the meter of one face, from samples in the order they were taken."""
    own = [sample for sample in samples if sample.label and (sample.label.kind, sample.label.face) == (kind.name, face)]
    turns = _share(_turns(own), TURNS)
    places = _share(_places(own), PLACES)
    lights = _share(_apart([sample.light for sample in own], lambda a, b: abs(a - b) >= LIGHT), LIGHTS)
    advice = _advice(len(own), turns, places)
    return FaceMeter(
        kind=kind.name,
        face=face,
        title=kind.title_of(face),
        pictures=len(own),
        wanted=WANTED,
        turns=turns,
        places=places,
        lights=lights,
        enough=not advice,
        advice=advice,
        picture=own[-1].name if own else "",
    )


def _turns(samples: Sequence[Sample]) -> int:
    return len({int(sample.place.turned_degrees % 90 / TURN_DEGREES) for sample in samples})


def _places(samples: Sequence[Sample]) -> int:
    """Count the places; a sample without a frame may have been taken anywhere, and counts as a place."""
    known = [sample.in_frame for sample in samples if sample.in_frame]
    apart = _apart(known, lambda a, b: (a.x - b.x) ** 2 + (a.y - b.y) ** 2 >= (PLACE_EDGES * a.edge) ** 2)
    return apart + len(samples) - len(known)


T = TypeVar("T")


def _apart(found: Iterable[T], differ: Callable[[T, T], bool]) -> int:
    """Count, one after another, the values that differ from all counted before."""
    distinct: list[T] = []
    for one in found:
        if all(differ(one, other) for other in distinct):
            distinct.append(one)
    return len(distinct)


def _share(count: int, enough: int) -> float:
    return min(1.0, count / enough)


def _advice(pictures: int, turns: float, places: float) -> str:
    """Return what to do next, or '' when it is enough."""
    if pictures < WANTED:
        missing = WANTED - pictures
        return say_count("{count} more picture", "{count} more pictures", missing)
    if turns < HALF:
        return say("turn the die another way")
    if places < HALF:
        return say("lay the die elsewhere")
    return ""
