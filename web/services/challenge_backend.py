"""What the pages need of the running program to challenge a past throw. Any thread may call any method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from referee.journal import NOBODY, Actor
from web.schemas.challenge_schemas import BeforeAfterResponse, ChallengeResponse, PastThrowsResponse, WhatIfResponse


class ChallengeBackend(Protocol):
    """Past throws of the game, with their films. Refusals are `Refused`.

    `faces` are the faces that dice of the throw are said to show, by their places. `action` is the throw as the page
    shows it, '' for any.
    """

    def throws(self) -> PastThrowsResponse:
        """Return the throws that stand, newest first; none without a game."""

    def sheet(self, entry: int) -> ChallengeResponse:
        """Return what was kept of a throw."""

    def what_if(self, entry: int, action: str, faces: Mapping[int, str]) -> WhatIfResponse:
        """Return what would follow."""

    def challenge(  # noqa: PLR0913, PLR0917  # what people decided, and of what
        self, entry: int, action: str, faces: Mapping[int, str], verdict: str, step: str = "", by: Actor = NOBODY
    ) -> None:
        """Take what people decided: `stands`, `correct`, or `take-back` for what could not have been."""

    def breach(self, name: str) -> BeforeAfterResponse:
        """Return the table before and after a breach, by the name of its picture."""

    def film(self, name: str) -> bytes:
        """Return the file of a film."""

    def film_picture(self, name: str, number: int) -> bytes:
        """Return a JPEG of a film, counted from 0."""

    def film_crop(self, name: str, number: int) -> bytes:
        """Return the JPEG of a die as it was ruled on, by its number."""
