"""The tablet as a Flask application, put together from its rooms."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flask import Flask

from web import events, security
from web.routes import (
    access_routes,
    diagnostics_routes,
    game_routes,
    learning_routes,
    openapi_routes,
    page_routes,
    simulator_routes,
)
from web.services.access_protocol import Chosen, Door
from web.services.diagnostics_protocol import Doctor
from web.services.game_protocol import Desk, TrayHands
from web.services.learning_protocol import Checks, Teaching


def create_app(  # noqa: PLR0913 - what the tablet shows, who may see it, and the measures of its live line
    desk: Desk,
    tray: TrayHands | None = None,
    *,
    teaching: Teaching | None = None,
    checks: Checks | None = None,
    doctor: Doctor | None = None,
    door: Door | None = None,
    power_off: Callable[[], None] | None = None,
    chosen: Sequence[Chosen] = (),
    heartbeat_s: float = 10.0,
    stream_s: float = 300.0,
    streams: int = 24,
) -> Flask:
    """The tablet over a desk, with the virtual tray's page where there are hands for one.

    The pages of the dice come with a teacher's desk, and the table's own questions about a throw with `checks`.
    Without a door everybody is the keeper. `power_off` shuts the box down and raises OSError, with one sentence as
    its message, where it cannot; `chosen` are the settings that the box's page shows.

    A live stream holds one thread of the server: give the server more threads than `streams`. A stream ends by
    itself after `stream_s` seconds (the page reconnects), and says so much as a comment every `heartbeat_s`.
    """
    app = Flask(__name__)
    app.extensions["desk"] = desk
    app.extensions["tray"] = tray
    app.extensions["teaching"] = teaching
    app.extensions["checks"] = checks
    app.extensions["doctor"] = doctor
    app.extensions["door"] = door
    app.extensions["power_off"] = power_off
    app.extensions["chosen"] = tuple(chosen)
    app.extensions["streams"] = events.Streams(streams, heartbeat_s, stream_s)
    security.guard(app)
    rooms = (
        page_routes,
        game_routes,
        events,
        simulator_routes,
        learning_routes,
        diagnostics_routes,
        access_routes,
        openapi_routes,
    )
    for each in rooms:
        app.register_blueprint(each.room)
    return app
