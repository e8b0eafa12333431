"""What people call the kinds, rounds and ends of a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.sentences import say
from vander.tournaments.tournament import FixtureEnd, Tournament, TournamentKind

KIND_TITLES: Final[Mapping[TournamentKind, str]] = {
    TournamentKind.ROUND_ROBIN: say("Everybody against everybody"),
    TournamentKind.SWISS: say("Swiss system"),
    TournamentKind.KNOCK_OUT: say("Knock-out"),
    TournamentKind.LEAGUE: say("League"),
}

END_TITLES: Final[Mapping[FixtureEnd, str]] = {
    FixtureEnd.PLAYED: say("played"),
    FixtureEnd.BYE: say("bye"),
    FixtureEnd.WITHDRAWAL: say("withdrawn"),
    FixtureEnd.NO_SHOW: say("did not come"),
    FixtureEnd.GIVEN_UP: say("given up"),
    FixtureEnd.REPLACED: say("played again"),
}

_LAST_ROUNDS: Final = (say("Final"), say("Semi-finals"), say("Quarter-finals"))


def round_title(tournament: Tournament, round_number: int) -> str:
    """Return what a round is called; a knock-out counts its last three from the final."""
    until_final = tournament.last_round - round_number
    if tournament.is_knock_out and until_final < len(_LAST_ROUNDS):
        return _LAST_ROUNDS[until_final]
    return say("Round {number}", number=round_number)
