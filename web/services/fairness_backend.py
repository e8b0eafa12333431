"""What the page of the dice test needs of the running program. Any thread may call any method."""

from __future__ import annotations

from typing import Protocol

from web.schemas.fairness_schemas import CheckedThrowsResponse, FairnessOverview, FairnessResponse


class FairnessBackend(Protocol):
    """The test of the dice by what was read of them in ended games. Refusals are `Refused`."""

    def overview(self) -> FairnessOverview:
        """Return the die sets that can be tested, and what the test rests on."""

    def finding(self, die_set: str) -> FairnessResponse:
        """Return the test of a die set. Raises Refused (NOT_FOUND)."""

    def checked_throws(self, before: int, *, only_wrong: bool) -> CheckedThrowsResponse:
        """Return throws that people checked, the newest first: below a number, 0 for all, or those read wrong."""
