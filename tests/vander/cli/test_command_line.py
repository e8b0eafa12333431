"""The table of commands: what each imports, and what is said of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vander.cli.main import COMMANDS, command_line, load_command, main

HEAVY = {"cv2", "numpy", "onnxruntime", "sqlalchemy", "flask"}
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
