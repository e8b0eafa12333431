"""The worker thread for the calls of a driver that may hang."""

from threading import Event

import pytest

from hardware.cameras.pi_camera import TimeoutWorker


def test_a_call_returns_what_the_function_returns_or_raises_what_it_raises() -> None:
    worker = TimeoutWorker("worker")
    assert worker.call(lambda: 7, 10) == 7
    with pytest.raises(KeyError, match="odd"):
        worker.call(lambda: {}["odd"], 10)
    assert worker.shut_down(lambda: None, 10)


def test_a_call_that_has_not_begun_in_time_is_skipped_and_the_last_one_never() -> None:
    worker, let_go, done = TimeoutWorker("worker"), Event(), list[str]()
    for function in (lambda: done.append("hung") if let_go.wait() else None, lambda: done.append("late")):
        with pytest.raises(TimeoutError):
            worker.call(function, 0.05)
    assert not worker.shut_down(lambda: done.append("last"), 0.05)
    let_go.set()
    assert worker.shut_down(lambda: done.append("never sent"), 10)
    assert done == ["hung", "last"]
