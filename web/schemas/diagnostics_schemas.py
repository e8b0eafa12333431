"""JSON of diagnostics: what was found out about the box, the sharpness of the picture, the support bundle."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar, TypeAlias

from referee.dice import FaceName, Zone
from web.schemas.response_model import Count, RequestModel, YesNo, rounded

Place: TypeAlias = tuple[tuple[float, float], ...]
"""The corners of a place in a picture, (x, y) in fractions of its width and height; none for no place."""


class Verdict(StrEnum):
    """How good a part of the box is."""

    GOOD = "good"
    UNSURE = "unsure"
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    """The result of checking one part of the box."""

    name: str
    """A word for programs, such as `power`."""
    title: str
    verdict: Verdict
    told: str
    """A sentence about what was found."""
    advice: str = ""
    """A sentence about what helps; '' where nothing is wrong."""
    acceptable: bool = False
    """True if a keeper may accept it with `POST /api/doctor/accept`, so that it is said no more."""
    measured: str = ""
    """A sentence with the figures behind it; '' where there are none."""
    place: Place = ()
    """Where it is in the camera's picture."""


@dataclass(frozen=True)
class SeenMarker:
    """A marker in the picture."""

    number: Count
    """The marker's id."""
    corners: Place
    verdict: Verdict
    """How sharp its edges are."""


@dataclass(frozen=True)
class SeenZone:
    """A zone of the tray in the picture."""

    name: Zone
    corners: Place


@dataclass(frozen=True)
class DieInSight:
    """A die in the picture."""

    corners: Place
    """Those of its top face."""
    face: FaceName
    accepted: bool
    """False if a person would be asked."""


@dataclass(frozen=True)
class TraySight:
    """What the picture shows now, for whoever sets up the camera."""

    findings: tuple[Finding, ...]
    """What is wrong, worst first; none of them BAD where a game can begin."""
    markers: tuple[SeenMarker, ...] = ()
    """The markers in sight."""
    zones: tuple[SeenZone, ...] = ()
    """The zones; none where the tray is not found."""
    dice: tuple[DieInSight, ...] = ()
    """The dice as last read."""
    sharpness: Annotated[float, rounded(3)] = 0.0
    """0..1: the more the sharper, for a person who turns the lens."""
    shown: Place = ()
    """The corners of what others than keepers are shown; none where the tray is not found."""
    is_tapped: bool = False
    """True if the tray is known by tapped corners, and not by markers."""


@dataclass(frozen=True)
class FindingsResponse:
    """All findings, in the order of the page."""

    findings: tuple[Finding, ...]


class SupportBundleRequest(RequestModel):
    """Whether the support bundle may hold the last pictures of the tray."""

    example: ClassVar = {"pictures": False}

    pictures: YesNo
