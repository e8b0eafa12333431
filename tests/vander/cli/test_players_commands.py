"""`vander players`: listed, changed, merged and forgotten from a terminal."""

from __future__ import annotations

import json
import zipfile
from codecs import BOM_UTF8
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from random_matches import random_match
from test_commands import sentence, vander, vander_process

from referee.games import named
from vander.learning.accuracy import AccuracyCounts, AccuracyLog
from vander.storage import data_folder
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
        "   1  Anna                      red kite              1 game",
        "   2  Bob                       orange owl            1 game",
    ]
    assert run(folder, "forget", "Anna") == "Anna is forgotten: the name is gone from 2 games.\n"
    assert [json.loads(line)["name"] for line in run(folder, "list", "--json").splitlines()] == ["Bob"]
    run(folder, "tidy")


def test_a_name_that_nobody_has_is_one_sentence(folder: Path) -> None:
    assert "Ann, Bob, Annie" in sentence(vander("players", "forget", "Zoe", folder=folder))


def test_players_change_only_while_nobody_else_writes(folder: Path) -> None:
    with data_folder.hold(folder):
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


def test_all_plays_are_written_for_other_programs(tmp_path: Path) -> None:
    match = random_match(named("toss-up"), 400, seed=3, players=("=Ann", "Bob"))
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.keep(replace(match.kept, ended_at=match.now()), match.entries)
    for form in ("csv", "json", "records"):
        assert vander("plays", str(tmp_path / form), "--form", form, folder=tmp_path).returncode == 0
    written = (tmp_path / "csv").read_bytes()
    assert written.startswith(BOM_UTF8)
    assert "'=Ann" in written.decode()
    assert vander_process("plays", "--data-dir", str(tmp_path)).stdout.startswith("number,game,")
    (play,) = json.loads((tmp_path / "json").read_text("utf-8"))["plays"]
    assert play["seats"][0]["result"]["finished"]
    with zipfile.ZipFile(tmp_path / "records") as packed:
        packed.extractall(tmp_path)
    assert vander("check", str(tmp_path / "game-1-toss-up.txt")).returncode == 0
    assert vander("plays", "--bg-stats", "1", folder=tmp_path).stdout.startswith("bgstats://")
    assert "is there already" in sentence(vander("plays", str(tmp_path / "csv"), folder=tmp_path))
    assert "give a name such as plays.csv" in sentence(vander("plays", str(tmp_path / "1"), folder=tmp_path))
    assert not (tmp_path / "1").exists()


def test_fairness_is_told_only_where_misreads_are_known(tmp_path: Path) -> None:
    match = random_match(named("toss-up"), 400, seed=3)
    with closing(Journal.in_folder(tmp_path)) as journal:
        journal.keep(replace(match.kept, ended_at=match.entries[-1].at), match.entries)
    assert "nothing can be said" in vander("fairness", "toss-up", folder=tmp_path).stdout
    with closing(AccuracyLog(tmp_path)) as log:
        log.add_answer(AccuracyCounts(checks=50, clean=49, checked=500, right=499))
    told = vander("fairness", "toss-up", folder=tmp_path).stdout
    assert "dice read, chance of so uneven a count" in told
    assert "none were read yet" in vander("fairness", "d6", folder=tmp_path).stdout
