"""Routes of the test whether dice are fair."""

from __future__ import annotations

from flask import Blueprint, render_template

from referee.sentences import Reason
from web.authorization import requires
from web.endpoint_decorators import HTML, json_endpoint, media_endpoint
from web.schemas.history_schemas import CheckedThrowsQuery, CheckedThrowsResponse, FairnessOverview, FairnessResponse
from web.services.access_backend import Role
from web.services.backends import fairness

blueprint = Blueprint("fairness", __name__)


@blueprint.get("/fairness")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def fairness_page() -> str:
    """Return the page that shows whether the dice are fair."""
    fairness()
    return render_template("fairness.html")


@blueprint.get("/api/fairness")
@requires(Role.WATCHER)
@json_endpoint(FairnessOverview, Reason.NOT_FOUND)
def overview() -> FairnessOverview:
    """Return the die sets whose dice were read, and what the test rests on."""
    return fairness().overview()


@blueprint.get("/api/fairness/<name>")
@requires(Role.WATCHER)
@json_endpoint(FairnessResponse, Reason.NOT_FOUND)
def finding(name: str) -> FairnessResponse:
    """Return the test of the dice of one set."""
    return fairness().finding(name)


@blueprint.get("/fairness/checked")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def checked_throws_page() -> str:
    """Return the page that shows the throws of which people said whether they were read right."""
    fairness()
    return render_template("checked_throws.html")


@blueprint.get("/api/checked-throws")
@requires(Role.WATCHER)
@json_endpoint(CheckedThrowsResponse, Reason.INVALID, Reason.NOT_FOUND)
def checked_throws(query: CheckedThrowsQuery) -> CheckedThrowsResponse:
    """Return throws of which people said whether they were read right, with each die as it was read and as it is."""
    return fairness().checked_throws(query.before, only_wrong=bool(query.wrong))
