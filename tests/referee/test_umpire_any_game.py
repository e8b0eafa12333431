"""The umpire of every game before clumsy hands: whatever goes wrong on a table, nothing is silently taken wrong."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import pytest
from any_game import NAMES, dice_of
from at_the_table import seen as intersection_table
from at_the_table import turn as intersection_turn
from rollers_table import seen as rollers_table
from rollers_table import turn as rollers_turn
from switch_16_table import done as switch_done
from switch_16_table import seen as switch_table
from switch_16_table import started
from test_laws import every_game, numbers_in
from toss_up_table import new_game as toss_up_game

from referee.actions import Action, GameState
from referee.dice import Die, FaceName, KindName, Seen, SeenDie, Zone
from referee.game import Game, begin
from referee.games import games, named
from referee.judge import judge
from referee.umpire import Explanation, describe, explain

GAMES = 4
"""Games played at random by each test, of each game."""
STEPS = 20
"""Actions in each."""
played_with_rules = pytest.mark.parametrize(
    "game", [game for game in games() if game.name != "dice"], ids=lambda game: game.name
)
"""A plain table counts whatever is thrown: there no throw is wrong."""


# Hands, and a table that knows what really happened


@dataclass(frozen=True)
class Real:
    """A real die: where the rules have it (`home`, None: anywhere), and whether the camera sees it."""

    seen: SeenDie
    home: Zone | None = None
    in_view: bool = False

    @property
    def die(self) -> Die:
        return self.seen.die


@dataclass
class Table:
    """The dice of a game on a real table."""

    chance: random.Random
    sides: dict[KindName, list[FaceName]]
    dice: dict[int, Real]
    throw: int = 0
    lost: set[int] = field(default_factory=set)
    """Dice that did not come to rest inside and in view in a throw."""
    turned: set[int] = field(default_factory=set)

    def seen(self) -> Seen:
        return Seen(tuple(real.seen for real in self.dice.values() if real.in_view), self.throw)

    def change(self, number: int, in_view: bool = True, home: Zone | None = None, **seen: object) -> None:
        real = self.dice[number]
        after = replace(real.seen, **seen)  # type: ignore[arg-type]
        self.dice[number] = Real(after, home if home else real.home, in_view)

    def cast(self, numbers: Sequence[int]) -> None:
        self.throw += 1
        for number in numbers:
            face = self.chance.choice(self.sides[self.dice[number].seen.kind])
            fell = {"faces": ((face, 1.0),), "zone": Zone.FIELD, "throw": self.throw}
            self.change(number, home=Zone.FIELD, **fell)

    def copy(self) -> Table:
        return Table(self.chance, self.sides, dict(self.dice), self.throw)

    def pick(self, game: Game, state: GameState, action: Action) -> list[int]:
        """The dice that the action throws, as a hand would take them."""
        picked: list[int] = []
        anywhere = not game.lay(state)
        for lying in sorted(game.thrown(state, action), key=lambda lying: lying.die.face is None):
            picked.append(
                self.chance.choice(
                    [
                        number
                        for number, real in self.dice.items()
                        if number not in picked
                        and real.seen.kind == lying.die.kind
                        and (lying.die.face is None or real.die == lying.die)
                        and (
                            anywhere
                            or lying.die.face is None
                            or {lying.zone, real.home} & {None, Zone.SIGNAL}
                            or lying.zone is real.home
                        )
                    ]
                )
            )
        return picked

    def settle(self, game: Game, state: GameState) -> None:
        """After a ruling every die is where the rules have it."""
        left = dict(self.dice)
        for lying in sorted(game.lay(state), key=lambda lying: lying.die.face is None):
            fits = [n for n, real in left.items() if lying.die in (real.die, Die(real.seen.kind))]
            number = next((n for n in fits if left[n].home is lying.zone), fits[0])
            self.dice[number] = replace(left.pop(number), home=lying.zone)
        for number, real in left.items():
            self.dice[number] = replace(real, home=None)


def laid_out(state: GameState, chance: random.Random) -> Table:
    sides = {kind.name: [side.name for side in kind.sides] for kind in state.dice.kinds}
    kinds = [kind.name for kind, count in state.dice.counts for _ in range(count)]
    dice = {
        number: Real(SeenDie(number, kind, ((sides[kind][0], 1.0),), Zone.FIELD, 0))
        for number, kind in enumerate(kinds, start=1)
    }
    return Table(chance, sides, dice)


@dataclass(frozen=True)
class Scene:
    """A state ruled on with its table, and a throw about to be made: actions by hand or implied, then a throw."""

    game: Game
    state: GameState
    before: Seen
    table: Table
    plan: tuple[Action, ...]
    thrown: list[int]
    then: GameState
    """Where the plan's throw starts from."""

    @property
    def left(self) -> list[int]:
        """The dice in view that the throw leaves lying."""
        return [n for n, real in self.table.dice.items() if n not in self.thrown and real.in_view]

    def explained(self) -> Explanation:
        return explain(self.game, self.state, self.before, self.table.seen())


