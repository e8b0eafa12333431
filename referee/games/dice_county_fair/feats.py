"""What players of Dice County Fair may be proud of."""

from __future__ import annotations

from collections.abc import Iterator

from referee.actions import Action
from referee.game import GameFeat
from referee.games.dice_county_fair.scoring import completed_counts
from referee.games.dice_county_fair.sheet import PER_SECTION
from referee.games.dice_county_fair.state import FairState
from referee.sentences import say


def _cleaned_section(before: FairState, _action: Action, after: FairState) -> Iterator[int]:
    """Yield the players who have just completed the last activity of a section."""
    for place in range(len(after.sheet.sections)):
        counts = zip(completed_counts(before, place), completed_counts(after, place), strict=True)
        yield from (seat for seat, (had, has) in enumerate(counts, start=1) if has == PER_SECTION > had)


FEATS = (
    GameFeat(
        "whole-section",
        say("Clean sweep"),
        say("Complete every activity of one section in Dice County Fair."),
        _cleaned_section,
    ),
)
