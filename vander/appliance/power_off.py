"""Shutting the box down: by the button, or by the keeper's tap."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

COMMAND = ("systemctl", "poweroff", "--no-ask-password")
"""Nobody sits at the box who could type a password; systemd/vander-polkit.rules is what lets the user vander do it."""
PATIENCE_S = 10.0


class PowerOffFailed(OSError):
    """The box cannot be shut down from here."""

    def __str__(self) -> str:
        return str(self.args[0])


def power_off(command: Sequence[str] = COMMAND, patience_s: float = PATIENCE_S) -> None:
    """Ask systemd to shut the machine down; it then stops this program by SIGTERM. Raises PowerOffFailed."""
    try:
        asked = subprocess.run(command, check=False, capture_output=True, text=True, timeout=patience_s)  # noqa: S603
    except FileNotFoundError:
        raise _stays_on("there is no systemctl here") from None
    except subprocess.TimeoutExpired:
        raise _stays_on(f"the system did not answer within {patience_s:g} s") from None
    except OSError as error:
        raise _stays_on(error.strerror or str(error)) from error
    if asked.returncode:
        said = asked.stderr.strip().splitlines() or [f"{command[0]} ended with {asked.returncode}"]
        raise _stays_on(said[0].rstrip("."))


def _stays_on(why: str) -> PowerOffFailed:
    return PowerOffFailed(
        f"The box cannot be shut down from here: {why}. Nothing is lost if you unplug it when nobody plays."
    )
