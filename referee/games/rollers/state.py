"""Where a game of Rollers stands: its dice, options and state, and the beginning and end of turns and rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from referee.actions import DiePosition, GameState, Player
from referee.calls import Call, Moment, Outcome
from referee.dice import Die, DieSet, FaceName, KindName, in_order, number_on
from referee.game import read_game_options
from referee.phrases import FACE_WORDS, points, spell_list, with_set
from referee.sentences import say, say_count

# Where a game of Rollers stands: its dice, its options and its state


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

STAYS_OPEN: Final = "stays-open"
"""How a skipped turn was once ruled on: what it has brought stays, and a full board does not end the round."""
OPTIONS: Final = read_game_options("rollers")


class RollersPhase(StrEnum):
    """What the player to act has to do next."""

    LOTS = "lots"
    ROLL = "roll"
    APPLY = "apply"
    OVER = "over"


class RollersSection(StrEnum):
    """The three ways in which a section of a board stands."""

    EMPTY = "empty"
    OPEN = "open"
    CLOSED = "closed"


SETS: Final = (say("one 1"), say("two 2s"), say("three 3s"), say("four 4s"), say("five 5s"))
"""The set that opens each section, in words."""
NEW_BOARD: Final = (RollersSection.EMPTY,) * len(VALUES)
NOTHING_LAID: Final[tuple[tuple[Die, ...], ...]] = ((),) * len(VALUES)


@dataclass(frozen=True)
class RollersBoards:
    """What lies before the players: each seat's sections and chip value, and the dice laid on the sections."""

    sections: tuple[tuple[RollersSection, ...], ...] = ()
    chips: tuple[int, ...] = ()
    laid: tuple[tuple[tuple[Die, ...], ...], ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class RollersState(GameState):
    """Where a game of Rollers stands; `scores` are the points.

    The six dice of a turn, once rolled, are `good` (they may be saved and applied), `dead` (rolled together with a
    zap: what they show makes no difference, so states are the same without it) or `used` (applied). `saved` are those
    of the good ones that the next roll leaves lying, `bound` those that it has to leave lying where saved dice are
    final. `sections` and `chips` are each seat's board and chip value, `laid` the dice that opened and closed each
    section, whatever they showed; `before` is how all that stood when the turn began. `starter` began the round (0
    before it is known). While lots are thrown `contenders` throw in turn, and `lots` are their numbers so far.
    """

    phase: RollersPhase = RollersPhase.LOTS
    starter: int = 0
    round: int = 0
    rolls: int = 0
    good: tuple[Die, ...] = ()
    dead: tuple[Die, ...] = field(default=(), compare=False)
    used: tuple[Die, ...] = ()
    saved: tuple[Die, ...] = ()
    bound: tuple[Die, ...] = ()
    sections: tuple[tuple[RollersSection, ...], ...] = ()
    laid: tuple[tuple[tuple[Die, ...], ...], ...] = field(default=(), compare=False)
    chips: tuple[int, ...] = ()
    before: RollersBoards = RollersBoards()
    contenders: tuple[int, ...] = ()
    lots: tuple[int, ...] = ()

    @property
    def others(self) -> tuple[int, ...]:
        """The other seats, clockwise from the player to act."""
        return self.after(self.seat)

    @property
    def to_roll(self) -> tuple[Die, ...]:
        """The dice that the next roll of the turn takes: all that are not saved."""
        return take((*self.good, *self.dead), self.saved)

    def section(self, seat: int, value: int) -> RollersSection:
        """Return how the section with that number stands on the seat's board."""
        return self.sections[seat - 1][value - 1]

    def filled(self, seat: int) -> bool:
        """True if the seat has closed all its sections."""
        return set(self.sections[seat - 1]) == {RollersSection.CLOSED}


def counts_as(die: Die, value: int) -> bool:
    """True if the die may be applied as that number: it shows the number, or a star (R.2-5)."""
    return die.face == STAR or number_on(die.face) == value


def take(dice: Iterable[Die], fewer: Iterable[Die]) -> tuple[Die, ...]:
    """Return these dice without some of them, in canonical order."""
    return in_order((Counter(dice) - Counter(fewer)).elements())


def takings(state: RollersState, value: int, collector: int = 0) -> dict[int, int]:
    """Return what a die of that number collects from each seat that has to pay, its last chips at most (AMB-R-4).

    `collector` is the seat that collects, 0 for the one to act.
    """
    paying = payers(state, value, collector)
    return {seat: min(value, state.chips[seat - 1]) for seat in paying if state.chips[seat - 1]}


def payers(state: RollersState, value: int, collector: int = 0) -> tuple[int, ...]:
    """Return the seats other than the collector, 0 for the one to act, that have not closed that section (R.2-10)."""
    others = state.after(collector or state.seat)
    return tuple(seat for seat in others if state.section(seat, value) is not RollersSection.CLOSED)


# Where the dice lie, and what they show in words


def lay(state: RollersState) -> tuple[DiePosition, ...]:
    """Return the six dice of the turn, which may lie anywhere; () before its first roll."""
    return tuple(DiePosition(die, None) for die in (*state.good, *state.dead, *state.used))


def spell(dice: Iterable[Die]) -> str:
    """Return what dice show, in words: `black 5, 3, 3 and star`."""
    return spell_list([_shown(die) for die in dice], "and")


def _shown(die: Die) -> str:
    number = number_on(die.face)
    if not number:
        return FACE_WORDS.get(die.face or "", str(die.face))
    return say("black {number}", number=number) if die.kind == BLACK else str(number)


def relaid(state: RollersState, lying: tuple[DiePosition, ...]) -> Outcome[RollersState] | None:
    """Return the turn with its dice lying so, or None: a zap leaves what was good before, used dice stay used."""
    dice = in_order(each.die for each in lying)
    if not state.rolls or tuple(Die(die.kind) for die in dice) != ALL_SIX or any(die.face is None for die in dice):
        return None
    if state.phase is RollersPhase.APPLY:
        out = (*state.dead, *state.used)
        return None if Counter(out) - Counter(dice) else (replace(state, good=take(dice, out)), ())
    zapped = any(die.face == ZAP for die in dice)
    good = _both(state.good, dice) if zapped else dice
    bound = _both(state.bound, good)
    after = replace(state, good=good, dead=take(dice, good), saved=good if zapped else bound, bound=bound)
    return after, (zap_call(after),) if zapped else ()


def zap_call(state: RollersState) -> Call:
    """Return the call for a zap, with what it leaves (R.2-6)."""
    if state.good:
        kept = spell(state.good)
        sentence = say("The zap cancels this roll. {who} keeps {dice}, saved before.", who=state.who, dice=kept)
    else:
        sentence = say("The zap cancels this roll. {who} has no dice left to use.", who=state.who)
    return Call(sentence, "R.2-6", Moment.BUST)


def _both(dice: Iterable[Die], others: Iterable[Die]) -> tuple[Die, ...]:
    return in_order((Counter(dice) & Counter(others)).elements())


# The beginning and the end of turns, rounds and the game of Rollers: who scores, and who wins


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> RollersState:
    """Return empty boards, full chips, and one die to be thrown by each player for the first turn (R.2-1)."""
    nothing = (0,) * len(players)
    state = RollersState(players, dice, options, scores=nothing, contenders=tuple(each.seat for each in players))
    return next_lot(cleared_boards(state))


def cleared_boards(state: RollersState) -> RollersState:
    """Return the state with all boards cleared, and each player with all chips."""
    count = len(state.players)
    return replace(state, sections=(NEW_BOARD,) * count, laid=(NOTHING_LAID,) * count, chips=(CHIPS,) * count)


def next_lot(state: RollersState) -> RollersState:
    """Return the state in which the next contender throws for the first turn (R.2-1)."""
    seat = state.contenders[len(state.lots)]
    return replace(state, to_act=(seat,), dice_awaited=(Die(PURPLE),))


def new_round(state: RollersState, starter: int) -> RollersState:
    """Return the state at the start of a round: boards empty, all chips back (R.2-15)."""
    return new_turn(replace(cleared_boards(state), starter=starter, round=state.round + 1), starter)


def new_turn(state: RollersState, seat: int) -> RollersState:
    """Return the state before the first roll of a seat's turn (R.2-3)."""
    before = RollersBoards(state.sections, state.chips, state.laid)
    return replace(swept(state), phase=RollersPhase.ROLL, to_act=(seat,), dice_awaited=ALL_SIX, before=before)


def swept(state: RollersState) -> RollersState:
    """Return the state without the dice of a turn and without lots."""
    return replace(state, rolls=0, good=(), dead=(), used=(), saved=(), bound=(), contenders=(), lots=())


# The end of a round


def round_over(state: RollersState, calls: tuple[Call, ...]) -> Outcome[RollersState]:
    """Give the points of the round (R.2-14); then a new round, or the end of the game (R.2-16)."""
    paid, finished = _for_finishing(state)
    scored, chips = _for_chips(paid)
    calls = (*calls, finished, chips)
    goal = int(state.options[TARGET])
    reached = tuple(seat for seat in scored.present if scored.scores[seat - 1] >= goal)
    return _won(scored, reached, calls) if reached else _next_round(scored, calls)


def _for_finishing(state: RollersState) -> tuple[RollersState, Call]:
    if state.seat in state.gone:
        return state, Call(say("{who} has left and gets no points for the full board.", who=state.who), "R.2-14")
    worth = 2 if state.chips[state.seat - 1] else 1
    if worth == 2:
        sentence = say("{who} filled the board and gets {points}.", who=state.who, points=points(worth))
    else:
        sentence = say("{who} filled the board without chips and gets {points}.", who=state.who, points=points(worth))
    return _scored(state, state.seat, worth), Call(sentence, "R.2-14", Moment.SCORE)


def _for_chips(state: RollersState) -> tuple[RollersState, Call]:
    most = max(state.chips[seat - 1] for seat in state.present)
    richest = tuple(seat for seat in state.present if state.chips[seat - 1] == most)
    names = state.names(richest)
    if len(richest) == 1:
        sentence = say("{name} has the most chips, {chips}, and gets 1 point.", name=names, chips=most)
        return _scored(state, richest[0], 1), Call(sentence, "R.2-14", Moment.SCORE)
    if state.chose(CHIP_TIE, "nobody"):
        return state, Call(say("{names} have the same number of chips: nobody gets the point.", names=names), "AMB-R-6")
    for seat in richest:
        state = _scored(state, seat, 1)
    each = say("{names} have the same number of chips: each gets 1 point.", names=names)
    return state, Call(each, "AMB-R-6", Moment.SCORE)


def _scored(state: RollersState, seat: int, worth: int) -> RollersState:
    return replace(state, scores=with_set(state.scores, seat, state.scores[seat - 1] + worth))


def _won(state: RollersState, reached: tuple[int, ...], calls: tuple[Call, ...]) -> Outcome[RollersState]:
    most = max(state.chips[seat - 1] for seat in reached)
    winner = tuple(seat for seat in reached if state.chips[seat - 1] == most)
    over = finish(state, winner)
    goal, names = state.options[TARGET], state.names(reached)
    if len(reached) == 1:
        total = state.scores[reached[0] - 1]
        sentence = say("{name} has {total} points and wins: {goal} are enough.", name=names, total=total, goal=goal)
        return over, (*calls, Call(sentence, "R.2-16", Moment.WIN))
    decided = say(
        "{names} have reached {goal} together: the most chips decide, {outcome}.",
        names=names,
        goal=goal,
        outcome=outcome_of(over),
    )
    return over, (*calls, Call(decided, "AMB-R-7", Moment.WIN))


def finish(state: RollersState, winner: tuple[int, ...]) -> RollersState:
    return replace(swept(state), phase=RollersPhase.OVER, to_act=(), dice_awaited=(), winner=winner)


def outcome_of(state: RollersState) -> str:
    """Return who has won, in words."""
    if not state.winner:
        return say("Nobody wins")
    names = state.names(state.winner)
    return say_count("{names} wins", "{names} win together", len(state.winner), names=names)


def _next_round(state: RollersState, calls: tuple[Call, ...]) -> Outcome[RollersState]:
    starter = state.after(state.starter)[-1]
    right = say(
        "A new round: {name}, to the right of {other}, starts.",
        name=state.name(starter),
        other=state.name(state.starter),
    )
    return new_round(state, starter), (*calls, Call(right, "R.2-15"))
