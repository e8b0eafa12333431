"""What the real program leaves on disk after an evening of play and teaching: known names, for its owner alone."""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from test_commands import GOLDEN, ask, free_port, playing, vander

from tests.waiting import wait_until
from vander.bench import first_game_benchmark as bench
from vander.storage import data_folder
from vander.storage.data_folder import make_private, private_files
from vander.storage.journal_schema import SCHEMA

KEPT = Path(__file__).parents[1] / "kept"
SHEET = GOLDEN.parents[2] / "referee/games/dice_county_fair/county.toml"
REST_S = 25.0
"""After so long dice that are neither ruled on nor asked about are thrown again: on a busy machine they rest late."""
pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="file modes are those of POSIX")


@contextmanager
def usual_umask() -> Iterator[None]:
    """A shell's umask, with which everybody may read new files."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """The mode of a folder and of all in it that others may look at, by name."""
    found = {path: stat.S_IMODE(path.lstat().st_mode) for path in (folder, *folder.rglob("*"))}
    return {str(path.relative_to(folder)): oct(mode) for path, mode in found.items() if mode & 0o077}


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def teach(folder: Path, beside: Path) -> None:
    """Take pictures of strange dice in, and learn them."""
    bench.write_die_set(beside / "elsewhere", 4, 6)
    for words in (
        ("capture", "export", str(beside / "dice.zip"), "--data-dir", str(beside / "elsewhere")),
        ("capture", "import", str(beside / "dice.zip")),
        ("teach", "bench"),
        ("import", str(GOLDEN / "intersection-solo.txt")),
    ):
        done = vander(*words, folder=folder)
        assert done.returncode == 0, done.stderr


def play(folder: Path) -> None:
    """Pair a tablet, choose, throw dice on the virtual tray and say what one of them shows, then back it all up."""
    port = free_port()
    with playing(folder, port):
        (code,) = re.findall(r"(?:\d ){5}\d", vander("pair", "--port", str(port), folder=folder).stdout)
        ask(port, "/api/door/pair", {"code": [*map(int, code.split())], "name": "Ann's"})
        ask(port, "/api/teaching/choices", {"keep_play": True, "quota_mb": 200, "check_one_in": 1})
        ask(port, "/api/game", {"game": "dice", "players": ["Ann"], "options": {}, "dice": "d6"})
        throw(folder, port)
        wait_until(lambda: ask(port, "/api/snapshot")["last"], "the throw is ruled on")
        die = ask(port, "/api/snapshot")["dice"][0]
        ask(port, "/api/correct", {"die": die["number"], "face": "pip-2" if die["face"] == "pip-1" else "pip-1"})
        ask(port, "/api/correct", {"die": die["number"], "face": die["face"]})
        wait_until(lambda: list((folder / "captured/sessions").glob("play-*/frames/*.jpg")), "play is captured")
        for words in (("backup", str(folder)), ("support", str(folder / "vander-support.zip"))):
            assert vander(*words, folder=folder).returncode == 0


def throw(folder: Path, port: int) -> None:
    """Throw all dice until a throw is in the journal, with its picture; what is asked about one is answered first."""

    def is_kept() -> bool:
        return any((folder / "evidence").glob("*.jpg"))

    def thrown() -> bool:
        questions = ask(port, "/api/snapshot")["questions"]
        if questions:
            answer(port, questions[0])
        else:
            ask(port, "/api/tray/throw", {"dice": [die["number"] for die in ask(port, "/api/tray/dice")["dice"]]})
        until = time.monotonic() + REST_S
        while time.monotonic() < until and not is_kept() and not ask(port, "/api/snapshot")["questions"]:
            time.sleep(0.1)
        return is_kept()

    wait_until(thrown, "a throw is kept with its picture")


def answer(port: int, question: dict[str, Any]) -> None:
    """Give the likeliest answer; one that comes too late is refused, and changes nothing."""
    with suppress(HTTPError):
        ask(port, "/api/answer", {"question": question["number"], "choice": question["choices"][0]["answer"]})


@pytest.mark.slow
def test_all_that_an_evening_leaves_has_a_known_name_and_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "not/there/yet"
    with usual_umask():
        teach(folder, tmp_path)
        (folder / "tablets.json").write_text("damaged", "utf-8")
        (folder / "settings.toml").write_text('game = "dice"\n', "utf-8")
        shutil.copyfile(KEPT / "journal-1.sqlite", folder / "journal.sqlite")
        play(folder)
    left = names(folder)
    assert left >= {
        "choices.toml",
        "box.key",
        "tablets.json",
        "tablets.damaged-1.json",
        f"journal.sqlite.before-{SCHEMA}",
        "lessons/bench/in-use",
    }
    assert {name.split("/")[0] for name in left} >= {"captured", "dice", "evidence", "journal.sqlite"}
    assert {name for name in left if not data_folder.is_ours(name)} == {"vander-support.zip"}
    assert modes(folder) == {"settings.toml": "0o644", "tablets.damaged-1.json": "0o644"}  # which this test wrote
    with usual_umask(), data_folder.hold(folder):
        pass
    folder.chmod(0o755)
    with data_folder.hold(folder):
        assert modes(folder) == {}


def test_a_folder_that_others_could_read_is_closed_to_them_at_the_start(tmp_path: Path) -> None:
    with usual_umask():
        for name in ("journal.sqlite-wal", "dice/ours.toml", "before-restore/captured/about.toml", "theirs/x", "x.txt"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()
        (tmp_path / "dice/link.toml").symlink_to(tmp_path / "theirs/x")
    tmp_path.chmod(0o755)
    with data_folder.hold(tmp_path):
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700
        assert modes(tmp_path).keys() == {"theirs", "theirs/x", "x.txt", "dice/link.toml"}


def test_a_place_that_many_use_stays_open_and_the_files_of_vander_in_it_do_not(tmp_path: Path) -> None:
    with usual_umask():
        (tmp_path / "choices.toml").touch()
    tmp_path.chmod(0o1777)
    make_private(tmp_path)
    assert modes(tmp_path) == {".": "0o1777"}


def test_what_cannot_be_closed_hinders_nothing(tmp_path: Path) -> None:
    make_private(tmp_path / "nowhere")
    make_private(Path("/proc/self"))


def test_a_command_gives_the_umask_back() -> None:
    with usual_umask():
        with private_files():
            assert os.umask(0o077) == 0o077
        assert os.umask(0o022) == 0o022


def test_a_game_that_is_to_go_on_is_not_imported_while_vander_runs(tmp_path: Path) -> None:
    """The running Vander has another game on the table, or none, and would end this one with its next."""
    record = tmp_path / "game.txt"
    record.write_text("game: intersection\nplayers: Ann\n1 begin\n", "utf-8")
    folder = tmp_path / "data"
    with data_folder.hold(folder):
        refused = vander("import", str(record), "--go-on", folder=folder)
        assert (refused.returncode, "already uses the folder" in refused.stderr) == (2, True), refused.stderr
        assert not (folder / "journal.sqlite").exists()
        assert vander("import", str(record), folder=folder).returncode == 0
    assert vander("import", str(record), "--go-on", folder=folder).returncode == 0
