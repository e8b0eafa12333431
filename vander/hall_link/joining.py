"""Join a hall by the code that it shows, and leave it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from vander.hall_link.hall_client import (
    HallClient,
    HallRefusal,
    HallUnreachable,
    check_address,
    find_authority,
    no_hall,
)
from vander.hall_link.hall_membership_file import (
    HallMembership,
    read_membership,
    remove_membership,
    write_membership,
)
from vander.storage import outbox_tables
from vander.storage.journal_store import Journal
from web.schemas.hall_wire_schemas import WIRE


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
