"""The programs that docs/streaming.md shows, run as they stand there against a real server."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import scenes
from stub_game import StubGame

from referee.calls import Call
from web.openapi import describe
from web.schemas.snapshot_schemas import SnapshotResponse

PAGE = (Path(__file__).parents[2] / "docs/streaming.md").read_text("utf-8")
PROGRAMS = {"python": (sys.executable, "example.py"), "javascript": ("node", "example.mjs")}


def example(language: str, address: str) -> str:
    code = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert code is not None
    assert "http://vander.local:8080" in code[1]
    return code[1].replace("http://vander.local:8080", address)


@contextmanager
def running(language: str, address: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    program, name = PROGRAMS[language]
    (folder / name).write_text(example(language, address), "utf-8")
    process = subprocess.Popen([program, folder / name], stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("language", PROGRAMS)
def test_the_example_prints_each_ruling(language: str, address: str, game_stub: StubGame, tmp_path: Path) -> None:
    if shutil.which(PROGRAMS[language][0]) is None:
        pytest.skip("this machine has no Node, as for all tests of scripts")
    game_stub.show(scenes.PLAYING)
    with running(language, address, tmp_path) as process:
        assert process.stdout is not None
        assert "Ann parked two happies and a star for 250." in process.stdout.readline()
        game_stub.show(replace(scenes.PLAYING, calls=(Call("Bob rolled Ümlaut.", "X"),)))
        assert "Bob rolled Ümlaut." in process.stdout.readline()


def test_the_fields_that_are_promised_are_those_of_the_description(table_app: object) -> None:
    table = PAGE.partition("## Live events")[2].partition("These fields keep")[0]
    promised = re.findall(
        r"`([a-z_.]+)`", " ".join(row.split("|")[1] for row in table.splitlines() if row[:3] == "| `")
    )
    shapes = describe(table_app)["components"]["schemas"]  # type: ignore[arg-type]
    own = shapes[SnapshotResponse.__name__]["properties"]
    inner = {"state": shapes["StateSchema"]["properties"], "extras": shapes["ExtrasSchema"]["properties"]}
    assert len(promised) > 15
    for name in promised:
        whole, _, part = name.partition(".")
        assert whole in own, name
        assert not part or part in inner[whole], name
