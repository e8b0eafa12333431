"""Migrate the tables of an older hall: one step for each version, in order, each in a file of its own.

A step is plain SQL for PostgreSQL. It names the tables as they were then and imports nothing from the program, so that
it never changes. All steps run in the transaction in which the hall's database is opened: completely or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy.engine import Connection

from vander.extras.hall.migrations.hall_migration_to_version_2 import find_games_by_beginning

HALL_STEPS: Mapping[int, Callable[[Connection], None]] = {2: find_games_by_beginning}
"""The step that makes each version of a hall's tables from the one before."""


def hall_steps(since: int, wanted: int) -> tuple[Callable[[Connection], None], ...]:
    """Return the steps from one version to a later one, in order."""
    return tuple(HALL_STEPS[version] for version in range(since + 1, wanted + 1))
