"""Webhooks of the running program: the journal is followed, and each receiver has a thread of its own."""

from __future__ import annotations

import logging
import stat
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import Protocol

from referee.actions import GameState
from referee.dice import RefereeError
from referee.game import Game
from referee.journal import Entry
from referee.phrases import spell_list
from referee.sentences import as_whole, say, say_count
from vander.doctor import CheckSubject
from vander.extras.webhooks.delivery import (
    OLDEST_S,
    BrokenQueue,
    DeliveryQueue,
    DeliveryThread,
    FollowedGame,
    ReceiverState,
)
from vander.extras.webhooks.receivers import (
    RECEIVERS_FILE,
    BadReceivers,
    ToldGame,
    WebhookEvent,
    WebhookReceiver,
    read_receivers,
)
from vander.storage.data_folder import WEBHOOK_QUEUE, StorageError
from vander.storage.journal_schema import KeptGame
from vander.storage.journal_store import Journal
from vander.storage.settings import Settings
from web.authorization import SnapshotSource
from web.schemas.access_schemas import Finding

# Webhooks of the running program: something follows what happens, and each receiver has a thread of its own


log = logging.getLogger(__name__)


class WebhookFollower(Protocol):
    """Puts what happens into the queue, from `start` to `close`."""

    def start(self) -> None:
        """Begin to follow."""

    def close(self) -> None:
        """Follow no more."""


Follow = Callable[[DeliveryQueue, Sequence[WebhookReceiver], Callable[[], None]], WebhookFollower]
"""Makes what follows, which calls the last argument when something was put into the queue."""


class WebhookService:
    """Tells the receivers what happens, from `start` to `close`."""

    def __init__(self, queue: DeliveryQueue, receivers: Sequence[WebhookReceiver], follow: Follow) -> None:
        self._queue = queue
        self._threads = [DeliveryThread(queue, receiver) for receiver in receivers]
        self._follower = follow(queue, receivers, self._wake)

    def start(self) -> None:
        """Begin to follow and to deliver."""
        for thread in self._threads:
            thread.start()
        self._follower.start()

    def close(self) -> None:
        """Stop sending. Messages that wait are sent after the next start."""
        self._follower.close()
        for thread in self._threads:
            thread.close()
        self._queue.close()

    def _wake(self) -> None:
        for thread in self._threads:
            thread.wake()


def open_webhooks(folder: Path, follow: Follow) -> WebhookService | None:
    """Return the webhooks of a data folder, None without receivers.

    Where they cannot be used, the log and the doctor say why, and everything goes on without them.
    """
    try:
        receivers = read_receivers(folder)
        if not receivers:
            return None
        queue = DeliveryQueue.in_folder(folder)
        queue.register(receivers)
    except (BadReceivers, BrokenQueue) as error:
        log.warning("webhooks: nobody is told: %s", error)
        return None
    return WebhookService(queue, receivers, follow)


# Follow the journal and put its events into the queue. Both are on disk
#
# So nothing is lost where the program ends at any moment: the next start goes on from the last entry that was told.


LOOK_S = 2.0
"""How often the journal is looked at where no snapshot says that something happened: games end without one."""

RECENT_GAMES = 50
"""How many of the last followed games are looked at for corrections after their ends."""


