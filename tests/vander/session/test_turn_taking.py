"""Threads take turns, and nobody else waits."""

from __future__ import annotations

from threading import Event, Lock, Thread

import pytest

from vander.session.turn_taking import Turns

LONG_S = 60.0
"""No test waits so long: what ends it sooner is what the test is about."""


def test_the_lock_is_free_during_a_turn() -> None:
    lock = Lock()
    with Turns(lock).turn():
        assert lock.acquire(blocking=False)
        lock.release()


def test_a_second_turn_begins_when_the_first_is_over() -> None:
    turns, order, begun = Turns(Lock()), list[str](), Event()

    def second() -> None:
        begun.set()
        with turns.turn():
            order.append("second")

    thread = Thread(target=second)
    with turns.turn():
        thread.start()
        assert begun.wait(LONG_S)
        order.append("first")
    thread.join(LONG_S)
    assert order == ["first", "second"]


def test_a_turn_is_given_to_others_until_something_is_so() -> None:
    turns, done = Turns(Lock()), list[str]()

    def other() -> None:
        with turns.turn():
            done.append("other")

    with turns.turn():
        thread = Thread(target=other)
        thread.start()
        turns.give(lambda: bool(done), LONG_S)
        assert done == ["other"]
    thread.join(LONG_S)


def test_what_is_so_already_is_not_waited_for() -> None:
    turns = Turns(Lock())
    with turns.turn():
        turns.give(lambda: True, LONG_S)


def test_the_turn_comes_back_when_the_time_is_over() -> None:
    turns = Turns(Lock())
    with turns.turn():
        turns.give(lambda: False, 0.01)
    with turns.turn():
        pass


def test_a_turn_that_fails_is_over() -> None:
    turns = Turns(Lock())
    with pytest.raises(ZeroDivisionError), turns.turn():
        _ = 1 / 0
    with turns.turn():
        pass
