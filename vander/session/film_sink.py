"""What the session hands on with each ruling that the camera saw, so that a film of it is kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from vander.storage.film_file import FilmDie, FilmTimes


@dataclass(frozen=True)
class FilmedRuling:
    """What was read for a ruling or a breach.

    name: of the picture of its entry. entry_at: when the entry was made, in ISO 8601. dice: as they lie. lay: as they
    lay at the ruling before. crops: JPEG pictures of the dice, by number.
    """

    name: str
    entry_at: str
    dice: tuple[FilmDie, ...] = ()
    lay: tuple[FilmDie, ...] = ()
    departures: tuple[FilmTimes, ...] = ()
    crops: Mapping[int, bytes] = field(default_factory=dict)


class FilmSink(Protocol):
    """Who keeps films of rulings."""

    @property
    def trouble(self) -> str:
        """Return why the last film could not be kept; '' when it was."""

    def keep(self, ruling: FilmedRuling) -> None:
        """Keep the film of a ruling that was made just now. Called under the session's lock; returns at once."""

    def ask(self, questions: Collection[int]) -> None:
        """Hold the film of what questions of those numbers are about, which were asked just now, until the next ones.

        Called under the session's lock; returns at once.
        """

    def asked(self, question: int) -> bytes:
        """Return the film of what a question is about; b"" where there is none. Any thread may call."""


class NoFilms:
    """Keep no films."""

    trouble = ""

    def keep(self, ruling: FilmedRuling) -> None:
        """Do nothing."""

    def ask(self, questions: Collection[int]) -> None:
        """Do nothing."""

    def asked(self, question: int) -> bytes:
        """Return b""."""
        return b""
