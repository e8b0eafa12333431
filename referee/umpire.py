"""The umpire: from what changed on the real table to the legal actions that explain it.

The dice that moved in a throw are the thrown ones; all others were kept, and lie where the state has them or where a
hand has put them since. An explanation is a row of actions by hand and at most one throw, such that every kept die has
its place in what the rules lay out and the thrown ones are what is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, product
from math import prod
from typing import Final

from referee.dice import Die, FaceName, KindName, Seen, SeenDie, Zone, in_order, number_on
from referee.game import Action, DiePosition, Game, GameState, Refusal, judge

LIKELY: Final = 0.02
"""The probability from which a runner-up counts among the likely faces of a die."""
MOST_READINGS: Final = 64
"""How many combinations of likely faces are ruled on, before only the two likeliest of each die are."""
FEW: Final = 3
"""So many ways a question names; of more, those are offered first by which the most was done, as players mostly do."""
LEFT: Final = "Has a die left the table?"


@dataclass(frozen=True)
class Explained:
    """What the change on the table means.

    `ways` are the legal explanations, each a sequence of actions with their faces filled in:
    one way is taken (one with a `question` has to be asked: the table may mean something else),
    several are asked, none with a `breach` is a breach; none without one means that nothing
    that matters happened, or that the player is not finished (`unfinished` says with what).
    `pending` are the actions that the dice moved by hand already amount to, held back until the next throw or tap:
    what may be done next is `legal` after them. `doubts` are the numbers of the dice whose face must be asked,
    because the likely faces lead to different rulings.
    `dice` are the numbers of the dice that the breach or the question is about, for the picture.
    With a tap, `breach` is the reason why the decision is refused.
    """

    ways: tuple[tuple[Action, ...], ...] = ()
    question: str = ""
    breach: str = ""
    rule: str = ""
    unfinished: str = ""
    doubts: tuple[int, ...] = ()
    dice: tuple[int, ...] = ()
    pending: tuple[Action, ...] = ()


@dataclass(frozen=True)
class _Kept:
    """A die that was not thrown: what it may be, and where it lies (None: where it lies says nothing)."""

    number: int
    dice: tuple[Die, ...]
    zone: Zone | None

    @property
    def lying(self) -> DiePosition:
        return DiePosition(self.dice[0], self.zone or Zone.FIELD)


@dataclass(frozen=True)
class _Table:
    """The change, sorted: the dice thrown, those kept, those outside, and the known identities of the last ruling.

    `fell` came to rest outside in a throw, `carried` lie there by hand. `vanished` counts the dice that went out of
    view, `missing` those that are not in view and should be. `exposed` are the dice that a throw may bump: all but
    one on a spot of its own. `one_throw` says that there was no more than one throw: dice of an earlier one, which
    nobody has ruled on, may have been moved by hand since. `come` counts the dice that are in view and were not at
    the last ruling. `moved` is what hands were seen to do before the throw.
    """

    thrown: tuple[SeenDie, ...]
    kept: tuple[_Kept, ...]
    fell: tuple[int, ...]
    carried: tuple[int, ...]
    vanished: Counter[KindName]
    missing: int
    known: dict[int, DiePosition]
    exposed: frozenset[int]
    bay: bool
    one_throw: bool
    come: Counter[KindName]
    moved: tuple[Action, ...] = ()


@dataclass(frozen=True)
class _Stand:
    """Where the game would stand after some actions by hand, and where the dice would lie."""

    held: tuple[Action, ...]
    state: GameState
    layout: tuple[DiePosition, ...]


@dataclass(frozen=True)
class _Candidate:
    """A throw that fits the kinds of the dice thrown and the dice left lying."""

    stand: _Stand
    offer: Action

    def filled(self, dice: Sequence[Die]) -> Action:
        return replace(self.offer, dice=tuple(dice))


def explain(  # noqa: PLR0913  # the table before and after, and what people did between
    game: Game,
    state: GameState,
    before: Seen,
    after: Seen,
    tapped: Action | None = None,
    *,
    moved: Sequence[Action] = (),
) -> Explained:
    """Find the legal actions that turn `before` into `after`; with `tapped`, ways that end with that decision.

    `before` is the table as last ruled on, `after` the settled table now. `moved` is what was `pending` when the
    table was last seen at rest between the two: a throw that takes all dice no longer shows where they lay. Nothing
    is ruled on here: the caller plays the way that is taken.
    """
    table = replace(_sort(game, state, before, after), moved=tuple(moved))
    nothing_thrown = not table.thrown and not (table.fell and game.lay(state))
    if tapped and (nothing_thrown or tapped.verb == game.lost):
        return _tapped(game, state, table, tapped)
    waiting = _waiting(after)
    if nothing_thrown and not game.lay(state):
        return waiting or Explained()
    found = waiting or _strangers(state, after) or _fell(game, state, table) or _cocked(game, before, after)
    found = found or (_at_rest if nothing_thrown else _thrown)(game, state, table)
    return _then(game, state, found, tapped) if tapped else found


def differs(game: Game, state: GameState, seen: Seen) -> str:
    """On resuming: one sentence saying where the real table is not as the state has it, or ''."""
    layout = game.lay(state)
    if not layout:
        return ""
    kept = tuple(_Kept(die.number, _likely(state, die), die.zone if seen.bay else None) for die in _inside(seen))
    wanted, there = _words(lying.die for lying in layout), _words(die.die for die in _inside(seen))
    if len(kept) < len(layout) or _no_place(layout, _anywhere(kept)):
        return f"The game stands with {wanted} on the table, and {there or 'nothing'} lies there."
    if not _no_place(layout, kept):
        return ""
    aside = _words(lying.die for lying in layout if lying.zone is Zone.ASIDE)
    return f"The dice show what they should, but {aside or 'no die'} should lie in the bay and the rest on the field."


def describe(game: Game, state: GameState, way: Sequence[Action]) -> str:
    """A way in words, for the button that takes it; of a long row of the same, the first and the last."""
    titles = []
    for _verb, row in groupby(_titled(game, state, way), key=lambda titled: titled[0]):
        same = [title for _, title in row]
        titles += same if len(same) < FEW else [f"{same[0]}, and so on to {same[-1]}"]
    return ", then ".join(titles)


def _titled(game: Game, state: GameState, way: Sequence[Action]) -> Iterator[tuple[str, str]]:
    for action in way:
        yield action.verb, game.offer_title(state, action)
        state = judge(game, state, action).state


# Sorting the table


def _sort(game: Game, state: GameState, before: Seen, after: Seen) -> _Table:
    layout = game.lay(state)
    known = _known(layout, before)
    old = {die.number: die for die in before.dice}
    inside = _inside(after)
    thrown = tuple(die for die in inside if die.throw > before.throw)
    kept = tuple(_keep(state, die, old.get(die.number), known, after.bay) for die in inside if die not in thrown)
    outside = [die for die in after.dice if die.zone is Zone.OUT]
    fell = tuple(die.number for die in outside if die.throw > before.throw)
    moved = (die.number for die in outside if die.number not in fell)
    carried = tuple(number for number in moved if after.bay and _left_by_hand(old.get(number), known.get(number)))
    one_throw = {die.throw for die in (*inside, *outside) if die.throw > before.throw} <= {before.throw + 1}
    hidden = _hidden(state, layout, after)
    gone = (_kinds(before.dice) - _kinds(after.dice)) & hidden if layout else hidden
    away = sum(lying.zone is None or (lying.zone is not Zone.FIELD and not after.bay) for lying in layout)
    missing = max(0, hidden.total() - away)
    exposed = frozenset(die.number for die in before.dice if die.zone is not Zone.SIGNAL)
    come = _kinds(inside) - _kinds(before.dice)
    return _Table(thrown, kept, fell, carried, gone, missing, known, exposed, after.bay, one_throw, come)


def _inside(seen: Seen) -> tuple[SeenDie, ...]:
    return tuple(die for die in seen.dice if die.zone is not Zone.OUT)


def _known(layout: Sequence[DiePosition], before: Seen) -> dict[int, DiePosition]:
    """Which die of the last ruling is which: by face and place, else by face, else (a corrected reading) by kind."""
    left, known = list(layout), dict[int, DiePosition]()
    for closeness in (3, 2, 1):
        for seen in _inside(before):
            match = next((lying for lying in left if _closeness(lying, seen) >= closeness), None)
            if seen.number not in known and match:
                known[seen.number] = match
                left.remove(match)
    return known


def _closeness(lying: DiePosition, seen: SeenDie) -> int:
    if lying.die.kind != seen.kind:
        return 0
    if lying.die != seen.die:
        return 1
    return 3 if lying.zone in (None, seen.zone) else 2


def _keep(state: GameState, die: SeenDie, old: SeenDie | None, known: dict[int, DiePosition], bay: bool) -> _Kept:
    lying = known.get(die.number)
    likely = _likely(state, die)
    if not lying or not old:
        return _Kept(die.number, likely, _place(die) if bay else None)
    unchanged = die.die == old.die or lying.die in likely
    moved = die.zone is not old.zone
    return _Kept(
        die.number, (lying.die,) if unchanged else likely, _place(die) if bay and _says(lying, die, moved) else None
    )


def _says(lying: DiePosition, die: SeenDie, moved: bool) -> bool:
    """Whether the place of a die means something: not when it has lain in the wrong one since the last ruling."""
    return moved or lying.zone is _place(die)


def _place(die: SeenDie) -> Zone:
    return Zone.ASIDE if die.zone is Zone.SIGNAL else die.zone


def _likely(state: GameState, die: SeenDie) -> tuple[Die, ...]:
    faces = [face for face, probability in die.faces[1:] if probability >= LIKELY]
    return tuple(Die(die.kind, face) for face in [*(face for face, _ in die.faces[:1]), *faces] or _all(state, die))


def _all(state: GameState, die: SeenDie) -> tuple[FaceName, ...]:
    return next((kind.faces for kind in state.dice.kinds if kind.name == die.kind), ())


def _left_by_hand(old: SeenDie | None, lying: DiePosition | None) -> bool:
    """Whether a die outside has left the tray; one that belongs on a spot of its own may lie there."""
    return bool(old and old.zone is not Zone.OUT and lying and lying.zone not in (None, Zone.SIGNAL))


def _hidden(state: GameState, layout: Sequence[DiePosition], after: Seen) -> Counter[KindName]:
    """The dice that are nowhere in view, of those that the layout or else the next throw needs."""
    needed = [lying.die for lying in layout] or state.dice_awaited
    return _kinds(needed) - _kinds(after.dice)


def _kinds(dice: Iterable[Die | SeenDie]) -> Counter[KindName]:
    return Counter(die.kind for die in dice)


# Before anything is explained


def _waiting(after: Seen) -> Explained | None:
    if not after.at_rest:
        return Explained(unfinished="The dice are still moving.")
    if after.hands_in:
        return Explained(unfinished="A hand is in the tray.")
    return None


def _strangers(state: GameState, after: Seen) -> Explained | None:
    for kind, count in Counter(die.kind for die in _inside(after)).items():
        belongs = state.dice.count(kind)
        if count > belongs:
            numbers = _numbers(die for die in _inside(after) if die.kind == kind)
            return Explained(unfinished=_too_many(state, kind, count), dice=numbers)
    return None


def _too_many(state: GameState, kind: KindName, count: int) -> str:
    title = next((known.title for known in state.dice.kinds if known.name == kind), kind)
    lie = f"1 die of the kind {title} lies" if count == 1 else f"{count} dice of the kind {title} lie"
    belongs = state.dice.count(kind)
    away = f"the game has {belongs}: take the rest away" if belongs else f"the game has none: take {_it(count)} away"
    return f"{lie} in the tray, and {away}."


def _it(count: int) -> str:
    return "it" if count == 1 else "them"


def _cocked(game: Game, before: Seen, after: Seen) -> Explained | None:
    cocked = [die for die in _inside(after) if die.cocked]
    if not cocked:
        return None
    again = any(die.throw > before.throw for die in cocked)
    sentence = (
        "A die does not lie flat: roll that die again." if again else "A die does not lie flat: set it down as it was."
    )
    return Explained(unfinished=sentence, rule=game.cite("cocked"), dice=tuple(die.number for die in cocked))


def _fell(game: Game, state: GameState, table: _Table) -> Explained | None:
    """A die came to rest outside; at the start of a turn it may have been swept there with the last one's dice.

    After several throws it may have been laid there by hand: that is asked.
    """
    if not table.fell:
        return None
    certain = table.one_throw and (not table.kept or bool(game.lay(state)))
    return _over_and_lost(game, state, table) or _call_lost(game, state, table, certain)


def _over_and_lost(game: Game, state: GameState, table: _Table) -> Explained | None:
    """A die fell in what is by its count the next player's throw: whether this turn was over is asked."""
    count = len(table.thrown) + len(table.fell)
    stands = tuple(_stands(game, state, game.implied))
    for stand in _as_moved(game, stands, table) or stands:
        throws = [len(offer.dice) for offer in game.legal(stand.state) if offer.is_throw]
        lost = next((offer for offer in game.legal(stand.state) if offer.verb == game.lost), None)
        if count in throws and not any(action.verb in game.implied for action in stand.held):
            return None
        if count in throws and lost:
            first = _call_lost(game, state, table, certain=False)
            return replace(first, ways=((*stand.held, lost), *first.ways))
    return None


