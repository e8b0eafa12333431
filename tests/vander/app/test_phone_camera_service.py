"""The phone's pictures on their way to the camera loop: who may send, what is refused, and how a throw is read."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import count

import numpy as np
import pytest
from phone_film import PHONE, jpeg, sent, small_jpeg
from PIL import Image
from test_camera_loop import wait_for
from true_pipeline import true_pipeline

from bench.simulator_truth import truth
from hardware.cameras.phone import GONE, PhoneCamera, PhonePicture
from hardware.cameras.virtual_camera import UNPACED_RATE, VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from referee.sentences import Reason, Refused
from referee.snapshot import Snapshot, TrayActivity
from vander.app.camera_loop import CameraLoop
from vander.app.phone_camera_service import OTHER_WINDOW, SENDING_S, SETTLED_GUIDE_S, PhoneCameraService
from vander.table.session import Session
from vision.frames import Frame, Pixels, small_image
from vision.image_io import decode_picture
from vision.motion import MotionDetector
from vision.tray_calibration import TrayLayout
from web.schemas.access_schemas import Verdict
from web.schemas.camera_schemas import Phone, PictureAnswer, SentPicture

OTHER = Phone(8, "Bob's phone")


@dataclass
class Loop:
    """A camera loop that reads nothing, and says whether the box needs a full picture."""

    needs_detail: bool = False


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def loop() -> Loop:
    return Loop()


@pytest.fixture
def camera() -> PhoneCamera:
    return PhoneCamera()


@pytest.fixture
def service(camera: PhoneCamera, loop: Loop, clock: Clock) -> PhoneCameraService:
    return PhoneCameraService(camera, loop, TrayLayout, clock, late_s=0)  # type: ignore[arg-type]


@pytest.fixture
def view() -> Pixels:
    camera = VirtualCamera(VirtualTray("intersection", size=(640, 480)), paced=False, seed=1)
    camera.open()
    return camera.frame().pixels


def refusal(service: PhoneCameraService, picture: SentPicture, phone: Phone = PHONE) -> Refused:
    with pytest.raises(Refused) as caught:
        service.take(phone, picture)
    return caught.value


def guided(service: PhoneCameraService, view: Pixels) -> PictureAnswer:
    """What is answered when the first picture of a phone was looked at."""
    stream, answer, until = service.begin(PHONE), PictureAnswer(True, None), time.monotonic() + 60
    for number in count(1):
        answer = service.take(PHONE, sent(stream, number, view, full=number == 1))
        if answer.guide or time.monotonic() > until:
            break
        time.sleep(0.05)
    return answer


def test_a_full_picture_is_answered_with_what_to_move(service: PhoneCameraService, view: Pixels) -> None:
    answer = guided(service, view)
    assert answer.guide is not None
    assert [marker.number for marker in answer.guide.markers] == [0, 1, 2, 3]
    assert all(found.verdict is Verdict.GOOD for found in answer.guide.findings)
    assert not answer.needs_full


def test_a_picture_without_the_tray_says_so(service: PhoneCameraService, view: Pixels) -> None:
    answer = guided(service, np.full_like(view, 120))
    assert answer.guide is not None
    assert answer.guide.findings[0].told == "No marker of the mat is in sight."


def test_the_box_asks_for_a_full_picture_while_it_has_one_to_read(
    service: PhoneCameraService, loop: Loop, clock: Clock, view: Pixels
) -> None:
    stream = service.begin(PHONE)
    assert service.take(PHONE, sent(stream, 1, view, full=False)).needs_full
    assert not service.take(PHONE, sent(stream, 2, view)).needs_full
    loop.needs_detail = True
    assert service.take(PHONE, sent(stream, 3, view, full=False)).needs_full
    loop.needs_detail = False
    clock.now += SETTLED_GUIDE_S
    assert service.take(PHONE, sent(stream, 4, view, full=False)).needs_full


def test_a_picture_in_which_the_same_stays_wrong_is_looked_at_less_and_less_often(
    service: PhoneCameraService, clock: Clock, view: Pixels
) -> None:
    grey = np.full_like(view, 120)
    stream, asked = service.begin(PHONE), []
    for number in range(1, 60):
        needs_full = number == 1 or service.take(PHONE, sent(stream, 2 * number, view, full=False)).needs_full
        if needs_full:
            asked.append(number)
            service.take(PHONE, sent(stream, 2 * number + 1, grey))
            end_looks()
        clock.now += 1.0
    assert asked == [1, 2, 4, 8, 16, 26, 36, 46, 56]


def end_looks() -> None:
    """Wait until pictures were looked at that are looked at in the background."""
    for thread in threading.enumerate():
        if thread.name == "phone guide":
            thread.join()


def test_a_picture_that_comes_late_or_again_is_left_out(service: PhoneCameraService, view: Pixels) -> None:
    stream = service.begin(PHONE)
    service.take(PHONE, sent(stream, 5, view))
    for number in (5, 4):
        found = refusal(service, sent(stream, number, view))
        assert (found.reason, found.sentence) == (
            Reason.CONFLICT, "A newer picture is here already; this one is left out."
        )  # fmt: skip
    service.take(PHONE, sent(stream, 6, view))


def test_a_picture_that_overtakes_another_waits_for_it(camera: PhoneCamera, loop: Loop, view: Pixels) -> None:
    service = PhoneCameraService(camera, loop, TrayLayout, late_s=60)  # type: ignore[arg-type]
    stream = service.begin(PHONE)

    def send(number: int) -> None:
        service.take(PHONE, sent(stream, number, np.full_like(view, 50 * number)))

    send(1)
    overtaking = threading.Thread(target=send, args=(3,))
    overtaking.start()
    overtaking.join(0.5)
    send(2)
    overtaking.join()
    camera.open()
    assert [round(float(camera.frame().pixels.mean())) for _ in range(3)] == [50, 100, 150]


def test_a_picture_whose_forerunner_never_comes_is_taken_in(service: PhoneCameraService, view: Pixels) -> None:
    stream = service.begin(PHONE)
    service.take(PHONE, sent(stream, 1, view))
    service.take(PHONE, sent(stream, 3, view))
    assert refusal(service, sent(stream, 2, view)).reason is Reason.CONFLICT


def test_a_stream_that_was_recorded_cannot_be_played_again(
    service: PhoneCameraService, clock: Clock, view: Pixels
) -> None:
    stream = service.begin(PHONE)
    service.take(PHONE, sent(stream, 1, view))
    service.begin(PHONE)
    clock.now += SENDING_S
    assert refusal(service, sent(stream, 2, view)).reason is Reason.GONE


def test_the_window_that_was_opened_last_is_the_camera_and_the_one_before_is_told(
    service: PhoneCameraService, clock: Clock, view: Pixels
) -> None:
    earlier = service.begin(PHONE)
    service.take(PHONE, sent(earlier, 1, view))
    later = service.begin(PHONE)
    found = refusal(service, sent(earlier, 2, view))
    assert (found.reason, found.sentence) == (Reason.NOT_ALLOWED, OTHER_WINDOW)
    service.take(PHONE, sent(later, 1, view))
    clock.now += SENDING_S
    assert refusal(service, sent(earlier, 3, view)).reason is Reason.GONE


def test_nobody_sends_into_the_stream_of_another(service: PhoneCameraService, view: Pixels) -> None:
    assert refusal(service, sent(service.begin(PHONE), 1, view), OTHER).reason is Reason.GONE


def test_a_tray_at_rest_does_not_move_in_the_small_pictures() -> None:
    tray = VirtualTray("intersection", seed=3, size=(960, 720), mishaps=Mishaps(0, 0))
    source = VirtualCamera(tray, paced=False, seed=3)
    source.open()
    camera, motion = PhoneCamera(), MotionDetector()
    moved = []
    for number in range(24):
        pixels = source.frame().pixels
        small = decode_picture(small_jpeg(pixels), 1, pixels.size)
        camera.put(PhonePicture(small, pixels, 10 + number / 4))
        camera.open()
        moved.append(motion.update(small_image(camera.frame()), number / 4, 1 / 3).moving)
    assert moved == [False] * 24


def test_a_second_phone_waits_until_the_first_one_is_gone(
    service: PhoneCameraService, clock: Clock, view: Pixels
) -> None:
    service.take(PHONE, sent(service.begin(PHONE), 1, view))
    with pytest.raises(Refused, match="Ann's phone is the camera already"):
        service.begin(OTHER)
    assert service.sender == PHONE
    clock.now += SENDING_S
    assert service.sender is None
    service.take(OTHER, sent(service.begin(OTHER), 1, view))
    assert service.sender == OTHER


BROKEN = (b"", b"<svg></svg>", b"\x89PNG\r\n\x1a\n" + bytes(99), b"\xff\xd8\xff", b"\xff\xd8\xff" + bytes(5000))


@pytest.mark.parametrize("contents", BROKEN, ids=["empty", "svg", "png", "cut", "zeros"])
def test_what_is_no_picture_is_refused_in_a_sentence_and_changes_nothing(
    contents: bytes, service: PhoneCameraService, view: Pixels
) -> None:
    stream = service.begin(PHONE)
    for broken in (
        replace(sent(stream, 1, view), small=contents),
        replace(sent(stream, 1, view), full=contents or b"x"),
    ):
        found = refusal(service, broken)
        assert found.reason is Reason.INVALID
        assert found.sentence.endswith(".")
    service.take(PHONE, sent(stream, 1, view))


def test_a_picture_cut_short_is_not_half_read(service: PhoneCameraService, view: Pixels) -> None:
    whole = sent(service.begin(PHONE), 1, view)
    assert "damaged" in refusal(service, replace(whole, full=whole.full[: len(whole.full) // 2])).sentence


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_decoded(
    service: PhoneCameraService, view: Pixels
) -> None:
    bomb = jpeg(np.zeros((9000, 9000, 3), np.uint8))
    began = time.thread_time()  # which passes as fast on a busy machine
    found = refusal(service, replace(sent(service.begin(PHONE), 1, view), full=bomb))
    assert "9000 x 9000" in found.sentence
    assert time.thread_time() - began < 0.5


def test_two_pictures_of_other_shapes_are_not_one(service: PhoneCameraService, view: Pixels) -> None:
    turned = np.ascontiguousarray(view.transpose(1, 0, 2))
    found = refusal(service, replace(sent(service.begin(PHONE), 1, view), small=small_jpeg(turned)))
    assert "do not show the same" in found.sentence


def test_a_phone_that_is_turned_in_mid_game_is_asked_for_a_full_picture_and_seen_upright(
    service: PhoneCameraService, camera: PhoneCamera, view: Pixels
) -> None:
    stream, upright = service.begin(PHONE), np.rot90(view).copy()
    service.take(PHONE, sent(stream, 1, view))
    end_looks()
    assert service.take(PHONE, sent(stream, 2, upright, full=False)).needs_full
    assert not service.take(PHONE, sent(stream, 3, upright)).needs_full
    camera.open()
    assert [camera.frame().pixels.shape for _ in range(2)] == [view.shape, upright.shape]


# Photographs


def turned_by_exif(jpeg_file: bytes) -> bytes:
    """The JPEG as a phone held sideways writes it: turned, with a note of how to turn it back."""
    picture = Image.open(BytesIO(jpeg_file)).transpose(Image.Transpose.ROTATE_90)
    exif, file = Image.Exif(), BytesIO()
    exif[0x0112] = 6
    picture.save(file, "JPEG", exif=exif)
    return file.getvalue()


def test_a_photograph_is_taken_in_upright_and_answered_with_what_is_found(
    service: PhoneCameraService, camera: PhoneCamera, view: Pixels
) -> None:
    found = service.photograph(PHONE, turned_by_exif(jpeg(view)))
    assert [marker.number for marker in found.markers] == [0, 1, 2, 3]
    camera.open()
    assert camera.frame().pixels.shape == view.shape
    assert service.sender is None


def test_photographs_that_cannot_be_read_are_refused_in_a_sentence(service: PhoneCameraService, view: Pixels) -> None:
    broken = {
        bytes(4) + b"ftypheic" + bytes(99): "HEIC",
        b"no picture": "no JPEG",
        jpeg(view)[:5000]: "damaged",
        jpeg(np.full_like(view, 120)): "all four markers",
    }
    for contents, word in broken.items():
        with pytest.raises(Refused, match=word) as caught:
            service.photograph(PHONE, contents)
        assert caught.value.reason is Reason.INVALID


def test_no_photograph_comes_between_the_pictures_of_another_phone(service: PhoneCameraService, view: Pixels) -> None:
    service.take(PHONE, sent(service.begin(PHONE), 1, view))
    with pytest.raises(Refused, match="Ann's phone is the camera already"):
        service.photograph(OTHER, jpeg(view))


@pytest.mark.slow
def test_a_throw_is_ruled_on_by_a_photograph_once_somebody_says_that_it_was_thrown(
    table: Session, tray: VirtualTray, camera: PhoneCamera
) -> None:
    loop = CameraLoop(camera, table, lambda _: true_pipeline(tray))
    service, source = PhoneCameraService(camera, loop, TrayLayout), VirtualCamera(tray, paced=False, seed=2)
    source.open()
    table.start("dice", ["Ann"], {})
    loop.start()
    service.photograph(PHONE, jpeg(source.frame().pixels))
    wait_for(table, lambda now: len(now.dice) == 6 and not now.camera_trouble)
    tray.throw(list(truth(tray)))
    while tray.rests_in() > 0:
        source.frame()
    service.photograph(PHONE, jpeg(source.frame().pixels))
    asked = wait_for(table, lambda now: bool(now.questions))
    assert "between the photographs" in asked.questions[0].sentence
    table.answer(asked.questions[0].number, asked.questions[0].choices[0][0])
    ruled = wait_for(table, lambda now: not now.questions and now.state is not None and bool(now.state.throws))
    loop.stop()
    assert ruled.camera_trouble == ""


# With the camera loop


@pytest.fixture
def tray() -> VirtualTray:
    return VirtualTray("intersection", seed=2, mishaps=Mishaps(0.0, 0.0))


class PythonPhone:
    """Send what a virtual camera sees: small pictures while dice move, full ones when the box asks for them."""

    def __init__(self, tray: VirtualTray, service: PhoneCameraService) -> None:
        self._camera, self._service = VirtualCamera(tray, seed=2), service
        self._stopped, self.is_silent = threading.Event(), False
        self._thread = threading.Thread(target=self._send, daemon=True)

    def start(self) -> None:
        self._camera.open()
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(5)

    def _send(self) -> None:
        stream, number, needs_full = self._service.begin(PHONE), 0, True
        began = time.monotonic()
        while not self._stopped.is_set():
            frame, number = self._camera.frame(), number + 1
            if not self.is_silent:
                taken_ms = round((frame.taken_at - began) * 1000)
                picture = sent(stream, number, frame.pixels, full=needs_full, taken_ms=taken_ms)
                needs_full = self._service.take(PHONE, picture).needs_full


@pytest.fixture
def phone(table: Session, tray: VirtualTray, camera: PhoneCamera) -> Iterator[PythonPhone]:
    loop = CameraLoop(camera, table, lambda _: true_pipeline(tray))
    phone = PythonPhone(tray, PhoneCameraService(camera, loop, TrayLayout))
    loop.start()
    phone.start()
    yield phone
    phone.stop()
    loop.stop()


class AwaitedCamera(PhoneCamera):
    """A phone's camera that tells when a picture was read, and goes by the pictures' time."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.read = threading.Semaphore(0)

    def frame(self, timeout: float = 1.0) -> Frame:
        frame = super().frame(timeout)
        self.read.release()
        return frame


