"""How Rollers is played, in one minute."""

from __future__ import annotations

from typing import Final

from referee.board import DicePlace, Tally
from referee.dice import Die, FaceName, KindName
from referee.games.rollers.state import BLACK, CHIPS, PURPLE, STAR, ZAP
from referee.play_step import PlayStep


def _dice(*faces: int, kind: KindName = PURPLE) -> tuple[Die, ...]:
    return tuple(Die(kind, FaceName(f"pip-{face}")) for face in faces)


_STAR: Final = Die(PURPLE, STAR)

STEPS: Final = (
    PlayStep(
        "Roll all six dice, up to three times; save the dice that you want to keep.",
        (
            DicePlace("", "Saved", _dice(3, 3)),
            DicePlace("", "Roll again", (*_dice(1, 4), _STAR, *_dice(2, kind=BLACK))),
        ),
    ),
    PlayStep(
        "A zap cancels its roll: only dice saved before stay.",
        (DicePlace("", "Cancelled", (Die(BLACK, ZAP), *_dice(1, 4, 5))), DicePlace("", "Saved", _dice(3, 3))),
    ),
    PlayStep(
        "Open a section with as many dice as its number says; a star counts as any number.",
        (DicePlace("", "3s", (*_dice(3, 3), _STAR), mark="open"),),
    ),
    PlayStep(
        "Close it with one more die of its number.",
        (DicePlace("", "3s", (*_dice(3, 3), _STAR, *_dice(3)), mark="done"),),
    ),
    PlayStep(
        "Each further die collects so many chips from all players who have not closed theirs.",
        (DicePlace("", "3s", _dice(3), mark="done"), Tally("", "Chips", CHIPS, at_risk=6)),
    ),
    PlayStep(
        "All five closed: two points, and one for the most chips. Five points win.",
        tuple(DicePlace("", f"{number}s", _dice(number), mark="done") for number in (1, 2, 3, 4, 5)),
    ),
)
