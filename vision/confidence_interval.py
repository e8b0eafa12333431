"""Confidence intervals of counted shares."""

from __future__ import annotations

import math

Z95 = 1.959964
"""Standard deviations on each side that hold 95 % of a normal distribution."""


def wilson_interval(part: int, whole: int) -> tuple[float, float]:
    """Return the 95 % score interval (Wilson 1927) of the share `part` of `whole`, 0 to 1; (0, 1) if `whole` is 0."""
    if whole == 0:
        return 0.0, 1.0
    share, z2 = min(part / whole, 1.0), Z95 * Z95
    middle = share + z2 / (2 * whole)
    spread = Z95 * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole * whole))
    low, high = ((middle + side * spread) / (1 + z2 / whole) for side in (-1, 1))
    return max(0.0, min(low, share)), min(1.0, max(high, share))  # rounding must not exclude the share itself
