"""The guest book: the tablets that have joined in, kept in `tablets.json` of the data folder.

A tablet's key is never kept, only its SHA-256: who reads the file, or a copy of it, cannot pass for a tablet.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from models.atomic_files import PART, write_whole
from referee.refused import Reason, Refused
from web.services.access_protocol import Role, Tablet

TABLETS = "tablets.json"
"""The book, in the data folder."""
MOST = 50
"""Tablets; when one more joins in, the player's that was unused for longest is forgotten."""
PRIVATE = 0o600
"""A file that the program's own user alone may read."""


class PairedDevice(BaseModel):
    """A tablet as it is kept, with the SHA-256 of its key."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int = Field(ge=1)
    name: str = Field(min_length=1, max_length=100)
    role: Literal["player", "keeper"]
    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    paired_on: str = Field(default="", max_length=10)
    used_on: str = Field(default="", max_length=10)

    @property
    def tablet(self) -> Tablet:
        """What may be known of it."""
        return Tablet(self.number, self.name, Role[self.role.upper()], self.paired_on, self.used_on)


class DeviceList(BaseModel):
    """All that the book holds: the guests, longest unused first, and what the wrong codes have come to.

    `last` is the highest number ever given; `wrong` counts the wrong codes since the last that was burnt, `burnt` the
    codes burnt since a tablet was let in; `waiting` says that nobody was shown a code since the last was burnt.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    last: int = Field(default=0, ge=0)
    wrong: int = Field(default=0, ge=0)
    burnt: int = Field(default=0, ge=0)
    waiting: bool = False
    guests: tuple[PairedDevice, ...] = ()

    def by_key(self, digest: str) -> PairedDevice | None:
        """The guest whose key has this digest, or None."""
        return next((guest for guest in self.guests if guest.digest == digest), None)

    def by_number(self, number: int) -> PairedDevice:
        """The guest of that number. Raises Refused (404)."""
        for guest in self.guests:
            if guest.number == number:
                return guest
        raise Refused("There is no such tablet; it may have been forgotten meanwhile.", Reason.NOT_FOUND)

    def without(self, number: int) -> DeviceList:
        """The list without that guest."""
        return self.model_copy(update={"guests": tuple(guest for guest in self.guests if guest.number != number)})

    def with_latest(self, guest: PairedDevice) -> DeviceList:
        """The list with that guest as the one used last, in place of the guest of the same number."""
        others = self.without(guest.number).guests
        return self.model_copy(update={"guests": (*others, guest), "last": max(self.last, guest.number)})

    def with_room(self) -> DeviceList:
        """The list with room for one more: without the longest unused player where it is full. Raises Refused (409)."""
        if len(self.guests) < MOST:
            return self
        for guest in self.guests:
            if guest.role == "player":
                return self.without(guest.number)
        raise Refused(
            f"{MOST} tablets are keepers already; a keeper can forget one on the box's page.", Reason.CONFLICT
        )


class DeviceStore:
    """Where the list is kept. A list that cannot be read is set aside under another name, never written over."""

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / TABLETS

    def read(self) -> tuple[DeviceList, str]:
        """The list, and what is wrong with the file in one sentence, or ''. A file that is not there is no trouble."""
        try:
            return DeviceList.model_validate_json(self.path.read_bytes()), ""
        except FileNotFoundError:
            return DeviceList(), ""
        except (OSError, ValidationError) as error:
            return DeviceList(), self._set_aside("damaged" if isinstance(error, ValueError) else "not readable")

    def _set_aside(self, why: str) -> str:
        said = (
            f"The list of tablets (tablets.json) is {why}, so that none is known any more and each must join in again"
        )
        aside = self._free_name()
        try:
            self.path.replace(aside)
        except OSError as error:
            return f"{said}; nor can it be set aside ({error.strerror or error})."
        return f"{said}; it is kept as {aside.name}."

    def _free_name(self) -> Path:
        number = 1
        while (aside := self.path.with_name(f"tablets.damaged-{number}.json")).exists():
            number += 1
        return aside

    def write(self, guests: DeviceList) -> None:
        """Keep the list; when this returns it outlasts a pulled plug. Raises Refused (503) and leaves it as it was."""
        try:
            write_private(self.path, guests.model_dump_json(indent=1).encode())
        except OSError as error:
            raise Refused(
                f"The list of tablets cannot be kept: {error.strerror or error}.", Reason.UNAVAILABLE
            ) from error


def write_private(path: Path, contents: bytes) -> None:
    """Put a file on disk whole that the program's own user alone may read. Raises OSError."""
    unfinished = path.with_name(path.name + PART)
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=PRIVATE)  # write_whole writes into what is there and moves it, mode and all
    write_whole(path, contents)
