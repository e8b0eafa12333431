"""Counts a season from its game records alone: no rule, no replay and no statistics of Vander are used.

Each game is counted by a few lines that follow its rule sheet for default options, two players or more. The lines of a
record are taken to be legal.
"""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from zipfile import ZipFile

SHEET = Path(__file__).parents[4] / "referee/games/dice_county_fair/county.toml"


@dataclass(frozen=True)
class Line:
    """A line of a record: `2 open rollers-purple:star =1`."""

    seat: int
    verb: str
    dice: tuple[str, ...]
    choice: str

    @property
    def faces(self) -> list[str]:
        """What the dice show, without their kinds."""
        return [die.split(":")[1] for die in self.dice]


@dataclass
class SeatCount:
    """What one seat got in a game; `turns` are the points of each turn in which dice were thrown."""

    score: int = 0
    won: bool = False
    turns: list[int] = field(default_factory=list)
    throws: int = 0
    stops: int = 0
    stop_chance: float | None = None


@dataclass(frozen=True)
class GameCount:
    """What a game came to, seat by seat."""

    game: str
    players: list[str]
    seats: list[SeatCount]

    @property
    def winners(self) -> list[str]:
        """The names of those who won against others."""
        return [player for player, seat in zip(self.players, self.seats, strict=True) if seat.won and self.seats[1:]]


@dataclass
class PlayerCount:
    """What a player got at one game in the season."""

    seats: list[SeatCount] = field(default_factory=list)
    shared: int = 0
    wins: int = 0


def count_games(archive: Path) -> list[GameCount]:
    """Count the records of a zip, in the order in which the games ended."""
    counts: list[tuple[str, GameCount]] = []
    with ZipFile(archive) as packed:
        for name in packed.namelist():
            text = packed.read(name).decode()
            game, players, lines = read_record(text)
            counts.append((_heading(text)["ended"], GameCount(game, players, COUNTS[game](lines, len(players)))))
    return [count for _, count in sorted(counts, key=lambda each: each[0])]


def count_season(games: Sequence[GameCount], against: str = "") -> dict[tuple[str, str], PlayerCount]:
    """Count games for each player and game; `against` somebody only those in which both sat."""
    season: dict[tuple[str, str], PlayerCount] = defaultdict(PlayerCount)
    for played in games:
        for player, seat in zip(played.players, played.seats, strict=True):
            if against and (against not in played.players or player == against):
                continue
            count = season[player, played.game]
            count.seats.append(seat)
            count.shared += len(played.players) > 1
            count.wins += player in played.winners
    return season


def count_occasions(games: Sequence[GameCount], player: str) -> dict[str, int]:
    """Count how often a player did what the achievements of results are about."""
    own = [played for played in games if player in played.players]
    won = [player in played.winners for played in own if len(played.players) > 1]
    runs = "".join("w" if each else " " for each in won).split()
    company = Counter(frozenset(played.players) for played in own if len(played.players) > 1)
    return {
        "played": len(own),
        "all-rounder": len({played.game for played in own if player in played.winners}),
        "streak": max(map(len, runs), default=0),
        "company": max(company.values(), default=0),
    }


def read_record(text: str) -> tuple[str, list[str], list[Line]]:
    """Return the game of a record, its players and its lines."""
    said, body = _heading(text), text.partition("\n\n")[2]
    lines = [line.split(" @ ")[0].split() for line in body.splitlines() if line[:1].isdigit()]
    return said["game"], said["players"].split(", "), [_line(*words) for words in lines]


def _heading(text: str) -> dict[str, str]:
    return dict(line.split(": ", 1) for line in text.partition("\n\n")[0].splitlines())


def _line(seat: str, verb: str, *words: str) -> Line:
    choice = next((word[1:] for word in words if word.startswith("=")), "")
    return Line(int(seat), verb, tuple(word for word in words if not word.startswith("=")), choice)


def _highest_win(seats: list[SeatCount]) -> list[SeatCount]:
    best = max(seat.score for seat in seats)
    for seat in seats:
        seat.won = seat.score == best
    return seats


def _runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines of each turn, where every turn is followed by another player's."""
    run: list[Line] = []
    for line in lines:
        if run and line.seat != run[0].seat:
            yield run
            run = []
        run.append(line)
    if run:
        yield run


