"""What is remarkable in a game, and what a player has done so often over all games. Counted, never handed out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple
from zlib import crc32

from referee.actions import GameState
from referee.chances import ThrowChances, is_stopped
from referee.game import Game
from referee.game_results import METHOD, PlayedRow, is_throw, played_rows, played_turns
from referee.journal import Deed, Entry, Replay
from referee.sentences import say

# What is remarkable in a game: feats of the players, and the turn that decided it. Pure counting of a replay


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


# Achievements: what a player has done so often over all games, told in values. They are counted, never handed out
#
# Each follows from the results and feats of the games as they stand, so that a correction, an undo, a merge and a
# forgotten name hold for them too.


DAYS_GAMES = 5
"""The different games that make a day complete."""


class CareerGame(NamedTuple):
    """A finished game as it counts for one player; a career has them in the order in which they ended.

    day: when it ended, None where nobody knows whether the clock was right. company: the numbers of all players of the
    game. feats: the names of the player's feats, each with its entry.
    """

    number: int
    game: str
    won: bool
    day: date | None
    company: frozenset[int]
    feats: Mapping[str, int] = MappingProxyType({})

    @property
    def is_shared(self) -> bool:
        """True if others played too: nobody wins alone."""
        return len(self.company) > 1


@dataclass(frozen=True)
class Occasion:
    """Where an achievement was counted up: a game, and the entry in it, 0 for the game as a whole."""

    game: int
    entry: int = 0


Career = Sequence[CareerGame]
Counting = Callable[[Career], Iterator[Occasion]]
"""The occasions of an achievement, in order."""


@dataclass(frozen=True)
class Achievement:
    """Something to be achieved; `levels` says at how many occasions each level is reached. `text` says what counts."""

    name: str
    title: str
    text: str
    levels: tuple[int, ...]
    count: Counting = field(repr=False)


@dataclass(frozen=True)
class Progress:
    """How far a player has come with an achievement: its occasions so far, and where each level was reached."""

    achievement: Achievement
    occasions: int
    levels: tuple[Occasion, ...] = ()

    @property
    def level(self) -> int:
        """Return the level that is reached, from 0."""
        return len(self.levels)

    @property
    def next(self) -> int:
        """Return the occasions that the next level takes, 0 at the highest one."""
        return next(iter(self.achievement.levels[self.level :]), 0)

    @property
    def reached(self) -> Occasion | None:
        """Return where the present level was reached, None at level 0."""
        return self.levels[-1] if self.levels else None

    def level_reached_in(self, game: int) -> int:
        """Return the highest level that was reached in a game, 0 for none."""
        return max((level for level, where in enumerate(self.levels, start=1) if where.game == game), default=0)


def _every_game(career: Career) -> Iterator[Occasion]:
    yield from (Occasion(played.number) for played in career)


def _new_game_won(career: Career) -> Iterator[Occasion]:
    won: set[str] = set()
    for played in career:
        if played.won and played.is_shared and played.game not in won:
            won.add(played.game)
            yield Occasion(played.number)


def _longer_streak(career: Career) -> Iterator[Occasion]:
    streak = longest = 0
    for played in career:
        if played.is_shared:
            streak = streak + 1 if played.won else 0
            if streak > longest:
                longest = streak
                yield Occasion(played.number)


def _more_together(career: Career) -> Iterator[Occasion]:
    together: Counter[frozenset[int]] = Counter()
    most = 0
    for played in career:
        if played.is_shared:
            together[played.company] += 1
            if together[played.company] > most:
                most = together[played.company]
                yield Occasion(played.number)


def _full_day(career: Career) -> Iterator[Occasion]:
    games: defaultdict[date, set[str]] = defaultdict(set)
    for played in career:
        today = games[played.day] if played.day else None
        if today is not None and played.game not in today:
            today.add(played.game)
            if len(today) == DAYS_GAMES:
                yield Occasion(played.number)


def _clean(career: Career) -> Iterator[Occasion]:
    yield from (Occasion(played.number) for played in career if Feat.BREACHED not in played.feats)


def _with_feat(feat: str) -> Counting:
    def occasions(career: Career) -> Iterator[Occasion]:
        yield from (Occasion(played.number, played.feats[feat]) for played in career if feat in played.feats)

    return occasions


COMMON = (
    Achievement("played", say("Regular"), say("Play games to the end."), (10, 50, 200), _every_game),
    Achievement("all-rounder", say("All-rounder"), say("Win at different games."), (1, 3, 5), _new_game_won),
    Achievement("streak", say("On a roll"), say("Win games in a row."), (3, 5, 10), _longer_streak),
    Achievement("company", say("Old friends"), say("Play with the same people."), (10, 25, 100), _more_together),
    Achievement("full-day", say("Full day"), say("Play five different games in one day."), (1, 3, 10), _full_day),
    Achievement(
        Feat.COMEBACK,
        say("Comeback"),
        say("Win after you were behind by half of your final score."),
        (1, 5, 20),
        _with_feat(Feat.COMEBACK),
    ),
    Achievement(
        Feat.BOLD,
        say("Bold"),
        say("Bring home a turn that is lost in two of three cases."),
        (1, 10, 50),
        _with_feat(Feat.BOLD),
    ),
    Achievement(
        Feat.LUCKY,
        say("One in a hundred"),
        say("Make a throw that brings so many points once in a hundred times."),
        (1, 5, 20),
        _with_feat(Feat.LUCKY),
    ),
    Achievement(
        "clean-table",
        say("Clean table"),
        say("Finish games in which nobody broke a rule."),
        (10, 50, 200),
        _clean,
    ),
    Achievement(
        Feat.SHARP_EYE,
        say("Sharp eye"),
        say("Correct a die that the camera misread, on your own phone."),
        (1, 10, 50),
        _with_feat(Feat.SHARP_EYE),
    ),
)
"""The achievements that any game counts for."""


def achievements(games: Iterable[Game]) -> tuple[Achievement, ...]:
    """Return all achievements: the common ones, and those of each game."""
    own = (
        Achievement(feat.name, feat.title, feat.text, feat.levels, _with_feat(feat.name))
        for game in games
        for feat in game.feats
    )
    return (*COMMON, *own)


def counting_method(achievements: Iterable[Achievement]) -> int:
    """Return a number, from 0 to 2**31 - 1, that is another one where other achievements or levels are counted."""
    counted = [METHOD, *((each.name, each.levels) for each in achievements)]
    return crc32(str(counted).encode()) & 0x7FFFFFFF


def progress(achievement: Achievement, career: Career) -> Progress:
    """Return how far a player has come with an achievement."""
    occasions = tuple(achievement.count(career))
    reached = tuple(occasions[least - 1] for least in achievement.levels if least <= len(occasions))
    return Progress(achievement, len(occasions), reached)
