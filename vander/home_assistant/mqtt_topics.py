"""The topics of a table on an MQTT broker."""

from __future__ import annotations

from dataclasses import dataclass

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
