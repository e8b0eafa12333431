"""What several situations share: steps that people take, and where the game may stand after them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bench.fair_cases.case import Case, NotThisTime
from referee.actions import Action, GameState
from referee.judge import judge
from referee.snapshot import NoticeMood


def after_turning(case: Case) -> None:
    """Throw what comes next, and hold the table against what the dice showed before."""
    case.table.settle()
    if is_open(case):
        case.fair = [case.begun]
        return
    numbers = case.dice_of() if can_throw(case) else []
    if not numbers:
        case.fair = [case.begun]
        return
    case.throw_and_settle(numbers)
    case.fair = [case.begun, as_before(case, numbers)]


def can_throw(case: Case) -> bool:
    try:
        case.dice_of()
    except NotThisTime:
        return False
    return True


def as_before(case: Case, numbers: list[int]) -> GameState:
    try:
        return case.come(case.offer, numbers, case.begun)
    except NotThisTime:
        return case.begun


def is_open(case: Case) -> bool:
    shown = case.table.session.snapshot()
    return bool(shown.questions) or shown.mood in (NoticeMood.ASK, NoticeMood.BREACH)


def kept_die(case: Case, thrown: Sequence[int] | None = None) -> int:
    """Return a die that the throw leaves; `thrown` are those that it takes, where that is settled."""
    kept = case.kept(thrown)
    if not kept:
        raise NotThisTime("no die is kept")
    return case.table.rng.choice(kept)


def after_loss(case: Case, state: GameState) -> list[GameState]:
    if not case.game.lost or not state.to_act:
        return []
    offers = [offer for offer in case.game.legal(state) if offer.verb == case.game.lost]
    return [judge(case.game, state, offer).state for offer in offers[:1]]


def is_legal(case: Case, state: GameState, numbers: list[int]) -> bool:
    """True if some throw of the rules takes as many dice of these kinds, after whatever hands may do."""
    return any(_throws_of(case, state, numbers))


def refuse_if_legal(case: Case, after: GameState, numbers: list[int]) -> None:
    """Raise NotThisTime where both throws were ruled on, and the second one was by the rules: that is no cheat."""
    entries = case.table.entries[case.table.story.entries :]
    has_two = sum(entry.action is not None and entry.action.verb == case.offer.verb for entry in entries) > 1
    if has_two and case.state in _outcomes(case, after, numbers):
        raise NotThisTime("the second throw is legal")


def _outcomes(case: Case, state: GameState, numbers: list[int]) -> list[GameState]:
    """Return where the game may stand after a throw of these dice as they lie now, after whatever hands may do."""
    shown = case.table.true_dice(numbers)
    throws = ((before, replace(offer, dice=shown)) for before, offer in _throws_of(case, state, numbers))
    rulings = (judge(case.game, before, action) for before, action in throws)
    return [ruling.state for ruling in rulings if ruling.refusal is None]


def _throws_of(case: Case, state: GameState, numbers: list[int]) -> Iterator[tuple[GameState, Action]]:
    """Yield the throws of the rules that take as many dice of these kinds, each with the state before it."""
    real = case.table.true()
    kinds = sorted(real[number].kind for number in numbers)
    seen, open_states = [state], [state]
    while open_states and len(seen) < 400:
        now = open_states.pop()
        for offer in case.game.legal(now):
            if offer.is_throw and sorted(die.kind for die in offer.dice) == kinds:
                yield now, offer
            if offer.verb in case.game.by_hand | case.game.implied:
                after = judge(case.game, now, offer).state
                if after not in seen:
                    seen.append(after)
                    open_states.append(after)


def throw_on(case: Case) -> None:
    """Make the legal throw that comes next, and expect it to be taken."""
    case.accusable = False
    breaches = len(case.table.entries)
    case.fair = [case.legal_throw()]
    case.recover()
    case.note("entries since", len(case.table.entries) - breaches)


def again_if_not_taken(case: Case) -> None:
    """A throw of which nothing was kept is made again, as the page asks."""
    if case.state == case.begun and case.state not in case.fair:
        case.note("thrown again; page says", case.table.session.snapshot().notice)
        case.fair = [case.legal_throw()]
        case.recover()
