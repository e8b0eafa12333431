"""Rollers: two to five players, five purple dice with a star and one black die with a zap.

Sets of dice open and close the five sections of a player's board; then they collect chips from the others. Rule numbers
are those of docs/rules/rollers.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Final

from referee.board import Board, BoardRow
from referee.dice import Die, DieSet, FaceName, KindName, Zone, in_order, number_on
from referee.game import Action, Call, DiePosition, Game, GameState, Player, Refusal
from referee.options import Option
from referee.words import clockwise, counted, spell_list, with_set

PURPLE: Final = KindName("rollers-purple")
BLACK: Final = KindName("rollers-black")
STAR: Final = FaceName("star")
ZAP: Final = FaceName("zap")

ROLLS: Final = 3
"""Rolls of one turn at most."""
VALUES: Final = (1, 2, 3, 4, 5)
"""The sections of a board; each is opened with as many dice as its number says."""
CHIPS: Final = 55
"""The value of a player's chips when a round begins."""
ALL_SIX: Final = in_order((Die(BLACK), *[Die(PURPLE)] * 5))

SAVED: Final = "saved-dice"
ROUND_END: Final = "round-end"
CHIP_TIE: Final = "chip-tie"
TARGET: Final = "target"

OPTIONS: Final = (
    Option(
        SAVED,
        "Dice saved before",
        (
            ("anew", "after every roll the player chooses anew, also among dice saved before"),
            ("final", "a saved die is not rolled again in the turn"),
        ),
        "AMB-R-1",
    ),
    Option(
        ROUND_END,
        "When a round ends",
        (
            ("after-apply", "when the player who closed the fifth section has applied the other dice too"),
            ("at-once", "at once with the fifth section closed"),
        ),
        "AMB-R-5",
    ),
    Option(
        CHIP_TIE,
        "Level for the most chips",
        (
            ("nobody", "the point for the most chips goes to nobody"),
            ("all", "each of those who are level gets the point"),
        ),
        "AMB-R-6",
    ),
    Option(TARGET, "Points to win", (("5", "five points"), ("3", "three points, a shorter game")), "AMB-R-12"),
)


class Phase(StrEnum):
    """What the player to act is in the middle of."""

    LOTS = "lots"
    ROLL = "roll"
    APPLY = "apply"
    OVER = "over"


class Section(StrEnum):
    """How a section of a board stands."""

    EMPTY = "empty"
    OPEN = "open"
    CLOSED = "closed"


NEW_BOARD: Final = (Section.EMPTY,) * len(VALUES)

Outcome = tuple["RollersState", tuple[Call, ...]]
Reasons = Iterator[Refusal]


@dataclass(frozen=True)
class RollersState(GameState):
    """Where a game of Rollers stands; `scores` are the points.

    The six dice of a turn, once rolled, are `good` (they may be saved and applied), `dead` (rolled together with a
    zap: what they show makes no difference, so states are the same without it) or `used` (applied). `saved` are those
    of the good ones that the next roll leaves lying, `bound` those that it has to leave lying where saved dice are
    final. `sections` and `chips` are each seat's board and chip value. `starter` began the round (0 before it is
    known). While lots are thrown `contenders` throw in turn, and `lots` are their numbers so far.
    """

    phase: Phase = Phase.LOTS
    starter: int = 0
    round: int = 0
    rolls: int = 0
    good: tuple[Die, ...] = ()
    dead: tuple[Die, ...] = field(default=(), compare=False)
    used: tuple[Die, ...] = ()
    saved: tuple[Die, ...] = ()
    bound: tuple[Die, ...] = ()
    sections: tuple[tuple[Section, ...], ...] = ()
    chips: tuple[int, ...] = ()
    contenders: tuple[int, ...] = ()
    lots: tuple[int, ...] = ()

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats, clockwise from the player to act."""
        return clockwise(len(self.players), self.seat)

    @property
    def to_roll(self) -> tuple[Die, ...]:
        """The dice that the next roll of the turn takes: all that are not saved."""
        return take((*self.good, *self.dead), self.saved)

    def section(self, seat: int, value: int) -> Section:
        """How that section of the seat's board stands."""
        return self.sections[seat - 1][value - 1]

    def filled(self, seat: int) -> bool:
        """Whether the seat has closed all its sections."""
        return set(self.sections[seat - 1]) == {Section.CLOSED}


