"""A diagnostics service for tests: it finds what it was given, and writes down what was asked."""

from __future__ import annotations

from collections.abc import Sequence

from referee.refused import Refused
from web.schemas.diagnostics_schemas import Finding, Focus, SeenMarker, Verdict

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

CORNERS = ((0.1, 0.1), (0.2, 0.1), (0.2, 0.22), (0.1, 0.22))
SHARP = Focus(GOOD, "The markers' edges are spread over 0.9 mm of the table.", 0.9, (SeenMarker(0, CORNERS, GOOD),))
SOFT = Focus(UNSURE, "The markers' edges are spread over 1.7 mm of the table.", 0.5, (SeenMarker(0, CORNERS, UNSURE),))


class StubDiagnostics:
    """Finds what it was given."""

    def __init__(self) -> None:
        self.found: Sequence[Finding] = POORLY
        self.seen = SHARP
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

    def focus(self) -> Focus:
        return self.seen

    def pack(self, pictures: bool) -> bytes:
        if self.refusal:
            raise self.refusal
        self.packs.append(pictures)
        return b"PK a zip"
