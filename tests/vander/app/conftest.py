from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from vander.app.film_recorder import FilmRecorder
from vander.storage.evidence_store import FilmStore


@pytest.fixture
def store(tmp_path: Path) -> FilmStore:
    return FilmStore(tmp_path / "films", quota_mb=20)


@pytest.fixture
def recorder(store: FilmStore) -> Iterator[FilmRecorder]:
    recorder = FilmRecorder(store)
    recorder.start()
    yield recorder
    recorder.stop()
