"""Save and restore the positions of the virtual tray's dice, so that a resumed game finds them unchanged."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from hardware.simulator.kept_tray import read_lying_dice, write_lying_dice
from hardware.simulator.virtual_tray import VirtualTray
from models.atomic_files import write_atomically

FILE: Final = "tray.json"
LONGEST: Final = 1 << 20

_log = logging.getLogger(__name__)


def restore_tray(tray: VirtualTray, data_dir: Path) -> None:
    """Restore the dice positions of the last run; ignore a damaged or missing file."""
    path = data_dir / FILE
    if not path.exists():
        return
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(LONGEST)  # a longer one is cut, and then damaged
        tray.remember(read_lying_dice(text))
    except (OSError, ValueError) as error:
        _log.warning("the dice of the virtual tray are laid out anew, %s cannot be used: %s", path, error)


def keep_tray(tray: VirtualTray, data_dir: Path) -> None:
    """Write how the dice of the virtual tray lie; a disk that refuses is only logged."""
    try:
        write_atomically(data_dir / FILE, write_lying_dice(tray.lying_dice()).encode())
    except OSError as error:
        _log.warning("how the dice of the virtual tray lie is not kept: %s", error.strerror or error)
