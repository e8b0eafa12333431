"""The best moments of an ended game, with their pictures. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from referee.feats import Feat, SeatFeat
from referee.journal import Entry
from referee.past_result import Highlight
from referee.phrases import points
from referee.play_statistics import PastGame
from referee.sentences import say

WORTH_TELLING = 0.25
"""A throw that brings as many points in a larger share of all cases was no lucky one."""


def find_highlights(game: PastGame, feats: Sequence[SeatFeat], entries: Sequence[Entry]) -> tuple[Highlight, ...]:
    """Return the moments of a game that are worth a look: what decided it, the best turn, the luck and the courage."""
    names = {seat.seat: seat.name for seat in game.seats}
    chosen = (*_decided(feats, names), *_best_turn(game), *_luckiest(feats, names), *_boldest(feats, names))
    return tuple(
        Highlight(name, seat, sentence, entry, _picture(entries, entry)) for name, seat, sentence, entry in chosen
    )


_Moment = tuple[str, int, str, int]


def _decided(feats: Iterable[SeatFeat], names: dict[int, str]) -> Iterator[_Moment]:
    for feat in feats:
        if feat.feat == Feat.DECIDED:
            gained = points(int(feat.value))
            sentence = say("Here {name} took the lead for good, with {points}.", name=names[feat.seat], points=gained)
            yield Feat.DECIDED, feat.seat, sentence, feat.entry


def _best_turn(game: PastGame) -> Iterator[_Moment]:
    counted = [(seat, seat.result) for seat in game.seats if seat.result and seat.result.best_turn > 0]
    if counted:
        seat, result = max(counted, key=lambda each: each[1].best_turn)
        sentence = say("{name} made the best turn: {points}.", name=seat.name, points=points(result.best_turn))
        yield "best-turn", seat.seat, sentence, result.best_entry


def _luckiest(feats: Iterable[SeatFeat], names: dict[int, str]) -> Iterator[_Moment]:
    lucky = [feat for feat in feats if feat.feat == Feat.LUCKIEST and feat.value <= WORTH_TELLING]
    for feat in sorted(lucky, key=lambda each: each.value)[:1]:
        sentence = say(
            "{name} made the luckiest throw: {share} of 100 such throws bring as many points.",
            name=names[feat.seat],
            share=_of_hundred(feat.value),
        )
        yield Feat.LUCKIEST, feat.seat, sentence, feat.entry


def _boldest(feats: Iterable[SeatFeat], names: dict[int, str]) -> Iterator[_Moment]:
    bold = [feat for feat in feats if feat.feat == Feat.BOLD]
    for feat in sorted(bold, key=lambda each: -each.value)[:1]:
        sentence = say(
            "{name} dared the most: such a turn is lost in {share} of 100 cases.",
            name=names[feat.seat],
            share=_of_hundred(feat.value),
        )
        yield Feat.BOLD, feat.seat, sentence, feat.entry


def _of_hundred(chance: float) -> str:
    """Return a chance as so many of 100, with a decimal below ten."""
    share = 100 * chance
    return f"{share:.0f}" if share >= 10 else f"{share:.1g}"


def _picture(entries: Sequence[Entry], number: int) -> str:
    """Return the picture of the dice at an entry: its own, else the last one before it."""
    kept = [entry.evidence for entry in entries if entry.evidence and entry.number <= number]
    return kept[-1] if kept else ""
