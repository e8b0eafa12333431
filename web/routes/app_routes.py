"""Routes of the installed page: its manifest, and the worker that answers while the table is away."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256

from flask import Blueprint, Response, render_template, url_for

from web.authorization import requires
from web.endpoint_decorators import HTML, MANIFEST, SCRIPT, media_endpoint
from web.page_scripts import imported_modules
from web.services.access_backend import Role
from web.static_files import STATIC

blueprint = Blueprint("app", __name__)

NIGHT = "#17100b"
"""The background colour `--night` of base.css in the dark, for the start screen."""
_ICONS = (
    ("icons/vander-192.png", "192x192", "any"),
    ("icons/vander-512.png", "512x512", "any"),
    ("icons/vander-maskable-512.png", "512x512", "maskable"),
    ("die.svg", "any", "any"),
)
_SHELL = ("theme.js", "base.css", "access.css", "die.svg", "icons/vander-192.png", "display.js", "away.js", "access.js")
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
        "description": "A referee for real dice on a real table.",
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
    urls = [url_for("app.away"), *(url_for("static", filename=name) for name in shell_files())]
    text = (STATIC / "service_worker.js").read_text("utf-8")
    script = f"const VERSION = {json.dumps(_shell_version())};\nconst SHELL = {json.dumps(urls)};\n{text}"
    return Response(script, mimetype=SCRIPT)


@blueprint.get("/away")
@requires(Role.WATCHER)
@media_endpoint(HTML)
def away() -> str:
    """Return the page that is kept on devices for when the table does not answer."""
    return render_template("away.html")


@cache
def shell_files() -> tuple[str, ...]:
    """Return the paths under static/ of all files of the page that is kept, in order."""
    imported = {module for name in _SHELL if name.endswith(".js") for module in imported_modules(name)}
    return tuple(sorted({*_SHELL, *imported}))


def _shell_version() -> str:
    """Return a digest of the kept files, which changes when one of them does."""
    digest = sha256(render_template("away.html").encode())
    for name in shell_files():
        digest.update((STATIC / name).read_bytes())
    return digest.hexdigest()[:16]


def _icon(name: str, sizes: str, purpose: str) -> dict[str, str]:
    kind = "image/svg+xml" if name.endswith(".svg") else "image/png"
    return {"src": url_for("static", filename=name), "sizes": sizes, "type": kind, "purpose": purpose}
