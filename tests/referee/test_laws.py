"""Laws that hold in every game, played at random. A new game is under them as soon as its file is there."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from any_game import QUIET, Hands, Played, dice_of, played_at_random
from at_the_table import entry
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.actions import Action, GameState, meets
from referee.agreements import RULES as RULES_OF_AGREEMENTS
from referee.dice import Die, Seen
from referee.game import Game, begin
from referee.games import games
from referee.journal import Deed, replay
from referee.judge import judge
from referee.rule_texts import rule_page
from referee.umpire import explain

RULES = Path(__file__).parent.parent.parent / "referee/rules"
every_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)


@cache
def numbers_in(game: Game) -> frozenset[str]:
    """The rule numbers of a game's page."""
    page = (RULES / f"{game.name}.md").read_text("utf-8")
    return frozenset(re.findall(r"\*\*([A-Z]\.[0-9]+(?:-[0-9]+)?|AMB-[A-Z]-[0-9]+)\*\*", page))


@every_game
@settings(QUIET, max_examples=40)
@given(st.data())
def test_every_law_holds_in_a_game_played_at_random(game: Game, data: st.DataObject) -> None:
    """To play a game takes far longer than to look at it: each is under all laws."""
    played = data.draw(played_at_random(game))
    for state in played.states:
        _is_in_order(game, state)
        _ends_a_turn_one_way_at_most(game, state)
    _refuses_what_is_not_offered(game, played.end, data)
    _calls_cite_rules(game, played)
    _is_replayed_and_undone(game, played, data)
    for action in (*played.actions, *game.legal(played.end)):
        assert Action.parse(str(action)) == action


def _is_in_order(game: Game, state: GameState) -> None:
    offers = game.legal(state)
    assert bool(state.to_act) is bool(offers)
    assert not (state.to_act and state.winner)
    assert {offer.player for offer in offers} == set(state.to_act)
    assert len(set(offers)) == len(offers)
    assert {offer.verb for offer in offers} <= set(game.help_texts)
    assert all(game.offer_title(state, offer) for offer in offers)
    assert game.tell(state).endswith((".", "?"))
    assert all(0 <= board.seat <= len(state.players) for board in game.boards(state))
    assert all(len(row.cells) == len(board.columns) for board in game.boards(state) for row in board.rows)
    assert hash(state) == hash(replace(state))


def _ends_a_turn_one_way_at_most(game: Game, state: GameState) -> None:
    enders = [offer.player for offer in game.legal(state) if offer.verb in game.ends_turn]
    assert len(set(enders)) == len(enders)
    assert game.ends_turn <= set(game.help_texts) - game.grave - game.by_hand


def _refuses_what_is_not_offered(game: Game, state: GameState, data: st.DataObject) -> None:
    sides = [Die(kind.name, face) for kind in state.dice.kinds for face in kind.faces]
    choices = sorted({offer.choice for offer in game.legal(state)} | {"", "field", "3"})
    action = Action(
        data.draw(st.integers(1, len(state.players) + 1)),
        data.draw(st.sampled_from([*game.help_texts, "sing"])),
        tuple(data.draw(st.lists(st.sampled_from(sides), max_size=6))),
        data.draw(st.sampled_from(choices)),
    )
    ruling = judge(game, state, action)
    assert (ruling.refusal is None) is any(meets(offer, action) for offer in game.legal(state))
    if ruling.refusal:
        assert ruling.state is state
        assert ruling.refusal.rule in numbers_in(game), ruling.refusal
        assert re.fullmatch(r".{8,}[.?]", ruling.refusal.sentence)


def _calls_cite_rules(game: Game, played: Played) -> None:
    for state, action in zip(played.states, played.actions, strict=False):
        for call in judge(game, state, action).calls:
            assert call.rule in numbers_in(game), call
            assert call.sentence.endswith(".")


