"""The file in the data folder that says which hall a table belongs to, with the key that the hall gave it."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from vander.access.device_store import write_private
from vander.storage.data_folder_names import HALL_FILE


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


def write_membership(folder: Path, membership: HallMembership) -> None:
    """Keep the table's hall; the file is readable for its owner alone. Raises OSError."""
    write_private(folder / HALL_FILE, membership.model_dump_json().encode())


def remove_membership(folder: Path) -> None:
    """Forget the table's hall. Raises OSError."""
    (folder / HALL_FILE).unlink(missing_ok=True)