def counts_as(die: Die, value: int) -> bool:
    """Whether the die may be applied as that number: it shows it, or a star (R.2-5)."""
    return die.face == STAR or number_on(die.face) == value


def take(dice: Iterable[Die], fewer: Iterable[Die]) -> tuple[Die, ...]:
    """These dice without some of them, in canonical order."""
    return in_order((Counter(dice) - Counter(fewer)).elements())


def takings(state: RollersState, value: int) -> dict[int, int]:
    """What a die of that number collects from each seat that has to pay and can; nobody pays more than he has."""
    return {seat: min(value, state.chips[seat - 1]) for seat in payers(state, value) if state.chips[seat - 1]}


def payers(state: RollersState, value: int) -> tuple[int, ...]:
    """The others who have not closed that section (R.2-10)."""
    return tuple(seat for seat in state.others if state.section(seat, value) is not Section.CLOSED)


# Starting


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> RollersState:
    """Empty boards, full chips, and one die thrown by each player for the first turn (R.2-1)."""
    nothing = (0,) * len(players)
    state = RollersState(players, dice, options, scores=nothing, contenders=tuple(each.seat for each in players))
    return _lots(_laid_out(state))


def _laid_out(state: RollersState) -> RollersState:
    """All boards cleared, and each player with all his chips."""
    count = len(state.players)
    return replace(state, sections=(NEW_BOARD,) * count, chips=(CHIPS,) * count)


def _lots(state: RollersState) -> RollersState:
    seat = state.contenders[len(state.lots)]
    return replace(state, to_act=(seat,), dice_awaited=(Die(PURPLE),))


def _round(state: RollersState, starter: int) -> RollersState:
    return _turn(replace(_laid_out(state), starter=starter, round=state.round + 1), starter)


def _turn(state: RollersState, seat: int) -> RollersState:
    return replace(_swept(state), phase=Phase.ROLL, to_act=(seat,), dice_awaited=ALL_SIX)


def _swept(state: RollersState) -> RollersState:
    return replace(state, rolls=0, good=(), dead=(), used=(), saved=(), bound=(), contenders=(), lots=())


# What may be done


def legal(state: RollersState) -> tuple[Action, ...]:
    """All actions that the rules allow now."""
    if state.phase is Phase.LOTS:
        return tuple(Action(state.seat, "lot", (Die(kind),)) for kind in (PURPLE, BLACK))
    if state.phase is Phase.ROLL:
        return _rolling(state) if state.rolls else (Action(state.seat, "roll", ALL_SIX),)
    return _applying(state) if state.phase is Phase.APPLY else ()


def _rolling(state: RollersState) -> tuple[Action, ...]:
    roll = Action(state.seat, "roll", tuple(Die(die.kind) for die in state.to_roll))
    return (roll, Action(state.seat, "stop"), *_saves(state.seat, state.good, state.bound))


@lru_cache(maxsize=256)
def _saves(seat: int, good: tuple[Die, ...], bound: tuple[Die, ...]) -> tuple[Action, ...]:
    """Every choice of dice to be saved, at most 63; one die at least is left to roll (R.2-4)."""
    most = min(len(good), len(ALL_SIX) - 1)
    choices = (dice for size in range(most + 1) for dice in _choices(good, size))
    return tuple(Action(seat, "save", dice) for dice in choices if not (bound and Counter(bound) - Counter(dice)))


def _choices(dice: Iterable[Die], size: int) -> tuple[tuple[Die, ...], ...]:
    """The different handfuls of so many of the dice."""
    return tuple(dict.fromkeys(combinations(in_order(dice), size)))


