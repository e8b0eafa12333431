"""What is remarkable in a game: feats of the players, and the turn that decided it. Pure counting of a replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from referee.game import Game
from referee.game_state import GameState
from referee.journal import Deed, Entry, Replay
from referee.throw_chances import ThrowChances, is_stopped
from referee.turn_rows import PlayedRow, is_throw, played_rows, played_turns

BOLD_CHANCE = 2 / 3
"""A turn is bold if its throws together lose it with this chance at least, and it brings points all the same."""
LUCKY_CHANCE = 0.01
"""A throw is lucky if at most so large a share of its outcomes brings as many points."""
BEHIND = 0.5
"""Who trails by this share of the own final score, and wins, has come back."""


class Feat(StrEnum):
    """What may be remarkable in any game; games have feats of their own besides.

    DECIDED: the winner takes the lead for good; its value is what that brought. LUCKIEST: the throw whose points were
    the least to be expected; its value is the chance of as many points. LUCKY: such a throw of LUCKY_CHANCE. BOLD: a
    bold turn; its value is the chance that it would be lost. COMEBACK: the moment before which the later winner was
    furthest behind; its value is by how much. BREACHED: somebody broke a rule, so that nobody's table was clean.
    SHARP_EYE: a player corrected a die that was misread.
    """

    DECIDED = "decided"
    LUCKIEST = "luckiest"
    LUCKY = "lucky"
    BOLD = "bold"
    COMEBACK = "comeback"
    BREACHED = "breached"
    SHARP_EYE = "sharp-eye"


@dataclass(frozen=True)
class SeatFeat:
    """A feat of a seat: its name, the entry by which it was done (0 for the game as a whole), and its value."""

    seat: int
    feat: str
    entry: int
    value: float = 1.0


def find_feats(
    game: Game, start: GameState, replay: Replay, entries: Sequence[Entry], chances: ThrowChances | None = None
) -> tuple[SeatFeat, ...]:
    """Return the feats of a finished game, each at most once a seat; without `chances` none of luck and risk.

    A game that was left has none.
    """
    if replay.state.to_act:
        return ()
    rows = tuple(played_rows(start, replay))
    found = [
        *_own_feats(game, rows),
        *_sharp_eyes(replay.corrections),
        *_decided(rows, replay.state),
        *_comebacks(rows, replay.state),
        *_breached(entries, replay.state),
    ]
    if chances and start.scores:
        found += [*_luckiest(game, rows, chances), *_bold(game, rows, chances)]
    kept: dict[tuple[int, str], SeatFeat] = {}
    for feat in found:
        kept.setdefault((feat.seat, feat.feat), feat)
    return tuple(kept.values())


def _own_feats(game: Game, rows: Iterable[PlayedRow]) -> Iterator[SeatFeat]:
    for row in rows:
        for feat in game.feats:
            for seat in game.seats_with(feat, row.before, row.action, row.after):
                yield SeatFeat(seat, feat.name, row.entry.number)


def _sharp_eyes(corrections: Sequence[Entry]) -> Iterator[SeatFeat]:
    """Yield the corrections of seats; a face that was corrected back had been read right."""
    for entry in corrections:
        back = (entry.target, entry.dice[::-1])
        is_back = any((later.target, later.dice) == back for later in corrections)
        if entry.seat and not (entry.dice and is_back):
            yield SeatFeat(entry.seat, Feat.SHARP_EYE, entry.number)


def _decided(rows: Sequence[PlayedRow], end: GameState) -> Iterator[SeatFeat]:
    """Yield the last time that a lone winner took the lead over everybody else."""
    if len(end.winner) != 1 or len(end.players) < 2:
        return
    seat = end.winner[0]
    taken = [row for row in rows if _lead(row.before, seat) <= 0 < _lead(row.after, seat)]
    for row in taken[-1:]:
        yield SeatFeat(seat, Feat.DECIDED, row.entry.number, row.gain(seat))


def _lead(state: GameState, seat: int) -> int:
    """Return by how much a seat is ahead of the best of the others."""
    return state.scores[seat - 1] - max(score for other, score in enumerate(state.scores, 1) if other != seat)


def _comebacks(rows: Sequence[PlayedRow], end: GameState) -> Iterator[SeatFeat]:
    if len(end.players) < 2 or not rows:
        return
    for seat in end.winner:
        last = min(rows, key=lambda row: _lead(row.after, seat))
        behind = -_lead(last.after, seat)
        if behind > 0 and behind >= BEHIND * end.scores[seat - 1]:
            yield SeatFeat(seat, Feat.COMEBACK, last.entry.number, behind)


def _breached(entries: Iterable[Entry], end: GameState) -> Iterator[SeatFeat]:
    breaches = [entry.number for entry in entries if entry.deed is Deed.BREACH]
    for number in breaches[:1]:
        yield from (SeatFeat(player.seat, Feat.BREACHED, number) for player in end.players)


def _luckiest(game: Game, rows: Iterable[PlayedRow], chances: ThrowChances) -> Iterator[SeatFeat]:
    best: dict[int, SeatFeat] = {}
    for row in rows:
        seat = row.action.player
        gained = game.worth(row.after, seat) - game.worth(row.before, seat)
        outlook = chances.outlook(row.before, row.action) if gained > 0 and _throws(game, row) else None
        if outlook:
            feat = SeatFeat(seat, Feat.LUCKIEST, row.entry.number, outlook.chance_of(gained))
            best[seat] = min(best.get(seat, feat), feat, key=lambda each: each.value)
    for feat in best.values():
        yield feat
        if feat.value <= LUCKY_CHANCE:
            yield SeatFeat(feat.seat, Feat.LUCKY, feat.entry, feat.value)


def _bold(game: Game, rows: Sequence[PlayedRow], chances: ThrowChances) -> Iterator[SeatFeat]:
    """Yield the boldest turn of each seat that brought points though its throws would rather have lost it."""
    best: dict[int, SeatFeat] = {}
    for turn in played_turns(game, rows):
        lost = 1 - _survival(game, turn.rows, chances)
        if turn.points > 0 and lost >= BOLD_CHANCE and not is_stopped(turn.rows[-1].ruling.calls):
            feat = SeatFeat(turn.seat, Feat.BOLD, turn.entry, lost)
            best[turn.seat] = max(best.get(turn.seat, feat), feat, key=lambda each: each.value)
    yield from best.values()


def _survival(game: Game, rows: Iterable[PlayedRow], chances: ThrowChances) -> float:
    """Return the chance that no throw of a turn loses it."""
    left = 1.0
    for row in rows:
        outlook = chances.outlook(row.before, row.action) if _throws(game, row) else None
        left *= 1 - (outlook.stop if outlook else 0.0)
    return left


def _throws(game: Game, row: PlayedRow) -> bool:
    return is_throw(game, row.before, row.action)
