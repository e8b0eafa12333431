"""The odds of a game, computed in the background in a process of their own."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Condition, Thread

from referee.actions import GameState
from referee.chances import Chance, odds
from referee.sentences import Reason, Refused, say

# The process
#
# A thread that computes them holds the interpreter's lock against the camera loop: a frame that is read then took 431
# ms instead of 47 (99th percentile, two idle cores), and with a process 53 ms; `bench/odds_latency.py` measures
# it.
# The process is this module as a program, which reads states from a pipe and answers with their odds.

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
            command = [sys.executable, "-I", "-m", "vander.table.odds", str(theirs.fileno())]
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


# Asking it in the background

KEPT = 32
"""Number of states whose odds stay cached."""
IDLE_S = 300.0
"""Seconds without a request after which the process ends, to free its memory."""
RETRY_S = 1.0
"""When to ask again: most odds take some milliseconds, the longest 0.4 s on a desktop and more on a small box."""
CLOSING_S = 5.0
WORKING = say("The chances are being worked out; ask again in a moment.")
FAILED = say("The chances cannot be worked out here; the log says why.")

_log = logging.getLogger(__name__)


class BackgroundOdds:
    """Odds by state, from one worker, which `open_worker` starts when it is needed. Any thread may call any method.

    The worker takes the state that was asked for last: one that nobody waits for any more is left out.
    """

    def __init__(self, open_worker: Callable[[], OddsProcess] = OddsProcess, idle_s: float = IDLE_S) -> None:
        self._open_worker, self._idle_s = open_worker, idle_s
        self._changed = Condition()
        self._known: dict[GameState, tuple[Chance, ...]] = {}
        self._wanted: GameState | None = None
        self._computing: GameState | None = None
        self._failed: GameState | None = None
        self._thread: Thread | None = None
        self._over = False

    def find(self, state: GameState) -> tuple[Chance, ...]:
        """Return the odds of a state. Raises Refused (UNAVAILABLE), with a wait while they are computed."""
        with self._changed:
            if (found := self._known.get(state)) is not None:
                return found
            if self._over or state == self._failed:
                raise Refused(FAILED, Reason.UNAVAILABLE)
            if state != self._computing:
                self._want(state)
        raise Refused(WORKING, Reason.UNAVAILABLE, wait_s=RETRY_S)

    def close(self) -> None:
        """End the worker; wait CLOSING_S seconds for what it computes now."""
        with self._changed:
            self._over, self._wanted, thread = True, None, self._thread
            self._changed.notify_all()
        if thread is not None:
            thread.join(CLOSING_S)

    def _want(self, state: GameState) -> None:
        self._wanted = state
        self._changed.notify_all()
        if self._thread is None:
            self._thread = Thread(target=self._run, name="odds", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        try:
            with closing(self._open_worker()) as worker:
                while (state := self._next()) is not None:
                    self._keep(state, worker.compute(state))
        except Exception as error:  # whatever it was, the next state gets another worker
            _log.warning("odds: not computed: %s", error, exc_info=not isinstance(error, OddsFailed | OSError))
            self._fail()

    def _next(self) -> GameState | None:
        """Return the state to compute next; None when there was none for a while, and the thread is to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._wanted is not None or self._over, self._idle_s)
            self._computing, self._wanted = self._wanted, None
            if self._computing is None:
                self._thread = None
            return self._computing

    def _keep(self, state: GameState, found: tuple[Chance, ...]) -> None:
        with self._changed:
            self._computing = None
            self._known[state] = found
            while len(self._known) > KEPT:
                del self._known[next(iter(self._known))]

    def _fail(self) -> None:
        """Take note that the worker is gone; the same state is not tried again, since it may be the reason."""
        with self._changed:
            self._failed = self._wanted if self._computing is None else self._computing
            self._computing = self._wanted = self._thread = None


if __name__ == "__main__":
    answer_states(Connection(int(sys.argv[1])))
