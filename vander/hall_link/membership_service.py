"""The table's membership in a hall while Vander runs: joined and left on the page, sent from the start to the end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock

from referee.error_messages import message_of
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.hall_link.hall_client import HallRefusal, HallUnreachable
from vander.hall_link.hall_membership_file import HallMembership, read_membership
from vander.hall_link.joining import join_hall, leave_hall, settle_membership
from vander.hall_link.outbox_sender import OutboxSender, OwnFiles
from vander.storage import outbox_tables
from vander.storage.journal_store import Journal
from vander.storage.storage_errors import StorageError
from web.services.hall_link_backend import JoinedHall

_log = logging.getLogger(__name__)


class HallMembershipService:
    """The `HallLinkBackend` of the pages. `wait` is as the sender's; `suggested` is the address that is offered.

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
