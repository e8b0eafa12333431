"""What each command may do with a data folder while another program uses it: a new command needs a line here."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
import typer
from click import Command
from test_commands import vander

from vander.backup import PREVIOUS_DIR, create_backup, restore_backup
from vander.cli.main import COMMANDS, command_line
from vander.storage import data_folder
from vander.storage.data_folder import AlreadyRunning, commit_restore, prepare_restore
from vander.storage.journal_store import Journal

pytestmark = pytest.mark.skipif(data_folder.fcntl is None, reason="Windows has no such locks")

RECORD = "game: intersection\nplayers: Ann\n1 begin\n"
ALONE = {
    "play": "play --camera virtual",
    "hall": "hall",
    "restore": "restore backup.zip",
    "players change": "players change Ann --name Eve",
    "players merge": "players merge Ann Bob",
    "players forget": "players forget Ann",
    "players tidy": "players tidy",
    "import --go-on": "import game.txt --go-on",
    "teach": "teach d6",
    "capture": "capture --set d6 --camera virtual",
}
"""Commands that no other may run next to: they replace files that a running Vander keeps open."""
SHARED = {
    "read": "read photo.jpg",
    "check": "check game.txt",
    "export": "export",
    "games": "games",
    "plays": "plays",
    "fairness": "fairness d6",
    "players list": "players list",
    "players statistics": "players statistics Ann",
    "players results": "players results Ann",
    "players count": "players count",
    "report": "report",
    "backup": "backup new.zip",
    "doctor": "doctor --camera virtual",
    "support": "support new.zip --camera virtual",
    "webhooks": "webhooks",
    "webhooks test": "webhooks test",
    "webhooks resume": "webhooks resume home",
    "import": "import game.txt",
    "calibrate": "calibrate --camera virtual",
    "capture export": "capture export out",
    "capture import": "capture import pictures",
}
"""Commands that run next to a running Vander, whose databases and captured dice have locks of their own."""
ASKING = {"pair", "stage", "hall-join"}
"""Commands that ask the running Vander, and only read the folder's key."""


def leaves(words: Sequence[str], command: Command) -> Iterator[str]:
    """All commands that can be given a data folder."""
    if any(option.name == "data_dir" for option in command.params):
        yield " ".join(words)
    for name, each in getattr(command, "commands", {}).items():
        yield from leaves((*words, name), each)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder, with files to name in the working directory; signals are given back after the test."""
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.txt").write_text(RECORD, "utf-8")
    (tmp_path / "data").mkdir()
    yield tmp_path / "data"
    for each, handler in before.items():
        signal.signal(each, handler)


def is_refused(words: str, folder: Path) -> bool:
    """True if a command is refused because of the lock; all that it changed then is the lock's file."""
    done = vander(*words.split(), "--data-dir", str(folder))
    refused = "already uses the folder" in done.stderr
    if refused:
        assert done.returncode == 2, done.stderr
        assert {path.name for path in folder.iterdir()} <= {"running.lock"}
    return refused


def test_each_command_that_is_given_a_data_folder_has_its_line_here() -> None:
    apps = {name: typer.main.get_command(command_line([name])) for name in COMMANDS}
    listed = {*ALONE, *SHARED, *ASKING} - {"import --go-on"}
    assert {leaf for name, app in apps.items() for leaf in leaves((name,), app.commands[name])} == listed


@pytest.mark.parametrize("words", [*ALONE.values(), *SHARED.values()])
def test_while_a_folder_is_restored_nothing_else_touches_it(words: str, folder: Path) -> None:
    with data_folder.hold(folder), data_folder.share(folder, alone=True):
        assert is_refused(words, folder)


@pytest.mark.parametrize("words", ALONE.values())
def test_what_changes_open_files_is_refused_while_vander_runs(words: str, folder: Path) -> None:
    with data_folder.hold(folder, "http://127.0.0.1:8381"):
        assert is_refused(words, folder)


@pytest.mark.parametrize("words", ["export", "games", "plays", "players count", "backup new.zip", "import game.txt"])
def test_what_shares_the_folder_runs_next_to_a_running_vander(words: str, folder: Path) -> None:
    with data_folder.hold(folder, "http://127.0.0.1:8381"):
        assert not is_refused(words, folder)


def test_a_folder_that_somebody_uses_is_not_restored(folder: Path) -> None:
    create_backup(folder, folder.parent / "backup.zip")
    with data_folder.share(folder), pytest.raises(AlreadyRunning):
        restore_backup(folder, folder.parent / "backup.zip")
    restore_backup(folder, folder.parent / "backup.zip")


@pytest.mark.parametrize("words", ["import game.txt", "import game.txt --go-on"])
def test_a_restore_that_was_killed_is_completed_before_a_command(words: str, folder: Path) -> None:
    (folder / "choices.toml").write_text("old", "utf-8")
    (prepare_restore(folder) / "choices.toml").write_text("new", "utf-8")
    commit_restore(folder)
    assert vander(*words.split(), "--data-dir", str(folder)).returncode == 0
    with data_folder.hold(folder), closing(Journal.in_folder(folder)) as journal:  # as the next start does
        assert len(journal.games()) == 1
    assert [(folder / place / "choices.toml").read_text("utf-8") for place in (".", PREVIOUS_DIR)] == ["new", "old"]
