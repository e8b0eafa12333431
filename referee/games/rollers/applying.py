"""The verbs of Rollers that apply dice once they are set: open, close and collect, and passing the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Final

from referee.actions import Action
from referee.calls import Call, DiceSum, Moment, Outcome, Reasons, Refusal, SumTerm, Verb
from referee.dice import Die, in_order
from referee.games.rollers.state import (
    ROUND_END,
    SETS,
    STAR,
    VALUES,
    RollersPhase,
    RollersSection,
    RollersState,
    counts_as,
    new_turn,
    payers,
    round_over,
    spell,
    take,
    takings,
)
from referee.phrases import spell_list, with_set
from referee.sentences import say, say_count

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
    number, dice = action.choice, spell(action.dice)
    sentence = say("{who} opens the {number}s with {dice}.", who=state.who, number=number, dice=dice)
    after = _marked(_spent(state, action), action, RollersSection.OPEN)
    return after, (Call(sentence, "R.2-8"), *_declared(action))


def _close(state: RollersState, action: Action) -> Outcome[RollersState]:
    number, dice = action.choice, spell(action.dice)
    sentence = say("{who} closes the {number}s with {dice}.", who=state.who, number=number, dice=dice)
    after = _marked(_spent(state, action), action, RollersSection.CLOSED)
    calls = (Call(sentence, "R.2-9", Moment.SCORE), *_declared(action))
    if not after.filled(after.seat):
        return after, calls
    if after.chose(ROUND_END, "at-once"):
        return filled(after, *calls)
    last = say("{who} has closed all five: the round ends with this turn.", who=state.who)
    return after, (*calls, Call(last, "AMB-R-5"))


def filled(state: RollersState, *calls: Call) -> Outcome[RollersState]:
    """Return the end of the round in which the player to act has closed all sections (R.2-13)."""
    at_once = say("{who} has closed all five: the round is over.", who=state.who)
    return round_over(state, (*calls, Call(at_once, "R.2-13")))


def _collect(state: RollersState, action: Action) -> Outcome[RollersState]:
    value = int(action.choice)
    paid = takings(state, value)
    chips = list(state.chips)
    for seat, amount in paid.items():
        chips[seat - 1] -= amount
        chips[state.seat - 1] += amount
    after = replace(_spent(state, action), chips=tuple(chips))
    return after, (_collected(state, action, paid), *_declared(action), *_short(state, paid, value))


def _collected(state: RollersState, action: Action, paid: Mapping[int, int]) -> Call:
    payments = [say("{chips} from {name}", chips=amount, name=state.name(seat)) for seat, amount in paid.items()]
    sentence = say("{who} collects chips: {payments}.", who=state.who, payments=spell_list(payments, "and"))
    terms = (SumTerm(action.dice, amount, say("from {name}", name=state.name(seat))) for seat, amount in paid.items())
    return Call(sentence, "R.2-10", Moment.SCORE, DiceSum(tuple(terms)))


def _short(state: RollersState, paid: Mapping[int, int], value: int) -> tuple[Call, ...]:
    """Return the calls for players who paid their last chips (R.2-11), some with fewer than were due (AMB-R-4)."""
    broke = (seat for seat, amount in paid.items() if amount == state.chips[seat - 1])
    return tuple(
        Call(
            say(
                "{name} pays the last chips ({chips}) and cannot collect any more.",
                name=state.name(seat),
                chips=paid[seat],
            ),
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
    sentence = say_count(
        "{count} star counts as a {number}.", "{count} stars count as {number}s.", stars, number=action.choice
    )
    return (Call(sentence, "R.2-5"),) if stars else ()


def _section_title(_state: RollersState, action: Action) -> str:
    number, dice = action.choice, spell(action.dice)
    if action.verb == "open":
        return say("Open the {number}s with {dice}", number=number, dice=dice)
    return say("Close the {number}s with {dice}", number=number, dice=dice)


def _collect_title(state: RollersState, action: Action) -> str:
    number, dice = action.choice, spell(action.dice)
    chips = sum(takings(state, int(number)).values())
    return say("Collect {chips} in chips for the {number}s with {dice}", chips=chips, number=number, dice=dice)


def _no_use(state: RollersState, action: Action, rule: str) -> Reasons:
    if action.choice not in map(str, VALUES):
        yield Refusal(_FOR_WHICH[action.verb], rule)
        return
    value = int(action.choice)
    yield from _no_section(state, action.verb, value, rule)
    if len(action.dice) != _needed(action.verb, value):
        yield Refusal(_takes(action.verb, value), rule)
    yield from _no_dice(state, action)
    yield Refusal(say("Only dice that show {number}, or a star, count for the {number}s.", number=value), rule)


_FOR_WHICH: Final = {
    "open": say("Choose the section that you open: 1 to 5."),
    "close": say("Choose the section that you close: 1 to 5."),
    "collect": say("Choose the section that you collect for: 1 to 5."),
}


def _takes(verb: str, value: int) -> str:
    if verb == "open":
        return say("It takes {dice} to open the {number}s.", dice=SETS[value - 1], number=value)
    if verb == "close":
        return say("Close the {number}s with one {number} at a time.", number=value)
    return say("Collect for the {number}s with one {number} at a time.", number=value)


def _no_section(state: RollersState, verb: str, value: int, rule: str) -> Reasons:
    section, who = state.section(state.seat, value), state.who
    if verb == "collect" and section is not RollersSection.CLOSED:
        unclosed = say("{who} has to close the {number}s before collecting for them.", who=who, number=value)
        yield Refusal(unclosed, "R.2-10")
    if verb == "close" and section is RollersSection.EMPTY:
        yield Refusal(say("Open the {number}s before you close them.", number=value), "R.2-9")
    if verb == "open" and section is RollersSection.OPEN:
        yield Refusal(say("{who} has already opened the {number}s.", who=who, number=value), rule)
    if verb != "collect" and section is RollersSection.CLOSED:
        yield Refusal(say("{who} has already closed the {number}s.", who=who, number=value), rule)
    if verb == "collect":
        yield from _no_chips(state, value)


def _no_chips(state: RollersState, value: int) -> Reasons:
    if not state.chips[state.seat - 1]:
        yield Refusal(say("{who} has no chips and cannot collect any more.", who=state.who), "R.2-11")
    if not payers(state, value):
        yield Refusal(say("All others have closed their {number}s: nobody has to pay.", number=value), "R.2-10")
    if not takings(state, value):
        nobody = say("Nobody has chips left to pay for the {number}s.", number=value)
        yield Refusal(nobody, "AMB-R-4")


def _no_dice(state: RollersState, action: Action) -> Reasons:
    missing = Counter(action.dice) - Counter(state.good)
    if missing & Counter(state.dead):
        yield Refusal(say("You cannot use dice that were rolled with a zap."), "R.2-6")
    if missing & Counter(state.used):
        yield Refusal(say("Use each die only once in a turn."), "R.2-7")
    if missing:
        dice = spell(missing.elements())
        yield Refusal(say("You do not have these dice to use: {dice}.", dice=dice), "R.2-7")


OPEN: Final = Verb(
    name="open",
    rule="R.2-8",
    help=say("Open a section with as many dice as its number says."),
    offers=_section_offers("open"),
    play=_open,
    title=_section_title,
    refusals=partial(_no_use, rule="R.2-8"),
)
CLOSE: Final = Verb(
    name="close",
    rule="R.2-9",
    help=say("Close an open section with one more die."),
    offers=_section_offers("close"),
    play=_close,
    title=_section_title,
    refusals=partial(_no_use, rule="R.2-9"),
)
COLLECT: Final = Verb(
    name="collect",
    rule="R.2-10",
    help=say("Collect chips with one die of a closed section."),
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
        return round_over(state, (Call(say("{who} is done: the round is over.", who=state.who), "R.2-13"),))
    following = state.others[0]
    sentence = say("{who} passes the dice to {name}.", who=state.who, name=state.name(following))
    return new_turn(state, following), (Call(sentence, "R.2-12"),)


DONE: Final = Verb(
    name="done",
    rule="R.2-12",
    help=say("Pass the dice to the next player."),
    offers=_done_offers,
    play=_done,
    title=say("Pass the dice"),
    usage=say("Just pass the dice: there is nothing to choose."),
    implied=True,
    ends_turn=True,
)
