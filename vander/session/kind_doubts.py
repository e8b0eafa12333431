"""Which dice of a throw are of which kind, where that is in doubt, and whether the ruling depends on it. Pure.

The umpire explains the throw for every likely way to give the dice their kinds, within the counts of the die set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest

from referee.actions import Action
from referee.dice import DieSet, KindName, Seen, SeenDie, Zone
from referee.umpire import NOTHING_SAID, Explanation, RethrowDue, Sayings, explain
from referee.umpire.rest import state_after
from referee.umpire.tables import LIKELY
from vander.session.match import Match
from vander.session.seen_dice import named_kinds

MOST_ASSIGNMENTS = 64
"""Kind assignments that are kept in the search, the likeliest first."""
MOST_EXPLAINED = 16
"""Kind assignments that the umpire explains: more than one or two black dice among six allow."""

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


def find_kind_doubt(  # noqa: PLR0913  # what `explain` is given
    match: Match,
    ruled: Seen,
    seen: Seen,
    *,
    moved: Sequence[Action] = (),
    tapped: Action | None = None,
    rethrow: RethrowDue | None = None,
    said: Sayings = NOTHING_SAID,
    by_tap: frozenset[str] = frozenset(),
) -> KindDoubt | None:
    """Return the doubt about a kind on which the ruling on a throw depends; None without one, and while a die leans."""
    thrown = [die for die in seen.dice if die.throw > ruled.throw and die.zone is not Zone.OUT]
    doubtful = [die for die in thrown if die.kinds]
    if not doubtful or any(die.cocked for die in thrown):
        return None
    assignments = likely_kinds(match.start.dice, seen, doubtful)[:MOST_EXPLAINED]
    tables = [_with_kinds(seen, kinds) for kinds in (*assignments, {})]
    explained = [
        explain(match.game, match.state, ruled, table, tapped, moved=moved, rethrow=rethrow, said=said, by_tap=by_tap)
        for table in tables
    ]
    if len({_outcome(match, each) for each in explained}) == 1 and not _is_illegal(explained):
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
        found = nlargest(MOST_ASSIGNMENTS, further, key=lambda each: each.share)
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