def _applying(state: RollersState) -> tuple[Action, ...]:
    uses = (use for value in VALUES for use in _uses(state, value))
    return (*uses, Action(state.seat, "done"))


def _uses(state: RollersState, value: int) -> tuple[Action, ...]:
    verb = _USE[state.section(state.seat, value)]
    if verb == "collect" and not may_collect(state, value):
        return ()
    fitting = [die for die in state.good if counts_as(die, value)]
    handfuls = _choices(fitting, _needed(verb, value))
    return tuple(Action(state.seat, verb, dice, str(value)) for dice in handfuls)


_USE: Final = {Section.EMPTY: "open", Section.OPEN: "close", Section.CLOSED: "collect"}
"""What a section that stands so may be given dice for."""


def _needed(verb: str, value: int) -> int:
    return value if verb == "open" else 1


def may_collect(state: RollersState, value: int) -> bool:
    """Whether the player has chips (R.2-11), and somebody would pay for that number (R.2-10)."""
    return state.chips[state.seat - 1] > 0 and bool(takings(state, value))


# What is done


def play(state: RollersState, action: Action) -> Outcome:
    """Do a legal action: the state after it, and what the referee says."""
    return _PLAYS[action.verb](state, action)


def _lot(state: RollersState, action: Action) -> Outcome:
    number = number_on(action.dice[0].face)
    call = Call(f"{state.who} throws {spell(action.dice)}.", "R.2-1")
    if not number:
        return state, (call, Call(f"That is no number: {state.who} throws again.", "AMB-R-9"))
    thrown = replace(state, lots=(*state.lots, number))
    if len(thrown.lots) < len(thrown.contenders):
        return _lots(thrown), (call,)
    return _first_turn(thrown, call)


def _first_turn(state: RollersState, call: Call) -> Outcome:
    best = max(state.lots)
    level = tuple(seat for seat, number in zip(state.contenders, state.lots, strict=True) if number == best)
    if len(level) == 1:
        return _round(state, level[0]), (call, Call(f"{state.name(level[0])} has the highest and starts.", "R.2-1"))
    again = Call(f"{_names(state, level)} are level and throw again.", "AMB-R-9")
    return _lots(replace(state, contenders=level, lots=())), (call, again)


def _roll(state: RollersState, action: Action) -> Outcome:
    rolls = state.rolls + 1
    call = Call(f"{state.who} rolls {spell(action.dice)}: roll {rolls} of {ROLLS}.", "R.2-3")
    rolled = replace(state, rolls=rolls, dice_awaited=())
    zapped = any(die.face == ZAP for die in action.dice)
    after, calls = _zapped(rolled, action.dice) if zapped else (_rolled(rolled, action.dice), ())
    if rolls < ROLLS:
        return after, (call, *calls)
    return _set(after), (call, *calls, Call("That was the last roll: the dice are set.", "R.2-4"))


def _rolled(state: RollersState, dice: tuple[Die, ...]) -> RollersState:
    bound = state.saved if state.chose(SAVED, "final") else ()
    return replace(state, good=in_order((*state.saved, *dice)), dead=(), saved=bound, bound=bound)


def _zapped(state: RollersState, dice: tuple[Die, ...]) -> Outcome:
    bound = state.saved if state.chose(SAVED, "final") else ()
    kept = f"{spell(state.saved)} saved before" if state.saved else "nothing"
    call = Call(f"The zap cancels this roll: {state.who} is left with {kept}.", "R.2-6")
    return replace(state, good=state.saved, dead=dice, bound=bound), (call,)


def _set(state: RollersState) -> RollersState:
    return replace(state, phase=Phase.APPLY, saved=(), bound=())


def _save(state: RollersState, action: Action) -> Outcome:
    call = Call(f"{state.who} saves {spell(action.dice) or 'no die'}.", "R.2-4")
    return replace(state, saved=action.dice), (call,)


def _stop(state: RollersState, _action: Action) -> Outcome:
    rule = "AMB-R-2" if state.dead else "R.2-4"
    return _set(state), (Call(f"{state.who} stops rolling, with {spell(state.good) or 'nothing'} to apply.", rule),)