# Toss Up!: green dice are points, red without green takes them


def _toss_up(lines: Sequence[Line], players: int) -> list[SeatCount]:
    seats = [SeatCount() for _ in range(players)]
    for run in _runs(lines):
        seat, points = seats[run[0].seat - 1], 0
        for line in run:
            if line.verb == "roll":
                green = line.faces.count("green")
                is_red = not green and "red" in line.faces
                seat.throws, seat.stops = seat.throws + 1, seat.stops + is_red
                points = 0 if is_red else points + green
        seat.turns.append(points)
        seat.score += points
    return _highest_win(seats)


# Rollers: sections are closed, chips change hands, and a full board ends the round


def _rollers(lines: Sequence[Line], players: int) -> list[SeatCount]:
    seats = [SeatCount(stop_chance=0.0) for _ in range(players)]
    chips, closed = [55] * players, [set[str]() for _ in range(players)]
    for line in lines:
        own, seat = line.seat - 1, seats[line.seat - 1]
        if line.verb == "roll":
            seat.throws, seat.stops = seat.throws + 1, seat.stops + ("zap" in line.faces)
            seat.stop_chance += any(die.startswith("rollers-black") for die in line.dice) / 6
        elif line.verb == "close":
            closed[own].add(line.choice)
        elif line.verb == "collect":
            for other in range(players):
                if other != own and line.choice not in closed[other]:
                    paid = min(int(line.choice), chips[other])
                    chips[other], chips[own] = chips[other] - paid, chips[own] + paid
        elif line.verb == "done":
            before = seat.score
            if len(closed[own]) == 5:
                _end_round(seats, own, chips)
                chips, closed = [55] * players, [set() for _ in range(players)]
            seat.turns.append(seat.score - before)
    return seats


def _end_round(seats: list[SeatCount], own: int, chips: list[int]) -> None:
    seats[own].score += 2 if chips[own] else 1
    if chips.count(max(chips)) == 1:
        seats[chips.index(max(chips))].score += 1
    reached = [place for place, seat in enumerate(seats) if seat.score >= 5]
    for place in reached:
        seats[place].won = chips[place] == max(chips[each] for each in reached)


# Intersection: parked dice are points, the last throw of a turn without `end` lost them

SINGLES, SETS = {"star": 50, "happy": 100}, {"two": 200, "three": 300, "four": 400}
THROWS = {"roll", "on", "go", "fix", "star"}


def _intersection(lines: Sequence[Line], players: int) -> list[SeatCount]:
    seats = [SeatCount() for _ in range(players)]
    vandered: set[int] = set()
    first = next(place for place, line in enumerate(lines) if line.verb != "lot")
    after = [line for line in lines[first:] if line.verb == "lot"]
    for run in _runs([line for line in lines[first:] if line.verb != "lot"]):
        seat = seats[run[0].seat - 1]
        throws = sum(line.verb in THROWS for line in run)
        points = _parked_points(run)
        points = points if seat.score or points >= 300 else 0
        seat.throws += throws
        seat.stops += run[-1].verb in THROWS and not points
        seat.score += points
        if run[-1].verb == "vander":
            vandered.add(run[0].seat)
        if throws:
            seat.turns.append(points)
    best = max(seat.score for seat in seats)
    tied = [
        number
        for number, seat in enumerate(seats, start=1)
        if seat.score == best or (not seat.score and number not in vandered)
    ]
    seats[_thrown_for(tied, after) - 1].won = True
    return seats


def _parked_points(run: Sequence[Line]) -> int:
    """Return what a turn brought: its parked dice at the end, twice for a double that came off."""
    parked: Counter[str] = Counter()
    for line in run:
        if line.verb == "park":
            parked.update(line.faces)
        if line.verb in {"fix", "star"} and line.choice == "parked":
            parked["happy" if line.verb == "fix" else "star"] -= 1
    if run[-1].verb == "end":
        return parked_worth(parked)
    if len(run) > 1 and run[-2].verb == "double" and "go" in run[-1].faces:
        (face,) = [each for each in run[-1].faces if each != "go"]
        scores = face in SINGLES or (face in SETS and parked[face] >= 3)
        return 2 * parked_worth(parked + Counter([face])) if scores else 0
    return 0


