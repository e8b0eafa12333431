"""A table joins a hall and leaves it; whatever answers at the address, play is neither lost nor held up."""

from __future__ import annotations

import json
import logging
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask
from loopback import answering, served_hall
from random_matches import random_match

from referee.games import named
from referee.sentences import Reason, Refused
from tests.waiting import wait_until
from vander.access.https import BoxCertificates, HttpsService
from vander.extras.hall_link.membership import (
    HallClient,
    HallMembershipService,
    HallUnreachable,
    OutboxSender,
    OwnFiles,
    join_hall,
    read_membership,
    remove_membership,
    settle_membership,
)
from vander.hall.hall_routes import HallBackends
from vander.hall.hall_server import create_hall_app
from vander.hall.hall_service import HallService
from vander.storage import outbox_tables
from vander.storage.journal_store import Journal
from vander.storage.settings import load


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal.in_folder(tmp_path)) as opened:
        yield opened


@pytest.fixture
def service(tmp_path: Path, journal: Journal) -> Iterator[HallMembershipService]:
    with closing(HallMembershipService(tmp_path, journal, lambda _s: time.sleep(0.01))) as opened:
        yield opened


@pytest.fixture
def hall_app(hall: HallService) -> Flask:
    return create_hall_app(HallBackends(hall=hall))


def play(journal: Journal, entries: int = 5) -> int:
    """Begin a game and write so many entries; return its number."""
    number = journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up").number
    for entry in random_match(named("toss-up"), entries, 1, ("Ann", "Bob")).entries:
        journal.write(number, entry)
    return number


def waiting(service: HallMembershipService) -> int:
    joined = service.joined()
    assert joined is not None
    return joined.status.waiting_lines


def link_of(journal: Journal) -> str | None:
    with journal.reading() as connection:
        head = outbox_tables.outbox_head(connection)
    return head.link if head else None


def answer_json(body: object, status: int = 200) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(request: BaseHTTPRequestHandler) -> None:
        text = json.dumps(body).encode()
        request.send_response(status)
        request.send_header("Content-Length", str(len(text)))
        request.end_headers()
        request.wfile.write(text)

    return answer


def test_a_table_joins_sends_and_leaves(
    hall: HallService, hall_app: Flask, service: HallMembershipService, journal: Journal, tmp_path: Path
) -> None:
    with served_hall(hall_app) as address:
        service.join(address, hall.registry.show_code(), "Table 4")
        play(journal)
        wait_until(lambda: waiting(service) == 0)
        assert [(table.name, table.taken > 5) for table in hall.registry.tables()] == [("Table 4", True)]
        with pytest.raises(Refused, match="belongs to a hall already"):
            service.join(address, hall.registry.show_code(), "Table 5")
        service.leave()
        assert (service.joined(), hall.registry.tables(), read_membership(tmp_path), link_of(journal)) == (
            None,
            [],
            None,
            None,
        )
        service.join(address, hall.registry.show_code(), "Table 4")  # the name is free again


def test_a_hall_that_went_away_gets_everything_later(
    hall: HallService, hall_app: Flask, service: HallMembershipService, journal: Journal, tmp_path: Path
) -> None:
    with served_hall(hall_app) as address:
        service.join(address, hall.registry.show_code(), "Table 4")
        wait_until(lambda: waiting(service) == 0)
    play(journal, 9)
    wait_until(lambda: bool((found := service.joined()) and found.status.trouble and found.status.waiting_lines >= 10))
    service.close()
    membership = read_membership(tmp_path)
    assert membership is not None
    with served_hall(hall_app) as new_address:
        moved = membership.model_copy(update={"address": new_address})
        with closing(OutboxSender(journal, moved, lambda _s: None)) as sender:
            while sender.send_once():
                pass
        assert hall.registry.tables()[0].taken >= 10


