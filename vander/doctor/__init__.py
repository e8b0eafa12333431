"""`vander doctor`: check what works on the box, what does not, and say what helps.

A check is a subject, which makes findings, and a function; an error in it is a finding too. It changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from referee.phrases import as_sentence
from referee.sentences import say
from web.schemas.access_schemas import Finding, Verdict

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CheckSubject:
    """What a check is about: its name in the API, and its title on the page."""

    name: str
    title: str

    def good(self, told: str, advice: str = "") -> Finding:
        return Finding(self.name, self.title, Verdict.GOOD, told, advice)

    def unsure(self, told: str, advice: str) -> Finding:
        """Return a finding that something works less well than it could, or cannot be checked."""
        return Finding(self.name, self.title, Verdict.UNSURE, told, advice)

    def bad(self, told: str, advice: str, *, acceptable: bool = False) -> Finding:
        """Return a finding that keeps Vander from working, now or soon, or that lost something."""
        return Finding(self.name, self.title, Verdict.BAD, told, advice, acceptable)


@dataclass(frozen=True)
class HealthCheck:
    """A subject, and the function that checks it."""

    subject: CheckSubject
    run: Callable[[], Finding]


def run_checks(checks: Iterable[HealthCheck]) -> tuple[Finding, ...]:
    """Return the findings in the order of the checks. A check that raises gives an UNSURE finding."""
    return tuple(_run_one(check) for check in checks)


def _run_one(check: HealthCheck) -> Finding:
    try:
        return check.run()
    except Exception as error:
        log.exception("doctor: check %s: failed", check.subject.name)
        why = " ".join(str(error).split()) or type(error).__name__
        return check.subject.unsure(
            say("This check failed ({error}): {why}", error=type(error).__name__, why=as_sentence(why)),
            say("Check again; if it keeps failing, make a support bundle."),
        )
