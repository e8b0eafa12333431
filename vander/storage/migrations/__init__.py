"""How the tables of an older Vander become today's: one step for each version, in order, each in a file of its own.

A step is plain SQL that SQLite and PostgreSQL both know. It speaks of the tables as they were then and takes nothing
from today's program, so that it does the same for as long as there are journals that old. Alembic would bring a
second table of versions, a template engine and scripts to run it by, for branches that one journal a home never has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy.engine import Connection

from vander.storage.migrations.version_2 import mark_doubted_clocks

STEPS: Mapping[int, Callable[[Connection], None]] = {2: mark_doubted_clocks}
"""What makes each version out of the one before it."""


def steps(since: int, wanted: int) -> tuple[Callable[[Connection], None], ...]:
    """The steps from one version to a later one, in order."""
    return tuple(STEPS[version] for version in range(since + 1, wanted + 1))
