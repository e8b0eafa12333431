"""The verbs of Rollers, all of them in order; a player who is absent, and feats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations
from typing import Final

from referee.actions import Action, DiePosition, fresh_dice
from referee.calls import Call, DiceSum, Moment, Outcome, Reasons, Refusal, SumTerm, Verb
from referee.dice import Die, in_order, number_on
from referee.game import SKIPPED_TURN, STAYS, GameFeat
from referee.games.rollers.state import (
    ALL_SIX,
    BLACK,
    PURPLE,
    ROLLS,
    ROUND_END,
    SAVED,
    SETS,
    STAR,
    STAYS_OPEN,
    VALUES,
    ZAP,
    RollersPhase,
    RollersSection,
    RollersState,
    counts_as,
    new_round,
    new_turn,
    next_lot,
    payers,
    round_over,
    spell,
    take,
    takings,
    zap_call,
)
from referee.phrases import spell_list, with_set, without_lot
from referee.sentences import as_title, say, say_count

# The verbs of Rollers that apply dice once they are set: open, close and collect, and passing the dice


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


# What players of Rollers may be proud of


MOST_POINTS = 3
"""The points of a round that one player may get (R.2-14)."""


def _whole_round(before: RollersState, _action: Action, after: RollersState) -> Iterator[int]:
    """Yield the player who gets all points of a round: for the full board, and for the most chips."""
    scores = zip(before.scores, after.scores, strict=True)
    yield from (seat for seat, (had, has) in enumerate(scores, start=1) if has - had >= MOST_POINTS)


FEATS = (GameFeat("whole-round", say("All three"), say("Get all three points of a round of Rollers."), _whole_round),)


# The verbs of Rollers, one record each: those of rolling here, and all of them in order


# lot: one die for the first turn


def _lot_offers(state: RollersState, seat: int) -> Iterator[Action]:
    """Offer either kind of die, for the first turn (R.2-1)."""
    if state.phase is RollersPhase.LOTS:
        yield from (Action(seat, "lot", (Die(kind),)) for kind in (PURPLE, BLACK))


def _lot(state: RollersState, action: Action) -> Outcome[RollersState]:
    number = number_on(action.dice[0].face)
    call = Call(say("{who} throws {dice}.", who=state.who, dice=spell(action.dice)), "R.2-1")
    if not number:
        return state, (call, Call(say("That is no number: {who} throws again.", who=state.who), "AMB-R-9"))
    return draw_lots(replace(state, lots=(*state.lots, number)), call)


def draw_lots(state: RollersState, *calls: Call) -> Outcome[RollersState]:
    """Let the next contender throw; when all have, or one alone is left, the first turn begins (R.2-1)."""
    if len(state.contenders) == 1:
        starter = state.contenders[0]
        return new_round(state, starter), (*calls, Call(say("{name} starts.", name=state.name(starter)), "R.2-1"))
    if len(state.lots) < len(state.contenders):
        return next_lot(state), calls
    return _first_turn(state, *calls)


def _first_turn(state: RollersState, *calls: Call) -> Outcome[RollersState]:
    best = max(state.lots)
    level = tuple(seat for seat, number in zip(state.contenders, state.lots, strict=True) if number == best)
    if len(level) == 1:
        highest = Call(say("{name} has the highest and starts.", name=state.name(level[0])), "R.2-1")
        return new_round(state, level[0]), (*calls, highest)
    again = Call(say("{names} are tied and throw again.", names=state.names(level)), "AMB-R-9")
    return next_lot(replace(state, contenders=level, lots=())), (*calls, again)


def _lot_title(_state: RollersState, action: Action) -> str:
    return as_title(say("throw the black die") if action.dice[0].kind == BLACK else say("throw a purple die"))


LOT: Final = Verb(
    name="lot",
    rule="R.2-1",
    help=say("Throw one die for the first turn."),
    offers=_lot_offers,
    play=_lot,
    title=_lot_title,
    throws=fresh_dice,
    usage=say("To see who starts, throw one die: a purple one or the black one."),
)


# roll


def _roll_offers(state: RollersState, seat: int) -> Iterator[Action]:
    """Offer all six dice, and later in the turn those that are not saved (R.2-3, R.2-4)."""
    if state.phase is RollersPhase.ROLL:
        yield Action(seat, "roll", tuple(Die(die.kind) for die in state.to_roll) if state.rolls else ALL_SIX)


def _roll(state: RollersState, action: Action) -> Outcome[RollersState]:
    rolls, dice = state.rolls + 1, spell(action.dice)
    sentence = say("{who} rolls {dice}: roll {roll} of {all}.", who=state.who, dice=dice, roll=rolls, all=ROLLS)
    call = Call(sentence, "R.2-3")
    rolled = replace(state, rolls=rolls, dice_awaited=())
    zapped = any(die.face == ZAP for die in action.dice)
    after, calls = _zapped(rolled, action.dice) if zapped else (_rolled(rolled, action.dice), ())
    if rolls < ROLLS:
        return after, (call, *calls)
    return _set(after), (call, *calls, Call(say("That was the last roll. The dice stay as they are."), "R.2-4"))


def _rolled(state: RollersState, dice: tuple[Die, ...]) -> RollersState:
    bound = state.saved if state.chose(SAVED, "final") else ()
    return replace(state, good=in_order((*state.saved, *dice)), dead=(), saved=bound, bound=bound)


def _zapped(state: RollersState, dice: tuple[Die, ...]) -> Outcome[RollersState]:
    bound = state.saved if state.chose(SAVED, "final") else ()
    after = replace(state, good=state.saved, dead=dice, bound=bound)
    return after, (zap_call(after),)


def _set(state: RollersState) -> RollersState:
    return replace(state, phase=RollersPhase.APPLY, saved=(), bound=())


def _roll_title(_state: RollersState, action: Action) -> str:
    if len(action.dice) == len(ALL_SIX):
        return as_title(say("roll all six dice"))
    return as_title(say_count("roll one die", "roll {count} dice", len(action.dice)))


def _roll_throws(state: RollersState, action: Action) -> tuple[DiePosition, ...]:
    return tuple(DiePosition(die, None) for die in state.to_roll) if state.rolls else fresh_dice(state, action)


def _no_roll(state: RollersState, _action: Action) -> Reasons:
    if not state.rolls:
        yield Refusal(say("Start your turn with all six dice."), "R.2-3")
    dice = _kinds(state.to_roll)
    yield Refusal(say("Roll all dice that are not saved: {dice}.", dice=dice), "R.2-4")


def _kinds(dice: tuple[Die, ...]) -> str:
    purple = sum(die.kind == PURPLE for die in dice)
    words = [say("{number} purple", number=purple)] if purple else []
    return spell_list([*words, say("the black one")] if len(dice) > purple else words, "and")


ROLL: Final = Verb(
    name="roll",
    rule="R.2-4",
    help=say("Roll all six dice, and later in the turn those that are not saved."),
    offers=_roll_offers,
    play=_roll,
    title=_roll_title,
    throws=_roll_throws,
    refusals=_no_roll,
)


# stop


def _stop_offers(state: RollersState, seat: int) -> Iterator[Action]:
    """Offer to stop before the last roll (R.2-4)."""
    if state.phase is RollersPhase.ROLL and state.rolls:
        yield Action(seat, "stop")


def _stop(state: RollersState, _action: Action) -> Outcome[RollersState]:
    rule = "AMB-R-2" if state.dead else "R.2-4"
    if state.good:
        sentence = say("{who} stops rolling and can use {dice}.", who=state.who, dice=spell(state.good))
    else:
        sentence = say("{who} stops rolling and can use no dice.", who=state.who)
    return _set(state), (Call(sentence, rule),)


STOP: Final = Verb(
    name="stop",
    rule="R.2-4",
    help=say("Stop rolling before the third roll and use the dice."),
    offers=_stop_offers,
    play=_stop,
    title=say("Stop rolling"),
    usage=say("Just stop rolling: there is nothing to choose."),
    ends_turn=True,
)


# save


def _save_offers(state: RollersState, seat: int) -> tuple[Action, ...]:
    """Offer every choice of dice that the next roll leaves lying (R.2-4)."""
    return _saves(seat, state.good, state.bound) if state.phase is RollersPhase.ROLL and state.rolls else ()


@lru_cache(maxsize=256)
def _saves(seat: int, good: tuple[Die, ...], bound: tuple[Die, ...]) -> tuple[Action, ...]:
    """Return every choice of dice to be saved, at most 63; one die at least is left to roll (R.2-4)."""
    most = min(len(good), len(ALL_SIX) - 1)
    choices = (dice for size in range(most + 1) for dice in selections(good, size))
    return tuple(Action(seat, "save", dice) for dice in choices if not (bound and Counter(bound) - Counter(dice)))


def _save(state: RollersState, action: Action) -> Outcome[RollersState]:
    if action.dice:
        sentence = say("{who} saves {dice}.", who=state.who, dice=spell(action.dice))
    else:
        sentence = say("{who} saves no die.", who=state.who)
    return replace(state, saved=action.dice), (Call(sentence, "R.2-4"),)


def _save_title(_state: RollersState, action: Action) -> str:
    return as_title(say("save {dice}", dice=spell(action.dice)) if action.dice else say("save nothing"))


def _no_save(state: RollersState, action: Action) -> Reasons:
    missing = Counter(action.dice) - Counter(state.good)
    if missing & Counter(state.dead):
        yield Refusal(say("You cannot save dice that were rolled with a zap."), "R.2-6")
    if missing:
        dice = spell(missing.elements())
        yield Refusal(say("You do not have these dice to save: {dice}.", dice=dice), "R.2-4")
    if Counter(state.bound) - Counter(action.dice):
        dice = spell(state.bound)
        yield Refusal(say("At this table saved dice stay saved: {dice}.", dice=dice), "AMB-R-1")
    if len(action.dice) == len(ALL_SIX):
        yield Refusal(say("With all six dice saved, none is left to roll. Stop instead."), "R.2-4")


SAVE: Final = Verb(
    name="save",
    rule="R.2-4",
    help=say("Leave the dice that you save, and roll the others."),
    offers=_save_offers,
    play=_save,
    title=_save_title,
    refusals=_no_save,
    usage=say("Choose only the dice that you save."),
    by_hand=True,
)


VERBS: Final = (LOT, ROLL, STOP, SAVE, *SECTION_VERBS, DONE)


# Against the phase, and throws that no legal action explains


NO_LOTS: Final = Refusal(say("Who starts is already decided."), "R.2-1")


def out_of_phase(state: RollersState, action: Action) -> Reasons:
    """Reasons against any verb that does not belong to the phase."""
    verb = action.verb
    if state.phase is RollersPhase.LOTS and verb != "lot":
        yield Refusal(say("First each player throws one die to see who starts."), "R.2-1")
    if state.phase is not RollersPhase.LOTS and verb == "lot":
        yield NO_LOTS
    if state.phase is RollersPhase.ROLL and not state.rolls and verb != "roll":
        yield Refusal(say("{who} has not rolled yet: a turn starts with all six dice.", who=state.who), "R.2-3")
    if state.phase is RollersPhase.ROLL and verb in (*USES.values(), "done"):
        yield Refusal(say("{who} is still rolling. Use the dice after the last roll.", who=state.who), "R.2-2")
    if state.phase is RollersPhase.APPLY and verb in ("roll", "save", "stop"):
        yield _no_more(state)


def out_of_turn(state: RollersState, action: Action) -> Reasons:
    """Reasons against an action of a player who waits, where another rule than that of the turns matters more."""
    if state.phase is RollersPhase.LOTS:
        rule = "AMB-R-9" if len(state.contenders) < len(state.present) else "R.2-1"
        yield Refusal(state.whose_throw(state.contenders), rule)
    elif action.verb == "lot":
        yield NO_LOTS


def _no_more(state: RollersState) -> Refusal:
    if state.rolls == ROLLS:
        times = say("{who} has rolled {rolls} times. A turn has no more rolls.", who=state.who, rolls=ROLLS)
        return Refusal(times, "R.2-3")
    return Refusal(say("{who} has stopped rolling. The dice stay as they are.", who=state.who), "R.2-4")


def fault(state: RollersState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    """Return what is wrong with a throw that no legal action explains."""
    if state.phase is RollersPhase.LOTS:
        return Refusal(_not_one(len(thrown)), "R.2-1")
    if state.phase is RollersPhase.APPLY:
        why = _no_more(state)
        return replace(why, sentence=say("{why} A new turn starts with all six dice.", why=why.sentence))
    if not state.rolls:
        return Refusal(_not_all_six(len(thrown)), "R.2-3")
    return _wrong_roll(state, Counter(each.die for each in thrown), Counter(each.die for each in kept))


def _not_one(thrown: int) -> str:
    return say_count(
        "To see who starts, throw one die. {count} was thrown.",
        "To see who starts, throw one die. {count} were thrown.",
        thrown,
    )


def _not_all_six(thrown: int) -> str:
    return say_count(
        "Start your turn with all six dice. {count} was rolled.",
        "Start your turn with all six dice. {count} were rolled.",
        thrown,
    )


def _wrong_roll(state: RollersState, thrown: Counter[Die], kept: Counter[Die]) -> Refusal:
    if (kept - Counter(state.good)) & Counter(state.dead):
        return Refusal(say("You kept a die that was rolled with a zap. Roll it again."), "R.2-6")
    if thrown - Counter(state.to_roll) and state.bound:
        dice = spell(state.bound)
        return Refusal(
            say("A saved die was rolled again. At this table these stay saved: {dice}.", dice=dice), "AMB-R-1"
        )
    together = say("Roll all dice that are not saved. Leave the others as they are.")
    return Refusal(together, "R.2-4")


# Rollers without a player: a turn that is skipped, somebody who leaves, and a first turn without lot


def pass_over(state: RollersState, seat: int) -> Outcome[RollersState] | None:
    """Take no lot of the seat, or pass the dice on from a turn that brings nothing; a full board ends the round."""
    if state.phase is RollersPhase.LOTS and seat in state.contenders:
        contenders, lots = without_lot(state.contenders, state.lots, seat)
        return draw_lots(replace(state, contenders=contenders, lots=lots))
    if state.phase is RollersPhase.LOTS or seat != state.seat:
        return None
    if state.filled(seat) and not state.chose(SKIPPED_TURN, STAYS_OPEN):
        return filled(state)
    does_stay = any(state.chose(SKIPPED_TURN, reading) for reading in (STAYS, STAYS_OPEN))
    after, calls = (state, ()) if does_stay else _taken_back(state)
    return new_turn(after, state.after(seat)[0]), calls


def _taken_back(state: RollersState) -> Outcome[RollersState]:
    before = state.before
    after = replace(state, sections=before.sections, chips=before.chips, laid=before.laid)
    if after == state:
        return state, ()
    sentence = say("What {who} opened, closed and collected in this turn is taken back.", who=state.who)
    return after, (Call(sentence, "AMB-R-16"),)


def begin_with(state: RollersState, seat: int) -> RollersState | None:
    """Return the state in which the seat has the first turn without lot."""
    return new_round(state, seat) if state.phase is RollersPhase.LOTS else None
