"""Locking exposure, gain and colours at the values that the camera's own automatics found in the present light.

Dice are read by their colours, and motion is seen as change: a camera that keeps adjusting itself looks like one in a
flickering room. The values are set explicitly and compared with what the camera reports of later frames, since
switching the automatics off does not guarantee that values stay where they were.
"""

from __future__ import annotations

import logging
from collections.abc import Container, Mapping
from typing import Any, TypeAlias

log = logging.getLogger(__name__)

Values: TypeAlias = dict[str, tuple[float, ...]]
"""The values of controls by their names; the colour gains are two numbers, all others one."""

LOCKED = {"ExposureTime": "exposure, in microseconds,", "AnalogueGain": "gain", "ColourGains": "colour gains"}
"""The controls that are locked, and what a person calls each."""
AUTOMATIC = {"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0}
"""The controls that switch the automatics on; some cameras need the zeros besides the switches."""

LEAST_SECONDS = 1.0
"""The least seconds for the automatics: their first frames may still have the values that were locked before."""
STEADY_SECONDS = 0.7
"""Seconds without a change after which the automatics have settled."""
MOST_SECONDS = 4.0
"""Seconds after which the values are locked as they are."""
STEADY = 0.03
"""The share by which values may vary while the automatics have settled."""
EFFECT_SECONDS = 1.0
"""The most seconds until a value that was set is reported with a frame."""
TOLERANCE = 0.05
"""The share by which a value may differ from the one that was set: sensors have steps."""
TRIES = 3
"""How often values are set that the camera does not keep, before it is reported."""
LASTING_SECONDS = 4.0
"""Seconds after which a change of light has come to stay; a hand is gone by then."""
FAR_SHARE, LEAST_LEVELS, FAR_LEVELS = 0.4, 5.0, 40.0
"""The light has changed when the brightness is off by this share plus the least levels, or by the far levels."""


class ExposureLock:
    """Decide which controls to set on a camera, frame by frame. `note` is '' or one sentence on values not kept.

    Only those of the controls in LOCKED that the camera offers are locked.
    """

    def __init__(self, camera: str, offered: Container[str]) -> None:
        self.note = ""
        self._camera = camera
        self._names = [name for name in LOCKED if name in offered]
        self._automatic = {name: value for name, value in AUTOMATIC.items() if name in offered}
        self._first_at: float | None = None
        self._start_measuring()

    def update(self, metadata: Mapping[str, Any], brightness: float, taken_at: float) -> dict[str, object]:
        """Return the controls to set after a frame; mostly none.

        metadata: what the camera reports of the frame. brightness: the median of its pixels, 0 to 255. taken_at: when
        it was taken, in seconds.
        """
        values = _reported(metadata, self._names)
        if not values:
            self._wait_for_values(taken_at)
            return {}
        if not self._locked:
            return self._lock(values, taken_at) if self._settling.has_settled(values, taken_at) else {}
        if taken_at - self._locked_at < EFFECT_SECONDS:
            return {}
        return self._verify(values, taken_at) or self._follow_light(brightness, taken_at)

    def _start_measuring(self) -> None:
        """Forget what was locked, and wait until the automatics settle."""
        self._settling = _Settling()
        self._light = _LightLevel()
        self._locked: Values = {}
        self._locked_at = float("nan")
        self._tries = 0

    def _lock(self, values: Values, at: float) -> dict[str, object]:
        self._locked, self._locked_at = values, at
        self._tries += 1
        return {name: _as_control(name, value) for name, value in values.items()}

    def _verify(self, values: Values, at: float) -> dict[str, object]:
        """Set again what is not kept, and report it when setting does not help."""
        kept = {name: value for name, value in values.items() if name in self._locked}
        strays = _strays(kept, self._locked, TOLERANCE)
        if strays and self._tries < TRIES:
            return self._lock(self._locked, at)
        if not strays:
            self._tries = 1
        self._report(self._not_kept(strays[0], values) if strays else self._not_reported())
        return {}

    def _wait_for_values(self, at: float) -> None:
        """Report that nothing can be locked, once the camera has reported nothing for MOST_SECONDS."""
        if self._first_at is None:
            self._first_at = at
        if not self._locked and not self._settling.has_begun and at - self._first_at >= MOST_SECONDS:
            self._report(self._not_reported())

    def _follow_light(self, brightness: float, at: float) -> dict[str, object]:
        """Switch the automatics on again once the light has been another for a while."""
        if not self._light.has_changed(brightness, at):
            return {}
        log.info("%s: light changed, measuring exposure and colours again", self._camera)
        self._start_measuring()
        return dict(self._automatic)

    def _not_kept(self, name: str, values: Values) -> str:
        wanted, got = (" and ".join(f"{one:g}" for one in told[name]) for told in (self._locked, values))
        return (
            f"The camera {self._camera} does not keep its {LOCKED[name]} at {wanted} but has {got};"
            " its pictures may change without the light."
        )

    def _not_reported(self) -> str:
        """Return a sentence on the controls that are offered and never reported, and so not locked; '' for none."""
        names = [LOCKED[name].partition(",")[0] for name in self._names if name not in self._locked]
        if not names:
            return ""
        return (
            f"The camera {self._camera} says nothing of its {' and its '.join(names)}."
            " Its pictures may change although the light does not."
        )

    def _report(self, note: str) -> None:
        if note and not self.note:
            log.warning("%s", note)
        self.note = note


class _Settling:
    """Watch the automatics until their values stay the same."""

    def __init__(self) -> None:
        self._last: Values = {}
        self._began_at = self._same_since = float("nan")

    @property
    def has_begun(self) -> bool:
        """True if values were reported."""
        return bool(self._last)

    def has_settled(self, values: Values, at: float) -> bool:
        """Take in the values of a frame. Return True if they have stayed the same, or have had the most seconds."""
        if not self._last:
            self._began_at = at
        if _strays(values, self._last, STEADY):
            self._last, self._same_since = values, at
        seconds = at - self._began_at
        return seconds >= MOST_SECONDS or (seconds >= LEAST_SECONDS and at - self._same_since >= STEADY_SECONDS)


class _LightLevel:
    """Compare the brightness with that of the first frame."""

    def __init__(self) -> None:
        self._level: float | None = None
        self._off_since: float | None = None

    def has_changed(self, brightness: float, at: float) -> bool:
        """Take in the brightness of a frame. Return True if it has been far from the first for LASTING_SECONDS."""
        if self._level is None:
            self._level = brightness
        if abs(brightness - self._level) <= min(FAR_LEVELS, FAR_SHARE * self._level + LEAST_LEVELS):
            self._off_since = None
            return False
        if self._off_since is None:
            self._off_since = at
            return False
        return at - self._off_since >= LASTING_SECONDS


def _reported(metadata: Mapping[str, Any], names: list[str]) -> Values:
    """Return those of the controls that the camera reports, as numbers; zero or nothing means that it does not."""
    values = {name: _numbers(metadata[name]) for name in names if metadata.get(name)}
    return {name: value for name, value in values.items() if all(one > 0 for one in value)}


def _numbers(value: Any) -> tuple[float, ...]:  # noqa: ANN401 - picamera2 has no types
    return tuple(float(one) for one in value) if isinstance(value, tuple | list) else (float(value),)


def _strays(values: Values, wanted: Values, share: float) -> list[str]:
    """Return the names of the values that are not as wanted."""
    return [name for name, value in values.items() if not _alike(value, wanted.get(name, ()), share)]


def _alike(value: tuple[float, ...], wanted: tuple[float, ...], share: float) -> bool:
    return len(value) == len(wanted) and all(abs(a - b) <= share * b for a, b in zip(value, wanted, strict=True))


def _as_control(name: str, value: tuple[float, ...]) -> object:
    if name == "ExposureTime":
        return round(value[0])
    return value if len(value) > 1 else value[0]
