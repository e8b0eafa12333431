"""What the umpire works with: the change between two tables, places, deeds of hands, words, and the explanation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Final

from referee.actions import Action, DiePosition, GameState
from referee.dice import Die, FaceName, Handling, KindName, Seen, SeenDie, Zone, closest_pairs, number_on
from referee.game import Game
from referee.judge import judge
from referee.phrases import FACE_WORDS, in_a_row, join_each, times
from referee.sentences import as_part, as_title, as_whole, say, say_count

# Dice and ways in words

SYMBOLS: Final[Mapping[str, str]] = {
    **FACE_WORDS,
    "green-switch": say("green switch"),
    "red-switch": say("red switch"),
}
"""The symbols of the games' own dice, as the umpire says them."""


def describe(game: Game, state: GameState, way: Sequence[Action]) -> str:
    """Return a way in words, for the button that takes it; of a long row of one verb, the first and the last action."""
    return join_each(_steps(game, state, way), _then)


def ask_if_all(doubt: str, game: Game, state: GameState, way: Sequence[Action]) -> str:
    """Return the question whether a way is all that was done, after what speaks against it."""
    first, *others = _steps(game, state, way)
    words = join_each((as_part(first), *others), _then)
    return in_a_row(as_whole(doubt), say("Was it all this: {way}?", way=words))


def _steps(game: Game, state: GameState, way: Sequence[Action]) -> Sequence[str]:
    """Return the titles of a way's actions; of a long row of one verb the first and the last in one."""
    titles = list[str]()
    for _verb, row in groupby(_titled(game, state, way), key=lambda titled: titled[0]):
        same = [title for _, title in row]
        titles += same if len(same) <= 2 else [_and_so_on(same[0], same[-1])]
    return titles


def _and_so_on(first: str, last: str) -> str:
    return as_title(say("{first}, and so on to {last}", first=as_part(first), last=as_part(last)))


def _then(first: str, other: str) -> str:
    return say("{first}, then {other}", first=first, other=as_part(other))


def _titled(game: Game, state: GameState, way: Sequence[Action]) -> Iterator[tuple[str, str]]:
    """Yield each action's verb and its title where it is played."""
    for action in way:
        yield action.verb, game.offer_title(state, action)
        state = judge(game, state, action).state


def dice_words(dice: Iterable[Die]) -> str:
    """Return the faces of dice in words, numbers one by one in their order first: `1, 3, 3, 2 x star`."""
    faces = Counter(die_word(die) for die in dice)
    numbers = sorted(face for face in faces.elements() if face.isdigit())
    others = (times(count, face) for face, count in faces.items() if not face.isdigit())
    return join_each([*numbers, *others], _and_more)


def _and_more(first: str, other: str) -> str:
    return say("{first}, {rest}", first=first, rest=other)


def die_word(die: Die) -> str:
    """Return the face of a die in a word: a number, or the name of a symbol."""
    if die.face is None:
        return say("an unread die")
    return str(number_on(die.face) or "") or SYMBOLS.get(die.face, die.face.replace("-", " "))


def out_of_view(count: int) -> str:
    """Return the sentence that so many dice are not in view; '' for none."""
    if not count:
        return ""
    return say_count(
        "{count} die is not in view: in a hand, or off the table.",
        "{count} dice are not in view: in a hand, or off the table.",
        count,
    )


def answer_first(question: str) -> str:
    """Return the sentence that an open question has to be answered first."""
    return say("Answer first: {question}", question=question)


# What hands did with single dice, each deed with its own word


class HandDeed(StrEnum):
    """What a hand did with a die, or may have done.

    TURNED: it shows another face in its place. SET_DOWN: it was laid down with a face that it did not show there.
    UNSEEN: it shows another face, and the camera saw nothing of how that came. SWAPPED: it changed places with another
    die. ADDED: it was not there before. TAKEN: it is not there any more. MOVED: it shows what it showed, elsewhere.
    """

    TURNED = "turned"
    SET_DOWN = "set down"
    UNSEEN = "unseen"
    SWAPPED = "swapped"
    ADDED = "added"
    TAKEN = "taken"
    MOVED = "moved"


