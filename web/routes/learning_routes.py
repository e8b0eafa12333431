"""The teacher's counter: dice made, shown, captured, labelled and taught, as JSON; and the table's own questions."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Response, jsonify, request

from web.authorization import requires
from web.schemas.game_requests import LONGEST_NAME, asked, number, short_text, text, yes_or_no
from web.schemas.learning_requests import choices as chosen
from web.schemas.learning_requests import (
    edge_mm,
    how_many,
    new_kinds,
    optional,
    picture_name,
    pictures,
    set_name,
    wrong_dice,
)
from web.schemas.learning_responses import (
    captured_json,
    certificate_json,
    check_json,
    dice_json,
    learned_json,
    overview_json,
    sitting_json,
)
from web.services import backends
from web.services.access_protocol import Role
from web.services.learning_protocol import Captured, DiceShown, Learned, Sitting

blueprint = Blueprint("teaching", __name__)


@blueprint.get("/api/teaching")
def overview() -> Response:
    """The die sets, the capture that is going on, and what was chosen."""
    return jsonify(overview_json(backends.learning().overview()))


@blueprint.get("/api/teaching/dice/<name>")
def dice(name: str) -> Response:
    """One die set with its meters."""
    return _dice(backends.learning().dice(set_name(name)))


@blueprint.post("/api/teaching/dice")
def make() -> Response:
    """Make a die set: `title`, `edge_mm` and `kinds`, each with `title`, `count` and `faces`; '' is "Face 1"."""
    desk, body = backends.learning(), asked()
    return _dice(desk.make(text(body, "title", LONGEST_NAME), new_kinds(body), edge_mm(body)))


@blueprint.post("/api/teaching/dice/<name>/drop")
def drop(name: str) -> Response:
    """Drop a die set that was made here, with its pictures and lessons."""
    asked()
    backends.learning().drop(set_name(name))
    return overview()


@blueprint.post("/api/teaching/dice/<name>/teach")
def teach(name: str) -> Response:
    """Learn from the pictures of a die set."""
    asked()
    return _learned(backends.learning().teach(set_name(name)))


@blueprint.get("/api/teaching/dice/<name>/learned")
def learned(name: str) -> Response:
    """The lesson in use."""
    return _learned(backends.learning().learned(set_name(name)))


@blueprint.post("/api/teaching/dice/<name>/go-back")
def go_back(name: str) -> Response:
    """Use an earlier lesson again: `version`, 0 for the reader as it came."""
    return _learned(backends.learning().go_back(set_name(name), number(asked(), "version")))


@blueprint.post("/api/teaching/dice/<name>/merge")
def merge(name: str) -> Response:
    """Make one face of two: `kind`, `face`, and the `other` whose pictures become the face's."""
    desk, body = backends.learning(), asked()
    return _dice(desk.merge(set_name(name), text(body, "kind"), text(body, "face"), text(body, "other")))


@blueprint.get("/api/teaching/dice/<name>/pictures")
def captured(name: str) -> Response:
    """The labelled pictures of a die set, newest first; `kind` and `face` choose."""
    kind, face = (short_text(request.args.get(which, ""), f"{which!r}") for which in ("kind", "face"))
    return _pictures(backends.learning().captured(set_name(name), kind, face))


@blueprint.get("/api/teaching/queue")
def queue() -> Response:
    """The pictures that wait for a label, `most` of them, most doubtful first."""
    return _pictures(backends.learning().queue(how_many(request.args.get("most", "60"))))


@blueprint.post("/api/teaching/label")
def label() -> Response:
    """Say what `pictures` show: `kind` and `face`."""
    desk, body = backends.learning(), asked()
    desk.label(pictures(body), text(body, "kind"), text(body, "face"))
    return jsonify(done=True)


@blueprint.post("/api/teaching/discard")
def discard() -> Response:
    """Throw `pictures` away."""
    backends.learning().discard(pictures(asked()))
    return jsonify(done=True)


@blueprint.get("/api/teaching/sitting")
def sitting() -> Response:
    """How the guided capture stands, or null."""
    return _sitting(backends.learning().sitting())


@blueprint.post("/api/teaching/sit")
def sit() -> Response:
    """Begin a guided capture of `dice`, or go on to another `kind` and `face`."""
    desk, body = backends.learning(), asked()
    return _sitting(desk.sit(text(body, "dice"), optional(body, "kind"), optional(body, "face")))


@blueprint.post("/api/teaching/shutter")
def shutter() -> Response:
    """Take a picture now."""
    asked()
    return _sitting(backends.learning().shutter())


@blueprint.post("/api/teaching/by-itself")
def by_itself() -> Response:
    """Whether pictures are taken by themselves: `on`."""
    return _sitting(backends.learning().by_itself(yes_or_no(asked(), "on")))


@blueprint.post("/api/teaching/rise")
def rise() -> Response:
    """End the guided capture."""
    asked()
    backends.learning().rise()
    return _sitting(None)


@blueprint.get("/api/teaching/certificate")
def certificate() -> Response:
    """The table's certificate."""
    return jsonify(certificate_json(backends.learning().certificate()))


@blueprint.post("/api/teaching/choices")
def choices() -> Response:
    """Choose `keep_play`, `quota_mb` and `check_one_in`."""
    backends.learning().choose(chosen(asked()))
    return overview()


@blueprint.get("/captured/<name>.jpg")
def shown(name: str) -> Response:
    """A captured die. A name stands for one picture for ever, so a browser may keep it."""
    response = Response(backends.learning().shown(picture_name(name)), mimetype="image/jpeg")
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


@blueprint.get("/api/check")
@requires(Role.WATCHER)
def check() -> Response:
    """The throw that is asked about now, or null."""
    return jsonify(check=check_json(backends.throw_checks().check()))


@blueprint.post("/api/check")
@requires(Role.PLAYER)
def checked() -> Response:
    """Throw `number` was read right, but for `wrong`: faces by the dice's numbers."""
    desk, body = backends.throw_checks(), asked()
    desk.checked(number(body, "number"), wrong_dice(body))
    return check()


def _dice(found: DiceShown) -> Response:
    return jsonify(dice=dice_json(found))


def _learned(found: Learned) -> Response:
    return jsonify(learned=learned_json(found))


def _sitting(found: Sitting | None) -> Response:
    return jsonify(sitting=sitting_json(found))


def _pictures(found: Sequence[Captured]) -> Response:
    return jsonify(pictures=[captured_json(one) for one in found])
