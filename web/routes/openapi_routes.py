"""The counter where the API's own description lies."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify

from web.authorization import requires
from web.openapi import describe
from web.services.access_protocol import Role

blueprint = Blueprint("description", __name__)


@blueprint.get("/api/description.json")
@requires(Role.WATCHER)
def description() -> Response:
    """What every address of the tablet takes and answers, as an OpenAPI 3.1 document."""
    if "description" not in current_app.extensions:
        current_app.extensions["description"] = describe(current_app)
    return jsonify(current_app.extensions["description"])