def _open(state: RollersState, action: Action) -> Outcome:
    call = Call(f"{state.who} opens the {action.choice}s with {spell(action.dice)}.", "R.2-8")
    return _marked(_spent(state, action), int(action.choice), Section.OPEN), (call, *_declared(action))


def _close(state: RollersState, action: Action) -> Outcome:
    call = Call(f"{state.who} closes the {action.choice}s with {spell(action.dice)}.", "R.2-9")
    after = _marked(_spent(state, action), int(action.choice), Section.CLOSED)
    calls = (call, *_declared(action))
    return _filled(after, calls) if after.filled(after.seat) else (after, calls)


def _filled(state: RollersState, calls: tuple[Call, ...]) -> Outcome:
    if state.chose(ROUND_END, "at-once"):
        return _round_over(state, (*calls, Call(f"{state.who} has closed all five: the round is over.", "R.2-13")))
    last = f"{state.who} has closed all five: the round ends with this turn."
    return state, (*calls, Call(last, "AMB-R-5"))


def _collect(state: RollersState, action: Action) -> Outcome:
    value = int(action.choice)
    paid = takings(state, value)
    chips = list(state.chips)
    for seat, amount in paid.items():
        chips[seat - 1] -= amount
        chips[state.seat - 1] += amount
    words = [f"{amount} from {state.name(seat)}" for seat, amount in paid.items()]
    call = Call(f"{state.who} collects {spell_list(words, 'and')}.", "R.2-10")
    after = replace(_spent(state, action), chips=tuple(chips))
    return after, (call, *_declared(action), *_short(state, paid, value))


def _short(state: RollersState, paid: Mapping[int, int], value: int) -> tuple[Call, ...]:
    """Who has paid his last chips, and less than was due where they were too few (AMB-R-4)."""
    broke = (seat for seat, amount in paid.items() if amount == state.chips[seat - 1])
    return tuple(
        Call(
            f"{state.name(seat)} pays the last {paid[seat]} and can collect no more.",
            "AMB-R-4" if paid[seat] < value else "R.2-11",
        )
        for seat in broke
    )


def _spent(state: RollersState, action: Action) -> RollersState:
    return replace(state, good=take(state.good, action.dice), used=in_order((*state.used, *action.dice)))


def _marked(state: RollersState, value: int, section: Section) -> RollersState:
    board = with_set(state.sections[state.seat - 1], value, section)
    return replace(state, sections=with_set(state.sections, state.seat, board))


def _declared(action: Action) -> tuple[Call, ...]:
    """What a player says by spending stars (R.2-5)."""
    stars = sum(die.face == STAR for die in action.dice)
    counts = f"1 star counts as a {action.choice}" if stars == 1 else f"{stars} stars count as {action.choice}s"
    return (Call(f"{counts}.", "R.2-5"),) if stars else ()


def _done(state: RollersState, _action: Action) -> Outcome:
    if state.filled(state.seat):
        return _round_over(state, (Call(f"{state.who} is done: the round is over.", "R.2-13"),))
    following = state.others[0]
    return _turn(state, following), (Call(f"{state.who} passes the dice to {state.name(following)}.", "R.2-12"),)


# The end of a round


def _round_over(state: RollersState, calls: tuple[Call, ...]) -> Outcome:
    paid, finished = _for_finishing(state)
    scored, chips = _for_chips(paid)
    calls = (*calls, finished, chips)
    reached = tuple(seat for seat, score in enumerate(scored.scores, start=1) if score >= int(state.options[TARGET]))
    return _won(scored, reached, calls) if reached else _next_round(scored, calls)


def _for_finishing(state: RollersState) -> tuple[RollersState, Call]:
    points = 2 if state.chips[state.seat - 1] else 1
    why = "" if points == 2 else ", having no chips"
    call = Call(f"{state.who} filled the board and gets {counted(points, 'point')}{why}.", "R.2-14")
    return _scored(state, state.seat, points), call


