"""The phases of each game as tablets are sent them: states that the rules lead to, from recorded games and random play.

`phases(game)` gives a phase's name and its snapshot: the start, the first throw, the state with the most choices, each
moment (a score, a bust, ...) when it first happens, late in the game, its end, and a table of six.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from models import die_sets
from referee.actions import Action, GameState
from referee.calls import Call, strongest_moment
from referee.dice import Die, DieSet, FaceName, Zone
from referee.game import Game, begin
from referee.games import named
from referee.judge import judge
from referee.record_check import CheckedLine, check_record, start_of_record
from referee.record_parser import RecordedEntry, parse_record
from referee.snapshot import ShownDie, Snapshot, offers_of

RECORDS = Path(__file__).parents[1] / "referee/golden"
GAMES = ("intersection", "toss-up", "dice-county-fair", "rollers", "switch-16")
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve", "Bartholomew")
GIVEN_NAMES = ("Player 1", "Player 2")
"""What players are called who say no name."""
SEED = 4
MOST_STEPS = 160
DECISION_SEEDS = 12
LATE = 0.8
SIX_STEPS = 26
PLAIN_DICE = "d6"


def seen(game: Game, state: GameState, calls: tuple[Call, ...] = (), last: tuple[str, ...] = ()) -> Snapshot:
    """Return what tablets are sent of a state, with its dice where the rules say that they lie."""
    offers = offers_of(game, state)
    return Snapshot(
        number=1,
        game=game,
        state=state,
        calls=calls,
        notice=game.tell(state),
        notice_is_prompt=True,
        offers=offers,
        boards=game.boards(state),
        dice=_shown(game, state),
        last=last,
        last_throws=(0,) * len(last),
        turn_points=game.turn_points(state),
        take_back=calls[-1].sentence if calls else "",
        camera="virtual",
        step="1.1",
        run="phases",
    )


def _shown(game: Game, state: GameState) -> tuple[ShownDie, ...]:
    lying = [each for each in game.lay(state) if each.die.face]
    return tuple(
        _die(number, each.die, state.dice, each.zone or Zone.FIELD) for number, each in enumerate(lying, start=1)
    )


def _die(number: int, die: Die, dice: DieSet, zone: Zone) -> ShownDie:
    return ShownDie.of(dice, number, die, confidence=0.98, zone=zone, faces=dice.kind(die.kind).faces)


@cache
def phases(game_name: str) -> Mapping[str, Snapshot]:
    """Return the phases of a game by their names."""
    game = named(game_name)
    start, played = _longest_game(game)

    def after(place: int) -> Snapshot:
        return seen(game, played[place].state, played[place].calls, _sentences(played[: place + 1]))

    def choices(place: int) -> int:
        return sum(not offer.is_throw for offer in game.legal(played[place].state))

    moments = dict[str, int]()
    for place, line in enumerate(played):
        if moment := strongest_moment(line.calls):
            moments.setdefault(str(moment.value), place)
    places = {
        "throw": next(place for place, line in enumerate(played) if _is_throw(line)),
        "choice": max(range(len(played) // 2), key=choices),
        **moments,
        "late": int(LATE * len(played)),
        "over": len(played) - 1,
    }
    return {"start": seen(game, start)} | {name: after(place) for name, place in places.items()} | {"six": _six(game)}


def _longest_game(game: Game) -> tuple[GameState, list[CheckedLine]]:
    records = (parse_record(path.read_text("utf-8")) for path in sorted(RECORDS.glob(f"{game.name}*.txt")))
    games = [(start_of_record(record, game, die_sets.load(game.die_set or record.dice)), record) for record in records]
    start, record = max(games, key=lambda each: (len(each[0].players) > 1, len(each[1].lines)))
    return start, [line for line in check_record(game, start, record) if isinstance(line.line, RecordedEntry)]


def _is_throw(line: CheckedLine) -> bool:
    action = line.line.action if isinstance(line.line, RecordedEntry) else None
    return bool(action and action.dice and line.calls and action.verb != "lot")


def _sentences(lines: list[CheckedLine]) -> tuple[str, ...]:
    return tuple(call.sentence for line in reversed(lines[-8:]) for call in reversed(line.calls))[:6]


def whole_game(
    game: Game, seats: int, most: int = MOST_STEPS, seed: int = SEED, names: Sequence[str] = NAMES
) -> Iterator[Snapshot]:
    """Play legal actions at random, with the faces of chance, and give what tablets are sent after each."""
    last: tuple[str, ...] = ()
    for state, calls in _random_game(game, seats, most, seed, names):
        last = (*reversed([call.sentence for call in calls]), *last)[:6]
        yield seen(game, state, calls, last)


def _random_game(
    game: Game, seats: int, most: int, seed: int, names: Sequence[str]
) -> Iterator[tuple[GameState, tuple[Call, ...]]]:
    rng = random.Random(seed)  # noqa: S311
    least, room = game.seats
    state = begin(game, tuple(names[: max(least, min(seats, room))]), die_sets.load(game.die_set or PLAIN_DICE))
    yield state, ()
    for _ in range(most):
        offers = [offer for offer in game.legal(state) if offer.verb not in game.grave]
        if not offers:
            return
        ruling = judge(game, state, _filled(_chosen(offers, rng), state.dice, rng))
        if ruling.refusal:
            continue
        state = ruling.state
        yield state, ruling.calls


@cache
def decisions(game_name: str) -> Mapping[str, Snapshot]:
    """Return a state of a game for each set of verbs among which players choose, by the verbs' names.

    A set is left out where a larger one has all of it and the same next thing: there the buttons have less room.
    """
    game, found = named(game_name), dict[tuple[str, frozenset[str]], Snapshot]()
    for seed in range(DECISION_SEEDS):
        for state, calls in _random_game(game, 2, MOST_STEPS, seed, GIVEN_NAMES):
            choice = _choice(game, state)
            if choice not in found:
                found[choice] = seen(game, state, calls, tuple(call.sentence for call in calls))
    return {
        f"{next_thing}: {' '.join(sorted(verbs))}": scene
        for (next_thing, verbs), scene in found.items()
        if not any(next_thing == other and verbs < more for other, more in found)
    }


def _choice(game: Game, state: GameState) -> tuple[str, frozenset[str]]:
    """Return the verb of what most people do next, '' for none, and all verbs among which players choose."""
    usual = game.usual_taps(state)
    legal = game.legal(state)
    next_thing = next((offer.verb for offer in legal if usual.get(offer) == 1), "")
    return next_thing, frozenset(offer.verb for offer in legal)


def _chosen(offers: list[Action], rng: random.Random) -> Action:
    verb = rng.choice(sorted({offer.verb for offer in offers}))
    return rng.choice([offer for offer in offers if offer.verb == verb])


def _filled(offer: Action, dice: DieSet, rng: random.Random) -> Action:
    return replace(offer, dice=tuple(Die(die.kind, die.face or _side(dice, die, rng)) for die in offer.dice))


def _side(dice: DieSet, die: Die, rng: random.Random) -> FaceName:
    return rng.choice([side.name for side in dice.kind(die.kind).sides])


def _six(game: Game) -> Snapshot:
    return list(whole_game(game, len(NAMES), SIX_STEPS))[-1]
