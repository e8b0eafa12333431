"""What people read after a restart with a game under way: how the game stands, and how the dice should lie."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from referee.dice import Die, DieSet, Zone
from referee.game import DiePosition
from referee.phrases import spell_list
from vander.session.match import Match

AWAKE = "Vander was started again. The game goes on."
UNSEEN = "Leave the dice as they are until the camera has looked at them."
RIGHT = "The dice lie as they should."
PLACES = {Zone.ASIDE: "in the bay", Zone.SIGNAL: "on its spot", Zone.FIELD: "on the field"}


class TrayFinding(Enum):
    """What the camera has seen of the tray since a restart."""

    UNSEEN = "unseen"
    RIGHT = "right"
    WRONG = "wrong"
    BLIND = "blind"
    """There is no camera to see it."""


def resumed_sentence(match: Match, *, bay: bool, finding: TrayFinding) -> str:
    """Return where the game stands, and how the tray should lie, by what the camera has seen of it since."""
    should = layout_sentence(match, bay=bay)
    tray = {TrayFinding.RIGHT: (RIGHT,), TrayFinding.UNSEEN: (should, UNSEEN)}.get(finding, (should,)) if should else ()
    return " ".join((AWAKE, match.game.tell(match.state), *tray))


def layout_sentence(match: Match, *, bay: bool) -> str:
    """Return one sentence that says which dice should lie where; '' where anywhere will do."""
    layout = match.game.lay(match.state)
    if not layout or match.over:
        return ""
    if not bay:
        return f"On the table should lie: {_words(match.start.dice, layout)}."
    places = {place: [lying for lying in layout if lying.zone is place] for place in (*PLACES, None)}
    dice = match.start.dice
    there = [f"{_words(dice, each)} {PLACES[place] if place else 'anywhere'}" for place, each in places.items() if each]
    return f"The dice should lie so: {'; '.join(there)}."


def _words(dice: DieSet, layout: Sequence[DiePosition]) -> str:
    """Dice by their titles, alike ones counted: `2 x Happy and Star`."""
    titles = [_title(dice, lying.die) for lying in layout]
    alike = {title: titles.count(title) for title in titles}
    return spell_list([title if count == 1 else f"{count} x {title}" for title, count in alike.items()], "and")


def _title(dice: DieSet, die: Die) -> str:
    kind = dice.kind(die.kind)
    return kind.title_of(die.face) if die.face else f"any {kind.title}"
