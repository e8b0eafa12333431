"""A table as a device of Home Assistant: its topics on the broker, its entities, and their state. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from referee.phrases import in_a_row
from referee.sentences import Translations, in_language, say
from referee.snapshot import Snapshot
from web.languages import languages, translations

# The state of a table as Home Assistant gets it over MQTT, and a hall as a hint of what goes on. Pure


OK = "ok"
"""What `camera` and `box` say where nothing is wrong."""


def table_state(snapshot: Snapshot, language: str = "en") -> dict[str, Any]:
    """Return the state that is shown in a snapshot, with sentences in a language; English where that is not known.

    A tray that is lent is no trouble of the camera, as for the doctor.
    """
    state, game = snapshot.state, snapshot.game
    seat = state.on_turn if state else 0
    trouble = "" if snapshot.lent else snapshot.camera_trouble
    names = [player.name for player in state.players] if state else []
    return {
        "turn": state.name(seat) if state and seat else "",
        "seat": seat,
        "game": game.name if game else "",
        "scores": [
            {"name": name, "score": score} for name, score in zip(names, state.scores if state else (), strict=False)
        ],
        "ruling": spoken(in_a_row(*(call.sentence for call in snapshot.calls)), language),
        "waits_for": spoken(snapshot.notice, language),
        "dice": [{"kind": str(die.kind), "face": str(die.face)} for die in snapshot.dice],
        "camera": spoken(trouble, language) or OK,
        "box": spoken(in_a_row(*snapshot.alerts), language) or OK,
        "over": state is not None and not state.to_act,
        "number": snapshot.number,
    }


def is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """True if two states differ in no more than the number of their snapshots."""
    return {**one, "number": 0} == {**other, "number": 0}


def spoken(sentence: str, language: str) -> str:
    """Return a sentence in a language; in English where that is not known."""
    known: Translations | None = translations(language) if language in languages() else None
    return str(in_language(sentence, known)) if known else str(sentence)


# The topics of a table on an MQTT broker


DISCOVERY = "homeassistant"
"""The prefix under which Home Assistant looks for devices, and says that it has started."""
BIRTH_TOPIC, BIRTH = f"{DISCOVERY}/status", b"online"
ONLINE, OFFLINE = "online", "offline"


@dataclass(frozen=True)
class TableTopics:
    """The topics of the table whose kept name on the broker is `node`."""

    node: str

    @property
    def state(self) -> str:
        """Where the table's state is kept, as JSON."""
        return f"vander/{self.node}/state"

    @property
    def available(self) -> str:
        """Where it is kept whether the table is there: ONLINE or OFFLINE."""
        return f"vander/{self.node}/available"

    @property
    def answer(self) -> str:
        """Where the sentence is kept with which the last command was answered."""
        return f"vander/{self.node}/answer"

    @property
    def discovery(self) -> str:
        """Where Home Assistant finds what the table is made of."""
        return f"{DISCOVERY}/device/{self.node}/config"

    @property
    def commands(self) -> str:
        """The pattern of all topics to which commands are sent."""
        return self.command("+")

    def command(self, name: str) -> str:
        """Return the topic to which the command of that name is sent."""
        return f"vander/{self.node}/command/{name}"

    def command_of(self, topic: str) -> str:
        """Return the name of the command that a topic stands for."""
        return topic.rpartition("/")[2]


# Build the discovery message for Home Assistant: a table as one device with its entities. Pure
#
# The form is that of device-based discovery: https://www.home-assistant.io/integrations/mqtt/#device-discovery-
# payload


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
                # What Home Assistant makes of the names by itself where they are English: before 2025.10 it does not
                # read this, and would give other ids than it does since.
                "default_entity_id": f"{each.platform}.{_slug(facts.name)}_{_slug(each.name)}",
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
        _Entity("turn", "sensor", say("Whose turn"), _turn(topics.state)),
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


def _turn(topic: str) -> dict[str, Any]:
    """Return a sensor of whose turn it is; the seat among its attributes is the same whoever plays."""
    return _text("turn") | {"icon": "mdi:account-arrow-right"} | _attributes(topic, "{'seat': value_json.seat}")


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
    plain = normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "_", plain).strip("_") or "table"
