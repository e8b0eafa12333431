"""JSON of diagnostics: what was found out about the box, the sharpness of the picture, the support bundle."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from web.schemas.request_model import RequestModel, YesNo
from web.schemas.response_model import Count, ResponseModel, rounded


class Verdict(StrEnum):
    """How good a part of the box is."""

    GOOD = "good"
    UNSURE = "unsure"
    BAD = "bad"


@dataclass(frozen=True)
class Finding(ResponseModel):
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


@dataclass(frozen=True)
class SeenMarker(ResponseModel):
    """A marker in the picture."""

    number: Count
    """The marker's id."""
    corners: tuple[tuple[float, float], ...]
    """(x, y) in fractions of the picture's width and height."""
    verdict: Verdict
    """How sharp its edges are."""


@dataclass(frozen=True)
class Focus(ResponseModel):
    """How sharp the picture is now, for a person who turns the lens."""

    verdict: Verdict
    told: str
    share: Annotated[float, rounded(3)]
    """0..1: the more the sharper."""
    markers: tuple[SeenMarker, ...] = ()
    """The markers in sight."""
    tray: tuple[tuple[float, float], ...] = ()
    """The corners of what others than keepers are shown, in fractions of the picture; none without all markers."""


@dataclass(frozen=True)
class FindingsResponse(ResponseModel):
    """All findings, in the order of the page."""

    findings: tuple[Finding, ...]


class SupportBundleRequest(RequestModel):
    """Whether the support bundle may hold the last pictures of the tray."""

    example: ClassVar = {"pictures": False}

    pictures: YesNo
