"""Refusals of the learning service, as errors of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from referee.sentences import Refused


class LearningRefused(ValueError):
    """The learning service refused a request; the message is its sentence."""


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """Raise LearningRefused for each Refused."""
    try:
        yield
    except Refused as refused:
        raise LearningRefused(str(refused)) from None