def _for_chips(state: RollersState) -> tuple[RollersState, Call]:
    most = max(state.chips)
    richest = tuple(seat for seat, chips in enumerate(state.chips, start=1) if chips == most)
    if len(richest) == 1:
        state_after = _scored(state, richest[0], 1)
        return state_after, Call(f"{state.name(richest[0])} has the most chips, {most}, and gets 1 point.", "R.2-14")
    if state.chose(CHIP_TIE, "nobody"):
        return state, Call(f"{_names(state, richest)} are level in chips: nobody gets the point.", "AMB-R-6")
    for seat in richest:
        state = _scored(state, seat, 1)
    return state, Call(f"{_names(state, richest)} are level in chips: each gets 1 point.", "AMB-R-6")


def _scored(state: RollersState, seat: int, points: int) -> RollersState:
    return replace(state, scores=with_set(state.scores, seat, state.scores[seat - 1] + points))


def _won(state: RollersState, reached: tuple[int, ...], calls: tuple[Call, ...]) -> Outcome:
    most = max(state.chips[seat - 1] for seat in reached)
    winner = tuple(seat for seat in reached if state.chips[seat - 1] == most)
    over = replace(_swept(state), phase=Phase.OVER, to_act=(), winner=winner)
    goal = state.options[TARGET]
    if len(reached) == 1:
        points = state.scores[reached[0] - 1]
        return over, (
            *calls,
            Call(f"{state.name(reached[0])} has {points} points and wins: {goal} are enough.", "R.2-16"),
        )
    decided = f"{_names(state, reached)} have reached {goal} together: the most chips decide, {_outcome(over)}."
    return over, (*calls, Call(decided, "AMB-R-7"))


def _outcome(state: RollersState) -> str:
    names = _names(state, state.winner)
    return f"{names} wins" if len(state.winner) == 1 else f"{names} win together"


def _next_round(state: RollersState, calls: tuple[Call, ...]) -> Outcome:
    starter = clockwise(len(state.players), state.starter)[-1]
    right = f"A new round: {state.name(starter)}, to the right of {state.name(state.starter)}, starts."
    return _round(state, starter), (*calls, Call(right, "R.2-15"))


_PLAYS: Final[dict[str, Callable[[RollersState, Action], Outcome]]] = {
    "lot": _lot,
    "roll": _roll,
    "save": _save,
    "stop": _stop,
    "open": _open,
    "close": _close,
    "collect": _collect,
    "done": _done,
}


# The table


def lay(state: RollersState) -> tuple[DiePosition, ...]:
    """The six dice of the turn, which may lie anywhere; () before its first roll."""
    return tuple(DiePosition(die, None) for die in (*state.good, *state.dead, *state.used))


def thrown(state: RollersState, action: Action) -> tuple[DiePosition, ...]:
    """The dice that the action throws, as they lay before; in a first roll nobody knows how they lay."""
    if action.verb == "roll" and state.rolls:
        return tuple(DiePosition(die, None) for die in state.to_roll)
    return (
        tuple(DiePosition(Die(die.kind), Zone.FIELD) for die in action.dice) if action.verb in ("roll", "lot") else ()
    )


def relaid(state: RollersState, lying: tuple[DiePosition, ...]) -> RollersState | None:
    """The turn with its dice lying so: a zap leaves only what was good before, used dice stay used."""
    dice = in_order(each.die for each in lying)
    if not state.rolls or tuple(Die(die.kind) for die in dice) != ALL_SIX or any(die.face is None for die in dice):
        return None
    if state.phase is Phase.APPLY:
        return _relaid_set(state, dice)
    zapped = any(die.face == ZAP for die in dice)
    good = _both(state.good, dice) if zapped else dice
    bound = _both(state.bound, good)
    return replace(state, good=good, dead=take(dice, good), saved=good if zapped else bound, bound=bound)


def _relaid_set(state: RollersState, dice: tuple[Die, ...]) -> RollersState | None:
    out = (*state.dead, *state.used)
    return None if Counter(out) - Counter(dice) else replace(state, good=take(dice, out))


