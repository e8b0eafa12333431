"""The table of commands: what each imports, and what is said of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vander.cli.main import COMMANDS, command_line, load_command, main
from vander.storage import data_folder

HEAVY = {"cv2", "numpy", "onnxruntime", "sqlalchemy", "flask"}
SERVING = {"play", "hall"}
GOLDEN = Path(__file__).parents[2] / "referee/golden"
PROGRAM = """
import sys
from vander.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    print(ended.code, *sorted(sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "words",
    [[], ["--help"], ["check", "--help"], ["check", str(GOLDEN / "toss-up-shared-win.txt")], ["nonsense"]],
    ids=lambda words: " ".join(words[:1]) or "nothing",
)
def test_help_and_a_records_check_import_no_vision_and_no_database(words: list[str], tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-c", PROGRAM, *words, *(["--data-dir", str(tmp_path)] if words[1:] else [])],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    status, *modules = done.stderr.splitlines()[-1].split()
    assert status == ("0" if words[:1] in (["check"], ["--help"]) else "2")
    assert HEAVY & set(modules) == set()


def loaded_by(program: str) -> set[str]:
    """Return the modules that a program of one line has loaded at its end."""
    line = f"import sys; {program}; print(*sys.modules)"
    return {*subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True).stdout.split()}  # noqa: S603


def test_a_command_that_serves_no_pages_loads_none() -> None:
    modules = [module for name, (module, _) in COMMANDS.items() if name not in SERVING]
    assert "vander.app.web_app" not in loaded_by("import " + ", ".join(f"vander.cli.{module}" for module in modules))


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("vander.extras.players.result_counting", HEAVY - {"sqlalchemy"}),
        ("vander.table.odds", HEAVY),
        ("hardware.cameras.camera_process", HEAVY - {"cv2", "numpy"}),
    ],
)
def test_what_runs_in_a_process_of_its_own_loads_little(module: str, heavy: set[str]) -> None:
    assert heavy & loaded_by(f"import {module}") == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_of_a_command_what_the_command_says_of_itself(name: str) -> None:
    terminal = {"COLUMNS": "300", "TERM": "dumb", "NO_COLOR": "1"}
    listed = CliRunner().invoke(command_line([]), ["--help"], env=terminal)
    own = CliRunner().invoke(command_line([name]), [name, "--help"], env=terminal)
    line = COMMANDS[name][1]
    assert (listed.exit_code, own.exit_code) == (0, 0)
    assert line in listed.output
    assert line in own.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_names_the_errors_that_a_person_can_put_right(name: str) -> None:
    errors = load_command(name).EXPECTED_ERRORS
    assert errors
    assert all(issubclass(error, Exception) for error in errors)


def test_an_expected_error_is_one_sentence_and_a_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.toml").write_text("port = = 1\n")
    with pytest.raises(SystemExit) as ended:
        main(["check", "no-record.txt", "--data-dir", str(tmp_path)])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("vander: settings.toml in the data folder is not readable as TOML: ")
    assert said.count("\n") == 1


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"vander {version('vander')}\n")


@pytest.mark.parametrize(("typed", "wanted"), [("vander ba", "backup"), ("vander backup --d", "--data-dir")])
def test_a_shell_completes_commands_and_their_options(
    typed: str, wanted: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "_VANDER_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(typed.count(" ")),
    }.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 0
    assert wanted in capsys.readouterr().out.split()


def test_a_second_trial_hall_touches_nothing_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    touched = list[object]()
    monkeypatch.setattr("vander.cli.hall_command.LocalPostgres", touched.append)
    folder = tmp_path / "hall"
    with data_folder.hold(folder, "http://localhost:8090"), pytest.raises(SystemExit) as ended:
        main(["hall", "--try", "--data-dir", str(folder)])
    assert (ended.value.code, touched) == (2, [])
    assert "already uses the folder" in capsys.readouterr().err


@pytest.mark.parametrize("lay", [Path.mkdir, lambda file: file.symlink_to("/mnt/stick/settings.toml")])
def test_settings_that_are_no_file_are_said(
    lay: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(tmp_path / "settings.toml")
    with pytest.raises(SystemExit) as ended:
        main(["games", "--data-dir", str(tmp_path)])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "vander: settings.toml in the data folder cannot be read: it is no file\n"
