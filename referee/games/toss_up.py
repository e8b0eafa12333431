"""Toss Up!: two to six players and ten dice of green, yellow and red. Rule numbers are those of docs/rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from referee.board import Board
from referee.dice import Die, DieSet, FaceName, KindName, Zone
from referee.game import Action, Call, DiePosition, Game, GameState, Player, Refusal
from referee.options import Option
from referee.words import clockwise, counted, spell_list, with_set

KIND: Final = KindName("tossup")
GREEN: Final = FaceName("green")
YELLOW: Final = FaceName("yellow")
DICE: Final = 10
ROLLED: Final = Die(KIND)
ASIDE: Final = DiePosition(Die(KIND, GREEN), None)
"""A green die is set aside wherever there is room."""

TARGET: Final = "target"
LAST_TURNS: Final = "last-turns"
TIE: Final = "tie"
YELLOW_START: Final = "yellow-start"
TEN_GREEN: Final = "ten-green"
NEW_GREEN: Final = "new-green"
LAST_YELLOW: Final = "last-yellow"

OPTIONS: Final = (
    Option(
        TARGET,
        "Which total starts the last turns?",
        (("over-100", "101 or more."), ("from-100", "100 or more.")),
        "AMB-T-1",
    ),
    Option(
        LAST_TURNS,
        "Who gets a last turn?",
        (("everyone", "Every other player, once."), ("later-seats", "Only those who come later in the round.")),
        "AMB-T-2",
    ),
    Option(
        TIE,
        "Several players have the highest total at the end: who wins?",
        (("shared", "They share the win."), ("one-more-turn", "They play one more turn each.")),
        "AMB-T-3",
    ),
    Option(
        YELLOW_START,
        "May a turn end for nothing when its first roll was all yellow?",
        (("may-end", "Yes, with nothing."), ("roll-again", "No, the player rolls again.")),
        "AMB-T-4",
    ),
    Option(
        TEN_GREEN,
        "May a turn end when all ten dice are green?",
        (("may-end", "Yes, with all its points."), ("roll-on", "No, all ten are rolled again.")),
        "AMB-T-5",
    ),
    Option(
        NEW_GREEN,
        "Are all new green dice set aside?",
        (("set-aside", "Yes."), ("may-roll", "One at least; the others may be rolled again, without their points.")),
        "AMB-T-6",
    ),
    Option(
        LAST_YELLOW,
        "A single die is rolled and shows yellow: what is that?",
        (("caution", "All yellow: nothing happens."), ("red-light", "A red light: the turn is over.")),
        "AMB-T-7",
    ),
)


@dataclass(frozen=True)
class TossUpState(GameState):
    """Where a game of Toss Up! stands.

    `field` are the dice in hand as the last roll left them, in the order of their names; `aside` are the green dice set
    aside, `fresh` of them in the last roll. `points` are the turn's. `last_turns` are the seats that still have a last
    turn after this one, None before anybody passed 100.
    """

    rolled: bool = False
    field: tuple[FaceName, ...] = ()
    aside: int = 0
    fresh: int = 0
    points: int = 0
    last_turns: tuple[int, ...] | None = None


Outcome = tuple[TossUpState, tuple[Call, ...]]


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> TossUpState:
    """The game before its first roll: the players have agreed on who begins and has seat 1 (T.2-1)."""
    return _start(TossUpState(players, dice, options, scores=(0,) * len(players)), 1)


def _start(state: TossUpState, *to_act: int) -> TossUpState:
    return replace(
        state, to_act=to_act, rolled=False, field=(), aside=0, fresh=0, points=0, dice_awaited=(ROLLED,) * DICE
    )


# What may be done


def legal(state: TossUpState) -> tuple[Action, ...]:
    """All that the player to act may do now."""
    if not state.to_act:
        return ()
    rolls = tuple(Action(state.seat, "roll", (ROLLED,) * count) for count in throws(state))
    return rolls if no_end(state) else (*rolls, Action(state.seat, "end"))


def throws(state: TossUpState) -> tuple[int, ...]:
    """How many dice may be rolled: those in hand, or all ten; then more, where new green dice may go back."""
    most = len(state.field) + state.fresh if state.chose(NEW_GREEN, "may-roll") else 0
    return (hand(state), *range(len(state.field) + 1, most))


def hand(state: TossUpState) -> int:
    """How many dice the next roll takes when no green die goes back into the hand (T.2-2, T.2-8, T.2-9)."""
    return len(state.field) or DICE


def taken_back(state: TossUpState, count: int) -> int:
    """How many green dice of the last roll a roll of so many dice takes back into the hand (AMB-T-6)."""
    return 0 if count == hand(state) else count - len(state.field)


def no_end(state: TossUpState) -> Refusal | None:
    """Why the turn cannot end now, or None where it can."""
    if not state.rolled:
        return Refusal(_TEN_FIRST, "T.2-2")
    if not state.points and state.chose(YELLOW_START, "roll-again"):
        return Refusal("The turn has brought nothing yet: this table rolls again.", "AMB-T-4")
    if state.aside == DICE and state.chose(TEN_GREEN, "roll-on"):
        return Refusal("All ten dice are green: this table rolls all ten again.", "AMB-T-5")
    return None


_TEN_FIRST: Final = "A turn starts with a roll of all ten dice."


# What it comes to


def play(state: TossUpState, action: Action) -> Outcome:
    """The state after a legal action, and the referee's calls."""
    after, calls = _end(state) if action.verb == "end" else _roll(state, action)
    return replace(after, dice_awaited=_awaited(after)), calls


