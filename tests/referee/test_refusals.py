"""Which rule forbids what: for each verb of each game, the rule that matters most where it is illegal.

The tables are read from the top: the first row that fits an action names the rule which its refusal has to cite. Games
are played at random, and in every position each player tries every verb, rightly and wrongly. What no row fits fails.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import pytest
from any_game import NAMES, dice_of
from at_the_table import golden_games

from referee.actions import Action, GameState
from referee.dice import Die, number_on
from referee.game import Game, begin
from referee.games import games
from referee.games.rollers.state import takings
from referee.games.switch_16.state import can_discard
from referee.games.toss_up.state import throws
from referee.judge import judge
from referee.record_check import check_record, start_of_record
from referee.record_parser import parse_record

GAMES_PLAYED = 10
MOST_ACTIONS = 90
PLANNING = "price erase copy ready not-ready"
USES = {"open": "empty", "close": "open", "collect": "closed"}
RULE_OF_USE = {"open": "R.2-8", "close": "R.2-9", "collect": "R.2-10"}


@dataclass(frozen=True)
class Row:
    """`verbs` in a row, '' for any; `when` it is so, the rule that forbids it is `rule`.

    A `rare` row may stay unused by the games played here; the tests of the game's rules hold it.
    """

    verbs: str
    when: Callable[[Any, Action], bool]
    rule: str
    rare: bool = False


def always(_state: GameState, _action: Action) -> bool:
    return True


def waits(state: GameState, action: Action) -> bool:
    return action.player not in state.to_act


def in_phase(*phases: str) -> Callable[[Any, Action], bool]:
    return lambda state, _action: state.phase in phases


def waits_in(*phases: str) -> Callable[[Any, Action], bool]:
    return lambda state, action: waits(state, action) and state.phase in phases


def has_no_turn_left(state: Any, action: Action) -> bool:
    left = state.last_turns
    return waits(state, action) and left is not None and action.player not in (state.seat, *left)


def some_are_level(state: Any, action: Action) -> bool:
    return waits_in("lots")(state, action) and len(state.contenders) < len(state.players)


# Intersection


def rolls_undeclared(state: Any, action: Action) -> bool:
    """A roll of double or nothing, which was not declared."""
    kinds = sorted(die.kind for die in action.dice)
    return kinds == ["signal", "traffic"] and state.phase == "parked" and len(state.parked) == 4


INTERSECTION = (
    Row("", waits_in("setup"), "I.2-1"),
    Row("", waits_in("tie-roll"), "I.2-21"),
    Row("double", waits, "I.2-13"),
    Row("vander", waits, "I.2-19"),
    Row("lot", waits, "I.2-1"),
    Row("", has_no_turn_left, "I.2-20"),
    Row("", waits, "I.2-1"),
    Row("vander", always, "I.2-19"),
    Row("", in_phase("setup"), "I.2-1"),
    Row("", in_phase("tie-roll"), "I.2-21"),
    Row("", in_phase("start"), "I.2-2"),
    Row("give-up", always, "I.2-16"),
    Row("", in_phase("double"), "I.2-13"),
    Row("lot", always, "I.2-1"),
    Row("roll", rolls_undeclared, "I.2-13", rare=True),
    Row("roll", always, "I.2-4"),
    Row("fix", always, "I.2-7"),
    Row("go", always, "I.2-8"),
    Row("star", lambda s, a: s.signal != "slow" or "star" not in (*s.field, *s.parked), "I.2-9"),
    Row("star", lambda s, a: s.phase == "must-play-on" and s.chose("star-after-park", "play-on-first"), "I.2-14"),
    Row("star", always, "I.2-9"),
    Row("park", lambda s, a: "sad" in s.field, "I.2-6"),
    Row("park", lambda s, a: any(die.kind == "signal" for die in a.dice), "I.2-5"),
    Row("park", always, "I.2-10"),
    Row("end on", lambda s, a: "sad" in s.field, "I.2-12"),
    Row("end", in_phase("must-play-on"), "I.2-14"),
    Row("end", lambda s, a: s.signal == "slow" and s.phase != "parked", "I.2-15"),
    Row("end", in_phase("resolve"), "I.2-11"),
    Row("end", lambda s, a: "end" in {o.verb for o in GAMES["intersection"].legal(s)}, "I.2-17"),
    Row("end", always, "I.2-18"),
    Row("on", lambda s, a: not s.field or s.phase == "resolve", "I.2-11"),
    Row("on", always, "I.2-12"),
    Row("double", lambda s, a: s.phase != "parked" or s.signal != "go" or len(s.parked) != 4, "I.2-13"),
    Row("double", lambda s, a: "double" in {o.verb for o in GAMES["intersection"].legal(s)}, "I.2-13"),
    Row("double", always, "I.2-18"),
)

# Toss Up!

TOSS_UP = (
    Row("", has_no_turn_left, "T.2-11"),
    Row("", waits, "T.2-1"),
    Row("roll", lambda s, a: bool(a.choice), "T.2-9"),
    Row("", lambda s, a: not s.rolled, "T.2-2"),
    Row("roll", lambda s, a: s.aside == 10 and len(throws(s)) == 1, "T.2-8"),
    Row("roll", lambda s, a: s.aside == 10, "AMB-T-6", rare=True),
    Row("roll", lambda s, a: len(a.dice) < len(s.field) or len(throws(s)) == 1, "T.2-9"),
    Row("roll", always, "AMB-T-6", rare=True),
    Row("end", lambda s, a: not s.points and s.chose("yellow-start", "roll-again"), "AMB-T-4", rare=True),
    Row("end", lambda s, a: s.aside == 10 and s.chose("ten-green", "roll-on"), "AMB-T-5"),
    Row("end", always, "T.2-7"),
)

# Dice County Fair


def numbers(action: Action) -> list[int]:
    return [number_on(die.face) for die in action.dice]


def place(state: Any, action: Action) -> int:
    """The activity's number; -1 for none, or for one in another section than the player's."""
    keys = [activity.key for activity in state.sheet.activities]
    number = keys.index(action.choice.partition("/")[0]) if action.choice.partition("/")[0] in keys else -1
    sections = [section.key for section in state.sheet.sections]
    return number if number >= 0 and sections[number // 6] == state.plan(action.player).section else -1


def is_spent(state: Any, action: Action) -> bool:
    left = list(state.plan(action.player).left)
    return any(numbers(action).count(number) > left.count(number) for number in numbers(action))


def of(state: Any, action: Action, what: str) -> Any:
    return getattr(state.plan(action.player).paper, what)[place(state, action)]


def is_no_way(state: Any, action: Action) -> bool:
    return {"food-hall": 0, "midway": 1}.get(action.choice) == numbers(action)[0] % 2


FAIR = (
    Row(PLANNING, always, "D.2-1"),
    Row("", in_phase("planning"), "D.2-1"),
    Row("roll", waits_in("roll"), "D.2-2"),
    Row("", in_phase("roll"), "D.2-3"),
    Row("roll", always, "D.2-3"),
    Row("", waits, "AMB-D-12"),
    Row("rethink", always, "AMB-D-12"),
    Row("start", always, "D.2-8"),
    Row("", lambda s, a: not s.plan(a.player).section, "D.2-8"),
    Row("buy", lambda s, a: place(s, a) < 0, "D.2-5"),
    Row("buy", lambda s, a: of(s, a, "bought"), "AMB-D-14"),
    Row("buy", lambda s, a: numbers(a) == [of(s, a, "prices")] and is_spent(s, a), "D.2-4"),
    Row("buy", always, "D.2-5"),
    Row("complete", lambda s, a: place(s, a) < 0, "D.2-6"),
    Row("complete", lambda s, a: bool(of(s, a, "dice")), "AMB-D-14"),
    Row("complete", lambda s, a: not of(s, a, "bought"), "D.2-6"),
    Row("complete", lambda s, a: len(a.dice) != s.sheet.activities[place(s, a)].spaces, "D.2-6"),
    Row("complete", lambda s, a: sum(numbers(a)) not in s.sheet.activities[place(s, a)].requirement.totals, "D.2-6"),
    Row("complete", is_spent, "D.2-4", rare=True),
    Row("complete", always, "D.2-6", rare=True),
    Row("move", lambda s, a: a.choice not in [section.key for section in s.sheet.sections], "D.2-7"),
    Row("move", lambda s, a: a.choice == s.plan(a.player).section, "AMB-D-5"),
    Row("move", lambda s, a: bool(s.plan(a.player).move), "D.2-7"),
    Row("move", lambda s, a: s.turn == 1 and s.chose("free-start", "the-move"), "AMB-D-4"),
    Row("move", lambda s, a: len(a.dice) != 1 or is_no_way(s, a), "D.2-7"),
    Row("move", is_spent, "D.2-4"),
    Row("move", always, "D.2-7", rare=True),
    Row("done", lambda s, a: a.player in {o.player for o in GAMES[FAIR_NAME].legal(s) if o.verb == "done"}, "D.2-11"),
    Row(
        "done",
        lambda s, a: s.chose("last-die", "spent") and s.plan(a.player).move and not s.plan(a.player).spent,
        "AMB-D-2",
    ),
    Row("done", always, "AMB-D-3"),
)
FAIR_NAME = "dice-county-fair"

# Rollers


def missing(state: Any, action: Action, *piles: str) -> bool:
    """True if an action's dice are not among the good ones, but, where piles are named, in one of those."""
    good, asked = list(state.good), list(action.dice)
    lacking = [die for die in asked if asked.count(die) > good.count(die)]
    there = [die for pile in piles for die in getattr(state, pile)]
    return any(die in there for die in lacking) if piles else bool(lacking)


