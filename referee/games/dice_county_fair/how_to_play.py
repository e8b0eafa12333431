"""How Dice County Fair is played, in one minute."""

from __future__ import annotations

from typing import Final

from referee.board import DicePlace, Section
from referee.games.dice_county_fair.state import dice_showing
from referee.play_step import PlayStep
from referee.sentences import say

STEPS: Final = (
    PlayStep(
        say("Write a price at each activity: 1 to 6, each number once in a section."),
        (
            Section(
                "",
                say("Food Hall"),
                (
                    DicePlace("", say("Popcorn"), price=2, room=1),
                    DicePlace("", say("Lemonade"), price=5, room=2),
                    DicePlace("", say("Caramel Apple"), price=3, room=3),
                ),
            ),
        ),
    ),
    PlayStep(
        say("One roll of six dice is for everybody; each player spends it on their own sheet."),
        (DicePlace("", "", dice_showing((1, 2, 3, 3, 4, 6))),),
    ),
    PlayStep(
        say("Buy an activity where you are with a die that shows its price."),
        (
            DicePlace("", say("Spend"), dice_showing((3,))),
            DicePlace("", say("Caramel Apple"), price=3, room=3, needs=say("{total} or more", total=11), mark="open"),
        ),
    ),
    PlayStep(
        say("Complete it with dice of one turn that add up to what it asks."),
        (
            DicePlace(
                "",
                say("Caramel Apple"),
                dice_showing((2, 4, 6)),
                points=7,
                needs=say("{total} or more", total=11),
                mark="done",
            ),
        ),
    ),
    PlayStep(
        say("Once a turn a die moves you: odd to the Food Hall, even to the Midway, any to the Carnival."),
        (
            DicePlace("", say("Food Hall"), dice_showing((1, 3, 5))),
            DicePlace("", say("Midway"), dice_showing((2, 4, 6))),
            DicePlace("", say("Carnival"), dice_showing((1, 2, 6))),
        ),
    ),
    PlayStep(
        say("Dice left over are excess; little of it wins awards. After twelve turns the most points win."),
        (
            DicePlace("", say("Coins"), dice_showing((1,)), room=2),
            DicePlace("", say("Tokens"), room=2),
            DicePlace("", say("Tickets"), room=2),
        ),
    ),
)
