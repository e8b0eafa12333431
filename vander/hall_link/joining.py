"""Join a hall by the code that it shows, and leave it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from vander.hall_link.hall_client import HallClient, HallUnreachable, check_address, find_authority
from vander.hall_link.hall_membership_file import HallMembership, remove_membership, write_membership
from vander.storage.journal_store import Journal
from web.schemas.hall_wire_schemas import WIRE


def join_hall(folder: Path, journal: Journal, address: str, code: Sequence[int], name: str) -> HallMembership:
    """Join a hall; it is told of the game on the table, and of each that begins from now on.

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
        raise HallUnreachable(f"what answers at {hall} is no hall") from error
    finally:
        client.close()
    journal.follow_hall(membership.link)
    write_membership(folder, membership)
    return membership


def leave_hall(folder: Path, journal: Journal) -> None:
    """Send nothing to the hall any more; what it has stays there. Raises OSError and Unwritten."""
    remove_membership(folder)
    journal.leave_hall()
