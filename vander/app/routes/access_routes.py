"""Routes of access: pairing, the keepers' page of the box, its diagnostics, and the way to https."""

from __future__ import annotations

from flask import Blueprint, Response, after_this_request, render_template, request

from referee.journal import SeatRules
from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, say
from vander.access.page_addresses import qr_svg
from vander.app.backends import access, backends, diagnostics, https, secure_urls
from web.authorization import LOOPBACK_NAMES, caller, device_key, host_name
from web.endpoints import (
    CERTIFICATE,
    CHANGE_REFUSALS,
    HTML,
    SVG,
    ZIP,
    change_endpoint,
    done,
    json_endpoint,
    media_endpoint,
)
from web.schemas import access_schemas as shapes
from web.schemas.response_model import DoneResponse, NameRequest

blueprint = Blueprint("access", __name__)

YEAR_S = 365 * 24 * 3600
"""How long a browser keeps a tablet's key after its last visit."""
ONLY_HERE = say("Only the box itself can open this page; its owner lets tablets in with VANDER_HOST=0.0.0.0.")
_KEPT_REFUSALS = (Reason.NOT_FOUND, Reason.UNAVAILABLE)
_KEEPER_REFUSALS = (*_KEPT_REFUSALS, Reason.CONFLICT)


@blueprint.get("/pair")
@media_endpoint(HTML, Reason.NOT_FOUND, role=shapes.Role.WATCHER)
def pair_page() -> str:
    """Return the page that asks for the six dice that the box shows."""
    access()
    return render_template("pairing.html")


@blueprint.get("/box")
@media_endpoint(HTML)
def box_page() -> str:
    """Return the page for owners: tablets, camera, dice, streams, the hall, and the box itself."""
    found = backends()
    is_secure = found.https is not None and bool(found.https.urls())
    return render_template("box.html", found=found, secure=is_secure)


@blueprint.get("/api/door")
@json_endpoint(shapes.AccessResponse, role=shapes.Role.WATCHER)
def access_now() -> shapes.AccessResponse:
    """Return who this browser is at the table, and the state of pairing; the code itself only to keepers."""
    found, asking = backends().access, caller()
    if asking.tablet is not None and asking.tablet.number:
        _hand_over(device_key())  # the key is kept for another year
    keepers = _keepers()
    return shapes.AccessResponse(
        door=found is not None,
        role=asking.role.word,
        tablet=_named(asking.tablet) if asking.tablet else None,
        at_the_box=asking.at_the_box,
        asking=found.pairing_status() if found else shapes.PairingStatus(),
        code=found.code() if found and asking.role is shapes.Role.KEEPER else None,
        trouble=found.trouble if found else "",
        has_keeper=bool(keepers),
        last_keeper=asking.tablet is not None and keepers == (asking.tablet.number,),
    )


@blueprint.get("/api/addresses")
@json_endpoint(shapes.AddressesResponse, role=shapes.Role.WATCHER)
def addresses() -> shapes.AddressesResponse:
    """Return the addresses by which tablets and phones reach the page."""
    return shapes.AddressesResponse(page_urls())


@blueprint.get("/join.svg")
@media_endpoint(SVG, Reason.NOT_FOUND, role=shapes.Role.WATCHER)
def joining_code() -> Response:
    """Return a QR code that joins in when it is scanned; a keeper's holds the code that the box shows."""
    urls, found = page_urls(), backends().access
    if not urls:
        raise Refused(ONLY_HERE, Reason.NOT_FOUND)
    code = found.code() if found and caller().role is shapes.Role.KEEPER else None
    return Response(qr_svg(shapes.joining_url(urls[0], code or ()) if found else urls[0]), mimetype=SVG)


@blueprint.post("/api/door/ask")
@change_endpoint(access_now, Reason.TOO_SOON, Reason.CONFLICT, role=shapes.Role.WATCHER)
def ask() -> None:
    """Have the box show a code for five minutes."""
    found = backends().access
    if found is not None:
        found.show_code(keeper=caller().role is shapes.Role.KEEPER)


@blueprint.get("/api/box")
@json_endpoint(shapes.BoxResponse)
def box() -> shapes.BoxResponse:
    """Return the tablets that have joined in, the settings, and what the box has."""
    found = backends()
    return shapes.BoxResponse(
        tablets=tuple(map(_tablet, found.access.tablets())) if found.access else (),
        codes_refused=found.access is not None and found.access.pairing_status().refused,
        seats=_seats(),
        chosen=found.settings,
        power_off=found.power_off is not None,
    )


