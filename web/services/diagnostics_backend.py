"""What the diagnostics page needs of the running program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from web.schemas.diagnostics_schemas import Finding, TraySight


class DiagnosticsBackend(Protocol):
    """Checks of the box. Any thread may call any method."""

    def findings(self) -> Sequence[Finding]:
        """Return what is right and wrong with the box now, in the order of the page."""

    def accept_missing_games(self) -> Sequence[Finding]:
        """Let the journal go on without the games that it lacks, and return what is found then. Raises Refused."""

    def sight(self) -> TraySight:
        """Return what the camera's picture shows now and what is wrong; quick enough for two calls a second."""

    def pack(self, pictures: bool) -> bytes:
        """Return a zip for a person who helps: logs, settings and findings, without secrets.

        The last pictures of the tray are in it where `pictures` allows them.
        """
