"""What each address answers, by its endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from web.openapi.json_schema import TEXT, Shape, whole
from web.schemas.learning_requests import MOST_QUEUED

HTML, JPEG, ZIP, EVENTS, ANY = "text/html", "image/jpeg", "application/zip", "text/event-stream", "*/*"


@dataclass(frozen=True)
class Told:
    """An answer that is as it should be: the shape of its JSON, or its media type, and how else it may come out.

    `statuses` are the refusals of this address; those that any address may give are not among them. `query` holds
    what may stand behind the `?`, and `needs` which of that must.
    """

    shape: str = ""
    media: str = "application/json"
    statuses: tuple[int, ...] = ()
    query: Mapping[str, Shape] = field(default_factory=dict)
    needs: tuple[str, ...] = ()


_PAGE = Told(media=HTML)
_DICE_PAGE = Told(media=HTML, statuses=(404, 503))
_TABLE = (404, 409, 503)
"""How the desk may turn a wish down: nothing of that name, not now, and it could not be kept."""
_TRAY = Told("TrayDice", statuses=(404, 409))
_LESSON = Told("LearnedNow", statuses=_TABLE)

ADDRESSES: dict[str, Told] = {
    "static": Told(media=ANY, statuses=(304, 404)),
    "pages.table": _PAGE,
    "pages.tray_page": Told(media=HTML, statuses=(404,)),
    "pages.dice_page": _DICE_PAGE,
    "pages.queue_page": _DICE_PAGE,
    "pages.set_page": _DICE_PAGE,
    "pages.capture_page": _DICE_PAGE,
    "pages.pictures_page": _DICE_PAGE,
    "description.description": Told("Description"),
    "counter.snapshot": Told("Snapshot"),
    "counter.games": Told("Games"),
    "counter.offers": Told("Offers", statuses=(400,), query={"seat": whole(0, 99), "row": TEXT}, needs=("seat",)),
    "counter.odds": Told("Odds", statuses=(409,)),
    "counter.throws": Told("Throws"),
    "counter.start": Told("Snapshot", statuses=_TABLE),
    "counter.act": Told("Snapshot", statuses=_TABLE),
    "counter.by_hand": Told("Snapshot", statuses=_TABLE),
    "counter.answer": Told("Snapshot", statuses=_TABLE),
    "counter.correct": Told("Snapshot", statuses=_TABLE),
    "counter.undo": Told("Snapshot", statuses=_TABLE),
    "counter.picture": Told(media=JPEG, statuses=(304, 404, 410)),
    "counter.view": Told(media=JPEG, statuses=(404,)),
    "live.live": Told(media=EVENTS, statuses=(503,)),
    "tray.dice": Told("TrayDice", statuses=(404,)),
    "tray.cupboard": Told("Cupboard", statuses=(404,)),
    "tray.throw": _TRAY,
    "tray.move": _TRAY,
    "tray.tip": _TRAY,
    "tray.twist": _TRAY,
    "tray.knock_off": _TRAY,
    "tray.hand": _TRAY,
    "tray.set_out": _TRAY,
    "tray.trouble": _TRAY,
    "teaching.overview": Told("Overview", statuses=_TABLE),
    "teaching.dice": Told("Dice", statuses=_TABLE),
    "teaching.make": Told("Dice", statuses=_TABLE),
    "teaching.drop": Told("Overview", statuses=_TABLE),
    "teaching.teach": _LESSON,
    "teaching.learned": _LESSON,
    "teaching.go_back": _LESSON,
    "teaching.merge": Told("Dice", statuses=_TABLE),
    "teaching.captured": Told("Pictures", statuses=(400, *_TABLE), query={"kind": TEXT, "face": TEXT}),
    "teaching.queue": Told("Pictures", statuses=(400, *_TABLE), query={"most": whole(1, MOST_QUEUED)}),
    "teaching.label": Told("Done", statuses=_TABLE),
    "teaching.discard": Told("Done", statuses=_TABLE),
    "teaching.sitting": Told("SittingNow", statuses=_TABLE),
    "teaching.sit": Told("SittingNow", statuses=_TABLE),
    "teaching.shutter": Told("SittingNow", statuses=_TABLE),
    "teaching.by_itself": Told("SittingNow", statuses=_TABLE),
    "teaching.rise": Told("SittingNow", statuses=_TABLE),
    "teaching.certificate": Told("Certificate", statuses=_TABLE),
    "teaching.choices": Told("Overview", statuses=_TABLE),
    "teaching.shown": Told(media=JPEG, statuses=(304, 404, 503)),
    "teaching.check": Told("CheckAsked", statuses=(404,)),
    "teaching.checked": Told("CheckAsked", statuses=_TABLE),
    "doctor.doctor_page": Told(media=HTML, statuses=(404,)),
    "doctor.findings": Told("Findings", statuses=(404,)),
    "doctor.focus": Told("Focus", statuses=(404,)),
    "doctor.pack": Told(media=ZIP, statuses=(404, 503)),
    "door.pair_page": Told(media=HTML, statuses=(404,)),
    "door.box_page": _PAGE,
    "door.door": Told("Door"),
    "door.ask": Told("Door", statuses=(429,)),
    "door.pair": Told("Joined", statuses=(*_TABLE, 429)),
    "door.leave": Told("Done", statuses=_TABLE),
    "door.box": Told("Box"),
    "door.rename": Told("Box", statuses=(404, 503)),
    "door.entrust": Told("Box", statuses=(404, 503)),
    "door.forget": Told("Box", statuses=(404, 503)),
    "door.power_off": Told("Done", statuses=(404, 503)),
}