@blueprint.post("/api/door/allow")
@change_endpoint(box, Reason.NOT_FOUND)
def allow() -> None:
    """Let people who only watch ask for codes again, after several that nobody used."""
    access().allow_codes()


@blueprint.post("/api/door/pair")
@json_endpoint(shapes.PairedResponse, *CHANGE_REFUSALS, Reason.TOO_SOON, role=shapes.Role.WATCHER)
def pair(body: shapes.PairRequest) -> shapes.PairedResponse:
    """Join in."""
    found = access()
    if caller().tablet is not None:
        raise Refused(say("This tablet has joined in already."), Reason.CONFLICT)
    joined = found.pair(body.code, body.name, request.remote_addr or "", as_camera=body.camera)
    _hand_over(joined.key)
    return shapes.PairedResponse(joined.tablet.role.word, _named(joined.tablet))


@blueprint.post("/api/door/leave")
@change_endpoint(done, *CHANGE_REFUSALS, role=shapes.Role.CAMERA)
def leave(body: shapes.ForgetRequest) -> None:
    """Forget the tablet that asks, so that it only watches."""
    found, tablet = access(), caller().tablet
    if tablet is None or not tablet.number:
        raise Refused(say("This browser has not joined in, so it cannot leave."), Reason.CONFLICT)
    found.forget(tablet.number, confirmed=body.confirm)
    after_this_request(_without_key)


@blueprint.post("/api/door/tablets/<int(max=999999999):number>/rename")
@change_endpoint(box, *_KEPT_REFUSALS)
def rename(number: int, body: NameRequest) -> None:
    """Give a tablet another name."""
    access().rename(number, body.name)


@blueprint.post("/api/door/tablets/<int(max=999999999):number>/bind")
@change_endpoint(box, *_KEPT_REFUSALS)
def bind(number: int, body: shapes.BindRequest) -> None:
    """Say whose phone a tablet is."""
    access().bind(number, body.player)


@blueprint.post("/api/door/seats")
@change_endpoint(box, *_KEPT_REFUSALS)
def change_seat_rules(body: shapes.SeatRulesRequest) -> None:
    """Change what the table wants of phones that are bound to a player."""
    access().set_seat_rules(own_seat_only=body.own_seat_only, confirm=body.confirm)


@blueprint.post("/api/door/tablets/<int(max=999999999):number>/entrust")
@change_endpoint(box, *_KEEPER_REFUSALS)
def entrust(number: int, body: shapes.EntrustRequest) -> None:
    """Make a tablet a keeper's, or a player's again."""
    access().set_role(number, shapes.Role.KEEPER if body.keeper else shapes.Role.PLAYER, confirmed=body.confirm)


@blueprint.post("/api/door/tablets/<int(max=999999999):number>/forget")
@change_endpoint(box, *_KEEPER_REFUSALS)
def forget(number: int, body: shapes.ForgetRequest) -> None:
    """Forget a tablet: it watches until it joins in again."""
    access().forget(number, confirmed=body.confirm)


@blueprint.post("/api/box/power-off")
@json_endpoint(DoneResponse, *_KEPT_REFUSALS)
def power_off(body: shapes.PowerOffRequest) -> DoneResponse:
    """Shut the box down."""
    shut_down = backends().power_off
    if shut_down is None:
        raise Refused(
            say("This box cannot be shut down from here; end the program where it was started."), Reason.NOT_FOUND
        )
    try:
        shut_down()
    except OSError as error:
        raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error
    return DoneResponse(done=body.sure)


def page_urls() -> tuple[str, ...]:
    """Return the addresses that the program knows, else the one that this request came by, unless it is loopback."""
    known = tuple(backends().page_urls())
    by_loopback = host_name(request.host) in LOOPBACK_NAMES
    return known or (() if by_loopback else (request.host_url.rstrip("/"),))


def _keepers() -> tuple[int, ...]:
    found = backends().access
    return tuple(tablet.number for tablet in found.tablets() if tablet.role is shapes.Role.KEEPER) if found else ()


def _seats() -> shapes.SeatChoices:
    found = backends()
    rules = found.access.seat_rules() if found.access else SeatRules()
    state = found.game.snapshot().state if found.game else None
    return shapes.SeatChoices(
        rules.own_seat_only, rules.confirm, tuple(player.name for player in state.players) if state else ()
    )


