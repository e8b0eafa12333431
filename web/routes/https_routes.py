"""Routes of https: the page that leads a phone to the secure page, and the certificate that a phone may install."""

from __future__ import annotations

from flask import Blueprint, Response, render_template

from referee.sentences import Reason, Refused, say
from web.authorization import requires
from web.endpoint_decorators import CERTIFICATE, HTML, SVG, media_endpoint
from web.qr_codes import qr_svg
from web.services.access_backend import Role
from web.services.backends import https, secure_urls

blueprint = Blueprint("https", __name__)


@blueprint.get("/https")
@requires(Role.WATCHER)
@media_endpoint(HTML, Reason.NOT_FOUND, Reason.UNAVAILABLE)
def https_page() -> str:
    """Return the page that leads a phone to the secure address and past its browser's warning."""
    served, urls = https(), secure_urls()
    return render_template(
        "https.html", url=urls[0], others=urls[1:], authority=served.authority(), trouble=served.trouble()
    )


@blueprint.get("/https.svg")
@requires(Role.WATCHER)
@media_endpoint(SVG, Reason.NOT_FOUND)
def secure_address_code() -> Response:
    """Return a QR code of the secure address."""
    return Response(qr_svg(secure_urls()[0]), mimetype=SVG)


@blueprint.get("/vander.crt")
@requires(Role.WATCHER)
@media_endpoint(CERTIFICATE, Reason.NOT_FOUND, Reason.UNAVAILABLE)
def authority_certificate() -> Response:
    """Return the certificate of the box's authority, in the type that phones offer to install."""
    found = https().authority()
    if found is None:
        raise Refused(say("The owner gave this box a certificate; there is none to install."), Reason.NOT_FOUND)
    return Response(found.certificate_pem, mimetype=CERTIFICATE)
