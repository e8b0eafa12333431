"""The doctor inside the running program: it checks the frames of the camera loop, and interrupts nobody."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from referee.phrases import as_sentence
from referee.refused import Reason, Refused
from vander.diagnostics.camera_checks import check_camera
from vander.diagnostics.camera_probe import CameraSample, sample_frames
from vander.diagnostics.log_tail import LogTail
from vander.diagnostics.picture_checks import PictureMeasurements
from vander.diagnostics.run_checks import run_all_checks
from vander.diagnostics.support_bundle import build_bundle
from vander.diagnostics.tray_sight import look_at_tray
from vander.resources import vision_models
from vander.session.session_state import HealthAlert
from vander.storage.camera_file import with_camera
from vander.storage.settings import Settings
from vander.storage.storage_errors import Unwritten
from vision.frames import Pixels
from vision.observations import TrackedDie
from web.schemas.diagnostics_schemas import Finding, TraySight
from web.services.hall_link_backend import JoinedHall

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
    without the games that it lacks, and raises Unwritten. `hall` returns the hall that the table belongs to.
    """

    camera: Callable[[], str] = str
    frame: Callable[[], Pixels | None] = _nothing
    dice: Callable[[], Sequence[TrackedDie]] = tuple
    trouble: Callable[[], str] = str
    notes: Callable[[], Sequence[str]] = tuple
    alerts: Callable[[], Sequence[HealthAlert]] = tuple
    accept_missing: Callable[[], None] = _nothing
    hall: Callable[[], JoinedHall | None] = _nothing
    is_steady: Callable[[], bool] = lambda: True


class DiagnosticsService:
    """The `DiagnosticsBackend` of the pages. Checks run in the caller's thread, one caller at a time.

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
        return build_bundle(self._now, self.findings(), lines, pictures=pictures, view=view, root=self._root)

    @property
    def _now(self) -> Settings:
        """Return the settings with the camera that is on."""
        return with_camera(self._settings, self._running.camera() or self._settings.camera)

    def _examine(self) -> tuple[Finding, ...]:
        running, settings = self._running, self._now
        name = settings.shown_camera
        sample = sample_frames(name, running.frame, running.trouble(), running.notes(), self._seconds)
        sample = replace(sample, steady=running.is_steady())
        return run_all_checks(
            settings, sample, serving=True, alerts=running.alerts(), hall=running.hall, root=self._root
        )

    def _look(self) -> TraySight:
        trouble, pixels = self._running.trouble(), self._running.frame()
        if trouble or pixels is None:
            return TraySight((check_camera(CameraSample(self._now.shown_camera, trouble=trouble)),))
        seen = PictureMeasurements(pixels, vision_models.tray_layout(self._now))
        return look_at_tray(seen, self._running.dice())
