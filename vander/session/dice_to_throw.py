"""Which dice of the table an offered throw takes up, by where the rules say that thrown dice lay. Pure."""

from __future__ import annotations

from collections import Counter

from referee.actions import Action, DiePosition
from referee.dice import DieSet, Seen, SeenDie, Zone
from referee.umpire import RethrowDue
from vander.session.match import Match


def dice_to_throw(match: Match, action: Action, seen: Seen) -> tuple[int, ...]:
    """Return the numbers of the dice that a throw takes up; () where it throws none, and where dice are missing.

    Of equal dice the one that lies nearest to what the rules say is taken: by face and place, by face, by kind.
    """
    positions = match.game.thrown(match.state, action)
    left = [die for die in seen.dice if die.zone is not Zone.OUT]
    taken: list[int] = []
    for position in sorted(positions, key=lambda each: each.die.face is None):
        fitting = [die for die in left if die.kind == position.die.kind]
        if not fitting:
            return ()
        found = max(fitting, key=lambda die: _closeness(position, die))
        left.remove(found)
        taken.append(found.number)
    return tuple(sorted(taken))


def thrown_again(action: Action, dice: DieSet, ruled: Seen | None, seen: Seen) -> tuple[int, ...]:
    """Return the dice of a throw that is made again, as one of them left the tray; () where none did.

    They are those thrown since the last ruling, wherever they lie now. Of a die that nobody sees there is no number.
    """
    if ruled is None:
        return ()
    thrown = [die for die in seen.dice if die.throw > ruled.throw]
    kinds, wanted = Counter(die.kind for die in thrown), Counter(die.kind for die in action.dice)
    inside = Counter(die.kind for die in seen.dice if die.zone is not Zone.OUT)
    is_short = any(inside[kind] < dice.count(kind) for kind in wanted)
    return tuple(sorted(die.number for die in thrown)) if is_short and kinds <= wanted else ()


def leaning_dice(due: RethrowDue | None, ruled: Seen | None, seen: Seen) -> tuple[int, ...]:
    """Return the numbers of the thrown dice that lean and are to be thrown again before anything else."""
    if due is None or ruled is None:
        return ()
    thrown = {die.number for die in due.table.dice if die.cocked and die.throw > ruled.throw}
    lean = (die.number for die in seen.dice if die.cocked and die.zone is not Zone.OUT)
    return tuple(sorted(thrown.intersection(lean)))


def _closeness(position: DiePosition, die: SeenDie) -> tuple[bool, bool, bool]:
    """Return how well a die lies as the position says: face and place, face, and out of the bay."""
    shows = position.die.face is not None and position.die == die.die
    lies = position.zone in (None, die.zone)
    return shows and lies, shows, die.zone is not Zone.ASIDE