def scenes(game: Game) -> Iterator[Scene]:
    """Throws out of games played at random by hands that know the rules."""
    for number in range(GAMES):
        chance = random.Random(f"{game.name} {number}")  # noqa: S311 - dice, not secrets
        yield from _scenes(game, chance, number)


def _scenes(game: Game, chance: random.Random, number: int) -> Iterator[Scene]:
    options = {option.name: chance.choice(option.readings)[0] for option in game.options if number}
    state = begin(game, NAMES[: chance.randint(max(2, game.seats[0]), 3)], dice_of(game), options)
    table = laid_out(state, chance)
    for _ in range(STEPS):
        before = table.seen()
        scene = _planned(game, state, before, table.copy())
        if scene:
            yield scene
        offers = [offer for offer in game.legal(state) if offer.verb not in (*game.grave, game.lost)]
        if not offers:
            return
        verb = chance.choice(sorted({offer.verb for offer in offers}))
        action = chance.choice([offer for offer in offers if offer.verb == verb])
        state = _done(game, state, table, action)
        table.settle(game, state)


def _done(game: Game, state: GameState, table: Table, action: Action) -> GameState:
    if action.is_throw:
        numbers = table.pick(game, state, action)
        table.cast(numbers)
        action = replace(action, dice=tuple(table.dice[number].die for number in numbers))
    elif action.verb in game.by_hand:
        _carry(game, table, action)
    return judge(game, state, action).state


def _carry(game: Game, table: Table, action: Action) -> None:
    """Put the dice of an action by hand into the bay, one that lies elsewhere first."""
    for die in action.dice:
        fits = [n for n, real in table.dice.items() if real.die == die and real.home is not Zone.ASIDE]
        number = min(fits, key=lambda n: table.dice[n].seen.zone is Zone.ASIDE)
        table.change(number, home=Zone.ASIDE if table.dice[number].home else None, zone=Zone.ASIDE)


def _planned(game: Game, state: GameState, before: Seen, table: Table) -> Scene | None:
    plan, now = list[Action](), state
    told = game.by_hand | game.implied
    while len(plan) <= game.held_actions:
        offers = [offer for offer in game.legal(now) if offer.is_throw or offer.verb in told]
        if not offers:
            return None
        throws = [offer for offer in offers if offer.is_throw]
        plan.append(table.chance.choice(throws if throws and table.chance.random() < 0.7 else offers))
        if plan[-1].is_throw:
            return Scene(game, state, before, table, tuple(plan), table.pick(game, now, plan[-1]), now)
        now = _done(game, now, table, plan[-1])
        if not game.lay(now):
            table.settle(game, now)
    return None


# What goes wrong


def too_many(scene: Scene) -> bool:
    scene.table.cast([*scene.thrown, *scene.left[:1]])
    return bool(scene.left)


def too_few(scene: Scene) -> bool:
    scene.table.cast(scene.thrown[1:])
    return len(scene.thrown) > 1


def the_wrong_one(scene: Scene) -> bool:
    scene.table.cast([*scene.thrown[1:], *scene.left[:1]])
    return bool(scene.left)


def any_dice(scene: Scene) -> bool:
    dice = list(scene.table.dice)
    scene.table.cast(scene.table.chance.sample(dice, scene.table.chance.randint(1, len(dice))))
    return True


