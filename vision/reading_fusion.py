"""Fuse repeated readings of one unmoved die into one, and keep the kind of a die that is known to be the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from referee.dice import FaceName, KindName
from vision.kind_assignment import KIND_ACCEPT_FROM
from vision.observations import LEANING, DieReading

Name = TypeVar("Name", FaceName, KindName)


def fuse(old: DieReading, new: DieReading, reads: int = 1, accept_from: float = 0.0) -> DieReading:
    """Return one reading from an old one, itself fused from `reads` readings, and a new one of the same unmoved die.

    Probabilities of faces, and of kinds that have the face, are averaged, and the newest sighting is kept. An accepted
    face stays accepted, flat as it lay, until another face is accepted, and so does a kind. An old reading in doubt
    becomes accepted once the new one is and the average reaches `accept_from`, unless the die seemed to lean before:
    otherwise reading often enough would accept anything by chance. If the kinds differ and neither had been thought
    possible before, the reading of higher confidence is the better guess, accepted only if the old one was.
    """
    lay = old.sighting
    sighting = replace(new.sighting, posture=lay.posture, flat=lay.flat) if old.accepted else new.sighting
    kinds_before, kinds_now = _kinds(old), _kinds(new)
    if new.kind not in kinds_before and old.kind not in kinds_now:
        likelier = max(new, old, key=lambda reading: reading.confidence)
        stands = old.accepted and not new.accepted
        return replace(old if stands else likelier, sighting=sighting, accepted=stands, only_kind_doubted=False)
    (face, average), *others = _averages(_faces(old), _faces(new), reads)
    (kind, kind_average), *other_kinds = _averages(kinds_before, kinds_now, reads)
    lay_flat = lay.posture not in LEANING
    may_be = old.face_accepted or (lay_flat and average >= accept_from)
    face_accepted = _only_accepted_face(old, new) == face and may_be
    may_be_kind = old.kind_accepted or kind_average >= KIND_ACCEPT_FROM
    kind_accepted = _only_accepted_kind(old, new) == kind and may_be_kind
    return DieReading(
        sighting,
        kind,
        face,
        average,
        accepted=face_accepted and kind_accepted,
        runners_up=tuple(others),
        kind_confidence=kind_average,
        kinds=tuple(other_kinds),
        kind_accepted=kind_accepted,
        only_kind_doubted=face_accepted and not kind_accepted,
        body=new.body,
    )


def keep_kind(old: DieReading, new: DieReading) -> DieReading:
    """Return a new reading of a die that moved and is known to be the same: its kind stays if it was accepted."""
    if not old.kind_accepted or new.kind_accepted or old.kind not in _kinds(new):
        return new
    return replace(
        new,
        kind=old.kind,
        kind_confidence=old.kind_confidence,
        kinds=old.kinds,
        kind_accepted=True,
        accepted=new.face_accepted,
        only_kind_doubted=False,
    )


def _faces(reading: DieReading) -> dict[FaceName, float]:
    return {reading.face: reading.confidence, **dict(reading.runners_up)}


def _kinds(reading: DieReading) -> dict[KindName, float]:
    return {reading.kind: reading.kind_confidence, **dict(reading.kinds)}


def _averages(before: Mapping[Name, float], now: Mapping[Name, float], reads: int) -> list[tuple[Name, float]]:
    """Return the averages of probabilities fused from `reads` readings and of one more, the likeliest first."""
    names = {**before, **now}
    averages = [(name, (before.get(name, 0.0) * reads + now.get(name, 0.0)) / (reads + 1)) for name in names]
    return sorted(averages, key=lambda item: -item[1])


def _only_accepted_face(old: DieReading, new: DieReading) -> FaceName | None:
    """Return the face that the accepted readings agree on; None without an accepted reading, or if they disagree."""
    accepted = {reading.face for reading in (old, new) if reading.face_accepted}
    return accepted.pop() if len(accepted) == 1 else None


def _only_accepted_kind(old: DieReading, new: DieReading) -> KindName | None:
    """Return the same of the kinds."""
    accepted = {reading.kind for reading in (old, new) if reading.kind_accepted}
    return accepted.pop() if len(accepted) == 1 else None
