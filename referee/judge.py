"""The referee's rulings: `judge`, the one door through which every action goes, and `go_on` after a breach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from referee import agreements
from referee.actions import Action, DiePosition, GameState
from referee.calls import Call, Outcome, Refusal
from referee.dice import NoSuchFace
from referee.game import Game
from referee.phrases import as_sentence, spell_list
from referee.sentences import say, say_count


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
    """Rule on one action: check its seat, its dice against the die set, its legality, then play it."""
    agreed = agreements.is_agreement(action)
    refusal = (
        _no_seat(game, state, action)
        or _has_left(state, action)
        or _wrong_dice(game, state, action)
        or (agreements.refuse if agreed else _refused)(game, state, action)
    )
    if refusal:
        return Ruling(action, state, refusal=refusal)
    after, calls = (agreements.play if agreed else Game.play)(game, state, action)
    return Ruling(action, after, calls)


def go_on(game: Game, state: GameState, lying: Sequence[DiePosition]) -> Outcome[GameState] | Refusal:
    """Return the state and calls when play continues after a breach with the dice as they lie, or the Refusal."""
    dice = tuple(each.die for each in lying)
    refusal = _wrong_dice(game, state, Action(1, "lie", dice))
    outcome: Outcome[GameState] | None = None if refusal else game.relaid(state, tuple(lying))
    if outcome is None:
        sentence = say("The game cannot go on like this: put the dice back as they were.")
        return refusal or Refusal(sentence, game.cite("touched"))
    after, calls = outcome
    call = Call(say("The game goes on with the dice as they lie."), game.cite("touched"))
    return game.past_the_gone(after, call, *calls)


def _wrong_dice(game: Game, state: GameState, action: Action) -> Refusal | None:
    rule = game.cite("dice")
    for die in action.dice:
        try:
            kind = state.dice.kind(die.kind)
            if die.face is None:
                unread = state.dice.spell(kind.name, 1)
                return Refusal(say("First say what this die shows: {dice}.", dice=unread), rule)
            kind.title_of(die.face)
        except NoSuchFace as wrong:
            return Refusal(as_sentence(wrong), rule)
    return _too_many(state, action, rule)


def _too_many(state: GameState, action: Action, rule: str) -> Refusal | None:
    for name, number in Counter(die.kind for die in action.dice).items():
        count = state.dice.count(name)
        if number > count:
            sentence = say_count(
                "There is only {dice}, not {number}.",
                "There are only {dice}, not {number}.",
                count,
                dice=state.dice.spell(name, count),
                number=number,
            )
            return Refusal(sentence, rule)
    return None


def _has_left(state: GameState, action: Action) -> Refusal | None:
    """Return why a player who has left does nothing any more; a throw of that player may still be noted as void."""
    return None if action.verb == agreements.VOID.name else next(iter(agreements.has_left(state, action.player)), None)


def _refused(game: Game, state: GameState, action: Action) -> Refusal | None:
    return _wrong_turn(game, state, action) or (None if game.allows(state, action) else game.why_not(state, action))


def _no_seat(game: Game, state: GameState, action: Action) -> Refusal | None:
    if not 1 <= action.player <= len(state.players):
        sentence = say_count(
            "There is no seat {seat}: this game has {count} player.",
            "There is no seat {seat}: this game has {count} players.",
            len(state.players),
            seat=action.player,
        )
        return Refusal(sentence, game.cite("turn"))
    if not state.to_act:
        return Refusal(say("The game is over."), game.cite("over"))
    return None


def _wrong_turn(game: Game, state: GameState, action: Action) -> Refusal | None:
    if action.player in state.to_act:
        return None
    return game.why_wait(state, action) or _not_their_turn(game, state, action)


def _not_their_turn(game: Game, state: GameState, action: Action) -> Refusal:
    turn = spell_list([state.name(seat) for seat in state.to_act], "or")
    name = state.name(action.player)
    return Refusal(say("It is not {name}'s turn. Now {others} plays.", name=name, others=turn), game.cite("turn"))
