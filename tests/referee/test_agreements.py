"""What a table agrees on: somebody leaves, a turn is skipped, a throw does not count, who begins without lot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from any_game import NAMES, QUIET, Played, dice_of, filled
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.actions import Action, GameState
from referee.agreements import AGREEMENTS, RULES
from referee.dice import Die
from referee.game import Game, begin
from referee.games import games, named
from referee.games.dice_county_fair import FairPhase, FairState
from referee.games.intersection import IntersectionState
from referee.games.rollers import RollersState
from referee.games.switch_16 import Switch16Phase, Switch16State
from referee.journal import Deed
from referee.judge import judge
from referee.record_check import check_record, start_of_record
from referee.record_parser import Record, RecordedEntry, parse_record, write_record

with_turns = pytest.mark.parametrize("game", [game for game in games() if game.finish], ids=lambda game: game.name)


def started(name: str, *players: str, **options: str) -> GameState:
    game = named(name)
    return begin(game, players, dice_of(game), {name.replace("_", "-"): value for name, value in options.items()})


def played(name: str, state: GameState, *lines: str) -> GameState:
    """The state after these actions, each of them legal."""
    for line in lines:
        ruling = judge(named(name), state, Action.parse(line))
        assert ruling.refusal is None, (line, ruling.refusal)
        assert ruling.calls
        state = ruling.state
    return state


def why_not(name: str, state: GameState, line: str) -> str:
    refusal = judge(named(name), state, Action.parse(line)).refusal
    assert refusal, line
    assert refusal.rule in RULES
    return refusal.sentence


TEN = " ".join([*["tossup:green"] * 4, *["tossup:red"] * 6])


# Somebody leaves


def test_who_leaves_is_passed_over_and_keeps_the_score() -> None:
    state = played("toss-up", started("toss-up", "Ann", "Bob", "Cy"), f"1 roll {TEN}", "1 end", "1 quit")
    assert (state.to_act, state.gone, state.scores) == ((2,), (1,), (4, 0, 0))
    state = played("toss-up", state, f"2 roll {TEN}", "2 end", f"3 roll {TEN}", "3 end")
    assert state.to_act == (2,)


@pytest.mark.parametrize(
    "line", ["2 quit", "2 quit =3", "2 skip", "2 begin tossup:green", "2 end =3", f"2 roll {TEN} {TEN}"]
)
def test_a_seat_that_has_gone_is_named_as_gone_whatever_else_is_wrong(line: str) -> None:
    state = played("toss-up", started("toss-up", "Ann", "Bob", "Cy"), "2 quit")
    assert why_not("toss-up", state, line) == "Bob has left the game and does not play on."


@pytest.mark.parametrize("line", ["1 switch =2", "1 disk =2"])
def test_the_deck_of_one_who_has_gone_is_named_as_gone(line: str) -> None:
    state = played("switch-16", started("switch-16", "Ann", "Bob", "Cy"), "1 begin", "2 quit")
    assert isinstance(state, Switch16State)
    green = replace(state, phase=Switch16Phase.GREEN, holder=1, rolled=(1, 2, 3), face=state.dice.kinds[1].faces[0])
    assert why_not("switch-16", green, line) == "Bob has left the game and does not play on."


def test_who_leaves_in_the_middle_of_a_turn_loses_what_it_has_brought() -> None:
    state = played("toss-up", started("toss-up", "Ann", "Bob", "Cy"), f"1 roll {TEN}", "1 quit")
    assert (state.to_act, state.scores, named("toss-up").turn_points(state)) == ((2,), (0, 0, 0), 0)


@with_turns
def test_the_only_one_left_wins_and_it_is_said_how(game: Game) -> None:
    state = begin(game, ["Ann", "Bob"], dice_of(game))
    ruling = judge(game, state, Action(1, "quit"))
    assert (ruling.state.to_act, ruling.state.winner, ruling.state.dice_awaited) == ((), (2,), ())
    assert [call.rule for call in ruling.calls] == ["A.1-1", "A.1-2"]
    assert ruling.calls[-1].sentence == "Bob is the only one left, and wins the game."
    assert "Bob" in game.tell(ruling.state)
    assert game.boards(ruling.state) is not None
    assert not game.legal(ruling.state)


@pytest.mark.parametrize("name", ["intersection", "dice-county-fair"])
def test_a_lone_player_who_leaves_ends_the_game_without_a_winner(name: str) -> None:
    state = played(name, started(name, "Ann"), "1 quit")
    assert (state.to_act, state.winner) == ((), ())
    assert named(name).tell(state)
    assert named(name).boards(state)


def test_who_has_left_does_not_win_with_the_highest_score() -> None:
    state = replace(started("toss-up", "Ann", "Bob", "Cy"), scores=(90, 99, 95))
    lines = (f"1 roll {' '.join(['tossup:green'] * 10)}", f"1 roll {TEN}", "1 end", "1 quit")
    state = played("toss-up", state, *lines)
    assert state.scores[0] == 104
    state = played("toss-up", state, f"2 roll {TEN}", "2 end", f"3 roll {TEN}", "3 end")
    assert (state.scores, state.winner) == ((104, 103, 99), (2,))


def test_a_tie_is_decided_among_those_who_are_there() -> None:
    state = started("intersection", "Ann", "Bob", "Cy")
    assert isinstance(state, IntersectionState)
    game = named("intersection")
    tied = game.settle(replace(state, phase=type(state.phase)("tie-roll"), contenders=(1, 2, 3), to_act=(1,)))
    three, none = "traffic:four traffic:happy traffic:happy traffic:happy traffic:two", " ".join(["traffic:two"] * 5)
    state = played("intersection", tied, f"1 lot {three}", f"2 lot {none}", "1 quit", f"3 lot {none}")
    assert (state.to_act, state.winner) == ((2,), ())
    state = played("intersection", state, "2 quit")
    assert state.winner == (3,)


def test_no_dice_is_not_for_one_who_has_left() -> None:
    state = started("intersection", "Ann", "Bob", "Cy")
    assert isinstance(state, IntersectionState)
    start = named("intersection").begin_with(state, 1)
    assert isinstance(start, IntersectionState)
    last = replace(start, scores=(5000, 0, 300), turns=(9, 9, 9), last_turns=(1,))
    state = played("intersection", replace(last, gone=(2,)), "1 skip")
    assert state.winner == (1,)


ROLLERS_SET = "rollers-black:pip-1 rollers-purple:pip-1 rollers-purple:pip-1 " + " ".join(["rollers-purple:pip-4"] * 3)


def test_one_who_has_left_pays_no_chips_and_gets_no_point_for_them() -> None:
    state = played("rollers", started("rollers", "Ann", "Bob", "Cy"), "1 begin", "3 quit", f"1 roll {ROLLERS_SET}")
    lines = ("1 stop", "1 open rollers-black:pip-1 =1", "1 close rollers-purple:pip-1 =1")
    state = played("rollers", state, *lines, "1 collect rollers-purple:pip-1 =1")
    assert isinstance(state, RollersState)
    assert state.chips == (56, 54, 55)


def test_the_disk_of_one_who_leaves_lies_next_to_the_tray_and_the_deck_is_no_target() -> None:
    state = played("switch-16", started("switch-16", "Ann", "Bob", "Cy"), "2 begin")
    assert isinstance(state, Switch16State)
    asked = replace(state, phase=Switch16Phase.ASKED, holder=3, rolled=(1, 2, 3), face=state.dice.kinds[1].faces[0])
    after = played("switch-16", named("switch-16").settle(asked), "3 quit")
    assert isinstance(after, Switch16State)
    assert (after.holder, after.phase, after.to_act) == (0, Switch16Phase.GREEN, (2,))
    choices = [offer.choice for offer in named("switch-16").legal(after) if offer.verb == "switch"]
    assert choices == ["1"]


def test_the_fair_opens_and_goes_on_without_one_who_has_left() -> None:
    state = played("dice-county-fair", started("dice-county-fair", "Ann", "Bob", "Cy"), "1 copy", "1 ready", "2 copy")
    state = played("dice-county-fair", state, "2 ready", "3 quit")
    assert isinstance(state, FairState)
    assert (state.phase, state.to_act) == (FairPhase.ROLL, (1,))
    roll = " ".join(["d6:pip-1"] * 6)
    lines = (f"1 roll {roll}", "1 start =midway", "1 done", "2 skip")
    state = played("dice-county-fair", state, *lines)
    assert isinstance(state, FairState)
    assert (state.turn, state.roller, state.papers[1].excess) == (2, 2, ((), (), ()))
    assert len(state.papers[1].turns) == 1


# A turn is skipped


def test_a_skipped_turn_brings_nothing_and_the_next_player_acts() -> None:
    state = played("toss-up", started("toss-up", "Ann", "Bob"), f"1 roll {TEN}", "1 skip")
    assert (state.to_act, state.scores, state.gone) == ((2,), (0, 0), ())
    assert why_not("toss-up", state, "1 skip") == "Ann has no turn to skip now."


def test_a_skipped_turn_is_none_for_no_dice() -> None:
    state = played("intersection", started("intersection", "Ann", "Bob"), "1 begin", "1 skip")
    assert isinstance(state, IntersectionState)
    assert (state.turns, state.to_act) == ((0, 0), (2,))


def test_a_skipped_lot_leaves_the_others_to_throw() -> None:
    state = played("rollers", started("rollers", "Ann", "Bob", "Cy"), "2 skip", "1 lot rollers-purple:pip-2")
    assert state.to_act == (3,)
    state = played("rollers", state, "3 skip")
    assert isinstance(state, RollersState)
    assert (state.starter, state.to_act) == (1, (1,))


# A throw that does not count


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_a_throw_that_does_not_count_is_kept_and_changes_nothing(game: Game) -> None:
    state = begin(game, ["Ann", "Bob"], dice_of(game))
    kind = state.dice.kinds[0]
    ruling = judge(game, state, Action(2, "void", (Die(kind.name, kind.faces[0]),)))
    assert ruling.refusal is None
    assert ruling.state == state
    assert ruling.calls[0].sentence.startswith("Bob's throw of ")
    assert judge(game, state, Action(2, "void")).refusal


# Who begins


@with_turns
def test_a_starter_is_chosen_without_lot_until_the_game_has_begun(game: Game) -> None:
    state = begin(game, ["Ann", "Bob", "Cy"], dice_of(game))
    ruling = judge(game, state, Action(3, "begin"))
    assert ruling.refusal is None
    state = ruling.state
    if isinstance(state, FairState):
        for seat in (1, 2, 3):
            state = played(game.name, state, f"{seat} copy", f"{seat} ready")
    assert state.to_act == (3,)


def test_the_last_turns_of_later_seats_go_by_who_began() -> None:
    state = replace(started("toss-up", "Ann", "Bob", "Cy", last_turns="later-seats"), scores=(0, 0, 0))
    state = replace(played("toss-up", state, "2 begin"), scores=(0, 0, 99))
    state = played("toss-up", state, f"2 roll {TEN}", "2 end", f"3 roll {TEN}", "3 end")
    assert state.to_act == (1,)
    state = played("toss-up", state, f"1 roll {TEN}", "1 end")
    assert state.winner == (3,)


def test_the_first_turn_is_not_given_away_later() -> None:
    state = played("toss-up", started("toss-up", "Ann", "Bob"), f"1 roll {TEN}")
    assert why_not("toss-up", state, "2 begin") == "Who starts is already decided."


def test_plain_dice_have_no_turns_to_leave() -> None:
    state = started("dice", "Ann", "Bob")
    for line in ("1 quit", "1 skip", "1 begin"):
        assert why_not("dice", state, line)


# Laws


@st.composite
def with_agreements(draw: st.DrawFn, game: Game, most: int = 40) -> Played:
    """A game with any options, in which players leave and are skipped at any time."""
    fewest, seats = game.seats
    names = NAMES[: draw(st.integers(max(fewest, 2), min(seats, 4)))]
    options = {option.name: draw(st.sampled_from([value for value, _ in option.readings])) for option in game.options}
    states, done = [begin(game, names, dice_of(game), options)], list[Action]()
    for _ in range(draw(st.integers(1, most))):
        offers = game.legal(states[-1])
        if not offers:
            break
        said = _agreed(game, states[-1], draw) if draw(st.integers(0, 5)) == 0 else []
        ruling = judge(game, states[-1], filled(draw(st.sampled_from(said or offers)), states[-1].dice, draw))
        assert not ruling.refusal, (ruling.action, ruling.refusal)
        assert ruling.calls
        done.append(ruling.action)
        states.append(ruling.state)
    return Played(game, states[0], tuple(done), tuple(states))


def _agreed(game: Game, state: GameState, draw: st.DrawFn) -> Sequence[Action]:
    kinds = [Die(draw(st.sampled_from(state.dice.kinds)).name)]
    said = [Action(player.seat, verb) for player in state.players for verb in AGREEMENTS if verb != "void"]
    said += [Action(player.seat, "void", tuple(kinds)) for player in state.players]
    return [each for each in said if each.verb == "void" or not judge(game, state, each).refusal]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
@settings(QUIET, max_examples=60)
@given(st.data())
def test_nobody_who_has_left_acts_or_wins_and_the_record_replays_the_game(game: Game, data: st.DataObject) -> None:
    found = data.draw(with_agreements(game))
    for before, state in zip(found.states, found.states[1:], strict=False):
        assert not set(state.to_act) & set(state.gone)
        assert not set(state.winner) & set(state.gone)
        assert bool(state.to_act) == bool(game.legal(state))
        assert all(state.scores[seat - 1] == before.scores[seat - 1] for seat in before.gone)
        assert game.tell(state)
        assert game.boards(state) is not None
        assert game.facts(state)
    for action in found.actions:
        assert Action.parse(str(action)) == action
    _check_replay(game, found)


def _check_replay(game: Game, found: Played) -> None:
    names = tuple(player.name for player in found.start.players)
    lines = tuple(RecordedEntry(Deed.PLAY, action) for action in found.actions)
    record = parse_record(write_record(Record(game.name, names, found.start.options, dice_of(game).name, lines=lines)))
    again = list(check_record(game, start_of_record(record, game, dice_of(game)), record))
    assert [each.state for each in again] == list(found.states[1:])
    assert not any(each.refusal for each in again)


@with_turns
@settings(QUIET, max_examples=20)
@given(st.data())
def test_a_game_ends_when_all_but_one_have_left_at_any_moment(game: Game, data: st.DataObject) -> None:
    state = data.draw(with_agreements(game, most=15)).end
    for seat in data.draw(st.permutations(state.present))[:-1]:
        if state.to_act:
            state = judge(game, state, Action(seat, "quit")).state
    assert not state.to_act
    assert set(state.winner) <= set(state.present)