def _awaited(state: TossUpState) -> tuple[Die, ...]:
    ways = legal(state)
    return ways[0].dice if len(ways) == 1 else ()


def _roll(state: TossUpState, action: Action) -> Outcome:
    after, calls = _fallen(_picked_up(state, len(action.dice)), faces(action.dice))
    return after, (*_picking_up(state, len(action.dice)), *calls)


def _picked_up(state: TossUpState, count: int) -> TossUpState:
    back = taken_back(state, count)
    aside = 0 if count == DICE else state.aside - back
    return replace(state, rolled=True, aside=aside, points=state.points - back)


def _picking_up(state: TossUpState, count: int) -> Iterator[Call]:
    back = taken_back(state, count)
    if back:
        yield Call(f"{state.who} takes {_dice(back)} of the new green back.", "AMB-T-6")
    elif state.aside == DICE:
        yield Call(f"{state.who} rolls all ten dice again and keeps {counted(state.points, 'point')}.", "T.2-8")


def _fallen(state: TossUpState, fell: tuple[FaceName, ...]) -> Outcome:
    if GREEN in fell:
        return _set_aside(state, fell)
    if set(fell) == {YELLOW}:
        return _caution(state, fell)
    return _red_light(state, Call(f"No green, and a red: {_loss(state)}", "T.2-5"))


def _set_aside(state: TossUpState, fell: tuple[FaceName, ...]) -> Outcome:
    fresh = fell.count(GREEN)
    after = replace(
        state,
        field=tuple(face for face in fell if face != GREEN),
        aside=state.aside + fresh,
        fresh=fresh,
        points=state.points + fresh,
    )
    call = Call(f"{state.who} sets {fresh} green aside and has {counted(after.points, 'point')} in this turn.", "T.2-4")
    all_green = Call("All ten dice are green: all ten may be rolled again.", "T.2-8")
    return after, (call,) if after.field else (call, all_green)


def _caution(state: TossUpState, fell: tuple[FaceName, ...]) -> Outcome:
    if len(fell) == 1 and state.chose(LAST_YELLOW, "red-light"):
        return _red_light(state, Call(f"A single yellow is a red light here: {_loss(state)}", "AMB-T-7"))
    call = Call(f"All yellow: nothing happens, and {state.who} has {counted(state.points, 'point')}.", "T.2-6")
    return replace(state, field=fell, fresh=0), (call,)


def _loss(state: TossUpState) -> str:
    return f"{state.who} runs a red light and loses {counted(state.points, 'point') if state.points else 'the turn'}."


def _red_light(state: TossUpState, call: Call) -> Outcome:
    after, calls = _next(state)
    return after, (call, *calls)


def _end(state: TossUpState) -> Outcome:
    total = state.scores[state.seat - 1] + state.points
    call = Call(f"{state.who} takes {counted(state.points, 'point')} and has {total}.", "T.2-10")
    banked = replace(state, scores=with_set(state.scores, state.seat, total))
    after, calls = _next(banked) if state.last_turns is not None or total < target(state) else _last_turns(banked)
    return after, (call, *calls)


def target(state: TossUpState) -> int:
    """The total with which the last turns start (T.2-11, AMB-T-1)."""
    return 100 if state.chose(TARGET, "from-100") else 101


