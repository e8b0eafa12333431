"""The box's own classes on a real Linux gpiochip, whose lines are simulated, as a Raspberry Pi 4 and a 5 have it.

What is tested stands in `inside.py`, and is run there by a kernel of its own; here its verdicts are heard.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree  # what pytest wrote a moment ago

import pytest

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[2]
MEMORY = "384M"
LONGEST_S = 180


@dataclass(frozen=True)
class Board:
    """A Raspberry Pi: its name, the revision that it tells, and how many gpiochips it has."""

    name: str
    revision: str
    chips: int


BOARDS = (Board("pi4", "c03114", 1), Board("pi5", "d04170", 5), Board("pi5-later-kernel", "d04170", 1))
"""The pins of a Raspberry Pi 5 are its fifth gpiochip, or with later kernels the first."""


@dataclass(frozen=True)
class Heard:
    """What a run in the kernel said: for each test '' or its failure; and all that was printed."""

    verdicts: Mapping[str, str]
    told: str


def _tests() -> list[str]:
    tree = ast.parse((HERE / "inside.py").read_text("utf-8"))
    return [part.name for part in tree.body if isinstance(part, ast.FunctionDef) and part.name.startswith("test_")]


@pytest.fixture(scope="module", params=BOARDS, ids=[board.name for board in BOARDS])
def heard(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Heard:
    """The verdicts of one run of the kernel."""
    out = tmp_path_factory.mktemp(request.param.name)
    printed = _run_kernel(request.param, out)
    told = (out / "told.txt").read_text("utf-8") if (out / "told.txt").is_file() else printed
    assert (out / "verdicts.xml").is_file(), f"the kernel came to no verdict: {told[-3000:]}"
    return Heard(_verdicts(out / "verdicts.xml"), told)


def _run_kernel(board: Board, out: Path) -> str:
    """Boot, and wait until the kernel halts by itself. It sees this machine's files, and can change none but `out`."""
    built = _built()
    given = {
        "PYTHON": sys.executable,
        "SITE": built / "site",
        "CHECKOUT": CHECKOUT,
        "OUT": out,
        "REVISION": board.revision,
        "CHIPS": board.chips,
    }
    run = subprocess.run(  # noqa: S603  # our own words
        [
            *(
                "nice",
                "-n",
                "10",
                str(built / "linux"),
                f"mem={MEMORY}",
                "root=machine",
                "rootfstype=hostfs",
                "rootflags=/",
                "ro",
            ),
            *(f"init={HERE / 'inside.sh'}", "con=null", "con0=null,fd:1", "quiet"),
            *(f"{name}={value}" for name, value in given.items()),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        timeout=LONGEST_S,
        check=False,
    )
    return run.stdout.decode("utf-8", "replace")


def _built() -> Path:
    cache = os.environ.get("VANDER_BOX_CACHE", "")
    assert cache, "VANDER_BOX_CACHE must name the folder that bench/box/kernel/build.sh filled."
    built = Path(cache).resolve()
    assert (built / "stamp").is_file(), f"{built} is not built; run bench/box/kernel/build.sh {cache}"
    return built


def _verdicts(path: Path) -> Mapping[str, str]:
    cases = ElementTree.parse(path).getroot().iter("testcase")  # noqa: S314  # as above
    return {case.get("name", ""): " ".join(_complaint(part) for part in case).strip() for case in cases}


def _complaint(part: ElementTree.Element) -> str:
    """What is wrong by one part of a verdict; a test that was skipped proved nothing."""
    wrong = part.tag in ("failure", "error", "skipped")
    return f"{part.get('message', '')} {''.join(part.itertext())}" if wrong else ""


@pytest.mark.parametrize("test", _tests())
def test_in_the_kernel(heard: Heard, test: str) -> None:
    assert test in heard.verdicts, heard.told[-3000:]
    assert not heard.verdicts[test], heard.verdicts[test]
