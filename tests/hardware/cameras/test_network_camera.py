"""Cameras in the network: real servers on loopback, what goes wrong with one, and no password in any sentence."""

from __future__ import annotations

import base64
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import psutil
import pytest
from network_servers import (
    free_port,
    held_open,
    http,
    jpeg,
    mjpeg_server,
    rtsp_server,
    stream,
    talking,
)

from hardware.cameras import open_camera
from hardware.cameras.base import Camera, CameraAddress, CameraError, CameraLost, NoSuchCamera
from hardware.cameras.camera_process import CameraProcess
from hardware.cameras.network_camera import MOST_BEHIND_S, MOST_BYTES, NetworkCamera, StreamDelay, parts
from referee.sentences import Sentence, in_language
from vision.frames import Frame
from web.languages import translations


@pytest.fixture(autouse=True)
def _options_of_its_own_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take back what a stream sets for the process that it has to itself: after it, FFmpeg opens no files."""
    for name in ("OPENCV_FFMPEG_CAPTURE_OPTIONS", "OPENCV_FFMPEG_LOGLEVEL"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
        monkeypatch.delenv(name)


OPENING_S = 1.5
SECRET = "gehe1m"  # noqa: S105 - it is never to be seen


def at(port: int, path: str = "/video", who: str = "", scheme: str = "http") -> NetworkCamera:
    return NetworkCamera(CameraAddress.parse(f"{scheme}://{who}127.0.0.1:{port}{path}"), OPENING_S)


@contextmanager
def opened(camera: Camera) -> Iterator[Camera]:
    camera.open()
    try:
        yield camera
    finally:
        camera.close()


def why_not(camera: Camera) -> str:
    """Open a camera that cannot be opened; return its sentence."""
    with pytest.raises(NoSuchCamera) as raised:
        camera.open()
    camera.close()
    assert isinstance(raised.value.args[0], Sentence)  # so that it is said in German too
    return str(raised.value)


# Real servers


def test_a_stream_of_jpegs_is_read_and_one_that_stops_is_noticed_and_comes_back() -> None:
    port = free_port()
    camera = open_camera(f"url:http://127.0.0.1:{port}/video")
    assert isinstance(camera, CameraProcess)
    with mjpeg_server(port) as server, opened(camera):
        frames = [camera.frame(2.0) for _ in range(5)]
        assert frames[-1] is not None
        assert frames[-1].pixels.shape == (240, 320, 3)
        assert [frame.number for frame in frames if frame] == sorted({frame.number for frame in frames if frame})
        server.send_signal(signal.SIGSTOP)
        assert until_lost(camera) > 1.9
        process = camera.process
        camera.close()
        assert not psutil.pid_exists(process or 0)
    with mjpeg_server(port), opened(camera):
        assert camera.frame(2.0) is not None


def until_lost(camera: Camera) -> float:
    """Read until the camera is lost; return the seconds since its last frame."""
    while True:
        asked_at = time.monotonic()
        try:
            camera.frame(2.0)
        except CameraLost:
            return time.monotonic() - asked_at


def test_an_rtsp_stream_with_a_password_is_read_and_its_reader_is_ended_while_it_hangs() -> None:
    with rtsp_server("--password", f"ann:{SECRET}") as (port, server):
        camera = open_camera(f"rtsp://ann:{SECRET}@127.0.0.1:{port}/tray")
        assert isinstance(camera, CameraProcess)
        with opened(camera):
            frame = camera.frame(2.0)
            assert frame is not None
            assert (frame.pixels.shape, frame.may_repeat) == ((240, 320, 3), True)
            child = psutil.Process(camera.process)
            assert SECRET not in " ".join(child.cmdline())
            server.send_signal(signal.SIGSTOP)
            until_lost(camera)
            camera.close()
            assert not child.is_running()
            server.send_signal(signal.SIGCONT)
            camera.open()  # it comes back
            assert camera.frame(2.0) is not None


def test_an_rtsp_server_says_why_there_is_no_picture() -> None:
    with rtsp_server("--password", f"ann:{SECRET}") as (port, _):
        assert "wants a name and a password" in why_not(at(port, "/tray", scheme="rtsp"))
        told = why_not(at(port, "/tray", f"ann:{SECRET}x@", "rtsp"))
    assert told == f"The camera rtsp://127.0.0.1:{port} refuses the name and the password in its address."
    assert "Nobody answers" in why_not(at(port, "/tray", f"ann:{SECRET}@", "rtsp"))


def test_a_path_without_a_picture_is_named() -> None:
    with rtsp_server() as (port, _):
        assert "no picture at that path" in why_not(at(port, "/cellar", scheme="rtsp"))


# What a camera may answer


def grey_of(frame: Frame | None) -> float:
    """Return how light a picture of one grey is, 0 to 255."""
    assert frame is not None
    return float(frame.pixels[:, :20].mean())


def test_a_single_picture_is_asked_for_again_and_again() -> None:
    answers = [http("200 OK", "Content-Type: image/jpeg", body=jpeg(grey)) for grey in (10, 60, 110, 160)]
    with talking(*answers) as port, opened(at(port, "/shot.jpg")) as camera:
        while grey_of(camera.frame()) < 150:  # on a busy machine the camera is ahead of who looks at its pictures
            pass


@pytest.mark.parametrize(("boundary", "length"), [("frame", True), ("--frame", False), ("frame", False)])
def test_parts_are_found_with_and_without_their_length_and_however_many_dashes(boundary: str, length: bool) -> None:
    answer = stream(jpeg(10), jpeg(70), boundary=boundary, length=length)
    with talking(answer) as port:
        camera = at(port)
        camera.open()
        assert camera.frame(1.0).number in (1, 2)
        camera.close()


@pytest.mark.parametrize("gap", [b"", b"\n", b"\r\n"])
def test_a_boundary_straight_after_a_picture_ends_it(gap: bytes) -> None:
    begin, end = b"\xff\xd8\n", b"\xff\xd9"
    pictures = [
        jpeg(10),
        jpeg(70),
        *(begin + blank + end + fill for blank in (b" \t", b"\r") for fill in (b"", b"\0\0")),
    ]
    sent = b"".join(b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + picture + gap for picture in pictures)
    assert [*parts(BytesIO(sent + b"--frame\r\n"), "frame")] == pictures


def test_a_camera_is_given_its_newest_picture_and_none_from_a_buffer() -> None:
    def answer(connection: socket.socket, asked: bytes) -> None:
        stream(*(jpeg(grey) for grey in range(0, 100, 5)), jpeg(150), jpeg(200))(connection, asked)
        time.sleep(2)

    with talking(answer) as port, opened(at(port)) as camera:
        time.sleep(0.5)
        seen = [grey_of(camera.frame())]
        while seen[-1] < 180:  # some pictures are still to come on a busy machine
            seen.append(grey_of(camera.frame()))
        assert len(seen) < 10
        with pytest.raises(CameraLost, match=r"gave no picture for 0\.1 s"):
            camera.frame(0.1)


def moved(port: int) -> Callable[[socket.socket, bytes], None]:
    return http("302 Found", f"Location: http://127.0.0.1:{port}/")


def test_a_redirection_is_followed_and_one_round_in_a_circle_is_named() -> None:
    with talking(stream(jpeg(), jpeg(), jpeg())) as there, talking(moved(there)) as here, opened(at(here)) as camera:
        assert camera.frame() is not None
    with talking(http("302 Found", "Location: /video")) as port:
        assert "sends from one address to the next" in why_not(at(port))


def wants(user: str, password: str) -> Callable[[socket.socket, bytes], None]:
    """Answer a picture to whoever knows the password, 401 to others."""
    right = b"Basic " + base64.b64encode(f"{user}:{password}".encode())

    def answer(connection: socket.socket, asked: bytes) -> None:
        if right in asked:
            held_open(stream(jpeg(), jpeg()))(connection, asked)
        else:
            http("401 Unauthorized", 'WWW-Authenticate: Basic realm="tray"')(connection, asked)

    return answer


def test_a_password_opens_a_camera_and_is_sent_to_no_other_host() -> None:
    asked_there: list[bytes] = []

    def elsewhere(connection: socket.socket, asked: bytes) -> None:
        asked_there.append(asked)
        http("401 Unauthorized", 'WWW-Authenticate: Basic realm="tray"')(connection, asked)

    with talking(wants("ann", SECRET)) as port, opened(at(port, who=f"ann:{SECRET}@")) as camera:
        assert camera.frame() is not None
    with talking(elsewhere) as there, talking(moved(there)) as here:
        assert "refuses the name and the password" in why_not(at(here, who=f"ann:{SECRET}@"))
    assert [b"Authorization" in asked for asked in asked_there] == [False]


BAD = {
    "wants a name and a password": http("401 Unauthorized", 'WWW-Authenticate: Basic realm="tray"'),
    "has no picture at that path": http("404 Not Found"),
    "answers with error 503": http("503 Busy"),
    "there is a page and no picture": http("200 OK", "Content-Type: text/html", body=b"<h1>IP Webcam</h1>"),
    "are too large": http(
        "200 OK",
        "Content-Type: multipart/x-mixed-replace; boundary=b",
        body=f"--b\r\nContent-Length: {MOST_BYTES + 1}\r\n\r\n".encode(),
    ),
    "is no picture, or a damaged one": held_open(stream(b"\xff\xd8\xff rubbish", jpeg()[:300])),
    "ended its stream": stream(),
    "gave no picture for": held_open(http("200 OK", "Content-Type: multipart/x-mixed-replace; boundary=b")),
    "Nobody answers": lambda connection, _: connection.close(),
}


@pytest.mark.parametrize("told", BAD)
def test_whatever_a_camera_answers_is_one_sentence_without_its_password(told: str) -> None:
    who = "" if told.startswith("wants") else f"ann:{SECRET}@"
    with talking(BAD[told]) as port:
        sentence = why_not(at(port, f"/video?pwd={SECRET}", who))
    assert told in sentence
    assert f"http://127.0.0.1:{port}" in sentence
    assert SECRET not in sentence
    assert len(sentence.split()) <= 20


@pytest.mark.parametrize("body", [b"\x00" * 100, b"not http at all\r\n\r\n", b"HTTP/1.1 two hundred\r\n\r\n"])
def test_what_is_no_http_is_one_sentence_too(body: bytes) -> None:
    with talking(lambda connection, _: connection.sendall(body)) as port:
        assert "is no picture, or a damaged one" in why_not(at(port))


def test_a_picture_of_more_pixels_than_are_read_costs_no_memory_and_is_skipped() -> None:
    bomb = jpeg(width=6000, height=5000)
    with talking(held_open(stream(bomb, bomb)), held_open(stream(bomb, jpeg()))) as port:
        assert "are too large: choose 1920 x 1080 or less" in why_not(at(port))
        with opened(at(port)) as camera:
            assert camera.frame() is not None


@pytest.mark.parametrize("kind", [".png", ".bmp", ".webp"])
def test_a_single_picture_of_another_kind_is_read_too(kind: str) -> None:
    picture = cv2.imencode(kind, np.full((48, 64, 3), 90, np.uint8))[1].tobytes()
    with talking(http("200 OK", "Content-Type: image/whatever", body=picture)) as port, opened(at(port)) as camera:
        frame = camera.frame()
    assert frame is not None
    assert frame.pixels.mean() == pytest.approx(90, abs=2)


def test_a_camera_that_stops_in_the_middle_of_a_picture_is_lost_and_comes_back() -> None:
    whole = jpeg(100, 320, 240)

    def half(connection: socket.socket, asked: bytes) -> None:
        stream(whole)(connection, asked)
        connection.sendall(f"--frame\r\nContent-Length: {len(whole)}\r\n\r\n".encode() + whole[:500])

    with talking(half, held_open(stream(whole, whole))) as port:
        camera = at(port)
        with opened(camera):
            camera.frame()
            with pytest.raises(CameraLost, match="ended its stream"):
                camera.frame(2.0)
        with opened(camera):
            assert camera.frame().pixels.shape == (240, 320, 3)


def test_a_host_that_is_not_known_is_named() -> None:
    camera = NetworkCamera(CameraAddress.parse(f"http://ann:{SECRET}@tray.invalid/video"), OPENING_S)
    assert "There is no http://tray.invalid in this network" in why_not(camera)


def test_a_camera_that_is_not_open_is_lost() -> None:
    with pytest.raises(CameraLost, match="not open"):
        at(1).frame()


# Old pictures


def test_pictures_that_wait_longer_and_longer_to_be_decoded_are_noticed() -> None:
    delay = StreamDelay()
    assert [delay.seconds(n / 25, 100 + n / 25) for n in range(1, 50)] == pytest.approx([0.0] * 49)
    late = [delay.seconds(2 + n / 25, 102 + n / 15) for n in range(50)]
    assert late == sorted(late)
    assert late[-1] > MOST_BEHIND_S


def test_a_stream_without_a_clock_or_with_one_that_jumps_is_never_behind() -> None:
    delay = StreamDelay()
    assert {delay.seconds(0.0, now) for now in range(100)} == {0.0}
    assert delay.seconds(5000.0, 101.0) == 0.0
    assert delay.seconds(3.0, 102.0) == 0.0


# Nothing leaks


PLAY = """
import logging, sys
logging.basicConfig(level=0)
sys.path[:0] = sys.argv[1:2]
from hardware.cameras import open_camera
for name in sys.argv[2:]:
    try:
        open_camera(name).open()
    except OSError as error:
        print(error)
