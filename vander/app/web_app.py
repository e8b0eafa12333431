"""The web application: pages, JSON API and live events over the services of the running program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from flask import Blueprint, Flask, url_for
from flask_compress import Compress
from werkzeug.routing import Rule

from vander.app.backends import Backends
from vander.app.routes import (
    access_routes,
    caller_routes,
    camera_routes,
    game_routes,
    hall_link_routes,
    history_routes,
    learning_routes,
    page_routes,
    simulator_routes,
)
from web import events
from web.endpoints import HTML, JSON, MANIFEST, SCRIPT, SVG, secure
from web.languages import speak
from web.static_files import register_page_scripts, serve_static_files

# Addresses of the application, of which only those that are built are compiled for building


class LazyRule(Rule):
    """A rule of the application that compiles what builds its addresses when the first of them is built.

    Werkzeug compiles two Python functions for each rule when the rule is bound, which is most of the work of making the
    application. `url_for` needs the functions of a few rules; a request is matched to its rule without them.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        @cache
        def compiled() -> Callable[..., tuple[str, str]]:
            return super(LazyRule, self)._compile_builder(append_unknown)

        def build(rule: Rule, /, **values: object) -> tuple[str, str]:
            return compiled()(rule, **values)

        return build


class LazyFlask(Flask):
    """A Flask application whose rules are `LazyRule`."""

    url_rule_class = LazyRule


# Compression of pages and JSON; the files of the pages are compressed by `web/static_files.py`, once


def compress_answers(app: Flask) -> None:
    """Compress text answers of 500 bytes and more with gzip.

    Live events, pictures and films are sent as they are: an event may not wait in a buffer, and the others have formats
    that compress. gzip alone, since browsers offer nothing better to a table that they reach over plain HTTP.
    """
    app.config.update(
        COMPRESS_ALGORITHM=["gzip"],
        COMPRESS_MIMETYPES=[HTML, JSON, MANIFEST, SCRIPT, SVG],
        COMPRESS_MIN_SIZE=500,
        COMPRESS_STREAMS=False,
    )
    Compress(app)


# The web application: pages, JSON API and live events over the services of the running program


BLUEPRINTS = (
    page_routes.blueprint,
    page_routes.app_blueprint,
    page_routes.first_run_blueprint,
    game_routes.blueprint,
    game_routes.question_blueprint,
    page_routes.overlay_blueprint,
    page_routes.rules_blueprint,
    history_routes.fair_play_blueprint,
    events.blueprint,
    history_routes.challenge_blueprint,
    history_routes.player_blueprint,
    history_routes.fairness_blueprint,
    history_routes.blueprint,
    hall_link_routes.blueprint,
    access_routes.https_blueprint,
    simulator_routes.blueprint,
    camera_routes.tray_corners_blueprint,
    learning_routes.blueprint,
    access_routes.diagnostics_blueprint,
    access_routes.blueprint,
    camera_routes.phone_camera_blueprint,
    camera_routes.blueprint,
    caller_routes.blueprint,
    page_routes.openapi_blueprint,
)
"""The routes of a table."""


def create_app(backends: Backends, *, heartbeat_s: float = 10.0, stream_s: float = 300.0, streams: int = 24) -> Flask:
    """Return the application of a table over these services.

    A live stream holds one thread of the server: give the server more threads than `streams` and `events.OWN_STREAMS`.
    A stream ends after `stream_s` seconds, after which the page reconnects; an idle stream sends a comment every
    `heartbeat_s` seconds.
    """
    return new_app(backends, BLUEPRINTS, events.Streams(streams, heartbeat_s, stream_s), home="pages.table")


def new_app(
    backends: Backends, blueprints: Iterable[Blueprint], streams: events.Streams, *, home: str, at_hall: bool = False
) -> Flask:
    """Return an application with these routes; `home` is the endpoint of its first page."""
    app = LazyFlask("web")  # whose folder holds the templates
    app.view_functions["static"] = page_routes.static_file
    app.extensions["backends"] = backends
    app.extensions["streams"] = streams
    app.jinja_env.globals["home"] = lambda: url_for(home)
    app.jinja_env.globals["at_hall"] = at_hall
    serve_static_files(app)
    secure(app)
    speak(app)
    compress_answers(app)
    register_page_scripts(app)
    for blueprint in blueprints:
        app.register_blueprint(blueprint)
    return app
