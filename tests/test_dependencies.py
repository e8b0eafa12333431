"""What Vander depends on: ranges above known faults, and the locked versions that the box installs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

HOUSE = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
SHIPPED = ("web/static", "web/templates", "web/locales", "referee", "vander", "models/die_sets", "models/weights")
"""The folders of which the installed program needs every file."""
DEPENDENCIES = [Requirement(line) for line in PROJECT["dependencies"]]
LOCK = (HOUSE / "systemd/requirements.lock").read_text("utf-8")
PYTHONS = ("3.11", "3.12", "3.13")
MACHINES = ("aarch64", "x86_64")
KNOWN_FAULTS = {
    "waitress": "3.0.1",  # a half-open socket busies a core: GHSA-3f84-rpwh-47g6, fixed in 3.0.1
    "flask": "3.1.0",  # the order of fallback keys: CVE-2025-47278, fixed in 3.1.1
    "werkzeug": "3.1.5",  # safe_join: GHSA-29vq-49wr-vm6x, fixed in 3.1.6
    "jinja2": "3.1.5",  # a way out of the sandbox: CVE-2025-27516, fixed in 3.1.6
    "pillow": "12.2.0",  # writes out of bounds: CVE-2026-59205 and others, fixed in 12.3.0
}
"""The last version of a package with a known fault that concerns a server or a decoder."""


def locked(python: str, machine: str = "aarch64") -> dict[str, Version]:
    """The versions that the lock file gives a Python on Linux."""
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": "linux",
        "platform_machine": machine,
        "platform_system": "Linux",
        "implementation_name": "cpython",
    }
    entries = (Requirement(line.rstrip(" \\")) for line in LOCK.splitlines() if line[:1].isalpha())
    wanted = [entry for entry in entries if entry.marker is None or entry.marker.evaluate(environment)]
    return {canonicalize_name(entry.name): Version(next(iter(entry.specifier)).version) for entry in wanted}


@pytest.mark.parametrize("name", KNOWN_FAULTS)
def test_no_range_admits_a_version_with_a_known_fault(name: str) -> None:
    (dependency,) = (one for one in DEPENDENCIES if canonicalize_name(one.name) == name)
    assert KNOWN_FAULTS[name] not in dependency.specifier


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_has_each_dependency_in_its_range(python: str, machine: str) -> None:
    versions = locked(python, machine)
    wrong = [str(one) for one in DEPENDENCIES if versions[canonicalize_name(one.name)] not in one.specifier]
    assert wrong == []


@pytest.mark.parametrize("python", PYTHONS)
def test_the_page_of_the_box_counts_the_packages_of_the_lock(python: str) -> None:
    counted = re.search(r"^\| wheels \| (\d+) distributions", (HOUSE / "docs/box.md").read_text("utf-8"), re.MULTILINE)
    assert counted is not None
    assert int(counted[1]) == len(locked(python))


def blocks() -> Iterator[str]:
    """The entries of the lock file, each with its checksums."""
    yield from re.split(r"\n(?=[A-Za-z])", LOCK)[1:]


def test_every_locked_package_has_its_checksums() -> None:
    entries = list(blocks())
    assert len(entries) > len(DEPENDENCIES)
    assert [entry for entry in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}", entry)] == []


def test_the_lock_names_no_address_and_no_folder() -> None:
    assert "://" not in LOCK
    assert "--index-url" not in LOCK
    assert "/home" not in LOCK


def test_python_311_keeps_to_what_picamera2_of_debian_12_was_built_for() -> None:
    versions = locked("3.11")
    assert versions["numpy"] < Version("2")
    assert versions["opencv-python-headless"] < Version("4.12")


def test_the_installed_program_has_every_file_that_it_needs() -> None:
    patterns = PYPROJECT["tool"]["setuptools"]["package-data"]
    packed = {path for package, globs in patterns.items() for glob in globs for path in (HOUSE / package).glob(glob)}
    there = {path for folder in SHIPPED for path in (HOUSE / folder).rglob("*") if path.is_file()}
    needed = {path for path in there if path.suffix not in (".py", ".pyc")}
    assert sorted(str(path.relative_to(HOUSE)) for path in needed - packed) == []