def parked_worth(parked: Counter[str]) -> int:
    """Return what parked dice of Intersection are worth together."""
    sets = sum(SETS[face] * (parked[face] - 2) for face in SETS if parked[face] >= 3)
    return sets + sum(SINGLES[face] * parked[face] for face in SINGLES)


def _thrown_for(tied: list[int], lots: Sequence[Line]) -> int:
    """Return who of those who tie threw the most happy faces; the level ones throw again."""
    while len(tied) > 1:
        thrown, lots = lots[: len(tied)], lots[len(tied) :]
        most = max(line.faces.count("happy") for line in thrown)
        tied = [line.seat for line in thrown if line.faces.count("happy") == most]
    return tied[0]


# Switch 16: decks go down card by card, and change hands


class SwitchDecks:
    """The decks of the players by their top cards (17 when the last is gone), the disk, and the roll that counts."""

    def __init__(self, players: int) -> None:
        self.seats = [SeatCount() for _ in range(players)]
        self.tops, self.blocked, self.holder = [1] * players, -1, -1
        self.turn, self.before, self.asked = -1, 0, -1
        self.dice, self.is_risk, self.is_red = list[str](), False, False

    def play(self, line: Line) -> None:
        """Take a line of the record."""
        own = line.seat - 1
        match line.verb:
            case "roll":
                self.roll(own, line.faces)
            case "discard":
                self.tops[own] += 1
            case "switch":
                partner = int(line.choice) - 1
                if partner == self.holder and not self.is_red:
                    self.asked = partner
                else:
                    self._trade(own, partner)
            case "agree":
                self._trade(self.turn, own)
            case "disk":
                self._put_disk(own, int(line.choice) - 1)
            case "take":
                self.blocked, self.holder = -1, own
                self._count()
            case "decline" | "leave":
                self._count()
            case "refuse":
                self.asked = -1
                if len(self.seats) == 2:
                    self._count()

    def end_turn(self) -> None:
        """Write down what the turn brought."""
        if self.turn >= 0:
            self.seats[self.turn].turns.append(self.tops[self.turn] - 1 - self.before)

    def roll(self, own: int, faces: list[str]) -> None:
        """Take a roll of the player at that place: what the other dice show, and last the Switch die."""
        if own != self.turn:
            self.end_turn()
            self.turn, self.before, self.is_risk = own, self.tops[own] - 1, False
        else:
            self.is_risk = True
        *self.dice, face = faces
        self.is_red = face == "red-switch"
        self.seats[own].throws += 1
        self.seats[own].stops += self._is_stopped(own, face)

    def _is_stopped(self, own: int, face: str) -> bool:
        """True if the roll ends the turn at once, and with no better deck."""
        others = {seat: top for seat, top in enumerate(self.tops) if seat != own}
        lowest = [seat for seat, top in others.items() if top == min(others.values())]
        if face == "red-switch" and min(others.values()) < self.tops[own]:
            if len(lowest) == 1:
                self._trade(own, lowest[0])
            return len(lowest) == 1
        if face in {"red-switch", "green-switch"}:
            return face == "red-switch"
        if face == "block" and self.holder != own:
            if self.blocked not in {-1, own}:
                return False
            self.blocked, self.holder = -1, own
        return self._count()

    def _count(self) -> bool:
        """Count the dice of the roll; return True if they end the turn. A failed risk brings cards back."""
        numbers = [int(die.removeprefix("pip-")) for die in self.dice]
        sums = {sum(some) for size in range(1, len(numbers) + 1) for some in combinations(numbers, size)}
        top = self.tops[self.turn]
        if top in sums:
            return self.blocked == self.turn
        if self.is_risk:
            self.tops[self.turn] = 8 if top >= 9 else 1
        return True

    def _put_disk(self, own: int, on: int) -> None:
        self.blocked, self.holder = on, -1
        if self.asked == own:
            self._trade(self.turn, own)

    def _trade(self, one: int, other: int) -> None:
        self.tops[one], self.tops[other] = self.tops[other], self.tops[one]
        if self.blocked in {one, other}:
            self.blocked = one + other - self.blocked
        self.asked = -1


