"""`vander hall`: serve a hall over its database until Ctrl+C or SIGTERM."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial

from flask import Flask

from referee.sentences import Reason
from vander.access import PairingService
from vander.access.https import HttpsService, open_https
from vander.access.page_addresses import announce, announce_secure, open_pairing, own_url, page_urls
from vander.box.web_server import bind, open_secure_port
from vander.extras.hall.hall_events import HallFollower
from vander.extras.hall.hall_schema import open_hall_engine
from vander.extras.hall.hall_service import NO_ANSWER, NO_DATABASE, HallService
from vander.extras.hall.live_tables import HallTableService, follow_hints
from vander.extras.hall.season import SeasonService
from vander.extras.hall.tournament_follower import TournamentFollower
from vander.extras.hall.tournament_service import TournamentService
from vander.extras.webhooks.delivery import DeliveryQueue
from vander.extras.webhooks.receivers import WebhookReceiver
from vander.extras.webhooks.webhook_service import open_webhooks
from vander.storage.settings import Settings, describe_settings
from web.endpoints import refuse_for
from web.hall_app import create_hall_app
from web.services.access_backend import ListedSetting
from web.services.backends import Backends

HALL_STREAMS = 100
"""How many screens, tablets and phones may listen for events; each holds a thread of the server."""
HALL_PORT = 8090
LOCAL_DATABASE = "postgresql:///vander_hall"
"""The database on this machine that PostgreSQL lets the user in by the name of the system's account."""


def serve_hall(settings: Settings) -> None:
    """Serve until Ctrl+C or SIGTERM a hall whose data folder is held. Raises what prevents a start, in one sentence."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")
    with ExitStack() as on_exit:
        engine = open_hall_engine(settings.database or LOCAL_DATABASE)
        on_exit.callback(engine.dispose)
        pairing = on_exit.enter_context(closing(open_pairing(settings)))
        https = open_https(settings)
        hall = HallService(engine)
        tournaments = on_exit.enter_context(follow_tournaments(hall))
        start_webhooks(settings, hall, on_exit)
        tables = HallTableService(hall)
        app = build_hall_app(settings, hall, pairing, https, tournaments, tables)
        on_exit.enter_context(follow_hints(settings.mqtt, engine, tables.live))
        server = on_exit.enter_context(closing(bind(settings, app, streams=HALL_STREAMS)))
        secure = https.urls() if https is not None and open_secure_port(server, settings, https) else ()
        announce(own_url(settings), page_urls(settings))
        if secure:
            announce_secure(secure, own_url(settings))
        server.run()


@contextmanager
def follow_tournaments(hall: HallService) -> Iterator[TournamentService]:
    """Yield the tournaments of a hall, which follow the games of its tables until the end."""
    service = TournamentService(hall.engine, hall.tell_change)
    hall.invitation_for = service.invitation_for
    follower = TournamentFollower(hall.engine, service)
    hall.listen(follower.listener)
    follower.start()
    with closing(follower):
        yield service


def start_webhooks(settings: Settings, hall: HallService, on_exit: ExitStack) -> None:
    """Tell other programs what happens in the hall, as far as `webhooks.toml` of its data folder names any."""

    def follow(queue: DeliveryQueue, receivers: Sequence[WebhookReceiver], put: Callable[[], None]) -> HallFollower:
        follower = HallFollower(hall.engine, queue, receivers, put)
        hall.listen(follower.listener)
        return follower

    webhooks = open_webhooks(settings.data_dir, follow)
    if webhooks is not None:
        webhooks.start()
        on_exit.callback(webhooks.close)


def build_hall_app(  # noqa: PLR0913, PLR0917  # what is there besides the tables
    settings: Settings,
    hall: HallService,
    pairing: PairingService | None,
    https: HttpsService | None = None,
    tournaments: TournamentService | None = None,
    tables: HallTableService | None = None,
) -> Flask:
    """Return the web application of a hall."""
    app = create_hall_app(
        Backends(
            None,
            access=pairing,
            settings=tuple(ListedSetting(*row) for row in describe_settings(settings)),
            page_urls=partial(page_urls, settings),
            https=https,
            hall=hall,
            season=SeasonService(hall.engine),
            tournaments=tournaments,
            hall_tables=tables or HallTableService(hall),
        ),
        streams=HALL_STREAMS,
    )
    for error in NO_ANSWER:
        refuse_for(app, error, Reason.UNAVAILABLE, NO_DATABASE)
    return app