def _call_lost(game: Game, state: GameState, table: _Table, certain: bool) -> Explained:
    outside = (*table.fell, *table.carried)
    calls = tuple((offer,) for offer in game.legal(state) if offer.verb == game.lost)
    if calls:
        return Explained(calls, question="" if certain else LEFT, dice=outside)
    return Explained(unfinished="A die left the tray: throw the dice of this throw again.", dice=outside)


# Nothing thrown


def _at_rest(game: Game, state: GameState, table: _Table) -> Explained:
    layout = game.lay(state)
    if _no_place(layout, _anywhere(table.kept)):
        return _touched(game, table)
    if table.carried:
        return _call_lost(game, state, table, certain=False)
    stand = next((stand for stand in _stands(game, state) if _agrees(stand, table)), None)
    if not stand:
        return Explained(unfinished=_fault(game, state, table, ()).sentence, dice=_aside(table))
    if stand.held:
        return Explained(unfinished=game.tell(stand.state), pending=stand.held)
    return Explained(unfinished=_in_hand(table.missing))


def _in_hand(count: int) -> str:
    if not count:
        return ""
    return f"{'1 die is' if count == 1 else f'{count} dice are'} not in view: in a hand, or off the table."


def _aside(table: _Table) -> tuple[int, ...]:
    return tuple(die.number for die in table.kept if die.zone is Zone.ASIDE)