def _both(dice: Iterable[Die], others: Iterable[Die]) -> tuple[Die, ...]:
    return in_order((Counter(dice) & Counter(others)).elements())


# In words


def spell(dice: Iterable[Die]) -> str:
    """What dice show, in words: `black 5, 3, 3 and star`."""
    return spell_list([_shown(die) for die in dice], "and")


def _shown(die: Die) -> str:
    face = str(number_on(die.face) or die.face)
    return f"black {face}" if die.kind == BLACK and die.face != ZAP else face


def _names(state: RollersState, seats: Iterable[int]) -> str:
    return spell_list([state.name(seat) for seat in seats], "and")


def tell(state: RollersState) -> str:
    """One sentence: who is to do what."""
    if state.phase is Phase.OVER:
        return f"{_outcome(state)}."
    if state.phase is Phase.LOTS:
        return f"{state.who} throws one die for the first turn."
    if state.phase is Phase.APPLY:
        return _tell_apply(state)
    if not state.rolls:
        return f"{state.who} rolls all six dice."
    kept = f" keeps {spell(state.saved)} and" if state.saved else ""
    return f"{state.who}{kept} rolls {_rest(state)}, or stops; {counted(ROLLS - state.rolls, 'roll')} left."


def _rest(state: RollersState) -> str:
    if state.saved:
        return "the last die" if len(state.to_roll) == 1 else f"the other {len(state.to_roll)} dice"
    return "all six dice again" if state.dead else "the dice that are not to be saved"


def _tell_apply(state: RollersState) -> str:
    if len(legal(state)) == 1:
        return f"{state.who} has nothing to apply and passes the dice."
    return f"{state.who} applies {spell(state.good)}, then passes the dice."


def offer_title(state: RollersState, action: Action) -> str:
    """What a button for the action says; also the words for an action already done."""
    match action.verb:
        case "lot":
            return "Throw the black die" if action.dice[0].kind == BLACK else "Throw a purple die"
        case "roll":
            return f"Roll {_HOW_MANY.get(len(action.dice), f'{len(action.dice)} dice')}"
        case "save":
            return f"Save {spell(action.dice) or 'nothing'}"
        case "open" | "close":
            return f"{action.verb.capitalize()} the {action.choice}s with {spell(action.dice)}"
        case "collect":
            sum_of_chips = sum(takings(state, int(action.choice)).values())
            return f"Collect {sum_of_chips} for the {action.choice}s with {spell(action.dice)}"
    return {"stop": "Stop rolling", "done": "Pass the dice"}[action.verb]


_HOW_MANY: Final = {1: "one die", len(ALL_SIX): "all six dice"}


def boards(state: RollersState) -> tuple[Board, ...]:
    """The round in the middle, and each player's board with its five sections."""
    return (Board(0, "The round", _facts(state)), *(_board(state, player) for player in state.players))


def _facts(state: RollersState) -> tuple[tuple[str, str], ...]:
    if state.phase in (Phase.LOTS, Phase.OVER):
        return ()
    kept = [("Saved", state.saved)] if state.phase is Phase.ROLL else [("To apply", state.good)]
    dice = tuple((name, spell(dice)) for name, dice in kept if dice)
    return (("Round", str(state.round)), ("Roll", f"{state.rolls} of {ROLLS}"), *dice)


def _board(state: RollersState, player: Player) -> Board:
    place = player.seat - 1
    facts = (("Chips", str(state.chips[place])), ("Points", str(state.scores[place])))
    rows = tuple(_row(value, state.section(player.seat, value)) for value in VALUES)
    return Board(player.seat, player.name, facts, ("Section", "Needs", "State"), rows)


_MARKS: Final = {Section.EMPTY: "", Section.OPEN: "open", Section.CLOSED: "done"}
_SETS: Final = ("one 1", "two 2s", "three 3s", "four 4s", "five 5s")


