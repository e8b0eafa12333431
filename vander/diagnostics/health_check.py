"""What is looked at: a subject, which makes findings, and the look itself, which may stumble but never raises."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from referee.text import as_sentence
from web.schemas.diagnostics_schemas import Finding, Verdict

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CheckSubject:
    """One thing that is looked at: its name, and its title on the page."""

    name: str
    title: str

    def good(self, told: str, advice: str = "") -> Finding:
        """All is well."""
        return Finding(self.name, self.title, Verdict.GOOD, told, advice)

    def unsure(self, told: str, advice: str) -> Finding:
        """It goes, but not as well as it could, or nobody can say."""
        return Finding(self.name, self.title, Verdict.UNSURE, told, advice)

    def bad(self, told: str, advice: str) -> Finding:
        """Vander cannot do its work like that, or soon cannot."""
        return Finding(self.name, self.title, Verdict.BAD, told, advice)


@dataclass(frozen=True)
class HealthCheck:
    """A subject, and how it is looked at."""

    subject: CheckSubject
    look: Callable[[], Finding]


def looked_at(checks: Iterable[HealthCheck]) -> tuple[Finding, ...]:
    """What is found, in order. A check that stumbles is a finding too."""
    return tuple(_found(check) for check in checks)


def _found(check: HealthCheck) -> Finding:
    try:
        return check.look()
    except Exception as error:
        log.exception("looking at %s stumbled", check.subject.name)
        why = " ".join(str(error).split()) or type(error).__name__
        return check.subject.unsure(
            f"Looking at this stumbled ({type(error).__name__}): {as_sentence(why)}",
            "Look again; if it goes on like this, pack a file for whoever helps.",
        )


def counted(number: int, what: str, several: str = "") -> str:
    """`1 game`, `2 games`."""
    return f"{number} {what}" if number == 1 else f"{number} {several or what + 's'}"