def _tapped(game: Game, state: GameState, table: _Table, tapped: Action) -> Explained:
    agreeing = [stand for stand in _stands(game, state) if _agrees(stand, table)]
    for stand in [*agreeing, _Stand((), state, ())]:
        if not judge(game, stand.state, tapped).refusal:
            return Explained(((*stand.held, tapped),))
    over = next((stand for stand in agreeing if stand.held and tapped.player not in stand.state.to_act), None)
    if over:
        return Explained((over.held,))
    if not agreeing and _aside(table):
        fault = _fault(game, state, table, ())
        return Explained(breach=fault.sentence, rule=fault.rule, dice=_aside(table))
    return _refused(game, agreeing[0].state if agreeing else state, tapped)


def _refused(game: Game, state: GameState, tapped: Action) -> Explained:
    why = judge(game, state, tapped).refusal or Refusal("", "")
    return Explained(breach=why.sentence, rule=why.rule)


def _then(game: Game, state: GameState, found: Explained, tapped: Action) -> Explained:
    if len(found.ways) == 1 and found.question:
        return Explained(unfinished=f"Answer first: {found.question}", dice=found.dice)
    if len(found.ways) != 1 or found.doubts:
        return found
    state = _after(game, state, found.ways[0])
    return (
        _refused(game, state, tapped)
        if judge(game, state, tapped).refusal
        else replace(found, ways=((*found.ways[0], tapped),))
    )


