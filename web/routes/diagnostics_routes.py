"""The doctor's counter: what is well with the box and what is not, the lens as it is turned, the pack for a helper."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template

from web.schemas.game_requests import asked, yes_or_no
from web.services import backends

blueprint = Blueprint("doctor", __name__)

PACK = "vander-support.zip"


@blueprint.get("/doctor")
def doctor_page() -> str:
    """What is found, with the live picture."""
    backends.diagnostics()
    return render_template("diagnostics.html")


@blueprint.get("/api/doctor")
def findings() -> Response:
    """What is found now."""
    told = [
        {"name": found.name, "title": found.title, "verdict": found.verdict, "told": found.told, "advice": found.advice}
        for found in backends.diagnostics().findings()
    ]
    return jsonify(findings=told)


@blueprint.get("/api/doctor/focus")
def focus() -> Response:
    """How sharp the picture is now, and where the markers are in it (fractions of the picture)."""
    seen = backends.diagnostics().focus()
    markers = [
        {"number": marker.number, "corners": [list(corner) for corner in marker.corners], "verdict": marker.verdict}
        for marker in seen.markers
    ]
    return jsonify(verdict=seen.verdict, told=seen.told, share=round(seen.share, 3), markers=markers)


@blueprint.post("/api/doctor/pack")
def pack() -> Response:
    """A zip for whoever helps; `pictures`: whether the last pictures of the tray may be in it."""
    contents = backends.diagnostics().pack(yes_or_no(asked(), "pictures"))
    answer = Response(contents, mimetype="application/zip")
    answer.headers["Content-Disposition"] = f'attachment; filename="{PACK}"'
    return answer