def test_a_wrong_code_joins_nothing(
    hall: HallService, hall_app: Flask, service: HallMembershipService, journal: Journal, tmp_path: Path
) -> None:
    right = hall.registry.show_code()
    with served_hall(hall_app) as address, pytest.raises(Refused, match="not the code") as refused:
        service.join(address, [7 - face for face in right], "Table 4")
    assert (refused.value.reason, service.joined(), read_membership(tmp_path)) == (Reason.CONFLICT, None, None)
    assert link_of(journal) is None


def redirect(request: BaseHTTPRequestHandler) -> None:
    request.send_response(308)
    request.send_header("Location", "http://127.0.0.1:9/elsewhere")
    request.end_headers()


def endless(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    with suppress(OSError):
        while True:
            request.wfile.write(b" " * 65536)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (answer_json("no object"), "is no hall"),
        (answer_json({}), "is no hall"),
        (answer_json({"key": 1, "link": 2, "name": 3}), "is no hall"),
        (answer_json({"error": "There is no such page."}, 404), "is no hall"),
        (answer_json({"error": "The hall rests."}, 503), "The hall rests."),
        (redirect, "sends this table elsewhere"),
        (endless, "is no hall"),
        (lambda request: request.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n"), "does not answer"),
    ],
)
def test_what_is_no_hall_is_told_in_one_sentence(
    service: HallMembershipService, tmp_path: Path, answer: Callable[[BaseHTTPRequestHandler], None], sentence: str
) -> None:
    with answering(answer) as address, pytest.raises(Refused, match=sentence):
        service.join(address, [1] * 6, "Table 4")
    assert read_membership(tmp_path) is None


def unreachable(client: HallClient) -> str:
    """Return what is said of a hall that cannot be reached."""
    with pytest.raises(HallUnreachable) as error:
        client.post("/api/hall/entries", {})
    return str(error.value)


def test_a_slow_hall_is_not_waited_for() -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        with suppress(OSError):
            while True:
                request.wfile.write(b" ")
                time.sleep(0.01)

    with answering(drip) as address, closing(HallClient(address, patience_s=0.2)) as client:
        assert "is no hall" in unreachable(client)
    with answering(lambda _request: time.sleep(0.4)) as address, closing(HallClient(address, patience_s=0.1)) as client:
        assert "takes too long" in unreachable(client)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("http://no-such-hall.invalid", "Nobody in this network is called no-such-hall.invalid."),
        ("hall.local", "no address of a hall"),
        ("ftp://hall.local", "no address of a hall"),
        ("http://[::1", "no address of a hall"),
        ("http://hall.local:99999", "no address of a hall"),
        ("http://ann:gehe1m@hall.local", "holds no name and no password"),
    ],
)
def test_an_address_where_nobody_is_says_so(service: HallMembershipService, address: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence) as refused:
        service.join(address, [1] * 6, "Table 4")
    assert "gehe1m" not in str(refused.value)


def test_a_port_that_nobody_serves_says_so(service: HallMembershipService) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
    with pytest.raises(Refused, match="does not answer"):
        service.join(address, [1] * 6, "Table 4")


def certificates(folder: Path) -> BoxCertificates:
    folder.mkdir()
    return BoxCertificates(folder, "hall", lambda: ("localhost", "127.0.0.1"))


def test_a_halls_own_certificate_is_kept_at_joining_and_no_other_is_taken_later(
    hall: HallService, journal: Journal, tmp_path: Path
) -> None:
    own, other = certificates(tmp_path / "hall"), certificates(tmp_path / "other")
    https = HttpsService(load(data_dir=tmp_path / "hall"), own)
    app = create_hall_app(HallBackends(hall=hall, https=https))
    with served_hall(app, own.context()) as address:
        membership = join_hall(tmp_path, journal, address, hall.registry.show_code(), "Table 4")
        assert "BEGIN CERTIFICATE" in membership.authority
        with closing(OutboxSender(journal, membership, lambda _s: None)) as sender:
            assert sender.send_once() == 0
    with served_hall(app, other.context()) as address, closing(HallClient(address, membership.authority)) as client:
        assert "is not the one that this table trusts" in unreachable(client)


