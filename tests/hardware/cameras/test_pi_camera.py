"""The Raspberry Pi's camera over a stand-in for picamera2: what it asks, what it gives, and that it never hangs."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import pytest
from stand_in_picamera2 import OFFERED, Module, packed

from hardware.cameras import open_camera
from hardware.cameras.base import CameraLost, CameraStuck, NoSuchCamera
from hardware.cameras.pi_camera import (
    EFFECT_SECONDS,
    LASTING_SECONDS,
    LOCKED,
    MOST_SECONDS,
    TRIES,
    CameraTimeouts,
    ExposureLock,
    PiCamera,
    advertised,
    controls,
    to_pixels,
    whole_view,
)
from vision.frames import Pixels, small_image

SIZE = (640, 480)
SHORT = CameraTimeouts(opening_s=60.0, closing_s=60.0, frame_s=0.1, grace_s=60.0)
HASTY = CameraTimeouts(opening_s=0.3, closing_s=0.3, frame_s=0.1, grace_s=0.1)
HERE = Path(__file__).parents[1]
OPEN_FILES = Path("/proc/self/fd")
CALLS = ("open", "configure", "start")


def _picture(width: int, height: int) -> Pixels:
    """Colours that change slowly, so that every format can hold them."""
    across, down = np.meshgrid(np.linspace(40, 210, width), np.linspace(60, 190, height))
    return np.dstack([across, down, 250 - across]).astype(np.uint8)


@pytest.fixture
def module() -> Iterator[Module]:
    module = Module(_picture(*SIZE))
    yield module
    module.let_go.set()


@pytest.fixture
def camera(module: Module) -> Iterator[PiCamera]:
    camera = PiCamera(0, SIZE, load=lambda: module.picamera2, timeouts=SHORT)
    yield camera
    module.let_go.set()
    camera.close()


@pytest.fixture
def hasty(module: Module) -> Iterator[PiCamera]:
    """A camera that is soon given up when it hangs."""
    camera = PiCamera(0, SIZE, load=lambda: module.picamera2, timeouts=HASTY)
    yield camera
    module.let_go.set()
    camera.close()


def _opened_in_the_end(camera: PiCamera) -> int:
    """The number of the first frame after it was tried again and again, as whoever watches does."""
    for _ in range(100):
        with suppress(CameraLost, NoSuchCamera):
            camera.open()
            return camera.frame().number
    return 0


def _threads(camera: PiCamera) -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == camera.name]


@pytest.mark.parametrize("padding", [0, 64])
@pytest.mark.parametrize("layout", ["RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "YVU420", "NV12", "MJPEG"])
def test_every_layout_becomes_blue_green_red(layout: str, padding: int) -> None:
    picture = _picture(96, 64)
    buffer, stride = packed(picture, layout, padding)
    pixels = to_pixels(buffer, layout, (96, 64), stride)
    assert pixels.shape == picture.shape
    assert np.abs(pixels.astype(int) - picture).max() <= 6


@pytest.mark.parametrize("layout", ["YUYV", "UYVY"])
def test_woven_colours_are_unwoven(layout: str) -> None:
    green = cv2.cvtColor(np.full((1, 1, 3), (30, 200, 40), np.uint8), cv2.COLOR_BGR2YUV)[0, 0]
    bright, blue, red = (int(green[0]) * 219 // 255 + 16, 78, 82)
    pair = [bright, blue, bright, red] if layout == "YUYV" else [blue, bright, red, bright]
    pixels = to_pixels(np.array(pair * 4 * 6, np.uint8), layout, (8, 6), 16)
    assert pixels.shape == (6, 8, 3)
    assert pixels[..., 1].min() > max(pixels[..., 0].max(), pixels[..., 2].max()) + 60


def test_a_broken_jpeg_is_a_lost_camera() -> None:
    with pytest.raises(CameraLost, match="broken JPEG"):
        to_pixels(packed(_picture(32, 24), "MJPEG")[0][:20], "MJPEG", (32, 24), 0)


def test_a_buffer_that_is_too_short_is_a_lost_camera() -> None:
    with pytest.raises(CameraLost, match="gave 100 bytes where 2304 are due"):
        to_pixels(np.zeros(100, np.uint8), "RGB888", (32, 24), 96)


def test_an_unknown_layout_is_named() -> None:
    with pytest.raises(CameraLost, match="SRGGB10"):
        to_pixels(np.zeros(9, np.uint8), "SRGGB10", (3, 3), 3)


@pytest.mark.skipif(find_spec("picamera2") is not None, reason="picamera2 is installed here")
def test_a_picamera_without_picamera2_says_how_to_install_it() -> None:
    with pytest.raises(NoSuchCamera, match=r"apt's python3-picamera2 .* --system-site-packages"):
        open_camera("picamera:0").open()


def test_a_picamera2_built_for_another_numpy_is_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')")
    said = _run(
        "from hardware.cameras import open_camera\n"
        "try: open_camera('picamera:0').open()\n"
        "except LookupError as error: print(error)",
        tmp_path,
    )
    assert said == "picamera2 is here but cannot be loaded (numpy.dtype size changed); " + (
        "on Debian 12 it needs a NumPy below 2 in the venv"
    )


@pytest.mark.parametrize("place", ["front", "-1", "²"])
def test_a_picamera_needs_a_number(place: str) -> None:
    with pytest.raises(NoSuchCamera, match="picamera:0 for the first"):
        open_camera(f"picamera:{place}")


def test_a_frame_brings_a_small_place_of_the_same_moment(camera: PiCamera, module: Module) -> None:
    camera.open()
    frame = camera.frame()
    assert frame.small is not None
    assert small_image(frame) is frame.small
    assert np.abs(frame.pixels.astype(int) - module.picture).max() == 0
    assert np.abs(frame.small.astype(int) - cv2.resize(module.picture, (320, 240))).mean() < 3
    assert module.held == 0


@pytest.mark.parametrize("padding", [0, 64])
@pytest.mark.parametrize(
    "layouts", [("NV12", "NV12"), ("XBGR8888", "YUV420"), ("BGR888", "RGB888"), ("YVU420", "NV12")]
)
def test_the_reported_formats_and_strides_are_believed(
    layouts: tuple[str, str], padding: int, camera: PiCamera, module: Module
) -> None:
    module.layouts, module.padding = layouts, padding
    camera.open()
    frame = camera.frame()
    assert frame.small is not None
    assert (frame.pixels.shape, frame.small.shape) == ((480, 640, 3), (240, 320, 3))
    assert np.abs(frame.pixels.astype(int) - module.picture).max() <= 6


def test_a_camera_that_cannot_make_two_streams_makes_one(camera: PiCamera, module: Module) -> None:
    module.two_streams = False
    camera.open()
    frame = camera.frame()
    assert frame.small is None
    assert small_image(frame).shape == (240, 320, 3)


@pytest.mark.parametrize("offered", [OFFERED, OFFERED - {"AfMode"}, frozenset({"FrameDurationLimits"}), frozenset()])
def test_only_controls_that_the_camera_has_are_set(offered: frozenset[str], camera: PiCamera, module: Module) -> None:
    module.offered = offered
    camera.open()
    camera.frame()
    assert set(module.made[0].set) == {"FrameDurationLimits", "AfMode", "AeFlickerMode"} & offered
    assert set(advertised(controls(15.0), {"LensPosition": (0, 10, 1)})) == {"LensPosition"}


@pytest.mark.parametrize(
    ("sensor", "mode"),
    [
        ((3280, 2464), (1640, 1232)),
        ((4608, 2592), (2304, 1296)),
        ((2592, 1944), (1296, 972)),
        ((1456, 1088), (1456, 1088)),
    ],
)
def test_the_sensor_sees_all_that_its_lens_shows(sensor: tuple[int, int], mode: tuple[int, int]) -> None:
    assert whole_view(sensor, (1280, 960)) == mode


def test_frames_are_numbered_from_one_and_tell_when_the_sensor_began_them(camera: PiCamera, module: Module) -> None:
    module.clock_off_s = -0.5
    for _ in range(2):
        camera.open()
        frames = [camera.frame() for _ in range(3)]
        assert [frame.number for frame in frames] == [1, 2, 3]
        assert all(0.4 < time.monotonic() - frame.taken_at < 60 for frame in frames)
        assert frames[0].taken_at <= frames[1].taken_at <= frames[2].taken_at


@pytest.mark.parametrize("off", [-3600.0, 3600.0])
def test_a_sensor_with_another_clock_is_not_believed(off: float, camera: PiCamera, module: Module) -> None:
    module.clock_off_s = off
    camera.open()
    before = time.monotonic()
    assert before <= camera.frame().taken_at <= time.monotonic()


def test_a_camera_that_is_not_there_says_which_are(module: Module) -> None:
    with pytest.raises(NoSuchCamera, match=r"there is no camera picamera:1; what there is: picamera:0"):
        PiCamera(1, load=lambda: module.picamera2).open()
    module.cameras = 0
    with pytest.raises(NoSuchCamera, match=r"no camera picamera:1, nor any other; .* ribbon cable"):
        PiCamera(1, load=lambda: module.picamera2).open()
    assert module.made == []


def test_a_camera_in_use_says_so_and_opens_once_it_is_free(camera: PiCamera, module: Module) -> None:
    module.busy = True
    with pytest.raises(NoSuchCamera, match=r"in use by another program \(Failed to acquire.* close that one"):
        camera.open()
    module.busy = False
    camera.open()
    assert camera.frame().number == 1


@pytest.mark.slow
def test_a_camera_that_is_looked_for_again_and_again_leaves_no_file_open(camera: PiCamera, module: Module) -> None:
    module.busy = True
    before = len(list(OPEN_FILES.iterdir()))
    for _ in range(5):
        with pytest.raises(NoSuchCamera):
            camera.open()
    assert len(list(OPEN_FILES.iterdir())) == before


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("error", [AttributeError("odd"), OSError("odd")])
def test_whatever_goes_wrong_in_opening_is_a_sentence(
    call: str, error: Exception, camera: PiCamera, module: Module
) -> None:
    module.faults = {call: error}
    with pytest.raises(NoSuchCamera, match=r"no camera answers at picamera:0 \(odd\); check its ribbon cable"):
        camera.open()
    assert all(device.closed for device in module.made)
    module.faults = {}
    camera.open()
    assert camera.frame().number == 1


def test_a_frame_that_does_not_come_is_a_lost_camera_that_may_come_back(camera: PiCamera, module: Module) -> None:
    camera.open()
    module.stalls = True
    with pytest.raises(CameraLost, match=r"picamera:0 gave no frame for 0.1 s; check its ribbon cable"):
        camera.frame()
    module.stalls = False
    assert camera.frame().number == 1


def test_a_frame_is_waited_for_less_than_two_seconds() -> None:
    assert CameraTimeouts().frame_s + CameraTimeouts().grace_s < 2


def test_a_frame_that_comes_too_late_goes_back_to_the_camera(camera: PiCamera, module: Module) -> None:
    camera.open()
    module.stalls = module.late = True
    with pytest.raises(CameraLost):
        camera.frame()
    assert module.held == 0


@pytest.mark.parametrize("error", [RuntimeError("odd"), AssertionError("odd"), KeyError("odd")])
def test_a_frame_that_goes_wrong_is_a_lost_camera_and_goes_back(
    error: Exception, camera: PiCamera, module: Module
) -> None:
    camera.open()
    module.faults = {"told": error}
    with pytest.raises(CameraLost, match=r"picamera:0 gives no frames \('?odd'?\); check its ribbon cable"):
        camera.frame()
    assert module.held == 0


def test_a_camera_that_hangs_is_lost_and_left_behind(hasty: PiCamera, module: Module) -> None:
    assert _opened_in_the_end(hasty) == 1
    module.hangs = frozenset({"capture"})
    with pytest.raises(CameraLost, match="gave no frame"):
        hasty.frame()
    hasty.close()
    for _ in range(2):
        with pytest.raises(CameraStuck, match="still hangs in its driver"):
            hasty.open()
    assert len(_threads(hasty)) == 1


def test_a_camera_that_hung_for_a_while_opens_again(hasty: PiCamera, module: Module) -> None:
    assert _opened_in_the_end(hasty) == 1
    module.hangs = frozenset({"capture", "close"})
    with pytest.raises(CameraLost):
        hasty.frame()
    hasty.close()
    module.hangs = frozenset()
    module.let_go.set()
    assert _opened_in_the_end(hasty) == 1
    assert [device.closed for device in module.made] == [*[True] * (len(module.made) - 1), False]


@pytest.mark.parametrize("call", CALLS)
def test_an_opening_that_hangs_comes_back(call: str, hasty: PiCamera, module: Module) -> None:
    module.hangs = frozenset({call})
    with pytest.raises(CameraStuck, match="picamera:0 hangs while it is opened; check its ribbon cable"):
        hasty.open()
    with pytest.raises(CameraLost, match="open it first"):
        hasty.frame()
    module.hangs = frozenset()
    module.let_go.set()
    assert _opened_in_the_end(hasty) == 1
    assert [device.closed for device in module.made] == [*[True] * (len(module.made) - 1), False]


def test_a_closed_camera_leaves_no_thread_behind(camera: PiCamera) -> None:
    for _ in range(3):
        camera.open()
        assert camera.frame().number == 1
        camera.close()
    assert _threads(camera) == []


@pytest.mark.parametrize("call", ["capture", "close"])
def test_a_camera_that_hangs_does_not_keep_the_program_from_ending(call: str) -> None:
    said = _run(
        "import numpy as np\n"
        "from stand_in_picamera2 import Module\n"
        "from hardware.cameras.pi_camera import CameraTimeouts, PiCamera\n"
        "module = Module(np.zeros((48, 64, 3), np.uint8))\n"
        "timeouts = CameraTimeouts(closing_s=0.1, frame_s=0.1, grace_s=0.3)\n"
        "camera = PiCamera(0, (64, 48), load=lambda: module.picamera2, timeouts=timeouts)\n"
        "camera.open()\n"
        f"module.hangs = frozenset({{{call!r}}})\n"
        "try: print(camera.frame().number)\n"
        "except OSError as error: print(error)",
        HERE,
    )
    assert said == ("1" if call == "close" else "picamera:0 gave no frame for 0.1 s; check its ribbon cable")


def _run(program: str, beside: Path) -> str:
    """What a program prints that finds modules in that folder; it must end by itself."""
    house = HERE.parent.parent
    environment = {"PYTHONPATH": f"{house}:{beside}", "PATH": ""}
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout.strip()


def test_exposure_gain_and_colours_are_held_once_they_have_settled(camera: PiCamera, module: Module) -> None:
    camera.open()
    device = module.made[0]
    while "ExposureTime" not in device.set:
        camera.frame()
    assert {name: device.set[name] for name in LOCKED} == {
        "ExposureTime": 9000,
        "AnalogueGain": 2.0,
        "ColourGains": (1.5, 1.9),
    }
    assert camera.notes == ()


class Light:
    """A sensor in a light: its automatics reach for the right exposure, unless the values are set, and kept."""

    def __init__(self, exposure: ExposureLock) -> None:
        self.exposure = exposure
        self.lux = 1.0
        self.keeps = True
        self.settings: list[dict[str, object]] = []
        self.told: dict[str, object] = {"ExposureTime": 1000, "AnalogueGain": 1.0, "ColourGains": (1.0, 1.0)}
        self._set: dict[str, object] = {}
        self._at = 0.0

    def shine(self, seconds: float, by_hand: dict[str, object] | None = None) -> None:
        """Fifteen frames a second, for a while."""
        for _ in range(round(seconds * 15)):
            self._at += 1 / 15
            self.told = {name: self._next(name) for name in LOCKED} | (by_hand or {})
            wanted = self.exposure.update(self.told, self.brightness, self._at)
            if wanted:
                self.settings.append(wanted)
                self._set |= wanted

    @property
    def brightness(self) -> float:
        exposure = self.told["ExposureTime"]
        assert isinstance(exposure, int)
        return min(255.0, 110.0 * self.lux * exposure / 10_000)

    def _next(self, name: str) -> object:
        if self.keeps and self._set.get(name):
            return self._set[name]
        if name == "ExposureTime":
            wanted, now = 10_000 / self.lux, self.told["ExposureTime"]
            assert isinstance(now, int)
            return round(now + (wanted - now) * 0.3)
        return 2.0 if name == "AnalogueGain" else (1.5, 1.9)


@pytest.fixture
def light() -> Light:
    return Light(ExposureLock("picamera:0", OFFERED))


def test_values_are_held_only_after_the_automatics_have_come_to_rest(light: Light) -> None:
    light.shine(1.0)
    assert light.settings == []
    light.shine(2.0)
    assert light.settings == [
        {"ExposureTime": light.told["ExposureTime"], "AnalogueGain": 2.0, "ColourGains": (1.5, 1.9)}
    ]
    assert light.brightness == pytest.approx(110, rel=0.05)


def test_automatics_that_never_come_to_rest_are_not_waited_for_for_ever(light: Light) -> None:
    for frame in range(round(MOST_SECONDS * 15) + 2):
        light.shine(1 / 15, {"ExposureTime": 5000 + 2500 * (frame % 2)})
    assert len(light.settings) == 1


def test_a_held_camera_is_left_alone(light: Light) -> None:
    light.shine(60.0)
    assert len(light.settings) == 1
    assert light.exposure.note == ""


def test_values_that_are_not_kept_are_asked_for_again_and_then_told(light: Light) -> None:
    light.keeps = False
    light.shine(3.0)
    wanted = light.settings[0]["ExposureTime"]
    light.lux = 0.8
    light.shine(EFFECT_SECONDS * TRIES + 1)
    assert len(light.settings) == TRIES
    has = light.told["ExposureTime"]
    assert light.exposure.note == (
        f"The camera picamera:0 does not keep its exposure, in microseconds, at {wanted} but has {has};"
        " its pictures may change without the light."
    )
    light.keeps = True
    light.shine(0.5)
    assert light.exposure.note == ""


@pytest.mark.parametrize("lux", [8.0, 0.1])
def test_another_light_that_stays_is_measured_anew(light: Light, lux: float) -> None:
    light.shine(5.0)
    light.lux = lux
    light.shine(LASTING_SECONDS + 5)
    assert [sorted(setting) for setting in light.settings] == [
        ["AnalogueGain", "ColourGains", "ExposureTime"],
        ["AeEnable", "AnalogueGain", "AwbEnable", "ExposureTime"],
        ["AnalogueGain", "ColourGains", "ExposureTime"],
    ]
    assert light.brightness == pytest.approx(110, rel=0.05)
    light.shine(30.0)
    assert len(light.settings) == 3


@pytest.mark.parametrize(("lux", "seconds"), [(8.0, 1.0), (0.0, LASTING_SECONDS - 0.5), (1.2, 60.0), (0.75, 60.0)])
def test_a_passing_hand_or_a_small_change_of_light_is_nothing(light: Light, lux: float, seconds: float) -> None:
    light.shine(5.0)
    light.lux = lux
    light.shine(seconds)
    light.lux = 1.0
    light.shine(10.0)
    assert len(light.settings) == 1


@pytest.mark.parametrize("offered", [frozenset(), frozenset({"ExposureTime", "AnalogueGain"})])
def test_only_what_is_offered_is_held(offered: frozenset[str]) -> None:
    light = Light(ExposureLock("picamera:0", offered))
    light.shine(5.0)
    light.lux = 8.0
    light.shine(10.0)
    assert {name for setting in light.settings for name in setting} == offered


def test_a_camera_that_tells_nothing_is_asked_nothing_and_says_so_when_it_had_its_time(
    light: Light, caplog: pytest.LogCaptureFixture
) -> None:
    for frame in range(round(MOST_SECONDS * 15)):
        assert light.exposure.update({"SensorTimestamp": 1}, 100.0, 7 + frame / 15) == {}
    assert light.exposure.note == ""
    for frame in range(100):
        assert light.exposure.update({"SensorTimestamp": 1}, 100.0, 7 + MOST_SECONDS + frame / 15) == {}
    assert light.exposure.note == (
        "The camera picamera:0 says nothing of its exposure and its gain and its colour gains."
        " Its pictures may change although the light does not."
    )
    assert [record.message for record in caplog.records] == [light.exposure.note]
    light.shine(60.0)
    assert light.exposure.note == ""


def test_what_a_camera_offers_and_never_tells_of_is_noted_though_the_rest_is_held(light: Light) -> None:
    for frame in range(round((MOST_SECONDS + EFFECT_SECONDS) * 15)):
        light.exposure.update({"AnalogueGain": 2.0, "ColourGains": (1.5, 1.9)}, 100.0, frame / 15)
    assert light.exposure.note == (
        "The camera picamera:0 says nothing of its exposure. Its pictures may change although the light does not."
    )


def test_a_camera_that_offers_nothing_to_hold_has_nothing_to_say() -> None:
    exposure = ExposureLock("picamera:0", frozenset())
    for frame in range(100):
        assert exposure.update({"SensorTimestamp": 1}, 100.0, frame / 15) == {}
    assert exposure.note == ""