def one_turned(scene: Scene) -> bool:
    table = scene.table
    table.cast(scene.thrown)
    for number in scene.left[:1]:
        old = table.dice[number].seen
        face = table.chance.choice([face for face in table.sides[old.kind] if face != old.die.face])
        table.change(number, faces=((face, 1.0),))
        table.turned.add(number)
    return bool(scene.left)


def one_out_of_view(scene: Scene) -> bool:
    scene.table.cast(scene.thrown)
    for number in scene.left[:1]:
        scene.table.change(number, in_view=False)
    return bool(scene.left)


def one_carried_outside(scene: Scene) -> bool:
    scene.table.cast(scene.thrown)
    for number in scene.left[:1]:
        scene.table.change(number, zone=Zone.OUT)
    return bool(scene.left)


def one_fallen_out(scene: Scene) -> bool:
    scene.table.cast(scene.thrown)
    scene.table.change(scene.thrown[0], zone=Zone.OUT)
    scene.table.lost.add(scene.thrown[0])
    return True


def an_earlier_throw_unanswered_and_a_die_carried_outside(scene: Scene) -> bool:
    """The breach stands unanswered: the table ruled on last is that before both throws."""
    if len(scene.thrown) < 2:
        return False
    scene.table.cast(scene.thrown[:1])
    scene.table.change(scene.thrown[0], zone=Zone.OUT)
    scene.table.cast(scene.thrown[1:])
    return True


def one_cocked(scene: Scene) -> bool:
    scene.table.cast(scene.thrown)
    scene.table.change(scene.thrown[0], cocked=True)
    return True


def a_stranger_added(scene: Scene) -> bool:
    scene.table.cast(scene.thrown)
    strange = SeenDie(99, KindName("d8"), ((FaceName("eight"), 1.0),), Zone.FIELD, 0)
    scene.table.dice[99] = Real(strange, in_view=True)
    return True


def two_throws(scene: Scene) -> bool:
    scene.table.cast(scene.thrown)
    scene.table.cast([*scene.thrown[:1], *scene.left[:2]])
    return len(scene.left) > 1


MISHAPS: Sequence[Callable[[Scene], bool]] = (
    too_many,
    too_few,
    the_wrong_one,
    any_dice,
    one_turned,
    one_out_of_view,
    one_carried_outside,
    one_fallen_out,
    an_earlier_throw_unanswered_and_a_die_carried_outside,
    one_cocked,
    a_stranger_added,
    two_throws,
)


# The laws


@every_game
def test_what_was_cleanly_thrown_is_always_among_the_ways(game: Game) -> None:
    for scene in scenes(game):
        scene.table.cast(scene.thrown)
        found = scene.explained()
        thrown = replace(scene.plan[-1], dice=tuple(scene.table.dice[number].die for number in scene.thrown))
        end = judge(game, scene.then, thrown).state
        assert end in [_end(scene, way) for way in found.ways], (scene.plan, found)


@every_game
def test_an_unsure_face_is_asked_unless_it_makes_no_odds(game: Game) -> None:
    for scene in scenes(game):
        table = scene.table
        table.cast(scene.thrown)
        thrown = replace(scene.plan[-1], dice=tuple(table.dice[number].die for number in scene.thrown))
        for number in scene.thrown[:2]:
            old = table.dice[number].seen
            other = next(face for face in table.sides[old.kind] if face != old.die.face)
            assert old.die.face
            table.change(number, faces=((other, 0.6), (old.die.face, 0.4)))
        found = scene.explained()
        end = judge(game, scene.then, thrown).state
        assert found.unsure_dice or end in [_end(scene, way) for way in found.ways], (scene.plan, found)
        assert set(found.unsure_dice) <= set(scene.thrown)


@played_with_rules
@pytest.mark.parametrize("mishap", MISHAPS, ids=lambda mishap: mishap.__name__)
def test_what_goes_wrong_is_never_silently_taken_for_something_else(
    game: Game, mishap: Callable[[Scene], bool]
) -> None:
    for scene in scenes(game):
        if not mishap(scene):
            continue
        found = scene.explained()
        _in_order(scene, found)
        if len(found.ways) == 1 and not found.question:
            _is_true(scene, found.ways[0])


