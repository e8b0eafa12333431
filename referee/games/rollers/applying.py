"""The verbs of Rollers that apply dice once they are set: open, close and collect, and passing the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Final

from referee.dice import Die, in_order
from referee.game import Action, Call, DiceSum, Moment, Outcome, Reasons, Refusal, SumTerm, Verb
from referee.games.rollers.scoring import new_turn, round_over
from referee.games.rollers.state import (
    ROUND_END,
    SETS,
    STAR,
    VALUES,
    RollersPhase,
    RollersSection,
    RollersState,
    counts_as,
    payers,
    spell,
    take,
    takings,
)
from referee.phrases import spell_list, with_set

USES: Final = {RollersSection.EMPTY: "open", RollersSection.OPEN: "close", RollersSection.CLOSED: "collect"}
"""What a section that stands so may be given dice for."""


def _section_offers(verb: str) -> Callable[[RollersState, int], Iterator[Action]]:
    """Return the offers of the verb for all sections that stand so that it may be given dice."""

    def offers(state: RollersState, seat: int) -> Iterator[Action]:
        fitting = [value for value in VALUES if USES[state.section(seat, value)] == verb]
        for value in fitting if state.phase is RollersPhase.APPLY else ():
            if verb != "collect" or may_collect(state, value):
                dice = [die for die in state.good if counts_as(die, value)]
                yield from (Action(seat, verb, some, str(value)) for some in selections(dice, _needed(verb, value)))

    return offers


def selections(dice: Iterable[Die], size: int) -> tuple[tuple[Die, ...], ...]:
    """Return the different selections of `size` of the dice."""
    return tuple(dict.fromkeys(combinations(in_order(dice), size)))


def _needed(verb: str, value: int) -> int:
    return value if verb == "open" else 1


def may_collect(state: RollersState, value: int) -> bool:
    """True if the player has chips (R.2-11), and somebody would pay for that number (R.2-10)."""
    return state.chips[state.seat - 1] > 0 and bool(takings(state, value))


def _open(state: RollersState, action: Action) -> Outcome[RollersState]:
    call = Call(f"{state.who} opens the {action.choice}s with {spell(action.dice)}.", "R.2-8")
    return _marked(_spent(state, action), action, RollersSection.OPEN), (call, *_declared(action))


def _close(state: RollersState, action: Action) -> Outcome[RollersState]:
    call = Call(f"{state.who} closes the {action.choice}s with {spell(action.dice)}.", "R.2-9", Moment.SCORE)
    after = _marked(_spent(state, action), action, RollersSection.CLOSED)
    calls = (call, *_declared(action))
    return _filled(after, calls) if after.filled(after.seat) else (after, calls)


def _filled(state: RollersState, calls: tuple[Call, ...]) -> Outcome[RollersState]:
    if state.chose(ROUND_END, "at-once"):
        return round_over(state, (*calls, Call(f"{state.who} has closed all five: the round is over.", "R.2-13")))
    last = f"{state.who} has closed all five: the round ends with this turn."
    return state, (*calls, Call(last, "AMB-R-5"))


def _collect(state: RollersState, action: Action) -> Outcome[RollersState]:
    value = int(action.choice)
    paid = takings(state, value)
    chips = list(state.chips)
    for seat, amount in paid.items():
        chips[seat - 1] -= amount
        chips[state.seat - 1] += amount
    words = [f"{amount} from {state.name(seat)}" for seat, amount in paid.items()]
    counted = DiceSum(tuple(SumTerm(action.dice, amount, f"from {state.name(seat)}") for seat, amount in paid.items()))
    call = Call(f"{state.who} collects chips: {spell_list(words, 'and')}.", "R.2-10", Moment.SCORE, counted)
    after = replace(_spent(state, action), chips=tuple(chips))
    return after, (call, *_declared(action), *_short(state, paid, value))


def _short(state: RollersState, paid: Mapping[int, int], value: int) -> tuple[Call, ...]:
    """Return the calls for players who paid their last chips (R.2-11), some with fewer than were due (AMB-R-4)."""
    broke = (seat for seat, amount in paid.items() if amount == state.chips[seat - 1])
    return tuple(
        Call(
            f"{state.name(seat)} pays the last chips, {paid[seat]}, and can collect no more.",
            "AMB-R-4" if paid[seat] < value else "R.2-11",
        )
        for seat in broke
    )


def _spent(state: RollersState, action: Action) -> RollersState:
    return replace(state, good=take(state.good, action.dice), used=in_order((*state.used, *action.dice)))


def _marked(state: RollersState, action: Action, section: RollersSection) -> RollersState:
    value, seat = int(action.choice), state.seat
    board = with_set(state.sections[seat - 1], value, section)
    dice = with_set(state.laid[seat - 1], value, (*state.laid[seat - 1][value - 1], *action.dice))
    return replace(state, sections=with_set(state.sections, seat, board), laid=with_set(state.laid, seat, dice))


def _declared(action: Action) -> tuple[Call, ...]:
    """Return the call for stars that count as a number (R.2-5), () where no star was spent."""
    stars = sum(die.face == STAR for die in action.dice)
    counts = f"1 star counts as a {action.choice}" if stars == 1 else f"{stars} stars count as {action.choice}s"
    return (Call(f"{counts}.", "R.2-5"),) if stars else ()


def _section_title(_state: RollersState, action: Action) -> str:
    return f"{action.verb.capitalize()} the {action.choice}s with {spell(action.dice)}"


def _collect_title(state: RollersState, action: Action) -> str:
    chips = sum(takings(state, int(action.choice)).values())
    return f"Collect {chips} in chips for the {action.choice}s with {spell(action.dice)}"


def _no_use(state: RollersState, action: Action, rule: str) -> Reasons:
    if action.choice not in map(str, VALUES):
        yield Refusal(f"To {action.verb}, say for which section: =1 to =5.", rule)
        return
    value = int(action.choice)
    yield from _no_section(state, action.verb, value, rule)
    if len(action.dice) != _needed(action.verb, value):
        yield Refusal(f"It takes {_amount(action.verb, value)} to {action.verb} the {value}s.", rule)
    yield from _no_dice(state, action)
    yield Refusal(f"Only dice that show {value}, or a star, count for the {value}s.", rule)


def _amount(verb: str, value: int) -> str:
    return SETS[value - 1] if verb == "open" else f"one {value} at a time"


def _no_section(state: RollersState, verb: str, value: int, rule: str) -> Reasons:
    section = state.section(state.seat, value)
    if verb == "collect" and section is not RollersSection.CLOSED:
        yield Refusal(f"{state.who} has not closed the {value}s and cannot collect for them.", "R.2-10")
    if verb == "close" and section is RollersSection.EMPTY:
        yield Refusal(f"The {value}s have to be opened before they are closed.", "R.2-9")
    if USES[section] != verb:
        yield Refusal(f"{state.who} has the {value}s {section} already.", rule)
    if verb == "collect":
        yield from _no_chips(state, value)


def _no_chips(state: RollersState, value: int) -> Reasons:
    if not state.chips[state.seat - 1]:
        yield Refusal(f"{state.who} has no chips and cannot collect any more.", "R.2-11")
    if not payers(state, value):
        yield Refusal(f"All others have closed their {value}s: nobody has to pay.", "R.2-10")
    if not takings(state, value):
        yield Refusal(f"Nobody who would have to pay for the {value}s has chips left.", "AMB-R-4")


def _no_dice(state: RollersState, action: Action) -> Reasons:
    missing = Counter(action.dice) - Counter(state.good)
    if missing & Counter(state.dead):
        yield Refusal("Dice rolled together with a zap cannot be applied.", "R.2-6")
    if missing & Counter(state.used):
        yield Refusal("Each die is applied once in a turn.", "R.2-7")
    if missing:
        yield Refusal(f"These dice are not there to be applied: {spell(missing.elements())}.", "R.2-7")


OPEN: Final = Verb(
    name="open",
    rule="R.2-8",
    help="Open a section with as many dice as its number says.",
    offers=_section_offers("open"),
    play=_open,
    title=_section_title,
    refusals=partial(_no_use, rule="R.2-8"),
)
CLOSE: Final = Verb(
    name="close",
    rule="R.2-9",
    help="Close an open section with one more die.",
    offers=_section_offers("close"),
    play=_close,
    title=_section_title,
    refusals=partial(_no_use, rule="R.2-9"),
)
COLLECT: Final = Verb(
    name="collect",
    rule="R.2-10",
    help="Collect chips with one die of a closed section.",
    offers=_section_offers("collect"),
    play=_collect,
    title=_collect_title,
    refusals=partial(_no_use, rule="R.2-10"),
)


SECTION_VERBS: Final = (OPEN, CLOSE, COLLECT)


# done


def _done_offers(state: RollersState, seat: int) -> Iterator[Action]:
    """Offer to pass the dice, whether or not any were applied (R.2-12)."""
    if state.phase is RollersPhase.APPLY:
        yield Action(seat, "done")


def _done(state: RollersState, _action: Action) -> Outcome[RollersState]:
    if state.filled(state.seat):
        return round_over(state, (Call(f"{state.who} is done: the round is over.", "R.2-13"),))
    following = state.others[0]
    return new_turn(state, following), (Call(f"{state.who} passes the dice to {state.name(following)}.", "R.2-12"),)


DONE: Final = Verb(
    name="done",
    rule="R.2-12",
    help="Pass the dice to the next player.",
    offers=_done_offers,
    play=_done,
    title="Pass the dice",
    usage="Passing the dice takes no dice and no choice.",
    implied=True,
    ends_turn=True,
)