def section(state: Any, action: Action) -> str:
    return state.section(state.seat, int(action.choice)).value if action.choice in list("12345") else "none"


def needed(action: Action) -> int:
    return int(action.choice) if action.verb == "open" else 1


ROLLERS = (
    Row("", some_are_level, "AMB-R-9"),
    Row("", in_phase("lots"), "R.2-1"),
    Row("lot", always, "R.2-1"),
    Row("", waits, "R.2-2"),
    Row("", lambda s, a: s.phase == "roll" and not s.rolls, "R.2-3"),
    Row("open close collect done", in_phase("roll"), "R.2-2"),
    Row("roll save stop", lambda s, a: s.phase == "apply" and s.rolls == 3, "R.2-3"),
    Row("roll stop", always, "R.2-4"),
    Row("save", in_phase("apply"), "R.2-4"),
    Row("save", lambda s, a: missing(s, a, "dead"), "R.2-6"),
    Row("save", missing, "R.2-4"),
    Row("save", lambda s, a: any(s.bound.count(die) > a.dice.count(die) for die in s.bound), "AMB-R-1"),
    Row("save", always, "R.2-4"),
    Row("done", always, "R.2-12"),
    *(Row(verb, lambda s, a: section(s, a) != USES[a.verb], rule) for verb, rule in RULE_OF_USE.items()),
    Row("collect", lambda s, a: not s.chips[s.seat - 1], "R.2-11", rare=True),
    Row(
        "collect",
        lambda s, a: (
            not takings(s, int(a.choice)) and any(s.section(seat, int(a.choice)).value != "closed" for seat in s.others)
        ),
        "AMB-R-4",
        rare=True,
    ),
    Row("collect", lambda s, a: not takings(s, int(a.choice)), "R.2-10"),
    *(Row(verb, lambda s, a: len(a.dice) != needed(a), rule) for verb, rule in RULE_OF_USE.items()),
    Row("open close collect", lambda s, a: missing(s, a, "dead"), "R.2-6", rare=True),
    Row("open close collect", missing, "R.2-7"),
    *(Row(verb, always, rule, rare=True) for verb, rule in RULE_OF_USE.items()),
)

