"""`vander hall`: serve a hall over its database, to try it with a PostgreSQL and a Mosquitto of its own."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from socket import AF_INET, SOCK_STREAM, socket

import psutil  # type: ignore[import-untyped]  # it ships no types
from flask import Flask

from referee.sentences import Reason
from vander.access import PairingService
from vander.access.https import HttpsService, open_https
from vander.access.page_addresses import announce, announce_secure, open_pairing, own_url, page_urls
from vander.app.routes import access_routes, page_routes
from vander.app.web_app import new_app
from vander.box.web_server import bind, open_secure_port
from vander.extras.webhooks.delivery import DeliveryQueue
from vander.extras.webhooks.receivers import WebhookReceiver
from vander.extras.webhooks.webhook_service import open_webhooks
from vander.hall import hall_routes, tournament_routes
from vander.hall.hall_events import HallFollower
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_schema import open_hall_engine
from vander.hall.hall_service import NO_ANSWER, NO_DATABASE, HallService
from vander.hall.live_tables import HallTableService, follow_hints
from vander.hall.season import SeasonService
from vander.hall.tournament_follower import TournamentFollower
from vander.hall.tournament_service import TournamentService
from vander.storage.settings import Settings, describe_settings
from web import events
from web.endpoints import refuse_for
from web.schemas.access_schemas import ListedSetting

# PostgreSQL and Mosquitto of one's own in a folder, for trying the hall: nothing of the system's is touched
#
# PostgreSQL refuses to run as root; where that is who asks, it runs as the user `postgres` that Debian's package makes.


POSTGRES_USER = "postgres"
READY_S = 60.0
"""How long a service may take until it answers: a busy machine is slow at a first start."""
DATABASE = "vander_hall"
OWN_FOLDERS = 1
"""How many folders above that of a service belong to it: the one that all services share."""


class NoLocalService(RuntimeError):
    """PostgreSQL or Mosquitto is not installed, or does not start. The message is one sentence."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class _Run:
    """As whom a service runs: None for the user who asks."""

    user: str | None

    def call(self, *words: str | Path) -> None:
        """Run a program to its end. Raises NoLocalService with the last line that it said."""
        done = subprocess.run(  # noqa: S603 - programs of Debian's packages, by their path
            list(map(str, words)),
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            user=self.user,
            group=self.user,
            extra_groups=None if self.user is None else [],
        )
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise NoLocalService(f"{Path(words[0]).name} failed: {said[-1] if said else done.returncode}")


