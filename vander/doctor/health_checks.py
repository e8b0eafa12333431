"""All health checks in the order of the page, and the doctor inside the running program, who interrupts nobody."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

import numpy as np

from hardware import system_health
from hardware.cameras.base import Camera, CameraError
from referee.phrases import as_sentence, decimal, in_a_row
from referee.sentences import Reason, Refused, message_of, say
from vander.access.page_addresses import NetworkState
from vander.doctor import CheckSubject, HealthCheck, box_checks, picture_checks, run_checks
from vander.doctor.support_bundle import LogTail, build_bundle
from vander.resources import models_and_stores
from vander.storage.camera_file import with_camera
from vander.storage.data_folder import Unwritten
from vander.storage.settings import Settings
from vander.table.session_state import HealthAlert
from vision.frames import Pixels
from vision.observations import TrackedDie
from vision.tray_calibration import TrayLayout
from web.schemas.access_schemas import Finding, TraySight, Verdict

# What is asked of a camera


# Take frames from a camera for a moment: how many come, how bright they are, and the last one


SETTLING_S = 1.0
"""How long a camera that was just opened adjusts its exposure; its frames do not count meanwhile."""
LOOKING_S = 2.0
TIMEOUT_S = 2.0
"""A camera that gives no frame for this long is lost, as it is in play."""
POLL_S = 0.02
"""How often the running program is asked for a new frame."""
STRIDE = 9
"""Every how many rows and columns a pixel is taken, where only the level counts."""


@dataclass(frozen=True, eq=False)
class CameraSample:
    """What a camera gave in `seconds`: `count` frames, of which `fresh` differ from the one before.

    `pixels` is the last frame, None if none came; `levels` are the mean levels of all, 0 to 255; `live` is False for a
    recording, `steady` for a camera that sends few frames while nothing moves. `trouble` says what is wrong, or '';
    `notes` are sentences of the camera about itself.
    """

    name: str
    pixels: Pixels | None = None
    count: int = 0
    fresh: int = 0
    seconds: float = 0.0
    levels: tuple[float, ...] = ()
    trouble: str = ""
    notes: tuple[str, ...] = ()
    live: bool = True
    steady: bool = True

    @property
    def rate(self) -> float:
        return self.count / self.seconds if self.seconds else 0.0


def probe_camera(camera: Camera, name: str, seconds: float = LOOKING_S, settling_s: float = SETTLING_S) -> CameraSample:
    """Open a camera, take frames for `seconds` and close it. CameraError becomes the sample's `trouble`."""
    live = camera.is_live
    try:
        camera.open()
        until = time.monotonic() + (settling_s if live else 0.0)
        while time.monotonic() < until and camera.frame(TIMEOUT_S) is not None:
            pass
        began = time.monotonic()
        pictures = _pictures(camera, began + seconds)
        sample = _measure(name, pictures, began, notes=camera.notes, live=live)
        return replace(sample, steady=camera.is_steady)
    except CameraError as error:
        return CameraSample(name, trouble=message_of(error), live=live, notes=camera.notes)
    finally:
        camera.close()


def _pictures(camera: Camera, until: float) -> Iterator[Pixels]:
    while time.monotonic() < until and (frame := camera.frame(TIMEOUT_S)) is not None:
        yield frame.pixels


def sample_frames(
    name: str, frame: Callable[[], Pixels | None], trouble: str, notes: Sequence[str], seconds: float = 1.0
) -> CameraSample:
    """Return a sample of the frames that the running program takes; it keeps them all."""
    live = not name.startswith("replay:")
    if trouble:
        return CameraSample(name, frame(), trouble=trouble, notes=tuple(notes), live=live)
    began = time.monotonic()
    return _measure(name, _new_ones(frame, began + seconds), began, notes=tuple(notes), live=live, last=frame())


def _new_ones(frame: Callable[[], Pixels | None], until: float) -> Iterator[Pixels]:
    last = frame()
    while time.monotonic() < until:
        now = frame()
        if now is not None and now is not last:
            last = now
            yield now
        time.sleep(POLL_S)


