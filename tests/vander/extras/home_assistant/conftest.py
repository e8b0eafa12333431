from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from mosquitto_broker import Broker


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    """A Mosquitto without passwords."""
    folder = tmp_path / "broker"
    folder.mkdir()
    broker = Broker(folder)
    broker.start()
    yield broker
    broker.stop()
