"""The page that leads a phone to the secure page, and the certificate that it may install."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from referee.sentences import Reason, Refused, say
from vander.access.page_addresses import qr_svg
from web.schemas.access_schemas import BoxAuthority

URL = "https://192.168.1.20:8443"
AUTHORITY = BoxAuthority(b"-----BEGIN CERTIFICATE-----\n", "AA BB CC")


class StubHttps:
    """Https of a box in a home network; `found` is its authority, or why there is none."""

    def __init__(self, found: BoxAuthority | Refused | None = AUTHORITY) -> None:
        self.found = found

    def urls(self) -> Sequence[str]:
        return URL, "https://vander.local:8443"

    def authority(self) -> BoxAuthority | None:
        if isinstance(self.found, Refused):
            raise self.found
        return self.found

    def trouble(self) -> str:
        return "" if self.found else say("The certificate ran out on {day}.", day="2028-06-01")


@pytest.fixture
def secure(app: Flask) -> StubHttps:
    """The table of the tests with https."""
    stub = StubHttps()
    app.extensions["backends"] = replace(app.extensions["backends"], https=stub)
    return stub


def test_the_page_shows_the_address_and_how_to_trust_it(watcher: Any, secure: StubHttps) -> None:
    shown = watcher.get("/https").text
    assert shown.count(f'href="{URL}"') == 1
    assert "https://vander.local:8443" in shown
    assert secure.found is not None
    assert AUTHORITY.fingerprint in shown
    assert watcher.get("/https.svg").data == qr_svg(URL)


def test_anybody_gets_the_certificate_as_phones_take_it(watcher: Any, secure: StubHttps) -> None:
    answer = watcher.get("/vander.crt")
    assert (answer.data, answer.mimetype) == (AUTHORITY.certificate_pem, "application/x-x509-ca-cert")


def test_with_an_owners_certificate_there_is_nothing_to_install(watcher: Any, secure: StubHttps) -> None:
    secure.found = None
    shown = watcher.get("/https").text
    assert URL in shown
    assert "/vander.crt" not in shown
    assert "The certificate ran out on 2028-06-01." in shown
    german = watcher.get("/https", headers={"Accept-Language": "de"}).text
    assert "ran out" not in german
    assert "2028-06-01" in german
    assert watcher.get("/vander.crt").status_code == 404


def test_an_authority_that_cannot_be_kept_is_one_sentence(watcher: Any, secure: StubHttps) -> None:
    secure.found = Refused("The certificate cannot be kept: the disk is full.", Reason.UNAVAILABLE)
    answer = watcher.get("/vander.crt")
    assert answer.status_code == 503
    assert "the disk is full" in answer.text


@pytest.mark.parametrize("path", ["/https", "/https.svg", "/vander.crt"])
def test_a_table_by_http_alone_says_how_to_turn_it_on(watcher: Any, path: str) -> None:
    answer = watcher.get(path)
    assert answer.status_code == 404
    assert "VANDER_HTTPS=true" in answer.text


def test_the_box_page_leads_there(keeper: Any, secure: StubHttps) -> None:
    assert 'id="to-https"' in keeper.get("/box").text


def test_the_box_page_of_a_table_by_http_alone_does_not(keeper: Any) -> None:
    assert 'id="to-https"' not in keeper.get("/box").text
