"""What a game derives from its verbs, and that no game takes another's state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from any_game import dice_of

from referee.actions import Action, DiePosition, GameState, fresh_dice
from referee.calls import Refusal, Verb
from referee.dice import Die, Zone
from referee.game import BadStart, Game, begin
from referee.games import games, named
from referee.games.toss_up import GAME
from referee.judge import judge

every_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)


def started(game: Game) -> GameState:
    return begin(game, ["Ann", "Bob"], dice_of(game))


@every_game
def test_a_game_refuses_the_state_of_another_game(game: Game) -> None:
    stranger = started(next(other for other in games() if other is not game))
    with pytest.raises(TypeError, match=f"{game.title} is played with {game.state_type.__name__}, not "):
        game.legal(stranger)
    with pytest.raises(TypeError):
        judge(game, stranger, Action(stranger.to_act[0], game.verbs[0].name))


@pytest.mark.parametrize(("name", "reading"), [("toss-up", 12), ("rollers", 8), ("dice-county-fair", 12)])
def test_a_house_rule_lets_more_people_play_than_the_box_is_for(name: str, reading: int) -> None:
    game, names = named(name), [f"Player {seat}" for seat in range(1, reading + 2)]
    option = {"players": f"up-to-{reading}"}
    assert len(begin(game, names[:-1], dice_of(game), option).players) == reading
    with pytest.raises(BadStart, match=f"to {reading} players, not {reading + 1}"):
        begin(game, names, dice_of(game), option)
    with pytest.raises(BadStart, match=f"to {game.seats[1]} players, not {game.seats[1] + 1}"):
        begin(game, names[: game.seats[1] + 1], dice_of(game))


@every_game
def test_the_page_of_rules_says_how_many_may_play(game: Game) -> None:
    page = (Path(__file__).parents[2] / f"referee/rules/{game.name}.md").read_text("utf-8")
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    fewest, most = (words[count] for count in game.seats)
    assert f"{fewest.capitalize()} to {most} " in page


@every_game
def test_each_verb_of_a_game_has_a_name_a_rule_and_a_sentence_of_its_own(game: Game) -> None:
    assert len(game.help_texts) == len(game.verbs)
    for verb in game.verbs:
        assert verb.rule
        assert verb.help.endswith(".")
        assert verb.usage == "" or verb.usage.endswith(".")


@every_game
def test_an_unknown_verb_is_refused_with_those_that_there_are(game: Game) -> None:
    state = started(game)
    refusal = judge(game, state, Action(state.to_act[0], "sing")).refusal
    assert refusal
    assert refusal.rule == game.cite("verb")
    assert refusal.sentence.startswith(f"{game.title} has no 'sing'; a player may {game.verbs[0].name}")


def test_an_action_is_ruled_on_by_its_own_verb_alone() -> None:
    asked = Counter[str]()

    def counted(verb: Verb) -> Verb:
        def offers(state: GameState, seat: int) -> Iterator[Action]:
            asked[verb.name] += 1
            yield from verb.offers(state, seat)

        return replace(verb, offers=offers)

    game = replace(GAME, verbs=tuple(counted(verb) for verb in GAME.verbs))
    state = started(game)
    assert judge(game, state, Action(1, "end")).refusal
    assert asked == {"end": 1}


def test_offers_come_seat_by_seat_and_verb_by_verb() -> None:
    game = named("dice-county-fair")
    offers = [(offer.player, offer.verb) for offer in game.legal(started(game))]
    assert list(dict.fromkeys(offers)) == [(1, "price"), (1, "copy"), (2, "price"), (2, "copy")]


def test_a_verb_without_a_reason_of_its_own_says_how_it_is_written() -> None:
    end = next(verb for verb in GAME.verbs if verb.name == "end")
    bare = replace(end, refusals=lambda _state, _action: (), usage="", rule="T.2-7")
    assert bare.why_not(begin(GAME, ["Ann", "Bob"], dice_of(GAME)), Action(1, "end")) == Refusal(
        "There is nothing to choose for 'end'.", "T.2-7"
    )


def test_a_throw_of_fresh_dice_takes_them_from_anywhere_on_the_field() -> None:
    die = Die.parse("tossup:?")
    assert fresh_dice(started(GAME), Action(1, "roll", (die, die))) == (DiePosition(die, Zone.FIELD),) * 2