def _measure(  # noqa: PLR0913, PLR0917 - what was seen, and by whom
    name: str,
    pictures: Iterator[Pixels],
    began: float,
    notes: tuple[str, ...],
    live: bool,
    last: Pixels | None = None,
) -> CameraSample:
    """Return the sample of these frames, counted as they come."""
    levels: list[float] = []
    fresh = 0
    for pixels in pictures:
        fresh += last is not None and not np.array_equal(_sample(last), _sample(pixels))
        levels.append(float(_sample(pixels).mean()))
        last = pixels
    return CameraSample(name, last, len(levels), fresh, time.monotonic() - began, tuple(levels), notes=notes, live=live)


def _sample(pixels: Pixels) -> Pixels:
    return pixels[::STRIDE, ::STRIDE]


# Checks of the camera: whether frames come and keep their brightness, and what their last picture shows


CAMERA = CheckSubject("camera", say("Camera"))
EXPOSURE = CheckSubject("exposure", say("Exposure"))

AT_CABLE = say("Check its cable, and who else uses it; dice can be given by hand.")
IN_FILE = say("Choose it again to play it from its beginning, or choose another camera.")
IN_NETWORK = say("Open the camera's address in a browser, to see whether it works; dice can be given by hand.")
SLOW, SLOWEST = 6.0, 2.5
"""Frames a second: fewer make the table slow, and much fewer miss a throw."""
SWING = 0.08
"""Share by which the brightness of successive frames may differ if the exposure is locked."""


def checks(sample: CameraSample, layout: TrayLayout) -> tuple[HealthCheck, ...]:
    """Return all checks of a camera; without a picture, only the one that says so."""
    camera = HealthCheck(CAMERA, partial(check_camera, sample))
    if sample.pixels is None or sample.trouble:
        return (camera,)
    picture = picture_checks.PictureMeasurements(sample.pixels, layout)
    return (
        camera,
        HealthCheck(EXPOSURE, partial(check_exposure, sample)),
        HealthCheck(picture_checks.FOCUS, partial(picture_checks.check_focus, picture)),
        HealthCheck(picture_checks.LIGHT, partial(picture_checks.check_light, picture)),
        HealthCheck(picture_checks.GLARE, partial(picture_checks.check_glare, picture)),
        HealthCheck(picture_checks.TRAY, lambda: picture_checks.check_tray(picture)[0]),
    )


def _remedy(camera: str) -> str:
    """Return what helps with a camera of that name that gives no pictures."""
    if "://" in camera:
        return IN_NETWORK
    return IN_FILE if camera.startswith("replay:") else AT_CABLE


def check_camera(seen: CameraSample) -> Finding:
    """Check that frames come, how many a second, and that they differ."""
    if seen.trouble:
        return CAMERA.bad(as_sentence(seen.trouble), _remedy(seen.name))
    if seen.pixels is None:
        return CAMERA.bad(
            say("{name} gives no picture.", name=seen.name),
            say("Check its cable, and that no other program uses it."),
        )
    height, width = seen.pixels.shape[:2]
    told = say("{name} gives pictures of {width} x {height}", name=seen.name, width=width, height=height)
    if not seen.live:
        return CAMERA.good(say("{told}: a recording, no camera.", told=told))
    if not seen.steady:  # it sends few pictures while nothing moves
        return CAMERA.good(say("{told} when the dice lie still.", told=told))
    if seen.count > 2 and not seen.fresh:
        return CAMERA.bad(
            say("{told}, but always the same one.", told=told),
            say("Unplug the camera and plug it in again, or restart the box."),
        )
    return _speed_finding(seen, say("{told}, {rate} a second", told=told, rate=decimal(seen.rate, 1)))


def _speed_finding(seen: CameraSample, told: str) -> Finding:
    if seen.rate >= SLOW:
        return CAMERA.good(say("{told}, each a new one.", told=told))
    told = say("{told}, where {least} or more are wanted.", told=told, least=f"{SLOW:g}")
    advice = say("Let nothing else run on the box, and check its heat and supply. A USB camera may need more light.")
    return CAMERA.bad(told, advice) if seen.rate < SLOWEST else CAMERA.unsure(told, advice)


