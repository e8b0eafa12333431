"""Threads take lock, and nobody else waits."""

from __future__ import annotations

from threading import Event, Lock, Thread

import pytest

from vander.table.journal_writer import WriteLock

LONG_S = 60.0
"""No test waits so long: what ends it sooner is what the test is about."""


def test_the_underlying_lock_is_free_while_somebody_writes() -> None:
    underlying = Lock()
    with WriteLock(underlying).hold():
        assert underlying.acquire(blocking=False)
        underlying.release()


def test_a_second_writer_waits_for_the_first() -> None:
    lock, order, begun = WriteLock(Lock()), list[str](), Event()

    def second() -> None:
        begun.set()
        with lock.hold():
            order.append("second")

    thread = Thread(target=second)
    with lock.hold():
        thread.start()
        assert begun.wait(LONG_S)
        order.append("first")
    thread.join(LONG_S)
    assert order == ["first", "second"]


def test_other_writers_are_let_in_until_something_is_so() -> None:
    lock, done = WriteLock(Lock()), list[str]()

    def other() -> None:
        with lock.hold():
            done.append("other")

    with lock.hold():
        thread = Thread(target=other)
        thread.start()
        lock.release_until(lambda: bool(done), LONG_S)
        assert done == ["other"]
    thread.join(LONG_S)


def test_what_is_so_already_is_not_waited_for() -> None:
    lock = WriteLock(Lock())
    with lock.hold():
        lock.release_until(lambda: True, LONG_S)


def test_the_lock_is_held_again_when_the_time_is_over() -> None:
    lock = WriteLock(Lock())
    with lock.hold():
        lock.release_until(lambda: False, 0.01)
    with lock.hold():
        pass


def test_a_writer_that_fails_holds_nothing() -> None:
    lock = WriteLock(Lock())
    with pytest.raises(ZeroDivisionError), lock.hold():
        _ = 1 / 0
    with lock.hold():
        pass


def test_a_condition_that_fails_leaves_the_lock_held_by_whoever_waited() -> None:
    lock, order, answers = WriteLock(Lock()), list[str](), iter([False])

    def second() -> None:
        with lock.hold():
            order.append("second")

    thread = Thread(target=second)
    with lock.hold():
        with pytest.raises(StopIteration):
            lock.release_until(lambda: next(answers), LONG_S)
        thread.start()
        thread.join(0.05)
        order.append("first")
    thread.join(LONG_S)
    assert order == ["first", "second"]
