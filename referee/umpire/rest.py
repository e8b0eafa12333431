"""Where a game can stand and what is legal there, what stops an explanation, breaches, and tables without a throw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from referee.actions import Action, DiePosition, GameState
from referee.calls import Refusal
from referee.dice import Die, KindName, Seen, SeenDie, Zone
from referee.game import Game
from referee.judge import judge
from referee.sentences import say, say_count
from referee.umpire.tables import (
    LOST_DIE_QUESTION,
    Explanation,
    KeptDie,
    TableChange,
    answer_first,
    count_kinds,
    dice_inside,
    die_word,
    is_laid_out,
    numbers_of,
    out_of_view,
    places_left,
    positions_not_kept,
    without_zones,
)

# What no legal action explains, and the rule that it breaks


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


# Where a game can stand after what hands may do between two throws


@dataclass(frozen=True)
class ReachableState:
    """A state that the game can reach by actions by hand, the die positions in it, and its legal throws."""

    actions: tuple[Action, ...]
    state: GameState
    layout: tuple[DiePosition, ...]
    throws: tuple[tuple[Action, Counter[KindName]], ...] = field(compare=False)
    """Each with how many dice of each kind it takes."""


@lru_cache(maxsize=64)  # hypotheses about one table begin at the same state
def reachable_states(game: Game, state: GameState, implied: frozenset[str] = frozenset()) -> tuple[ReachableState, ...]:
    """Return where the game can stand after legal actions by hand, and implied ones, the fewest actions first."""
    found = {state: _reached(game, (), state, game.lay(state))}
    frontier = list(found.values())
    for _ in range(game.held_actions):
        further = [after for old in frontier for after in _one_further(game, old, implied)]
        frontier = list({after.state: after for after in further if after.state not in found}.values())
        found |= {after.state: after for after in frontier}
    return tuple(found.values())


def _reached(
    game: Game, actions: tuple[Action, ...], state: GameState, layout: tuple[DiePosition, ...]
) -> ReachableState:
    throws = (offer for offer in game.legal(state) if offer.is_throw)
    of_kinds = tuple((throw, Counter(die.kind for die in throw.dice)) for throw in throws)
    return ReachableState(actions, state, layout, of_kinds)


def as_moved(game: Game, reachable: Sequence[ReachableState], change: TableChange) -> tuple[ReachableState, ...]:
    """Return the states that begin with what hands were seen to do before the throw; () where hands did nothing."""
    by_hand = ((each, tuple(action for action in each.actions if action.verb in game.by_hand)) for each in reachable)
    return tuple(each for each, moved in by_hand if moved and moved == change.moved)


def agrees(reachable: ReachableState, change: TableChange) -> bool:
    """Return True if the dice lie as in the state; dice out of view may be in a hand, unless they were put aside."""
    if not reachable.layout or not change.bay:
        return not reachable.actions
    left_over = places_left(reachable.layout, change.kept)
    return any(all(position.zone is not Zone.ASIDE for position in left) for left in left_over)


def _one_further(game: Game, old: ReachableState, implied: frozenset[str]) -> Iterator[ReachableState]:
    for offer in game.legal(old.state):
        by_hand = offer.verb in game.by_hand and old.layout
        if by_hand or offer.verb in implied:
            after, _ = game.play(old.state, offer)
            layout = game.lay(after) or (_put_aside(old.layout, offer) if by_hand else ())
            yield _reached(game, (*old.actions, offer), after, layout)


def _put_aside(layout: Sequence[DiePosition], action: Action) -> tuple[DiePosition, ...]:
    taken = Counter(DiePosition(die, Zone.FIELD) for die in action.dice)
    return (*(Counter(layout) - taken).elements(), *(DiePosition(die, Zone.ASIDE) for die in action.dice))


# The legal throws that fit what was thrown


@dataclass(frozen=True)
class CandidateThrow:
    """A legal throw that fits the kinds of the dice thrown and the dice kept, from a state that hands can reach."""

    start: ReachableState
    offer: Action

    def filled(self, dice: Sequence[Die]) -> Action:
        """Return the throw with the faces that were thrown."""
        return replace(self.offer, dice=tuple(dice))


def find_throws(game: Game, reachable: Sequence[ReachableState], change: TableChange) -> list[CandidateThrow]:
    """Find the throws that fit, after as few actions by hand as will do where the dice still show those."""
    kinds = Counter(die.kind for die in change.thrown)
    found = [
        CandidateThrow(start, offer)
        for start in reachable
        for offer, offered in start.throws
        if offered == kinds and _leaves_kept(game, start, offer, change)
    ]
    fewest: dict[tuple[str, ...], int] = {}
    for candidate in found:
        implied, count = _implied(game, candidate), len(candidate.start.actions)
        fewest[implied] = min(count, fewest.get(implied, count))
    return [each for each in found if not each.start.layout or len(each.start.actions) == fewest[_implied(game, each)]]


def _implied(game: Game, candidate: CandidateThrow) -> tuple[str, ...]:
    """Return the actions before a throw that only the throw tells of; each such row is an explanation of its own."""
    return tuple(str(action) for action in candidate.start.actions if action.verb in game.implied)


def _leaves_kept(game: Game, start: ReachableState, offer: Action, change: TableChange) -> bool:
    """Return True if the throw leaves exactly the dice that were kept."""
    layout = game.lay(start.state)
    if not layout:
        return True
    picked = game.thrown(start.state, offer)
    unseen = (not_picked(left, picked) for left in places_left(layout, change.kept))
    return any(positions is not None and _may_be_hidden(start, change, positions) for positions in unseen)


def not_picked(left: Sequence[DiePosition], picked: Sequence[DiePosition]) -> tuple[DiePosition, ...] | None:
    """Return the dice left over without those thrown, of which some may be any of their kind; None if one was kept."""
    rest = list(left)
    for position in sorted(picked, key=lambda position: position.die.face is None):
        same_kind = (other for other in rest if position.die.face is None and position.die.kind == other.die.kind)
        match = position if position in rest else next(same_kind, None)
        if match is None:
            return None
        rest.remove(match)
    return tuple(rest)


def _may_be_hidden(start: ReachableState, change: TableChange, unseen: Sequence[DiePosition]) -> bool:
    """Return True if the unseen dice may lie out of view.

    Dice set aside before may, and so may a die with a spot of its own; without a bay also those set aside just now.
    """
    zones = (None, Zone.SIGNAL) if start.actions and change.bay else (None, Zone.SIGNAL, Zone.ASIDE)
    return all(position.zone in zones for position in unseen)


# What stops an explanation: dice that move, do not belong, or left the tray


def find_movement(after: Seen) -> Explanation | None:
    """Explain that dice still move or a hand is in the tray; None where the table is quiet."""
    if not after.at_rest:
        return Explanation(unfinished=say("The dice are still moving."))
    if after.hands_in:
        return Explanation(unfinished=say("A hand is in the tray."))
    return None


def find_strangers(state: GameState, after: Seen) -> Explanation | None:
    """Explain that more dice of a kind lie in the tray than the game has; None where none is too many.

    Leaning dice are left out: their kind is as doubtful as their face.
    """
    flat = [die for die in dice_inside(after) if not die.cocked]
    for kind, count in Counter(die.kind for die in flat).items():
        belongs = state.dice.count(kind)
        if count > belongs:
            numbers = numbers_of(die for die in flat if die.kind == kind)
            return Explanation(unfinished=_too_many(state, kind, count), dice=numbers)
    return None


def find_fallen(game: Game, state: GameState, change: TableChange) -> Explanation | None:
    """Explain that a die came to rest outside in a throw; None where none did.

    At the start of a turn the die may have been swept there with the last turn's dice, and after several throws it may
    have been laid there by hand: both are asked.
    """
    if not change.fell:
        return None
    is_certain = change.one_throw and (not change.kept or bool(game.lay(state)))
    return _turn_over_and_lost(game, state, change) or call_lost(game, state, change, is_certain)


def call_lost(game: Game, state: GameState, change: TableChange, is_certain: bool) -> Explanation:
    """Explain that a die left the table, by the game's own verb where it has one; ask unless that is certain."""
    outside = (*change.fell, *change.carried)
    calls = tuple((offer,) for offer in game.legal(state) if offer.verb == game.lost)
    if calls:
        return Explanation(calls, question="" if is_certain else LOST_DIE_QUESTION, dice=outside)
    return Explanation(unfinished=say("A die left the tray: throw the dice of this throw again."), dice=outside)


