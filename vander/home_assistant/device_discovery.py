"""Build the discovery message for Home Assistant: a table as one device with its entities. Pure.

The form is that of device-based discovery: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from referee.sentences import say
from vander.home_assistant.mqtt_topics import TableTopics
from vander.home_assistant.table_state import OK, spoken

LONGEST_STATE = 255
"""Characters of a state in Home Assistant, which refuses a longer one: the whole sentence is an attribute."""
PRESS = "PRESS"
"""What Home Assistant sends when somebody presses a button."""
SCORES = "{% for one in value_json.scores %}{{ one.name }} {{ one.score }}{{ '' if loop.last else ', ' }}{% endfor %}"
"""All scores as a text, in the language of Home Assistant's templates."""
NEW_GAME, TAKE_BACK = "new-game", "take-back"
"""The names of the commands."""


@dataclass(frozen=True)
class DeviceFacts:
    """What Home Assistant shows of the device itself; `page` is the address of the table's page, '' for none."""

    name: str
    version: str
    page: str = ""


def device_discovery(topics: TableTopics, facts: DeviceFacts, language: str = "en") -> dict[str, Any]:
    """Return the payload of the table's discovery topic, with names in a language."""
    device = {"identifiers": [topics.node], "name": facts.name, "manufacturer": "Vander", "model": "Vander"}
    origin = {"name": "Vander", "sw_version": facts.version}
    page = {"configuration_url": facts.page} if facts.page else {}
    support = {"support_url": f"{facts.page}/doctor"} if facts.page else {}
    return {
        "device": device | {"sw_version": facts.version} | page,
        "origin": origin | support,
        "availability_topic": topics.available,
        "state_topic": topics.state,
        "qos": 1,
        "components": {
            each.key: each.config
            | {
                "platform": each.platform,
                "name": spoken(each.name, language),
                "unique_id": f"{topics.node}_{each.key}",
                "default_entity_id": f"{each.platform}.vander_{_slug(facts.name)}_{each.key}",
            }
            for each in _entities(topics)
        },
    }


@dataclass(frozen=True)
class _Entity:
    """An entity of the device: its key, what Home Assistant makes of it, its name, and the rest of its description."""

    key: str
    platform: str
    name: str
    config: dict[str, Any]


def _entities(topics: TableTopics) -> tuple[_Entity, ...]:
    return (
        _Entity("turn", "sensor", say("Whose turn"), _text("turn") | {"icon": "mdi:account-arrow-right"}),
        _Entity("score", "sensor", say("Score"), _scores(topics.state)),
        _Entity("ruling", "sensor", say("Last ruling"), _sentence(topics.state, "ruling") | {"icon": "mdi:gavel"}),
        _Entity(
            "waits_for", "sensor", say("Waits for"), _sentence(topics.state, "waits_for") | {"icon": "mdi:timer-sand"}
        ),
        _Entity("answer", "sensor", say("Last answer"), _sentence(topics.answer, "answer", "number")),
        _Entity("over", "binary_sensor", say("Game over"), {"value_template": _on_if("value_json.over")}),
        _Entity("camera", "binary_sensor", say("Camera"), _problem(topics.state, "camera")),
        _Entity("box", "binary_sensor", say("Box"), _problem(topics.state, "box")),
        _Entity("new_game", "button", say("New game"), _pressed(topics.command(NEW_GAME), "mdi:restart")),
        _Entity("take_back", "button", say("Take back"), _pressed(topics.command(TAKE_BACK), "mdi:undo")),
    )


def _text(field: str) -> dict[str, Any]:
    """Return a sensor of a short text; '' is `unknown`, which Home Assistant writes `None`."""
    return {"value_template": f"{{{{ (value_json.{field} or 'None')[:{LONGEST_STATE}] }}}}"}


def _scores(topic: str) -> dict[str, Any]:
    """Return a sensor of all scores in the order of the seats: who leads depends on the game."""
    scores = f"{{% set all %}}{SCORES}{{% endset %}}{{{{ (all | string or 'None')[:{LONGEST_STATE}] }}}}"
    fields = _attributes(topic, "{'scores': value_json.scores, 'game': value_json.game}")
    return {"value_template": scores, "icon": "mdi:scoreboard"} | fields


def _sentence(topic: str, field: str, *others: str) -> dict[str, Any]:
    """Return a sensor of a sentence, whole among its attributes, with the values of other fields."""
    fields = "".join(f", '{other}': value_json.{other}" for other in others)
    return {"state_topic": topic} | _text(field) | _attributes(topic, f"{{'sentence': value_json.{field}{fields}}}")


def _problem(topic: str, field: str) -> dict[str, Any]:
    """Return a binary sensor that is on while there is a problem, with what it is as its attribute."""
    is_wrong = f"value_json.{field} != '{OK}'"
    attributes = _attributes(topic, f"{{'sentence': value_json.{field} if {is_wrong} else ''}}")
    return {"device_class": "problem", "value_template": _on_if(is_wrong)} | attributes


def _pressed(topic: str, icon: str) -> dict[str, Any]:
    """Return a button; what is pressed is sent once at most, since twice would take back two."""
    return {"command_topic": topic, "payload_press": PRESS, "qos": 0, "retain": False, "icon": icon}


def _on_if(condition: str) -> str:
    return f"{{{{ 'ON' if {condition} else 'OFF' }}}}"


def _attributes(topic: str, fields: str) -> dict[str, Any]:
    return {"json_attributes_topic": topic, "json_attributes_template": f"{{{{ {fields} | tojson }}}}"}


def _slug(name: str) -> str:
    """Return a name as a part of an entity's id."""
    plain = normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "_", plain.lower()).strip("_") or "table"