def _last_turns(state: TossUpState) -> Outcome:
    others = clockwise(len(state.players), state.seat)
    if state.chose(LAST_TURNS, "later-seats"):
        others = tuple(seat for seat in others if seat > state.seat)
    after, calls = _next(replace(state, last_turns=others))
    if not others:
        return after, calls
    names = spell_list([state.name(seat) for seat in others], "and")
    turns = "have one last turn each" if len(others) > 1 else "has one last turn"
    return after, (Call(f"{state.who} has reached {target(state)}: {names} {turns}.", "T.2-11"), *calls)


def _next(state: TossUpState) -> Outcome:
    if state.last_turns is None:
        return _start(state, clockwise(len(state.players), state.seat)[0]), ()
    if state.last_turns:
        return _start(replace(state, last_turns=state.last_turns[1:]), state.last_turns[0]), ()
    return _decided(state)


def _decided(state: TossUpState) -> Outcome:
    most = max(state.scores)
    best = tuple(player.seat for player in state.players if state.scores[player.seat - 1] == most)
    names = spell_list([state.name(seat) for seat in best], "and")
    if len(best) == 1:
        return _over(state, best), (Call(f"{names} wins with {most}.", "T.2-12"),)
    if state.chose(TIE, "one-more-turn"):
        again = Call(f"{names} are level with {most} and play one more turn each.", "AMB-T-3")
        return _start(replace(state, last_turns=best[1:]), best[0]), (again,)
    return _over(state, best), (Call(f"{names} share the win with {most}.", "AMB-T-3"),)


def _over(state: TossUpState, winner: tuple[int, ...]) -> TossUpState:
    return replace(_start(state), winner=winner)


# Where the dice lie


def faces(dice: Iterable[Die]) -> tuple[FaceName, ...]:
    """The faces that dice show, in the order of their names."""
    return tuple(sorted(die.face for die in dice if die.face))


def lay(state: TossUpState) -> tuple[DiePosition, ...]:
    """The dice in hand on the field and the green ones anywhere; () before a turn's first roll."""
    return (*_on_field(state), *((ASIDE,) * state.aside))


def _on_field(state: TossUpState) -> tuple[DiePosition, ...]:
    return tuple(DiePosition(Die(KIND, face), Zone.FIELD) for face in state.field)


def thrown(state: TossUpState, action: Action) -> tuple[DiePosition, ...]:
    """The dice that a roll takes, as they lay before; at the start of a turn nobody knows how they lay."""
    if action.verb != "roll":
        return ()
    if not state.rolled:
        return (DiePosition(ROLLED, Zone.FIELD),) * DICE
    return (*_on_field(state), *((ASIDE,) * (len(action.dice) - len(state.field))))


def relaid(state: TossUpState, lying: tuple[DiePosition, ...]) -> TossUpState | None:
    """The turn with its dice lying so: every green die that is more or fewer is a point more or fewer.

    Dice out of view are green ones set aside. None before the first roll, which is thrown again, and where more dice
    are out of view than were set aside.
    """
    unseen = DICE - len(lying)
    if not state.rolled or unseen > state.aside:
        return None
    field = tuple(face for face in faces(each.die for each in lying) if face != GREEN)
    aside = DICE - len(field)
    after = replace(state, field=field, aside=aside, fresh=0, points=state.points + aside - state.aside)
    return replace(after, dice_awaited=_awaited(after))


# In words


def tell(state: TossUpState) -> str:
    """One sentence: who is to do what."""
    if not state.to_act:
        names = spell_list([state.name(seat) for seat in state.winner], "and")
        return f"{names} {'has' if len(state.winner) == 1 else 'have'} won with {max(state.scores)}."
    has = f", {counted(state.points, 'point')}" if state.rolled else ""
    last = f", last turn, {to_beat(state)} to beat" if state.last_turns is not None else ""
    ways = f"roll {_all(state)}{'' if no_end(state) else ' or end the turn'}"
    return f"{state.who}{last}{has}: {ways}."


def to_beat(state: TossUpState) -> int:
    """The highest total of the others."""
    return max(state.scores[seat - 1] for seat in clockwise(len(state.players), state.seat))


def _all(state: TossUpState) -> str:
    if state.aside == DICE:
        return "all ten dice again"
    return {DICE: "all ten dice", 1: "the last die"}.get(hand(state), f"the other {hand(state)} dice")


