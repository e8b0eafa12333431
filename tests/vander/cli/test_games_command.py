"""`vander games` lists what stands open."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from typer.testing import CliRunner

from vander.cli.journal_commands import app
from vander.storage.journal_store import Journal


def test_open_games_are_listed_the_last_one_first_and_ended_ones_are_not(tmp_path: Path) -> None:
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.begin("toss-up", ("Ann", "Bob"), {}, "tossup")
        journal.begin("intersection", ("Cleo",), {}, "intersection")
        journal.begin("intersection", ("Dan",), {}, "intersection", leave_open=True)
        journal.put_on_table(2)
    asked = ["games", "--data-dir", str(tmp_path)]
    lines = CliRunner().invoke(app, asked).output.splitlines()
    assert [line.split()[0] for line in lines] == ["2", "3"]
    assert lines[0].endswith("Cleo 0")
    told = [json.loads(line) for line in CliRunner().invoke(app, [*asked, "--json"]).output.splitlines()]
    assert [(game["number"], game["players"]) for game in told] == [(2, ["Cleo"]), (3, ["Dan"])]