def _switch_16(lines: Sequence[Line], players: int) -> list[SeatCount]:
    game = SwitchDecks(players)
    for line in lines:
        game.play(line)
    game.end_turn()
    for seat, top in zip(game.seats, game.tops, strict=True):
        seat.score, seat.won = top - 1, top == 17
    return game.seats


# Dice County Fair: what each sheet has completed when the fair closes, and the awards


@dataclass
class _Sheet:
    """A player's sheet: completed activities, the dice left over in each section, and the turn as it is planned."""

    done: set[str] = field(default_factory=set)
    excess: Counter[str] = field(default_factory=Counter)
    section: str = ""
    planned: set[str] = field(default_factory=set)
    spent: Counter[str] = field(default_factory=Counter)
    now: str = ""

    def plan(self) -> None:
        """Begin the turn, or plan it once more."""
        self.planned, self.spent, self.now = set(), Counter(), self.section

    def close_turn(self, roll: Counter[str]) -> None:
        """End the turn: what was not spent is left over where the player is."""
        self.done |= self.planned
        self.section = self.now
        self.excess[self.now] += sum(int(die.removeprefix("pip-")) for die in (roll - self.spent).elements())


def _fair(lines: Sequence[Line], players: int) -> list[SeatCount]:
    seats, sheets, roll = [SeatCount() for _ in range(players)], [_Sheet() for _ in range(players)], Counter[str]()
    for line in lines:
        sheet = sheets[line.seat - 1]
        if line.verb == "roll":
            seats[line.seat - 1].throws += 1
            seats[line.seat - 1].turns.append(0)  # of who throws; points come when the fair closes
            roll = Counter(line.faces)
            for each in sheets:
                each.plan()
        sheet.spent.update(line.faces if line.verb in {"buy", "complete", "move"} else ())
        if line.verb in {"start", "move"}:
            sheet.now = line.choice
        if line.verb == "complete":
            sheet.planned.add(line.choice)
        if line.verb == "rethink":
            sheet.plan()
        if line.verb == "done":
            sheet.close_turn(roll)
    for seat, score in zip(seats, _fair_scores(sheets), strict=True):
        seat.score = score
    return _highest_win(seats)


def _fair_scores(sheets: Sequence[_Sheet]) -> list[int]:
    printed = tomllib.loads(SHEET.read_text("utf-8"))
    sections = {name: section for name, section in printed.items() if isinstance(section, dict)}
    points = {
        name: {each["title"].lower().replace(" ", "-"): each["points"] for each in section["activities"]}
        for name, section in sections.items()
    }
    scores = [sum(points[name].get(each, 0) for name in sections for each in sheet.done) for sheet in sheets]
    for place, sheet in enumerate(sheets):
        scores[place] += printed["experience"] * all(sheet.done & points[name].keys() for name in sections)
    for name, section in sections.items():
        counts = [len(sheet.done & points[name].keys()) for sheet in sheets]
        left = [-sheet.excess[name] for sheet in sheets]
        for values, award in (([count or None for count in counts], section["most"]), (left, section["fewest"])):
            scores = [score + more for score, more in zip(scores, _award(values, award), strict=True)]
    return scores


def _award(values: Sequence[int | None], award: Sequence[int]) -> list[int]:
    """Give the primary award to the first and the secondary to the second; who is level for the first has that."""
    ranks = sorted({value for value in values if value is not None}, reverse=True)
    if not ranks:
        return [0] * len(values)
    if values.count(ranks[0]) > 1:
        return [award[1] if value == ranks[0] else 0 for value in values]
    return [award[ranks.index(value)] if value is not None and value in ranks[:2] else 0 for value in values]


# Plain dice: throws, and nothing else


def _plain_dice(lines: Sequence[Line], players: int) -> list[SeatCount]:
    seats = [SeatCount() for _ in range(players)]
    for line in lines:
        seats[line.seat - 1].throws += line.verb == "roll"
    return seats


COUNTS: dict[str, Callable[[Sequence[Line], int], list[SeatCount]]] = {
    "dice": _plain_dice,
    "dice-county-fair": _fair,
    "intersection": _intersection,
    "rollers": _rollers,
    "switch-16": _switch_16,
    "toss-up": _toss_up,
}
