"""The change between two tables, sorted: which dice were thrown, kept, carried off, and which are not in view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.actions import Action, DiePosition
from referee.dice import Die, FaceName, KindName, Seen, SeenDie, Zone
from referee.game import Game
from referee.game_state import GameState

LIKELY: Final = 0.02
"""The probability, 0 to 1, from which a runner-up counts among the likely faces of a die."""


@dataclass(frozen=True)
class KeptDie:
    """A die that was not thrown.

    number: the tracker's number of the die.
    dice: what the die may be, the likeliest first.
    zone: where the die lies; None where its place says nothing.
    """

    number: int
    dice: tuple[Die, ...]
    zone: Zone | None

    @property
    def position(self) -> DiePosition:
        """Return the likeliest die at its place, which is the field where the place says nothing."""
        return DiePosition(self.dice[0], self.zone or Zone.FIELD)


@dataclass(frozen=True)
class TableChange:
    """The change between the table as last ruled on and the table now.

    thrown: the dice that were thrown and lie inside.
    kept: the dice inside that were not thrown.
    fell: the numbers of the dice that came to rest outside in a throw.
    carried: the numbers of the dice that lie outside by hand.
    vanished: the dice that went out of view, by kind.
    missing: how many dice are not in view and should be.
    known: what the dice of the last ruling were, by their numbers.
    exposed: the numbers of the dice that a throw may bump: all but one on a spot of its own.
    bay: True if the tray has a bay, so that field and aside can be told apart.
    one_throw: True if there was at most one throw. Dice of an earlier one, which nobody has ruled on, may have been
        moved by hand since.
    appeared: the dice that are in view and were not at the last ruling, by kind.
    moved: the actions that hands were seen to do before the throw.
    by_tap: the verbs of what a throw may imply that people tap: what was not tapped was not done.
    """

    thrown: tuple[SeenDie, ...]
    kept: tuple[KeptDie, ...]
    fell: tuple[int, ...]
    carried: tuple[int, ...]
    vanished: Counter[KindName]
    missing: int
    known: dict[int, DiePosition]
    exposed: frozenset[int]
    bay: bool
    one_throw: bool
    appeared: Counter[KindName]
    moved: tuple[Action, ...] = ()
    by_tap: frozenset[str] = frozenset()

    @property
    def kept_aside(self) -> tuple[int, ...]:
        """Return the numbers of the kept dice that lie aside."""
        return tuple(die.number for die in self.kept if die.zone is Zone.ASIDE)

    @property
    def turned(self) -> tuple[KeptDie, ...]:
        """Return the kept dice that do not show what they showed at the last ruling."""
        known = {die.number: self.known[die.number].die for die in self.kept if die.number in self.known}
        return tuple(die for die in self.kept if known.get(die.number) not in (*die.dice, None, Die(die.dice[0].kind)))

    def shows_the_same(self, state: GameState, die: SeenDie) -> bool:
        """Return True if a die may show what it showed at the last ruling."""
        position = self.known.get(die.number)
        return position is not None and position.die in likely_dice(state, die)

    def with_bumped(self, bumped: Sequence[SeenDie]) -> TableChange:
        """Return the change with some of the thrown dice taken for kept ones that were only bumped."""
        return self._with_kept(bumped, [None] * len(bumped))

    def with_moved(self, moved: Sequence[SeenDie]) -> TableChange:
        """Return the change with some of the thrown dice taken for kept ones that hands have laid where they lie."""
        return self._with_kept(moved, [_place(die) if self.bay else None for die in moved])

    def _with_kept(self, dice: Sequence[SeenDie], zones: Sequence[Zone | None]) -> TableChange:
        known = (self.known[die.number].die for die in dice)
        kept = [KeptDie(die.number, (face,), zone) for die, face, zone in zip(dice, known, zones, strict=True)]
        thrown = tuple(die for die in self.thrown if die not in dice)
        return replace(self, thrown=thrown, kept=(*self.kept, *kept))

    def with_unseen(self, kinds: Counter[KindName]) -> TableChange:
        """Return the change with further dice of those kinds among the thrown ones."""
        unseen = tuple(SeenDie(0, kind, (), Zone.FIELD, 0) for kind in kinds.elements())
        return replace(self, thrown=(*self.thrown, *unseen))


def sort_change(game: Game, state: GameState, before: Seen, after: Seen) -> TableChange:
    """Sort what changed between the table `before`, as it was last ruled on, and the settled table `after`."""
    layout = game.lay(state)
    known = _identify(layout, before)
    old = {die.number: die for die in before.dice}
    inside = dice_inside(after)
    thrown = tuple(die for die in inside if die.throw > before.throw)
    outside = [die for die in after.dice if die.zone is Zone.OUT]
    fell = tuple(die.number for die in outside if die.throw > before.throw)
    by_hand = (die.number for die in outside if die.number not in fell)
    hidden = _hidden(state, layout, after)
    away = sum(position.zone is None or (position.zone is not Zone.FIELD and not after.bay) for position in layout)
    return TableChange(
        thrown=thrown,
        kept=tuple(_kept(state, die, old.get(die.number), known, after.bay) for die in inside if die not in thrown),
        fell=fell,
        carried=tuple(each for each in by_hand if after.bay and _was_carried(old.get(each), known.get(each))),
        vanished=(count_kinds(before.dice) - count_kinds(after.dice)) & hidden if layout else hidden,
        missing=max(0, hidden.total() - away),
        known=known,
        exposed=frozenset(die.number for die in before.dice if die.zone is not Zone.SIGNAL),
        bay=after.bay,
        one_throw={die.throw for die in (*inside, *outside) if die.throw > before.throw} <= {before.throw + 1},
        appeared=count_kinds(inside) - count_kinds(before.dice),
    )


def dice_inside(seen: Seen) -> tuple[SeenDie, ...]:
    """Return the dice in the tray: all but those that lie outside."""
    return tuple(die for die in seen.dice if die.zone is not Zone.OUT)


def likely_dice(state: GameState, die: SeenDie) -> tuple[Die, ...]:
    """Return what a die may be, the likeliest first; any face of its kind where none was read."""
    faces = [face for face, probability in die.faces[1:] if probability >= LIKELY]
    read = [*(face for face, _ in die.faces[:1]), *faces]
    return tuple(Die(die.kind, face) for face in read or _faces_of(state, die.kind))


def count_kinds(dice: Iterable[Die | SeenDie]) -> Counter[KindName]:
    """Return how many dice there are of each kind."""
    return Counter(die.kind for die in dice)


def numbers_of(dice: Iterable[SeenDie | KeptDie]) -> tuple[int, ...]:
    """Return the numbers of dice."""
    return tuple(die.number for die in dice)


def _identify(layout: Sequence[DiePosition], before: Seen) -> dict[int, DiePosition]:
    """Find what each die of the last ruling was: by face and place, else by face, else (if corrected) by kind."""
    left, known = list(layout), dict[int, DiePosition]()
    for closeness in (3, 2, 1):
        for seen in dice_inside(before):
            match = next((position for position in left if _closeness(position, seen) >= closeness), None)
            if seen.number not in known and match:
                known[seen.number] = match
                left.remove(match)
    return known


def _closeness(position: DiePosition, seen: SeenDie) -> int:
    """Return 3 for the same face and place, 2 for the same face, 1 for the same kind, 0 for another kind."""
    if position.die.kind != seen.kind:
        return 0
    if position.die != seen.die:
        return 1
    return 3 if position.zone in (None, seen.zone) else 2


def _kept(state: GameState, die: SeenDie, old: SeenDie | None, known: dict[int, DiePosition], bay: bool) -> KeptDie:
    position = known.get(die.number)
    likely = likely_dice(state, die)
    if not position or not old:
        return KeptDie(die.number, likely, _place(die) if bay else None)
    unchanged = die.die == old.die or position.die in likely
    # A die that has lain in the wrong place since the last ruling says nothing by its place.
    says = bay and (die.zone is not old.zone or position.zone is _place(die))
    return KeptDie(die.number, (position.die,) if unchanged else likely, _place(die) if says else None)


def _place(die: SeenDie) -> Zone:
    """Return the zone of a die, where the signal's spot belongs to the bay."""
    return Zone.ASIDE if die.zone is Zone.SIGNAL else die.zone


def _faces_of(state: GameState, name: KindName) -> tuple[FaceName, ...]:
    return next((kind.faces for kind in state.dice.kinds if kind.name == name), ())


def _was_carried(old: SeenDie | None, position: DiePosition | None) -> bool:
    """Return True if a die outside has left the tray; a die that belongs on a spot of its own may lie there."""
    return bool(old and old.zone is not Zone.OUT and position and position.zone not in (None, Zone.SIGNAL))


def _hidden(state: GameState, layout: Sequence[DiePosition], after: Seen) -> Counter[KindName]:
    """Return the dice that are nowhere in view, of those that the layout or else the next throw needs."""
    needed = [position.die for position in layout] or state.dice_awaited
    return count_kinds(needed) - count_kinds(after.dice)
