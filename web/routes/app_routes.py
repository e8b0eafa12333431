"""Routes of the installed page: its manifest, and the worker that answers while the table is away."""

from __future__ import annotations

import json
from hashlib import sha256

from flask import Blueprint, Response, current_app, render_template, url_for

from referee.sentences import say
from web.authorization import requires
from web.endpoint_decorators import HTML, MANIFEST, SCRIPT, media_endpoint
from web.languages import language, said
from web.services.access_backend import Role
from web.static_files import current_release, imported_modules

blueprint = Blueprint("app", __name__)

NIGHT = "#17100b"
"""The background colour `--night` of base.css in the dark, for the start screen."""
_ICONS = (
    ("icons/vander-192.png", "192x192", "any"),
    ("icons/vander-512.png", "512x512", "any"),
    ("icons/vander-maskable-512.png", "512x512", "maskable"),
    ("die.svg", "any", "any"),
)
_SHELL = ("early.js", "base.css", "access.css", "die.svg", "icons/vander-192.png", "display.js", "away.js", "access.js")
"""The files of the page that is shown while the table does not answer, without what its scripts import."""


@blueprint.get("/manifest.webmanifest")
@requires(Role.WATCHER)
@media_endpoint(MANIFEST)
def manifest() -> Response:
    """Return what a device needs to know to install the page."""
    described = {
        "id": "/",
        "name": "Vander",
        "short_name": "Vander",
        "description": said(say("A referee for real dice on a real table.")),
        "lang": language(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": NIGHT,
        "theme_color": NIGHT,
        "icons": [_icon(*icon) for icon in _ICONS],
    }
    return Response(json.dumps(described), mimetype=MANIFEST)


@blueprint.get("/service-worker.js")
@requires(Role.WATCHER)
@media_endpoint(SCRIPT)
def service_worker() -> Response:
    """Return the worker, with the files that it keeps and their version; from the root, so that it serves all pages."""
    page = render_template("away.html")
    version = sha256(page.encode()).hexdigest()[:16]  # the page names all files by their version
    urls = [url_for("app.away"), *(url_for("static", filename=name) for name in shell_files())]
    text = current_release().files["service_worker.js"].contents.decode()
    script = f"const VERSION = {json.dumps(version)};\nconst SHELL = {json.dumps(urls)};\n{text}"
    return Response(script, mimetype=SCRIPT)


@blueprint.get("/away")
@requires(Role.WATCHER)
@media_endpoint(HTML)
def away() -> str:
    """Return the page that is kept on devices for when the table does not answer."""
    return render_template("away.html")


def shell_files() -> tuple[str, ...]:
    """Return the paths under static/ of all files of the page that is kept, in order."""
    release = current_release()
    imported = {module for name in _SHELL if name.endswith(".js") for module in imported_modules(release, name)}
    return tuple(sorted({*_SHELL, *imported}))


def _icon(name: str, sizes: str, purpose: str) -> dict[str, str]:
    kind = "image/svg+xml" if name.endswith(".svg") else "image/png"
    address = f"{current_app.static_url_path}/{name}"  # without a version: an installed page keeps it over updates
    return {"src": address, "sizes": sizes, "type": kind, "purpose": purpose}
