"""The odds in the background: computed once a state, by a process of its own, and nobody waits in a request."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from threading import Event, Thread

import pytest

from models.die_sets import load
from referee.actions import GameState
from referee.chances import Chance, odds
from referee.game import Game, begin
from referee.games import games, named
from referee.sentences import Reason, Refused
from vander.table.odds import KEPT, BackgroundOdds, OddsFailed, OddsProcess

WELL_S = 20.0
CHANCE = (Chance("It goes well", 0.5, "chance"),)


def state_of(name: str, *players: str) -> GameState:
    game = named(name)
    return begin(game, players or ("Ann", "Bob"), load(game.die_set or "d6"))


FIRST, SECOND, THIRD = (state_of("toss-up", "Ann", name) for name in ("Bob", "Cy", "Dee"))


class PaperWorker:
    """Computes nothing, and only when it is let."""

    def __init__(self) -> None:
        self.begun, self.go, self.closed = Event(), Event(), Event()
        self.computed: list[GameState] = []
        self.failure: Exception | None = None

    def compute(self, state: GameState) -> tuple[Chance, ...]:
        self.computed.append(state)
        self.begun.set()
        assert self.go.wait(WELL_S)
        if self.failure:
            raise self.failure
        return CHANCE

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def worker() -> PaperWorker:
    return PaperWorker()


@pytest.fixture
def background(worker: PaperWorker) -> Iterator[BackgroundOdds]:
    background = BackgroundOdds(lambda: worker)
    yield background
    worker.go.set()
    background.close()


def refused(ask: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as refusal:
        ask()
    assert refusal.value.reason is Reason.UNAVAILABLE
    return refusal.value


def found(background: BackgroundOdds, state: GameState) -> tuple[Chance, ...]:
    """Ask until there is an answer, as a page does."""
    patience = Event()
    for _ in range(int(WELL_S / 0.02)):
        with suppress(Refused):
            return background.find(state)
        patience.wait(0.02)
    pytest.fail("no odds came")


def test_who_asks_first_is_told_to_ask_again_and_finds_the_answer_then(
    background: BackgroundOdds, worker: PaperWorker
) -> None:
    assert refused(lambda: background.find(FIRST)).wait_s == 1
    worker.go.set()
    assert found(background, FIRST) == CHANCE
    assert background.find(FIRST) == CHANCE
    assert worker.computed == [FIRST]


def test_fifty_who_ask_at_once_cost_one_computation(background: BackgroundOdds, worker: PaperWorker) -> None:
    callers = [Thread(target=lambda: refused(lambda: background.find(FIRST))) for _ in range(50)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(WELL_S)  # nobody waits for the worker, which has not begun to answer
        assert not caller.is_alive()
    worker.go.set()
    assert [found(background, FIRST) for _ in range(50)] == [CHANCE] * 50
    assert worker.computed == [FIRST]


def test_a_state_that_is_over_before_its_turn_came_is_left_out(background: BackgroundOdds, worker: PaperWorker) -> None:
    refused(lambda: background.find(FIRST))
    assert worker.begun.wait(WELL_S)
    for state in (SECOND, THIRD):
        refused(lambda state=state: background.find(state))
    worker.go.set()
    assert found(background, THIRD) == CHANCE
    assert worker.computed == [FIRST, THIRD]


def test_a_state_that_cannot_be_computed_is_not_tried_again_and_the_next_is(
    background: BackgroundOdds, worker: PaperWorker, caplog: pytest.LogCaptureFixture
) -> None:
    worker.failure = OddsFailed("the process ended")
    worker.go.set()
    refused(lambda: background.find(FIRST))
    assert worker.closed.wait(WELL_S)
    for _ in range(3):
        while refused(lambda: background.find(FIRST)).wait_s:
            Event().wait(0.01)
    assert worker.computed == [FIRST]
    assert caplog.messages == ["odds: not computed: the process ended"]
    worker.failure = None
    assert found(background, SECOND) == CHANCE


def test_a_worker_that_cannot_be_started_is_said_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> PaperWorker:
        raise OSError("no memory is left")

    with closing(BackgroundOdds(fails)) as background:
        while refused(lambda: background.find(FIRST)).wait_s:
            Event().wait(0.01)
    assert caplog.messages == ["odds: not computed: no memory is left"]


def test_the_worker_ends_when_nobody_asks_and_another_begins_when_somebody_does() -> None:
    workers: list[PaperWorker] = []

    def open_worker() -> PaperWorker:
        workers.append(PaperWorker())
        workers[-1].go.set()
        return workers[-1]

    with closing(BackgroundOdds(open_worker, idle_s=0.01)) as background:
        assert found(background, FIRST) == CHANCE
        assert workers[0].closed.wait(WELL_S)
        assert background.find(FIRST) == CHANCE
        assert found(background, SECOND) == CHANCE
    assert len(workers) >= 2


def test_no_more_odds_are_kept_than_fit(background: BackgroundOdds, worker: PaperWorker) -> None:
    worker.go.set()
    states = [state_of("toss-up", "Ann", f"B{number}") for number in range(KEPT + 1)]
    for state in states:
        found(background, state)
    assert background.find(states[1]) == CHANCE
    refused(lambda: background.find(states[0]))


def test_after_the_end_nothing_is_computed(worker: PaperWorker) -> None:
    background = BackgroundOdds(lambda: worker)
    background.close()
    assert refused(lambda: background.find(FIRST)).wait_s is None
    assert worker.computed == []


# The process itself


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_the_process_computes_what_the_game_computes(game: Game) -> None:
    state = state_of(game.name)
    with closing(OddsProcess()) as process:
        assert process.compute(state) == odds(state)


def test_the_process_takes_states_that_differ_one_after_another() -> None:
    with closing(OddsProcess()) as process:
        assert process.compute(FIRST) == odds(FIRST)
        assert process.compute(replace(FIRST, points=7)) == odds(replace(FIRST, points=7))  # type: ignore[call-arg]


def test_a_process_that_was_killed_is_a_failure_and_no_wait() -> None:
    with closing(OddsProcess()) as process:
        os.kill(process.number, signal.SIGKILL)
        with pytest.raises(OddsFailed, match="ended"):
            process.compute(FIRST)


def test_a_process_that_cannot_compute_a_state_ends() -> None:
    with closing(OddsProcess()) as process, pytest.raises(OddsFailed, match="ended"):
        process.compute(replace(FIRST, points=-1_000_000))  # type: ignore[call-arg]


def test_the_process_gives_way_to_the_camera_loop() -> None:
    with closing(OddsProcess()) as process:
        process.compute(FIRST)
        assert os.getpriority(os.PRIO_PROCESS, process.number) > os.getpriority(os.PRIO_PROCESS, 0)
