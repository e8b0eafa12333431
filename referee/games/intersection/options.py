"""What the rulebook leaves open: each ambiguity that has two readings, the recommended one first."""

from __future__ import annotations

from typing import Final

from referee.game import Option

PARKED_HAPPY: Final = "parked-happy"
STAR_WITH_SAD: Final = "star-with-sad"
STAR_AFTER_PARK: Final = "star-after-park"
FIVE_UNDER_SLOW: Final = "five-under-slow"
BELOW_300: Final = "below-300"
LAST_TURN: Final = "last-turn"
NO_DICE: Final = "no-dice"

OPTIONS: Final = (
    Option(
        PARKED_HAPPY,
        "Which happy face may fix a sad one?",
        (
            ("any", "One on the field or a parked one, as the player likes."),
            ("field-first", "A parked one only when none is on the field."),
        ),
        "AMB-I-1",
    ),
    Option(
        STAR_WITH_SAD,
        "May a star be rolled with the slow while a sad face shows?",
        (
            ("always", "Yes, whatever else could be done."),
            ("last-resort", "Only when no sad face can be fixed."),
        ),
        "AMB-I-3",
    ),
    Option(
        STAR_AFTER_PARK,
        "May a star be rolled with the slow straight after parking, with dice left on the field?",
        (
            ("play-on-first", "No, the player has to play on first."),
            ("allowed", "Yes."),
        ),
        "AMB-I-5",
    ),
    Option(
        FIVE_UNDER_SLOW,
        "All five dice are parked and the slow shows: what may be done?",
        (
            ("star-only", "Only a parked star may be rolled with the slow; without one the turn is over with nothing."),
            ("take-points", "The player may take the points."),
        ),
        "AMB-I-6",
    ),
    Option(
        BELOW_300,
        "May a player who has not come in end a turn below 300?",
        (
            ("refused", "No, the player has to go on."),
            ("records-0", "Yes, and nothing is recorded."),
        ),
        "AMB-I-10",
    ),
    Option(
        LAST_TURN,
        "Who gets a last turn when somebody reaches 5000?",
        (
            ("everyone", "Every other player, once."),
            ("later-seats", "Only those who come later in the round."),
        ),
        "AMB-I-13",
    ),
    Option(
        NO_DICE,
        "Does a player without any points tie with the best at the end (the No Dice rule)?",
        (
            ("on", "Yes, unless the Vander Rule ended one of that player's turns."),
            ("off", "No."),
        ),
        "AMB-I-14",
    ),
)
