"""The referee's rulings: `judge`, the one door through which every action goes, and `go_on` after a breach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from referee import agreements
from referee.dice import NoSuchFace
from referee.game import Action, Call, DiePosition, Game, GameState, Outcome, Refusal
from referee.phrases import spell_list


@dataclass(frozen=True)
class Ruling:
    """The referee's answer to an action: the state after it, what happened, or why not.

    A refusal leaves the state as it was.
    """

    action: Action
    state: GameState
    calls: tuple[Call, ...] = ()
    refusal: Refusal | None = None


def judge(game: Game, state: GameState, action: Action) -> Ruling:
    """Rule on one action: check its dice against the die set, its seat, its legality, then play it."""
    agreed = agreements.is_agreement(action)
    refusal = (
        _wrong_dice(game, state, action)
        or _no_seat(game, state, action)
        or (agreements.refuse if agreed else _refused)(game, state, action)
    )
    if refusal:
        return Ruling(action, state, refusal=refusal)
    after, calls = (agreements.play if agreed else Game.play)(game, state, action)
    return Ruling(action, after, calls)


def go_on(game: Game, state: GameState, lying: Sequence[DiePosition]) -> Outcome[GameState] | Refusal:
    """Return what becomes of a table that goes on after a breach with its dice lying so, or why it cannot."""
    dice = tuple(each.die for each in lying)
    refusal = _wrong_dice(game, state, Action(1, "lie", dice))
    outcome: Outcome[GameState] | None = None if refusal else game.relaid(state, tuple(lying))
    if outcome is None:
        return refusal or Refusal(
            "The game cannot go on with dice that lie so: put them back as they were.", game.cite("touched")
        )
    after, calls = outcome
    return game.past_the_gone(after, Call("The game goes on with the dice as they lie.", game.cite("touched")), *calls)


def _wrong_dice(game: Game, state: GameState, action: Action) -> Refusal | None:
    rule = game.cite("dice")
    for die in action.dice:
        try:
            kind = state.dice.kind(die.kind)
            if die.face is None:
                unread = state.dice.spell(kind.name, 1)
                return Refusal(f"{unread} has no face yet: write what it shows in place of the ?.", rule)
            kind.title_of(die.face)
        except NoSuchFace as wrong:
            return Refusal(_sentence(str(wrong)), rule)
    return _too_many(state, action, rule)


def _too_many(state: GameState, action: Action, rule: str) -> Refusal | None:
    for name, number in Counter(die.kind for die in action.dice).items():
        count = state.dice.count(name)
        if number > count:
            there = f"{'is' if count == 1 else 'are'} only {state.dice.spell(name, count)}"
            return Refusal(f"There {there}, not {number}.", rule)
    return None


def _refused(game: Game, state: GameState, action: Action) -> Refusal | None:
    return _wrong_turn(game, state, action) or _illegal(game, state, action)


def _no_seat(game: Game, state: GameState, action: Action) -> Refusal | None:
    if not 1 <= action.player <= len(state.players):
        return Refusal(f"There is no seat {action.player}; {len(state.players)} play.", game.cite("turn"))
    if not state.to_act:
        return Refusal("The game is over.", game.cite("over"))
    return None


def _wrong_turn(game: Game, state: GameState, action: Action) -> Refusal | None:
    if action.player in state.to_act:
        return None
    if action.player in state.gone:
        return Refusal(f"{state.name(action.player)} has left the game and does not play on.", "A.1-1")
    return game.why_wait(state, action) or _not_their_turn(game, state, action)


def _not_their_turn(game: Game, state: GameState, action: Action) -> Refusal:
    turn = spell_list([state.name(seat) for seat in state.to_act], "or")
    return Refusal(f"It is not {state.name(action.player)}'s turn; {turn} is to act.", game.cite("turn"))


def _illegal(game: Game, state: GameState, action: Action) -> Refusal | None:
    return None if game.allows(state, action) else game.why_not(state, action)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