# A throw


def _thrown(game: Game, state: GameState, table: _Table) -> Explained:
    stands = tuple(_stands(game, state, game.implied))
    candidates = _candidates(game, _as_moved(game, stands, table), table) or _candidates(game, stands, table)
    if candidates:
        found = _asked_once(game, state, _read(game, state, candidates, table.thrown), stands, table)
        unsure = game.lost and (table.carried or (table.vanished and (table.bay or candidates[0].stand.held)))
        return _or_lost(game, state, found, table) if unsure else found
    if table.vanished or table.carried:
        return _call_lost(game, state, table, certain=False)  # a die out of view may be in a hand, or hidden
    return _bumped(game, state, stands, table) or _breach(game, state, table)


def _asked_once(game: Game, state: GameState, found: Explained, stands: Sequence[_Stand], table: _Table) -> Explained:
    """Ask about the one way that was found, where the dice may mean something else all the same."""
    if len(found.ways) != 1:
        return found
    way = found.ways[0]
    doubt = (
        _thrown_twice(table)
        or _turned_meanwhile(game, state, way, table)
        or _only_moved(game, state, way, table)
        or _only_come(table)
        or _lost_unseen(game, way, stands, table)
    )
    if not doubt:
        return found
    sentence, dice = doubt
    return replace(found, question=f"{sentence}: was it all this: {describe(game, state, way)}?", dice=dice)


