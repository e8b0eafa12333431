"""The table's own name among the topics of an MQTT broker: made once, by chance, and kept in the data folder.

No backup holds it: two boxes of one name would push each other off the broker.
"""

from __future__ import annotations

import re
import secrets
from contextlib import suppress
from pathlib import Path

from models.atomic_files import write_atomically

FILE = "mqtt-node"
_NODE = re.compile("vander_[0-9a-f]{12}")


def mqtt_node(folder: Path) -> str:
    """Return the kept name, `vander_0123456789ab`; made where there is none, or it is damaged. Raises OSError."""
    path = folder / FILE
    with suppress(OSError, ValueError):
        kept = path.read_text("ascii").strip()
        if _NODE.fullmatch(kept):
            return kept
    made = f"vander_{secrets.token_hex(6)}"
    write_atomically(path, f"{made}\n".encode())
    return made
