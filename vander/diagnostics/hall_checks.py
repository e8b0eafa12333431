"""The check of the table's way to its hall."""

from __future__ import annotations

from collections.abc import Callable

from referee.phrases import as_sentence
from referee.sentences import say, say_count
from vander.diagnostics.doctor_check import CheckSubject
from vander.storage.data_folder_names import HALL_FILE
from vander.storage.settings import Settings
from web.schemas.diagnostics_schemas import Finding
from web.services.hall_link_backend import JoinedHall

HALL = CheckSubject("hall", say("Hall"))
PLAYS_ON = say("Play goes on, and what waits is sent as soon as the hall takes it.")
SLOW_LINES = 20
"""From how many entries on that wait the hall lags behind: a few are on their way at any moment of play."""


def check_hall(settings: Settings, hall: Callable[[], JoinedHall | None] | None) -> Finding:
    """Check whether the table's hall takes what is sent to it; `hall` is None where nothing is sent now."""
    if hall is None:
        if (settings.data_dir / HALL_FILE).exists():
            return HALL.good(say("This table belongs to a hall; what waits is sent while Vander runs."))
        return HALL.good(say("This table belongs to no hall."))
    joined = hall()
    if joined is None:
        return HALL.good(say("This table belongs to no hall."))
    waiting = joined.status.waiting_lines
    if joined.status.trouble:
        return HALL.unsure(as_sentence(joined.status.trouble), PLAYS_ON)
    if waiting >= SLOW_LINES:
        return HALL.unsure(
            say_count("{count} entry waits for the hall.", "{count} entries wait for the hall.", waiting), PLAYS_ON
        )
    return HALL.good(say("This table is {name} in the hall at {address}.", name=joined.name, address=joined.address))
