"""Routes of pages: those that scripts fill, the installed page, the first run, the rules, the OpenAPI document."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, ClassVar

from flask import (
    Blueprint,
    Response,
    after_this_request,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from pydantic import Field
from werkzeug.wrappers import Response as BaseResponse

from referee.dice import DieSet
from referee.game import Game
from referee.rule_texts import RuleChapter, RulePage, rule_page
from referee.sentences import Reason, Refused, say
from vander.app.backends import VIRTUAL, backends, camera_kind, diagnostics, game, has_virtual_tray, learning, simulator
from vander.app.routes.learning_routes import die_set_name
from web.authorization import caller
from web.endpoints import ANY_MEDIA, HTML, JSON, MANIFEST, PDF, SCRIPT, json_endpoint, media_endpoint
from web.languages import language, said
from web.openapi import describe
from web.schemas.access_schemas import Role
from web.schemas.response_model import FIELD, AddressLanguage, Digits, Needs, RequestModel
from web.schemas.snapshot_response import part_schemas
from web.schemas.snapshot_schemas import BoardPartSchema, KindHeading
from web.static_files import current_release, imported_modules, static_response

app_blueprint = Blueprint("app", __name__)

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


@app_blueprint.get("/manifest.webmanifest")
@media_endpoint(MANIFEST, role=Role.WATCHER)
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


@app_blueprint.get("/service-worker.js")
@media_endpoint(SCRIPT, role=Role.WATCHER)
def service_worker() -> Response:
    """Return the worker, with the files that it keeps and their version; from the root, so that it serves all pages."""
    page = render_template("away.html")
    version = sha256(page.encode()).hexdigest()[:16]  # the page names all files by their version
    urls = [url_for("app.away"), *(url_for("static", filename=name) for name in shell_files())]
    text = current_release().files["service_worker.js"].contents.decode()
    script = f"const VERSION = {json.dumps(version)};\nconst SHELL = {json.dumps(urls)};\n{text}"
    return Response(script, mimetype=SCRIPT)


@app_blueprint.get("/away")
@media_endpoint(HTML, role=Role.WATCHER)
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


openapi_blueprint = Blueprint("openapi", __name__)


@openapi_blueprint.get("/api/description.json")
@media_endpoint(JSON, role=Role.WATCHER)
def description() -> Response:
    """Return what every address takes and answers, as an OpenAPI 3.1 document."""
    if "openapi" not in current_app.extensions:
        current_app.extensions["openapi"] = describe(current_app)
    return jsonify(current_app.extensions["openapi"])


first_run_blueprint = Blueprint("first_run", __name__)

SEEN = "vander_welcome"
"""The cookie of a browser that has seen a page of the first run; the table does not lead there again."""
YEAR_S = 365 * 24 * 3600


@first_run_blueprint.get("/welcome")
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


@first_run_blueprint.get("/start")
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


@first_run_blueprint.get("/mat/<paper>.pdf")
@media_endpoint(PDF, Reason.NOT_FOUND, role=Role.WATCHER)
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


blueprint = Blueprint("pages", __name__)

_REFUSALS = (Reason.NOT_FOUND, Reason.UNAVAILABLE)


@blueprint.get("/")
@media_endpoint(HTML, role=Role.WATCHER)
def table() -> str | BaseResponse:
    """Return the page of the table; the first one on a new box leads a keeper to the first run."""
    found = backends()
    if caller().role is Role.KEEPER and SEEN not in request.cookies and found.is_new():
        return redirect(url_for(first_page()))
    has = {"teaching": found.learning, "history": found.history, "hall_link": found.hall_link, "cameras": found.cameras}
    there = {part: service is not None for part, service in has.items()}
    return render_template("table.html", tray=has_virtual_tray(), **there)


@blueprint.get("/tray")
@media_endpoint(HTML, Reason.NOT_FOUND, role=Role.WATCHER)
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


@media_endpoint(ANY_MEDIA, Reason.NOT_FOUND, cached=True, role=Role.WATCHER)
def static_file(filename: str) -> Response:
    """Return a file that the pages use."""
    return static_response(filename, request)


@dataclass(frozen=True)
class PlayStepSchema:
    """A step of how the game is played: a sentence, and the parts of a board that picture it."""

    sentence: str
    picture: tuple[BoardPartSchema, ...]


@dataclass(frozen=True)
class RulesResponse:
    """The rules of a game, and how it is played in one minute; `steps` is empty where that is not told."""

    game: str
    title: str
    die_set: str
    kinds: tuple[KindHeading, ...]
    chapters: tuple[RuleChapter, ...]
    steps: tuple[PlayStepSchema, ...]


class RulesQuery(RequestModel):
    """The rule that is asked for, '' for none in particular."""

    number: str = ""


def rules_response(game: Game, page: RulePage, dice: DieSet | None) -> RulesResponse:
    """Return the JSON of a game's rules; the faces in pictures are titled as `dice` says."""
    chapters = tuple(chapter for chapter in page.chapters if chapter.texts)
    steps = tuple(PlayStepSchema(step.sentence, part_schemas(step.picture, dice)) for step in game.how_to_play)
    kinds = tuple(KindHeading(kind.name, kind.title, kind.bodies) for kind in dice.kinds) if dice else ()
    return RulesResponse(game.name, page.title, game.die_set, kinds, chapters, steps)