def check_exposure(seen: CameraSample) -> Finding:
    """Check that the brightness is constant, and what the camera says of its exposure lock."""
    spread = swing(seen.levels)
    told = say("The brightness holds within {share} % from picture to picture.", share=round(100 * spread))
    if seen.live and spread > SWING:
        return EXPOSURE.unsure(
            say("The brightness swings by {share} % from picture to picture.", share=round(100 * spread)),
            say(
                "Look again without a hand in the picture. If it stays, a lamp flickers: use another one, or switch "
                "the camera's automatic exposure off."
            ),
        )
    if seen.notes:
        return EXPOSURE.unsure(
            in_a_row(told, *map(as_sentence, seen.notes)), say("Light the tray as in play and restart Vander.")
        )
    return EXPOSURE.good(told)


def swing(levels: Sequence[float]) -> float:
    """Return the range of levels as a share of their mean."""
    return (max(levels) - min(levels)) / max(sum(levels) / len(levels), 1.0) if levels else 0.0


# All health checks, in the order of the page


SUBJECTS = {"power": "power", "heat": "heat", "disk": "disk", "clock": "clock", "journal": "journal"}
"""The finding that each kind of alert belongs to."""
HELPS = say("The table says so too while it lasts.")


def run_all_checks(  # noqa: PLR0913  # what is looked at
    settings: Settings,
    sample: CameraSample,
    *,
    serving: bool = False,
    alerts: Sequence[HealthAlert] = (),
    extras: Sequence[HealthCheck] = (),
    root: Path = Path("/"),
) -> tuple[Finding, ...]:
    """Return all findings, of the camera's sample, of the box below `root` and of its extras. Raises nothing."""
    of_camera = checks(sample, models_and_stores.tray_layout(settings))
    found = run_checks([*of_camera, *_checks(settings, root, extras, serving=serving)])
    return tuple(apply_alerts(found, alerts))


def apply_alerts(findings: Iterable[Finding], alerts: Sequence[HealthAlert]) -> list[Finding]:
    """Return the findings; a GOOD one becomes UNSURE where the health monitor has an alert."""
    told = {SUBJECTS[alert.kind]: alert.sentence for alert in alerts}
    return [
        replace(found, verdict=Verdict.UNSURE, told=told[found.name], advice=HELPS)
        if found.name in told and found.verdict is Verdict.GOOD
        else found
        for found in findings
    ]


def _checks(settings: Settings, root: Path, extras: Sequence[HealthCheck], *, serving: bool) -> tuple[HealthCheck, ...]:
    now = system_health.read_power(root)
    return (
        HealthCheck(box_checks.MODELS, box_checks.check_models),
        HealthCheck(box_checks.DICE, lambda: box_checks.check_dice(settings)),
        HealthCheck(box_checks.JOURNAL, lambda: box_checks.check_journal(settings)),
        HealthCheck(box_checks.DISK, lambda: box_checks.check_disk(settings)),
        HealthCheck(box_checks.POWER, lambda: box_checks.check_power(now)),
        HealthCheck(box_checks.HEAT, lambda: box_checks.check_heat(now)),
        HealthCheck(
            box_checks.CLOCK,
            lambda: box_checks.check_clock(root, datetime.now(UTC), box_checks.newest_modification(_written(settings))),
        ),
        HealthCheck(
            box_checks.ADDRESS,
            lambda: box_checks.check_address(settings, NetworkState.now(root), serving=serving),
        ),
        HealthCheck(box_checks.HTTPS, lambda: box_checks.check_https(settings, datetime.now(UTC), serving=serving)),
        *extras,
        HealthCheck(box_checks.WIRING, lambda: box_checks.check_wiring(settings, root)),
        HealthCheck(box_checks.SPEAKER, lambda: box_checks.check_speaker(settings, root)),
        HealthCheck(box_checks.PROGRAM, lambda: box_checks.check_program(settings)),
    )


def _written(settings: Settings) -> tuple[Path, ...]:
    """Return files that were written before now: the journal, and the program itself."""
    journal = settings.data_dir / "journal.sqlite"
    return journal, journal.with_name(f"{journal.name}-wal"), Path(__file__)


# The doctor inside the running program: it checks the frames of the camera loop, and interrupts nobody


FINDINGS_KEPT_S = 4.0
SIGHT_KEPT_S = 0.3
"""How long a result is reused: several tablets cost no more than one."""


def _nothing() -> None:
    return None


T = TypeVar("T")


