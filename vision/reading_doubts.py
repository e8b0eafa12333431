"""Sentences about what is doubtful in the readings of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.dice import DieSet
from referee.sentences import say, say_count
from vision.observations import LEANING, DieReading, Posture


def reading_doubts(readings: Sequence[DieReading]) -> list[str]:
    """Return a sentence each for dice that lean, lie on others, or cannot be read."""
    postures = Counter(reading.sighting.posture for reading in readings)
    unread = sum(not reading.accepted and reading.sighting.posture not in LEANING for reading in readings)
    leaning, lying = postures[Posture.COCKED], postures[Posture.STACKED]
    sentences = (
        (leaning, say("A die leans.") if leaning == 1 else say("{count} dice lean.", count=leaning)),
        (
            lying,
            say("A die leans or lies on another.")
            if lying == 1
            else say("{count} dice lean or lie on others.", count=lying),
        ),
        (unread, say_count("A die cannot be read for certain.", "{count} dice cannot be read for certain.", unread)),
    )
    return [sentence for count, sentence in sentences if count]


def count_doubts(readings: Sequence[DieReading], dice: DieSet | None) -> list[str]:
    """Return a sentence for each kind of which more dice are seen than the set has."""
    if dice is None:
        return []
    seen = Counter(reading.kind for reading in readings)
    return [
        say(
            "{seen} dice of the kind '{kind}' are in sight, but the set has {most}.",
            seen=seen[kind.name],
            kind=kind.title,
            most=count,
        )
        for kind, count in dice.counts
        if seen[kind.name] > count
    ]
