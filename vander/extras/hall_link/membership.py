"""The table's membership in a hall: joined by the hall's code, kept in a file, and the outbox that is sent there."""

from __future__ import annotations

import json
import logging
import random
import ssl
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http.client import HTTPException, HTTPSConnection
from importlib.metadata import version
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any
from urllib.parse import SplitResult, urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError
from urllib3 import PoolManager, Timeout
from urllib3.exceptions import HTTPError, NameResolutionError, NewConnectionError, SSLError
from urllib3.exceptions import TimeoutError as HTTPTimeout
from urllib3.response import BaseHTTPResponse

from referee.phrases import as_sentence
from referee.sentences import Reason, Refused, Remembered, message_of, say, say_count
from vander.access.devices import write_private
from vander.doctor import CheckSubject
from vander.storage import outbox_tables
from vander.storage.data_folder import HALL_FILE, StorageError
from vander.storage.journal_store import Journal
from vander.storage.outbox_tables import OutboxLine
from vander.storage.settings import Settings
from web.schemas.access_schemas import Finding, JoinedHall, LinkStatus
from web.schemas.hall_schemas import LONGEST_FILE, MOST_LINES, WIRE, HallInvitation

# Requests to the hall


CONNECT_S = 5.0
PATIENCE_S = 15.0
"""How long a hall may be silent, and how long its answer may take from the first byte to the last."""
LARGEST_ANSWER = 1 << 20
"""Bytes of an answer that are read."""
PIECE = 1 << 14
REDIRECTS, NO_SUCH_PAGE = range(300, 400), (404, 405)
CALLS = {"X-Vander": "table", "Content-Type": "application/json"}
"""Headers of each request: the first marks those that change something."""


class HallUnreachable(OSError):
    """The hall did not answer, or with what is no answer of a hall. The message is one sentence."""

    def __str__(self) -> str:
        return str(message_of(self))


class HallRefusal(RuntimeError):
    """The hall refuses. The message is the hall's sentence; `status` is that of HTTP."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class HallClient:
    """Sends requests to one hall. `authority` (PEM) is the certificate that vouches for it, '' for the system's."""

    def __init__(self, address: str, authority: str = "", patience_s: float = PATIENCE_S) -> None:
        self._address, self._patience_s = check_address(address), patience_s
        context = ssl.create_default_context(cadata=authority) if authority else None
        timeout = Timeout(connect=CONNECT_S, read=patience_s)
        self._pool = PoolManager(timeout=timeout, retries=False, ssl_context=context, maxsize=2)

    def post(self, path: str, body: Mapping[str, object], key: str = "") -> dict[str, Any]:
        """Send a request and return its answer. Raises HallUnreachable and HallRefusal."""
        headers = CALLS | ({"Authorization": f"Bearer {key}"} if key else {})
        try:
            answer = self._pool.request(
                "POST",
                self._address + path,
                body=encode_request(body),
                headers=headers,
                redirect=False,
                preload_content=False,
            )
        except (HTTPError, OSError) as error:
            raise self._unreachable(error) from error
        return self._read(answer)

    def close(self) -> None:
        self._pool.clear()

    def _unreachable(self, error: Exception) -> HallUnreachable:
        if _is_of_certificate(error):
            return HallUnreachable(
                say(
                    "The certificate of {address} is not the one that this table trusts. If that is right, leave the "
                    "hall and join again.",
                    address=self._address,
                )
            )
        return HallUnreachable(_no_answer(error, self._address))

    def _read(self, answer: BaseHTTPResponse) -> dict[str, Any]:
        if answer.status in REDIRECTS:
            answer.close()
            raise HallUnreachable(
                say("{address} sends this table elsewhere. Give the hall's own address.", address=self._address)
            )
        try:
            found = json.loads(_read_text(answer, self._patience_s))
        except (HTTPError, OSError, ValueError, RecursionError) as error:
            raise HallUnreachable(no_hall(self._address)) from error
        if not isinstance(found, dict) or answer.status in NO_SUCH_PAGE:
            raise HallUnreachable(no_hall(self._address))
        if answer.status == 500:  # what it says then is of its own program, and would be taken for the table's
            raise HallUnreachable(say("The hall fails at what this table sends. The hall's log says why."))
        if answer.status > 500:
            raise HallUnreachable(_sentence(found, say("The hall cannot take anything now.")))
        if answer.status != 200:
            raise HallRefusal(_sentence(found, say("The hall refuses what this table sends.")), answer.status)
        return found


