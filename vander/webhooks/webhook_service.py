"""Webhooks of the running table: it follows the journal, and delivers to each receiver in a thread of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from referee.game import Game, GameState
from vander.storage.journal_store import Journal
from vander.storage.stored_game import KeptGame
from vander.webhooks.delivery_queue import BrokenQueue, DeliveryQueue
from vander.webhooks.delivery_thread import DeliveryThread
from vander.webhooks.journal_follower import FollowedTable, JournalFollower
from vander.webhooks.webhook_receivers import BadReceivers, WebhookReceiver, read_receivers

log = logging.getLogger(__name__)


class WebhookService:
    """Tells the receivers what happens, from `start` to `close`."""

    def __init__(
        self,
        queue: DeliveryQueue,
        receivers: Sequence[WebhookReceiver],
        table: FollowedTable,
        journal: Journal,
        set_up: Callable[[KeptGame], tuple[Game, GameState]],
    ) -> None:
        self._queue = queue
        self._threads = [DeliveryThread(queue, receiver) for receiver in receivers]
        self._follower = JournalFollower(table, journal, queue, receivers, set_up, self._wake)

    def start(self) -> None:
        """Begin to follow and to deliver."""
        for thread in self._threads:
            thread.start()
        self._follower.start()

    def close(self) -> None:
        """Tell nobody any more; what waits is told after the next start."""
        self._follower.close()
        for thread in self._threads:
            thread.close()
        self._queue.close()

    def _wake(self) -> None:
        for thread in self._threads:
            thread.wake()


def open_webhooks(
    folder: Path, table: FollowedTable, journal: Journal, set_up: Callable[[KeptGame], tuple[Game, GameState]]
) -> WebhookService | None:
    """Return the webhooks of a data folder, None without receivers.

    Where they cannot be used, the log and the doctor say why, and the table plays on without them.
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
    return WebhookService(queue, receivers, table, journal, set_up)
