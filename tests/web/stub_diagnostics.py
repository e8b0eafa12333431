"""A diagnostics service for tests: it finds what it was given, and writes down what was asked."""

from __future__ import annotations

from collections.abc import Sequence

from referee.dice import FaceName, Zone
from referee.sentences import Refused
from web.schemas.access_schemas import DieInSight, Finding, SeenMarker, SeenZone, TraySight, Verdict

GOOD, UNSURE, BAD = Verdict.GOOD, Verdict.UNSURE, Verdict.BAD

WELL = (
    Finding("camera", "Camera", GOOD, "picamera:0 gives pictures of 1280 x 960, 15 a second, each a new one."),
    Finding("focus", "Focus", GOOD, "The markers' edges are spread over 0.9 mm of the table: sharp enough."),
    Finding(
        "address", "Address", GOOD, "Tablets find the table at http://vander.local:8080.", "The numbers work, too."
    ),
)
POORLY = (
    Finding("camera", "Camera", GOOD, "picamera:0 gives pictures of 1280 x 960, 15 a second, each a new one."),
    Finding(
        "light", "Light", UNSURE, "The markers' white stands at 80 to 90 of 255: dim.", "Put a lamp over the tray."
    ),
    Finding("power", "Power supply", BAD, "The voltage is too low just now.", "Use the Raspberry Pi's own supply."),
)
LOST_GAMES = (
    Finding(
        "journal",
        "Journal",
        BAD,
        "The journal lacks 21 games that were played here.",
        "Restore a backup with `vander restore`, or accept the loss on the page /doctor.",
        acceptable=True,
    ),
    *WELL,
)
NO_CAMERA = (Finding("camera", "Camera", BAD, "No camera answers at picamera:0.", "Check its cable."),)


def square(x: float, y: float, side: float = 0.1) -> tuple[tuple[float, float], ...]:
    """Corners about a place of the picture."""
    half = side / 2
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


MARKERS = tuple(
    SeenMarker(number, square(x, y), GOOD)
    for number, (x, y) in enumerate(((0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88)))
)
ZONES = (
    SeenZone(Zone.FIELD, ((0.1, 0.1), (0.7, 0.1), (0.7, 0.9), (0.1, 0.9))),
    SeenZone(Zone.SIGNAL, ((0.7, 0.1), (0.9, 0.1), (0.9, 0.3), (0.7, 0.3))),
    SeenZone(Zone.ASIDE, ((0.7, 0.3), (0.9, 0.3), (0.9, 0.9), (0.7, 0.9))),
)
DICE = (
    DieInSight(square(0.3, 0.5, 0.06), FaceName("pip-5"), True),
    DieInSight(square(0.5, 0.4, 0.06), FaceName("star"), False),
)
SHOWN = ((0.02, 0.02), (0.98, 0.02), (0.98, 0.98), (0.02, 0.98))
CLEAR = TraySight((), MARKERS, ZONES, DICE, 0.9, SHOWN)
COVERED = TraySight(
    (
        Finding("tray", "Tray", BAD, "Marker 2 is covered.", "Clear it.", place=square(0.88, 0.88)),
        Finding("glare", "Glare", UNSURE, "A lamp is mirrored here.", "Move the lamp.", place=square(0.4, 0.3, 0.2)),
        Finding("focus", "Focus", UNSURE, "The picture is a little soft.", "Wipe the lens.", place=square(0.12, 0.12)),
    ),
    MARKERS[:2],
    sharpness=0.5,
)
TILTED = TraySight(
    (Finding("tilt", "Tray", BAD, "The camera looks from too far to the side.", "Move it.", place=SHOWN),),
    MARKERS,
    ZONES,
)
MIRRORED = TraySight((Finding("mirrored", "Tray", BAD, "The picture is mirrored.", "Turn it round."),))
DARK = TraySight((Finding("light", "Light", BAD, "It is too dark.", "Put a lamp over the tray, or nearer."),))
NO_PICTURE = TraySight((NO_CAMERA[0],))


class StubDiagnostics:
    """Finds what it was given."""

    def __init__(self) -> None:
        self.found: Sequence[Finding] = POORLY
        self.seen = CLEAR
        self.packs: list[bool] = []
        self.looks = 0
        self.refusal: Refused | None = None

    def findings(self) -> Sequence[Finding]:
        self.looks += 1
        return self.found

    def accept_missing_games(self) -> Sequence[Finding]:
        if self.refusal:
            raise self.refusal
        self.found = WELL
        return self.found

    def sight(self) -> TraySight:
        return self.seen

    def pack(self, pictures: bool) -> bytes:
        if self.refusal:
            raise self.refusal
        self.packs.append(pictures)
        return b"PK a zip"
