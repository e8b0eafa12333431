from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--minutes", type=float, default=15.0, help="how long each of the four inputs is tried")
    parser.addoption("--seed", type=int, default=1, help="other files for another number")


@pytest.fixture
def built() -> Path:
    """Where build.sh put atheris."""
    folder = Path(os.environ.get("VANDER_BOX_CACHE", "build/box/fuzz")).resolve() / "atheris"
    if not (folder / "atheris").is_dir():
        pytest.fail(f"there is no atheris in {folder}; run bench/box/fuzz/build.sh {folder.parent}")
    return folder