"""


def test_the_password_is_in_no_line_that_the_processes_write() -> None:
    with ExitStack() as servers:
        ports = [servers.enter_context(talking(answer)) for answer in (http("500 No"), http("200 OK"), stream())]
        names = [f"{kind}://ann:{SECRET}@127.0.0.1:{port}/?pwd={SECRET}" for port in ports for kind in ("http", "rtsp")]
        written = subprocess.run(  # noqa: S603  our own interpreter
            [sys.executable, "-c", PLAY, str(Path(__file__).parents[3]), *names],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
            env={**os.environ, "OPENCV_LOG_LEVEL": "VERBOSE", "OPENCV_FFMPEG_DEBUG": "1"},
        )
    assert len(written.stdout.splitlines()) == len(names)
    assert SECRET not in written.stdout + written.stderr


def test_a_sentence_from_the_process_can_be_said_in_german(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(CameraError) as raised:
        open_camera(f"url:http://ann:{SECRET}@127.0.0.1:{free_port()}/").open()
    german = translations("de")
    assert german is not None
    assert in_language(raised.value.args[0], german).startswith("Unter http://127.0.0.1:")
    assert SECRET not in caplog.text


def test_a_camera_can_be_closed_while_nothing_comes() -> None:
    with talking(held_open(stream(jpeg(), jpeg()), 10)) as port, opened(at(port)) as camera:
        camera.frame()
        began = time.monotonic()
        camera.close()
        assert time.monotonic() - began < 8  # on a busy machine too, before the stream's ten seconds are over


def test_pixels_are_blue_green_red() -> None:
    red = cv2.imencode(".jpg", np.full((48, 64, 3), (10, 20, 200), np.uint8))[1].tobytes()
    with talking(held_open(stream(red, red))) as port, opened(at(port)) as camera:
        assert camera.frame().pixels.mean(axis=(0, 1)) == pytest.approx((10, 20, 200), abs=5)
