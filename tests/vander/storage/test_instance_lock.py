from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from vander.storage import data_folder
from vander.storage.data_folder import AlreadyRunning, RunningInstance, StorageError

HOUSE = Path(__file__).parents[3]
ANOTHER = """
import sys
from pathlib import Path
from vander.storage import data_folder
with data_folder.hold(Path(sys.argv[1]), "http://0.0.0.0:8080"):
    print("here", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that uses the folder until its input ends."""
    program = [sys.executable, "-c", ANOTHER, str(folder)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HOUSE) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        yield process
        process.kill()


def test_a_second_program_is_told_of_the_first(tmp_path: Path) -> None:
    with (
        another(tmp_path) as first,
        pytest.raises(AlreadyRunning) as refused,
        data_folder.hold(tmp_path, timeout_s=0),
    ):
        pass
    assert str(refused.value).startswith(
        f"another Vander (process {first.pid}, http://0.0.0.0:8080) already uses the folder {tmp_path}; "
    )


def test_who_asks_learns_which_program_runs(tmp_path: Path) -> None:
    assert data_folder.running_instance(tmp_path) is None
    with another(tmp_path) as first:
        assert data_folder.running_instance(tmp_path) == RunningInstance(first.pid, "http://0.0.0.0:8080")
        first.communicate("")
    assert data_folder.running_instance(tmp_path) is None


def test_a_program_that_was_killed_is_in_nobodys_way(tmp_path: Path) -> None:
    with another(tmp_path) as first:
        first.kill()
        first.wait()
        assert (tmp_path / data_folder.LOCK).read_text("utf-8").startswith(str(first.pid))
        assert data_folder.running_instance(tmp_path) is None
        with data_folder.hold(tmp_path):
            assert data_folder.running_instance(tmp_path) == RunningInstance(os.getpid())


def test_one_that_is_just_ending_is_waited_for(tmp_path: Path) -> None:
    with another(tmp_path) as first:
        assert first.stdin is not None
        first.stdin.close()
        with data_folder.hold(tmp_path, "http://127.0.0.1:8381"):
            assert data_folder.running_instance(tmp_path) == RunningInstance(os.getpid(), "http://127.0.0.1:8381")


def test_the_folder_is_free_again_afterwards_and_was_made_before(tmp_path: Path) -> None:
    folder = tmp_path / "not/there/yet"
    with data_folder.hold(folder):
        pass
    assert data_folder.running_instance(folder) is None
    with data_folder.hold(folder):
        pass


def test_asking_about_a_folder_that_is_not_there_makes_none(tmp_path: Path) -> None:
    assert data_folder.running_instance(tmp_path / "nowhere") is None
    assert list(tmp_path.iterdir()) == []


def test_two_folders_may_be_used_at_once(tmp_path: Path) -> None:
    with another(tmp_path / "one"), data_folder.hold(tmp_path / "two"):
        assert data_folder.running_instance(tmp_path / "one") != data_folder.running_instance(tmp_path / "two")


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(StorageError, match=r"the data folder .*file/data cannot be written: .+; name another"),
        data_folder.hold(tmp_path / "file/data"),
    ):
        pass


def test_a_lock_without_a_name_is_a_lock_still(tmp_path: Path) -> None:
    with another(tmp_path):
        (tmp_path / data_folder.LOCK).write_bytes(b"\xff nonsense")
        assert data_folder.running_instance(tmp_path) == RunningInstance(0)
        with (
            pytest.raises(AlreadyRunning, match=r"^another Vander already uses"),
            data_folder.hold(tmp_path, timeout_s=0),
        ):
            pass


@pytest.mark.parametrize("who", [RunningInstance(12), RunningInstance(12, "http://[::]:8080")])
def test_what_is_written_is_read_again(who: RunningInstance) -> None:
    assert RunningInstance.parse(who.line()) == who
