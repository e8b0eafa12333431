"""The doctor from inside the running program: it looks at the pictures that the watch takes, and disturbs nobody."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from referee.text import as_sentence
from vander.diagnostics.camera_probe import watch
from vander.diagnostics.focus import focus
from vander.diagnostics.log_tail import LogTail
from vander.diagnostics.run_checks import examined
from vander.diagnostics.support_bundle import packed
from vander.resources import vision_models
from vander.session.health_alert import HealthAlert
from vander.storage.settings import Settings
from vision.frames import Pixels
from web.schemas.diagnostics_schemas import Finding, Focus, Verdict

FINDINGS_KEPT_S = 4.0
FOCUS_KEPT_S = 0.3
"""So long an answer serves everybody who asks: several tablets cost no more than one."""


def _nothing() -> None:
    return None


T = TypeVar("T")


class _CachedResult(Generic[T]):
    """What making takes a while, made anew when it has grown old; whoever comes meanwhile waits for it."""

    def __init__(self, make: Callable[[], T], keep_s: float) -> None:
        self._make, self._keep_s = make, keep_s
        self._lock = Lock()
        self._made: tuple[float, T] | None = None

    def now(self) -> T:
        """What was made last, if not too long ago."""
        with self._lock:
            if self._made is None or time.monotonic() - self._made[0] > self._keep_s:
                made = self._make()
                self._made = time.monotonic(), made
            return self._made[1]


@dataclass(frozen=True)
class RunningState:
    """What the running program tells the doctor. Every callable may be called from any thread, at any time.

    `frame` gives the last picture, `trouble` what is wrong with the camera ('' for nothing), `notes` what the camera
    says of itself, `alerts` what the box worries about.
    """

    frame: Callable[[], Pixels | None] = _nothing
    trouble: Callable[[], str] = str
    notes: Callable[[], Sequence[str]] = tuple
    alerts: Callable[[], Sequence[HealthAlert]] = tuple


class DiagnosticsService:
    """The doctor of `web.services`. Examines in the thread that asks, one at a time; answers are kept some seconds.

    `looking_s`: so long it counts the pictures that come; `root`: where the machine's files begin.
    """

    def __init__(
        self,
        settings: Settings,
        watched: RunningState,
        lines: LogTail | None = None,
        *,
        looking_s: float = 1.0,
        root: Path = Path("/"),
    ) -> None:
        self._settings, self._watched, self._lines = settings, watched, lines
        self._looking_s, self._root = looking_s, root
        self._findings: _CachedResult[tuple[Finding, ...]] = _CachedResult(self._examine, FINDINGS_KEPT_S)
        self._focus: _CachedResult[Focus] = _CachedResult(self._look, FOCUS_KEPT_S)

    def findings(self) -> Sequence[Finding]:
        """What is found now, or was a few seconds ago."""
        return self._findings.now()

    def focus(self) -> Focus:
        """How sharp the picture is now."""
        return self._focus.now()

    def pack(self, pictures: bool) -> bytes:
        """A zip for whoever helps."""
        lines = self._lines.lines() if self._lines else ()
        view = self._watched.frame() if pictures else None
        return packed(self._settings, self.findings(), lines, pictures=pictures, view=view, root=self._root)

    def _examine(self) -> tuple[Finding, ...]:
        told = self._watched
        sighted = watch(self._settings.camera, told.frame, told.trouble(), told.notes(), self._looking_s)
        return examined(self._settings, sighted, serving=True, alerts=told.alerts(), root=self._root)

    def _look(self) -> Focus:
        trouble, pixels = self._watched.trouble(), self._watched.frame()
        if trouble or pixels is None:
            return Focus(Verdict.BAD, as_sentence(trouble or "The camera gives no picture"), 0.0)
        return focus(pixels, vision_models.tray_layout(self._settings))
