"""Tables on which nothing was thrown: dice moved by hand, and decisions that people tap."""

from __future__ import annotations

from dataclasses import replace

from referee.actions import Action
from referee.calls import Refusal
from referee.game import Game
from referee.game_state import GameState
from referee.judge import judge
from referee.umpire.breaches import explain_touched, find_fault
from referee.umpire.explanation import Explanation
from referee.umpire.obstacles import call_lost
from referee.umpire.placement import is_laid_out, without_zones
from referee.umpire.reachable import ReachableState, agrees, reachable_states
from referee.umpire.table_change import TableChange
from referee.umpire.wording import answer_first, out_of_view


def explain_rest(game: Game, state: GameState, change: TableChange) -> Explanation:
    """Explain a table on which nothing was thrown, and nothing was tapped."""
    if not is_laid_out(game.lay(state), without_zones(change.kept)):
        return explain_touched(game, change)
    if change.carried:
        return call_lost(game, state, change, is_certain=False)
    reached = next((each for each in reachable_states(game, state) if agrees(each, change)), None)
    if not reached:
        return Explanation(unfinished=find_fault(game, state, change, ()).sentence, dice=change.kept_aside)
    if reached.actions:
        return Explanation(unfinished=game.tell(reached.state), pending=reached.actions)
    return Explanation(unfinished=out_of_view(change.missing))


def explain_tap(game: Game, state: GameState, change: TableChange, tapped: Action) -> Explanation:
    """Explain a table on which nothing was thrown, together with the action that was tapped."""
    agreeing = [each for each in reachable_states(game, state) if agrees(each, change)]
    for each in [*agreeing, ReachableState((), state, ())]:
        if not judge(game, each.state, tapped).refusal:
            return Explanation(((*each.actions, tapped),))
    over = next((each for each in agreeing if each.actions and tapped.player not in each.state.to_act), None)
    if over:
        return Explanation((over.actions,))
    if not agreeing and change.kept_aside:
        fault = find_fault(game, state, change, ())
        return Explanation(breach=fault.sentence, rule=fault.rule, dice=change.kept_aside)
    return _refused(game, agreeing[0].state if agreeing else state, tapped)


def then_tap(game: Game, state: GameState, found: Explanation, tapped: Action) -> Explanation:
    """Add a tapped action to the one way that explains the table, where there is one and nothing has to be asked."""
    if len(found.ways) == 1 and found.question:
        return Explanation(unfinished=answer_first(found.question), dice=found.dice)
    if len(found.ways) != 1 or found.unsure_dice:
        return found
    after = state_after(game, state, found.ways[0])
    if judge(game, after, tapped).refusal:
        return _refused(game, after, tapped)
    return replace(found, ways=((*found.ways[0], tapped),))


def state_after(game: Game, state: GameState, way: tuple[Action, ...]) -> GameState:
    """Return where the game stands after a way."""
    for action in way:
        state = judge(game, state, action).state
    return state


def _refused(game: Game, state: GameState, tapped: Action) -> Explanation:
    why = judge(game, state, tapped).refusal or Refusal("", "")
    return Explanation(breach=why.sentence, rule=why.rule)
