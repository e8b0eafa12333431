"""The page's scripts: their pure modules under node's own test runner, and their form."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "web" / "static"
SCRIPTS = sorted(script for script in STATIC.rglob("*.js") if script.parent != STATIC / "vendor")
TESTS = sorted((ROOT / "tests" / "javascript").glob("*.test.js"))
EXPORTED = re.compile(r"^export (?:async )?(?:function|class|const) (\w+)", re.MULTILINE)


@pytest.fixture
def node() -> str:
    path = shutil.which("node")
    if path:
        return path
    sentence = "The tests of the page's scripts need node: install the package nodejs."
    if os.environ.get("CI") == "true":
        pytest.fail(sentence)
    pytest.skip(sentence)


@pytest.mark.slow
def test_the_scripts_that_need_no_page_do_what_they_say(node: str) -> None:
    assert TESTS
    done = subprocess.run([node, "--test", *map(str, TESTS)], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_script_has_a_name_of_its_own() -> None:
    assert [name for name, count in Counter(script.name for script in SCRIPTS).items() if count > 1] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_says_what_it_is_for_and_what_each_export_takes_and_gives(script: Path) -> None:
    text = script.read_text("utf-8")
    assert text.startswith("// ")
    undocumented = [found[1] for found in EXPORTED.finditer(text) if not text[: found.start()].rstrip().endswith("*/")]
    assert undocumented == []


def test_one_function_makes_all_requests() -> None:
    assert [script.name for script in SCRIPTS if re.search(r"\bfetch\(", script.read_text("utf-8"))] == [
        "api.js",
        "service_worker.js",  # it answers what the browser asks for
    ]
