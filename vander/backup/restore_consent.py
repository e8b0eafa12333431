"""What a backup brings along that somebody must want: tablets that may decide, settings that open doors, odd games."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from vander.access.device_store import TABLETS, DeviceList, PairedDevice
from vander.backup.backup_contents import BadBackup, name_some
from vander.storage.storage_errors import StorageError

SETTINGS = "settings.toml"
DOORS = ("data_dir", "database", "host", "https", "https_certificate", "https_key", "names", "trust_local")
"""The settings that say who reaches Vander, and where it writes."""


class NotAgreed(StorageError):
    """Nobody has said yes to what a backup brings along; nothing was changed."""


@dataclass(frozen=True)
class BroughtAlong:
    """What needs a yes: devices that are not paired here with that role, changed settings, games against the rules."""

    devices: tuple[PairedDevice, ...] = ()
    settings: tuple[str, ...] = ()
    games: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return a sentence for each kind of thing; none where a restore needs no yes."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[str]:
        if self.devices:
            named = name_some([f"{device.name} (a {device.role})" for device in self.devices])
            yield f"It lets in what is not paired here: {named}."
        if self.settings:
            yield f"It changes who reaches Vander, and where it writes: {name_some(self.settings)} in {SETTINGS}."
        if self.games:
            yield f"The rules refuse some games, which stay as they are but do not go on: {name_some(self.games)}."


def devices_in(folder: Path) -> DeviceList:
    """Return the devices that are paired in a data folder. Raises BadBackup where their list cannot be read."""
    try:
        return DeviceList.model_validate_json((folder / TABLETS).read_bytes())
    except FileNotFoundError:
        return DeviceList()
    except (OSError, ValueError) as error:
        raise BadBackup(f"the list of tablets in the backup ({TABLETS}) cannot be read; leave it out") from error


def new_devices(here: Path, new: Path) -> tuple[PairedDevice, ...]:
    """Return the devices of a prepared folder that are unknown `here`, or a keeper only there. Raises BadBackup."""
    known: set[tuple[str, str]] = set()
    with suppress(BadBackup):  # with an unreadable list nobody is known
        known = {(device.digest, device.role) for device in devices_in(here).guests}
    return tuple(
        device
        for device in devices_in(new).guests
        if not {(device.digest, device.role), (device.digest, "keeper")} & known
    )


def changed_settings(here: Path, new: Path) -> tuple[str, ...]:
    """Return the names of those of DOORS that differ between two data folders' settings."""
    before, after = (_table(folder / SETTINGS) for folder in (here, new))
    return tuple(name for name in DOORS if before.get(name) != after.get(name))


def _table(path: Path) -> dict[str, object]:
    with suppress(OSError, ValueError):
        return tomllib.loads(path.read_text("utf-8"))
    return {}