def _end(scene: Scene, way: Sequence[Action]) -> GameState:
    now = scene.state
    for action in way:
        ruling = judge(scene.game, now, action)
        assert not ruling.refusal, (way, ruling.refusal)
        now = ruling.state
    return now


def _in_order(scene: Scene, found: Explanation) -> None:
    """Every way is legal and has a title of its own; every sentence ends, and every rule is on the game's page."""
    titles = [describe(scene.game, scene.state, way) for way in found.ways if _end(scene, way)]
    assert len(set(titles)) == len(titles)
    for sentence in (found.question, found.breach, found.unfinished):
        assert re.fullmatch(r"|[A-Z0-9].{8,399}[.?]", sentence), sentence
    assert not found.rule or found.rule in numbers_in(scene.game)
    assert bool(found.breach) <= bool(found.rule)


def _is_true(scene: Scene, way: Sequence[Action]) -> None:
    """The one way taken is what happened, or what no camera can tell from it."""
    table, action = scene.table, way[-1]
    if action.verb == scene.game.lost:
        assert table.lost
        return
    thrown = {n: real for n, real in table.dice.items() if real.seen.throw > scene.before.throw}
    assert Counter(action.dice) == Counter(real.die for real in thrown.values())
    assert not table.lost
    stood = _end(scene, way[:-1])
    layout = Counter(lying.die for lying in scene.game.lay(stood) if lying.die.face)
    picked = Counter(lying.die for lying in scene.game.thrown(stood, action) if lying.die.face)
    kept = Counter(real.die for n, real in table.dice.items() if n not in thrown)
    assert not picked or not (layout - picked) - kept
    assert not layout or not picked or not table.turned


# What was found wrong, and mended


def way(found: Explanation) -> list[str]:
    return [" ".join(str(action) for action in each) for each in found.ways]


FIELD = ("1 happy field 1", "2 sad field 1", "3 star field 1", "4 two field 1", "5 two field 1", "6 go signal 1")


def test_a_die_carried_outside_after_an_unanswered_breach_ends_no_turn_unasked() -> None:
    """Five dice were thrown wrongly, one of them was laid outside, and the other four thrown again."""
    state = intersection_turn("happy sad star two two")
    again = intersection_table("1 two out 2", *(f"{n} two field 3" for n in range(2, 6)), FIELD[5], throw=3)
    found = explain(named("intersection"), state, intersection_table(*FIELD), again)
    assert way(found) == ["1 vander"]
    assert found.question == "Has a die left the table?"


def test_a_die_that_is_only_out_of_view_ends_no_turn_unasked() -> None:
    state = intersection_turn("happy sad star two two")
    held = intersection_table("1 two field 2", "2 four field 2", *FIELD[3:], throw=2)
    found = explain(named("intersection"), state, intersection_table(*FIELD), held)
    assert (way(found), found.question) == (["1 vander"], "Has a die left the table?")


def test_dice_parked_before_a_turn_was_ended_without_a_word_are_asked_about() -> None:
    state = intersection_turn("star two", "four four four", phase=type(intersection_turn().phase)("parked"))
    before = [*(f"{n} four aside 1" for n in (1, 2, 3)), "4 star field 1", "5 two field 1", "6 go signal 1"]
    fresh = intersection_table(*(f"{n} two field 2" for n in range(1, 6)), "6 go field 2", throw=2)
    found = explain(named("intersection"), state, intersection_table(*before), fresh)
    assert [[action.verb for action in each] for each in found.ways] == [["end", "roll"], ["park", "end", "roll"]]
    assert "End the turn and keep 400" in found.question
    assert "Park star (50), then end the turn and keep 450" in found.question


ROLLED = ("1 b5", "2 1", "3 3", "4 3", "5 4", "6 *")


