"""What people read after a restart with a game under way: how the game stands, and how the dice should lie."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from referee.actions import DiePosition
from referee.dice import Die, DieSet, Zone
from referee.phrases import in_a_row, join_each, spell_list, times
from referee.sentences import say
from vander.session.match import Match

AWAKE = say("Vander was started again. The game goes on.")
UNSEEN = say("Leave the dice as they are until the camera has looked at them.")
RIGHT = say("The dice lie as they should.")
PLACES = (Zone.ASIDE, Zone.SIGNAL, Zone.FIELD, None)
"""Where dice lie, in the order in which it is said; None for anywhere."""


class TrayFinding(Enum):
    """What the camera has seen of the tray since a restart."""

    UNSEEN = "unseen"
    RIGHT = "right"
    WRONG = "wrong"
    BLIND = "blind"
    """There is no camera to see it."""


def resumed_sentence(match: Match, *, bay: bool, finding: TrayFinding, said: Sequence[tuple[Die, Die]] = ()) -> str:
    """Return where the game stands, and how the tray should lie, by what the camera has seen of it since.

    `said` are dice that count as people said, each with what the camera reads.
    """
    should = layout_sentence(match, bay=bay)
    tray = {TrayFinding.RIGHT: (RIGHT,), TrayFinding.UNSEEN: (should, UNSEEN)}.get(finding, (should,)) if should else ()
    return in_a_row(AWAKE, match.game.tell(match.state), *tray, *(_as_said(match.start.dice, *each) for each in said))


def _as_said(dice: DieSet, die: Die, read: Die) -> str:
    """Return that a die counts as people said, and as what the camera reads it."""
    return say(
        "One die counts as you said, {said}: the camera reads {read}.", said=_title(dice, die), read=_title(dice, read)
    )


def layout_sentence(match: Match, *, bay: bool) -> str:
    """Return one sentence that says which dice should lie where; '' where anywhere will do."""
    layout = match.game.lay(match.state)
    if not layout or match.over:
        return ""
    if not bay:
        return say("On the table should lie: {dice}.", dice=_words(match.start.dice, layout))
    places = {place: [lying for lying in layout if lying.zone is place] for place in PLACES}
    there = [_at(place, _words(match.start.dice, each)) for place, each in places.items() if each]
    return say("The dice should lie so: {places}.", places=join_each(there, _and_there))


def _at(place: Zone | None, dice: str) -> str:
    """Return the words that dice lie at a place."""
    if place is Zone.ASIDE:
        return say("{dice} in the bay", dice=dice)
    if place is Zone.SIGNAL:
        return say("{dice} on its spot", dice=dice)
    return say("{dice} on the field", dice=dice) if place else say("{dice} anywhere", dice=dice)


def _and_there(first: str, other: str) -> str:
    return say("{first}; {other}", first=first, other=other)


def _words(dice: DieSet, layout: Sequence[DiePosition]) -> str:
    """Dice by their titles, alike ones counted: `2 x Happy and Star`."""
    titles = [_title(dice, lying.die) for lying in layout]
    alike = {title: titles.count(title) for title in titles}
    return spell_list([times(count, title) for title, count in alike.items()], "and")


def _title(dice: DieSet, die: Die) -> str:
    kind = dice.kind(die.kind)
    return kind.title_of(die.face) if die.face else say("any {kind}", kind=kind.title)
