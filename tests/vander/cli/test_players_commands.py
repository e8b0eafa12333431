"""`vander players`: listed, changed, merged and forgotten from a terminal."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from test_commands import sentence, vander

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
