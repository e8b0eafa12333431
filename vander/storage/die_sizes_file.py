"""The file of how large the dice of each set are under each camera, so that the first throw after a start knows it."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError

from models.atomic_files import write_atomically
from vision.die_size import TABLES_KEPT, DieSize

FILE: Final = "die-sizes.json"
MOST_BYTES: Final = 1 << 18
WRITTEN_AGAIN: Final = 0.01
"""Share by which an edge has to change to be written once more."""

_log = logging.getLogger(__name__)
_Edges = Annotated[list[Annotated[float, Field(gt=0, lt=1000)]], Field(max_length=TABLES_KEPT)]
_WRITTEN: Final = TypeAdapter(dict[str, dict[str, _Edges]])


class DieSizesFile:
    """Sizes by the camera, as people may see its name, and the die set: another camera sees another table.

    What the disk refuses is logged: the dice tell their size again.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._kept = _read(self._path)

    def of(self, camera: str, die_set: str) -> DieSize:
        """Return what is known of the size of a set's dice."""
        return self._kept.get((camera, die_set), DieSize())

    def keep(self, camera: str, die_set: str, size: DieSize) -> None:
        """Keep what is known of the size of a set's dice now."""
        before = self.of(camera, die_set).edge_mm
        if size.edge_mm is None or (before is not None and abs(size.edge_mm / before - 1) < WRITTEN_AGAIN):
            return
        self._kept[camera, die_set] = size
        written: dict[str, dict[str, list[float]]] = {}
        for (seen_by, name), one in self._kept.items():
            written.setdefault(seen_by, {})[name] = [round(edge, 3) for edge in one.edges_mm]
        try:
            write_atomically(self._path, json.dumps(written).encode())
        except OSError as error:
            _log.warning("the size of the dice is not kept: %s", error.strerror or error)


def _read(path: Path) -> dict[tuple[str, str], DieSize]:
    if not path.exists():
        return {}
    try:
        with path.open("rb") as file:
            written = _WRITTEN.validate_json(file.read(MOST_BYTES))  # a longer one is cut, and then damaged
    except (OSError, ValidationError) as error:
        _log.warning("the dice tell their size again, %s cannot be used: %s", path, type(error).__name__)
        return {}
    return {(camera, name): DieSize(tuple(edges)) for camera, sets in written.items() for name, edges in sets.items()}
