"""Decide when a table may count as settled before `vision.motion.QUIET_SECONDS` are over.

Three pictures that show the same to a fraction of a pixel are enough where nothing is left that could move a die: all
dice of the set lie flat in sight and can be read for certain, none of them leans, is missing or has left the tray, and
no hand was near. A die that stands on its edge for a moment leans, and one that rolls out of view is missing.
"""

from __future__ import annotations

from referee.dice import DieSet
from vision.motion import FRAME_JITTER_SECONDS
from vision.motion_burst import MotionBurst
from vision.observations import Observation, Posture, TrackedDie
from vision.stillness import StillRun

STILL_SECONDS = 0.1
"""How long nothing may have moved by a fraction of a pixel: a die that tips over moves thirteen times as far in this
time, as sqrt(0.94 edge / gravity) is 39 ms for an edge of 16 mm."""
STILL_PICTURES = 3
"""In how many pictures at least: so many that one which a camera sends twice does not make a table still."""
DRAFT_PICTURES = 2
"""After so many pictures that show the same the table is read, while the time goes on."""
HAND_SECONDS = 0.3
"""A hand that was in sight so shortly before the first still picture may not have let go of all dice."""


def may_be_read(still: StillRun | None) -> bool:
    """True if it is worth the time to read the table, which may soon have settled."""
    return still is not None and still.pictures >= DRAFT_PICTURES


def is_still(still: StillRun) -> bool:
    """True if the pictures have shown the same for long enough."""
    return still.pictures >= STILL_PICTURES and still.seconds >= STILL_SECONDS - FRAME_JITTER_SECONDS


def is_beyond_doubt(observation: Observation, burst: MotionBurst, since: float, dice: DieSet | None) -> bool:
    """True if a throw that was read while the table has been still `since` then (seconds) will lie as it was read.

    `dice` are those that should lie there; without them it is not known whether all are in sight.
    """
    was_seen = burst.unseen is None and not burst.afresh and not burst.hand_since(since - HAND_SECONDS)
    is_complete = dice is not None and len(observation.dice) == sum(count for _, count in dice.counts)
    is_doubted = bool(observation.doubts or observation.departures)
    return was_seen and is_complete and not is_doubted and all(map(_lies_for_certain, observation.dice))


def _lies_for_certain(die: TrackedDie) -> bool:
    reading = die.reading
    return reading.accepted and reading.sighting.posture is Posture.FLAT and die.handled is None