@dataclass(frozen=True)
class HandChange:
    """What a hand did with one die.

    number: the tracker's number of the die, as it is now or, of one that was taken, was. old, new: what it showed and
    shows; None where it was not there. other: the number of the die that it was swapped with, else 0.
    """

    deed: HandDeed
    number: int
    old: Die | None = None
    new: Die | None = None
    other: int = 0

    @property
    def is_harmless(self) -> bool:
        """True if the die shows what it showed: no rule asks for more."""
        return self.deed is HandDeed.MOVED


SEVERITY: Final = tuple(HandDeed)
"""The deeds in the order in which they are said: what changes a face first."""


def find_hand_changes(
    before: Iterable[SeenDie], after: Iterable[SeenDie], marked: Sequence[SeenDie]
) -> tuple[HandChange, ...]:
    """Return what hands did with the marked dice of the table `after`, and which dice of `before` they took away.

    A die that a hand carried may have another number: it is known again by what it shows, else by its kind.
    """
    old = {die.number: die for die in before if die.zone is not Zone.OUT}
    there = {die.number for die in after if die.zone is not Zone.OUT}
    gone = [die for number, die in old.items() if number not in there]
    changes = list[HandChange]()
    for die in sorted(marked, key=lambda each: each.number not in old):
        was = old.get(die.number) or _known_again(die, gone)
        if was in gone:
            gone.remove(was)
        if die.zone is not Zone.OUT:
            changes.append(_change(die, was))
    taken = (HandChange(HandDeed.TAKEN, die.number, die.die) for die in gone)
    found = (*_swapped(changes), *taken)
    return tuple(sorted(found, key=lambda change: SEVERITY.index(change.deed)))


def _known_again(die: SeenDie, gone: Sequence[SeenDie]) -> SeenDie | None:
    same = next((old for old in gone if old.die == die.die), None)
    return same or next((old for old in gone if old.kind == die.kind), None)


def _change(die: SeenDie, was: SeenDie | None) -> HandChange:
    if was is None:
        return HandChange(HandDeed.ADDED, die.number, None, die.die)
    if was.die in _likely(die):
        return HandChange(HandDeed.MOVED, die.number, was.die, was.die)
    return HandChange(_DEEDS.get(die.handled, HandDeed.SET_DOWN), die.number, was.die, die.die)


_DEEDS: Final[Mapping[Handling | None, HandDeed]] = {
    Handling.TURNED: HandDeed.TURNED,
    Handling.UNSEEN: HandDeed.UNSEEN,
}
"""What became of a die that shows another face, by its mark: where frames are missing nobody is accused."""


def _likely(die: SeenDie) -> tuple[Die, ...]:
    return (die.die, *(Die(die.kind, face) for face, _ in die.faces[1:]))


def _swapped(changes: Sequence[HandChange]) -> tuple[HandChange, ...]:
    """Return the changes in which two dice that show each other's faces are swapped ones."""
    found = list(changes)
    for place, change in enumerate(found):
        other = next((at for at, each in enumerate(found) if at > place and _are_swapped(change, each)), None)
        if other is not None:
            found[place] = replace(change, deed=HandDeed.SWAPPED, other=found[other].number)
            found[other] = replace(found[other], deed=HandDeed.SWAPPED, other=change.number)
    return tuple(found)


def _are_swapped(one: HandChange, other: HandChange) -> bool:
    is_open = {one.deed, other.deed} <= {HandDeed.TURNED, HandDeed.SET_DOWN, HandDeed.UNSEEN}
    return is_open and one.new != one.old and (one.old, one.new) == (other.new, other.old)


def spell_change(alike: Sequence[HandChange], word: Callable[[Die | None], str]) -> str:
    """Return what hands did with dice, the same deed with each; `word` names a die, '' for one that is not known."""
    (first, *others), count = alike, len(alike)
    old, new = word(first.old), word(first.new)
    if first.deed is HandDeed.SWAPPED and count == 2:
        return say("Two dice were swapped: {old} and {new}.", old=old, new=new)
    if others:
        return _SEVERAL[first.deed](count)
    if first.deed is HandDeed.TAKEN:
        gone = say("A die was taken out of the tray.")
        return say("A die was taken out of the tray: {old}.", old=old) if old else gone
    if first.old is None:
        return say("A die was added that shows {new}.", new=new)
    return _ONE[first.deed](old, new)


