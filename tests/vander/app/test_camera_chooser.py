"""The camera is chosen on the page: the change, what goes wrong with it, and the game that goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event

import cv2
import numpy as np
import pytest
from phone_film import PHONE, jpeg, sent
from test_camera_loop import wait_for
from true_pipeline import true_pipeline

from hardware.cameras.base import Camera, CameraLost, CameraReport, NoSuchCamera
from hardware.cameras.usb import FoundCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from referee.sentences import Reason, Refused
from referee.snapshot import TrayActivity
from tests.waiting import wait_until
from vander.app.camera_loop import CameraLoop
from vander.app.cameras import AGAIN_S, BUSY, GONE, NAMED, CameraChooser, CameraShelf, CameraSwitch
from vander.app.phone_camera_service import PhoneCameraService
from vander.storage.camera_file import CameraStore, with_chosen_camera
from vander.storage.data_folder import CAMERA_FILE, RECORDINGS_DIR
from vander.storage.settings import Settings, load
from vander.table.session import Session
from vision.frames import Frame
from vision.image_io import decode_picture
from vision.tray_calibration import TrayLayout
from web.schemas.camera_schemas import CameraKind, CamerasResponse, ListedCamera

PATIENCE_S = 60.0
SIZE = (640, 480)
WEBCAM = "usb:7"
NOISE = np.random.default_rng(1).integers(60, 200, (240, 320, 3), np.uint8)
"""A picture of no tray."""


class Webcam(Camera):
    """A webcam: `fails` is raised when it is opened, and it gives no more than `frames`; `gate` keeps it opening."""

    name = WEBCAM

    def __init__(self) -> None:
        self.fails: Exception | None = None
        self.frames, self.picture = 10**9, NOISE
        self.gate = Event()
        self.gate.set()
        self.openings = self.opened = 0

    def open(self) -> None:
        self.gate.wait(PATIENCE_S)
        if self.fails:
            raise self.fails
        self.openings += 1
        self.opened += 1
        assert self.opened == 1, "one device was opened twice"
        self._is_open = True

    _is_open = False

    def frame(self, timeout: float = 1.0) -> Frame:
        if self.frames <= 0:
            raise CameraLost("usb:7 is gone; check its cable")
        time.sleep(0.02)
        self.frames -= 1
        picture = np.roll(self.picture, self.frames, axis=1)
        return Frame(picture, 10**9 - self.frames, time.monotonic())

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self.opened -= 1


class Shelf(CameraShelf):
    """A shelf with that webcam, over a small tray."""

    def __init__(self, store: CameraStore, webcam: Webcam, name: str = "virtual") -> None:
        super().__init__(store, name, "intersection")
        self.tray = VirtualTray("intersection", seed=2, size=SIZE, mishaps=Mishaps(0.0, 0.0))
        self._webcam = webcam

    def _plain(self, name: str) -> Camera:
        return self._webcam if name == WEBCAM else super()._plain(name)


class Evening:
    """A table whose camera is chosen."""

    def __init__(self, folder: Path, session: Session, named: str | None = None) -> None:
        self.session, self.webcam, self.store = session, Webcam(), CameraStore(folder)
        self.plugged = [FoundCamera(WEBCAM, "HD Pro Webcam C920")]
        self.settings = load(data_dir=folder)
        started = with_chosen_camera(self.settings, named).camera
        self.shelf = Shelf(self.store, self.webcam, started)
        self.switch = CameraSwitch(started, self.shelf.camera(started))
        self.let_in: list[str] = []
        self.chooser = CameraChooser(
            self.settings,
            self.switch,
            self.shelf,
            self.store,
            named=named,
            use=session.use_camera,
            trouble=lambda: session.snapshot().camera_trouble,
            let_phones_in=lambda: self.let_in.append("phones"),
            find=lambda: self.plugged,
        )
        self.phone = PhoneCameraService(
            self.shelf.phone,
            self.switch,
            TrayLayout,
            late_s=0,
            is_wanted=lambda: self.chooser.wants_phone,
            on_picture=self.chooser.phone_came,
        )
        self.switch.start(self._loop)

    def _loop(self, camera: Camera, first: Frame | None, on_failure: Callable[[CameraReport], None]) -> CameraLoop:
        return CameraLoop(camera, self.session, lambda _: true_pipeline(self.shelf.tray), None, first, on_failure)

    def close(self) -> None:
        self.chooser.close()
        self.switch.stop()

    def key(self, kind: CameraKind) -> str:
        return next(each.key for each in self.chooser.cameras().cameras if each.kind is kind)

    def choose(self, kind: CameraKind) -> CamerasResponse:
        return self.chooser.choose(self.key(kind))

    def on(self) -> ListedCamera:
        (found,) = [each for each in self.chooser.cameras().cameras if each.is_on]
        return found

    def refused(self, choose: Callable[[], object]) -> Refused:
        """Return the refusal of a choice; the camera that was on goes on, and gives new pictures."""
        before = self.on()
        with pytest.raises(Refused) as caught:
            choose()
        assert (self.on().key, self.switch.name) == (before.key, self.settings.camera)
        seen = self.switch.pixels
        wait_until(lambda: self.switch.pixels is not None and self.switch.pixels is not seen)
        assert self.session.snapshot().camera_trouble == ""
        return caught.value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def evening(folder: Path, table: Session) -> Iterator[Evening]:
    found = Evening(folder, table)
    wait_for(table, lambda now: len(now.dice) == 6)
    yield found
    found.close()


@pytest.fixture
def film(folder: Path) -> Path:
    """A film of three seconds."""
    (folder / RECORDINGS_DIR).mkdir(parents=True)
    path = folder / RECORDINGS_DIR / "evening.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15, (320, 240))
    for number in range(45):
        writer.write(np.full((240, 320, 3), 40 + number % 90, np.uint8))
    writer.release()
    return path


# The list


def test_all_that_is_found_is_listed_and_the_one_in_use_is_marked(evening: Evening, film: Path) -> None:
    listed = evening.chooser.cameras()
    assert [(each.kind, each.title, each.is_on) for each in listed.cameras] == [
        (CameraKind.WEBCAM, "HD Pro Webcam C920", False),
        (CameraKind.PHONE, "A phone, or another device", False),
        (CameraKind.BROWSER, "This device's own camera", False),
        (CameraKind.FILM, film.name, False),
        (CameraKind.VIRTUAL, "The virtual tray", True),
    ]
    assert listed.recordings == str(film.parent)


def test_an_address_is_listed_by_its_host_alone(evening: Evening) -> None:
    evening.store.choose("url:http://ann:secret@10.0.0.7/video?pw=hidden", "virtual")
    listed = [each for each in evening.chooser.cameras().cameras if each.kind is CameraKind.NETWORK]
    assert [each.title for each in listed] == ["http://10.0.0.7"]
    assert "secret" not in str(listed)
    assert "hidden" not in str(listed)


def test_a_camera_that_is_not_on_shows_a_small_live_picture_and_is_closed_when_nobody_looks(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vander.app.cameras.UNSEEN_S", 0.5)
    key = evening.key(CameraKind.WEBCAM)
    assert evening.webcam.opened == 0
    wait_until(lambda: evening.chooser.picture(key) is not None)
    first = evening.chooser.picture(key)
    wait_until(lambda: evening.chooser.picture(key) != first)
    assert first is not None
    assert max(decode_picture(first).shape) <= 320
    wait_until(lambda: evening.webcam.opened == 0)
    assert evening.webcam.openings == 1


def test_the_picture_of_the_camera_in_use_is_the_loops_own(evening: Evening) -> None:
    wait_until(lambda: evening.chooser.picture(evening.key(CameraKind.VIRTUAL)) is not None)
    assert evening.webcam.openings == 0


def test_a_camera_that_gives_no_picture_says_why_on_its_tile_and_is_tried_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vander.app.cameras.AGAIN_S", 0.1)
    assert AGAIN_S > 1
    evening.webcam.fails = NoSuchCamera("no webcam answers at usb:7; plug it in")
    key = evening.key(CameraKind.WEBCAM)

    def told() -> str:
        try:
            return "picture" if evening.chooser.picture(key) else ""
        except Refused as refused:
            listed = [each.trouble for each in evening.chooser.cameras().cameras if each.key == key]
            return refused.sentence if listed == [refused.sentence] else ""

    wait_until(lambda: told() == "No webcam answers at usb:7; plug it in.")
    evening.webcam.fails = None
    wait_until(lambda: told() == "picture")


# The change


def test_a_webcam_is_on_at_a_tap_and_the_virtual_tray_again(evening: Evening) -> None:
    answer = evening.choose(CameraKind.WEBCAM)
    assert [each.kind for each in answer.cameras if each.is_on] == [CameraKind.WEBCAM]
    assert evening.session.snapshot().camera == WEBCAM
    wait_until(lambda: evening.switch.pixels is not None and evening.switch.pixels.shape == (240, 320, 3))
    evening.choose(CameraKind.VIRTUAL)
    wait_until(lambda: evening.webcam.opened == 0)
    assert evening.session.snapshot().camera == "virtual"
    wait_for(evening.session, lambda now: len(now.dice) == 6)


def test_a_camera_whose_picture_is_shown_is_taken_over_without_opening_it_again(evening: Evening) -> None:
    key = evening.key(CameraKind.WEBCAM)
    wait_until(lambda: evening.chooser.picture(key) is not None)
    evening.chooser.choose(key)
    assert (evening.webcam.openings, evening.webcam.opened) == (1, 1)


def test_a_camera_in_the_dark_is_in_use_without_a_trouble_in_the_list(evening: Evening) -> None:
    evening.webcam.picture = NOISE // 40
    evening.choose(CameraKind.WEBCAM)
    wait_for(evening.session, lambda now: "dark" in now.camera_trouble)
    assert evening.on().trouble == ""


def test_there_and_back_again_at_once_opens_no_device_twice(evening: Evening) -> None:
    for _ in range(5):
        evening.choose(CameraKind.WEBCAM)
        evening.choose(CameraKind.VIRTUAL)
    wait_until(lambda: evening.webcam.opened == 0)


def test_the_one_in_use_is_chosen_again_without_a_change(evening: Evening) -> None:
    before = evening.switch.camera
    evening.choose(CameraKind.VIRTUAL)
    assert evening.switch.camera is before


def test_a_film_is_played_and_from_its_beginning_when_it_is_over(evening: Evening, film: Path) -> None:
    evening.choose(CameraKind.FILM)
    assert evening.on().title == film.name
    wait_for(evening.session, lambda now: "over" in now.camera_trouble)
    wait_until(lambda: evening.switch.is_over)
    evening.choose(CameraKind.FILM)
    assert not evening.switch.is_over
    assert evening.session.snapshot().camera_trouble == ""
    evening.choose(CameraKind.VIRTUAL)
    wait_for(evening.session, lambda now: len(now.dice) == 6)


def test_a_game_is_kept_through_the_change_and_nothing_is_called_a_breach(evening: Evening, film: Path) -> None:
    session = evening.session
    session.start("intersection", ["Ann"], {})
    evening.shelf.tray.throw([1, 2, 3, 4, 5, 6])
    rolled = wait_for(session, lambda now: bool(now.last) and now.tray is TrayActivity.AT_REST)
    for kind in (CameraKind.FILM, CameraKind.VIRTUAL):
        evening.choose(kind)
        assert session.snapshot().state == rolled.state
    seen = wait_for(session, lambda now: len(now.dice) == 6 and now.tray is TrayActivity.AT_REST)
    assert (seen.last, seen.questions, seen.mood) == (rolled.last, (), rolled.mood)
    assert film.exists()


def test_while_a_question_is_open_the_camera_stays(evening: Evening) -> None:
    refusing = Refused("Answer the open question first: Is that a star?", Reason.CONFLICT)

    def use(camera: str, layout: TrayLayout) -> None:
        raise refusing

    evening.chooser._use = use
    refused = evening.refused(lambda: evening.choose(CameraKind.WEBCAM))
    assert (refused.sentence, refused.reason) == (refusing.sentence, Reason.CONFLICT)
    assert evening.webcam.opened == 0
    assert not (evening.settings.data_dir / CAMERA_FILE).exists()


# What goes wrong


def test_a_camera_that_does_not_open_is_one_sentence_and_the_old_one_goes_on(evening: Evening) -> None:
    evening.webcam.fails = NoSuchCamera("no webcam answers at usb:7; plug it in")
    refused = evening.refused(lambda: evening.choose(CameraKind.WEBCAM))
    assert (refused.sentence, refused.reason) == ("No webcam answers at usb:7; plug it in.", Reason.UNAVAILABLE)


def test_a_driver_that_fails_as_nobody_expected_is_one_sentence_too(evening: Evening) -> None:
    evening.webcam.fails = ZeroDivisionError("in the driver")
    assert "fails while Vander looks" in evening.refused(lambda: evening.choose(CameraKind.WEBCAM)).sentence


def test_a_camera_that_vanishes_before_its_first_frame_is_one_sentence(evening: Evening) -> None:
    evening.webcam.frames = 0
    refused = evening.refused(lambda: evening.choose(CameraKind.WEBCAM))
    assert refused.sentence == "Usb:7 is gone; check its cable."
    assert evening.webcam.opened == 0


def test_a_camera_that_vanishes_from_the_list_is_one_sentence(evening: Evening) -> None:
    key = evening.key(CameraKind.WEBCAM)
    evening.plugged.clear()
    refused = evening.refused(lambda: evening.chooser.choose(key))
    assert (refused.sentence, refused.reason) == (GONE, Reason.NOT_FOUND)


def test_a_camera_that_vanishes_as_soon_as_it_is_on_gives_way_to_the_one_before(evening: Evening, folder: Path) -> None:
    evening.webcam.frames = 10
    evening.choose(CameraKind.WEBCAM)
    wait_until(lambda: evening.switch.name == "virtual")
    wait_until(lambda: evening.chooser.cameras().told != "")
    assert evening.chooser.cameras().told == "Usb:7 is gone; check its cable. The camera before is on again."
    wait_for(evening.session, lambda now: len(now.dice) == 6 and not now.camera_trouble)
    assert with_chosen_camera(load(data_dir=folder)).camera == "virtual"


def test_a_camera_that_goes_later_is_waited_for(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vander.app.cameras.TRIAL_S", 0.0)
    evening.webcam.frames = 10
    evening.choose(CameraKind.WEBCAM)
    wait_for(evening.session, lambda now: "is gone" in now.camera_trouble)
    assert "is gone" in evening.on().trouble
    evening.webcam.frames = 10**6
    wait_for(evening.session, lambda now: not now.camera_trouble)
    assert evening.switch.name == WEBCAM


def test_of_two_tablets_that_choose_at_once_the_second_gets_one_sentence(evening: Evening) -> None:
    evening.webcam.gate.clear()
    choosing = threading.Thread(target=evening.choose, args=(CameraKind.WEBCAM,))
    choosing.start()
    wait_until(evening.chooser._changing.locked)
    for attempt in (
        lambda: evening.choose(CameraKind.VIRTUAL),
        lambda: evening.choose(CameraKind.PHONE),
        lambda: evening.chooser.choose_address("http://127.0.0.1:1"),
        lambda: evening.chooser.adjust(True, None),
    ):
        refused = evening.refused(attempt)
        assert (refused.sentence, refused.reason) == (BUSY, Reason.CONFLICT)
    evening.webcam.gate.set()
    choosing.join()
    assert (evening.switch.name, evening.let_in) == (WEBCAM, [])


class PageHandler(BaseHTTPRequestHandler):
    """Answers everything with a web page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>My router</title>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def web_page() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), PageHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_an_address_that_answers_with_a_web_page_is_one_sentence(evening: Evening) -> None:
    with web_page() as host:
        refused = evening.refused(lambda: evening.chooser.choose_address(f"{host}/"))
    assert "there is a page and no picture" in refused.sentence
    assert evening.store.kept.addresses == ()


