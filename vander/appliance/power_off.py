"""Shut the box down: for the button, and for the keeper's page."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from referee.error_messages import cause_of
from referee.sentences import say

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
        raise _failed(say("there is no systemctl here")) from None
    except subprocess.TimeoutExpired:
        raise _failed(say("the system did not answer within {seconds} s", seconds=f"{timeout_s:g}")) from None
    except OSError as error:
        raise _failed(cause_of(error)) from error
    if asked.returncode:
        told = asked.stderr.strip().splitlines()
        ended = say("{command} ended with {status}", command=command[0], status=asked.returncode)
        raise _failed(told[0].rstrip(".") if told else ended)


def _failed(why: str) -> PowerOffFailed:
    return PowerOffFailed(
        say(
            "The box cannot be shut down from here: {cause}. Nothing is lost if you unplug it when nobody plays.",
            cause=why,
        )
    )
