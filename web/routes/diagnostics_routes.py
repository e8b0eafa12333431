"""Routes of diagnostics: the state of the box, what the camera's picture shows, the support bundle."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from referee.sentences import Reason
from web.endpoints import HTML, ZIP, json_endpoint, media_endpoint
from web.services.access_backend import FindingsResponse, SupportBundleRequest, TraySight
from web.services.backends import diagnostics

blueprint = Blueprint("diagnostics", __name__)

SUPPORT_BUNDLE = "vander-support.zip"


@blueprint.get("/doctor")
@media_endpoint(HTML, Reason.NOT_FOUND)
def diagnostics_page() -> str:
    """Return the page of the findings."""
    diagnostics()
    return render_template("diagnostics.html")


@blueprint.get("/api/doctor")
@json_endpoint(FindingsResponse, Reason.NOT_FOUND)
def findings() -> FindingsResponse:
    """Return what is right and wrong with the box."""
    return FindingsResponse(tuple(diagnostics().findings()))


@blueprint.post("/api/doctor/accept")
@json_endpoint(FindingsResponse, Reason.NOT_FOUND, Reason.UNAVAILABLE)
def accept_missing_games() -> FindingsResponse:
    """Accept that the journal lacks games that were played here; return what is found then."""
    return FindingsResponse(tuple(diagnostics().accept_missing_games()))


@blueprint.get("/api/sight")
@json_endpoint(TraySight, Reason.NOT_FOUND)
def sight() -> TraySight:
    """Return what the camera's picture shows, where in it, and what is wrong."""
    return diagnostics().sight()


@blueprint.post("/api/doctor/pack")
@media_endpoint(ZIP, Reason.NOT_FOUND, Reason.UNAVAILABLE)
def support_bundle(body: SupportBundleRequest) -> Response:
    """Return a zip for a person who helps."""
    answer = Response(diagnostics().pack(body.pictures), mimetype=ZIP)
    answer.headers["Content-Disposition"] = f'attachment; filename="{SUPPORT_BUNDLE}"'
    return answer
