"""All health checks in the order of the page, and the doctor inside the running program, who interrupts nobody."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from hardware import system_health
from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say
from vander.access.page_addresses import NetworkState
from vander.doctor import HealthCheck, box_checks, camera_checks, run_checks
from vander.doctor.camera_checks import CameraSample, check_camera, sample_frames
from vander.doctor.picture_checks import PictureMeasurements, look_at_tray
from vander.doctor.support_bundle import LogTail, build_bundle
from vander.resources import vision_models
from vander.storage.camera_file import with_camera
from vander.storage.data_folder import Unwritten
from vander.storage.settings import Settings
from vander.table.session_state import HealthAlert
from vision.frames import Pixels
from vision.observations import TrackedDie
from web.schemas.access_schemas import Finding, TraySight, Verdict

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
    of_camera = camera_checks.checks(sample, vision_models.tray_layout(settings))
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
        seen = PictureMeasurements(pixels, vision_models.tray_layout(self._now))
        return look_at_tray(seen, self._running.dice())