class FilmPhone(PythonPhone):
    """A phone that sends each picture when the last one was read: the machine's speed says nothing of its pace."""

    def __init__(self, tray: VirtualTray, service: PhoneCameraService, camera: AwaitedCamera, clock: Clock) -> None:
        super().__init__(tray, service)
        self._camera = VirtualCamera(tray, paced=False, seed=2)
        self._read, self._clock = camera.read, clock

    def _send(self) -> None:
        stream, number, needs_full = self._service.begin(PHONE), 0, True
        began = self._clock.now
        while not self._stopped.is_set():
            pixels, number = self._camera.frame().pixels, number + 1
            self._clock.now = began + number / UNPACED_RATE
            taken_ms = round(number * 1000 / UNPACED_RATE)
            picture = sent(stream, number, pixels, full=needs_full, taken_ms=taken_ms)
            needs_full = self._service.take(PHONE, picture).needs_full
            while not self._read.acquire(timeout=0.2) and not self._stopped.is_set():
                pass


@pytest.fixture
def film_phone(table: Session, tray: VirtualTray, clock: Clock) -> Iterator[FilmPhone]:
    camera = AwaitedCamera(clock)
    loop = CameraLoop(camera, table, lambda _: true_pipeline(tray))
    phone = FilmPhone(tray, PhoneCameraService(camera, loop, TrayLayout, clock), camera, clock)
    loop.start()
    phone.start()
    yield phone
    phone.stop()
    loop.stop()


