"""What throttle again and again must not fill the card."""

from __future__ import annotations

import logging

import pytest

from vander.box.health_monitor import LONGEST_S, LogThrottle

LOG = logging.getLogger("of.the.throttle")
HOURS = 2


class Clock:
    """A clock that advances only when the test moves it."""

    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def raised(number: int = 0) -> Exception:
    """An error from one place, whose words are never the same."""
    with pytest.raises(OSError, match="the lamp") as caught:
        raise OSError(f"the lamp is gone, {number}")
    return caught.value


def test_the_first_of_a_kind_is_told_in_full_and_later_ones_ever_more_seldom(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    throttle = LogThrottle(LOG, "lamp: failed", clock)
    for number in range(HOURS * 7200):
        throttle.error(raised(number))
        clock.seconds += 0.5
    told = [record.message for record in caplog.records]
    assert told[:3] == [
        "lamp: failed: the lamp is gone, 0",
        "lamp: failed: 2 times more, last: the lamp is gone, 2",
        "lamp: failed: 4 times more, last: the lamp is gone, 6",
    ]
    assert [bool(record.exc_info) for record in caplog.records] == [True] + [False] * (len(told) - 1)
    assert HOURS * 3600 / LONGEST_S < len(told) < HOURS * 3600 / LONGEST_S + 15


def test_another_kind_is_told_in_full_too(caplog: pytest.LogCaptureFixture) -> None:
    throttle = LogThrottle(LOG, "lamp: failed", Clock())
    for error in (raised(), ValueError("no colour"), raised(), ValueError("no colour")):
        throttle.error(error)
    assert [record.exc_info is not None for record in caplog.records] == [True, True]
