"""The doctor's counter: what is well with the box and what is not."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify

from web.desk import Turned
from web.doctor import Doctor

room = Blueprint("doctor", __name__)


def doctor() -> Doctor:
    """Who examines the box. Raises Turned (404) at a table without one."""
    found: Doctor | None = current_app.extensions["doctor"]
    if found is None:
        raise Turned("Nobody examines this box.", 404)
    return found


@room.get("/api/doctor")
def findings() -> Response:
    """What is found now."""
    told = [
        {"name": found.name, "title": found.title, "verdict": found.verdict, "told": found.told, "advice": found.advice}
        for found in doctor().findings()
    ]
    return jsonify(findings=told)