_ONE: Final[Mapping[HandDeed, Callable[[str, str], str]]] = {
    HandDeed.TURNED: lambda old, new: say("A die was turned: {old}, now {new}.", old=old, new=new),
    HandDeed.SET_DOWN: lambda old, new: say("A die was set down: {old}, now {new}.", old=old, new=new),
    HandDeed.UNSEEN: lambda old, new: say(
        "A die shows {new} after {old}, and the camera did not see why.", old=old, new=new
    ),
    HandDeed.SWAPPED: lambda old, new: say("A die was swapped: {old}, now {new}.", old=old, new=new),
}
_SEVERAL: Final[Mapping[HandDeed, Callable[[int], str]]] = {
    HandDeed.TURNED: lambda count: say("{count} dice were turned.", count=count),
    HandDeed.SET_DOWN: lambda count: say("{count} dice were set down.", count=count),
    HandDeed.UNSEEN: lambda count: say("{count} dice show other faces, and the camera did not see why.", count=count),
    HandDeed.SWAPPED: lambda count: say("{count} dice were swapped.", count=count),
    HandDeed.ADDED: lambda count: say("{count} dice were added.", count=count),
    HandDeed.TAKEN: lambda count: say("{count} dice were taken out of the tray.", count=count),
}


def spell_hands(changes: Sequence[HandChange]) -> str:
    """Return what hands did that is not harmless, the gravest deed, and what to do; '' where nothing has to be done."""
    grave = [change for change in changes if not change.is_harmless]
    if not grave:
        return ""
    alike = [change for change in grave if change.deed is grave[0].deed]
    said = spell_change(alike, lambda die: die_word(die) if die else "")
    if grave[0].deed is HandDeed.ADDED:
        return in_a_row(said, say("Take it away.") if len(alike) == 1 else say("Take them away."))
    if len(alike) == 1 and grave[0].old:
        return in_a_row(said, say("Put it back to {old}.", old=die_word(grave[0].old)))
    return in_a_row(said, say("Put each back as it was."))


# What is remembered of dice that lean until they have been thrown again


@dataclass(frozen=True)
class RethrowDue:
    """Dice that lean and are to be thrown again, and how the table lay then.

    table: its dice have the throws that they count for, and those that lie flat the faces that they first showed.
    touched: True if something has moved in the tray since, or a hand was in it.
    """

    table: Seen
    touched: bool = False

    def accepting(self, numbers: Collection[int]) -> RethrowDue:
        """Return the same where these dice count as they lie: people said what they show."""
        dice = tuple(replace(die, cocked=die.cocked and die.number not in numbers) for die in self.table.dice)
        return replace(self, table=replace(self.table, dice=dice))

    def thrown_leaning(self, before: Seen) -> tuple[SeenDie, ...]:
        """Return the dice that came to lean in a throw since the table `before`."""
        return tuple(die for die in self.table.dice if die.cocked and die.throw > before.throw)


# What a change on the table means

LOST_DIE_QUESTION: Final = say("Has a die left the table?")


