"""What a table agrees on where the rules of a game are silent: who leaves, a turn skipped, a throw that does not count.

Agreements are actions like those of a game's verbs: an entry keeps them, an undo takes them back, and `judge` rules on
them. They are never offered, since anybody may say them at any time. referee/rules/agreements.md has their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from referee.actions import Action, DiePosition, GameState
from referee.calls import Call, Moment, Outcome, Reasons, Refusal
from referee.dice import Die
from referee.game import Game
from referee.phrases import spell
from referee.sentences import say

RULES: Final = frozenset(f"A.1-{number}" for number in range(1, 6))


@dataclass(frozen=True)
class Agreement:
    """One verb that every game has.

    refusals(game, state, action) -> reasons against it, the one to be told first; without one it is legal
    play(game, state, action) -> the state after it, and what the referee says
    title(state, action) -> the words for it
    """

    name: str
    help: str
    refusals: Callable[[Game, GameState, Action], Reasons]
    play: Callable[[Game, GameState, Action], Outcome[GameState]]
    title: Callable[[GameState, Action], str]
    grave: bool = False
    """True if the tablet asks a second time."""


def said_now(game: Game, state: GameState) -> tuple[Action, ...]:
    """Return what the table may agree on now, except for a throw: who is skipped, begins, or leaves."""
    said = (Action(seat, agreed.name) for agreed in (SKIP, BEGIN, QUIT) for seat in state.present)
    return tuple(each for each in said if state.to_act and refuse(game, state, each) is None)


def has_left(state: GameState, seat: int) -> Reasons:
    """Reason against whatever names a seat whose player has left."""
    if seat in state.gone:
        yield Refusal(say("{name} has left the game and does not play on.", name=state.name(seat)), "A.1-1")


def refuse(game: Game, state: GameState, action: Action) -> Refusal | None:
    """Return why an agreement, of a seat that there is and in a game that is on, is no legal action."""
    return next(iter(AGREEMENTS[action.verb].refusals(game, state, action)), None)


def play(game: Game, state: GameState, action: Action) -> Outcome[GameState]:
    """Return the state after a legal agreement, and what the referee says."""
    return AGREEMENTS[action.verb].play(game, state, action)


# What is asked of any action, agreements too


def is_agreement(action: Action) -> bool:
    """True if the action is none of the game's own verbs."""
    return action.verb in AGREEMENTS


def title_of(game: Game, state: GameState, action: Action) -> str:
    """Return the words for an action done, or the label of its button."""
    agreed = AGREEMENTS.get(action.verb)
    return agreed.title(state, action) if agreed else game.offer_title(state, action)


def dice_thrown(game: Game, state: GameState, action: Action) -> tuple[DiePosition, ...]:
    """Return the dice that the action throws, at their old positions; those of a void throw may lie anywhere."""
    if action.verb == VOID.name:
        return tuple(DiePosition(Die(die.kind), None) for die in action.dice)
    return () if is_agreement(action) else game.thrown(state, action)


def rules_of(game: Game) -> frozenset[str]:
    """Return the numbers that a record of the game may cite: those of its page, and those of agreements."""
    return game.rules | RULES


def help_texts(game: Game) -> Mapping[str, str]:
    """Return what each verb of a record of the game does, by its name."""
    return {**game.help_texts, **{agreed.name: agreed.help for agreed in AGREEMENTS.values()}}


# quit: a player leaves


def _no_quit(game: Game, state: GameState, action: Action) -> Iterator[Refusal]:
    yield from _no_dice_or_choice(action, "A.1-1")
    if game.finish is None:
        yield Refusal(say("{title} has no turns, so nobody has to leave.", title=game.title), "A.1-1")


def _quit(game: Game, state: GameState, action: Action) -> Outcome[GameState]:
    gone = replace(state, gone=tuple(sorted((*state.gone, action.player))))
    call = Call(say("{name} leaves the game; the score stands as it is.", name=state.name(action.player)), "A.1-1")
    if game.finish and len(gone.present) < 2:
        return game.past_the_gone(game.finish(gone, gone.present), call, _finished(gone))
    after, calls = game.pass_over(gone, action.player) or (gone, ())
    return game.past_the_gone(after, call, *calls)


def _finished(state: GameState) -> Call:
    if not state.present:
        return Call(say("Nobody plays on, so the game is over."), "A.1-2")
    sentence = say("{name} is the only one left, and wins the game.", name=state.names(state.present))
    return Call(sentence, "A.1-2", Moment.WIN)


QUIT: Final = Agreement(
    name="quit",
    help=say("Leave the game; the others play on."),
    refusals=_no_quit,
    play=_quit,
    title=lambda state, action: say("{name} leaves the game", name=state.name(action.player)),
    grave=True,
)


# skip: a turn is passed over


def _no_skip(game: Game, state: GameState, action: Action) -> Iterator[Refusal]:
    yield from _no_dice_or_choice(action, "A.1-3")
    if game.pass_over(state, action.player) is None:
        yield Refusal(say("{name} has no turn to skip now.", name=state.name(action.player)), "A.1-3")


def _skip(game: Game, state: GameState, action: Action) -> Outcome[GameState]:
    call = Call(say("{name} is skipped, as the table agrees.", name=state.name(action.player)), "A.1-3")
    after, calls = game.pass_over(state, action.player) or (state, ())
    return game.past_the_gone(after, call, *calls)


SKIP: Final = Agreement(
    name="skip",
    help=say("Skip this player: this turn or throw brings nothing."),
    refusals=_no_skip,
    play=_skip,
    title=lambda state, action: say("Skip {name}", name=state.name(action.player)),
    grave=True,
)


# void: a throw that does not count


def _no_void(_game: Game, state: GameState, action: Action) -> Iterator[Refusal]:
    if not action.dice or action.choice:
        yield Refusal(say("Choose only the dice of the throw that does not count."), "A.1-4")


def _void(_game: Game, state: GameState, action: Action) -> Outcome[GameState]:
    sentence = say("{throw} does not count, as the table agrees.", throw=_thrown_by(state, action))
    return state, (Call(sentence, "A.1-4"),)


def _thrown_by(state: GameState, action: Action) -> str:
    return say("{name}'s throw of {dice}", name=state.name(action.player), dice=spell(action.dice))


VOID: Final = Agreement(
    name="void",
    help=say("Note a throw that does not count."),
    refusals=_no_void,
    play=_void,
    title=lambda state, action: say("{throw} does not count", throw=_thrown_by(state, action)),
)


# begin: the first turn without lot


def _no_begin(game: Game, state: GameState, action: Action) -> Iterator[Refusal]:
    yield from _no_dice_or_choice(action, "A.1-5")
    if game.begin_with(state, action.player) is None:
        yield Refusal(say("Who starts is already decided."), "A.1-5")


def _begin(game: Game, state: GameState, action: Action) -> Outcome[GameState]:
    call = Call(say("{name} begins, as the table agrees.", name=state.name(action.player)), "A.1-5")
    return game.past_the_gone(game.begin_with(state, action.player) or state, call)


BEGIN: Final = Agreement(
    name="begin",
    help=say("Have the first turn, without a throw for it."),
    refusals=_no_begin,
    play=_begin,
    title=lambda state, action: say("{name} begins", name=state.name(action.player)),
)


def _no_dice_or_choice(action: Action, rule: str) -> Iterator[Refusal]:
    if action.dice or action.choice:
        yield Refusal(say("There is nothing to choose for {verb!r}.", verb=action.verb), rule)


AGREEMENTS: Final[Mapping[str, Agreement]] = {agreed.name: agreed for agreed in (QUIT, SKIP, VOID, BEGIN)}
