"""Everything that Vander depends on can be had as a wheel for a Raspberry Pi: nothing is compiled there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

CHECKOUT = Path(__file__).parents[3]
GLIBC = 36
"""The minor number of the C library of Debian 12, the older one: a wheel may ask for that or for less."""
BOOKWORM_PINS = ("numpy<2", "opencv-python-headless<4.12")
"""What an environment that sees Debian 12's own picamera2, built for NumPy 1, must keep to."""


@dataclass(frozen=True)
class Pi:
    """A Python on a Raspberry Pi, and what is pinned there."""

    python: str
    pins: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.python}{'-bookworm' if self.pins else ''}"

    @property
    def markers(self) -> dict[str, str]:
        """What a requirement's conditions are held against; pip holds them against the machine that it runs on."""
        return {
            "implementation_name": "cpython",
            "os_name": "posix",
            "platform_machine": "aarch64",
            "platform_python_implementation": "CPython",
            "platform_system": "Linux",
            "python_full_version": f"{self.python}.0",
            "python_version": self.python,
            "sys_platform": "linux",
        }


@dataclass(frozen=True)
class Wheel:
    """What pip would install: a distribution's canonical name, its version, its file and what it requires."""

    name: str
    version: str
    file: str
    requires: tuple[Requirement, ...]

    @classmethod
    def reported(cls, item: Mapping[str, Any]) -> Wheel:
        told = item["metadata"]
        requires = tuple(Requirement(line) for line in told.get("requires_dist", ()))
        file = item["download_info"]["url"].rpartition("/")[2]
        return cls(canonicalize_name(told["name"]), told["version"], file, requires)

    @property
    def runs_on_a_pi(self) -> bool:
        tags = parse_wheel_filename(self.file)[3]
        return all(tag.platform == "any" or tag.platform.endswith("_aarch64") for tag in tags)


PIS = (Pi("3.11", BOOKWORM_PINS), Pi("3.11"), Pi("3.12"), Pi("3.13"))


@cache
def wheels(pi: Pi) -> tuple[Wheel, ...]:
    """The whole tree of what Vander depends on, as pip resolves it for that Pi from wheels alone."""
    platforms = [f"manylinux_2_{minor}_aarch64" for minor in range(GLIBC, 16, -1)] + ["manylinux2014_aarch64"]
    with TemporaryDirectory() as unused:  # pip asks for a folder, and puts nothing there
        asked = subprocess.run(  # noqa: S603  # our own words
            [
                *(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"),
                *("--report", "-", "--target", unused),
                *("--only-binary=:all:", "--implementation", "cp", "--python-version", pi.python),
                *(word for platform in platforms for word in ("--platform", platform)),
                *(*_dependencies(), *pi.pins),
            ],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    assert asked.returncode == 0, f"for Python {pi} pip finds no wheels: {asked.stderr[-2000:]}"
    return tuple(Wheel.reported(item) for item in json.loads(asked.stdout)["install"])


def _dependencies() -> list[str]:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    return list(project["dependencies"])


def _required(found: tuple[Wheel, ...], pi: Pi) -> set[str]:
    """The names of all that is required on that Pi, from the project's own requirements on."""
    tree = {wheel.name: wheel.requires for wheel in found}
    waiting = [pair for line in _dependencies() for pair in _with_extras(Requirement(line))]
    seen = set[tuple[str, str]]()
    while waiting:
        name, extra = pair = waiting.pop()
        if pair not in seen:
            seen.add(pair)
            needs = [need for need in tree.get(name, ()) if _applies(need, pi, extra)]
            waiting += [pair for need in needs for pair in _with_extras(need)]
    return {name for name, _ in seen}


def _with_extras(wanted: Requirement) -> list[tuple[str, str]]:
    return [(canonicalize_name(wanted.name), extra) for extra in ("", *sorted(wanted.extras))]


def _applies(need: Requirement, pi: Pi, extra: str) -> bool:
    return need.marker is None or need.marker.evaluate({**pi.markers, "extra": extra})


@pytest.mark.parametrize("pi", PIS, ids=str)
def test_every_dependency_has_a_wheel_for_a_pi(pi: Pi) -> None:
    found = wheels(pi)
    asked = {canonicalize_name(Requirement(line).name) for line in _dependencies()}
    assert asked <= {wheel.name for wheel in found}
    assert [wheel.file for wheel in found if not wheel.runs_on_a_pi] == []


@pytest.mark.parametrize("pi", PIS, ids=str)
def test_nothing_that_only_a_pi_requires_is_left_out(pi: Pi) -> None:
    found = wheels(pi)
    missing = _required(found, pi) - {wheel.name for wheel in found}
    assert not missing, f"on a Pi with Python {pi} these are required too: {', '.join(sorted(missing))}"


@pytest.mark.parametrize("pi", PIS, ids=str)
def test_the_list_of_wheels_is_kept(pi: Pi) -> None:
    """So that it can be put in the docs, and held against the list of another day."""
    cache_dir = os.environ.get("VANDER_BOX_CACHE", "")
    assert cache_dir, "VANDER_BOX_CACHE must name the folder that bench/box/arm64/build.sh filled."
    lines = [f"{wheel.name} {wheel.version} {wheel.file}" for wheel in wheels(pi)]
    (Path(cache_dir) / f"wheels-{pi}.txt").write_text("\n".join(sorted(lines)) + "\n", "utf-8")
    assert len(lines) > len(_dependencies())