@dataclass(frozen=True)
class Explanation:
    """What a change on the table means.

    ways: the legal explanations; a way is a row of actions with their faces filled in. One way is taken, unless there
        is a `question`: then the table may mean something else. Several ways are asked. No way with a `breach` is a
        breach; no way without one means that nothing that matters happened, or that the player is not finished.
    question: the sentence to ask before a way is taken; '' for none.
    breach: the sentence of the breach; '' for none. With a tapped action, why that action is refused.
    rule: the rule that the breach or the unfinished move is about; '' for none.
    unfinished: what the player still has to do; '' for nothing.
    unsure_dice: the numbers of the dice whose face must be asked, since their likely faces lead to different rulings.
    dice: the numbers of the dice that the breach or the question is about, for the picture.
    pending: the actions that the dice moved by hand already amount to, held back until the next throw or tap; what may
        be done next is `legal` after them.
    rethrow: the dice that lean and are to be thrown again, to be given back with the next table; None where none lean.
    set_flat: the numbers of the dice that leaned and were set flat by hand: whether they count so is asked.
    turned: the numbers of the dice that the re-throw of leaning ones turned, to be turned back.
    hands: what hands did with single dice since the last ruling, as far as marks tell of it.
    intervention: what hands did that has to be put right, with what to do, in one sentence; '' for nothing. It is no
        breach, since no rule is broken yet.
    perhaps_thrown: the numbers of the dice of which nobody saw whether they were thrown. With a `question` it is asked;
        without one people may say so of themselves.
    unchanged: True if dice were moved, and lie as the rules have them all the same: that is the table from now on.
    unseen: the numbers of the dice of the throw that nobody could see, and that nobody was asked about.
    """

    ways: tuple[tuple[Action, ...], ...] = ()
    question: str = ""
    breach: str = ""
    rule: str = ""
    unfinished: str = ""
    unsure_dice: tuple[int, ...] = ()
    dice: tuple[int, ...] = ()
    pending: tuple[Action, ...] = ()
    rethrow: RethrowDue | None = None
    set_flat: tuple[int, ...] = ()
    turned: tuple[int, ...] = ()
    hands: tuple[HandChange, ...] = ()
    intervention: str = ""
    perhaps_thrown: tuple[int, ...] = ()
    unchanged: bool = False
    unseen: tuple[int, ...] = ()


