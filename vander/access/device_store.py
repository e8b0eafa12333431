"""The paired tablets on disk: `tablets.json` in the data folder.

It holds the SHA-256 of each tablet's key, never the key: whoever reads the file, or a copy, cannot pass for a tablet.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from models.atomic_files import PART, replacing, write_atomically
from referee.error_messages import cause_of
from referee.phrases import in_a_row
from referee.refused import Reason, Refused
from referee.sentences import say
from web.services.access_backend import Role, Tablet

TABLETS = "tablets.json"
"""The file, in the data folder."""
MOST = 50
"""Tablets in the list; when one more is paired, the player's tablet that was unused for longest is dropped."""
DAMAGED = say("The list of tablets (tablets.json) is damaged: none is known any more, and each must join in again.")
UNREADABLE = say("The list of tablets (tablets.json) cannot be read: none is known now, and each must join in again.")
PRIVATE = 0o600
"""The mode of a file that only the program's own user may read."""


class PairedDevice(BaseModel):
    """A tablet as it is stored, with the SHA-256 of its key."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    number: int = Field(ge=1)
    name: str = Field(min_length=1, max_length=100)
    role: Literal["camera", "player", "keeper"]
    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    paired_on: str = Field(default="", max_length=10)
    used_on: str = Field(default="", max_length=10)
    player: str = Field(default="", max_length=100)

    @property
    def tablet(self) -> Tablet:
        """The tablet without its digest, as others may see it."""
        return Tablet(self.number, self.name, Role[self.role.upper()], self.paired_on, self.used_on, self.player)


class DeviceList(BaseModel):
    """The contents of the file: the tablets, longest unused first, and the counts of wrong codes.

    `last` is the highest number ever given; `wrong` counts the wrong codes since a code was burnt, `burnt` the codes
    burnt since a tablet was paired; `waiting`: no code was shown since the last one was burnt. `unused` counts the
    codes that were shown to people who only watch, since one was used or a keeper allowed more. `own_seat_only` and
    `confirm` are what the table wants of phones that are bound to a player: `SeatRules`. `cameras_gone` counts the
    cameras that left a box on which nothing else was ever paired.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    last: int = Field(default=0, ge=0)
    wrong: int = Field(default=0, ge=0)
    burnt: int = Field(default=0, ge=0)
    waiting: bool = False
    unused: int = Field(default=0, ge=0)
    own_seat_only: bool = False
    confirm: bool = False
    cameras_gone: int = Field(default=0, ge=0)
    guests: tuple[PairedDevice, ...] = ()

    @property
    def is_new(self) -> bool:
        """True on a box where no tablet was ever paired, but for cameras, which decide nothing."""
        ever = len(self.guests) + self.cameras_gone
        return self.last == ever and all(device.role == "camera" for device in self.guests)

    @property
    def keepers(self) -> tuple[int, ...]:
        """The numbers of the keepers' tablets."""
        return tuple(device.number for device in self.guests if device.role == "keeper")

    def by_key(self, digest: str) -> PairedDevice | None:
        """Return the tablet whose key has this digest, or None."""
        return next((device for device in self.guests if device.digest == digest), None)

    def by_number(self, number: int) -> PairedDevice:
        """Return the tablet of that number. Raises Refused."""
        for device in self.guests:
            if device.number == number:
                return device
        raise Refused(say("There is no such tablet; it may have been forgotten meanwhile."), Reason.NOT_FOUND)

    def without(self, number: int) -> DeviceList:
        """Return the list without that tablet."""
        others = self._others(number)
        gone = self.cameras_gone + (len(self.guests) - len(others) if self.is_new else 0)
        return self.model_copy(update={"guests": others, "cameras_gone": gone})

    def with_latest(self, device: PairedDevice) -> DeviceList:
        """Return the list with that tablet as the one used last, in place of the tablet of the same number."""
        others = self._others(device.number)
        return self.model_copy(update={"guests": (*others, device), "last": max(self.last, device.number)})

    def _others(self, number: int) -> tuple[PairedDevice, ...]:
        return tuple(device for device in self.guests if device.number != number)

    def with_room(self) -> DeviceList:
        """Return the list with room for one more: a full one without its longest unused tablet. Raises Refused.

        A keeper's stays.
        """
        if len(self.guests) < MOST:
            return self
        for device in self.guests:
            if device.role != "keeper":
                return self.without(device.number)
        raise Refused(
            say("{most} tablets are keepers already; a keeper can forget one on the box's page.", most=MOST),
            Reason.CONFLICT,
        )


class DeviceStore:
    """Reads and writes the file. A file that cannot be read is renamed, never overwritten."""

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / TABLETS

    def read(self) -> tuple[DeviceList, str]:
        """Return the list, and what is wrong with the file in one sentence, or ''; a missing file is an empty list."""
        try:
            return DeviceList.model_validate_json(self.path.read_bytes()), ""
        except FileNotFoundError:
            return DeviceList(), ""
        except (OSError, ValidationError) as error:
            return DeviceList(), in_a_row(DAMAGED if isinstance(error, ValueError) else UNREADABLE, self._set_aside())

    def _set_aside(self) -> str:
        """Rename the file, and return what became of it in one sentence."""
        aside = self._free_name()
        try:
            self.path.replace(aside)
        except OSError as error:
            return say("It cannot be set aside: {cause}.", cause=cause_of(error))
        return say("It is kept as {file}.", file=aside.name)

    def _free_name(self) -> Path:
        number = 1
        while (aside := self.path.with_name(f"tablets.damaged-{number}.json")).exists():
            number += 1
        return aside

    def write(self, devices: DeviceList) -> None:
        """Write the list, durably. Raises Refused, and leaves the file as it was."""
        try:
            write_private(self.path, _encode(devices))
        except OSError as error:
            raise _unwritten(error) from error

    @contextmanager
    def replacing(self, devices: DeviceList) -> Iterator[None]:
        """Write the list, durably, and let it take its place after the block. Raises Refused before the block."""
        with ExitStack() as until_done:
            try:
                until_done.enter_context(replacing({self.path: _encode(devices)}))
            except OSError as error:
                raise _unwritten(error) from error
            yield


def _unwritten(error: OSError) -> Refused:
    return Refused(say("The list of tablets cannot be kept: {cause}.", cause=cause_of(error)), Reason.UNAVAILABLE)


def _encode(devices: DeviceList) -> bytes:
    """Return the file's contents. An earlier Vander refuses what was added since, so that it is there only if set."""
    added = {name for name in ("unused", "own_seat_only", "confirm", "cameras_gone") if not getattr(devices, name)}
    unbound = {place: {"player"} for place, device in enumerate(devices.guests) if not device.player}
    return devices.model_dump_json(indent=1, exclude={**dict.fromkeys(added, True), "guests": unbound}).encode()


def write_private(path: Path, contents: bytes) -> None:
    """Write a file that only the program's own user may read, atomically. Raises OSError."""
    unfinished = path.with_name(path.name + PART)
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=PRIVATE)  # write_atomically fills this file and moves it, mode included
    write_atomically(path, contents)
