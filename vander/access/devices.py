"""The paired tablets, in memory and in `tablets.json` of the data folder: a change is on disk before it counts."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from models.atomic_files import PART, replacing, write_atomically
from referee.journal import SeatRules
from referee.known_players import as_read, replace_name
from referee.phrases import in_a_row
from referee.sentences import Reason, Refused, cause_of, say
from web.schemas.access_schemas import NewPairing, Role, Tablet

# The paired tablets on disk: `tablets.json` in the data folder
#
# It holds the SHA-256 of each tablet's key, never the key: whoever reads the file, or a copy, cannot pass for a
# tablet.


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


# The paired tablets in memory; each change is on disk before it counts


NOTED_EVERY_S = 12 * 3600.0
"""How often the day of a tablet's last use is written: it only serves to find the one that was unused for longest."""

LONGEST_CALLED = 100
"""Characters of a tablet's name."""
LAST_KEEPER = say("This is the last keeper's tablet. Without it only the box itself can make a keeper: confirm that.")


class DeviceRegistry:
    """The list of paired tablets, and the count of wrong codes, which is kept with it.

    Not safe for threads: the caller holds a lock. `trouble` is what was wrong with the file, in one sentence, or ''.
    """

    def __init__(self, data_dir: Path, clock: Callable[[], float], today: Callable[[], date]) -> None:
        self._clock, self._today = clock, today
        self._store = DeviceStore(data_dir)
        self._list, self.trouble = self._store.read()
        self._noted_at: dict[int, float] = {}

    @property
    def guesses(self) -> DeviceList:
        """The counts of wrong, burnt and unused codes."""
        return self._list

    @property
    def has_keeper(self) -> bool:
        return bool(self._list.keepers)

    def makes_keeper(self, *, by_keeper: bool) -> bool:
        """True if the next tablet becomes a keeper's.

        That is the first tablet ever; and where there is no keeper any more, one whose code the box itself requested.
        """
        return self._list.is_new or (by_keeper and not self.has_keeper)

    def find(self, digest: str) -> Tablet | None:
        """Return the tablet whose key has this digest, and note the day; None if there is none."""
        found = self._list.by_key(digest)
        return self._note_use(found).tablet if found else None

    def tablets(self) -> Sequence[Tablet]:
        return [device.tablet for device in sorted(self._list.guests, key=lambda device: device.number)]

    def add(self, name: str, *, by_keeper: bool, as_camera: bool = False) -> NewPairing:
        """Pair a tablet, as `makes_keeper` says, or a camera. Raises Refused (CONFLICT, UNAVAILABLE)."""
        others: Literal["player", "keeper"] = "keeper" if self.makes_keeper(by_keeper=by_keeper) else "player"
        key, number = secrets.token_urlsafe(32), self._list.last + 1
        day = self._today().isoformat()
        device = PairedDevice(
            number=number,
            name=name or f"Tablet {number}",
            role="camera" if as_camera else others,
            digest=key_digest(key),
            paired_on=day,
            used_on=day,
        )
        reset = {"wrong": 0, "burnt": 0, "waiting": False, "unused": 0}
        self._save(self._list.with_room().with_latest(device).model_copy(update=reset))
        self.trouble = ""
        return NewPairing(device.tablet, key)

    def rename(self, number: int, name: str) -> None:
        """Give a tablet another name. Raises Refused (NOT_FOUND, UNAVAILABLE)."""
        self._change(number, {"name": name})

    def set_role(self, number: int, role: Role, *, confirmed: bool) -> None:
        """Make a tablet a keeper, or a player again. Raises Refused (NOT_FOUND, UNAVAILABLE).

        Raises Refused (CONFLICT) for the last keeper's, which becomes a player's only when that is `confirmed`.
        """
        if role is not Role.KEEPER:
            self._check_last_keeper(number, confirmed)
        self._change(number, {"role": "keeper" if role is Role.KEEPER else "player"})

    def remove(self, number: int, *, confirmed: bool) -> None:
        """Forget a tablet: its key is no longer known. Raises Refused (NOT_FOUND, UNAVAILABLE; CONFLICT as above)."""
        self._list.by_number(number)
        self._check_last_keeper(number, confirmed)
        self._save(self._list.without(number))

    def bind(self, number: int, player: str) -> None:
        """Say whose phone a tablet is. Raises Refused (NOT_FOUND, UNAVAILABLE)."""
        self._change(number, {"player": player})

    @contextmanager
    def renaming_player(self, old: str, new: str, others: Iterable[str]) -> Iterator[None]:
        """Give a player another name wherever a tablet bears it, '' for none, after the block if that succeeds.

        The names of `others` stay whole. Raises Refused (UNAVAILABLE) before the block, where the disk takes nothing.
        """
        kept = tuple(others)
        devices = tuple(_renamed(device, old, new, kept) for device in self._list.guests)
        if devices == self._list.guests:
            yield
            return
        renamed = self._list.model_copy(update={"guests": devices})
        with self._store.replacing(renamed):
            yield
        self._list = renamed

    @property
    def seat_rules(self) -> SeatRules:
        """What the table wants of phones that are bound to a player."""
        bound = tuple(device.player for device in self._list.guests if device.player)
        return SeatRules(self._list.own_seat_only, self._list.confirm, bound)

    def set_seat_rules(self, *, own_seat_only: bool, confirm: bool) -> None:
        """Change what the table wants of them. Raises Refused (UNAVAILABLE)."""
        self._save(self._list.model_copy(update={"own_seat_only": own_seat_only, "confirm": confirm}))

    def count_guesses(self, update: dict[str, object]) -> None:
        """Change the counts of `guesses`, on disk if possible: a full disk must not make guessing free."""
        counted = self._list.model_copy(update=update)
        if counted != self._list:
            self._list = counted
            with suppress(Refused):
                self._store.write(counted)

    def _check_last_keeper(self, number: int, confirmed: bool) -> None:
        if not confirmed and self._list.keepers == (number,):
            raise Refused(LAST_KEEPER, Reason.CONFLICT)

    def _note_use(self, device: PairedDevice) -> PairedDevice:
        now = self._clock()
        if now - self._noted_at.get(device.number, -NOTED_EVERY_S) < NOTED_EVERY_S:
            return device
        self._noted_at[device.number] = now
        used = device.model_copy(update={"used_on": self._today().isoformat()})
        with suppress(Refused):  # on a full disk only the day of the last use is lost
            self._save(self._list.with_latest(used))
        return used

    def _change(self, number: int, update: dict[str, object]) -> None:
        changed = self._list.by_number(number).model_copy(update=update)
        devices = tuple(changed if device.number == number else device for device in self._list.guests)
        self._save(self._list.model_copy(update={"guests": devices}))

    def _save(self, devices: DeviceList) -> None:
        self._store.write(devices)
        self._list = devices


def _renamed(device: PairedDevice, old: str, new: str, others: Sequence[str]) -> PairedDevice:
    """Return a device with a player's new name; if the player is forgotten, the device is named by its number."""
    called = replace_name(device.name, old, new or f"Tablet {device.number}", any_case=True, others=others)
    if not new and called != device.name:
        called = f"Tablet {device.number}"
    player = new if as_read(device.player) == as_read(old) else device.player
    return device.model_copy(update={"name": called[:LONGEST_CALLED], "player": player})


def key_digest(key: str) -> str:
    """Return the SHA-256 of a tablet's key, in hex."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
