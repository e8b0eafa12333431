"""`vander play`: the table, the watch and the tablet's server, put together."""

from __future__ import annotations

import errno
import logging
import signal
from contextlib import ExitStack, closing
from http import HTTPStatus
from types import FrameType
from typing import Protocol

from flask import Flask, Response, request
from waitress.server import create_server  # type: ignore[import-untyped]  # it ships no types

from assistant import opened
from assistant.box.heart import Heart
from assistant.settings import Settings
from assistant.storage import Evidence
from assistant.table import Table
from assistant.teaching.attention import LENT, Attention
from assistant.teaching.certificate import Checker
from assistant.teaching.play import PlayKeeper
from assistant.teaching.school import Beside, School
from assistant.watch import Watch
from hardware.button import Button
from hardware.cameras import open_camera
from referee.dice import DieSet
from vision.eye import Eye
from vision.frames import Camera
from web.app import create_app
from web.desk import TrayHands

STREAMS = 24
"""So many tablets may listen; each holds a thread of the server."""
THREADS = STREAMS + 8


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


class SetOut(Protocol):
    """A virtual tray, as far as its dice are put out."""

    @property
    def die_set(self) -> DieSet:
        """The dice that are out."""

    def has(self, die_set: str) -> bool:
        """Whether it has the dice of that set."""

    def set_out(self, die_set: str) -> None:
        """Put out the dice of another set."""


def play(settings: Settings) -> None:
    """Serve until Ctrl+C or SIGTERM. Raises what hinders a start: each error's message is one sentence."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s: %(message)s")
    heart = Heart.from_environment()
    with ExitStack() as at_the_end:
        at_the_end.callback(heart.stopping)
        journal = at_the_end.enter_context(closing(opened.journal(settings)))
        models = opened.Models.load()
        rooms = opened.rooms(settings, models)
        at_the_end.callback(rooms.certificates.close)
        ready = opened.ready_dice(settings)
        camera = open_camera(camera_name(settings, ready.name))
        keeper = PlayKeeper(rooms.collection, rooms.choices, lambda: school.model(table.dice.name))
        table = Table(
            journal,
            Evidence(settings.data_dir / "evidence"),
            games=opened.games(settings),
            dice=ready,
            camera=settings.camera,
            bay=settings.bay,
            pause_s=settings.pause_s,
            known=rooms.shelf,
            keeper=keeper,
            checker=Checker(rooms.certificates, rooms.choices),
        )
        school = School(
            rooms,
            models.reader,
            models.space,
            Beside(
                lambda on: table.lend(LENT if on else ""), lambda: table.in_play, lambda: keeper.trouble, keeper.thin
            ),
        )
        app = create_app(table, hands(camera), teaching=school, checks=table, streams=STREAMS)
        app.after_request(lambda response: _felt(heart, response))
        server = at_the_end.enter_context(closing(serve(settings, app)))
        live = not settings.camera.startswith("replay:")

        def open_eye(dice: DieSet) -> Eye:
            if settings.camera == "virtual":  # one that was told its dice keeps them
                put_out(dice, camera)
            return models.eye(dice, opened.layout(settings), live=live, reader=school.reads())

        keeper.start()
        at_the_end.callback(keeper.stop)
        if settings.button_pin:
            at_the_end.enter_context(closing(Button(settings.button_pin, school.press)))
        _run(Watch(camera, Attention(table, school), open_eye, heart), server, settings, heart)


def camera_name(settings: Settings, dice: str) -> str:
    """The camera's name; the virtual tray puts out the dice that lie ready unless it is told others."""
    return f"virtual:{dice}" if settings.camera == "virtual" else settings.camera


def put_out(dice: DieSet, camera: Camera) -> None:
    """On a virtual tray, put out the dice that are wanted now, if it has them; those that are out stay as they lie."""
    tray: SetOut | None = getattr(camera, "tray", None)
    if tray is not None and tray.die_set != dice and tray.has(dice.name):
        tray.set_out(dice.name)


def hands(camera: Camera) -> TrayHands | None:
    """The hands for the virtual tray's page, where there is a virtual tray."""
    found: TrayHands | None = getattr(camera, "tray", None)
    return found


def serve(settings: Settings, app: Flask) -> Server:
    """A server that has its port and waits for `run`. Raises PortTaken."""
    try:
        server: Server = create_server(
            app, host=settings.host, port=settings.port, threads=THREADS, send_bytes=1, ident="vander"
        )
    except OSError as error:
        raise PortTaken(_why(settings, error)) from error
    return server


def _why(settings: Settings, error: OSError) -> str:
    place = f"{settings.host}:{settings.port}"
    if error.errno == errno.EADDRINUSE:
        return f"{place} is taken by another program; choose another port with --port or VANDER_PORT"
    return f"cannot serve on {place}: {error.strerror or error}"


def _felt(heart: Heart, response: Response) -> Response:
    """Let the heart feel whatever somebody decided on a tablet."""
    if request.method == "POST" and response.status_code < HTTPStatus.BAD_REQUEST:
        heart.tapped()
    return response


def _run(watch: Watch, server: Server, settings: Settings, heart: Heart) -> None:
    for asked in (signal.SIGINT, signal.SIGTERM):  # a shell starts its background jobs deaf to the first
        signal.signal(asked, _leave)
    watch.start()
    try:
        heart.ready(f"Vander is ready at http://{settings.host}:{settings.port}")
        print(f"Vander is ready at http://{settings.host}:{settings.port}", flush=True)
        server.run()
    finally:
        watch.stop()


def _leave(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