class _CachedResult(Generic[T]):
    """A result that is computed again when it is older than `keep_s`; concurrent callers wait for it."""

    def __init__(self, make: Callable[[], T], keep_s: float) -> None:
        self._make, self._keep_s = make, keep_s
        self._lock = Lock()
        self._made: tuple[float, T] | None = None

    def get(self) -> T:
        """Return the last result, or a new one."""
        with self._lock:
            if self._made is None or time.monotonic() - self._made[0] > self._keep_s:
                made = self._make()
                self._made = time.monotonic(), made
            return self._made[1]

    def drop(self) -> None:
        """Forget the result, since something changed."""
        with self._lock:
            self._made = None


@dataclass(frozen=True)
class RunningState:
    """What the doctor reads of the running program. Any thread may call each function at any time.

    `camera` returns the name of the camera that is on, '' for that of the settings. `frame` returns the last frame,
    `dice` those last read, `trouble` what is wrong with the camera or '', `notes` the camera's sentences about itself;
    `is_steady` is as the camera's. `alerts` are those of the health monitor. `accept_missing` lets the journal go on
    without the games that it lacks, and raises Unwritten. `extras` are the checks of the extras; `secrets` returns what
    no support bundle may hold of them.
    """

    camera: Callable[[], str] = str
    frame: Callable[[], Pixels | None] = _nothing
    dice: Callable[[], Sequence[TrackedDie]] = tuple
    trouble: Callable[[], str] = str
    notes: Callable[[], Sequence[str]] = tuple
    alerts: Callable[[], Sequence[HealthAlert]] = tuple
    accept_missing: Callable[[], None] = _nothing
    extras: Sequence[HealthCheck] = ()
    secrets: Callable[[], Iterable[str]] = tuple
    is_steady: Callable[[], bool] = lambda: True


class DiagnosticsService:
    """What examines the box for the pages. Checks run in the caller's thread, one caller at a time.

    `seconds` is how long frames are counted; `root` is where the machine's files begin.
    """

    def __init__(
        self,
        settings: Settings,
        running: RunningState,
        lines: LogTail | None = None,
        *,
        seconds: float = 1.0,
        root: Path = Path("/"),
    ) -> None:
        self._settings, self._running, self._lines = settings, running, lines
        self._seconds, self._root = seconds, root
        self._findings: _CachedResult[tuple[Finding, ...]] = _CachedResult(self._examine, FINDINGS_KEPT_S)
        self._sight: _CachedResult[TraySight] = _CachedResult(self._look, SIGHT_KEPT_S)

    def findings(self) -> Sequence[Finding]:
        """Return all findings, at most FINDINGS_KEPT_S old."""
        return self._findings.get()

    def accept_missing_games(self) -> Sequence[Finding]:
        """Let the journal go on without the games that it lacks, and return all findings. Raises Refused."""
        try:
            self._running.accept_missing()
        except Unwritten as error:
            raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
        self._findings.drop()
        return self.findings()

    def sight(self) -> TraySight:
        """Return what the picture shows, at most SIGHT_KEPT_S old."""
        return self._sight.get()

    def pack(self, pictures: bool) -> bytes:
        """Return the support bundle, a zip."""
        lines = self._lines.lines() if self._lines else ()
        view = self._running.frame() if pictures else None
        secrets = self._running.secrets()
        return build_bundle(
            self._now, self.findings(), lines, secrets=secrets, pictures=pictures, view=view, root=self._root
        )

    @property
    def _now(self) -> Settings:
        return with_camera(self._settings, self._running.camera() or self._settings.camera)

    def _examine(self) -> tuple[Finding, ...]:
        running, settings = self._running, self._now
        name = settings.shown_camera
        sample = sample_frames(name, running.frame, running.trouble(), running.notes(), self._seconds)
        sample = replace(sample, steady=running.is_steady())
        return run_all_checks(
            settings, sample, serving=True, alerts=running.alerts(), extras=running.extras, root=self._root
        )

    def _look(self) -> TraySight:
        trouble, pixels = self._running.trouble(), self._running.frame()
        if trouble or pixels is None:
            return TraySight((check_camera(CameraSample(self._now.shown_camera, trouble=trouble)),))
        seen = picture_checks.PictureMeasurements(pixels, models_and_stores.tray_layout(self._now))
        return picture_checks.look_at_tray(seen, self._running.dice())