def _turn_over_and_lost(game: Game, state: GameState, change: TableChange) -> Explanation | None:
    """Explain a die that fell in what is by its count the next player's throw: whether this turn was over is asked."""
    count = len(change.thrown) + len(change.fell)
    reachable = reachable_states(game, state, game.implied)
    for each in as_moved(game, reachable, change) or reachable:
        throws = [len(offer.dice) for offer in game.legal(each.state) if offer.is_throw]
        lost = next((offer for offer in game.legal(each.state) if offer.verb == game.lost), None)
        if count in throws and not any(action.verb in game.implied for action in each.actions):
            return None
        if count in throws and lost:
            first = call_lost(game, state, change, is_certain=False)
            return replace(first, ways=((*each.actions, lost), *first.ways))
    return None


def _too_many(state: GameState, kind: KindName, count: int) -> str:
    dice, belongs = state.dice.spell(kind, count), state.dice.count(kind)
    if belongs:
        return say(
            "{dice} lie in the tray, and the game has {belongs}: take the rest away.", dice=dice, belongs=belongs
        )
    return say_count(
        "{dice} lies in the tray, and the game has none: take it away.",
        "{dice} lie in the tray, and the game has none: take them away.",
        count,
        dice=dice,
    )


# Dice moved by hand, and decisions that people tap


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
    for each in [*agreeing, _reached(game, (), state, ())]:
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
