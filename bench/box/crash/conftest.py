from __future__ import annotations

import os
from pathlib import Path

import pytest

LIBRARY = "failing_disk.so"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, default=200, help="how often the assistant is killed")
    parser.addoption("--operation-kills", type=int, default=40, help="how often each single operation is killed")
    parser.addoption("--failures", type=int, default=100, help="how often its disk fails while it plays")
    parser.addoption("--seed", type=int, default=1, help="other random moments for another number")
    parser.addoption("--first-port", type=int, default=8330, help="three ports from here on are used")


@pytest.fixture
def built() -> Path:
    """The disk that fails, built by build.sh."""
    folder = Path(os.environ.get("VANDER_BOX_CACHE", "build/box/crash")).resolve()
    if not (folder / LIBRARY).exists():
        pytest.fail(f"{folder / LIBRARY} is not built; run bench/box/crash/build.sh {folder}")
    return folder
