"""Shut the box down: for the button, and for the keeper's page."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

COMMAND = ("systemctl", "poweroff", "--no-ask-password")
"""systemd/vander-polkit.rules allows it to the user vander without a password."""
TIMEOUT_S = 10.0


class PowerOffFailed(OSError):
    """The box cannot be shut down by this program; the message is one sentence."""

    def __str__(self) -> str:
        return str(self.args[0])


def power_off(command: Sequence[str] = COMMAND, timeout_s: float = TIMEOUT_S) -> None:
    """Ask systemd to shut the machine down; it then stops this program by SIGTERM. Raises PowerOffFailed."""
    try:
        asked = subprocess.run(command, check=False, capture_output=True, text=True, timeout=timeout_s)  # noqa: S603
    except FileNotFoundError:
        raise _failed("there is no systemctl here") from None
    except subprocess.TimeoutExpired:
        raise _failed(f"the system did not answer within {timeout_s:g} s") from None
    except OSError as error:
        raise _failed(error.strerror or str(error)) from error
    if asked.returncode:
        said = asked.stderr.strip().splitlines() or [f"{command[0]} ended with {asked.returncode}"]
        raise _failed(said[0].rstrip("."))


def _failed(why: str) -> PowerOffFailed:
    return PowerOffFailed(
        f"The box cannot be shut down from here: {why}. Nothing is lost if you unplug it when nobody plays."
    )
