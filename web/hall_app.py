"""The web application of a hall: what tables send, pages of all tables, and the API for a club's own programs."""

from __future__ import annotations

from flask import Flask

from web import events
from web.app import LazyFlask, prepare_app
from web.routes import access_routes, hall_routes, page_routes, season_routes, tournament_routes
from web.services.backends import Backends

HALL_BLUEPRINTS = (
    hall_routes.hall_player_blueprint,
    hall_routes.blueprint,
    hall_routes.hall_table_blueprint,
    hall_routes.hall_wire_blueprint,
    hall_routes.waiting_blueprint,
    season_routes.blueprint,
    tournament_routes.blueprint,
    season_routes.club_blueprint,
    access_routes.blueprint,
    page_routes.app_blueprint,
    access_routes.https_blueprint,
    page_routes.openapi_blueprint,
)
"""The routes of the hall."""


def create_hall_app(
    backends: Backends, *, heartbeat_s: float = 10.0, stream_s: float = 300.0, streams: int = 100
) -> Flask:
    """Return the application of a hall over these services, among which `hall` is there and `game` is None."""
    app = LazyFlask(__name__)
    app.view_functions["static"] = page_routes.static_file
    prepare_app(app, backends, home="hall_tables.all_tables_page")
    app.extensions["streams"] = events.Streams(streams, heartbeat_s, stream_s)
    for blueprint in HALL_BLUEPRINTS:
        app.register_blueprint(blueprint)
    return app