rules_blueprint = Blueprint("rules", __name__)


@rules_blueprint.get("/api/rules/<name>")
@json_endpoint(RulesResponse, Reason.INVALID, Reason.NOT_FOUND, role=Role.WATCHER)
def rules(name: str, query: RulesQuery) -> RulesResponse:
    """Return all rules of a game, and how it is played; a rule that is asked for by its number has to be there."""
    found = next((each for each in game().games() if each.name == name), None)
    page = rule_page(name, language()) if found else None
    if found is None or page is None:
        raise Refused(say("There are no rules of a game of that name."), Reason.NOT_FOUND)
    if query.number and query.number not in page.numbers:
        raise Refused(
            say(
                "{game} has no rule {number}: look it up in the list.", game=found.title, number=repr(query.number[:20])
            ),
            Reason.NOT_FOUND,
        )
    dice = next((each for each in game().die_sets() if each.name == found.die_set), None)
    return rules_response(found, page, dice)


# Overlays: pages of one part of the table, for a stream


Colour = Annotated[
    str,
    Field(pattern="^(#?[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?)?$"),
    Needs(
        say("The request needs {field} as a colour of six or eight hexadecimal digits, such as ff8800.", field=FIELD)
    ),
]
"""A colour as `rrggbb`, or with its opacity `rrggbbaa`; '' for the theme's own. Nothing else reaches a stylesheet."""
Percent = Annotated[
    int,
    Digits,
    Field(ge=50, le=300),
    Needs(say("The request needs {field} as a whole number from 50 to 300.", field=FIELD)),
]
Seconds = Annotated[
    int,
    Digits,
    Field(ge=2, le=600),
    Needs(say("The request needs {field} as a whole number from 2 to 600.", field=FIELD)),
]


class OverlayQuery(AddressLanguage):
    """How an overlay looks. Each that is given sets the variable of the stylesheet of that name."""

    example: ClassVar = {"lang": "de", "accent": "ff8800", "scale": "120"}

    accent: Colour = ""
    """The colour of who acts, and of a win."""
    text: Colour = ""
    """The colour of names, scores and sentences."""
    panel: Colour = ""
    """The colour behind them."""
    scale: Percent = 100
    """The size of everything, in percent."""
    seconds: Seconds = 8
    """How long a ruling stays."""

    def theme(self) -> dict[str, str]:
        """Return what the page writes into its `data-` attributes, which the script makes variables of."""
        colours = {name: f"#{value.removeprefix('#')}" for name, value in self._colours() if value}
        return {**colours, "scale": str(self.scale / 100), "seconds": str(self.seconds)}

    def _colours(self) -> tuple[tuple[str, str], ...]:
        return ("accent", self.accent), ("text", self.text), ("panel", self.panel)


overlay_blueprint = Blueprint("overlays", __name__)


@overlay_blueprint.get("/overlay")
@media_endpoint(HTML, role=Role.WATCHER)
def overlays_page() -> str:
    """Return the page that lists the overlays, each with a preview and its address."""
    return render_template("overlays.html")


@overlay_blueprint.get("/overlay/score")
@media_endpoint(HTML, Reason.INVALID, role=Role.WATCHER)
def score_overlay(query: OverlayQuery) -> str:
    """Return the overlay of the scores: names, points, whose turn it is, and what that turn is worth so far."""
    return _overlay("score", query)


@overlay_blueprint.get("/overlay/dice")
@media_endpoint(HTML, Reason.INVALID, role=Role.WATCHER)
def dice_overlay(query: OverlayQuery) -> str:
    """Return the overlay of the dice as they lie."""
    return _overlay("dice", query)


@overlay_blueprint.get("/overlay/ruling")
@media_endpoint(HTML, Reason.INVALID, role=Role.WATCHER)
def ruling_overlay(query: OverlayQuery) -> str:
    """Return the overlay of each new ruling, which goes away after some seconds."""
    return _overlay("ruling", query)


def _overlay(part: str, query: OverlayQuery) -> str:
    return render_template("overlay.html", part=part, theme=query.theme())
