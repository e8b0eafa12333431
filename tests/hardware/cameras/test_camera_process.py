"""Cameras in processes of their own: frames, errors, notes and logs cross, and nothing that hangs stays."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest
from faulty_cameras import picture

from hardware.cameras import open_camera
from hardware.cameras.base import CameraError, CameraLost, CameraStuck, NoSuchCamera
from hardware.cameras.camera_process import MOST_LEFT_BEHIND, CameraProcess, ProcessTimeouts
from referee.phrases import as_sentence
from referee.sentences import in_language
from web.languages import translations

PATIENT = ProcessTimeouts(opening_s=60.0, grace_s=60.0, closing_s=60.0, reaping_s=60.0)
HASTY = ProcessTimeouts(opening_s=60.0, grace_s=0.2, closing_s=0.2, reaping_s=60.0)
"""For cameras that hang."""
BRIEF = ProcessTimeouts(opening_s=60.0, grace_s=60.0, closing_s=0.1, aborting_s=0.1, reaping_s=0.2)
"""For processes that cannot be reaped."""
PTRACE_SEIZE = 0x4206


def camera(kind: str, *arguments: str | int, timeouts: ProcessTimeouts = PATIENT) -> CameraProcess:
    return CameraProcess("steady:0", f"faulty_cameras:{kind}", *arguments, timeouts=timeouts)


@contextmanager
def opened(kind: str, *arguments: str | int) -> Iterator[CameraProcess]:
    one = camera(kind, *arguments)
    one.open()
    try:
        yield one
    finally:
        one.close()


def children() -> list[int]:
    return [child.pid for child in psutil.Process().children(recursive=True)]


def files() -> set[str]:
    return {path.name for path in Path("/proc/self/fd").iterdir() if path.exists() or path.is_symlink()}


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Whatever a test does, no process is left of it."""
    before = children()
    yield
    assert set(children()) <= set(before)


# Frames


def test_frames_cross_unchanged_with_their_number_their_moment_and_their_small_picture() -> None:
    with opened("Steady", 64, 48, 16) as one:
        for number in (1, 2, 3):
            before = time.monotonic()
            frame = one.frame()
            assert (frame.number, before <= frame.taken_at <= time.monotonic()) == (number, True)
            assert np.array_equal(frame.pixels, picture(number, 64, 48))
            assert frame.small is not None
            assert np.array_equal(frame.small, picture(1000 - number, 16, 12))


def test_the_memory_that_two_processes_share_has_no_name_that_could_stay() -> None:
    with opened("Steady") as one:
        one.frame()
        for process in (one.process, "self"):
            shared = Path(f"/proc/{process}/maps").read_text("utf-8")
            assert "/memfd:vander frames (deleted)" in shared
            assert "/dev/shm/psm_" not in shared  # noqa: S108  as multiprocessing would have it


def test_a_frame_stays_as_it_is_when_the_next_one_comes() -> None:
    with opened("Steady") as one:
        first = one.frame()
        one.frame()
        assert first.small is None
        assert np.array_equal(first.pixels, picture(1, 64, 48))


def test_a_camera_may_change_its_size_while_it_is_open() -> None:
    with opened("Growing") as one:
        for number, (width, height) in enumerate([(64, 48), (128, 96), (256, 192), (512, 384)], 1):
            assert np.array_equal(one.frame().pixels, picture(number, width, height))


def test_opened_again_it_counts_from_one_in_another_process() -> None:
    one = camera("Steady")
    processes = set()
    for _ in range(2):
        one.open()
        assert [one.frame().number for _ in range(2)] == [1, 2]
        processes.add(one.process)
    one.close()
    one.close()
    assert (len(processes), one.process) == (2, None)


def test_a_camera_that_is_not_open_is_lost() -> None:
    with pytest.raises(CameraLost, match="steady:0 is not open; open it first"):
        camera("Steady").frame()


def test_notes_and_log_lines_cross_with_the_frames(caplog: pytest.LogCaptureFixture) -> None:
    with opened("Noting") as one:
        assert one.notes == ()
        one.frame()
        one.frame()
        assert one.notes == ("The camera has given 2 frames.",)
    assert one.notes == ()
    assert [(line.name, line.levelno, line.getMessage()) for line in caplog.records] == [
        ("steady", logging.WARNING, f"frame {number} of 100 %") for number in (1, 2)
    ]


# Errors


@pytest.mark.parametrize("error", [NoSuchCamera, CameraStuck])
def test_an_error_of_opening_crosses_as_it_is(error: type[CameraError]) -> None:
    with pytest.raises(error, match=f"^{error.__name__} says what would help$") as raised:
        camera("Failing", "open", error.__name__).open()
    assert raised.type is error


