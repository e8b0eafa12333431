"""How Rollers is played, in one minute."""

from __future__ import annotations

from typing import Final

from referee.board import DicePlace, Tally
from referee.dice import Die, FaceName, KindName
from referee.games.rollers.state import BLACK, CHIPS, PURPLE, STAR, ZAP
from referee.play_step import PlayStep
from referee.sentences import say


def _dice(*faces: int, kind: KindName = PURPLE) -> tuple[Die, ...]:
    return tuple(Die(kind, FaceName(f"pip-{face}")) for face in faces)


_STAR: Final = Die(PURPLE, STAR)

STEPS: Final = (
    PlayStep(
        say("Roll all six dice, up to three times; save the dice that you want to keep."),
        (
            DicePlace("", say("Saved"), _dice(3, 3)),
            DicePlace("", say("Roll again"), (*_dice(1, 4), _STAR, *_dice(2, kind=BLACK))),
        ),
    ),
    PlayStep(
        say("A zap cancels its roll: only dice saved before stay."),
        (DicePlace("", say("Cancelled"), (Die(BLACK, ZAP), *_dice(1, 4, 5))), DicePlace("", say("Saved"), _dice(3, 3))),
    ),
    PlayStep(
        say("Open a section with as many dice as its number says; a star counts as any number."),
        (DicePlace("", say("{number}s", number=3), (*_dice(3, 3), _STAR), mark="open"),),
    ),
    PlayStep(
        say("Close it with one more die of its number."),
        (DicePlace("", say("{number}s", number=3), (*_dice(3, 3), _STAR, *_dice(3)), mark="done"),),
    ),
    PlayStep(
        say("Each further die collects as many chips as its number from all players who have not closed theirs."),
        (DicePlace("", say("{number}s", number=3), _dice(3), mark="done"), Tally("", say("Chips"), CHIPS, at_risk=6)),
    ),
    PlayStep(
        say("All five closed: two points, and one for the most chips. Five points win."),
        tuple(DicePlace("", say("{number}s", number=number), _dice(number), mark="done") for number in (1, 2, 3, 4, 5)),
    ),
)