def encode_request(body: Mapping[str, object]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _read_text(answer: BaseHTTPResponse, patience_s: float) -> bytes:
    """Return an answer's body. Raises ValueError for one that is too large or too slow; its connection is closed."""
    try:
        text = _read_all(answer.read1, patience_s)
    except BaseException:
        answer.close()
        raise
    answer.release_conn()
    return text


def _read_all(read: Callable[[int], bytes], patience_s: float = PATIENCE_S) -> bytes:
    """Return all that `read` brings, a piece at a time. Raises ValueError where that is too much or takes too long."""
    until, found = time.monotonic() + patience_s, bytearray()
    while piece := read(PIECE):
        found += piece
        if len(found) > LARGEST_ANSWER or time.monotonic() > until:
            raise ValueError("the answer is too large or too slow")
    return bytes(found)


def check_address(address: str) -> str:
    """Return a hall's address without what follows the port. Raises HallUnreachable for what is no address."""
    parts = _split(address)
    if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
        raise HallUnreachable(say("That is no address of a hall, such as https://hall.local:8443."))
    if parts.username is not None:
        raise HallUnreachable(say("The address of a hall holds no name and no password."))
    return f"{parts.scheme}://{parts.netloc}"


def _split(address: str) -> SplitResult | None:
    """Return the parts of an address, None for what is none."""
    try:
        parts = urlsplit(address.strip())
        return None if parts.port == 0 or not parts.netloc.isascii() or " " in parts.netloc else parts
    except ValueError:
        return None


def find_authority(address: str) -> str:
    """Return the certificate (PEM) of the authority that a hall made for itself; '' where the system vouches for it.

    It is taken on trust this once, when a person types the hall's code, and holds from then on.
    Raises HallUnreachable.
    """
    hall = check_address(address)
    if hall.startswith("http:"):
        return ""
    try:
        _get_certificate(PoolManager(timeout=Timeout(connect=CONNECT_S, read=PATIENCE_S), retries=False), hall).close()
    except (HTTPError, OSError) as error:
        if _is_of_certificate(error):
            return _fetch_authority(hall)
        raise HallUnreachable(_no_answer(error, hall)) from error
    return ""


def _get_certificate(pool: PoolManager, hall: str) -> BaseHTTPResponse:
    return pool.request("GET", hall + "/vander.crt", redirect=False, preload_content=False)


def _fetch_authority(hall: str) -> str:
    """Return what a hall says is its authority's certificate, over a connection that checks none."""
    place = urlsplit(hall)
    connection = HTTPSConnection(
        place.hostname or "",
        place.port,
        timeout=CONNECT_S,
        context=ssl._create_unverified_context(),  # noqa: S323 - it carries no secret, and what it brings is checked below
    )
    try:
        with closing(connection):
            connection.request("GET", "/vander.crt")
            found = _read_all(connection.getresponse().read1).decode("ascii")
        ssl.create_default_context(cadata=found)
    except (HTTPException, OSError, ValueError) as error:
        raise HallUnreachable(say("Nobody vouches for the certificate of {address}.", address=hall)) from error
    return found


def _is_of_certificate(error: Exception) -> bool:
    """True if a connection failed by the certificate of who answers."""
    return isinstance(error, SSLError) and isinstance(error.args[0], ssl.SSLCertVerificationError)


def _no_answer(error: Exception, address: str) -> str:
    """Return the sentence about a hall that does not answer."""
    if isinstance(error, NameResolutionError):
        return say("Nobody in this network is called {host}.", host=urlsplit(address).hostname or address)
    if isinstance(error, TimeoutError | HTTPTimeout) and not isinstance(error, NewConnectionError):
        return say("The hall at {address} takes too long to answer.", address=address)
    if isinstance(error, SSLError):
        return say("{address} does not speak https. Try http.", address=address)
    return say("The hall at {address} does not answer.", address=address)


def no_hall(address: str) -> str:
    """Return the sentence about an address where something else answers."""
    return say("What answers at {address} is no hall.", address=address)


def _sentence(found: object, otherwise: str) -> str:
    said = found.get("error") if isinstance(found, dict) else None
    return Remembered(said) if isinstance(said, str) and said and len(said) < 500 else otherwise


# The file in the data folder that says which hall a table belongs to, with the key that the hall gave it


class HallMembership(BaseModel):
    """The hall of a table: its address, the table's name and key there, and the name of this pairing.

    `authority` is the certificate (PEM) of the hall's own authority, '' where its https is vouched for by others or
    there is none.
    """

    model_config = ConfigDict(frozen=True)

    address: str
    name: str
    key: str
    link: str
    authority: str = ""


def read_membership(folder: Path) -> HallMembership | None:
    """Return the table's hall; None if it has none, or if the file is unreadable and the table must pair again."""
    try:
        return HallMembership.model_validate_json((folder / HALL_FILE).read_bytes())
    except (OSError, ValidationError):
        return None


def secret_words(folder: Path) -> tuple[str, ...]:
    """Return what of the membership may be in no log and no bundle, also where the file is damaged."""
    with suppress(OSError, ValueError):
        hall = json.loads((folder / HALL_FILE).read_text("utf-8"))
        return tuple(str(hall[secret]) for secret in ("key", "link") if isinstance(hall, dict) and secret in hall)
    return ()


def write_membership(folder: Path, membership: HallMembership) -> None:
    """Keep the table's hall; the file is readable for its owner alone. Raises OSError."""
    write_private(folder / HALL_FILE, membership.model_dump_json().encode())


def remove_membership(folder: Path) -> None:
    """Forget the table's hall. Raises OSError."""
    (folder / HALL_FILE).unlink(missing_ok=True)


# Join a hall by the code that it shows, and leave it


def join_hall(folder: Path, journal: Journal, address: str, code: Sequence[int], name: str) -> HallMembership:
    """Join a hall. The game on the table and all later games are reported to it.

    Raises HallUnreachable and HallRefusal with one sentence each, OSError and Unwritten where it cannot be kept.
    """
    hall, authority = check_address(address), find_authority(address)
    client = HallClient(hall, authority)
    try:
        answer = client.post(
            "/api/hall/join", {"code": list(code), "name": name, "wire": WIRE, "version": version("vander")}
        )
        membership = HallMembership(
            address=hall, name=answer["name"], key=answer["key"], link=answer["link"], authority=authority
        )
    except (KeyError, ValueError) as error:
        raise HallUnreachable(no_hall(hall)) from error
    finally:
        client.close()
    write_membership(folder, membership)
    try:
        journal.follow_hall(membership.link)
    except BaseException:
        remove_membership(folder)
        raise
    return membership


def settle_membership(folder: Path, journal: Journal) -> HallMembership | None:
    """Return the table's hall at a start, after bringing the journal's outbox in line with the membership's file.

    The file is written first and the outbox begun after it: the power may fail in between, and either of them may be
    gone after a restore. The file counts. Raises Unwritten.
    """
    membership = read_membership(folder)
    with journal.reading() as connection:
        head = outbox_tables.outbox_head(connection)
    if membership is None and head is not None:
        journal.leave_hall()
    elif membership is not None and (head is None or head.link != membership.link):
        journal.follow_hall(membership.link)
    return membership


def leave_hall(folder: Path, journal: Journal, membership: HallMembership) -> None:
    """Send nothing to the hall any more; what it has stays there. Raises OSError and Unwritten.

    The hall is told, so that the table's name is free there again; one that does not answer is left all the same.
    """
    remove_membership(folder)
    journal.leave_hall()
    client = HallClient(membership.address, membership.authority)
    try:
        client.post("/api/hall/leave", {}, membership.key)
    except (HallUnreachable, HallRefusal):
        pass
    finally:
        client.close()


# Send the journal's outbox to the hall: in order, again until the hall has it, without holding up play
#
# The hall says how many lines it has taken; what comes after is sent. A table without its hall plays on, and what it
# writes meanwhile waits in the outbox, for days if need be.


MOST_BYTES = 60_000
"""Bytes of one request: the hall reads 64 KiB."""
LONGEST_FILE_NAME = 40
ASK_S = 5.0
"""How often a table asks what the hall has for it while nothing happens."""
LOOK_S = 1.0
"""How often the sender looks whether it is to end while nothing happens."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 30.0
"""How long it waits after a hall that did not answer, at first and at most."""
REFUSED_WAIT_S = 30.0
"""How long it waits after a refusal, which only people can put right."""
LOST = say("The hall has lost entries that this table no longer keeps. Pair the table again.")

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OwnFiles:
    """The table's own printed sheets and die sets, as texts by name, for games that use them."""

    sheets: Callable[[], Mapping[str, str]] = dict
    die_sets: Callable[[], Mapping[str, str]] = dict


class OutboxSender:
    """Sends what waits, on a thread of its own. Any thread may call any method.

    `wait` blocks until something may have been written, at most so many seconds. `node` is the table's name on an MQTT
    broker, '' without one.
    """

    def __init__(  # noqa: PLR0913, PLR0917  # what is sent, where to, and when
        self,
        journal: Journal,
        membership: HallMembership,
        wait: Callable[[float], object],
        files: OwnFiles | None = None,
        node: str = "",
        client: HallClient | None = None,
    ) -> None:
        self._journal, self._membership, self._wait, self._node = journal, membership, wait, node
        self._files = files or OwnFiles()
        self._client = client or HallClient(membership.address, membership.authority)
        self._status, self._lock = LinkStatus(), Lock()
        self._taken = -1  # not known before the hall's first answer
        self._over = Event()
        self._thread = Thread(target=self._run, name="hall link", daemon=True)

    @property
    def status(self) -> LinkStatus:
        """How the table stands with its hall."""
        with self._lock:
            return self._status

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Let the thread end by itself, after the answer that it waits for."""
        self._over.set()

    def close(self) -> None:
        """Stop sending; what waits is sent after the next start."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(timeout=20.0)
        self._client.close()

    def send_once(self) -> int:
        """Send the next lines; return how many wait after that. Raises HallUnreachable, HallRefusal, StorageError."""
        head, previous, lines = self._next_lines()
        request = self._request(head, previous, lines)
        while len(lines) > 1 and len(encode_request(request)) > MOST_BYTES:
            lines = lines[: len(lines) // 2]
            request = self._request(head, previous, lines)
        if len(encode_request(request)) > MOST_BYTES:
            request |= {"sheets": {}, "die_sets": {}}  # the hall then keeps the game, and says what it lacks
        return self._note(self._client.post("/api/hall/entries", request, self._membership.key), head)

    def remove_waiting(self, name: str) -> None:
        """Take a name off the hall's list of who waits here. Raises HallUnreachable and HallRefusal."""
        answer = self._client.post("/api/hall/waiting/remove", {"name": name}, self._membership.key)
        self._set(replace(self.status, players=_players(answer)))

    def _request(self, head: int, previous: str, lines: Sequence[OutboxLine]) -> dict[str, object]:
        return {
            "wire": WIRE,
            "version": version("vander"),
            "now": datetime.now(UTC).isoformat(),
            "head": head,
            "previous": previous,
            "node": self._node,
            "lines": [{"sequence": s.sequence, "kind": s.kind, "body": s.body, "hash": s.hash} for s in lines],
            **self._used_files(lines),
        }

    def _next_lines(self) -> tuple[int, str, Sequence[OutboxLine]]:
        """Return the last line's number, the hash before the lines, and as many lines as fit into one request."""
        with self._journal.reading() as connection:
            found = outbox_tables.outbox_head(connection)
            if found is None or found.link != self._membership.link:
                raise HallRefusal(say("This table has left the hall."), 410)
            after = self._taken if self._taken >= 0 else found.taken
            previous = outbox_tables.hash_of_line(connection, min(after, found.sequence))
            if previous is None:
                raise HallRefusal(LOST, 409)
            lines = outbox_tables.waiting_lines(connection, after, MOST_LINES)
        # A line may have been written since the head was read: it goes with the next request.
        return found.sequence, previous, [line for line in lines if line.sequence <= found.sequence]

    def _used_files(self, lines: Sequence[OutboxLine]) -> dict[str, object]:
        """Return the table's own files that the games which begin here name, as far as a request holds them."""
        begun = [json.loads(line.body) for line in lines if line.kind == "game"]
        if not begun:
            return {}
        named = {str(value) for game in begun for value in game["options"].values()}
        dice = {str(game["die_set"]) for game in begun}
        return {
            "sheets": _sendable(self._files.sheets(), named),
            "die_sets": _sendable(self._files.die_sets(), dice),
        }

    def _note(self, answer: Mapping[str, Any], head: int) -> int:
        """Keep what the hall has taken; return how many lines wait."""
        taken = answer.get("taken")
        if not isinstance(taken, int) or not 0 <= taken <= head:
            raise HallUnreachable(say("The hall answers with {taken} lines of {head}.", taken=taken, head=head))
        if taken != self._taken:
            with self._journal.writing() as connection:
                outbox_tables.drop_taken(connection, self._membership.link, taken)
        self._taken = taken
        now = datetime.now(UTC)
        self._set(LinkStatus("", head - taken, now, _players(answer), _invitation(answer.get("invitation"))))
        return head - taken

    def _run(self) -> None:
        wait_s = FIRST_WAIT_S
        while not self._over.is_set():
            try:
                waiting = self.send_once()
                wait_s = FIRST_WAIT_S
                if not waiting:
                    self._wait_for_lines()
            except HallRefusal as error:
                self._fail(message_of(error))
                self._over.wait(REFUSED_WAIT_S)
            except (HallUnreachable, StorageError) as error:
                self._fail(message_of(error))
                self._over.wait(wait_s * random.uniform(0.5, 1.0))  # noqa: S311 - so that tables do not come at once
                wait_s = min(LONGEST_WAIT_S, 2 * wait_s)
            except Exception:
                _log.exception("hall: sending failed")
                self._fail(say("Sending to the hall fails. The log says why."))
                self._over.wait(LONGEST_WAIT_S)

    def _wait_for_lines(self) -> None:
        """Wait until there is a line to send, or it is time to ask."""
        until = time.monotonic() + ASK_S
        while not self._over.is_set() and (left := until - time.monotonic()) > 0:
            self._wait(min(left, LOOK_S))
            with self._journal.reading() as connection:
                found = outbox_tables.outbox_head(connection)
            if found is None or found.link != self._membership.link or found.sequence > self._taken:
                return

    def _fail(self, sentence: str) -> None:
        if sentence != self.status.trouble:
            _log.warning("hall: %s", sentence)
        self._set(replace(self.status, trouble=sentence))

    def _set(self, status: LinkStatus) -> None:
        with self._lock:
            self._status = status


def _sendable(texts: Mapping[str, str], named: Collection[str]) -> dict[str, str]:
    """Return those texts that are named, without those that no hall takes."""
    return {
        name: text
        for name, text in texts.items()
        if name in named and len(name) <= LONGEST_FILE_NAME and len(text) <= LONGEST_FILE
    }


def _players(answer: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(name) for name in answer.get("waiting") or ())


def _invitation(found: object) -> HallInvitation | None:
    if not isinstance(found, dict):
        return None
    try:
        players = tuple(str(name) for name in found["players"])
        options = {str(name): str(value) for name, value in dict(found["options"]).items()}
        return HallInvitation(int(found["number"]), _title(found, players), str(found["game"]), players, options)
    except (KeyError, TypeError, ValueError):
        return None


def _title(found: Mapping[str, Any], players: Iterable[str]) -> str:
    """Return what the hall calls a game, in a sentence that every language has."""
    tournament, number = str(found.get("tournament") or ""), found.get("round")
    if tournament and isinstance(number, int) and number > 0:
        return say("{tournament}, round {number}", tournament=tournament, number=number)
    return Remembered(str(found["title"]), players)


# The table's membership in a hall while Vander runs: joined and left on the page, sent from the start to the end


class HallMembershipService:
    """The table's hall, for the pages. `wait` is as the sender's; `suggested` is the address that is offered.

    Whatever the hall does, play goes on: nothing here is called while a throw is ruled on.
    """

    def __init__(
        self, folder: Path, journal: Journal, wait: Callable[[float], object], suggested: str = "", node: str = ""
    ) -> None:
        self.suggested = suggested
        self._folder, self._journal, self._wait, self._node = folder, journal, wait, node
        self._files = OwnFiles(lambda: read_texts(folder / "sheets"), lambda: read_texts(folder / "dice"))
        self._membership: HallMembership | None = None
        self._sender: OutboxSender | None = None
        self._changing = Lock()

    def start(self) -> None:
        """Begin to send, if the table belongs to a hall."""
        try:
            found = settle_membership(self._folder, self._journal)
        except StorageError as error:
            _log.warning("hall: the outbox cannot be brought in line: %s", error)
            found = read_membership(self._folder)
        if found is not None:
            self._send_to(found)

    def close(self) -> None:
        """Stop sending; what waits is sent after the next start."""
        sender = self._sender
        if sender is not None:
            sender.close()

    def joined(self) -> JoinedHall | None:
        """Return the hall that the table belongs to, and how many lines it has not taken."""
        membership, sender = self._membership, self._sender
        if membership is None or sender is None:
            return None
        status = sender.status
        with suppress(StorageError):
            status = replace(status, waiting_lines=self._waiting_lines())
        return JoinedHall(membership.address, membership.name, membership.link, status)

    def join(self, address: str, code: Sequence[int], name: str) -> None:
        """Join a hall by the code that it shows. Raises Refused (CONFLICT, UNAVAILABLE)."""
        with self._changing:
            if self._membership is not None:
                raise Refused(say("This table belongs to a hall already. Leave that one first."), Reason.CONFLICT)
            try:
                membership = join_hall(self._folder, self._journal, address, code, name)
            except HallRefusal as error:
                raise Refused(message_of(error), Reason.CONFLICT) from error
            except (HallUnreachable, StorageError) as error:
                raise Refused(message_of(error), Reason.UNAVAILABLE) from error
            except OSError as error:
                raise _unkept(error) from error
            self._send_to(membership)

    def remove_waiting(self, name: str) -> None:
        """Take a name off the hall's list of who waits at this table. Raises Refused (CONFLICT, UNAVAILABLE)."""
        sender = self._sender
        if sender is None:
            raise Refused(say("This table belongs to no hall."), Reason.CONFLICT)
        try:
            sender.remove_waiting(name)
        except HallRefusal as error:
            raise Refused(message_of(error), Reason.CONFLICT) from error
        except HallUnreachable as error:
            raise Refused(message_of(error), Reason.UNAVAILABLE) from error

    def leave(self) -> None:
        """Tell the hall nothing any more. Raises Refused (CONFLICT, UNAVAILABLE)."""
        with self._changing:
            if self._membership is None:
                raise Refused(say("This table belongs to no hall."), Reason.CONFLICT)
            try:
                leave_hall(self._folder, self._journal, self._membership)
            except StorageError as error:
                raise Refused(message_of(error), Reason.UNAVAILABLE) from error
            except OSError as error:
                raise _unkept(error) from error
            sender, self._sender, self._membership = self._sender, None, None
            if sender is not None:
                sender.stop()

    def _send_to(self, membership: HallMembership) -> None:
        sender = OutboxSender(self._journal, membership, self._wait, self._files, self._node)
        sender.start()
        self._sender, self._membership = sender, membership

    def _waiting_lines(self) -> int:
        with self._journal.reading() as connection:
            head = outbox_tables.outbox_head(connection)
        return head.sequence - head.taken if head else 0


def read_texts(folder: Path) -> Mapping[str, str]:
    """Return the texts of a folder's TOML files by file name without ending; one that cannot be read is left out."""
    found = {}
    for path in folder.glob("*.toml"):
        with suppress(OSError, ValueError):
            found[path.stem] = path.read_text("utf-8")
    return found


def _unkept(error: OSError) -> Refused:
    return Refused(
        say("The membership cannot be kept: {cause}", cause=error.strerror or str(error)), Reason.UNAVAILABLE
    )


# The check of the table's way to its hall


HALL = CheckSubject("hall", say("Hall"))
PLAYS_ON = say("Play goes on, and what waits is sent as soon as the hall takes it.")
SLOW_LINES = 20
"""From how many entries on that wait the hall lags behind: a few are on their way at any moment of play."""


def check_hall(settings: Settings, hall: Callable[[], JoinedHall | None] | None) -> Finding:
    """Check whether the table's hall takes what is sent to it; `hall` is None where no Vander runs that sends."""
    if hall is None:
        if (settings.data_dir / HALL_FILE).exists():
            return HALL.good(say("This table belongs to a hall; what waits is sent while Vander runs."))
        return HALL.good(say("This table belongs to no hall."))
    joined = hall()
    if joined is None:
        return HALL.good(say("This table belongs to no hall."))
    waiting = joined.status.waiting_lines
    if joined.status.trouble:
        return HALL.unsure(as_sentence(joined.status.trouble), PLAYS_ON)
    if waiting >= SLOW_LINES:
        return HALL.unsure(
            say_count("{count} entry waits for the hall.", "{count} entries wait for the hall.", waiting), PLAYS_ON
        )
    return HALL.good(say("This table is {name} in the hall at {address}.", name=joined.name, address=joined.address))
