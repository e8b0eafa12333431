"""The one exception for a request that the program turns down: a sentence, a reason, and the rule behind it."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why a request is refused, in words of no transport; `web.errors` maps each to an HTTP status."""

    INVALID = "invalid"  # the request makes no sense, whatever the state
    NOT_ALLOWED = "not allowed"  # the sender may not do this
    NOT_FOUND = "not found"  # what the request names does not exist
    CONFLICT = "conflict"  # the request makes sense, but not now; `rule` names the rule that forbids it
    GONE = "gone"  # what the request names existed, and was deleted
    TOO_SOON = "too soon"  # the sender must wait
    UNAVAILABLE = "unavailable"  # something that the request needs is broken or full


class Refused(ValueError):
    """A request is refused and nothing changed. The message is one sentence for the person who asked.

    `sentence` is the message as it was given, which `str` of an exception would make a plain text in English.
    `rule` is the number of the game's rule that forbids it, '' where no rule of a game is concerned. `wait_s` says in
    how many seconds the same request may succeed, None where a wait alone does not help.
    """

    def __init__(
        self, sentence: str, reason: Reason = Reason.INVALID, rule: str = "", *, wait_s: float | None = None
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.reason = reason
        self.rule = rule
        self.wait_s = wait_s
