"""Wait in tests for what must happen: an idle machine needs a fraction of a second, a busy one many."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 120.0


def wait_until(is_so: Callable[[], object], said: str | Callable[[], str] = "it did not happen") -> None:
    """Wait until something is so; what is `said` then stands in the failure."""
    ends = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < ends, said if isinstance(said, str) else said()
        time.sleep(0.01)
