"""Which dice of the table an offered throw takes up, by where the rules say that thrown dice lay. Pure."""

from __future__ import annotations

from referee.dice import Seen, SeenDie, Zone
from referee.game import Action, DiePosition
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


def _closeness(position: DiePosition, die: SeenDie) -> tuple[bool, bool, bool]:
    """Return how well a die lies as the position says: face and place, face, and out of the bay."""
    shows = position.die.face is not None and position.die == die.die
    lies = position.zone in (None, die.zone)
    return shows and lies, shows, die.zone is not Zone.ASIDE
