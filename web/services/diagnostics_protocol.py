"""What the doctor's page needs of the running program: what is well with the box, what is not, and what helps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Verdict(StrEnum):
    """How it stands with one thing of the box."""

    GOOD = "good"
    UNSURE = "unsure"
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: its name (`power`), its title, the verdict, what was found, and what helps.

    `told` and `advice` are sentences; `advice` is '' where all is well.
    """

    name: str
    title: str
    verdict: Verdict
    told: str
    advice: str = ""


@dataclass(frozen=True)
class SeenMarker:
    """A marker in the picture: its id, its corners as fractions of the picture (x, y), and how sharp its edges are."""

    number: int
    corners: tuple[tuple[float, float], ...]
    verdict: Verdict


@dataclass(frozen=True)
class Focus:
    """How sharp the picture is now, for whoever turns the lens.

    `share` is 0 to 1, and the more the sharper; `told` is a sentence; `markers` are those in sight.
    """

    verdict: Verdict
    told: str
    share: float
    markers: tuple[SeenMarker, ...] = ()


class DiagnosticsBackend(Protocol):
    """Who examines the box. Every method may be called from any thread."""

    def findings(self) -> Sequence[Finding]:
        """What is found now, in the order of the page."""

    def focus(self) -> Focus:
        """How sharp the picture is now; quick enough to be asked twice a second."""

    def pack(self, pictures: bool) -> bytes:
        """A zip for whoever helps: logs, settings and findings, without secrets; the last pictures where allowed."""
