"""What the box worries about: its supply, its heat, its card, its clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["power", "heat", "disk", "clock"]


@dataclass(frozen=True)
class HealthAlert:
    """Something that is not well with the box just now, in one or two sentences: what it is, and what helps."""

    kind: Kind
    sentence: str
