"""The pages: the table, the dice that are taught, the box, joining in, and the virtual tray where there is one.

Each is a shell that the page's own script fills.
"""

from __future__ import annotations

from flask import Blueprint, current_app, render_template

from web.schemas.learning_requests import set_name
from web.security import desk, teaching, tray

room = Blueprint("pages", __name__)


@room.get("/")
def table() -> str:
    """The table: playing, setting up and correcting."""
    there = {name: current_app.extensions[name] is not None for name in ("tray", "teaching")}
    return render_template("table.html", **there)


@room.get("/tray")
def tray_page() -> str:
    """The virtual tray."""
    tray()
    die_sets = {dice.name: dice.title for dice in desk().die_sets()}
    return render_template("tray.html", die_sets=die_sets)


@room.get("/dice")
def dice_page() -> str:
    """The dice that this table knows, what it has chosen, and its certificate."""
    teaching()
    return render_template("dice.html", heading="Your dice")


@room.get("/dice/queue")
def queue_page() -> str:
    """The doubtful pictures that wait for a word."""
    teaching()
    return render_template("pictures.html", heading="Doubtful pictures", name="")


@room.get("/dice/<name>")
def set_page(name: str) -> str:
    """One die set: its faces and its lesson."""
    found = teaching().dice(set_name(name))
    return render_template("dice_set.html", heading=found.title, name=found.name)


@room.get("/dice/<name>/capture")
def capture_page(name: str) -> str:
    """The guided capture of a die set."""
    found = teaching().dice(set_name(name))
    return render_template("capture.html", heading=found.title, name=found.name)


@room.get("/dice/<name>/pictures")
def pictures_page(name: str) -> str:
    """The pictures of a die set."""
    found = teaching().dice(set_name(name))
    return render_template("pictures.html", heading=found.title, name=found.name)
