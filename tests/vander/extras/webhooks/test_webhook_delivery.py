"""Deliveries to real receivers on this machine: signed, in order, tried again, kept over a kill, in nobody's way."""

from __future__ import annotations

import base64
import hashlib
import json
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from loopback_receiver import DRIP, HANG, KEY, LoopbackReceiver, Taken

from tests.waiting import wait_until
from vander.extras.webhooks import delivery
from vander.extras.webhooks.delivery import (
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    OLDEST_S,
    TRIED,
    DeliveryAnswer,
    DeliveryQueue,
    DeliveryThread,
    FollowedGame,
    deliver,
    pause_after,
)
from vander.extras.webhooks.receivers import EventType, WebhookEvent, WebhookReceiver, sign
from vander.storage.data_folder import is_backed_up, is_ours

NOW = datetime(2026, 11, 23, 20, 0, tzinfo=UTC)


def an_event(number: int, type_: EventType = EventType.RULING) -> WebhookEvent:
    return WebhookEvent(f"1.{number}.{type_}", type_, NOW, {"sentence": f"Entry {number}: Ümlaut."})


def fill(queue: DeliveryQueue, receivers: Sequence[WebhookReceiver], *numbers: int) -> None:
    queue.put([an_event(number) for number in numbers], receivers, FollowedGame(1, max(numbers)))


def soon(_failures: int, _answer: DeliveryAnswer, _chance: float) -> float:
    return 0.01


@contextmanager
def delivering(queue: DeliveryQueue, *receivers: WebhookReceiver, timeout_s: float = 10.0) -> Iterator[None]:
    def post(receiver: WebhookReceiver, message_id: str, body: bytes) -> DeliveryAnswer:
        return deliver(receiver, message_id, body, timeout_s)

    threads = [DeliveryThread(queue, receiver, post, soon) for receiver in receivers]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.close()


def signature_by_hand(key: bytes, content: bytes) -> str:
    """HMAC-SHA256 as RFC 2104 writes it, without Python's own `hmac`."""
    padded = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + content).digest()
    return base64.b64encode(hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()).decode()


def is_signed(taken: Taken) -> bool:
    content = f"{taken.message_id}.{taken.headers['webhook-timestamp']}.".encode() + taken.body
    return taken.headers["webhook-signature"] == f"v1,{signature_by_hand(KEY, content)}"


