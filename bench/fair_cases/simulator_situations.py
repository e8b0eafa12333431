"""What the virtual tray stages by name, played as cheats and mishaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from bench.fair_cases.case import Case, NotThisTime
from bench.fair_cases.judgement import Sort
from bench.fair_cases.opening import Wanted, any_throw, keeps_dice
from bench.fair_cases.shared_steps import (
    after_loss,
    after_turning,
    again_if_not_taken,
    kept_die,
    throw_on,
)
from bench.fair_cases.staged_case import ALL, FIVE, Staged
from hardware.simulator.staging import SITUATIONS, stage

# What the simulator stages by name


def _stage(case: Case, name: str, numbers: Sequence[int]) -> None:
    """Let the simulator play a situation, and wait until all is still."""
    rng = np.random.default_rng(case.table.rng.randrange(2**32))
    staging = stage(case.table.tray, name, numbers, rng)
    case.thrown, case.flown = tuple(numbers), {*numbers}
    case.note("staged", name, "with", list(numbers))
    case.table.wait_until(lambda: staging.is_over)
    case.table.settle()
    case.note("picked", list(staging.picked))


def _instead_of_throw(name: str) -> Callable[[Case], None]:
    """A cheat in place of the throw: it brings nothing, or loses the turn."""

    def play(case: Case) -> None:
        lost = after_loss(case, case.begun)
        _stage(case, name, case.dice_of())
        case.fair = [case.begun, *lost]

    return play


def _with_a_kept_die(name: str) -> Callable[[Case], None]:
    """A cheat with a die that the next throw leaves, and then that throw."""

    def play(case: Case) -> None:
        lost = after_loss(case, case.begun)
        _stage(case, name, [kept_die(case)])
        after_turning(case)
        case.fair += lost

    return play


def _before_throw(name: str) -> Callable[[Case], None]:
    """A mishap while the dice lie still, and then the throw."""

    def play(case: Case) -> None:
        _stage(case, name, case.dice_of())
        case.fair = [case.begun]
        case.recover()
        if case.state == case.begun:
            throw_on(case)

    return play


def _in_throw(name: str) -> Callable[[Case], None]:
    """A mishap in a throw, whose dice count as they lie in the end."""

    def play(case: Case) -> None:
        numbers = case.dice_of()
        _stage(case, name, numbers)
        case.table.wait(1.2)
        case.table.settle()
        if [number for number, place in case.table.places().items() if place in ("out", "off")]:
            raise NotThisTime("a die left the tray")
        case.throw_leaning()
        case.thrown, case.flown = tuple(numbers), {*numbers}
        case.fair = [case.come(case.offer, numbers, case.begun)]
        case.recover()
        again_if_not_taken(case)

    return play


def _add(sort: Sort, names: str, kind: Callable[[str], Callable[[Case], None]], wanted: Wanted = any_throw) -> None:
    for name in names.split():
        known = SITUATIONS[name]
        ALL[f"staged-{name}"] = Staged(f"staged-{name}", known.title, sort, kind(name), FIVE, wanted)


_add(
    Sort.CHEAT,
    "off-and-back-at-once off-and-back-later off-and-back-turned off-and-back-turned-later place drop half-throw",
    _instead_of_throw,
)


_add(Sort.CHEAT, "turn-under-hand turn-under-cover knocked-back-turned sleeve-take", _with_a_kept_die, keeps_dice)


_add(Sort.MISHAP, "nudge bump hand-over dim bright slide", _before_throw)


_add(Sort.MISHAP, "lean-on-wall lean-on-die bounce-back old-face hand-left dim-in-throw cover-in-throw", _in_throw)
