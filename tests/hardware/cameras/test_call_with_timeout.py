"""The thread that does errands for a camera whose driver may hang."""

from threading import Event

import pytest

from hardware.cameras.pi.call_with_timeout import Courier


def test_an_errand_brings_what_it_gives_or_raises_what_it_raised() -> None:
    courier = Courier("courier")
    assert courier.fetch(lambda: 7, 10) == 7
    with pytest.raises(KeyError, match="odd"):
        courier.fetch(lambda: {}["odd"], 10)
    assert courier.dismiss(lambda: None, 10)


def test_an_errand_that_has_not_begun_in_time_is_left_out_and_the_last_one_never() -> None:
    courier, let_go, done = Courier("courier"), Event(), list[str]()
    for errand in (lambda: done.append("hung") if let_go.wait() else None, lambda: done.append("late")):
        with pytest.raises(TimeoutError):
            courier.fetch(errand, 0.05)
    assert not courier.dismiss(lambda: done.append("last"), 0.05)
    let_go.set()
    assert courier.dismiss(lambda: done.append("never sent"), 10)
    assert done == ["hung", "last"]