def test_the_signature_is_that_of_the_standards_own_libraries() -> None:
    key = base64.b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = sign(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_what_fails_comes_again_in_order_with_the_same_id(board: LoopbackReceiver, queue: DeliveryQueue) -> None:
    receiver = board.receiver()
    queue.register([receiver])
    fill(queue, [receiver], 1, 2, 3)
    board.answers = [500, 302, 204]
    board.headers = {"Location": board.url + "&followed"}
    with delivering(queue, receiver):
        taken = board.wait_for(5)
        wait_until(lambda: queue.states()[0].waiting == 0)
    ids = [each.message_id for each in taken]
    assert ids == [queue.message_id(an_event(number)) for number in (1, 1, 1, 2, 3)]
    assert all(map(is_signed, taken))
    told = json.loads(taken[-1].body)
    assert told == {"type": "ruling", "timestamp": "2026-11-23T20:00:00.000Z", "data": {"sentence": "Entry 3: Ümlaut."}}
    (state,) = queue.states()
    assert (state.failures, state.last_answer) == (0, "HTTP 204")


def test_a_receiver_that_hangs_or_drips_holds_up_no_other(
    board: LoopbackReceiver, bot: LoopbackReceiver, queue: DeliveryQueue
) -> None:
    hanging, quick = board.receiver("hanging"), bot.receiver("quick")
    queue.register([hanging, quick])
    fill(queue, [hanging, quick], *range(1, 6))
    board.answers = [HANG, DRIP, *[500] * 10_000]
    with delivering(queue, hanging, quick, timeout_s=0.3):
        bot.wait_for(5)
        wait_until(lambda: [state.waiting for state in queue.states()] == [5, 0])
        board.wait_for(3)
        board.answers.clear()
        wait_until(lambda: queue.states()[0].waiting == 0)
    assert [each.message_id for each in board.requests][:3] == [queue.message_id(an_event(1))] * 3


def test_one_that_is_gone_is_told_nothing_until_it_is_resumed(board: LoopbackReceiver, queue: DeliveryQueue) -> None:
    receiver = board.receiver()
    queue.register([receiver])
    fill(queue, [receiver], 1, 2)
    board.answers = [410]
    with delivering(queue, receiver):
        wait_until(lambda: queue.states()[0].is_gone)
        fill(queue, [receiver], 3)
        assert (queue.states()[0].waiting, queue.states()[0].dropped) == (0, 2)
    queue.resume(receiver.name)
    fill(queue, [receiver], 4)
    with delivering(queue, receiver):
        assert [each.message_id for each in board.wait_for(2)][1:] == [queue.message_id(an_event(4))]


def test_each_hears_what_it_chose_and_who_is_removed_leaves_nothing(
    board: LoopbackReceiver, queue: DeliveryQueue
) -> None:
    turns, everything = board.receiver("turns", frozenset({EventType.TURN})), board.receiver("everything")
    queue.register([turns, everything])
    queue.put([an_event(1), an_event(2, EventType.TURN)], [turns, everything], FollowedGame(1, 2))
    assert {state.name: state.waiting for state in queue.states()} == {"turns": 1, "everything": 2}
    queue.register([turns])
    assert [(state.name, state.waiting) for state in queue.states()] == [("turns", 1)]
    assert queue.first("everything") is None


def test_the_oldest_give_way_and_are_counted(
    board: LoopbackReceiver, queue: DeliveryQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MOST_WAITING", 20)
    receiver = board.receiver()
    queue.register([receiver])
    fill(queue, [receiver], *range(1, 26))
    (state,) = queue.states()
    assert (state.waiting, state.dropped) == (20, 5)
    first = queue.first(receiver.name)
    assert first is not None
    assert first.message_id == queue.message_id(an_event(6))


def test_what_nobody_takes_is_given_up_after_a_day_and_not_before(board: LoopbackReceiver, tmp_path: Path) -> None:
    now = [1_000_000.0]
    receiver, refused = board.receiver(), DeliveryAnswer(500)
    with closing(DeliveryQueue.in_folder(tmp_path, clock=lambda: now[0])) as queue:
        queue.register([receiver])
        fill(queue, [receiver], 1, 2)
        now[0] += OLDEST_S / 2
        fill(queue, [receiver], 3)
        for _ in range(TRIED):
            head = queue.first(receiver.name)
            assert head is not None
            assert queue.settle(head, refused).dropped == 0
        now[0] += OLDEST_S / 2 + 1
        assert queue.settle(queue.first(receiver.name) or head, refused).dropped == 2
        assert queue.states()[0].waiting == 1


def test_the_pauses_double_up_to_an_hour_and_heed_the_receiver() -> None:
    plain = DeliveryAnswer(500)
    pauses = [pause_after(failures, plain, 0.0) for failures in range(1, 40)]
    assert pauses[:3] == [FIRST_PAUSE_S, 2 * FIRST_PAUSE_S, 4 * FIRST_PAUSE_S]
    assert max(pauses) == LONGEST_PAUSE_S
    assert sum(pauses[:33]) > OLDEST_S > sum(pauses[:30])
    assert FIRST_PAUSE_S < pause_after(1, plain, 0.5) < 2 * FIRST_PAUSE_S
    assert pause_after(1, DeliveryAnswer(503, retry_after_s=120.0), 0.0) == 120.0


def test_an_answer_never_tells_the_address(board: LoopbackReceiver) -> None:
    receiver = board.receiver()
    board.server.server_close()
    answer = deliver(receiver, "msg_1", b"{}")
    assert (answer.status, answer.is_taken) == (0, False)
    assert "secret-path" not in f"{answer} {receiver!r}"
    assert "bytes" not in repr(receiver)


PROGRAM = """
import sys
from pathlib import Path
sys.path[:0] = {here!r}
from loopback_receiver import KEY
from test_webhook_delivery import fill
from vander.extras.webhooks.delivery import DeliveryQueue
from vander.extras.webhooks.delivery import DeliveryThread
from vander.extras.webhooks.receivers import EventType
from vander.extras.webhooks.receivers import WebhookReceiver
receiver = WebhookReceiver("board", {url!r}, KEY, frozenset(EventType.chosen()))
queue = DeliveryQueue.in_folder(Path({folder!r}))
queue.register([receiver])
fill(queue, [receiver], 1, 2, 3, 4)
thread = DeliveryThread(queue, receiver)
thread.start()
sys.stdin.read()
"""


def test_a_kill_in_the_middle_of_a_delivery_loses_none(board: LoopbackReceiver, tmp_path: Path) -> None:
    board.answers = [204, HANG]
    program = PROGRAM.format(
        here=[str(Path(__file__).parent), str(Path(__file__).parents[2])], url=board.url, folder=str(tmp_path)
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as process:  # noqa: S603
        board.wait_for(2)
        process.send_signal(signal.SIGKILL)
        process.wait()
    board.over.set()
    assert stat.S_IMODE((tmp_path / "webhooks.sqlite").stat().st_mode) == 0o600
    with closing(DeliveryQueue.in_folder(tmp_path)) as queue:
        receiver = board.receiver()
        queue.register([receiver])
        with delivering(queue, receiver):
            taken = [each.message_id for each in board.wait_for(5)]
        assert taken == [queue.message_id(an_event(number)) for number in (1, 2, 2, 3, 4)]


def test_no_backup_holds_the_receivers_or_what_waits_for_them() -> None:
    assert all(map(is_ours, ("webhooks.toml", "webhooks.sqlite", "webhooks.sqlite-wal")))
    assert [is_backed_up(name) for name in ("webhooks.toml", "webhooks.sqlite")] == [False, False]