def _named(tablet: shapes.Tablet) -> shapes.TabletName:
    return shapes.TabletName(tablet.number, tablet.name)


def _tablet(tablet: shapes.Tablet) -> shapes.PairedTablet:
    own = caller().tablet
    return shapes.PairedTablet(
        number=tablet.number,
        name=tablet.name,
        role=tablet.role.word,
        paired_on=tablet.paired_on,
        used_on=tablet.used_on,
        own=own is not None and own.number == tablet.number,
        player=tablet.player,
    )


def _hand_over(key: str) -> None:
    """Send a tablet's key as a cookie with the answer."""

    @after_this_request
    def add(response: Response) -> Response:
        name, secure = (shapes.SECURE_COOKIE, True) if request.is_secure else (shapes.COOKIE, False)
        response.set_cookie(name, key, max_age=YEAR_S, httponly=True, samesite="Strict", secure=secure, path="/")
        return response


def _without_key(response: Response) -> Response:
    response.delete_cookie(shapes.COOKIE, httponly=True, samesite="Strict")
    if request.is_secure:
        response.delete_cookie(shapes.SECURE_COOKIE, httponly=True, samesite="Strict", secure=True)
    return response


https_blueprint = Blueprint("https", __name__)


@https_blueprint.get("/https")
@media_endpoint(HTML, Reason.NOT_FOUND, Reason.UNAVAILABLE, role=shapes.Role.WATCHER)
def https_page() -> str:
    """Return the page that leads a phone to the secure address and past its browser's warning."""
    served, urls = https(), secure_urls()
    return render_template(
        "https.html", url=urls[0], others=urls[1:], authority=served.authority(), trouble=served.trouble()
    )


@https_blueprint.get("/https.svg")
@media_endpoint(SVG, Reason.NOT_FOUND, role=shapes.Role.WATCHER)
def secure_address_code() -> Response:
    """Return a QR code of the secure address."""
    return Response(qr_svg(secure_urls()[0]), mimetype=SVG)


@https_blueprint.get("/vander.crt")
@media_endpoint(CERTIFICATE, Reason.NOT_FOUND, Reason.UNAVAILABLE, role=shapes.Role.WATCHER)
def authority_certificate() -> Response:
    """Return the certificate of the box's authority, in the type that phones offer to install."""
    found = https().authority()
    if found is None:
        raise Refused(say("The owner gave this box a certificate; there is none to install."), Reason.NOT_FOUND)
    return Response(found.certificate_pem, mimetype=CERTIFICATE)


diagnostics_blueprint = Blueprint("diagnostics", __name__)

SUPPORT_BUNDLE = "vander-support.zip"


@diagnostics_blueprint.get("/doctor")
@media_endpoint(HTML, Reason.NOT_FOUND)
def diagnostics_page() -> str:
    """Return the page of the findings."""
    diagnostics()
    return render_template("diagnostics.html")


@diagnostics_blueprint.get("/api/doctor")
@json_endpoint(shapes.FindingsResponse, Reason.NOT_FOUND)
def findings() -> shapes.FindingsResponse:
    """Return what is right and wrong with the box."""
    return shapes.FindingsResponse(tuple(diagnostics().findings()))


@diagnostics_blueprint.post("/api/doctor/accept")
@json_endpoint(shapes.FindingsResponse, Reason.NOT_FOUND, Reason.UNAVAILABLE)
def accept_missing_games() -> shapes.FindingsResponse:
    """Accept that the journal lacks games that were played here; return what is found then."""
    return shapes.FindingsResponse(tuple(diagnostics().accept_missing_games()))


@diagnostics_blueprint.get("/api/sight")
@json_endpoint(shapes.TraySight, Reason.NOT_FOUND)
def sight() -> shapes.TraySight:
    """Return what the camera's picture shows, where in it, and what is wrong."""
    return diagnostics().sight()


@diagnostics_blueprint.post("/api/doctor/pack")
@media_endpoint(ZIP, Reason.NOT_FOUND, Reason.UNAVAILABLE)
def support_bundle(body: shapes.SupportBundleRequest) -> Response:
    """Return a zip for a person who helps."""
    answer = Response(diagnostics().pack(body.pictures), mimetype=ZIP)
    answer.headers["Content-Disposition"] = f'attachment; filename="{SUPPORT_BUNDLE}"'
    return answer
