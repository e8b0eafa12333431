"""How a die lies, as finder and reader decide it together: only a die that both call flat is flat."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.observations import Posture

POSTURES = (Posture.FLAT, Posture.COCKED, Posture.STACKED)
"""The order of the networks' posture outputs."""

FLAT_FROM = 0.5
"""The reader calls a die flat if its probability for that exceeds this."""


def most_likely_posture(scores: npt.NDArray[np.float32]) -> Posture:
    """Return the posture with the highest of three scores, in the order of POSTURES."""
    return POSTURES[int(np.argmax(scores))]


def agreed_posture(found: Posture, flat_probability: float) -> Posture:
    """Combine the finder's posture with the reader's probability (0 to 1) that the die lies flat.

    The finder sees the die's surroundings and so decides between COCKED and STACKED; where it says FLAT and the reader
    does not, the die is COCKED.
    """
    return Posture.COCKED if found is Posture.FLAT and not flat_probability > FLAT_FROM else found