@pytest.mark.parametrize(
    "address", ["http://", "ftp://10.0.0.7", "file:///etc/passwd", "http://a b", "http://10.0.0.7@x/@"]
)
def test_what_is_no_address_is_one_sentence(evening: Evening, address: str) -> None:
    refused = evening.refused(lambda: evening.chooser.choose_address(address))
    assert refused.reason is Reason.INVALID
    assert "url:" not in refused.sentence


def test_a_disk_that_refuses_changes_the_camera_and_says_that_it_is_not_kept(evening: Evening) -> None:
    (evening.settings.data_dir / CAMERA_FILE).mkdir(parents=True)
    answer = evening.choose(CameraKind.WEBCAM)
    assert "cannot be kept" in answer.told
    assert evening.switch.name == WEBCAM


# A phone


def test_a_phone_is_waited_for_while_the_old_camera_goes_on(evening: Evening) -> None:
    picture = cv2.resize(np.asarray(evening.switch.pixels), SIZE)
    answer = evening.choose(CameraKind.PHONE)
    assert [each.kind for each in answer.cameras if each.waits] == [CameraKind.PHONE]
    assert (evening.switch.name, evening.let_in) == ("virtual", ["phones"])
    stream = evening.phone.begin(PHONE)
    evening.phone.take(PHONE, sent(stream, 1, picture))
    assert (evening.switch.name, evening.session.snapshot().camera) == ("phone", "phone")
    assert not any(each.waits for each in evening.chooser.cameras().cameras)


