from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from vander.box.health_monitor import SystemdWatchdog

FED = "WATCHDOG=1"


class System:
    """The service manager's end of the socket, and the time by which hearts beat."""

    def __init__(self, address: str) -> None:
        self.address, self.now = address, 100.0
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        self._socket.setblocking(False)

    def watchdog(self, interval_s: float | None = 30.0) -> SystemdWatchdog:
        return SystemdWatchdog(self.address, interval_s, clock=lambda: self.now)

    def heard(self) -> list[list[str]]:
        messages = []
        while True:
            try:
                messages.append(self._socket.recv(4096).decode().split("\n"))
            except BlockingIOError:
                return messages

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["path", "abstract"])
def system(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[System]:
    listening = System(f"@vander-{uuid4()}" if request.param == "abstract" else str(tmp_path / "notify"))
    yield listening
    listening.close()


def test_the_system_hears_when_the_program_is_ready_and_when_it_ends(system: System) -> None:
    watchdog = system.watchdog()
    watchdog.ready("Ready at http://192.168.1.7:8080")
    watchdog.stopping()
    assert system.heard() == [["READY=1", "STATUS=Ready at http://192.168.1.7:8080"], ["STOPPING=1"]]


def test_being_ready_does_not_feed_the_watchdog(system: System) -> None:
    system.watchdog().ready("Ready")
    assert all(FED not in message for message in system.heard())


def test_turns_of_the_loop_feed_the_watchdog_a_few_times_in_each_interval(system: System) -> None:
    watchdog = system.watchdog(interval_s=30)
    for _ in range(600):  # a minute of ten turns a second
        watchdog.beat()
        system.now += 0.1
    assert system.heard() == [[FED]] * 6


def test_a_loop_that_does_not_turn_feeds_nobody(system: System) -> None:
    watchdog = system.watchdog()
    watchdog.beat()
    system.heard()
    system.now += 1000
    watchdog.ready("Ready")
    assert system.heard() == [["READY=1", "STATUS=Ready"]]


def test_a_camera_in_trouble_is_shown_as_the_status_once_and_feeds_the_watchdog_like_any_other(system: System) -> None:
    watchdog = system.watchdog(interval_s=30)
    watchdog.ready("Ready")
    watchdog.beat()
    system.heard()
    for _ in range(100):
        watchdog.beat("The picture\nis frozen.")
        system.now += 0.11
    watchdog.beat("The picture is frozen.")
    watchdog.beat()
    assert system.heard() == [["STATUS=The picture is frozen."], [FED], ["STATUS=Ready"]]


def test_the_trouble_of_a_camera_that_failed_before_the_start_is_said_after_it(system: System) -> None:
    watchdog = system.watchdog(interval_s=30)
    watchdog.beat("There is no camera.")
    watchdog.ready("Ready")
    watchdog.beat("There is no camera.")
    assert system.heard() == [
        [FED, "STATUS=There is no camera."],
        ["READY=1", "STATUS=Ready"],
        ["STATUS=There is no camera."],
    ]


def test_what_was_not_heard_is_said_again(system: System) -> None:
    watchdog = system.watchdog()
    system.close()
    watchdog.beat("There is no camera.")
    if not system.address.startswith("@"):
        Path(system.address).unlink()
    again = System(system.address)
    watchdog.beat("There is no camera.")
    assert again.heard() == [[FED, "STATUS=There is no camera."]]
    again.close()


def test_without_a_watchdog_only_the_status_is_said(system: System) -> None:
    watchdog = system.watchdog(interval_s=None)
    watchdog.ready("Ready")
    watchdog.beat()
    watchdog.beat("There is no camera.")
    assert system.heard() == [["READY=1", "STATUS=Ready"], ["STATUS=There is no camera."]]


def test_a_heart_takes_its_socket_and_its_interval_from_the_environment(system: System) -> None:
    told = {"NOTIFY_SOCKET": system.address, "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": str(os.getpid())}
    watchdog = SystemdWatchdog.from_environment(told)
    watchdog.beat()
    assert system.heard() == [[FED]]


@pytest.mark.parametrize(
    "watchdog", [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "soon"}, {"WATCHDOG_USEC": "9", "WATCHDOG_PID": "1"}]
)
def test_a_watchdog_that_is_not_ours_is_not_fed(system: System, watchdog: dict[str, str]) -> None:
    watchdog = SystemdWatchdog.from_environment({"NOTIFY_SOCKET": system.address, **watchdog})
    watchdog.beat()
    watchdog.ready("Ready")
    assert system.heard() == [["READY=1", "STATUS=Ready"]]


def test_where_no_service_manager_is_nothing_is_said_and_nothing_raised() -> None:
    for watchdog in (SystemdWatchdog.from_environment({}), SystemdWatchdog("/nobody/is/here", 30.0)):
        watchdog.ready("Ready")
        watchdog.beat()
        watchdog.beat("There is no camera.")
        watchdog.stopping()
