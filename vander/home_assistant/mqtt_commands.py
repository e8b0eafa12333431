"""What people press in Home Assistant: each command is done with a keeper's rights at the box, or refused.

A command that a broker has kept is none: it would be done again after every reconnect. So is a flood, and nobody who
presses in another room may lose a game that is going on.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Full, Queue
from threading import Thread
from typing import Protocol

from referee.journal import Actor
from referee.sentences import Reason, Refused, say
from referee.snapshot import Snapshot
from vander.home_assistant.entities import NEW_GAME, PRESS, TAKE_BACK
from vander.memory.play_statistics_service import rematch_of
from vander.session.session_state import SessionState

log = logging.getLogger(__name__)

HOME_ASSISTANT = Actor("Home Assistant")
"""Who stands in the journal for what is pressed there."""
LEAST_GAP_S = 1.0
"""A command that comes sooner after the last one is refused."""
MOST_A_MINUTE, MINUTE_S = 6, 60.0
LATEST_S = 5.0
"""A command that waited longer is refused: play has moved on since somebody pressed."""
CLOSE_S = 2.0
TOO_LATE = say("The table was busy for too long. Press again if you still want that.")
TOO_MANY = say("Too many commands came at once. Wait a minute, then press once.")
UNKNOWN = say("Vander does not know that command.")
GOING_ON = say("A game is going on: play it to its end, or begin another on the table's page.")
NOT_BEGUN = say("The new game is on the table already; nothing was played yet.")
NO_GAME = say("No game is on the table: set one up on the table's page.")
TAKEN_BACK = say("The last step was taken back.")
BROKEN = say("That failed; the log says why.")


class CommandedTable(Protocol):
    """The session, as far as commands need it. Every refusal is Refused."""

    @property
    def state(self) -> SessionState:
        """The session as it is now."""

    def snapshot(self) -> Snapshot:
        """Return what is shown now."""

    def start(  # noqa: PLR0913  # as the session has it
        self,
        game: str,
        players: Sequence[str],
        options: Mapping[str, str],
        die_set: str = "",
        *,
        step: str = "",
        leave_open: bool = False,
    ) -> None:
        """Begin a game; the one on the table stays open where `leave_open` says so."""

    def undo(self, step: str = "", *, by: Actor) -> None:
        """Take back the last standing entry."""


@dataclass(frozen=True)
class _Command:
    name: str
    came_at: float


class MqttCommands:
    """Takes commands in on any thread, and does them one after another on its own, from `start` to `close`.

    `report` is called, on either thread, with the sentence that answers a command.
    """

    def __init__(
        self, table: CommandedTable, report: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._table, self._report, self._clock = table, report, clock
        self._admitted: deque[float] = deque(maxlen=MOST_A_MINUTE)
        self._waiting: Queue[_Command | None] = Queue(maxsize=1)
        self._thread = Thread(target=self._work, name="mqtt-commands", daemon=True)

    def start(self) -> None:
        """Begin to do commands."""
        self._thread.start()

    def close(self) -> None:
        """Do no more; waits a moment for one that is being done."""
        with suppress(Empty):
            self._waiting.get_nowait()
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)

    def take(self, name: str, payload: bytes) -> None:
        """Take a command in, or refuse it at once. Only one thread may call this."""
        if name not in (NEW_GAME, TAKE_BACK) or payload != PRESS.encode():
            self._report(UNKNOWN)
        elif not self._admits():
            self._report(TOO_MANY)
        else:
            try:
                self._waiting.put_nowait(_Command(name, self._clock()))
            except Full:
                self._report(TOO_MANY)

    def _admits(self) -> bool:
        """True if another command may be done now; it counts from then on."""
        now, before = self._clock(), self._admitted
        is_soon = bool(before) and now - before[-1] < LEAST_GAP_S
        if is_soon or (len(before) == MOST_A_MINUTE and now - before[0] < MINUTE_S):
            return False
        before.append(now)
        return True

    def _work(self) -> None:
        while (command := self._waiting.get()) is not None:
            is_late = self._clock() - command.came_at > LATEST_S
            self._report(TOO_LATE if is_late else self._answer(command.name))

    def _answer(self, name: str) -> str:
        """Do a command, and return the sentence with which it is answered. Raises nothing."""
        try:
            return self._do(name)
        except Refused as refused:
            return refused.sentence
        except Exception:
            log.exception("home assistant: command %s: failed", name)
            return BROKEN

    def _do(self, name: str) -> str:
        now = self._table.snapshot()
        if now.camera_trouble:  # a tray that is lent is one
            raise Refused(now.camera_trouble, Reason.CONFLICT)
        return self._begin_again(now) if name == NEW_GAME else self._take_back(now)

    def _take_back(self, now: Snapshot) -> str:
        """Take back what is the last step in the snapshot, or the tapped action that waits."""
        self._table.undo(now.step, by=HOME_ASSISTANT)
        said = now.waiting.title if now.waiting else next(iter(now.last), "")
        return say("Taken back: {said}", said=said) if said else TAKEN_BACK

    def _begin_again(self, now: Snapshot) -> str:
        """Begin the last game again with its players; a game that is going on stays as it is."""
        match = self._table.state.match
        if match is None:
            raise Refused(NO_GAME, Reason.CONFLICT)
        if not match.over:
            raise Refused(GOING_ON if match.standing else NOT_BEGUN, Reason.CONFLICT)
        again = rematch_of(match.kept, match.game)
        # Where somebody begins a game at the same moment, the step is old; that game would also stay open.
        self._table.start(again.game, again.players, again.options, again.die_set, step=now.step, leave_open=True)
        return say("A new game begins: {game}.", game=match.game.title)