def test_this_computers_own_camera_opens_nothing_to_the_network(evening: Evening) -> None:
    evening.choose(CameraKind.BROWSER)
    evening.phone.photograph(PHONE, jpeg(np.asarray(evening.switch.pixels)))
    assert (evening.switch.name, evening.let_in) == ("browser", [])
    evening.choose(CameraKind.PHONE)
    assert (evening.switch.name, evening.let_in) == ("phone", ["phones"])


def test_a_phone_is_waited_for_no_longer_when_another_camera_is_chosen(evening: Evening) -> None:
    evening.choose(CameraKind.PHONE)
    assert evening.phone.is_wanted
    evening.choose(CameraKind.VIRTUAL)
    assert not evening.phone.is_wanted


def test_a_port_that_is_not_free_leaves_all_as_it_was(evening: Evening) -> None:
    def refuse() -> None:
        raise Refused("A phone cannot come in: port 8443 is not free.", Reason.UNAVAILABLE)

    evening.chooser._let_phones_in = refuse
    assert "8443" in evening.refused(lambda: evening.choose(CameraKind.PHONE)).sentence
    assert not evening.phone.is_wanted


# What is kept


def test_the_choice_holds_over_a_restart(evening: Evening, folder: Path, open_table: Callable[..., Session]) -> None:
    evening.choose(CameraKind.WEBCAM)
    evening.chooser.adjust(True, 180)
    evening.close()
    again = Evening(folder, open_table())
    try:
        assert again.on().kind is CameraKind.WEBCAM
        answer = again.chooser.cameras()
        assert (answer.mirrored, answer.turned, answer.told) == (True, 180, "")
    finally:
        again.close()


def test_a_camera_that_the_command_line_names_wins_and_the_page_says_so(
    evening: Evening, folder: Path, open_table: Callable[..., Session]
) -> None:
    evening.choose(CameraKind.WEBCAM)
    evening.close()
    again = Evening(folder, open_table(), named="virtual")
    try:
        assert (again.on().kind, again.chooser.cameras().told) == (CameraKind.VIRTUAL, NAMED)
    finally:
        again.close()


def test_pictures_are_mirrored_back_at_one_request(evening: Evening) -> None:
    wait_until(lambda: evening.switch.pixels is not None)
    before = np.asarray(evening.switch.pixels)
    answer = evening.chooser.adjust(True, None)
    assert (answer.mirrored, answer.turned) == (True, 0)

    def is_mirrored() -> bool:
        now = evening.switch.pixels
        return now is not None and float(np.abs(now[:, ::-1].astype(int) - before).mean()) < 5

    wait_until(is_mirrored)
    evening.chooser.adjust(False, 90)
    wait_until(lambda: evening.switch.pixels is not None and evening.switch.pixels.shape[:2] == SIZE)


def test_settings_are_asked_for_as_they_were_given(folder: Path) -> None:
    assert Settings(data_dir=folder).camera == "virtual"