def test_a_lost_camera_crosses_as_such_and_may_be_asked_again() -> None:
    with opened("Failing", "frame", "CameraLost") as one:
        for _ in range(2):
            with pytest.raises(CameraLost, match=r"^CameraLost says what would help$"):
                one.frame()


def test_an_error_that_nobody_expected_is_a_lost_camera_and_its_traceback_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with (
        opened("Failing", "frame", "nonsense") as one,
        pytest.raises(CameraLost, match="steady:0 failed: nonsense says"),
    ):
        one.frame()
    assert "ZeroDivisionError" in caplog.text


def test_what_the_other_process_says_can_be_said_in_another_language() -> None:
    german = translations("de")
    assert german is not None
    with opened("Failing", "frame", "nonsense") as one, pytest.raises(CameraLost) as raised:
        one.frame()
    assert in_language(as_sentence(raised.value), german).startswith("Steady:0 ist ausgefallen: nonsense says")


@pytest.mark.parametrize(("fault", "end"), [("exit", "exit status 3"), ("crash", "SIGSEGV")])
@pytest.mark.parametrize("call", ["open", "frame"])
def test_a_process_that_ends_by_itself_is_a_camera_that_broke_off(call: str, fault: str, end: str) -> None:
    one = camera("Failing", call, fault)
    if call == "frame":
        one.open()
    failing, error = (one.open, NoSuchCamera) if call == "open" else (one.frame, CameraLost)
    with pytest.raises(error, match=rf"broke off \({end}\); check its cable"):
        failing()
    assert one.process is None


def test_a_camera_that_cannot_be_imported_is_none() -> None:
    with pytest.raises(NoSuchCamera, match="broke off"):
        CameraProcess("odd:0", "no_such_module:Camera").open()


# Hanging


@pytest.mark.parametrize("fault", ["hang", "hang with the lock"])
def test_a_camera_that_hangs_is_stopped_and_opens_again(fault: str, capfd: pytest.CaptureFixture[str]) -> None:
    one = camera("Failing", "frame", fault, timeouts=HASTY)
    for _ in range(2):
        one.open()
        process = one.process
        with pytest.raises(CameraLost, match="steady:0 hangs and was stopped; check its cable"):
            one.frame(0.1)
        assert (one.process, psutil.pid_exists(process or 0)) == (None, False)
    assert "faulty_cameras.py" in capfd.readouterr().err  # where it hung


def test_an_opening_that_hangs_is_a_camera_that_is_stuck() -> None:
    one = camera("Failing", "open", "hang", timeouts=ProcessTimeouts(opening_s=1.5))
    with pytest.raises(CameraStuck, match="steady:0 hangs while it is opened; check its cable, or restart the box"):
        one.open()
    assert one.process is None


def test_a_camera_that_does_not_close_is_stopped() -> None:
    one = camera("Failing", "close", "hang", timeouts=HASTY)
    one.open()
    one.frame()
    one.close()
    assert one.process is None


TRACER = """
import ctypes, sys
traced = ctypes.CDLL(None, use_errno=True).ptrace(int(sys.argv[1]), int(sys.argv[2]), None, None)
print(traced, flush=True)
sys.stdin.read()
"""


