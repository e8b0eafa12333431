"""Fuse repeated readings of one unmoved die into one."""

from __future__ import annotations

from dataclasses import replace

from referee.dice import FaceName
from vision.observations import DieReading, Posture


def fuse(old: DieReading, new: DieReading, reads: int = 1, accept_from: float = 0.0) -> DieReading:
    """Return one reading from an old one, itself fused from `reads` readings, and a new one of the same unmoved die.

    Probabilities are averaged and the newest sighting is kept. An accepted face stays accepted, flat as it lay, until
    another face is accepted. An old reading in doubt becomes accepted once the new one is and the average reaches
    `accept_from`, unless the die seemed to lean before: otherwise reading often enough would accept anything by
    chance. If the kinds differ, the reading of higher confidence is the better guess, accepted only if the old one was.
    """
    sighting = replace(new.sighting, posture=old.sighting.posture) if old.accepted else new.sighting
    if old.kind != new.kind:
        likelier = max(new, old, key=lambda reading: reading.confidence)
        stands = old.accepted and not new.accepted
        return replace(old if stands else likelier, sighting=sighting, accepted=stands)
    before, now = _probabilities(old), _probabilities(new)
    averages = {face: (before.get(face, 0.0) * reads + now.get(face, 0.0)) / (reads + 1) for face in (before | now)}
    (face, average), *others = sorted(averages.items(), key=lambda item: -item[1])
    lay_flat = old.sighting.posture is Posture.FLAT
    accepted = _only_accepted_face(old, new) == face and (old.accepted or (lay_flat and average >= accept_from))
    return DieReading(sighting, new.kind, face, average, accepted, tuple(others))


def _probabilities(reading: DieReading) -> dict[FaceName, float]:
    return {reading.face: reading.confidence, **dict(reading.runners_up)}


def _only_accepted_face(old: DieReading, new: DieReading) -> FaceName | None:
    """Return the face that the accepted readings agree on; None without an accepted reading, or if they disagree."""
    accepted = {reading.face for reading in (old, new) if reading.accepted}
    return accepted.pop() if len(accepted) == 1 else None