def _row(value: int, section: Section) -> BoardRow:
    needs = {
        Section.EMPTY: _SETS[value - 1],
        Section.OPEN: f"one more {value}",
        Section.CLOSED: f"collects {value} a die",
    }
    return BoardRow(str(value), (f"{value}s", needs[section], section.value), _MARKS[section])


# Why something is not allowed


def why_not(state: RollersState, action: Action) -> Refusal:
    """Why an action of the player to act, with dice of the game, is not allowed; it is not among the legal ones."""
    if action.verb not in VERBS:
        return Refusal(f"Rollers has no {action.verb!r}; a player may {', '.join(VERBS)}.", "R.2-2")
    return next(_reasons(state, action))


def _reasons(state: RollersState, action: Action) -> Reasons:
    yield from _out_of_phase(state, action.verb)
    yield from _AGAINST[action.verb](state, action)


def _out_of_phase(state: RollersState, verb: str) -> Reasons:
    if state.phase is Phase.LOTS and verb != "lot":
        yield Refusal("The first turn is thrown for, with one die each, and nothing else.", "R.2-1")
    if state.phase is not Phase.LOTS and verb == "lot":
        yield Refusal("Lots are thrown for the first turn of the game only.", "R.2-1")
    if state.phase is Phase.ROLL and not state.rolls and verb != "roll":
        yield Refusal(f"{state.who} has not rolled yet: a turn starts with all six dice.", "R.2-3")
    if state.phase is Phase.ROLL and verb in (*_USE.values(), "done"):
        yield Refusal(f"{state.who} is still rolling: the dice are applied after the last roll.", "R.2-2")
    if state.phase is Phase.APPLY and verb in ("roll", "save", "stop"):
        yield _no_more(state)


def _no_more(state: RollersState) -> Refusal:
    if state.rolls == ROLLS:
        return Refusal(f"{state.who} has rolled {ROLLS} times, and that is all a turn has.", "R.2-3")
    return Refusal(f"{state.who} has stopped rolling: the dice are set.", "R.2-4")


def _no_lot(_state: RollersState, _action: Action) -> Reasons:
    yield Refusal("One die is thrown for the first turn, a purple one or the black one.", "R.2-1")


def _no_roll(state: RollersState, _action: Action) -> Reasons:
    if not state.rolls:
        yield Refusal("The first roll of a turn takes all six dice.", "R.2-3")
    yield Refusal(f"All dice that are not saved are rolled, and no other: {_kinds(state.to_roll)}.", "R.2-4")


def _kinds(dice: tuple[Die, ...]) -> str:
    purple = sum(die.kind == PURPLE for die in dice)
    words = [f"{purple} purple"] if purple else []
    return spell_list([*words, "the black one"] if len(dice) > purple else words, "and")


def _no_save(state: RollersState, action: Action) -> Reasons:
    missing = Counter(action.dice) - Counter(state.good)
    if missing & Counter(state.dead):
        yield Refusal("Dice rolled together with a zap cannot be saved.", "R.2-6")
    if missing:
        yield Refusal(f"Not there to be saved: {spell(missing.elements())}.", "R.2-4")
    if Counter(state.bound) - Counter(action.dice):
        yield Refusal(f"Saved dice stay saved, as this table plays: {spell(state.bound)}.", "AMB-R-1")
    if len(action.dice) == len(ALL_SIX):
        yield Refusal("With all six dice saved there is none to roll: stop instead.", "R.2-4")
    yield Refusal("Saving names dice and no choice.", "R.2-4")


def _no_stop(_state: RollersState, _action: Action) -> Reasons:
    yield Refusal("Stopping takes no dice and no choice.", "R.2-4")


def _no_done(_state: RollersState, _action: Action) -> Reasons:
    yield Refusal("Passing the dice takes no dice and no choice.", "R.2-12")


