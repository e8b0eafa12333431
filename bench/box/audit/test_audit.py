"""No package of the lock file has a fault that the Python Packaging Advisory Database knows of, as of today.

pip-audit asks PyPI for the advisories of each version. A package that cannot be looked up fails the test: no answer is
no clean bill.
"""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).parents[3]
CACHE = Path(os.environ.get("VANDER_BOX_CACHE", HOUSE / "build/box/audit"))


@cache
def audited() -> list[dict[str, Any]]:
    """What pip-audit says of each package of the lock file."""
    lock = HOUSE / "systemd/requirements.lock"
    done = subprocess.run(  # noqa: S603  our own words
        [
            *(str(CACHE / "venv/bin/pip-audit"), "--requirement", str(lock), "--require-hashes", "--disable-pip"),
            *("--format", "json", "--progress-spinner", "off"),
        ],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    return found


def test_every_locked_package_could_be_looked_up() -> None:
    assert len(audited()) > 30
    assert [f"{one['name']}: {one['skip_reason']}" for one in audited() if "skip_reason" in one] == []


def test_no_locked_package_has_a_known_fault() -> None:
    faults = [(one["name"], one["version"], one["vulns"]) for one in audited() if one.get("vulns")]
    assert faults == []
