"""The backlog as pure functions: what is held is ruled on as if it had been seen at its moment."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from laid_dice import SIGNAL, Dice
from session_states import a_game, watched, written

from models import die_sets
from referee.dice import Zone
from vander.table.camera_events import on_capturing, on_next_held, on_observation, with_activity
from vander.table.held_throws import MOST_HELD, held_throws, hold, is_news, next_held
from vander.table.session_state import HeldObservation, SessionState
from vision.observations import Observation

FACES = {str(kind.name): tuple(map(str, kind.faces)) for kind in die_sets.load("intersection").kinds}
OPENING = ("go", "happy", "happy", "star", "two", "three")
NOTHING = ("slow", "sad", "sad", "two", "three", "four")


def held(state: SessionState, observation: Observation) -> SessionState:
    """Return the state after this was seen while the journal could not be written."""
    state = with_activity(state, observation)
    return hold(state, HeldObservation(observation)) if is_news(state, observation) else state


def anything(dice: Dice, chance: Random) -> Observation:
    """Dice thrown, carried or left alone, as hands do it or as nobody would."""
    done = chance.choice(("roll", "some", "carry", "look"))
    if done == "roll":
        return dice.roll(chance.choice(FACES["signal"]), *chance.choices(FACES["traffic"], k=5))
    some = chance.sample(range(1, SIGNAL), chance.randint(1, 3))
    if done == "some":
        return dice.throw(**{f"d{number}": chance.choice(FACES["traffic"]) for number in some})
    return dice.carry(chance.choice((Zone.ASIDE, Zone.FIELD)), *some) if done == "carry" else dice.look()


@pytest.mark.parametrize("seed", range(60))
def test_what_is_held_is_ruled_on_as_if_it_were_seen_then(seed: int) -> None:
    chance, dice = Random(seed), Dice()  # noqa: S311 - dice, not secrets
    start = live = a_game(dice.look())
    waiting = start
    for _ in range(12):
        observation = anything(dice, chance)
        waiting = held(waiting, observation)
    assert (waiting.match, waiting.table) == (start.match, start.table)
    while (first := next_held(waiting)) is not None:
        seen, caught_up = on_observation(live, first.observation), on_next_held(waiting)
        assert written(caught_up) == written(seen)
        live, waiting = seen.state, caught_up.state
        assert (waiting.table, waiting.unresolved) == (live.table, live.unresolved)
    assert bool(waiting.backlog.observations) <= bool(waiting.unresolved.prompts)


def test_what_goes_on_in_the_tray_now_is_not_what_is_caught_up_with() -> None:
    dice = Dice()
    state = held(a_game(dice.look()), dice.roll(*OPENING))
    state = held(state, dice.look(at_rest=False, hands_in=True))
    after = on_next_held(state).state
    assert (after.camera.at_rest, after.camera.hands_in) == (False, True)
    assert next_held(after) is None


def test_a_held_question_lets_the_others_wait_until_it_is_answered() -> None:
    dice = Dice()
    dice.look()
    state = a_game(dice.look())
    dice.roll(*OPENING)
    dice.unsure[2] = (("star", 0.4),)
    state = held(held(state, dice.look()), dice.roll(*NOTHING))
    asked = on_next_held(state).state
    assert asked.unresolved.prompts
    assert (next_held(asked), held_throws(asked)) == (None, 1)
    assert next_held(replace(asked, unresolved=replace(asked.unresolved, prompts=()))) is not None


def test_throws_beyond_the_last_that_can_be_held_are_counted_with_it() -> None:
    dice = Dice()
    state = a_game(dice.look())
    for _ in range(MOST_HELD + 4):
        state = held(state, dice.roll(*NOTHING))
    assert len(state.backlog.observations) == MOST_HELD
    assert held_throws(state) == MOST_HELD + 4
    for _ in range(MOST_HELD):
        step = on_next_held(state)
        state = step.state
    assert (step.entries, state.unresolved.missed, held_throws(state)) == ((), 5, 0)
    assert state.table.ruled == state.table.seen
    assert watched(state, dice.roll(*OPENING)).unresolved.missed == 0


def test_dice_that_are_counted_anew_make_what_is_held_worthless() -> None:
    dice = Dice()
    state = held(held(a_game(dice.look()), dice.roll(*NOTHING)), dice.roll(*NOTHING))
    lent = on_capturing(state, capturing=True).state
    assert (lent.backlog.observations, lent.unresolved.missed) == ((), 2)
    back = on_capturing(lent, capturing=False).state
    assert watched(back, Dice().look()).unresolved.missed == 2