def _is_replayed_and_undone(game: Game, played: Played, data: st.DataObject) -> None:
    journal = [entry(number, action) for number, action in enumerate(played.actions, start=1)]
    assert replay(game, played.start, journal).state == played.end
    target = data.draw(st.integers(1, len(journal)))
    undone = [*journal, entry(len(journal) + 1, deed=Deed.UNDO, target=target)]
    assert replay(game, played.start, undone).state == played.states[target - 1]


@pytest.mark.slow
@every_game
@settings(QUIET, max_examples=40)
@given(st.data())
def test_the_umpire_finds_what_was_played(game: Game, data: st.DataObject) -> None:
    """Throws and taps alone lead the referee to the state that was played; what only a throw may tell is asked."""
    played = data.draw(played_at_random(game))
    silent = data.draw(st.booleans())
    _play_on_a_table(game, played, silent)


def _play_on_a_table(game: Game, played: Played, silent: bool) -> None:
    hands, ruled, by_rule, unsaid = Hands(), Seen(), played.start, False
    for place, action in enumerate(played.actions):
        before, after = played.states[place], played.states[place + 1]
        old = game.thrown(before, action)
        if action.verb in game.by_hand:
            hands.put_aside(action.dice, game.lay(after))
            continue
        if silent and _said_by_a_throw(game, played, place):
            unsaid = True
            continue
        if old:
            if not game.lay(before):
                hands.sweep()
            hands.roll(old, action.dice)
        found = explain(game, by_rule, ruled, hands.seen(), None if old else action)
        by_rule = _taken(game, by_rule, found.ways, after, asked=unsaid or bool(found.question), why=(found, action))
        assert by_rule == after
        unsaid = False
        if not game.lay(after):
            hands.sweep()
        ruled = hands.seen()


def _said_by_a_throw(game: Game, played: Played, place: int) -> bool:
    """Whether this action, and all up to the next throw, may be left to that throw to tell."""
    for count, action in enumerate(played.actions[place:], start=1):
        if action.verb not in game.implied:
            return 1 < count <= game.held_actions + 1 and bool(game.thrown(played.states[place + count - 1], action))
    return False


def _taken(game: Game, state, ways, wanted, asked, why):  # noqa: ANN001, ANN202
    """The state after the one way, or after the one that was meant where several are asked."""
    ends = []
    for way in ways:
        now = state
        for action in way:
            now = judge(game, now, action).state
        ends.append(now)
    assert len(ends) == 1 or (asked and wanted in ends), why
    return wanted if wanted in ends else ends[0]


@every_game
def test_a_game_is_for_as_many_players_as_it_says(game: Game) -> None:
    fewest, most = game.seats
    for count in (fewest, most):
        state = begin(game, [f"Player {seat}" for seat in range(1, count + 1)], dice_of(game))
        assert len(state.players) == count
        assert state.to_act


@every_game
def test_the_page_of_rules_and_the_code_name_the_same_rules(game: Game) -> None:
    source = Path(inspect.getfile(game.state_type))
    paths = [source] if source.parent.name == "games" else sorted(source.parent.glob("*.py"))
    cited = {
        number
        for path in paths
        for number in re.findall(r"\"([A-Z]\.[0-9]+(?:-[0-9]+)?|AMB-[A-Z]-[0-9]+)\"", path.read_text("utf-8"))
    }
    assert cited
    assert cited <= numbers_in(game)
    assert game.rules == numbers_in(game)
    page = rule_page(game.name)
    assert page
    assert page.numbers == game.rules | RULES_OF_AGREEMENTS
    assert {option.source for option in game.options} <= numbers_in(game)


@every_game
def test_the_page_of_rules_names_every_option_with_its_readings(game: Game) -> None:
    page = (RULES / f"{game.name}.md").read_text("utf-8")
    for option in game.options:
        (row,) = (line for line in page.splitlines() if line.startswith(f"| `{option.name}` |"))
        assert f"**{option.source}**" in row
        assert re.findall(r"`([^`]+)`: ", row) == [value for value, _ in option.readings], option.name