# The change between two tables: thrown, kept, fallen, carried, not in view

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
    fell: the numbers of the dice that came to rest outside in a throw, also of those that were laid back since.
    carried: the numbers of the dice that lie outside by hand.
    vanished: the dice that went out of view, by kind.
    missing: how many dice are not in view and should be.
    known: what the dice of the last ruling were, by their numbers.
    bay: True if the tray has a bay, so that field and aside can be told apart.
    one_throw: True if there was at most one throw. Dice of an earlier one, which nobody has ruled on, may have been
        moved by hand since.
    moved: the actions that hands were seen to do before the throw.
    by_tap: the verbs of what a throw may imply that people tap: what was not tapped was not done.
    told: True if people were told what is wrong since `before`, such as a die that is to be thrown.
    """

    thrown: tuple[SeenDie, ...]
    kept: tuple[KeptDie, ...]
    fell: tuple[int, ...]
    carried: tuple[int, ...]
    vanished: Counter[KindName]
    missing: int
    known: dict[int, DiePosition]
    bay: bool
    one_throw: bool
    moved: tuple[Action, ...] = ()
    by_tap: frozenset[str] = frozenset()
    told: bool = False

    @property
    def kept_aside(self) -> tuple[int, ...]:
        """Return the numbers of the kept dice that lie aside."""
        return tuple(die.number for die in self.kept if die.zone is Zone.ASIDE)

    @property
    def turned(self) -> tuple[KeptDie, ...]:
        """Return the kept dice that do not show what they showed at the last ruling."""
        known = {die.number: self.known[die.number].die for die in self.kept if die.number in self.known}
        return tuple(die for die in self.kept if known.get(die.number) not in (*die.dice, None, Die(die.dice[0].kind)))

    def with_unseen(self, kinds: Counter[KindName]) -> TableChange:
        """Return the change with further dice of those kinds among the thrown ones."""
        unseen = tuple(SeenDie(0, kind, (), Zone.FIELD, 0) for kind in kinds.elements())
        return replace(self, thrown=(*self.thrown, *unseen))


def sort_change(game: Game, state: GameState, before: Seen, after: Seen) -> TableChange:
    """Sort what changed between the table `before`, as it was last ruled on, and the settled table `after`."""
    layout = game.lay(state)
    known = {die.number: position for die, position in closest_pairs(dice_inside(before), layout, how_far)}
    old = {die.number: die for die in before.dice}
    inside = dice_inside(after)
    moved = [die for die in inside if die.throw > before.throw]
    thrown = tuple(die for die in moved if die.handled is not Handling.RETURNED)
    outside = [die for die in after.dice if die.zone is Zone.OUT]
    returned = [die for die in moved if die not in thrown]
    if not thrown and all(die.number in known and known[die.number].die == die.die for die in returned):
        returned = []  # knocked off, and put back as they lay
    fell = tuple(die.number for die in (*outside, *returned) if die.throw > before.throw)
    by_hand = (die.number for die in outside if die.number not in fell)
    hidden = _hidden(state, layout, after)
    away = sum(position.zone is None or (position.zone is not Zone.FIELD and not after.bay) for position in layout)
    return TableChange(
        thrown=thrown,
        kept=tuple(
            _kept(state, die, old.get(die.number), known, after.bay)
            for die in inside
            if die not in (*thrown, *returned)
        ),
        fell=fell,
        carried=tuple(each for each in by_hand if after.bay and _was_carried(old.get(each), known.get(each))),
        vanished=(count_kinds(before.dice) - count_kinds(after.dice)) & hidden if layout else hidden,
        missing=max(0, hidden.total() - away),
        known=known,
        bay=after.bay,
        one_throw={die.throw for die in (*inside, *outside) if die.throw > before.throw} <= {before.throw + 1},
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
    return tuple(die.number for die in dice)


def how_far(die: SeenDie, position: DiePosition) -> int | None:
    """Return how badly a die fits a position: 0 by face and place, 1 by its face alone, 2 by neither, 3 in the bay.

    None for a die of another kind.
    """
    if position.die.kind != die.kind:
        return None
    if position.die != die.die:
        return 3 if die.zone is Zone.ASIDE else 2
    return 0 if position.zone in (None, die.zone) else 1


def _kept(state: GameState, die: SeenDie, old: SeenDie | None, known: dict[int, DiePosition], bay: bool) -> KeptDie:
    position = known.get(die.number)
    likely = likely_dice(state, die)
    if not position or not old:
        return KeptDie(die.number, likely, _place(die) if bay else None)
    unchanged = die.die == old.die or position.die in likely
    # A die that has lain in the wrong place since the last ruling says nothing by its place.
    says = bay and (die.zone is not old.zone or position.zone is _place(die))
    return KeptDie(die.number, (position.die,) if unchanged else likely, _place(die) if says else None)


def lies_at(die: SeenDie, position: DiePosition, bay: bool) -> bool:
    """Return True if a die lies as a position says; without a bay places say nothing."""
    return (not bay or position.zone in (None, Zone.SIGNAL, die.zone)) and position.die in (die.die, Die(die.kind))


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


# Matching dice with the places that the rules lay out: a backtracking search over a handful of dice


def places_left(layout: Sequence[DiePosition], kept: Sequence[KeptDie]) -> Iterator[tuple[DiePosition, ...]]:
    """Give every kept die a place of the layout; yield the places left over, for each way of doing so."""
    if not kept:
        yield tuple(layout)
        return
    for position in dict.fromkeys(layout):
        if _fits(position, kept[0]):
            rest = list(layout)
            rest.remove(position)
            yield from places_left(rest, kept[1:])


def is_laid_out(layout: Sequence[DiePosition], kept: Sequence[KeptDie]) -> bool:
    """Return True if every kept die has a place in the layout."""
    return next(places_left(layout, kept), None) is not None


def without_zones(kept: Sequence[KeptDie]) -> tuple[KeptDie, ...]:
    """Return the kept dice with places that say nothing."""
    return tuple(replace(die, zone=None) for die in kept)


def positions_not_kept(layout: Sequence[DiePosition], change: TableChange) -> tuple[DiePosition, ...]:
    """Return what the layout has beyond the kept dice, which are taken out by number first, then by face."""
    known = Counter(change.known[die.number] for die in change.kept if die.number in change.known)
    rest = tuple((Counter(layout) - known).elements())
    unknown = tuple(die for die in change.kept if die.number not in change.known)
    return next(places_left(rest, without_zones(unknown)), rest)


def _fits(position: DiePosition, die: KeptDie) -> bool:
    there = position.zone in (None, Zone.SIGNAL) or die.zone in (None, position.zone)
    return there and (position.die in die.dice or position.die in (Die(other.kind) for other in die.dice))