class LocalPostgres:
    """A PostgreSQL of one's own in a folder, on a free port of the loopback.

    One that is not `durable` waits for no disk: what it wrote may be lost with the machine.
    """

    def __init__(self, folder: Path, port: int = 0, *, durable: bool = True) -> None:
        self._folder, self._port, self._durable = folder.absolute(), port or free_port(), durable
        self._run = _Run(POSTGRES_USER if os.geteuid() == 0 else None)
        self._programs = find_postgres()

    @property
    def address(self) -> str:
        """The address of the hall's database."""
        return f"postgresql://vander@127.0.0.1:{self._port}/{DATABASE}"

    def start(self) -> None:
        """Start it, and make the database where there is none. Raises NoLocalService."""
        cluster = self._folder / "cluster"
        if not (cluster / "PG_VERSION").exists():
            self._make(cluster)
        elif (cluster / "postmaster.pid").exists():
            self._stop_left_one()
        settings = f"-p {self._port} -k {self._folder} -c listen_addresses=127.0.0.1"
        if not self._durable:
            settings += " -c fsync=off -c full_page_writes=off"
        log = self._folder / "postgres.log"
        self._run.call(
            self._programs / "pg_ctl", "-D", cluster, "-o", settings, "-l", log, "-w", "-t", str(int(READY_S)), "start"
        )
        self._make_database()

    def stop(self, how: str = "fast") -> None:
        """Stop it: `fast`, or `immediate` as a pulled plug does. Raises NoLocalService."""
        self._run.call(self._programs / "pg_ctl", "-D", self._folder / "cluster", "-m", how, "-w", "stop")

    def _stop_left_one(self) -> None:
        """Stop a server that a killed program left running; there may be none any more."""
        with suppress(NoLocalService):
            self.stop()

    def _make(self, cluster: Path) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._run.user is not None:
            shutil.chown(self._folder, self._run.user, self._run.user)
            _let_pass(self._folder)
        options = ("-U", "vander", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8", "--no-instructions", "--no-sync")
        self._run.call(self._programs / "initdb", "-D", cluster, *options)

    def _make_database(self) -> None:
        where = ("-h", "127.0.0.1", "-p", str(self._port), "-U", "vander")
        try:
            self._run.call(self._programs / "createdb", *where, DATABASE)
        except NoLocalService as error:
            if "already exists" not in str(error):
                raise


class LocalMosquitto:
    """A Mosquitto of one's own on a free port of the loopback, without passwords."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self._folder, self.port = folder.absolute(), port or free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """The broker's address, as the setting VANDER_MQTT has it."""
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it. Raises NoLocalService."""
        program = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if program is None:
            raise NoLocalService("Mosquitto is not installed; on Debian: apt install mosquitto")
        self._folder.mkdir(parents=True, exist_ok=True)
        settings = self._folder / "mosquitto.conf"
        settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n", "utf-8")
        _stop_left_one(settings)
        with (self._folder / "mosquitto.log").open("ab") as log:
            self._process = subprocess.Popen([program, "-c", str(settings)], stdout=log, stderr=log)  # noqa: S603
        _wait_for_port(self.port, "Mosquitto")

    def stop(self) -> None:
        """Stop it; harmless when it does not run."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(READY_S)
            self._process = None


def find_postgres() -> Path:
    """Return the folder of PostgreSQL's programs, of the newest version. Raises NoLocalService."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    if not found and on_path is None:
        raise NoLocalService("PostgreSQL is not installed; on Debian: apt install postgresql")
    return found[-1].parent if found else Path(str(on_path)).parent


def free_port() -> int:
    """Return a port of the loopback that nobody uses now."""
    with socket(AF_INET, SOCK_STREAM) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _let_pass(folder: Path) -> None:
    """Let PostgreSQL's user pass through the folder of the services, and no other. Raises NoLocalService."""
    for place, above in enumerate(folder.parents):
        mode = above.stat().st_mode
        if mode & 0o001:
            continue
        if place >= OWN_FOLDERS:
            raise NoLocalService(
                f"PostgreSQL runs as the user {POSTGRES_USER} here, which may not pass through {above}; "
                "choose another --data-dir, such as /var/tmp/vander-hall"
            )
        above.chmod(mode | 0o011)


def _stop_left_one(settings: Path) -> None:
    """Stop a Mosquitto that a killed program left running with these settings."""
    for process in psutil.process_iter(["name", "cmdline"]):
        if process.info["name"] == "mosquitto" and str(settings) in (process.info["cmdline"] or ()):
            with suppress(psutil.Error):
                process.terminate()
                process.wait(READY_S)


def _wait_for_port(port: int, name: str) -> None:
    until = time.monotonic() + READY_S
    while time.monotonic() < until:
        with socket(AF_INET, SOCK_STREAM) as line:
            if line.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise NoLocalService(f"{name} does not answer")


# `vander hall`: serve a hall over its database until Ctrl+C or SIGTERM


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
    app = create_hall_app(
        HallBackends(
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


# The web application of a hall: what tables send, pages of all tables, and the API for a club's own programs


HALL_BLUEPRINTS = (
    hall_routes.hall_player_blueprint,
    hall_routes.blueprint,
    hall_routes.hall_table_blueprint,
    hall_routes.hall_wire_blueprint,
    hall_routes.waiting_blueprint,
    hall_routes.season_blueprint,
    tournament_routes.blueprint,
    hall_routes.club_blueprint,
    access_routes.blueprint,
    page_routes.app_blueprint,
    access_routes.https_blueprint,
    page_routes.openapi_blueprint,
)
"""The routes of the hall."""


def create_hall_app(
    backends: HallBackends, *, heartbeat_s: float = 10.0, stream_s: float = 300.0, streams: int = 100
) -> Flask:
    """Return the application of a hall over these services, among which `hall` is there."""
    found = events.Streams(streams, heartbeat_s, stream_s)
    return new_app(backends, HALL_BLUEPRINTS, found, home="hall_tables.all_tables_page", at_hall=True)
