"""The dice of Switch 16 laid out by hand: what the pipeline would say of them."""

from __future__ import annotations

from referee.dice import FaceName, KindName, Zone
from vision.observations import DieReading, DieSighting, Observation, Posture, TrackedDie

SEEN_EMPTY = Observation(1, 0)


def thrown(throw: int, *faces: str) -> Observation:
    """These dice lie there, thrown together; the Switch die last."""
    names = enumerate([*(f"pip-{face}" for face in faces[:-1]), faces[-1]])
    return Observation(10 * throw + 2, throw, tuple(lying_die(10 * throw + n, name, throw) for n, name in names))


def lying_die(number: int, face: str, throw: int) -> TrackedDie:
    """A die of that throw, 0 for none, which shows the face."""
    sighting = DieSighting(30.0 * (number % 10), 50, 16, 0, Posture.FLAT, 0.99, 100.0, 200, 50)
    kind = KindName("d6" if face.startswith("pip") else "switch")
    return TrackedDie(number, DieReading(sighting, kind, FaceName(face), 0.99, accepted=True), Zone.FIELD, throw)


ROLLED = thrown(1, "1", "2", "4", "blank")
THREE_AGAIN = thrown(2, "2", "5", "6", "block")