def test_a_die_that_fell_out_of_view_is_not_silently_saved() -> None:
    state = rollers_turn("b5 1 3 3 4 *")
    after = rollers_table("2 1 2", "3 3 2", "4 2 2", "5 4 2", "6 * 2", throw=2)
    found = explain(named("rollers"), state, rollers_table(*ROLLED), after)
    assert found.question.startswith("1 die is not in view: in a hand, or off the table. Was it all this: save black 5")


def test_a_saved_die_turned_into_what_another_showed_is_asked_about() -> None:
    state = rollers_turn("b5 1 3 3 4 *")
    after = rollers_table("1 b2 2", "2 4 1", "3 3 1", "4 3 1", "5 * 2", "6 * 2", throw=2)
    found = explain(named("rollers"), state, rollers_table(*ROLLED), after)
    assert found.question.startswith("A die was turned from 1 to 4 without being thrown. Was it all this: save")
    assert found.dice == (2,)


@pytest.mark.parametrize(("chance", "asked"), [(0.93, "It was not seen to tumble. Was this die thrown?"), (0.995, "")])
def test_a_die_that_falls_as_it_lay_costs_a_roll_unasked_only_where_the_camera_was_sure(
    chance: float, asked: str
) -> None:
    state = rollers_turn("b5 1 3 3 4 *")
    after = rollers_table(*(f"{words} 1" for words in ROLLED[:5]), "6 * 2", throw=2)
    dice = tuple(replace(die, chance=chance if die.number == 6 else None) for die in after.dice)
    found = explain(named("rollers"), state, rollers_table(*ROLLED), replace(after, dice=dice))
    assert found.question.startswith(asked)
    assert bool(found.question) is bool(asked)
    assert found.dice == ((6,) if asked else ())


def test_a_die_that_people_say_was_thrown_is_not_asked_about_again_for_showing_what_it_showed() -> None:
    state = rollers_turn("b5 1 3 3 4 *")
    after = rollers_table(*(f"{words} 1" for words in ROLLED[:5]), "6 * 2", throw=2)
    found = explain(named("rollers"), state, rollers_table(*ROLLED), after, said={(6, 2): True})
    assert (found.question, len(found.ways)) == ("", 1)


def test_the_longest_of_many_ways_is_offered_first_and_the_question_stays_short() -> None:
    state = switch_done(started(1, 1), "1 roll 1 2 4 blank")
    found = explain(
        named("switch-16"), state, switch_table("1", "2", "4", "blank"), switch_table("2", "5", "6", "block", throw=2)
    )
    assert found.question == f"What was it? The throw can mean {len(found.ways)} things."
    assert [len(each) for each in found.ways] == sorted(map(len, found.ways), reverse=True)
    first = describe(named("switch-16"), state, found.ways[0])
    assert first.startswith("Discard card 1 (1), and so on to discard card 7 (1 + 2 + 4), then end the turn")


@pytest.mark.parametrize(("count", "words"), [(1, "1 d8 die lies"), (2, "2 d8 dice lie")])
def test_dice_that_the_game_does_not_have_are_taken_away(count: int, words: str) -> None:
    strange = tuple(SeenDie(90 + n, KindName("d8"), (), Zone.FIELD, 1) for n in range(count))
    table = intersection_table(*FIELD)
    state = intersection_turn("happy sad star two two")
    found = explain(named("intersection"), state, table, replace(table, dice=(*table.dice, *strange)))
    away = "it" if count == 1 else "them"
    assert found.unfinished == f"{words} in the tray, and the game has none: take {away} away."


def test_ten_unsure_dice_are_weighed_with_few_rulings() -> None:
    """Which die shows which face makes no difference, so each handful of faces is ruled on once."""
    rulings = Counter[str]()
    game = named("toss-up")

    def counted(state: GameState) -> GameState:
        rulings["all"] += 1
        return game.settle(state)

    faces = tuple((FaceName(name), 1 / 3) for name in ("green", "yellow", "red"))
    dice = tuple(SeenDie(number, KindName("tossup"), faces, Zone.FIELD, 1) for number in range(1, 11))
    found = explain(replace(game, settle=counted), toss_up_game(), Seen(), Seen(dice, 1))
    assert found.unsure_dice == tuple(range(1, 11))
    assert rulings["all"] <= 66