# Switch 16


def is_settled_first(state: Any, _action: Action) -> bool:
    return state.phase in ("green", "block")


def owes(state: Any, _action: Action) -> bool:
    return state.phase == "discard" and state.chose("discards", "all") and can_discard(state)


def answers_first(state: Any, action: Action) -> bool:
    asked = state.phase == "asked" and action.player == state.holder
    return asked and state.chose("disk-when-asked", "answer-first")


SWITCH_16 = (
    Row("", some_are_level, "AMB-S-16"),
    Row("", in_phase("lots"), "S.2-1"),
    Row("disk", answers_first, "AMB-S-22"),
    Row("disk", lambda s, a: a.player == s.holder and a.choice == str(a.player), "AMB-S-10"),
    Row("disk", always, "S.2-9"),
    Row("refuse agree", always, "S.2-5"),
    Row("take leave", waits, "S.2-8"),
    Row("", lambda s, a: s.phase == "asked" and a.player in (s.seat, s.holder), "S.2-5"),
    Row("", waits, "S.2-1"),
    Row("", lambda s, a: a.player != s.seat, "S.2-9"),
    Row("lot", always, "S.2-1"),
    Row("take leave", always, "S.2-8"),
    Row("roll discard end", is_settled_first, "S.2-3"),
    Row("roll discard end decline", in_phase("red"), "S.2-6"),
    Row("decline", always, "S.2-4"),
    Row(
        "switch",
        lambda s, a: s.refused and a.choice == str(s.refused) and s.phase in ("green", "red"),
        "AMB-S-7",
        rare=True,
    ),
    Row("switch", in_phase("red"), "S.2-6"),
    Row("switch", always, "S.2-4"),
    Row("end", in_phase("start"), "S.2-2"),
    Row("roll", lambda s, a: s.phase == "discard" and not s.roll_cards, "S.2-14"),
    Row("roll end", owes, "AMB-S-11"),
    Row("roll", always, "S.2-2"),
    Row("end", always, "S.2-14"),
    Row("discard", lambda s, a: s.phase == "discard" and s.deck.blocked, "S.2-10"),
    Row("discard", always, "S.2-12"),
)

