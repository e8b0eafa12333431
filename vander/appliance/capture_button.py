"""The button as the shutter, while dice are shown to the school."""

from __future__ import annotations

from typing import Protocol

from referee.dice import DieSet
from referee.refused import Refused


class Shown(Protocol):
    """Whoever dice are shown to."""

    @property
    def showing(self) -> DieSet | None:
        """The dice that are being shown, None while there are none."""

    def shutter(self) -> object:
        """Take a picture now. Raises Refused."""

    def report_trouble(self, words: str) -> None:
        """Say on the page what is in the way."""


def take_picture(school: Shown) -> bool:
    """Take a picture where dice are being shown, and say whether they are.

    Raises Refused, and says so on the page, when the picture cannot be taken.
    """
    if school.showing is None:
        return False
    try:
        school.shutter()
    except Refused as refused:
        school.report_trouble(str(refused))
        raise
    return True