@contextmanager
def traced(process: int | None) -> Iterator[None]:
    """While it lasts, the process cannot be reaped by its parent, as one whose driver never returns."""
    tracer = subprocess.Popen(  # noqa: S603  our own interpreter
        [sys.executable, "-c", TRACER, str(PTRACE_SEIZE), str(process)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert tracer.stdin is not None
    assert tracer.stdout is not None
    try:
        if tracer.stdout.readline() != "0\n":
            pytest.skip("this system lets no process trace another")
        yield
    finally:
        tracer.stdin.close()
        tracer.wait()
        tracer.stdout.close()


def test_a_process_that_cannot_be_ended_is_left_behind_and_another_is_tried() -> None:
    one = camera("Steady", timeouts=BRIEF)
    one.open()
    first = one.process
    with traced(first):
        one.close()
        one.open()
        assert one.frame().number == 1
        assert first in children()
        one.close()
    one.open()
    one.close()


def test_no_more_processes_than_a_few_are_left_behind() -> None:
    one = camera("Steady", timeouts=BRIEF)
    with ExitStack() as all_traced:
        for _ in range(MOST_LEFT_BEHIND):
            one.open()
            all_traced.enter_context(traced(one.process))
            one.close()
        for _ in range(2):
            with pytest.raises(CameraStuck, match="steady:0 hangs in its driver; restart the box"):
                one.open()
    one.open()
    assert one.frame().number == 1
    one.close()


def test_a_camera_that_does_not_open_while_an_old_process_holds_it_hangs_in_its_driver(tmp_path: Path) -> None:
    held = tmp_path / "held"
    one = CameraProcess(
        "steady:0", "faulty_cameras:Held", str(held), timeouts=ProcessTimeouts(closing_s=0.1, reaping_s=0.2)
    )
    one.open()
    with traced(one.process):
        one.close()
        held.touch()
        with pytest.raises(CameraStuck, match="steady:0 hangs in its driver; restart the box"):
            one.open()
    with pytest.raises(NoSuchCamera, match="in use") as raised:
        one.open()
    assert raised.type is NoSuchCamera


# Beginning and end


def test_the_process_imports_what_the_camera_needs_and_ignores_signals_for_the_program(tmp_path: Path) -> None:
    told = tmp_path / "told"
    with opened("Telling", str(told)) as one:
        one.frame()
    ignored, *modules = told.read_text("utf-8").splitlines()
    assert set(ignored.split()) >= {"SIGINT", "SIGTERM", "SIGHUP"}
    loaded = {module.partition(".")[0] for module in modules}
    assert loaded >= {"numpy", "hardware", "vision"}
    assert not loaded & {"onnxruntime", "flask", "models", "web", "vander", "typer", "rich", "sqlalchemy"}
    # What people read of a camera's status can be said in another language; of the rules themselves nothing is needed.
    words = {"referee.sentences"}
    assert {module for module in modules if module.startswith("referee.")} == words


def test_signals_that_a_terminal_sends_to_all_do_not_end_the_camera() -> None:
    with opened("Steady") as one:
        assert one.process is not None
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(one.process, number)
        assert os.getsid(one.process) == one.process
        assert [one.frame().number for _ in range(2)] == [1, 2]


PARENT = """
import sys
sys.path[:0] = sys.argv[1:3]
from hardware.cameras.camera_process import CameraProcess
camera = CameraProcess("steady:0", "faulty_cameras:Failing", *sys.argv[3:6])
camera.open()
camera.frame(1000) if sys.argv[3] == "frame" else print(camera.frame().number, camera.process, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("fault", ["", "hang", "hang with the lock"])
def test_the_process_ends_with_its_program_however_that_one_ends(
    fault: str, end: signal.Signals, tmp_path: Path, until: Callable[[Callable[[], bool]], None]
) -> None:
    begun = tmp_path / "begun"
    tests = Path(__file__).parents[2]
    arguments = ["frame", fault, str(begun)] if fault else ["none", "", ""]
    parent = subprocess.Popen(  # noqa: S603  our own interpreter
        [sys.executable, "-c", PARENT, str(tests.parent), str(tests), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with parent:
        if fault:
            until(lambda: begun.exists() and begun.read_text() != "")
            child = int(begun.read_text())
        else:
            assert parent.stdout is not None
            child = int(parent.stdout.readline().split()[1])
        assert psutil.Process(child).ppid() == parent.pid
        parent.send_signal(end)
        parent.wait()
        until(lambda: not _runs(child))


def _runs(process: int) -> bool:
    """True if it runs: one that ended may wait for somebody to take note of it."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    return False


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_restarts_leave_no_process_no_thread_and_no_open_file() -> None:
    faults = ("none", "frame", "close")
    one = camera("Failing", "none", "")
    one.open()
    one.close()
    before = files(), threading.active_count()
    for number in range(12):
        one = camera("Failing", faults[number % 3], ("none", "hang", "exit")[number % 3], timeouts=HASTY)
        one.open()
        with suppress(CameraLost):
            one.frame(0.05)
        one.close()
    assert (files(), threading.active_count()) == before


@pytest.mark.slow
@pytest.mark.parametrize("call", ["capture", "close"])
def test_a_pi_camera_whose_driver_hangs_opens_again_in_another_process(call: str) -> None:
    one = CameraProcess(
        "picamera:0", "stand_in_picamera2:camera_that_hangs", call, timeouts=replace(PATIENT, closing_s=0.5)
    )
    for _ in range(2):
        one.open()
        assert one.frame().number == 1
        if call == "capture":
            with pytest.raises(CameraLost, match="gave no frame"):
                one.frame()
        one.close()


@pytest.mark.parametrize("name", ["usb:0", "picamera:0"])
def test_cameras_with_drivers_run_in_processes_of_their_own(name: str) -> None:
    one = open_camera(name)
    assert isinstance(one, CameraProcess)
    assert (one.name, one.is_live, one.simulator, one.process) == (name, True, None, None)


def test_a_webcam_that_is_not_there_is_said_from_its_own_process() -> None:
    with pytest.raises(NoSuchCamera, match="no webcam answers at usb:/dev/no-such-camera"):
        open_camera("usb:/dev/no-such-camera").open()


def test_what_a_camera_is_made_of_is_on_no_command_line() -> None:
    with opened("Failing", "none", "a password") as one:
        assert "a password" not in Path(f"/proc/{one.process}/cmdline").read_text("utf-8")
