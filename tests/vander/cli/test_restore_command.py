"""`vander restore` as a person types it: what comes along is asked about, or refused where nobody can answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_commands import VANDER, vander

pytestmark = pytest.mark.slow
KEEPER = {"number": 1, "name": "Ann's", "role": "keeper", "digest": "a" * 64}
NAMED = "It lets in what is not paired here: Ann's (a keeper)."


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "tablets.json").write_text(json.dumps({"format": 1, "last": 1, "guests": [KEEPER]}), "utf-8")
    (theirs / "choices.toml").write_text("quota_mb = 200\n", "utf-8")
    done = vander("backup", str(tmp_path / "theirs.zip"), folder=theirs)
    assert done.returncode == 0, done.stderr
    return tmp_path / "theirs.zip"


def is_restored(folder: Path) -> bool:
    return (folder / "choices.toml").exists()


def test_without_a_terminal_nothing_comes_in_unasked(backup: Path, tmp_path: Path) -> None:
    done = vander("restore", str(backup), folder=tmp_path / "here")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert NAMED in done.stderr
    assert done.stderr.rstrip().endswith("give --yes to take it, or --without-devices to leave the tablets out.")
    assert not is_restored(tmp_path / "here")


@pytest.mark.parametrize(("option", "tablets"), [("--yes", True), ("--without-devices", False)])
def test_an_option_answers_beforehand(backup: Path, tmp_path: Path, option: str, tablets: bool) -> None:
    here = tmp_path / "here"
    done = vander("restore", option, str(backup), folder=here)
    assert (done.returncode, NAMED in done.stderr) == (0, tablets)
    assert (is_restored(here), (here / "tablets.json").exists()) == (True, tablets)


@pytest.mark.parametrize(
    ("answer", "piped", "restored"),
    [("y\n", False, True), ("\n", False, False), ("y\n", True, True), ("n\n", True, False)],
)
def test_at_a_terminal_the_owner_is_asked(
    backup: Path, tmp_path: Path, answer: str, piped: bool, restored: bool
) -> None:
    here = tmp_path / "here"
    words = ("restore", "-" if piped else str(backup))
    shown, status = at_a_terminal(answer, backup if piped else None, *words, folder=here)
    assert NAMED in shown
    assert "Restore it? [y/N]" in shown
    assert (status == 0, is_restored(here)) == (restored, restored), shown


def test_a_backup_of_this_box_asks_nothing(backup: Path, tmp_path: Path) -> None:
    done = vander("restore", str(backup), folder=tmp_path / "theirs")
    assert (done.returncode, done.stderr) == (0, "")


AT_A_TERMINAL = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"


def at_a_terminal(answer: str, piped: Path | None, *words: str, folder: Path) -> tuple[str, int]:
    """Run a command at a terminal of its own where somebody types an answer; return what it shows and its status."""
    line = [str(VANDER), *words]
    if piped:
        line = ["sh", "-c", 'file=$1; shift; exec "$@" < "$file"', "sh", str(piped), *line]
    done = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", AT_A_TERMINAL, *line],
        input=answer,
        capture_output=True,
        text=True,
        env={**os.environ, "VANDER_DATA_DIR": str(folder)},
        start_new_session=True,
        timeout=120,
        check=False,
    )
    return done.stdout, done.returncode
