"""JSON of the phone that is the camera: where its pictures belong, and what the box finds in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from referee.sentences import say
from web.schemas.diagnostics_schemas import TraySight
from web.schemas.request_model import FIELD, Digits, Needs, RequestModel, Whole
from web.schemas.response_model import Count, ResponseModel


def camera_url(url: str, code: Sequence[int]) -> str:
    """Return the address that a phone scans to become the camera; the six faces of a code let it in at once.

    The code is in the fragment, which no browser sends: it gets into no server's log.
    """
    return f"{url}/camera#{''.join(map(str, code))}" if code else f"{url}/camera"


class PictureQuery(RequestModel):
    """Where a picture belongs: its stream, its number there, and when it was taken."""

    stream: Annotated[Whole, Digits]
    number: Annotated[Whole, Digits]
    taken_ms: Annotated[Whole, Digits]
    """Milliseconds of the phone's own clock."""
    small_bytes: Annotated[Whole, Digits]
    """How many bytes the small picture has; behind them stand those of the full one, where it is sent too."""
    pace: Annotated[
        Literal["moving", "resting"], Needs(say("The request needs {field}: moving or resting.", field=FIELD))
    ] = "moving"


@dataclass(frozen=True)
class PictureAnswer(ResponseModel):
    """A picture was taken in."""

    needs_full: bool
    """True while the box needs a full picture of what lies still now."""
    guide: TraySight | None
    """What was found in the last full picture; null before one."""


@dataclass(frozen=True)
class StreamResponse(ResponseModel):
    """A new stream of pictures."""

    stream: Count


@dataclass(frozen=True)
class PhoneCameraResponse(ResponseModel):
    """The phone that is the camera now."""

    sends: bool
    name: str
    """What the phone is called, '' for none."""
    urls: tuple[str, ...]
    """The addresses of the camera's page, the one of the QR code first; empty where only the box itself reaches it."""
    is_secure: bool
    """True if the first address lets a phone show a live picture: browsers allow that over https alone."""
