"""Webhooks of the running program: something follows what happens, and each receiver has a thread of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from vander.webhooks.delivery_queue import BrokenQueue, DeliveryQueue
from vander.webhooks.delivery_thread import DeliveryThread
from vander.webhooks.webhook_receivers import BadReceivers, WebhookReceiver, read_receivers

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
