"""The pages: the table, the dice that are taught, the box, joining in, and the virtual tray where there is one.

Each is a shell that the page's own script fills.
"""

from __future__ import annotations

from flask import Blueprint, render_template

from web.authorization import requires
from web.schemas.learning_requests import set_name
from web.services import backends
from web.services.access_protocol import Role

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
@requires(Role.WATCHER)
def table() -> str:
    """The table: playing, setting up and correcting."""
    found = backends.backends()
    return render_template("table.html", tray=found.simulator is not None, teaching=found.learning is not None)


@blueprint.get("/tray")
@requires(Role.WATCHER)
def tray_page() -> str:
    """The virtual tray."""
    backends.simulator()
    die_sets = {dice.name: dice.title for dice in backends.game().die_sets()}
    return render_template("virtual_tray.html", die_sets=die_sets)


@blueprint.get("/dice")
def dice_page() -> str:
    """The dice that this table knows, what it has chosen, and its certificate."""
    backends.learning()
    return render_template("die_sets.html", heading="Your dice")


@blueprint.get("/dice/queue")
def queue_page() -> str:
    """The doubtful pictures that wait for a word."""
    backends.learning()
    return render_template("pictures.html", heading="Doubtful pictures", name="")


@blueprint.get("/dice/<name>")
def set_page(name: str) -> str:
    """One die set: its faces and its lesson."""
    found = backends.learning().dice(set_name(name))
    return render_template("die_set.html", heading=found.title, name=found.name)


@blueprint.get("/dice/<name>/capture")
def capture_page(name: str) -> str:
    """The guided capture of a die set."""
    found = backends.learning().dice(set_name(name))
    return render_template("capture.html", heading=found.title, name=found.name)


@blueprint.get("/dice/<name>/pictures")
def pictures_page(name: str) -> str:
    """The pictures of a die set."""
    found = backends.learning().dice(set_name(name))
    return render_template("pictures.html", heading=found.title, name=found.name)
