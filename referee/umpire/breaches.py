"""Breaches: what the table shows that no legal action explains, and the rule that it breaks."""

from __future__ import annotations

from collections.abc import Sequence

from referee.actions import DiePosition
from referee.calls import Refusal
from referee.dice import Die, SeenDie, Zone
from referee.game import Game
from referee.game_state import GameState
from referee.sentences import say
from referee.umpire.explanation import Explanation
from referee.umpire.placement import is_laid_out, positions_not_kept, without_zones
from referee.umpire.table_change import KeptDie, TableChange, count_kinds, numbers_of
from referee.umpire.wording import die_word


def explain_breach(game: Game, state: GameState, change: TableChange) -> Explanation:
    """Explain a throw that fits no legal action."""
    layout = game.lay(state)
    if layout and not is_laid_out(layout, without_zones(change.kept)):
        return explain_touched(game, change)
    fault = find_fault(game, state, change, change.thrown)
    return Explanation(breach=fault.sentence, rule=fault.rule, dice=numbers_of(change.thrown))


def explain_touched(game: Game, change: TableChange) -> Explanation:
    """Explain dice that were not thrown and show something else all the same."""
    if not change.turned:
        sentence = say("Dice have changed, but none was thrown.")
        return Explanation(breach=sentence, rule=game.cite("touched"))
    sentence = say("{turned} without being thrown.", turned=turned_words(change.turned[0], change))
    return Explanation(breach=sentence, rule=game.cite("touched"), dice=numbers_of(change.turned))


def turned_words(die: KeptDie, change: TableChange) -> str:
    """Return the words that a die was turned from one face to another."""
    old, new = die_word(change.known[die.number].die), die_word(die.dice[0])
    return say("A die was turned from {old} to {new}", old=old, new=new)


def find_fault(game: Game, state: GameState, change: TableChange, thrown: Sequence[SeenDie]) -> Refusal:
    """Return what the game says is wrong with these dice thrown and the others kept."""
    layout = game.lay(state)
    if not layout:
        return game.fault(state, tuple(DiePosition(Die(die.kind), Zone.FIELD) for die in thrown), ())
    kept = tuple(_position_of(die, change) for die in change.kept)
    return game.fault(state, _lay_before(thrown, positions_not_kept(layout, change)), kept)


def _lay_before(thrown: Sequence[SeenDie], left: Sequence[DiePosition]) -> tuple[DiePosition, ...]:
    """Return where the thrown dice lay: as many of those left over of each kind, the field first; others are hidden."""
    on_field_first = sorted(left, key=lambda position: position.zone is not Zone.FIELD)
    counts = count_kinds(thrown)
    of_kind = {kind: [position for position in on_field_first if position.die.kind == kind] for kind in counts}
    return tuple(position for kind, count in counts.items() for position in of_kind[kind][:count])


def _position_of(die: KeptDie, change: TableChange) -> DiePosition:
    if die.zone is None and die.number in change.known:
        return change.known[die.number]
    return die.position