GAMES = {game.name: game for game in games()}
TABLES = {
    "dice": (Row("", always, "P.1-1"),),
    FAIR_NAME: FAIR,
    "intersection": INTERSECTION,
    "rollers": ROLLERS,
    "switch-16": SWITCH_16,
    "toss-up": TOSS_UP,
}


def test_every_game_has_a_table_of_its_refusals() -> None:
    assert set(TABLES) == set(GAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_every_refusal_cites_the_rule_that_matters_most(name: str) -> None:
    seen = set[int]()
    for state, action in _tried(GAMES[name]):
        refusal = judge(GAMES[name], state, action).refusal
        if refusal:
            number, row = _row_for(name, state, action)
            assert refusal.rule == row.rule, (action, refusal, state)
            seen.add(number)
    unused = [row for number, row in enumerate(TABLES[name]) if number not in seen and not row.rare]
    assert not unused


def _row_for(name: str, state: GameState, action: Action) -> tuple[int, Row]:
    rows = enumerate(TABLES[name])
    return next(
        (number, row)
        for number, row in rows
        if action.verb in (row.verbs or action.verb).split() and row.when(state, action)
    )


def _tried(game: Game) -> Iterator[tuple[GameState, Action]]:
    """Yield positions of games played at random, and of the golden games, with what each player tries there."""
    chance = random.Random(game.name)  # noqa: S311 -- dice, not secrets
    for state in chain(_positions_at_random(game, chance), _golden_positions(game)):
        offers = game.legal(state)
        for player in state.players if offers else ():
            for verb in game.help_texts:
                yield state, _attempt(state, offers, player.seat, verb, chance)


def _positions_at_random(game: Game, chance: random.Random) -> Iterator[GameState]:
    for _ in range(GAMES_PLAYED):
        state = _started(game, chance)
        for _ in range(MOST_ACTIONS):
            yield state
            offers = game.legal(state)
            if offers:
                state = judge(game, state, _next_action(game, state, offers, chance)).state


def _golden_positions(game: Game) -> Iterator[GameState]:
    for path in golden_games():
        record = parse_record(path.read_text("utf-8"))
        if record.game == game.name:
            start = start_of_record(record, game, dice_of(game))
            yield from (checked.state for checked in check_record(game, start, record))


def _started(game: Game, chance: random.Random) -> GameState:
    fewest, most = game.seats
    names = NAMES[: chance.randint(max(fewest, min(2, most)), min(most, 4))]
    options = {option.name: chance.choice(option.readings)[0] for option in game.options}
    return begin(game, names, dice_of(game), options)


def _next_action(game: Game, state: GameState, offers: tuple[Action, ...], chance: random.Random) -> Action:
    calm = [offer for offer in offers if offer.verb not in (*game.grave, game.lost)] or list(offers)
    verb = chance.choice(sorted({offer.verb for offer in calm}))
    return _filled(state, chance.choice([offer for offer in calm if offer.verb == verb]), chance)


def _filled(state: GameState, offer: Action, chance: random.Random) -> Action:
    shown = [Die(die.kind, die.face or chance.choice(state.dice.kind(die.kind).sides).name) for die in offer.dice]
    return replace(offer, dice=tuple(shown))


def _attempt(state: GameState, offers: tuple[Action, ...], seat: int, verb: str, chance: random.Random) -> Action:
    """Return what a player tries: an offer, the player's own or another's, maybe with other dice or another choice."""
    like = _filled(state, chance.choice([offer for offer in offers if offer.verb == verb] or offers), chance)
    way = chance.randrange(5)
    dice = _any_dice(state, chance) if way == 0 else (like.dice, like.dice, (), like.dice[1:])[way - 1]
    choices = [like.choice, like.choice, "", *(offer.choice for offer in offers[:30]), str(seat), *_choices(state)]
    return Action(seat, verb, dice, chance.choice(choices))


def _any_dice(state: GameState, chance: random.Random) -> tuple[Die, ...]:
    one_by_one = [kind for kind, count in state.dice.counts for _ in range(count)]
    some = chance.sample(one_by_one, chance.randint(1, len(one_by_one)))
    return tuple(Die(kind.name, chance.choice(kind.sides).name) for kind in some)


def _choices(state: GameState) -> list[str]:
    sheet = getattr(state, "sheet", None)
    keys = [activity.key for activity in sheet.activities] + [each.key for each in sheet.sections] if sheet else []
    return [*keys, "field", "parked", "1", "2", "3", "4", "5", "card-1", "card-9"]
