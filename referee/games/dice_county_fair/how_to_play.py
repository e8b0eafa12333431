"""How Dice County Fair is played, in one minute."""

from __future__ import annotations

from typing import Final

from referee.board import DicePlace, Section
from referee.games.dice_county_fair.state import dice_showing
from referee.play_step import PlayStep

STEPS: Final = (
    PlayStep(
        "Write a price at each activity: 1 to 6, each number once in a section.",
        (
            Section(
                "",
                "Food Hall",
                (
                    DicePlace("", "Popcorn", price=2, room=1),
                    DicePlace("", "Lemonade", price=5, room=2),
                    DicePlace("", "Caramel Apple", price=3, room=3),
                ),
            ),
        ),
    ),
    PlayStep(
        "One roll of six dice is for everybody; each player spends it on the own sheet.",
        (DicePlace("", "", dice_showing((1, 2, 3, 3, 4, 6))),),
    ),
    PlayStep(
        "Buy an activity where you are with a die that shows its price.",
        (
            DicePlace("", "Spend", dice_showing((3,))),
            DicePlace("", "Caramel Apple", price=3, room=3, needs="11 or more", mark="open"),
        ),
    ),
    PlayStep(
        "Complete it with dice of one turn that add up to what it asks.",
        (DicePlace("", "Caramel Apple", dice_showing((2, 4, 6)), points=7, needs="11 or more", mark="done"),),
    ),
    PlayStep(
        "Once a turn a die moves you: odd to the Food Hall, even to the Midway, any to the Carnival.",
        (
            DicePlace("", "Food Hall", dice_showing((1, 3, 5))),
            DicePlace("", "Midway", dice_showing((2, 4, 6))),
            DicePlace("", "Carnival", dice_showing((1, 2, 6))),
        ),
    ),
    PlayStep(
        "Dice left over are excess; little of it wins awards. After twelve turns the most points win.",
        (
            DicePlace("", "Coins", dice_showing((1,)), room=2),
            DicePlace("", "Tokens", room=2),
            DicePlace("", "Tickets", room=2),
        ),
    ),
)