_Doubt = tuple[str, tuple[int, ...]]


def _thrown_twice(table: _Table) -> _Doubt | None:
    """Dice of several throws may not be one, unless each further one was a single die: a leaning one, again."""
    if not _in_throws(table.thrown):
        return None
    return "The dice were thrown more than once", _numbers(table.thrown)


def _turned_meanwhile(game: Game, state: GameState, way: Sequence[Action], table: _Table) -> _Doubt | None:
    """A die that was not thrown, and still counts, shows another face: turned, or mistaken for another in a hand."""
    turned = _turned(table)
    if not turned or not game.lay(_after(game, state, way[:-1])):
        return None
    return f"{_turning(turned[0], table)} without being thrown", _numbers(turned)


def _only_moved(game: Game, state: GameState, way: Sequence[Action], table: _Table) -> _Doubt | None:
    """A single die may only have been nudged when nothing else changed, and it shows what it showed."""
    alone = len(table.thrown) == 1 and len(_likely(state, table.thrown[0])) == 1
    if not alone or not _same(state, table.thrown[0], table):
        return None
    if _no_place(game.lay(state), _without(table, table.thrown).kept):
        return None
    after = _after(game, state, way)
    if game.tell(after) == game.tell(state) and game.legal(after) == game.legal(state):
        return None
    return "The one die that moved shows what it showed", _numbers(table.thrown)


def _only_come(table: _Table) -> _Doubt | None:
    """Dice that nobody had in view at the last ruling may have been overlooked, or laid down again."""
    if not table.kept or _kinds(table.thrown) - table.come:
        return None
    sentence = "A die was not in view before" if len(table.thrown) == 1 else "Dice were not in view before"
    return sentence, _numbers(table.thrown)


def _after(game: Game, state: GameState, way: Sequence[Action]) -> GameState:
    for action in way:
        state = judge(game, state, action).state
    return state


def _lost_unseen(game: Game, way: Sequence[Action], stands: Sequence[_Stand], table: _Table) -> _Doubt | None:
    """Dice that went out of view may have been thrown with the others; a throw without doubt ends no turn for that."""
    if game.lost or not table.vanished:
        return None
    silent = any(action.verb in game.implied for action in way)
    near = [each for each in stands if silent or not any(action.verb in game.implied for action in each.held)]
    if not any(_candidates(game, near, _with_more(table, more)) for more in _some_of(table.vanished)):
        return None
    return _in_hand(table.vanished.total())[:-1], _numbers(table.thrown)


def _with_more(table: _Table, more: Counter[KindName]) -> _Table:
    unseen = tuple(SeenDie(0, kind, (), Zone.FIELD, 0) for kind in more.elements())
    return replace(table, thrown=(*table.thrown, *unseen))


def _some_of(kinds: Counter[KindName]) -> Iterator[Counter[KindName]]:
    numbers = product(*(range(count + 1) for count in kinds.values()))
    return (Counter(dict(zip(kinds, each, strict=True))) for each in numbers if any(each))


def _in_throws(thrown: Sequence[SeenDie]) -> bool:
    _, *later = sorted(Counter(die.throw for die in thrown).items())
    return any(count > 1 for _, count in later) or bool(later and any(die.zone is Zone.ASIDE for die in thrown))


def _or_lost(game: Game, state: GameState, found: Explained, table: _Table) -> Explained:
    """The throw is in order, but a die that was set aside before is no longer in view: it may have fallen."""
    lost = _call_lost(game, state, table, certain=False)
    return replace(found, ways=(*found.ways, *lost.ways), question=LEFT) if found.ways else found


def _candidates(game: Game, stands: Sequence[_Stand], table: _Table) -> list[_Candidate]:
    """The throws that fit, after as little moving by hand as will do, where the dice still show what was moved."""
    kinds = Counter(die.kind for die in table.thrown)
    found = [
        _Candidate(stand, offer)
        for stand in stands
        for offer in game.legal(stand.state)
        if offer.is_throw and Counter(die.kind for die in offer.dice) == kinds and _leaves(game, stand, offer, table)
    ]
    fewest: dict[tuple[str, ...], int] = {}
    for candidate in found:
        implied, count = _implied(game, candidate), len(candidate.stand.held)
        fewest[implied] = min(count, fewest.get(implied, count))
    return [each for each in found if not each.stand.layout or len(each.stand.held) == fewest[_implied(game, each)]]


