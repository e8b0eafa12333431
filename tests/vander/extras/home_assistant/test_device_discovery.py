"""The discovery payload is held against the field names that Home Assistant documents.

Lists written by hand from https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload and the pages of
the platforms, as of Home Assistant 2026.2; that release also read the payload, see docs/home-assistant.md.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from jinja2 import Environment

from vander.extras.home_assistant.home_assistant_link import LONGEST_STATE, DeviceFacts, TableTopics, device_discovery

TOPICS = TableTopics("vander_0123456789ab")
AT_THE_ROOT = {"device", "origin", "components", "availability_topic", "state_topic", "qos"}
OF_THE_DEVICE = {"identifiers", "name", "manufacturer", "model", "sw_version", "configuration_url"}
OF_THE_ORIGIN = {"name", "sw_version", "support_url"}
OF_AN_ENTITY = {"platform", "name", "unique_id", "default_entity_id", "icon"}
ATTRIBUTES = {"json_attributes_topic", "json_attributes_template"}
BY_PLATFORM = {
    "sensor": {"state_topic", "value_template", *ATTRIBUTES},
    "binary_sensor": {"value_template", "device_class", *ATTRIBUTES},
    "button": {"command_topic", "payload_press", "qos", "retain"},
}
LONG = "A sentence that goes on. " * 20
STATE = {
    "turn": 'Jürgen "{{ 1 }}" O\'Neil',
    "seat": 1,
    "game": "toss-up",
    "scores": [{"name": "Ann", "score": 12}, {"name": "Jürgen", "score": -3}],
    "ruling": LONG,
    "waits_for": "",
    "camera": "ok",
    "box": "The card is full.",
    "over": False,
    "answer": "",
    "number": 7,
}


def discovery(name: str = "Stübchen 2", page: str = "http://10.0.0.9:8080", language: str = "en") -> dict[str, object]:
    return device_discovery(TOPICS, DeviceFacts(name, "0.1.0", page), language)


def components(**chosen: str) -> dict[str, dict[str, str]]:
    return discovery(**chosen)["components"]  # type: ignore[return-value]


def shown(component: str, template: str = "value_template") -> str:
    """What a template of the payload makes of the state. Home Assistant's templates are Jinja's, and escape nothing."""
    environment = Environment(autoescape=False)  # noqa: S701
    return environment.from_string(components()[component][template]).render(value_json=STATE)


def test_every_field_is_one_that_home_assistant_documents_and_none_is_deprecated() -> None:
    payload = discovery()
    assert set(payload) == AT_THE_ROOT
    assert set(payload["device"]) == OF_THE_DEVICE  # type: ignore[call-overload]
    assert set(payload["origin"]) == OF_THE_ORIGIN  # type: ignore[call-overload]
    for component in components().values():
        assert set(component) <= OF_AN_ENTITY | BY_PLATFORM[component["platform"]]
        assert {"platform", "name", "unique_id", "default_entity_id"} <= set(component)
    assert "object_id" not in json.dumps(payload)


def test_the_device_has_the_entities_that_people_look_for() -> None:
    found = {key: (each["platform"], each["name"]) for key, each in components().items()}
    assert found == {
        "turn": ("sensor", "Whose turn"),
        "score": ("sensor", "Score"),
        "ruling": ("sensor", "Last ruling"),
        "waits_for": ("sensor", "Waits for"),
        "answer": ("sensor", "Last answer"),
        "over": ("binary_sensor", "Game over"),
        "camera": ("binary_sensor", "Camera"),
        "box": ("binary_sensor", "Box"),
        "new_game": ("button", "New game"),
        "take_back": ("button", "Take back"),
    }
    assert {each["device_class"] for key, each in components().items() if key in ("camera", "box")} == {"problem"}


def test_ids_are_unique_and_of_their_platform_whatever_the_table_is_called() -> None:
    assert components(name="Großes Stübchen")["turn"]["default_entity_id"] == "sensor.grosses_stubchen_whose_turn"
    for name in ("Stübchen 2", "卓", "--", "A" * 60):
        found = components(name=name).values()
        assert all(
            re.fullmatch(rf"{each['platform']}\.[a-z0-9]+_[a-z0-9_]+", each["default_entity_id"]) for each in found
        )
        assert len({each["unique_id"] for each in found}) == len({each["default_entity_id"] for each in found}) == 10


def test_a_box_in_no_network_names_no_address() -> None:
    payload = discovery(page="")
    assert set(payload["device"]) == OF_THE_DEVICE - {"configuration_url"}  # type: ignore[call-overload]
    assert set(payload["origin"]) == OF_THE_ORIGIN - {"support_url"}  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("component", "state"),
    [
        ("turn", STATE["turn"]),
        ("score", "Ann 12, Jürgen -3"),
        ("ruling", LONG[:LONGEST_STATE]),
        ("waits_for", "None"),
        ("over", "OFF"),
        ("camera", "OFF"),
        ("box", "ON"),
    ],
)
def test_templates_show_what_the_state_says(component: str, state: str) -> None:
    assert shown(component) == state


def test_attributes_are_json_with_what_is_too_long_for_a_state() -> None:
    found = {key: json.loads(shown(key, "json_attributes_template")) for key in ("ruling", "box", "camera", "score")}
    assert found == {
        "ruling": {"sentence": LONG},
        "box": {"sentence": "The card is full."},
        "camera": {"sentence": ""},
        "score": {"scores": STATE["scores"], "game": "toss-up"},
    }
    assert json.loads(shown("turn", "json_attributes_template")) == {"seat": 1}


def test_in_german_every_name_is_german() -> None:
    names = {key: each["name"] for key, each in components(language="de").items()}
    assert (names["turn"], names["take_back"]) == ("Am Zug", "Zurücknehmen")
    english = {key: each["name"] for key, each in components().items()}
    assert [key for key in names if names[key] == english[key]] == ["box"]


DOCS = Path(__file__).parents[4] / "docs"
READY = sorted((DOCS / "home-assistant").glob("*.yaml"))
AN_ID = re.compile(r"\b(?:binary_sensor|sensor|button)\.[a-z_]+")


class Input(str):
    """An input of a blueprint, where it is used."""


class Blueprints(yaml.SafeLoader):
    """Reads YAML with the one tag of a blueprint."""


Blueprints.add_constructor("!input", lambda loader, node: Input(loader.construct_scalar(node)))


def inputs_in(found: object) -> set[str]:
    """The names of all inputs that are used somewhere in YAML."""
    if isinstance(found, Input):
        return {str(found)}
    below = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return set().union(*map(inputs_in, below))


def test_every_id_in_the_documentation_is_one_that_the_table_has() -> None:
    has = {each["default_entity_id"] for each in components(name="Kitchen table").values()}
    page = DOCS / "home-assistant.md"
    assert set(AN_ID.findall(page.read_text("utf-8"))) == has
    assert set(AN_ID.findall((DOCS / "home-assistant/dashboard.yaml").read_text("utf-8"))) == has
    assert all(
        set(AN_ID.findall(path.read_text("utf-8"))) <= has and path.name in page.read_text("utf-8") for path in READY
    )


def test_every_id_is_what_an_older_home_assistant_makes_of_the_english_names() -> None:
    for each in components(name="Kitchen table").values():
        made = re.sub("[^a-z0-9]+", "_", f"Kitchen table {each['name']}".lower())
        assert each["default_entity_id"] == f"{each['platform']}.{made}"


@pytest.mark.parametrize("path", [path for path in READY if path.name != "dashboard.yaml"], ids=lambda path: path.stem)
def test_a_blueprint_uses_each_of_its_inputs_and_no_other(path: Path) -> None:
    blueprint = yaml.load(path.read_text("utf-8"), Blueprints)  # noqa: S506  # a safe one
    assert inputs_in(blueprint) == set(blueprint["blueprint"]["input"])
