"""`vander play`: start the camera loop, the health monitor, the panel and the web server, and stop them at the end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial

from flask import Flask

from hardware.cameras.base import Camera, CameraReport
from hardware.mat import mat_bytes
from hardware.system_health import SystemClock
from referee.sentences import Reason
from vander.access import PairingService
from vander.access.page_addresses import announce, announce_secure, open_pairing, own_url, page_urls
from vander.app import extras
from vander.app.backends import Backends
from vander.app.camera_loop import CameraLoop
from vander.app.cameras import CameraChooser
from vander.app.composition import Composition, KnownFaces, compose, keep_tray, restore_tray
from vander.app.phone_camera_service import PhoneCameraService
from vander.app.tray_corners_service import TrayCornersService
from vander.app.web_app import create_app
from vander.box.health_monitor import HealthMonitor, SystemdWatchdog, power_off
from vander.box.panel import open_panel, take_picture
from vander.box.web_server import PageServer, SecurePage, bind, exit_on_signals
from vander.doctor.health_checks import DiagnosticsService, RunningState
from vander.doctor.support_bundle import LogTail
from vander.extras.players.player_service import PlayerService, SeatedPlayers
from vander.extras.voice.box_caller import BoxCallerSwitch
from vander.extras.voice.family_voices import FamilyVoices
from vander.extras.webhooks.delivery import renaming_with
from vander.resources import models_and_stores
from vander.storage import data_folder
from vander.storage.camera_file import with_chosen_camera
from vander.storage.data_folder import BrokenJournal
from vander.storage.settings import Settings, describe_settings
from vision.frames import Frame
from web.endpoints import refuse_for
from web.schemas.access_schemas import ListedSetting

STREAMS = 24
"""How many tablets may listen for events; each holds a thread of the server."""


def play(settings: Settings, camera: str | None = None) -> None:
    """Serve until Ctrl+C or SIGTERM, with the camera that the command line names, if it does.

    Raises what prevents a start, each error with one sentence.
    """
    log_tail = _start_log()
    watchdog = SystemdWatchdog.from_environment()
    with ExitStack() as on_exit:
        on_exit.enter_context(data_folder.hold(settings.data_dir, own_url(settings)))
        parts = compose(with_chosen_camera(settings, camera), on_exit)
        pairing = on_exit.enter_context(closing(open_pairing(settings)))
        monitor = _start_health_monitor(parts, on_exit)
        https = SecurePage(settings)
        cameras = on_exit.enter_context(closing(open_cameras(parts, settings, camera, https)))
        diagnostics = DiagnosticsService(settings, running_state(parts, monitor), log_tail)
        app = build_app(parts, pairing, diagnostics, cameras, https)
        server = on_exit.enter_context(closing(bind(settings, app, STREAMS)))
        https.serve(server)
        parts.recorder.start()
        on_exit.callback(parts.recorder.stop)
        parts.learner.start()
        on_exit.callback(parts.learner.stop)
        parts.films.start()
        on_exit.callback(parts.films.stop)
        restore_tray(parts.shelf.tray, settings.data_dir)
        on_exit.callback(keep_tray, parts.shelf.tray, settings.data_dir)
        _start_panel(parts, pairing, on_exit)
        for extra in extras.EXTRAS:
            extra.start(parts, on_exit)
        _serve(parts, server, watchdog, https)


def _start_log() -> LogTail:
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a line for each request that waits for a thread
    log_tail = LogTail()
    logging.getLogger().addHandler(log_tail)
    return log_tail


def _start_health_monitor(parts: Composition, on_exit: ExitStack) -> HealthMonitor:
    settings, clock = parts.settings, SystemClock(parts.journal.newest())

    def missing() -> str:
        return parts.journal.missing.alert

    monitor = HealthMonitor(parts.session, parts.evidence, settings.data_dir, settings.spare_mb, clock, journal=missing)
    monitor.start()
    on_exit.callback(monitor.stop)
    return monitor


def _start_panel(parts: Composition, pairing: PairingService, on_exit: ExitStack) -> None:
    panel = open_panel(
        parts.settings,
        parts.session,
        shutter=partial(take_picture, parts.learning),
        pairing=pairing.on_button,
        shutdown=power_off,
    )
    panel.start()
    on_exit.callback(panel.close)
    pairing.listen(panel.show_code)


def running_state(parts: Composition, monitor: HealthMonitor) -> RunningState:
    """Return what the doctor reads of the running program; a tray that is lent is no trouble of the camera."""

    def trouble() -> str:
        now = parts.session.snapshot()
        return "" if now.lent else now.camera_trouble

    switch = parts.switch
    return RunningState(
        camera=lambda: switch.name,
        frame=lambda: switch.pixels,
        dice=lambda: switch.dice,
        trouble=trouble,
        notes=lambda: switch.camera.notes,
        alerts=lambda: monitor.alerts,
        accept_missing=parts.journal.accept_missing,
        extras=extras.checks(parts.settings, parts),
        secrets=lambda: extras.secrets(parts.settings.data_dir),
        is_steady=lambda: switch.camera.is_steady,
    )


def open_cameras(
    parts: Composition, settings: Settings, named: str | None = None, https: SecurePage | None = None
) -> CameraChooser:
    """Return the choice of the camera; `settings` are those without a choice, `named` as on the command line."""
    return CameraChooser(
        settings,
        parts.switch,
        parts.shelf,
        parts.cameras,
        named=named,
        use=parts.session.use_camera,
        trouble=lambda: parts.session.snapshot().camera_trouble,
        let_phones_in=https.let_phones_in if https is not None else lambda: None,
    )


def build_app(
    parts: Composition,
    pairing: PairingService,
    diagnostics: DiagnosticsService,
    cameras: CameraChooser,
    https: SecurePage | None = None,
) -> Flask:
    """Return the web application over the opened parts; the session goes by the seats of the paired phones."""
    switch = parts.switch
    phone = PhoneCameraService(
        parts.shelf.phone,
        switch,
        lambda: models_and_stores.tray_layout(parts.settings_now),
        is_wanted=lambda: cameras.wants_phone,
        on_picture=cameras.phone_came,
    )
    corners = TrayCornersService(lambda: parts.settings_now, parts.session.use_tray, lambda: switch.pixels, phone)
    parts.session.follow_seat_rules(pairing.seat_rules)
    app = create_app(
        Backends(
            game=parts.session,
            cameras=cameras,
            simulator=parts.shelf.tray,
            learning=parts.learning,
            throw_checks=parts.session,
            diagnostics=diagnostics,
            access=pairing,
            power_off=power_off,
            settings=tuple(ListedSetting(*row) for row in describe_settings(parts.settings)),
            face_pictures=KnownFaces(parts.session, parts.stores.samples),
            stage=parts.stage,
            challenges=parts.challenges,
            players=open_players(parts, pairing),
            history=parts.statistics,
            fairness=parts.fairness,
            page_urls=partial(page_urls, parts.settings),
            https=https,
            is_new=lambda: not parts.journal.games(),
            mat=mat_bytes,
            phone_camera=phone,
            tray_corners=corners,
            caller=FamilyVoices(parts.settings.data_dir),
            hall_link=parts.hall_link,
            box_caller=BoxCallerSwitch(parts.stores.preferences, parts.settings),
        ),
        streams=STREAMS,
    )
    refuse_for(app, BrokenJournal, Reason.UNAVAILABLE)
    return app


def open_players(parts: Composition, pairing: PairingService) -> PlayerService:
    """Return the service of the remembered players, which knows who sits at the table and whose phone is whose."""

    def at_table() -> tuple[str, ...]:
        state = parts.session.snapshot().state
        return tuple(player.name for player in state.players) if state else ()

    folder = parts.settings.data_dir
    return PlayerService(
        parts.journal,
        folder,
        seated=SeatedPlayers(at_table, parts.session.standing_still),
        renaming=renaming_with(pairing.renaming_player, folder),
    )


def _serve(parts: Composition, server: PageServer, watchdog: SystemdWatchdog, https: SecurePage) -> None:
    exit_on_signals()
    settings, router = parts.settings, parts.frame_router

    def make_loop(camera: Camera, first: Frame | None, on_failure: Callable[[CameraReport], None]) -> CameraLoop:
        return CameraLoop(camera, router, parts.pipeline, watchdog, first, on_failure)

    parts.switch.start(make_loop)
    try:
        watchdog.ready(announce(own_url(settings), page_urls(settings)))
        if secure := https.urls():
            announce_secure(secure, own_url(settings))
        server.run()
    finally:
        watchdog.stopping()
        parts.switch.stop()
