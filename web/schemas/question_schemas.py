"""JSON of what a page shows of an open question: the tray before and after, and a film of what moved between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from referee.sentences import say
from referee.snapshot import PicturedTray, QuestionPictures
from web.schemas.request_model import FIELD, Digits, Needs, RequestModel
from web.schemas.response_model import ResponseModel
from web.schemas.snapshot_schemas import Ring

LARGEST_QUESTION = 10**9


@dataclass(frozen=True)
class PicturedTraySchema(ResponseModel):
    """The tray from straight above, and where the dice in question lie in the picture."""

    src: str
    rings: tuple[Ring, ...]


@dataclass(frozen=True)
class QuestionPicturesResponse(ResponseModel):
    """What can be shown of what an open question is about."""

    film: str
    """The address of the film of what moved since the last ruling, or ''."""
    before: PicturedTraySchema | None
    """The tray as it was ruled on last; null where that is not at hand."""
    after: PicturedTraySchema | None


class QuestionQuery(RequestModel):
    """Which open question, by its number."""

    number: Annotated[
        int,
        Digits,
        Field(ge=0, le=LARGEST_QUESTION),
        Needs(say("The request needs {field}, the number of a question.", field=FIELD)),
    ]


def question_pictures_response(number: int, found: QuestionPictures) -> QuestionPicturesResponse:
    """Return what can be shown of the question of that number, with its addresses."""
    film = f"/api/question/film?number={number}" if found.has_film else ""
    return QuestionPicturesResponse(film, _pictured(found.before), _pictured(found.after))


def _pictured(tray: PicturedTray | None) -> PicturedTraySchema | None:
    if tray is None:
        return None
    return PicturedTraySchema(
        f"/pictures/{tray.name}.jpg", tuple(Ring(ring.x, ring.y, ring.edge) for ring in tray.rings)
    )
