"""A receiver's own thread: it delivers what waits in order, and waits longer after each failure."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from threading import Event, Thread

from vander.webhooks.delivery_queue import BrokenQueue, DeliveryQueue
from vander.webhooks.delivery_request import DeliveryAnswer, deliver
from vander.webhooks.webhook_receivers import WebhookReceiver

log = logging.getLogger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S = 5.0, 3600.0
"""The pause after the first failure; it doubles with each further one, up to the longest: some 33 attempts in a day."""
JITTER = 0.2
"""By so much of itself a pause may be longer, so that receivers that failed together are not asked together."""
LOOK_S = 60.0
"""How often the queue is looked at where nobody says that something was put in."""
QUEUE_PAUSE_S = 30.0


def pause_after(failures: int, answer: DeliveryAnswer, chance: float) -> float:
    """Return the seconds until the next attempt, after so many failures in a row; `chance` is 0 to 1."""
    doubled = min(FIRST_PAUSE_S * 2.0 ** min(failures - 1, 20), LONGEST_PAUSE_S)
    return max(doubled * (1 + JITTER * chance), answer.retry_after_s)


class DeliveryThread:
    """Delivers to one receiver from `start` to `close`. A receiver that hangs or fails holds up nobody else."""

    def __init__(
        self,
        queue: DeliveryQueue,
        receiver: WebhookReceiver,
        post: Callable[[WebhookReceiver, str, bytes], DeliveryAnswer] = deliver,
        pause: Callable[[int, DeliveryAnswer, float], float] = pause_after,
    ) -> None:
        self._queue, self._receiver, self._post, self._pause = queue, receiver, post, pause
        self._over, self._news = Event(), Event()
        self._thread = Thread(target=self._deliver, name=f"webhooks-{receiver.name}", daemon=True)

    def start(self) -> None:
        """Begin to deliver what waits."""
        self._thread.start()

    def wake(self) -> None:
        """Look at the queue now, unless a pause after a failure is on."""
        self._news.set()

    def close(self) -> None:
        """Deliver no more. An attempt that is under way is left alone: what it delivers may be delivered once more."""
        self._over.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(0.5)

    def _deliver(self) -> None:
        while not self._over.is_set():
            try:
                self._over.wait(self._deliver_next())
            except BrokenQueue as error:
                if not self._over.is_set():
                    log.warning("webhooks: %s: queue not read: %s", self._receiver.name, error)
                self._over.wait(QUEUE_PAUSE_S)

    def _deliver_next(self) -> float:
        """Deliver the first message that waits, or wait for one; return for how many seconds to pause then."""
        self._news.clear()
        delivery = self._queue.first(self._receiver.name)
        if delivery is None:
            self._news.wait(LOOK_S)
            return 0.0
        answer = self._post(self._receiver, delivery.message_id, delivery.body.encode())
        before = delivery.attempts
        state = self._queue.settle(delivery, answer)
        if answer.is_taken or answer.is_gone:
            if answer.is_gone:
                log.warning("webhooks: %s: switched off: it answered 410 Gone", state.name)
            return 0.0
        if before == 0 and state.failures == 1:
            log.warning("webhooks: %s: not delivered, trying again: %s", state.name, answer)
        return self._pause(state.failures, answer, random.random())  # noqa: S311  # nobody has to not guess it
