"""What the diagnostics page needs of the running program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from web.schemas.diagnostics_schemas import Finding, Focus, SeenMarker, Verdict

__all__ = ["DiagnosticsBackend", "Finding", "Focus", "SeenMarker", "Verdict"]


class DiagnosticsBackend(Protocol):
    """Who examines the box. Every method may be called from any thread."""

    def findings(self) -> Sequence[Finding]:
        """What is found now, in the order of the page."""

    def focus(self) -> Focus:
        """How sharp the picture is now; quick enough to be asked twice a second."""

    def pack(self, pictures: bool) -> bytes:
        """A zip for whoever helps: logs, settings and findings, without secrets; the last pictures where allowed."""
