"""What faces look like at this table: the last picture of each that people said shows it, in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import islice

from models.dataset.table_labels import DieOfThrow
from vander.session.label_events import AnswerWithdrawn, FacesStated, LabelEvent
from vander.session.session_state import SessionState
from vander.session.table_images import TableImages

MOST_KEPT = 200
"""Pictures kept, of the faces named last: more than the shipped die sets have faces."""

FaceOfSet = tuple[str, str, str]
"""A die set, a kind and a face, by their names."""


@dataclass(frozen=True)
class FacePicture:
    """A JPEG of a die that shows a face, and which die of which throw it is, of those counted since a recount."""

    jpeg: bytes
    recounts: int
    die: DieOfThrow


class FacePictures:
    """The pictures by the faces that they show. One thread at a time may change them; any thread may ask for one."""

    def __init__(self) -> None:
        self._kept: Mapping[FaceOfSet, FacePicture] = {}

    def find(self, die_set: str, kind: str, face: str) -> bytes | None:
        """Return a JPEG of a die that shows the face; None without one."""
        found = self._kept.get((die_set, kind, face))
        return found.jpeg if found else None

    def take_in(self, event: LabelEvent, state: SessionState, images: TableImages) -> None:
        """Keep the pictures of dice that people spoke of, and drop those of which it holds no more."""
        match event:
            case FacesStated(faces, _):
                for number, (throw, die) in faces.items():
                    jpeg = images.crop(_crop_of(state, (number, throw)))
                    if jpeg is not None and die.face is not None:
                        picture = FacePicture(jpeg, state.recounts, (number, throw))
                        self._keep((state.dice.name, die.kind, die.face), picture)
            case AnswerWithdrawn(dice):
                self._drop(state.recounts, dice)
            case _:
                pass

    def _keep(self, face: FaceOfSet, picture: FacePicture) -> None:
        others = {known: kept for known, kept in self._kept.items() if known != face}
        self._kept = {**dict(islice(others.items(), max(0, len(others) + 1 - MOST_KEPT), None)), face: picture}

    def _drop(self, recounts: int, dice: Collection[DieOfThrow]) -> None:
        self._kept = {
            face: kept for face, kept in self._kept.items() if kept.recounts != recounts or kept.die not in dice
        }


def _crop_of(state: SessionState, die: DieOfThrow) -> str:
    """The name of the picture of a die that lies as it was thrown then; '' where it does not."""
    seen = state.table.seen.dice if state.table.seen else ()
    is_there = any((each.number, each.throw) == die for each in seen)
    return state.table.crops.get(die[0], "") if is_there else ""