def _implied(game: Game, candidate: _Candidate) -> tuple[str, ...]:
    """The actions before a throw that only the throw itself tells of; each such row is an explanation of its own."""
    return tuple(str(action) for action in candidate.stand.held if action.verb in game.implied)


def _leaves(game: Game, stand: _Stand, offer: Action, table: _Table) -> bool:
    """Whether the throw leaves lying exactly the dice that were kept."""
    layout = game.lay(stand.state)
    if not layout:
        return True
    picked = game.thrown(stand.state, offer)
    unseen = (_not_picked(left, picked) for left in _places(layout, table.kept))
    return any(lying is not None and _may_hide(stand, table, lying) for lying in unseen)


def _not_picked(left: Sequence[DiePosition], picked: Sequence[DiePosition]) -> tuple[DiePosition, ...] | None:
    """The dice left over without those thrown, of which some may be any of their kind; None where one was kept."""
    rest = list(left)
    for lying in sorted(picked, key=lambda lying: lying.die.face is None):
        match = lying if lying in rest else next((other for other in rest if _any_of_kind(lying, other)), None)
        if match is None:
            return None
        rest.remove(match)
    return tuple(rest)


def _any_of_kind(lying: DiePosition, other: DiePosition) -> bool:
    return lying.die.face is None and lying.die.kind == other.die.kind


def _may_hide(stand: _Stand, table: _Table, unseen: Sequence[DiePosition]) -> bool:
    """Dice set aside before, and one with its own spot, may lie out of view; without a bay those set aside now too."""
    zones = (None, Zone.SIGNAL) if stand.held and table.bay else (None, Zone.SIGNAL, Zone.ASIDE)
    return all(lying.zone in zones for lying in unseen)


def _read(game: Game, state: GameState, candidates: Sequence[_Candidate], thrown: Sequence[SeenDie]) -> Explained:
    readings = _readings(state, thrown)
    doubts = _doubts(game, candidates, thrown, readings)
    if doubts:
        return Explained(doubts=doubts, dice=doubts)
    ends = zip(_outcome(game, candidates, readings[0]), candidates, strict=True)
    differing = dict(reversed(list(ends)))
    ways = tuple((*each.stand.held, each.filled(readings[0])) for each in reversed(differing.values()))
    if len(ways) == 1:
        return Explained(ways)
    if len(ways) > FEW:
        longest = tuple(sorted(ways, key=len, reverse=True))
        return Explained(
            longest, question=f"What was it? The throw can mean {len(ways)} things.", dice=_numbers(thrown)
        )
    titles = [describe(game, state, way) for way in ways]
    return Explained(ways, question=f"What was it: {', or '.join(titles)}?", dice=_numbers(thrown))


def _readings(state: GameState, thrown: Sequence[SeenDie]) -> list[tuple[Die, ...]]:
    """The likely combinations of faces, the likeliest first."""
    likely = [_likely(state, die) for die in thrown]
    if prod(map(len, likely)) > MOST_READINGS:
        likely = [dice[:2] for dice in likely]
    return list(product(*likely))


def _doubts(
    game: Game, candidates: Sequence[_Candidate], thrown: Sequence[SeenDie], readings: Sequence[tuple[Die, ...]]
) -> tuple[int, ...]:
    """The dice of which one likely face and another, all else equal, leave the game standing differently."""
    if len(readings) == 1:
        return ()
    outcomes = _outcomes(game, candidates, readings)
    return tuple(die.number for place, die in enumerate(thrown) if _matters(outcomes, place))


def _outcomes(
    game: Game, candidates: Sequence[_Candidate], readings: Sequence[tuple[Die, ...]]
) -> dict[tuple[Die, ...], tuple[GameState, ...]]:
    """What each reading comes to. Which of two dice shows which face makes no difference: that is worked out once."""
    alike = {in_order(reading): reading for reading in readings}
    known = {faces: _outcome(game, candidates, reading) for faces, reading in alike.items()}
    return {reading: known[in_order(reading)] for reading in readings}


