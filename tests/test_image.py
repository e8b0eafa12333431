"""The image and the hall's compose file say what the program understands; the slow tier builds and runs the image."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement

from vander.storage.settings import Settings

HOUSE = Path(__file__).parent.parent
IMAGE = HOUSE / "image"
COMPOSE: dict[str, Any] = yaml.safe_load((IMAGE / "compose.yaml").read_text("utf-8"))
PAGE = (HOUSE / "docs/image.md").read_text("utf-8")


def test_the_halls_settings_are_settings() -> None:
    given = COMPOSE["services"]["hall"]["environment"]
    assert {name.removeprefix("VANDER_").lower() for name in given} <= Settings.model_fields.keys()


def test_the_hall_writes_into_its_volume_alone_and_has_no_right() -> None:
    hall = COMPOSE["services"]["hall"]
    assert (hall["read_only"], hall["tmpfs"], hall["cap_drop"]) == (True, ["/tmp"], ["ALL"])  # noqa: S108
    assert [volume.partition(":")[2] for volume in hall["volumes"]] == ["/data"]
    assert "no-new-privileges:true" in hall["security_opt"]
    assert hall["healthcheck"]["test"][1] == "vander-healthy"


def test_no_password_stands_in_the_compose_file_and_the_page_names_each() -> None:
    text = (IMAGE / "compose.yaml").read_text("utf-8")
    asked = set(re.findall(r"\$\{(\w+)", text))
    assert asked == {"HALL_PASSWORD", "MQTT_PASSWORD", "HALL_NAMES"}
    assert all(f"{name}=" in PAGE for name in asked)
    assert {volume.partition(":")[0] for each in COMPOSE["services"].values() for volume in each["volumes"]} == set(
        COMPOSE["volumes"]
    )


def test_a_halls_lock_has_each_of_its_extras_in_its_range() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["project"]
    lines = (IMAGE / "hall.lock").read_text("utf-8").splitlines()
    locked = {
        one.name: one.specifier for one in (Requirement(line.rstrip(" \\")) for line in lines if line[:1].isalpha())
    }
    for wanted in map(Requirement, project["optional-dependencies"]["hall"]):
        (exact,) = locked[wanted.name]
        assert exact.version in wanted.specifier
    assert sum("--hash=sha256:" in line for line in lines) > len(locked)