class JournalFollower:
    """Puts what happens in the journal's games into the queue, from `start` to `close`.

    `set_up` returns a kept game's rules and its first state; it may raise what is no game today. `put` is called when
    something was put in. What happened before the queue was made, or more than OLDEST_S ago, is not told.
    """

    def __init__(  # noqa: PLR0913, PLR0917  # what it follows, what it fills
        self,
        table: SnapshotSource,
        journal: Journal,
        queue: DeliveryQueue,
        receivers: Sequence[WebhookReceiver],
        set_up: Callable[[KeptGame], tuple[Game, GameState]],
        put: Callable[[], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._table, self._journal, self._queue, self._receivers = table, journal, queue, receivers
        self._set_up, self._put, self._clock = set_up, put, clock
        self._told: dict[int, ToldGame] = {}
        """The game that was told last: the others are read again."""
        self._is_first, self._trouble = queue.is_new, ""
        self._over = Event()
        self._thread = Thread(target=self._follow, name="webhooks-journal", daemon=True)

    def start(self) -> None:
        if self._is_first:
            self._try_to_catch_up()  # here: a game that begins before the thread looks is no earlier one
        self._thread.start()

    def close(self) -> None:
        """Follow no more, once what is being put in is in."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(2 * LOOK_S)

    def catch_up(self) -> None:
        """Put in what happened since the last time. Raises BrokenQueue and BrokenJournal."""
        followed = self._queue.followed()
        newer = self._journal.games_after(max(followed, default=0))
        found = (*self._journal.open_games(), *(newer[-1:] if self._is_first else newer))
        games = {kept.number: kept for kept in found}
        for number in self._changed(followed) - games.keys():
            kept = self._journal.game(number)
            games |= {number: kept} if kept else {}
        for number, kept in sorted(games.items()):
            self._follow_game(kept, followed.get(number))
        self._is_first = False

    def _changed(self, followed: Mapping[int, FollowedGame]) -> set[int]:
        """Return the followed games that may have something to tell: a correction may leave an ended one ended."""
        counts = self._journal.entry_counts(sorted(followed)[-RECENT_GAMES:])
        return {game for game, known in followed.items() if not known.is_over or counts.get(game, 0) > known.entry}

    def _follow(self) -> None:
        step, looked_at = None, 0.0
        snapshot = self._table.snapshot()
        while not self._over.is_set():
            if snapshot.step != step or time.monotonic() - looked_at > LOOK_S:
                step, looked_at = snapshot.step, time.monotonic()
                self._try_to_catch_up()
            snapshot = self._table.wait(snapshot.number, LOOK_S)

    def _try_to_catch_up(self) -> None:
        try:
            self.catch_up()
        except StorageError as error:
            if str(error) != self._trouble:
                log.warning("webhooks: nothing told, trying again: %s", error)
            self._trouble = str(error)
        except Exception:
            log.exception("webhooks: nothing told, trying again")
        else:
            self._trouble = ""

    def _follow_game(self, kept: KeptGame, known: FollowedGame | None) -> None:
        entries = self._journal.entries(kept.number)
        if self._is_first and known is None:
            self._queue.put((), self._receivers, FollowedGame(kept.number, len(entries), kept.ended_at is not None))
            return
        count = known.entry if known else 0
        if known and known.entry >= len(entries) and known.is_over is (kept.ended_at is not None):
            return
        try:
            told = self._told_game(kept, entries[:count])
            events: tuple[WebhookEvent, ...] = () if known else (told.begun(),)
            events += tuple(event for entry in entries[told.read :] for event in told.hear(entry))
            if kept.ended_at is not None and not told.is_over and not (known and known.is_over):
                events += (told.ended(kept.ended_at),)
        except (RefereeError, LookupError, ValueError) as error:
            log.warning("webhooks: game %s is not told: %s", kept.number, error)
            events = ()
        self._put_in(events, FollowedGame(kept.number, len(entries), kept.ended_at is not None))

    def _told_game(self, kept: KeptGame, entries: Sequence[Entry]) -> ToldGame:
        """Return the game as it was told last; it is read again where that was before the program was started."""
        told = self._told.get(kept.number)
        if told is None or told.read != len(entries) or told.kept.players != kept.players:
            told = ToldGame(kept, *self._set_up(kept), entries)
        self._told = {kept.number: told} if kept.ended_at is None else {}
        return told

    def _put_in(self, events: Sequence[WebhookEvent], followed: FollowedGame) -> None:
        fresh = [event for event in events if event.at.timestamp() > self._clock() - OLDEST_S]
        try:
            self._queue.put(fresh, self._receivers, followed)
        except StorageError:
            self._told = {}  # what it has read already was not put in
            raise
        if fresh:
            self._put()


# The check of the webhooks: whether their file can be used, and whether each receiver takes what it is told


WEBHOOKS = CheckSubject("webhooks", say("Webhooks"))
FAILING = 3
"""From so many failures in a row a receiver counts as one that does not answer."""
RESUME = say("Mend the receiver, then `vander webhooks resume {name}`.", name="NAME")


def check_webhooks(settings: Settings) -> Finding:
    """Check that each receiver takes what it is told, and that nothing was given up."""
    folder = settings.data_dir
    try:
        receivers = read_receivers(folder)
        if not receivers:
            return WEBHOOKS.good(say("Webhooks send the games to no other program."))
        if stat.S_IMODE((folder / RECEIVERS_FILE).stat().st_mode) & 0o077:
            return WEBHOOKS.unsure(
                say("Other users of this computer can read webhooks.toml, which holds secrets."),
                say("Close it with `chmod 600 webhooks.toml` in the data folder."),
            )
        states = _states(settings) if (folder / WEBHOOK_QUEUE).exists() else ()
    except BadReceivers as error:
        return WEBHOOKS.bad(as_whole(error.args[0]), say("Mend the file, then restart Vander."))
    except BrokenQueue as error:
        return WEBHOOKS.bad(
            as_whole(error.args[0]), say("Make room on the disk; if the file is damaged, move webhooks.sqlite away.")
        )
    return _finding(len(receivers), states)


def _states(settings: Settings) -> Sequence[ReceiverState]:
    with closing(DeliveryQueue.in_folder(settings.data_dir)) as queue:
        return queue.states()


def _finding(receivers: int, states: Sequence[ReceiverState]) -> Finding:
    gone = [state.name for state in states if state.is_gone]
    if gone:
        named = spell_list(gone, "and")
        return WEBHOOKS.unsure(say("Switched off, since it answered that it is gone: {names}.", names=named), RESUME)
    dropped = sum(state.dropped for state in states)
    if dropped:
        named = spell_list([state.name for state in states if state.dropped], "and")
        told = say_count(
            "{count} message was given up, for {names}.",
            "{count} messages were given up, for {names}.",
            dropped,
            names=named,
        )
        return WEBHOOKS.unsure(told, RESUME)
    failing = [state for state in states if state.failures >= FAILING]
    if failing:
        named = spell_list([f"{state.name} ({state.last_answer})" for state in failing], "and")
        waiting = sum(state.waiting for state in failing)
        told = say("Not taken, and tried again: {names}; {count} wait.", names=named, count=waiting)
        return WEBHOOKS.unsure(told, say("See whether the receiver runs: `vander webhooks test`."))
    waiting = sum(state.waiting for state in states)
    return WEBHOOKS.good(
        say("Receivers of webhooks: {count}; messages that wait: {waiting}.", count=receivers, waiting=waiting)
    )
