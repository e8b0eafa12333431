"""Route of the OpenAPI document."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify

from web.authorization import requires
from web.endpoint_decorators import JSON, media_endpoint
from web.openapi import describe
from web.services.access_backend import Role

blueprint = Blueprint("openapi", __name__)


@blueprint.get("/api/description.json")
@requires(Role.WATCHER)
@media_endpoint(JSON)
def description() -> Response:
    """Return what every address takes and answers, as an OpenAPI 3.1 document."""
    if "openapi" not in current_app.extensions:
        current_app.extensions["openapi"] = describe(current_app)
    return jsonify(current_app.extensions["openapi"])
