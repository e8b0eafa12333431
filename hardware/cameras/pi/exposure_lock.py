"""A steady picture: exposure, gain and colours held at what the camera's own automatics found in this light.

Dice are read by their colours, and motion is seen by change, so that a camera that keeps adjusting itself is taken for
one in a flickering room. The values are set one by one and looked for in what the camera says of later frames, since
switching its automatics off is no promise that they stay where they were.
"""

from __future__ import annotations

import logging
from collections.abc import Container, Mapping
from typing import Any, TypeAlias

log = logging.getLogger(__name__)

Values: TypeAlias = dict[str, tuple[float, ...]]
"""What a control has, or should have; the colour gains are two numbers."""

HELD = {"ExposureTime": "exposure, in microseconds,", "AnalogueGain": "gain", "ColourGains": "colour gains"}
"""The controls that are held, and what a person calls each."""
AUTOMATIC = {"AeEnable": True, "AwbEnable": True, "ExposureTime": 0, "AnalogueGain": 0}
"""What gives exposure and colours back to the camera; a zero does where the switch alone does not."""

LEAST_SECONDS = 1.0
"""The automatics have at least so long: their first frames may still tell of what was held before."""
STEADY_SECONDS = 0.7
"""So long the values must have stayed the same before they are held."""
MOST_SECONDS = 4.0
"""After so long they are held as they are."""
STEADY = 0.03
"""Share by which values that stay the same may vary."""
EFFECT_SECONDS = 1.0
"""How long a value that was set takes to be seen in the frames, at the most."""
TOLERANCE = 0.05
"""Share by which a value may differ from what was asked: sensors know only steps."""
TRIES = 3
"""So often values are set that are not kept, before it is said."""
LASTING_SECONDS = 4.0
"""A change of light that lasts so long is there for good; a hand is gone by then."""
FAR_SHARE, LEAST_LEVELS, FAR_LEVELS = 0.4, 5.0, 40.0
"""The light is another when brightness is off by this share of it and the least levels more, or by the far levels."""


class Steady:
    """Holds those of the controls in HELD that a camera offers. `note` is '' or one sentence: they are not."""

    def __init__(self, camera: str, offered: Container[str]) -> None:
        self.note = ""
        self._camera = camera
        self._names = [name for name in HELD if name in offered]
        self._automatic = {name: value for name, value in AUTOMATIC.items() if name in offered}
        self._looked_at: float | None = None
        self._measure()

    def look(self, told: Mapping[str, Any], brightness: float, at: float) -> dict[str, object]:
        """What is to be set now, mostly nothing.

        told: what the camera says of a frame. brightness: the median of its pixels. at: when it was taken (seconds).
        """
        values = _values(told, self._names)
        if not values:
            self._wait_for_values(at)
            return {}
        if not self._asked:
            return self._ask(values, at) if self._have_settled(values, at) else {}
        if at - self._asked_at < EFFECT_SECONDS:
            return {}
        return self._verify(values, at) or self._follow(brightness, at)

    def _measure(self) -> None:
        """Forget what was held, and watch where the automatics settle."""
        self._asked: Values = {}
        self._asked_at = self._began = self._same_since = float("nan")
        self._last: Values = {}
        self._tries = 0
        self._level: float | None = None
        self._off_since: float | None = None

    def _have_settled(self, values: Values, at: float) -> bool:
        if not self._last:
            self._began = at
        if _strays(values, self._last, STEADY):
            self._last, self._same_since = values, at
        lasted = at - self._began
        return lasted >= MOST_SECONDS or (lasted >= LEAST_SECONDS and at - self._same_since >= STEADY_SECONDS)

    def _ask(self, values: Values, at: float) -> dict[str, object]:
        self._asked, self._asked_at = values, at
        self._tries += 1
        return {name: _as_control(name, value) for name, value in values.items()}

    def _verify(self, values: Values, at: float) -> dict[str, object]:
        """Ask once more for what is not kept, and say so when asking does not help."""
        kept = {name: value for name, value in values.items() if name in self._asked}
        strays = _strays(kept, self._asked, TOLERANCE)
        if strays and self._tries < TRIES:
            return self._ask(self._asked, at)
        if not strays:
            self._tries = 1
        self._say(self._told(strays[0], values) if strays else self._untold())
        return {}

    def _wait_for_values(self, at: float) -> None:
        """Say that nothing can be held, once the camera has told nothing for as long as its automatics may take."""
        if self._looked_at is None:
            self._looked_at = at
        if not self._asked and not self._last and at - self._looked_at >= MOST_SECONDS:
            self._say(self._untold())

    def _follow(self, brightness: float, at: float) -> dict[str, object]:
        """Give exposure and colours back to the camera once the light has been another for a while."""
        if self._level is None:
            self._level = brightness
        if abs(brightness - self._level) <= min(FAR_LEVELS, FAR_SHARE * self._level + LEAST_LEVELS):
            self._off_since = None
        elif self._off_since is None:
            self._off_since = at
        elif at - self._off_since >= LASTING_SECONDS:
            log.info("the light at %s is another; its exposure and colours are measured anew", self._camera)
            self._measure()
            return dict(self._automatic)
        return {}

    def _told(self, name: str, values: Values) -> str:
        wanted, got = (" and ".join(f"{one:g}" for one in told[name]) for told in (self._asked, values))
        return (
            f"The camera {self._camera} does not keep its {HELD[name]} at {wanted} but has {got};"
            " its pictures may change without the light."
        )

    def _untold(self) -> str:
        """A sentence on what is offered but nothing was told of, so that it could not be held, or ''."""
        names = [HELD[name].partition(",")[0] for name in self._names if name not in self._asked]
        if not names:
            return ""
        return (
            f"The camera {self._camera} says nothing of its {' and its '.join(names)},"
            " so that its pictures cannot be held steady and may change without the light."
        )

    def _say(self, note: str) -> None:
        if note and not self.note:
            log.warning("%s", note)
        self.note = note


def _values(told: Mapping[str, Any], names: list[str]) -> Values:
    """Those of the controls that the camera tells of, as numbers; what is zero or missing tells nothing."""
    values = {name: _numbers(told[name]) for name in names if told.get(name)}
    return {name: value for name, value in values.items() if all(one > 0 for one in value)}


def _numbers(value: Any) -> tuple[float, ...]:  # noqa: ANN401 - picamera2 has no types
    return tuple(float(one) for one in value) if isinstance(value, tuple | list) else (float(value),)


def _strays(values: Values, wanted: Values, share: float) -> list[str]:
    """Those of the values that are not as wanted."""
    return [name for name, value in values.items() if not _alike(value, wanted.get(name, ()), share)]


def _alike(value: tuple[float, ...], wanted: tuple[float, ...], share: float) -> bool:
    return len(value) == len(wanted) and all(abs(a - b) <= share * b for a, b in zip(value, wanted, strict=True))


def _as_control(name: str, value: tuple[float, ...]) -> object:
    if name == "ExposureTime":
        return round(value[0])
    return value if len(value) > 1 else value[0]
