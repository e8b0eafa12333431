"""How large the dice of a table are: by the dice that lie there, since neither die sets nor mats tell it well enough.

All dice of a set have one edge. The median over the dice of a table is hardly moved by one that leans or stands on
another, and the median over the last tables hardly by one odd table. Lengths are the tray's millimetres, which may be
wrong by one factor for all of them (`vision.tray_calibration`): whoever compares an edge with them loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.observations import DieSighting
from vision.rectification import camera_over
from vision.tray_calibration import Calibration

SURE_SIGHTING: Final = 0.6
"""Confidence of the finder from which on a sighting tells an edge."""
TABLES_KEPT: Final = 15
OTHER_DICE: Final = 0.12
"""Share by which the edge differs where other dice, another tray or another scale began: what was kept is then void."""
DICE_TO_CONTRADICT: Final = 2
"""One die alone may lean: it takes so many to void what is kept."""


@dataclass(frozen=True)
class DieSize:
    """The edges of one set of dice on one table, in millimetres: the median of each of the last tables."""

    edges_mm: tuple[float, ...] = ()

    @property
    def edge_mm(self) -> float | None:
        """The edge, None before the first table."""
        return float(np.median(self.edges_mm)) if self.edges_mm else None

    def after(self, edge_mm: float | None, count: int) -> DieSize:
        """Return the size after a table of so many dice with that median; None for a table that tells nothing."""
        if edge_mm is None:
            return self
        if self.contradicts(edge_mm, count):
            return DieSize((edge_mm,))
        return DieSize((*self.edges_mm, edge_mm)[-TABLES_KEPT:])

    def contradicts(self, edge_mm: float, count: int) -> bool:
        """True if a table of so many dice with that median has other dice, or another scale, than those before."""
        known = self.edge_mm
        return known is not None and count >= DICE_TO_CONTRADICT and abs(edge_mm / known - 1) > OTHER_DICE


def edges_of(sightings: Iterable[DieSighting], calibration: Calibration, surely: float = SURE_SIGHTING) -> list[float]:
    """Return the edges in millimetres that dice would have if all lay flat, of sightings with that confidence at least.

    A sighting's edge is measured in the plane of the table; the top face is nearer to the camera by one edge.
    """
    height = camera_over(calibration).height_mm
    seen = [one.edge_mm for one in sightings if one.confidence >= surely]
    return [edge * height / (height + edge) for edge in seen]


def edge_now(sightings: Sequence[DieSighting], calibration: Calibration, known_mm: float | None) -> float | None:
    """Return the edge by which the dice of a table are judged: the known one, unless the table contradicts it.

    Where nothing is known, dice of which the finder is half as sure as of the surest tell it as well: by the networks,
    which are used without an edge, all dice of an oblique picture seem to stand on others.
    """
    surest = max((one.confidence for one in sightings), default=1.0)
    edges = edges_of(sightings, calibration, SURE_SIGHTING if known_mm or surest >= SURE_SIGHTING else surest / 2)
    if not edges:
        return known_mm
    here = float(np.median(edges))
    known = DieSize() if known_mm is None else DieSize((known_mm,))
    return here if known_mm is None or known.contradicts(here, len(edges)) else known_mm
