"""Dice that were seen to leave the tray in a throw: the game's rule, or the throw is made again, or it is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from at_the_table import GAME
from test_laws import every_game
from test_umpire_any_game import Scene, played_with_rules, scenes

from referee.dice import Departure, Handling, Homecoming, Seen, SeenDie, Zone
from referee.game import Game
from referee.umpire import LOST_DIE_QUESTION, Explanation, explain

CAME_BACK = (Homecoming.BY_ITSELF, Homecoming.BY_HAND)
ONE_LEFT = "A die left the tray"


def left(scene: Scene, home: Homecoming) -> Seen:
    """The first die of the throw leaves the tray while it flies, and lies there again, or is nowhere."""
    table, number = scene.table, scene.thrown[0]
    table.cast(scene.thrown)
    table.lost.add(number)
    came_back = home is not Homecoming.NONE
    table.change(number, in_view=came_back)
    after = table.seen()
    dice = (replace(die, handled=Handling.RETURNED) if die.number == number else die for die in after.dice)
    departure = Departure(after.throw, home, number if came_back else 0, (1.0, 1.1, 1.4))
    return replace(after, dice=tuple(dice), departures=(departure,))


def explained(scene: Scene, after: Seen) -> Explanation:
    return explain(scene.game, scene.state, scene.before, after)


def has_rule(scene: Scene) -> bool:
    return any(offer.verb == scene.game.lost for offer in scene.game.legal(scene.state))


@every_game
@pytest.mark.parametrize("home", Homecoming, ids=str)
def test_a_throw_in_which_a_die_left_is_never_taken_silently(game: Game, home: Homecoming) -> None:
    for scene in scenes(game):
        found = explained(scene, left(scene, home))
        assert found.question or all(way[-1].verb == game.lost for way in found.ways)
        assert not found.breach


@played_with_rules
def test_a_die_that_came_back_left_the_tray_all_the_same(game: Game) -> None:
    for scene in scenes(game):
        for home in CAME_BACK:
            found = explained(scene, left(scene, home))
            assert found.departed
            if has_rule(scene):
                assert all(way[-1].verb == game.lost for way in found.ways)
                assert found.ways
                assert len(found.ways) == 1 or found.question
            else:
                assert found.unfinished.startswith(ONE_LEFT)


@played_with_rules
def test_a_die_that_nobody_saw_to_the_end_is_asked_about(game: Game) -> None:
    for scene in scenes(game):
        after = left(scene, Homecoming.UNSEEN)
        found = explained(scene, after)
        assert found.question == LOST_DIE_QUESTION
        if has_rule(scene):
            assert found.ways[-1][-1].verb == game.lost
            continue
        assert found.perhaps_thrown == (scene.thrown[0],)
        asked = (scene.thrown[0], after.throw)
        plain = replace(after, dice=tuple(replace(die, handled=None) for die in after.dice), departures=())
        told, seen = explain(game, scene.state, scene.before, after, said={asked: True}), explained(scene, plain)
        assert replace(told, question="", dice=()) == replace(seen, question="", dice=())
        assert told.question in {"", seen.question}  # that it shows what it showed is not asked of what people saw
        denied = explain(game, scene.state, scene.before, after, said={asked: False})
        assert (denied.ways, denied.unfinished.startswith(ONE_LEFT)) == ((), True)


@played_with_rules
def test_the_throw_made_again_counts(game: Game) -> None:
    for scene in scenes(game):
        if has_rule(scene):
            continue
        left(scene, Homecoming.BY_HAND)
        scene.table.cast(scene.thrown)
        again = scene.table.seen()
        dice = (replace(die, throw=again.throw - 1) if die.throw == again.throw else die for die in again.dice)
        assert explained(scene, again).ways == explained(scene, Seen(tuple(dice), again.throw - 1)).ways


@played_with_rules
def test_the_throw_made_again_counts_though_the_die_that_left_lies_in_the_place_of_a_kept_one(game: Game) -> None:
    """It shows the same, and people take the other one up: who was to throw that die again waited for ever."""
    for scene in scenes(game):
        table, gone = scene.table, scene.thrown[0]
        kept = next((each for each in scene.left if table.dice[each].seen.kind == table.dice[gone].seen.kind), None)
        if has_rule(scene) or kept is None or not game.lay(scene.state):
            continue
        lay = table.dice[kept].seen
        left(scene, Homecoming.BY_HAND)
        table.change(gone, faces=lay.faces, zone=lay.zone, handled=Handling.RETURNED)
        table.cast([kept, *scene.thrown[1:]])
        again, plain = table.seen(), list[SeenDie]()
        for die in again.dice:
            number = {kept: gone, gone: kept}.get(die.number, die.number)
            throw = again.throw - 1 if die.throw == again.throw else min(die.throw, scene.before.throw)
            plain.append(replace(die, number=number, throw=throw, handled=None))
        assert explained(scene, again).ways == explained(scene, Seen(tuple(plain), again.throw - 1)).ways


def test_the_vander_rule_counts_for_a_parked_die_that_a_throw_knocked_off() -> None:
    """It came back, and lies in the bay again as it lay."""
    for scene in scenes(GAME):
        if not has_rule(scene) or not scene.left or not GAME.lay(scene.state):
            continue
        scene.table.cast(scene.thrown)
        knocked = scene.left[0]
        after = scene.table.seen()
        marked = (
            replace(die, throw=after.throw, handled=Handling.RETURNED) if die.number == knocked else die
            for die in after.dice
        )
        gone = Departure(after.throw, Homecoming.BY_HAND, knocked)
        found = explained(scene, replace(after, dice=tuple(marked), departures=(gone,)))
        assert all(way[-1].verb == "vander" for way in found.ways)
        assert found.ways


def test_a_die_outside_lies_where_a_throw_without_departures_left_it() -> None:
    for scene in scenes(GAME):
        scene.table.cast(scene.thrown)
        scene.table.change(scene.thrown[0], zone=Zone.OUT)
        plain = scene.table.seen()
        seen_to_leave = replace(plain, departures=(Departure(plain.throw, Homecoming.NONE, scene.thrown[0]),))
        assert replace(explained(scene, seen_to_leave), departed=()) == explained(scene, plain)


@every_game
def test_it_is_not_asked_whether_a_die_left_where_nothing_counts_either_way(game: Game) -> None:
    """A hand pushed a kept die, which shows what it showed, and hid for a moment whether it left the tray."""
    for scene in scenes(game):
        if has_rule(scene) or not scene.left or not game.lay(scene.state):
            continue
        lay = scene.table.seen()
        throw, pushed = lay.throw + 1, scene.left[0]
        marked = {"throw": throw, "handled": Handling.RETURNED}
        dice = tuple(replace(die, **marked) if die.number == pushed else die for die in lay.dice)
        gone_by = (Departure(throw, Homecoming.UNSEEN, pushed),)
        after = replace(lay, dice=dice, throw=throw, departures=gone_by)
        stayed = explain(game, scene.state, scene.before, after, said={(pushed, throw): True})
        gone = explain(game, scene.state, scene.before, after, said={(pushed, throw): False})
        counts = stayed.ways or stayed.breach or stayed.unsure_dice or stayed.question
        assert gone.ways == ()
        assert bool(explained(scene, after).question) == bool(counts)