def _matters(outcomes: Mapping[tuple[Die, ...], tuple[GameState, ...]], place: int) -> bool:
    """Whether the face of the die at that place makes a difference to any of the readings of the others."""
    of_others: dict[tuple[Die, ...], tuple[GameState, ...]] = {}
    for reading, outcome in outcomes.items():
        others = (*reading[:place], *reading[place + 1 :])
        if of_others.setdefault(others, outcome) != outcome:
            return True
    return False


def _outcome(game: Game, candidates: Sequence[_Candidate], reading: Sequence[Die]) -> tuple[GameState, ...]:
    return tuple(judge(game, each.stand.state, each.filled(reading)).state for each in candidates)


def _bumped(game: Game, state: GameState, stands: Sequence[_Stand], table: _Table) -> Explained | None:
    """The same throw, taking dice that moved in it and show what they showed for bumped by the others."""
    same = [die for die in table.thrown if _same(state, die, table)]
    unchanged = [die for die in same if die.number in table.exposed or not table.kept]
    if len(unchanged) == len(table.thrown):
        return Explained(unfinished="The dice moved and show what they showed before.")
    for count in range(1, len(unchanged) + 1):
        for bumped in combinations(unchanged, count):
            candidates = _candidates(game, stands, _without(table, bumped))
            if candidates:
                return _ask_bumped(game, state, candidates, table, bumped)
    return None


def _same(state: GameState, die: SeenDie, table: _Table) -> bool:
    lying = table.known.get(die.number)
    return lying is not None and lying.die in _likely(state, die)


def _without(table: _Table, bumped: Sequence[SeenDie]) -> _Table:
    kept = tuple(_Kept(die.number, (table.known[die.number].die,), None) for die in bumped)
    return replace(table, thrown=tuple(die for die in table.thrown if die not in bumped), kept=(*table.kept, *kept))


def _ask_bumped(
    game: Game, state: GameState, candidates: Sequence[_Candidate], table: _Table, bumped: Sequence[SeenDie]
) -> Explained:
    found = _read(game, state, candidates, _without(table, bumped).thrown)
    if found.doubts or found.question:
        return found
    words = _words(table.known[die.number].die for die in bumped)
    question = f"Was {words} only bumped, and this done: {describe(game, state, found.ways[0])}?"
    return replace(found, question=question, dice=tuple(die.number for die in bumped))


# Breaches


def _breach(game: Game, state: GameState, table: _Table) -> Explained:
    layout = game.lay(state)
    if layout and _no_place(layout, _anywhere(table.kept)):
        return _touched(game, table)
    fault = _fault(game, state, table, table.thrown)
    return Explained(breach=fault.sentence, rule=fault.rule, dice=tuple(die.number for die in table.thrown))


def _touched(game: Game, table: _Table) -> Explained:
    turned = _turned(table)
    if not turned:
        sentence = "The dice do not show what they showed, and none was thrown."
        return Explained(breach=sentence, rule=game.cite("touched"))
    sentence = f"{_turning(turned[0], table)} without being thrown."
    return Explained(breach=sentence, rule=game.cite("touched"), dice=_numbers(turned))


def _turned(table: _Table) -> tuple[_Kept, ...]:
    """The kept dice that do not show what they showed at the last ruling, by their numbers."""
    known = {die.number: table.known[die.number].die for die in table.kept if die.number in table.known}
    return tuple(die for die in table.kept if known.get(die.number) not in (*die.dice, None, Die(die.dice[0].kind)))


def _turning(die: _Kept, table: _Table) -> str:
    return f"A die was turned from {_word(table.known[die.number].die)} to {_word(die.dice[0])}"


def _numbers(dice: Iterable[SeenDie | _Kept]) -> tuple[int, ...]:
    return tuple(die.number for die in dice)


def _fault(game: Game, state: GameState, table: _Table, thrown: Sequence[SeenDie]) -> Refusal:
    layout = game.lay(state)
    if not layout:
        return game.fault(state, tuple(DiePosition(Die(die.kind), Zone.FIELD) for die in thrown), ())
    kept = tuple(_where(die, table) for die in table.kept)
    return game.fault(state, _lay_before(thrown, _left(layout, table)), kept)


def _lay_before(thrown: Sequence[SeenDie], left: Sequence[DiePosition]) -> tuple[DiePosition, ...]:
    """As many of the dice left over as were thrown of each kind, those of the field first: the others are hidden."""
    on_field_first = sorted(left, key=lambda lying: lying.zone is not Zone.FIELD)
    of_kind = {kind: [lying for lying in on_field_first if lying.die.kind == kind] for kind in _kinds(thrown)}
    return tuple(lying for kind, count in _kinds(thrown).items() for lying in of_kind[kind][:count])


