"""Plain dice: no game at all, only any dice thrown by anybody and counted. Rule numbers are those of referee/rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, TypedDict

from referee.actions import Action, DiePosition, GameState, Player
from referee.board import Board, DicePlace, Section, Tally
from referee.calls import Call, DiceSum, Outcome, Refusal, Verb
from referee.dice import Die, DieSet, number_on
from referee.game import Game
from referee.phrases import spell, spell_list
from referee.sentences import say, say_count


@dataclass(frozen=True)
class DiceState(GameState):
    """The plain table: the dice of the last throw, in canonical order, and how many throws there were."""

    shown: tuple[Die, ...] = ()
    throws: int = 0


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> DiceState:
    """Return a table at which everybody may throw."""
    return DiceState(players, dice, options, to_act=tuple(player.seat for player in players))


def _roll_offers(state: DiceState, seat: int) -> Iterator[Action]:
    """Offer a throw of any number of the dice (P.1-1)."""
    for counts in product(*(range(count + 1) for _, count in state.dice.counts)):
        dice = [Die(kind.name) for kind, count in zip(state.dice.kinds, counts, strict=True) for _ in range(count)]
        if dice:
            yield Action(seat, "roll", tuple(dice))


def _roll(state: DiceState, action: Action) -> Outcome[DiceState]:
    """Count the dice thrown; who threw them makes no difference (P.1-2)."""
    numbered = [die for die in action.dice if number_on(die.face)]
    added = DiceSum.of_numbers(numbered) if numbered else None
    sentence = say("{dice}: {faces}.", dice=_counted(action.dice), faces=_tally(action.dice))
    call = Call(sentence, "P.1-2", sum=added)
    return replace(state, shown=action.dice, throws=state.throws + 1), (call,)


def _roll_title(state: DiceState, action: Action) -> str:
    """Return what is thrown, `Throw 3 dice`; of a throw done also its result, `Throw 3 dice: 11 in all`."""
    if not action.is_throw:
        return say("Throw {dice}: {faces}", dice=_counted(action.dice), faces=_tally(action.dice))
    if len(state.dice.counts) == 1:
        return say("Throw {dice}", dice=_counted(action.dice))
    kinds = Counter(state.dice.kind(die.kind).title for die in action.dice)
    words = [say("{count} x {word}", count=count, word=title) for title, count in kinds.items()]
    return say("Throw {dice}", dice=spell_list(words, "and"))


def _roll_throws(_state: DiceState, action: Action) -> tuple[DiePosition, ...]:
    """Return any dice of these kinds, wherever they lay."""
    return tuple(DiePosition(Die(die.kind), None) for die in action.dice)


def _no_roll(_state: DiceState, action: Action) -> Iterator[Refusal]:
    if not action.dice:
        yield Refusal(say("Throw at least one die."), "P.1-1")


ROLL: Final = Verb(
    name="roll",
    rule="P.1-1",
    help=say("Throw any number of the dice."),
    offers=_roll_offers,
    play=_roll,
    title=_roll_title,
    throws=_roll_throws,
    refusals=_no_roll,
    usage=say("Choose only the dice that were thrown."),
)


def _counted(dice: Sequence[Die]) -> str:
    return say_count("{count} die", "{count} dice", len(dice))


def _tally(dice: Sequence[Die]) -> str:
    """Return the sum of the numbers, and the other faces: `11 in all, star and zap`."""
    others = spell(die for die in dice if not number_on(die.face))
    numbers = [say("{total} in all", total=_sum(dice))] if _sum(dice) else []
    if numbers and others:
        return say("{first}, {rest}", first=numbers[0], rest=others)
    return numbers[0] if numbers else others


def _sum(dice: Sequence[Die]) -> int:
    return sum(number_on(die.face) for die in dice)


def tell(_state: DiceState) -> str:
    """Return always the same sentence: the table waits for a throw."""
    return say("Throw any of the dice.")


def fault(_state: DiceState, thrown: tuple[DiePosition, ...], _kept: tuple[DiePosition, ...]) -> Refusal:
    """Return the refusal of dice that are too many for the set; no other throw breaks a rule here."""
    dice = _counted([lying.die for lying in thrown])
    return Refusal(say("This table does not have these dice: {dice}.", dice=dice), "P.1-1")


def boards(state: DiceState) -> tuple[Board, ...]:
    """Return the last throw in the middle of the table: its sum, its number, and its dice by what they show."""
    if not state.shown:
        return ()
    total = _sum(state.shown)
    in_all = (Tally("in-all", say("In all"), total),) if total else ()
    throws = Tally("throws", say("Throws"), state.throws)
    by_face = Section("faces", say("By what they show"), tuple(_by_face(state)))
    return (Board(0, say("The throw"), parts=(*in_all, throws, by_face)),)


def _by_face(state: DiceState) -> Iterator[DicePlace]:
    """Yield a place for the dice that show the same, the highest number first; pips and numerals are the same."""
    alike: dict[str, list[Die]] = {}
    for die in sorted(state.shown, key=lambda die: (-number_on(die.face), str(die))):
        alike.setdefault(state.dice.face_title(die.kind, die.face) if die.face else "", []).append(die)
    for title, dice in alike.items():
        yield DicePlace(f"face-{dice[0].face}", say("{count} x {word}", count=len(dice), word=title), tuple(dice))


class DiceFacts(TypedDict):
    """The dice of the last throw, and the number of throws so far."""

    shown: list[str]
    throws: int


def facts(state: DiceState) -> DiceFacts:
    """Return what everybody at the table can see."""
    return DiceFacts(shown=list(map(str, state.shown)), throws=state.throws)


GAME: Final = Game(
    name="dice",
    title=say("Plain dice"),
    die_set="",
    seats=(1, 12),
    options=(),
    state_type=DiceState,
    rules=frozenset(f"P.1-{number}" for number in range(1, 6)),
    verbs=(ROLL,),
    setup=setup,
    tell=tell,
    fault=fault,
    boards=boards,
    facts=facts,
    cites={"verb": "P.1-3", "dice": "P.1-1", "turn": "P.1-1", "over": "P.1-3", "touched": "P.1-4", "cocked": "P.1-5"},
)