def test_http_where_https_is_asked_for_is_told(service: HallMembershipService) -> None:
    with answering(answer_json({})) as address, pytest.raises(Refused, match="does not speak https"):
        service.join(f"https://{urlsplit(address).netloc}", [1] * 6, "Table 4")


def test_a_start_after_a_power_cut_brings_outbox_and_file_in_line(
    hall: HallService, hall_app: Flask, journal: Journal, tmp_path: Path
) -> None:
    with served_hall(hall_app) as address:
        journal.follow_hall("a pairing that no file knows")
        assert settle_membership(tmp_path, journal) is None
        assert link_of(journal) is None
        membership = join_hall(tmp_path, journal, address, hall.registry.show_code(), "Table 4")
        journal.leave_hall()  # as if the power had failed between the file and the outbox
        play(journal)
        assert settle_membership(tmp_path, journal) == membership
        assert link_of(journal) == membership.link
        with closing(OutboxSender(journal, membership, lambda _s: None)) as sender:
            while sender.send_once():
                pass
        assert hall.registry.tables()[0].taken >= 6
        remove_membership(tmp_path)
        assert settle_membership(tmp_path, journal) is None
        assert link_of(journal) is None


def test_an_answer_that_comes_after_leaving_drops_nothing_of_the_next_pairing(journal: Journal) -> None:
    journal.follow_hall("second")
    play(journal)
    with journal.writing() as connection:
        outbox_tables.drop_taken(connection, "first", 4)
    with journal.reading() as connection:
        assert len(outbox_tables.waiting_lines(connection, 0, 100)) == 6


def test_only_the_files_that_a_game_names_are_sent(
    hall: HallService, hall_app: Flask, journal: Journal, tmp_path: Path
) -> None:
    sent: list[dict[str, object]] = []

    class NotingClient(HallClient):
        def post(self, path: str, body: object, key: str = "") -> dict[str, object]:  # type: ignore[override]
            sent.append(body)  # type: ignore[arg-type]
            return super().post(path, body, key)  # type: ignore[arg-type]

    files = own_files({"toss-up": "ours", "other": "theirs"})
    with served_hall(hall_app) as address:
        membership = join_hall(tmp_path, journal, address, hall.registry.show_code(), "Table 4")
        play(journal)
        client = NotingClient(address)
        with closing(OutboxSender(journal, membership, lambda _s: None, files, client=client)) as sender:
            while sender.send_once():
                pass
    assert sent[0]["die_sets"] == {"toss-up": "ours"}
    assert sent[0]["sheets"] == {}


def own_files(die_sets: dict[str, str]) -> OwnFiles:
    return OwnFiles(lambda: {"a sheet": "long"}, lambda: die_sets)


def test_the_log_names_no_key(
    service: HallMembershipService,
    journal: Journal,
    tmp_path: Path,
    hall: HallService,
    hall_app: Flask,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.DEBUG):
        with served_hall(hall_app) as address:
            service.join(address, hall.registry.show_code(), "Table 4")
            membership = read_membership(tmp_path)
            play(journal)
            wait_until(lambda: waiting(service) == 0)
        play(journal)
        wait_until(lambda: bool((found := service.joined()) and found.status.trouble))
    assert membership is not None
    assert membership.key not in caplog.text
    assert "hall: " in caplog.text


def test_each_address_that_people_are_given_as_an_example_has_the_port_of_a_hall() -> None:
    house = Path(__file__).parents[3]
    kinds = ("docs/*.md", "vander/**/*.py", "web/**/*.*")
    texts = [path.read_text("utf-8") for kind in kinds for path in house.glob(kind)
             if path.suffix in {".md", ".py", ".js", ".html", ".po"}]  # fmt: skip
    ports = {port for text in texts for port in re.findall(r"https://hall\.local:(\d+)", text)}
    assert ports == {str(load(data_dir=house).https_port)}
