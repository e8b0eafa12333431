"""Doubts: which kind a die is of, and which throws nobody saw may have been made. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import nlargest

from referee.actions import Action, DiePosition, GameState
from referee.dice import DieSet, KindName, Seen, SeenDie, Zone, closest_pairs
from referee.game import Game
from referee.judge import judge
from referee.sentences import say
from referee.umpire import Explanation, describe, differs
from referee.umpire.rest import ReachableState, not_picked, reachable_states, state_after
from referee.umpire.tables import LIKELY, dice_inside, dice_words, lies_at
from referee.umpire.throws import MOST_NAMED, MOST_READINGS
from vander.table.match import Match
from vander.table.seen_dice import named_kinds

# Kinds
#
# The umpire explains the throw for every likely way to give the dice their kinds, within the counts of the die set.

Kinds = Mapping[int, KindName]
"""The kinds of some dice, by their numbers."""


@dataclass(frozen=True)
class KindDoubt:
    """It is in doubt which of these dice is of a kind, and the ruling depends on it; it may be none of them.

    `dice` are in the order of how likely they are of the kind, the likeliest first.
    """

    kind: KindName
    dice: tuple[SeenDie, ...]
    may_be_none: bool


@dataclass(frozen=True)
class _Assignment:
    """Kinds given to some dice, how likely they are together, and how many dice of each kind are left to give."""

    kinds: Kinds
    share: float
    left: Mapping[KindName, int]

    def given(self, die: SeenDie, kind: KindName, share: float) -> _Assignment:
        left = {**self.left, kind: self.left[kind] - 1}
        return _Assignment({**self.kinds, die.number: kind}, self.share * share, left)


def find_kind_doubt(
    match: Match, ruled: Seen, seen: Seen, explained: Callable[[Seen], Explanation]
) -> KindDoubt | None:
    """Return the doubt about a kind on which the ruling on a throw depends; None without one, and while a die leans.

    `explained` is what the umpire says of a table.
    """
    thrown = [die for die in seen.dice if die.throw > ruled.throw and die.zone is not Zone.OUT]
    doubtful = [die for die in thrown if die.kinds]
    if not doubtful or any(die.cocked for die in thrown):
        return None
    assignments = likely_kinds(match.start.dice, seen, doubtful)
    found = [explained(_with_kinds(seen, kinds)) for kinds in (*assignments, {})]
    if len({_outcome(match, each) for each in found}) == 1 and not _is_illegal(found):
        return None
    return _doubt(match.start.dice, thrown, assignments)


def likely_kinds(dice: DieSet, seen: Seen, doubtful: Sequence[SeenDie]) -> list[Kinds]:
    """Return the likely ways to give doubtful dice their kinds, the likeliest first, within the counts of the set."""
    numbers = {die.number for die in doubtful}
    others = Counter(die.kind for die in seen.dice if die.zone is not Zone.OUT and die.number not in numbers)
    found = [_Assignment({}, 1.0, {kind.name: count - others[kind.name] for kind, count in dice.counts})]
    for die in doubtful:
        further = (
            each.given(die, kind, share)
            for each in found
            for kind, share in _likely_kinds_of(dice, die)
            if each.left[kind] > 0
        )
        found = nlargest(MOST_READINGS, further, key=lambda each: each.share)
    return [each.kinds for each in found]


def _likely_kinds_of(dice: DieSet, die: SeenDie) -> Iterable[tuple[KindName, float]]:
    """The likely kinds of a die that have a face which it may show."""
    return ((kind, share) for kind, share in die.kinds if share >= LIKELY and _may_be(dice, die, kind))


def _may_be(dice: DieSet, die: SeenDie, kind: KindName) -> bool:
    faces = {face for face, _ in die.faces}
    return any(faces & set(known.faces) for known in named_kinds(dice, kind))


def _with_kinds(seen: Seen, kinds: Kinds) -> Seen:
    """The table with these kinds and the likeliest faces: a doubt about a face is asked once the kinds are known."""
    dice = (replace(die, kind=kinds.get(die.number, die.kind), faces=die.faces[:1]) for die in seen.dice)
    return replace(seen, dice=tuple(dice))


def _outcome(match: Match, explained: Explanation) -> object:
    """What two explanations share where the ruling is the same."""
    ends = tuple(state_after(match.game, match.state, way) for way in (*explained.ways, explained.pending))
    return ends, explained.breach, explained.unfinished, bool(explained.question)


def _is_illegal(explained: Sequence[Explanation]) -> bool:
    """True if nothing legal remains, whichever kinds the dice are of."""
    return any(each.breach for each in explained) and not any(each.ways for each in explained)


def _doubt(dice: DieSet, thrown: Sequence[SeenDie], assignments: Sequence[Kinds]) -> KindDoubt:
    """The doubt to ask about: of the kinds in question that with the fewest dice in the set."""
    doubtful = [die for die in thrown if die.kinds]
    in_question = [kind for die in doubtful for kind, _ in die.kinds]
    kind = min(in_question, key=dice.count)
    known = [die for die in thrown if _may_be(dice, die, kind) and (die.kinds or die.kind != kind)]
    may_be_none = not assignments or any(kind not in kinds.values() for kinds in assignments)
    return KindDoubt(kind, tuple(sorted(known, key=lambda die: -dict(die.kinds).get(kind, 0.0))), may_be_none)


def kinds_left(
    dice: DieSet, seen: Seen, asked: Iterable[int], answer: int | None, kind: KindName
) -> Mapping[int, tuple[KindName, ...]]:
    """Return the kinds that dice may still be of after an answer: that die is of the kind, or (None) none of them is.

    The other dice in doubt follow from the counts.
    """
    concerned = [die for die in seen.dice if die.number in asked and (die.kinds or die.number == answer)]
    told = [_told(die, answer, kind) for die in concerned]
    found = likely_kinds(dice, seen, told)
    possible = {die.number: tuple(dict.fromkeys(kinds[die.number] for kinds in found)) for die in told}
    return {die.number: possible[die.number] or tuple(name for name, _ in die.kinds) or (die.kind,) for die in told}


def _told(die: SeenDie, answer: int | None, kind: KindName) -> SeenDie:
    """The die with the kinds that the answer leaves for it by itself."""
    if die.number == answer:
        return replace(die, kinds=((kind, 1.0),))
    if answer is not None:
        return die
    return replace(die, kinds=tuple((name, share) for name, share in die.kinds if name != kind))


# Throws that nobody saw
#
# Only the table as it lies is known: which dice were thrown is worked out from what the rules lay out before and after.

LEAST_CHANGED = 4
"""Of the dice of a throw that takes all of them, one in so many at least shows what none did before."""

UnseenWay = tuple[Action, ...]
"""What hands did, and the throw after it, with the faces that lie there."""


def find_unseen_throws(
    game: Game, state: GameState, seen: Seen, thrown: Collection[int] | None = None, *, is_sure: bool = False
) -> tuple[UnseenWay, ...]:
    """Return the ways in which one legal throw leads from a state to the table as it lies; () where none does.

    `thrown` are the numbers of the dice that were thrown, where that is known; `is_sure`: some were, though all may lie
    as before. Ways that lead to the same state are one. A throw for which the turn before it has to be over counts only
    where no other fits, since a throw of all dice fits whatever lies there. MOST_NAMED are offered at most; those that
    end no turn, and take the fewest dice, come first.
    """
    ends: dict[GameState, UnseenWay] = {}
    starts = reachable_states(game, state, game.implied)
    changed = _changed(game.lay(state), seen)
    found = (way for way in _ways(game, starts, seen, thrown) if thrown or is_sure or _is_likely(way, changed, seen))
    for way in sorted(found, key=lambda way: (_implied(game, way), len(way[-1].dice), len(way))):
        end = _state_after(game, state, way)
        if end is not None and not differs(game, end, seen):
            ends.setdefault(end, way)
    within = tuple(way for way in ends.values() if not _implied(game, way))
    return (within or tuple(ends.values()))[:MOST_NAMED]


def unseen_title(game: Game, state: GameState, way: UnseenWay) -> str:
    """Return a way in words, with what was thrown: `Save 3, then Roll 5 dice: 1, 1, 2, 4, 6`."""
    return say("{way}: {dice}", way=describe(game, state, way), dice=dice_words(way[-1].dice))


def _changed(layout: Sequence[DiePosition], seen: Seen) -> int:
    """Return how many dice show what no die of the layout does."""
    there = Counter(die.die for die in dice_inside(seen))
    return (there - Counter(position.die for position in layout)).total()


def _is_likely(way: UnseenWay, changed: int, seen: Seen) -> bool:
    """True if enough dice changed for a throw. One that takes all dice fits any table on which a die was turned."""
    is_of_all = len(way[-1].dice) == len(dice_inside(seen))
    return changed * LEAST_CHANGED >= len(way[-1].dice) if is_of_all else changed > 0


def _implied(game: Game, way: UnseenWay) -> int:
    return sum(action.verb in game.implied for action in way)


def _ways(
    game: Game, starts: Sequence[ReachableState], seen: Seen, known: Collection[int] | None
) -> Iterator[UnseenWay]:
    for start in starts:
        for offer in game.legal(start.state):
            thrown = _thrown(game, start, offer, seen, known or ()) if offer.is_throw else None
            if thrown is not None and (known is None or {die.number for die in thrown} == set(known)):
                yield *start.actions, replace(offer, dice=tuple(die.die for die in thrown))


def _thrown(
    game: Game, start: ReachableState, offer: Action, seen: Seen, known: Collection[int]
) -> Sequence[SeenDie] | None:
    """Return the dice that were thrown if it was this throw: all that the others leave; None where they do not fit."""
    kept = not_picked(start.layout, game.thrown(start.state, offer)) if start.layout else ()
    # Dice that were thrown are kept last; of the others, one that nobody needs is more likely in the bay.
    lying = sorted(dice_inside(seen), key=lambda die: (die.number in known, die.zone is Zone.FIELD))
    if kept is None:
        return None
    placed = closest_pairs(kept, lying, partial(_says_little, bay=seen.bay))
    left = [die for die in lying if all(die is not other for _, other in placed)]
    is_all = len(placed) == len(kept) and Counter(die.kind for die in left) == Counter(die.kind for die in offer.dice)
    return left if is_all else None


def _says_little(position: DiePosition, die: SeenDie, *, bay: bool) -> int | None:
    """Return how little a position says of the die that lies there; None of one that does not."""
    return 2 * (position.die.face is None) + (position.zone is None) if lies_at(die, position, bay) else None


def _state_after(game: Game, state: GameState, way: UnseenWay) -> GameState | None:
    for action in way:
        ruling = judge(game, state, action)
        if ruling.refusal:
            return None
        state = ruling.state
    return state
