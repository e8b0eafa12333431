"""A process of its own in which odds are computed.

A thread that computes them holds the interpreter's lock against the camera loop: a frame that is read then took 431 ms
instead of 47 (99th percentile, two idle cores), and with a process 53 ms; `tests/bench/odds_latency.py` measures it.

The process is this module as a program, which reads states from a pipe and answers with their odds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from referee.chances import Chance, odds
from referee.game_state import GameState

LONGEST_S = 60.0
"""A computation that takes longer hangs: the longest known one takes 0.4 s on a desktop."""
NICENESS = 10
"""How far the process gives way to the camera loop."""


class OddsFailed(RuntimeError):
    """The process ended, or did not answer in time; the message says which."""

    def __str__(self) -> str:
        return str(self.args[0])


class OddsProcess:
    """The running process. Not safe for threads; a failure ends it. Raises OSError where no process can be started."""

    def __init__(self) -> None:
        self._pipe, theirs = Pipe()
        with theirs:
            command = [sys.executable, "-I", "-m", "vander.session.odds_process", str(theirs.fileno())]
            self._process = subprocess.Popen(  # noqa: S603 - our own words
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # Ctrl+C at the terminal is the main program's
            )

    @property
    def number(self) -> int:
        """The process's id."""
        return self._process.pid

    def compute(self, state: GameState) -> tuple[Chance, ...]:
        """Return the odds of a state. Raises OddsFailed."""
        try:
            self._pipe.send(state)
            if not self._pipe.poll(LONGEST_S):
                raise OddsFailed(f"no answer within {LONGEST_S:g} seconds")
            found: tuple[Chance, ...] = self._pipe.recv()
        except (EOFError, OSError) as error:
            raise OddsFailed("the process ended") from error
        return found

    def close(self) -> None:
        """End the process."""
        self._pipe.close()
        self._process.kill()
        self._process.wait()


def answer_states(pipe: Connection) -> None:
    """Answer each state with its odds until the other end is closed."""
    with suppress(OSError):  # it may be forbidden; then the process is not nice
        os.nice(NICENESS)
    with pipe, suppress(EOFError):
        while True:
            pipe.send(odds(pipe.recv()))


if __name__ == "__main__":
    answer_states(Connection(int(sys.argv[1])))