@pytest.mark.slow
@pytest.mark.usefixtures("film_phone")
def test_a_throw_before_a_phone_is_read_as_it_lies(table: Session, tray: VirtualTray) -> None:
    before = wait_for(table, lambda now: len(now.dice) == 6 and now.tray is TrayActivity.AT_REST)
    tray.throw([number for number, die in truth(tray).items() if die.kind == "traffic"])

    def is_read(now: Snapshot) -> bool:
        lying = sorted(die.face for die in truth(tray).values())
        return now.tray is TrayActivity.AT_REST and sorted(die.face for die in now.dice) == lying

    after = wait_for(table, lambda now: now.number > before.number and tray.rests_in() <= 0 and is_read(now))
    assert sorted(die.face for die in after.dice) != sorted(die.face for die in before.dice)
    assert after.doubts == ()


@pytest.mark.slow
def test_a_phone_that_falls_silent_is_said_and_comes_back_by_itself(table: Session, phone: PythonPhone) -> None:
    wait_for(table, lambda now: len(now.dice) == 6 and now.tray is TrayActivity.AT_REST)
    phone.is_silent = True
    lost = wait_for(table, lambda now: bool(now.camera_trouble))
    assert GONE.capitalize() in lost.camera_trouble
    phone.is_silent = False
    wait_for(table, lambda now: not now.camera_trouble and now.tray is TrayActivity.AT_REST)
