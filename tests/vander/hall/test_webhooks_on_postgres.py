"""The queue of webhooks in a hall's PostgreSQL: the same code as at a table."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime

from sqlalchemy.engine import Engine

from vander.webhooks.delivery_queue import DeliveryQueue, FollowedGame
from vander.webhooks.delivery_request import DeliveryAnswer
from vander.webhooks.webhook_events import EventType, WebhookEvent
from vander.webhooks.webhook_receivers import WebhookReceiver


def test_a_hall_keeps_what_waits_in_order_and_over_a_restart(engine: Engine) -> None:
    receiver = WebhookReceiver("board", "http://127.0.0.1:9/x", b"k" * 24, frozenset(EventType.chosen()))
    events = [WebhookEvent(f"1.{number}", EventType.TURN, datetime.now(UTC), {"entry": number}) for number in (1, 2, 3)]
    queue = DeliveryQueue(engine)
    assert queue.is_new
    queue.register([receiver])
    queue.put(events, [receiver], FollowedGame(1, 3))
    first = queue.first("board")
    assert first is not None
    assert queue.settle(first, DeliveryAnswer(500)).failures == 1
    with closing(DeliveryQueue(engine)) as again:
        assert (again.is_new, again.source, again.followed()) == (False, queue.source, {1: FollowedGame(1, 3)})
        first = again.first("board")
        assert first is not None
        assert (first.message_id, first.attempts) == (again.message_id(events[0]), 1)
        assert again.settle(first, DeliveryAnswer(204)).waiting == 2
        assert again.settle(first, DeliveryAnswer(410)).dropped == 2
