"""`vander players`: listed, changed, merged and forgotten from a terminal."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from random_matches import random_match
from test_commands import sentence, vander

from referee.games import named
from vander.storage import instance_lock
from vander.storage.journal_store import Journal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up")
        journal.begin("toss-up", ("Annie",), {}, "toss-up")
    return tmp_path


def run(folder: Path, *words: str) -> str:
    done = vander("players", *words, folder=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_players_are_changed_merged_and_forgotten(folder: Path) -> None:
    run(folder, "change", "ann", "--name", "Anna", "--picture", "kite")
    run(folder, "merge", "3", "Anna")
    assert run(folder, "list").splitlines() == [
        "   1  Anna                      red kite             2 games",
        "   2  Bob                       orange owl           1 games",
    ]
    assert run(folder, "forget", "Anna") == "Anna is forgotten: the name is gone from 2 games.\n"
    assert [json.loads(line)["name"] for line in run(folder, "list", "--json").splitlines()] == ["Bob"]
    run(folder, "tidy")


def test_a_name_that_nobody_has_is_one_sentence(folder: Path) -> None:
    assert "Ann, Bob, Annie" in sentence(vander("players", "forget", "Zoe", folder=folder))


def test_players_change_only_while_nobody_else_writes(folder: Path) -> None:
    with instance_lock.hold(folder):
        assert "already uses the folder" in sentence(vander("players", "forget", "Ann", folder=folder))


def test_figures_and_results_are_printed_and_counted_first(tmp_path: Path) -> None:
    match = random_match(named("toss-up"), 400, seed=3)
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.keep(replace(match.kept, ended_at=match.now()), match.entries)
    (line,) = run(tmp_path, "statistics", "Ann").splitlines()
    assert line.startswith("Ann, toss-up: 1 game, ")
    assert "luck" in line
    both = [json.loads(row) for row in run(tmp_path, "statistics", "Ann", "--against", "Bob", "--json").splitlines()]
    assert [row["player"] for row in both] == ["Ann", "Bob"]
    assert sum(row["wins"] for row in both) == 1
    run(tmp_path, "results", "Ann", str(tmp_path / "ann.json"))
    assert json.loads((tmp_path / "ann.json").read_text("utf-8"))["statistics"][0]["games"] == 1
    assert run(tmp_path, "count") == "0 games counted\n"
    assert run(tmp_path, "count", "--again") == "1 game counted\n"
