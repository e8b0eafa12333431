"""Routes of the pages of the table, the virtual tray and the die sets. Each page is filled by its own script."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from referee.sentences import Reason
from web.authorization import caller, requires
from web.endpoint_decorators import ANY_MEDIA, HTML, media_endpoint
from web.routes.first_run_routes import SEEN, first_page
from web.routes.learning_routes import die_set_name
from web.services.access_backend import Role
from web.services.backends import backends, game, has_virtual_tray, learning, simulator
from web.static_files import static_response

blueprint = Blueprint("pages", __name__)

_REFUSALS = (Reason.NOT_FOUND, Reason.UNAVAILABLE)


@blueprint.get("/")
@requires(Role.WATCHER)
@media_endpoint(HTML)
def table() -> str | BaseResponse:
    """Return the page of the table; the first one on a new box leads a keeper to the first run."""
    found = backends()
    if caller().role is Role.KEEPER and SEEN not in request.cookies and found.is_new():
        return redirect(url_for(first_page()))
    has = {"teaching": found.learning, "history": found.history, "hall_link": found.hall_link, "cameras": found.cameras}
    there = {part: service is not None for part, service in has.items()}
    return render_template("table.html", tray=has_virtual_tray(), **there)


@blueprint.get("/tray")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND)
def tray_page() -> str:
    """Return the page of the virtual tray."""
    simulator()
    die_sets = {dice.name: dice.title for dice in game().die_sets()}
    return render_template("virtual_tray.html", die_sets=die_sets)


@blueprint.get("/dice")
@media_endpoint(HTML, *_REFUSALS)
def dice_page() -> str:
    """Return the page of the die sets, the choices and the table's accuracy."""
    learning()
    return render_template("die_sets.html")


@blueprint.get("/dice/queue")
@media_endpoint(HTML, *_REFUSALS)
def queue_page() -> str:
    """Return the page of the pictures that wait for a label."""
    learning()
    return render_template("pictures.html", heading="", name="")


@blueprint.get("/dice/<name>")
@media_endpoint(HTML, *_REFUSALS)
def set_page(name: str) -> str:
    """Return the page of a die set: its faces and its lesson."""
    found = learning().die_set(die_set_name(name))
    return render_template("die_set.html", heading=found.title, name=found.name)


@blueprint.get("/dice/<name>/capture")
@media_endpoint(HTML, *_REFUSALS)
def capture_page(name: str) -> str:
    """Return the page of the guided capture of a die set."""
    found = learning().die_set(die_set_name(name))
    return render_template("capture.html", heading=found.title, name=found.name)


@blueprint.get("/dice/<name>/pictures")
@media_endpoint(HTML, *_REFUSALS)
def pictures_page(name: str) -> str:
    """Return the page of the pictures of a die set."""
    found = learning().die_set(die_set_name(name))
    return render_template("pictures.html", heading=found.title, name=found.name)


@requires(Role.WATCHER)
@media_endpoint(ANY_MEDIA, Reason.NOT_FOUND, cached=True)
def static_file(filename: str) -> Response:
    """Return a file that the pages use."""
    return static_response(filename, request)
