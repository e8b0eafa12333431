"""The pages: the table, and the virtual tray where there is one. Each is a shell that the page's own script fills."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template

from web.threshold import desk, tray

room = Blueprint("pages", __name__)


@room.get("/")
def table() -> str:
    """The table: playing, setting up and correcting."""
    return render_template("table.html", tray=current_app.extensions["tray"] is not None)


@room.get("/tray")
def tray_page() -> str:
    """The virtual tray."""
    tray()
    die_sets = {dice.name: dice.title for dice in desk().die_sets()}
    return render_template("tray.html", die_sets=die_sets)
