from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    """The mock pins that gpiozero ships."""
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()  # closing does not let go of mock pins
    Device.pin_factory = before


@pytest.fixture
def no_pins() -> Iterator[None]:
    """A machine without pins."""
    before, Device.pin_factory = Device.pin_factory, None
    yield
    Device.pin_factory = before


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], None]:
    """Wait until something is so; fail when it never is."""

    def wait(so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not so():
            assert time.monotonic() < deadline, "that never came"
            time.sleep(0.002)

    return wait