def _where(die: _Kept, table: _Table) -> DiePosition:
    if die.zone is None and die.number in table.known:
        return table.known[die.number]
    return die.lying


def _left(layout: Sequence[DiePosition], table: _Table) -> tuple[DiePosition, ...]:
    """The dice of the layout that were not kept: those still known by their number first, then by their face."""
    known = Counter(table.known[die.number] for die in table.kept if die.number in table.known)
    rest = tuple((Counter(layout) - known).elements())
    strangers = tuple(die for die in table.kept if die.number not in table.known)
    return next(_places(rest, _anywhere(strangers)), rest)


# Places


def _stands(game: Game, state: GameState, implied: frozenset[str] = frozenset()) -> Iterator[_Stand]:
    """Where the game would stand after actions by hand, and implied ones, that are legal now, the shortest first."""
    start = _Stand((), state, game.lay(state))
    seen, fresh = {state}, [start]
    yield start
    for _ in range(game.handfuls):
        further = (stand for old in fresh for stand in _further(game, old, implied))
        next_ones = {stand.state: stand for stand in further if stand.state not in seen}
        fresh = list(next_ones.values())
        seen.update(next_ones)
        yield from fresh


def _further(game: Game, stand: _Stand, implied: frozenset[str]) -> Iterator[_Stand]:
    for offer in game.legal(stand.state):
        by_hand = offer.verb in game.by_hand and stand.layout
        if by_hand or offer.verb in implied:
            after, _ = game.play(stand.state, offer)
            layout = game.lay(after) or (_put_aside(stand.layout, offer) if by_hand else ())
            yield _Stand((*stand.held, offer), after, layout)


def _put_aside(layout: Sequence[DiePosition], action: Action) -> tuple[DiePosition, ...]:
    taken = Counter(DiePosition(die, Zone.FIELD) for die in action.dice)
    return (*(Counter(layout) - taken).elements(), *(DiePosition(die, Zone.ASIDE) for die in action.dice))


def _as_moved(game: Game, stands: Sequence[_Stand], table: _Table) -> tuple[_Stand, ...]:
    """Those that begin with what hands were seen to do before the throw; none where they were not seen to do any."""
    by_hand = ((stand, tuple(action for action in stand.held if action.verb in game.by_hand)) for stand in stands)
    return tuple(stand for stand, moved in by_hand if moved and moved == table.moved)


def _agrees(stand: _Stand, table: _Table) -> bool:
    """Whether the dice lie so; dice that are not in view may be in a hand, unless they were put aside."""
    if not stand.layout or not table.bay:
        return not stand.held
    return any(all(lying.zone is not Zone.ASIDE for lying in left) for left in _places(stand.layout, table.kept))


def _no_place(layout: Sequence[DiePosition], kept: Sequence[_Kept]) -> bool:
    return next(_places(layout, kept), None) is None


def _places(layout: Sequence[DiePosition], kept: Sequence[_Kept]) -> Iterator[tuple[DiePosition, ...]]:
    """Give every die its place: what the layout has left over, for each manner of doing so."""
    if not kept:
        yield tuple(layout)
        return
    for lying in dict.fromkeys(layout):
        if _fits(lying, kept[0]):
            rest = list(layout)
            rest.remove(lying)
            yield from _places(rest, kept[1:])


def _fits(lying: DiePosition, die: _Kept) -> bool:
    there = lying.zone in (None, Zone.SIGNAL) or die.zone in (None, lying.zone)
    return there and (lying.die in die.dice or lying.die in (Die(other.kind) for other in die.dice))


def _anywhere(kept: Sequence[_Kept]) -> tuple[_Kept, ...]:
    return tuple(replace(die, zone=None) for die in kept)


def _words(dice: Iterable[Die]) -> str:
    """Numbers one by one, in their order, then other faces: `1, 3, 3, 2 x star`."""
    faces = Counter(_word(die) for die in dice)
    numbers = sorted(face for face in faces.elements() if face.isdigit())
    others = (face if count == 1 else f"{count} x {face}" for face, count in faces.items() if not face.isdigit())
    return ", ".join([*numbers, *others])


def _word(die: Die) -> str:
    if die.face is None:
        return "an unread die"
    return str(number_on(die.face) or die.face.replace("-", " "))
