from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback_receiver import LoopbackReceiver, listening

from vander.extras.webhooks.delivery import DeliveryQueue


@pytest.fixture
def board() -> Iterator[LoopbackReceiver]:
    with listening() as scene:
        yield scene


@pytest.fixture
def bot() -> Iterator[LoopbackReceiver]:
    with listening() as scene:
        yield scene


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[DeliveryQueue]:
    opened = DeliveryQueue.in_folder(tmp_path)
    yield opened
    opened.close()
