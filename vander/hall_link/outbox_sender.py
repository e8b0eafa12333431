"""Send the journal's outbox to the hall: in order, again until the hall has it, without holding up play.

The hall says how many lines it has taken; what comes after is sent. A table without its hall plays on, and what it
writes meanwhile waits in the outbox, for days if need be.
"""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from threading import Event, Lock, Thread
from typing import Any

from referee.error_messages import message_of
from referee.sentences import Remembered, say
from vander.hall_link.hall_client import HallClient, HallRefusal, HallUnreachable, encode_request
from vander.hall_link.hall_membership_file import HallMembership
from vander.storage import outbox_tables
from vander.storage.journal_store import Journal
from vander.storage.outbox_tables import OutboxLine
from vander.storage.storage_errors import StorageError
from web.schemas.hall_wire_schemas import LONGEST_FILE, MOST_LINES, WIRE
from web.services.hall_link_backend import HallInvitation, LinkStatus

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
        """Begin to send."""
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
