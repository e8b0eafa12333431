"""Alerts about the box: its supply, heat, disk, clock and journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["power", "heat", "disk", "clock", "journal"]


@dataclass(frozen=True)
class HealthAlert:
    """Something that is wrong with the box now, in one or two sentences for people: what it is, and what helps."""

    kind: Kind
    sentence: str
