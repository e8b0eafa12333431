"""Migrate the tables of an older Vander: one step for each version, in order, each in a file of its own.

A step is plain SQL for SQLite and PostgreSQL. It names the tables as they were then and imports nothing from the
program, so that it never changes. Alembic was not used: it needs a second table of versions, a template engine and
scripts, for branches that a single journal never has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy.engine import Connection

from vander.storage.migrations.migration_to_version_2 import mark_doubted_clocks
from vander.storage.migrations.migration_to_version_3 import name_actors
from vander.storage.migrations.migration_to_version_4 import type_remarks
from vander.storage.migrations.migration_to_version_5 import remember_players
from vander.storage.migrations.migration_to_version_6 import keep_results
from vander.storage.migrations.migration_to_version_7 import let_games_stand_open
from vander.storage.migrations.migration_to_version_8 import keep_feats
from vander.storage.migrations.migration_to_version_9 import keep_careers
from vander.storage.migrations.migration_to_version_10 import keep_misreadings
from vander.storage.migrations.migration_to_version_11 import keep_outbox

STEPS: Mapping[int, Callable[[Connection], None]] = {
    2: mark_doubted_clocks,
    3: name_actors,
    4: type_remarks,
    5: remember_players,
    6: keep_results,
    7: let_games_stand_open,
    8: keep_feats,
    9: keep_careers,
    10: keep_misreadings,
    11: keep_outbox,
}
"""The step that makes each version from the one before."""


def steps(since: int, wanted: int) -> tuple[Callable[[Connection], None], ...]:
    """Return the steps from one version to a later one, in order."""
    return tuple(STEPS[version] for version in range(since + 1, wanted + 1))