def _no_use(state: RollersState, action: Action) -> Reasons:
    rule = _RULES[action.verb]
    if action.choice not in map(str, VALUES):
        yield Refusal(f"To {action.verb}, say for which section: =1 to =5.", rule)
        return
    value = int(action.choice)
    yield from _no_section(state, action.verb, value)
    if len(action.dice) != _needed(action.verb, value):
        yield Refusal(f"It takes {_amount(action.verb, value)} to {action.verb} the {value}s.", rule)
    yield from _no_dice(state, action)
    yield Refusal(f"Only dice that show {value}, or a star, count for the {value}s.", rule)


def _amount(verb: str, value: int) -> str:
    return _SETS[value - 1] if verb == "open" else f"one {value} at a time"


def _no_section(state: RollersState, verb: str, value: int) -> Reasons:
    section = state.section(state.seat, value)
    if verb == "collect" and section is not Section.CLOSED:
        yield Refusal(f"{state.who} has not closed the {value}s and cannot collect for them.", "R.2-10")
    if verb == "close" and section is Section.EMPTY:
        yield Refusal(f"The {value}s have to be opened before they are closed.", "R.2-9")
    if _USE[section] != verb:
        yield Refusal(f"{state.who} has the {value}s {section} already.", _RULES[verb])
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
        yield Refusal(f"Not there to be applied: {spell(missing.elements())}.", "R.2-7")


_RULES: Final = {"open": "R.2-8", "close": "R.2-9", "collect": "R.2-10"}

_AGAINST: Final[dict[str, Callable[[RollersState, Action], Reasons]]] = {
    "lot": _no_lot,
    "roll": _no_roll,
    "save": _no_save,
    "stop": _no_stop,
    "open": _no_use,
    "close": _no_use,
    "collect": _no_use,
    "done": _no_done,
}


def fault(state: RollersState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    """What is wrong with a throw that no legal action explains."""
    if state.phase is Phase.LOTS:
        return Refusal(f"One die is thrown for the first turn, and {len(thrown)} were.", "R.2-1")
    if state.phase is Phase.APPLY:
        why = _no_more(state)
        return replace(why, sentence=f"{why.sentence} A new turn starts with all six dice.")
    if not state.rolls:
        return Refusal(f"The first roll of a turn takes all six dice; {_were(len(thrown))} rolled.", "R.2-3")
    return _wrong_roll(state, Counter(each.die for each in thrown), Counter(each.die for each in kept))


def _wrong_roll(state: RollersState, thrown: Counter[Die], kept: Counter[Die]) -> Refusal:
    if (kept - Counter(state.good)) & Counter(state.dead):
        return Refusal("A die rolled together with a zap was kept: it has to be rolled again.", "R.2-6")
    if thrown - Counter(state.to_roll) and state.bound:
        return Refusal(f"A saved die was rolled again; this table keeps {spell(state.bound)}.", "AMB-R-1")
    return Refusal("The dice that were not saved are rolled together, and every other one is left as it is.", "R.2-4")


def _were(count: int) -> str:
    return f"{count} was" if count == 1 else f"{count} were"


VERBS: Final = {
    "lot": "Throw one die for the first turn.",
    "roll": "Roll all six dice, and later in the turn those that are not saved.",
    "save": "Leave the dice that are to be saved lying, and roll the others.",
    "stop": "Stop rolling before the third roll and apply the dice.",
    "open": "Open a section with as many dice as its number says.",
    "close": "Close an open section with one more die.",
    "collect": "Collect chips with one die of a closed section.",
    "done": "Pass the dice to the next player.",
}

GAME: Final = Game(
    name="rollers",
    title="Rollers",
    die_set="rollers",
    seats=(2, 5),
    options=OPTIONS,
    setup=setup,
    legal=legal,
    play=play,
    lay=lay,
    thrown=thrown,
    tell=tell,
    offer_title=offer_title,
    why_not=why_not,
    fault=fault,
    verbs=VERBS,
    boards=boards,
    relaid=relaid,
    by_hand=frozenset({"save"}),
    implied=frozenset({"done"}),
    ends=frozenset({"stop", "done"}),
    handfuls=1,
    cites={"dice": "R.1", "turn": "R.2-2", "over": "R.2-16", "touched": "R.2-4", "cocked": "R.2-3"},
)
