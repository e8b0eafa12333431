"""`vander play`: the table, the watch, the door, the box's panel and the tablet's server, put together."""

from __future__ import annotations

import errno
import logging
import signal
from contextlib import ExitStack, closing
from functools import partial
from http import HTTPStatus
from types import FrameType
from typing import Protocol

from flask import Flask, Response, request
from waitress.server import create_server  # type: ignore[import-untyped]  # it ships no types

from hardware.system_clock import SystemClock
from vander.access import PairingService
from vander.access.pairing_console import terminal_listener
from vander.app.camera_loop import CameraLoop
from vander.app.composition import Composition, lay
from vander.appliance.button_actions import take_picture
from vander.appliance.health_monitor import HealthMonitor
from vander.appliance.panel import open_panel
from vander.appliance.power_off import power_off
from vander.appliance.systemd_watchdog import SystemdWatchdog
from vander.backup import finish_restore
from vander.diagnostics.diagnostics_service import DiagnosticsService, RunningState
from vander.diagnostics.log_tail import LogTail
from vander.storage import instance_lock
from vander.storage.settings import Settings, describe_settings
from web import Backends, create_app
from web.schemas.access_schemas import ListedSetting
from web.services.diagnostics_protocol import DiagnosticsBackend

STREAMS = 24
"""So many tablets may listen; each holds a thread of the server."""
THREADS = STREAMS + 8
LARGEST_HEARD = 1 << 20
"""Bytes of a request that the server takes in at all. The pages turn down far smaller ones, with a sentence."""


class PortTaken(OSError):
    """The address to serve on cannot be had."""

    def __str__(self) -> str:
        return str(self.args[0])


class Server(Protocol):
    """A server that has its port."""

    def run(self) -> None:
        """Serve until a signal ends the program."""

    def close(self) -> None:
        """Let the port go."""


def play(settings: Settings) -> None:
    """Serve until Ctrl+C or SIGTERM. Raises what hinders a start: each error's message is one sentence."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")
    lines = LogTail()
    logging.getLogger().addHandler(lines)
    heart = SystemdWatchdog.from_environment()
    with ExitStack() as at_the_end:
        at_the_end.enter_context(instance_lock.hold(settings.data_dir, address(settings)))
        finish_restore(settings.data_dir)
        laid = lay(settings, at_the_end)
        door = at_the_end.enter_context(closing(doorkeeper(settings)))
        caretaker = HealthMonitor(
            laid.table, laid.evidence, settings.data_dir, settings.spare_mb, SystemClock(laid.journal.newest())
        )
        caretaker.start()
        at_the_end.callback(caretaker.stop)
        watch = CameraLoop(laid.camera, laid.attention, laid.pipeline, heart)
        app = tablet(laid, door, DiagnosticsService(settings, watched(laid, watch, caretaker), lines))
        app.after_request(partial(_felt, heart))
        server = at_the_end.enter_context(closing(serve(settings, app)))
        laid.keeper.start()
        at_the_end.callback(laid.keeper.stop)
        shown = open_panel(settings, laid.table, partial(take_picture, laid.school), power_off)
        shown.start()
        at_the_end.callback(shown.close)
        door.listen(shown.show_code)
        _run(watch, server, heart, address(settings))


def address(settings: Settings) -> str:
    """Where the settings have Vander served, as a link."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{settings.port}"


def doorkeeper(settings: Settings) -> PairingService:
    """Who lets tablets in, by the settings; a code is also said where a person sits at the terminal."""
    door = PairingService(settings.data_dir, trust_local=settings.trust_local, names=settings.names.split(","))
    door.listen(terminal_listener())
    return door


def watched(laid: Composition, watch: CameraLoop, caretaker: HealthMonitor) -> RunningState:
    """What the doctor is told while Vander runs; that the tray is lent is no trouble of the camera."""

    def trouble() -> str:
        now = laid.table.snapshot()
        return "" if now.lent else now.camera_trouble

    return RunningState(
        frame=lambda: watch.pixels,
        trouble=trouble,
        notes=lambda: laid.camera.notes,
        alerts=lambda: caretaker.alerts,
    )


def tablet(laid: Composition, door: PairingService, doctor: DiagnosticsBackend) -> Flask:
    """The tablet's pages over a table that is laid."""
    return create_app(
        Backends(
            game=laid.table,
            simulator=laid.hands,
            learning=laid.school,
            throw_checks=laid.table,
            diagnostics=doctor,
            access=door,
            power_off=power_off,
            settings=tuple(ListedSetting(*row) for row in describe_settings(laid.settings)),
        ),
        streams=STREAMS,
    )


def serve(settings: Settings, app: Flask) -> Server:
    """A server that has its port and waits for `run`. Raises PortTaken."""
    try:
        server: Server = create_server(
            app,
            host=settings.host,
            port=settings.port,
            threads=THREADS,
            send_bytes=1,
            ident="vander",
            max_request_body_size=LARGEST_HEARD,
            clear_untrusted_proxy_headers=False,  # the door must see that somebody's request was sent on
        )
    except OSError as error:
        raise PortTaken(_why(settings, error)) from error
    return server


def _why(settings: Settings, error: OSError) -> str:
    place = f"{settings.host}:{settings.port}"
    if error.errno == errno.EADDRINUSE:
        return f"{place} is taken by another program; choose another port with --port or VANDER_PORT"
    return f"cannot serve on {place}: {error.strerror or error}"


def _felt(heart: SystemdWatchdog, response: Response) -> Response:
    """Let the heart feel whatever somebody decided on a tablet."""
    if request.method == "POST" and response.status_code < HTTPStatus.BAD_REQUEST:
        heart.tapped()
    return response


def _run(watch: CameraLoop, server: Server, heart: SystemdWatchdog, place: str) -> None:
    for asked in (signal.SIGINT, signal.SIGTERM):  # a shell starts its background jobs deaf to the first
        signal.signal(asked, _leave)
    watch.start()
    try:
        heart.ready(f"Vander is ready at {place}")
        print(f"Vander is ready at {place}", flush=True)
        server.run()
    finally:
        heart.stopping()
        watch.stop()


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
