"""The paired tablets in memory; each change is on disk before it counts."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Literal

from referee.known_players import replace_name
from referee.player_names import as_read
from referee.refused import Reason, Refused
from referee.seat_rules import SeatRules
from referee.sentences import say
from vander.access.device_store import DeviceList, DeviceStore, PairedDevice
from web.services.access_backend import NewPairing, Role, Tablet

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
        """True if a tablet is a keeper's."""
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
        """Return the tablets in the order of pairing."""
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