def offer_title(state: TossUpState, action: Action) -> str:
    """What a button for the action says; also the words for an action already done."""
    if action.verb == "end":
        return f"End the turn with {counted(state.points, 'point')}"
    back = taken_back(state, len(action.dice))
    return f"Roll {len(action.dice)} dice, {back} green among them" if back else f"Roll {_all(state)}"


def boards(state: TossUpState) -> tuple[Board, ...]:
    """How the turn stands, before its player; and in the middle, who still has a last turn."""
    return (*_turn_board(state), *_last_board(state))


def _turn_board(state: TossUpState) -> Iterator[Board]:
    if state.to_act:
        facts = (("Set aside", str(state.aside)), ("In hand", str(DICE - state.aside)))
        yield Board(state.seat, "Dice", facts)


def _last_board(state: TossUpState) -> Iterator[Board]:
    if state.to_act and state.last_turns is not None:
        after = spell_list([state.name(seat) for seat in state.last_turns], "and")
        yield Board(0, "Last turns", (("To beat", str(to_beat(state))), ("After this turn", after or "nobody")))


# What is not allowed


def why_not(state: TossUpState, action: Action) -> Refusal:
    """Why an action of the player to act, with dice of the game, is not allowed; it is not among the legal ones."""
    if action.verb not in VERBS:
        return Refusal(f"Toss Up! has no {action.verb!r}; a player may roll or end.", "T.2-7")
    if action.verb == "end":
        return no_end(state) or Refusal("Ending the turn takes no dice and no choice.", "T.2-7")
    if action.choice:
        return Refusal("A roll takes no choice.", "T.2-9")
    return _few(state, len(action.dice)) or _green_rolled(state, len(action.dice) - throws(state)[-1])


def fault(state: TossUpState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    """Which rule a throw breaks: `thrown` are its dice as they lay before, `kept` those left, where they lie now."""
    if not state.to_act:
        return Refusal("The game is over.", "T.2-11")
    greens = sum(lying.die.face == GREEN for lying in thrown)
    spare = throws(state)[-1] - len(state.field)
    if state.rolled and state.aside < DICE and greens > spare:
        return _green_rolled(state, greens - spare)
    return (
        _put_aside(kept) or _few(state, len(thrown)) or Refusal("The dice left lying are not the green ones.", "T.2-9")
    )


def _few(state: TossUpState, count: int) -> Refusal | None:
    if not state.rolled:
        return Refusal(f"A turn starts with a roll of all ten dice, not of {count}.", "T.2-2")
    if state.aside == DICE:
        return _not_all_ten(state, count)
    left = len(state.field) - count
    if left > 0:
        return Refusal(f"All dice that are not green are rolled; {_dice(left)} of them {_were(left)} left.", "T.2-9")
    return None


def _not_all_ten(state: TossUpState, count: int) -> Refusal:
    if len(throws(state)) == 1:
        return Refusal(f"With ten green dice all ten are rolled again, not {count}.", "T.2-8")
    most = _dice(throws(state)[-1])
    return Refusal(f"With ten green dice all ten are rolled again, or {most} of the new ones at most.", "AMB-T-6")


def _green_rolled(state: TossUpState, count: int) -> Refusal:
    if len(throws(state)) == 1:
        rolled = f"{_dice(count)} of them {_were(count)} rolled"
        return Refusal(f"Green dice stay aside until all ten are green; {rolled}.", "T.2-9")
    too_many = f"{_dice(count)} too many {_were(count)} rolled"
    return Refusal(f"Of the new green dice one at least stays aside, and all older ones; {too_many}.", "AMB-T-6")


def _put_aside(kept: tuple[DiePosition, ...]) -> Refusal | None:
    wrong = sum(lying.die.face != GREEN and lying.zone is Zone.ASIDE for lying in kept)
    if not wrong:
        return None
    return Refusal(f"Only green dice are set aside; {_dice(wrong)} of another colour {_were(wrong)}.", "T.2-4")


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


VERBS: Final = {
    "roll": "Roll all dice that are not green, or all ten at the start of a turn and when all ten are green.",
    "end": "End the turn and take its points.",
}

GAME: Final = Game(
    name="toss-up",
    title="Toss Up!",
    die_set="toss-up",
    seats=(2, 6),
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
    turn_points=lambda state: state.points,
    boards=boards,
    relaid=relaid,
    implied=frozenset({"end"}),
    ends=frozenset({"end"}),
    handfuls=1,
    cites={"dice": "T.1", "turn": "T.2-1", "over": "T.2-11", "touched": "T.2-9", "cocked": "T.2-3"},
)
