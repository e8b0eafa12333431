"""Routes of the first run: the choice of a camera, the page that sets it up, and the mat to print."""

from __future__ import annotations

from flask import Blueprint, Response, after_this_request, render_template

from referee.sentences import Reason, Refused, say
from web.authorization import requires
from web.endpoint_decorators import HTML, PDF, media_endpoint
from web.services.access_backend import Role
from web.services.backends import VIRTUAL, backends, camera_kind, diagnostics, game, has_virtual_tray

blueprint = Blueprint("first_run", __name__)

SEEN = "vander_welcome"
"""The cookie of a browser that has seen a page of the first run; the table does not lead there again."""
YEAR_S = 365 * 24 * 3600


@blueprint.get("/welcome")
@media_endpoint(HTML, Reason.NOT_FOUND)
def welcome() -> str:
    """Return the page on which a camera is set up: its picture with what is seen in it, and the way to the game."""
    diagnostics()
    after_this_request(_remember)
    found = backends()
    has_phone = found.phone_camera is not None and found.phone_camera.is_wanted
    corners = found.tray_corners is not None and not has_virtual_tray()
    there = {"mat": found.mat is not None, "cameras": found.cameras is not None, "phone": has_phone, "corners": corners}
    return render_template("first_run.html", **there)


@blueprint.get("/start")
@media_endpoint(HTML)
def start() -> str:
    """Return the page on which a new table is begun: with the virtual tray, or with a camera; each is three steps."""
    after_this_request(_remember)
    found = backends()
    there = {"mat": found.mat is not None, "cameras": found.cameras is not None}
    return render_template("start.html", camera=game().snapshot().camera, kind=camera_kind(), **there)


def first_page() -> str:
    """Return the endpoint that leads to the first game: the choice of a camera, unless somebody chose one already."""
    return "first_run.start" if camera_kind() == VIRTUAL else "first_run.welcome"


@blueprint.get("/mat/<paper>.pdf")
@requires(Role.WATCHER)
@media_endpoint(PDF, Reason.NOT_FOUND)
def mat(paper: str) -> Response:
    """Return the printable mat for a paper: a3, a4 or letter; or markers to cut out: markers."""
    draw = backends().mat
    try:
        drawn = draw(paper) if draw else None
    except ValueError as error:
        raise Refused(say("A mat is there for the papers a3, a4 and letter."), Reason.NOT_FOUND) from error
    if drawn is None:
        raise Refused(say("This table has no mat to print."), Reason.NOT_FOUND)
    return Response(drawn, mimetype=PDF, headers={"Content-Disposition": f'inline; filename="vander-mat-{paper}.pdf"'})


def _remember(response: Response) -> Response:
    response.set_cookie(SEEN, "seen", max_age=YEAR_S, httponly=True, samesite="Strict", path="/")
    return response
