from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from box import CHECKOUT, PIP, PORT, Box, Done, switched_on

COME_AND_GO = "proc sys dev run tmp var/tmp var/log var/cache var/lib/apt var/lib/dpkg var/lib/systemd checkout wheels"
"""Folders in which every program leaves something, or apt does, or which the tests bring."""


@pytest.fixture(scope="session")
def built() -> Path:
    """What build.sh made."""
    folder = Path(os.environ.get("VANDER_BOX_CACHE", "build/box/service")).resolve()
    if not all((folder / f"{part}.stamp").exists() for part in ("tree", "wheels")):
        pytest.fail(f"{folder} holds no box; run bench/box/service/build.sh {folder}")
    return folder


@pytest.fixture(scope="session")
def box(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    """A box as it comes, with settings of its owner's; what happens in it goes on from test to test."""
    with switched_on(built / "tree", built / "wheels", tmp_path_factory.mktemp("box")) as box:
        box.write("/etc/vander/vander.env", f"# ours\nVANDER_HOST=0.0.0.0\nVANDER_PORT={PORT}\nVANDER_CAMERA=usb:3\n")
        yield box


@pytest.fixture(scope="session")
def before(box: Box) -> dict[str, str]:
    """What is in the box before anything is installed: its files, its users and its name."""
    return look_round(box)


@pytest.fixture(scope="session")
def installed(box: Box, before: dict[str, str]) -> Done:
    """The one command, on a fresh box."""
    assert "/usr/bin/python3" in before["files"]
    return install(box, "--camera", "virtual", "--hostname", "dice")


def install(box: Box, *words: str, checkout: str = CHECKOUT, check: bool = True) -> Done:
    return box.do(f"{checkout}/systemd/install.sh", "--without-picamera", "--yes", *words, check=check, **PIP)


def look_round(box: Box) -> dict[str, str]:
    """The box's files, but those that come and go with every program, and apt's."""
    pruned = " -o ".join(f"-path /{place}" for place in COME_AND_GO.split())
    return {
        "files": box.do("sh", "-c", f"find / \\( {pruned} \\) -prune -o -print | sort").out,
        "users": box.do("cat", "/etc/passwd", "/etc/group").out,
        "name": box.do("uname", "-n").out,
    }
