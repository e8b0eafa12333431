"""Achievements: what a player has done so often over all games, told in values. They are counted, never handed out.

Each follows from the results and feats of the games as they stand, so that a correction, an undo, a merge and a
forgotten name hold for them too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import NamedTuple
from zlib import crc32

from referee.feats import Feat
from referee.game import Game
from referee.game_results import METHOD
from referee.sentences import say

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
