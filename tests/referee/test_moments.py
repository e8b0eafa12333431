"""What the table celebrates or mourns, and the sums behind calls: laws of all games, and each game's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from any_game import NAMES, QUIET, dice_of, played_at_random
from hypothesis import given, settings
from hypothesis import strategies as st

from models import die_sets
from referee.actions import Action, GameState
from referee.agreements import QUIT
from referee.calls import Call, DiceSum, Moment, SumTerm, strongest_moment
from referee.dice import Die, FaceName, KindName
from referee.game import Game, begin
from referee.games import games, named
from referee.journal import Deed
from referee.judge import judge
from referee.record_check import check_record, start_of_record
from referee.record_parser import RecordedEntry, parse_record

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
KEPT = {Moment.SCORE, Moment.COME_IN, Moment.WIN}
LOST = {Moment.BUST, Moment.STOP, Moment.VANDER}
every_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)


def moments(calls: tuple[Call, ...]) -> set[Moment]:
    return {call.moment for call in calls if call.moment}


def check_moments(game: Game, before: GameState, action: Action, after: GameState, calls: tuple[Call, ...]) -> None:
    """Hold one action of a game against what moments promise."""
    shown = moments(calls)
    assert (Moment.WIN in shown) == bool(after.winner), (action, calls)
    assert (Moment.VANDER in shown) == (action.verb == game.lost), (action, calls)
    if game.lay(before) and not game.lay(after):  # a turn has ended, maybe by what another seat did
        seat = before.turn_seat - 1
        is_gain = bool(after.scores) and after.scores[seat] > before.scores[seat]
        assert not is_gain or shown & KEPT, (action, calls)
        has_kept = is_gain or (game.name == "switch-16" and shown & KEPT)  # its cards have counted as they went
        assert not game.turn_points(before) or has_kept or shown & LOST, (action, calls)


@every_game
@settings(QUIET)
@given(st.data())
def test_each_turn_that_ends_has_the_moment_of_what_it_brought(game: Game, data: st.DataObject) -> None:
    played = data.draw(played_at_random(game))
    for before, action in zip(played.states, played.actions, strict=False):
        ruling = judge(game, before, action)
        check_moments(game, before, action, ruling.state, ruling.calls)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_each_golden_game_has_its_moments_and_ends_with_a_win(path: Path) -> None:
    record = parse_record(path.read_text("utf-8"))
    game = named(record.game)
    state = start_of_record(record, game, die_sets.load(game.die_set or record.dice))
    for step in check_record(game, state, record):
        line = step.line
        if isinstance(line, RecordedEntry) and line.deed is Deed.PLAY and line.action and not step.refusal:
            check_moments(game, state, line.action, step.state, step.calls)
        state = step.state


@pytest.mark.parametrize("game", [game for game in games() if game.finish], ids=lambda game: game.name)
def test_the_only_player_left_wins(game: Game) -> None:
    state = begin(game, NAMES[:2], dice_of(game))
    ruling = judge(game, state, Action(1, QUIT.name))
    assert ruling.state.winner == (2,)
    assert strongest_moment(ruling.calls) is Moment.WIN


def played(name: str, names: tuple[str, ...], *actions: str) -> Iterator[tuple[Call, ...]]:
    """The calls of each action of a game."""
    game = named(name)
    state: GameState = begin(game, names, dice_of(game))
    for text in actions:
        ruling = judge(game, state, Action.parse(text))
        assert not ruling.refusal, ruling.refusal
        state = ruling.state
        yield ruling.calls


HAPPY, FOUR = (Die(KindName("traffic"), FaceName(face)) for face in ("happy", "four"))
GOOD_ROLL = "1 roll signal:go traffic:four traffic:four traffic:four traffic:happy traffic:two"


def test_a_first_score_is_a_come_in_and_its_dice_are_added_up() -> None:
    park = "1 park traffic:four traffic:four traffic:four traffic:happy"
    _, parked, recorded = played("intersection", ("Ann",), GOOD_ROLL, park, "1 end")
    added = DiceSum((SumTerm((FOUR,) * 3, 400), SumTerm((HAPPY,), 100)))
    assert (parked[0].moment, parked[0].sum) == (None, added)
    assert (recorded[0].moment, recorded[0].sum) == (Moment.COME_IN, added)


def test_double_or_nothing_counts_the_five_dice_twice() -> None:
    park = "1 park traffic:four traffic:four traffic:four traffic:happy"
    double = ("1 double", "1 roll signal:go traffic:four")
    *_, recorded = played("intersection", ("Ann",), GOOD_ROLL, park, *double)
    worth = recorded[1].sum
    assert worth
    assert (worth.times, worth.total) == (2, 1800)
    *_, lost = played("intersection", ("Ann",), GOOD_ROLL, park, "1 double", "1 roll signal:go traffic:sad")
    assert strongest_moment(lost) is Moment.BUST


def test_a_stop_sign_a_red_light_and_a_failed_roll_are_stops() -> None:
    stop = "1 roll signal:stop traffic:four traffic:four traffic:four traffic:happy traffic:two"
    (calls,) = played("intersection", ("Ann",), stop)
    assert strongest_moment(calls) is Moment.STOP
    red = "1 roll " + " ".join(["tossup:yellow"] * 9 + ["tossup:red"])
    (calls,) = played("toss-up", ("Ann", "Bob"), red)
    assert strongest_moment(calls) is Moment.STOP
    lots = ("1 lot d6:pip-6", "2 lot d6:pip-1")
    *_, calls = played("switch-16", ("Ann", "Bob"), *lots, "1 roll d6:pip-2 d6:pip-4 d6:pip-4 switch:blank")
    assert strongest_moment(calls) is Moment.STOP


def test_the_green_dice_are_added_to_the_points_of_the_turn() -> None:
    first = "1 roll " + " ".join(["tossup:green"] * 4 + ["tossup:yellow"] * 6)
    second = "1 roll " + " ".join(["tossup:green"] * 2 + ["tossup:red"] * 4)
    once, again, ended = played("toss-up", ("Ann", "Bob"), first, second, "1 end")
    greens = Die(KindName("tossup"), FaceName("green"))
    assert once[0].sum == DiceSum((SumTerm((greens,) * 4, 4),))
    assert again[0].sum == DiceSum((SumTerm((), 4, "before"), SumTerm((greens,) * 2, 2)))
    assert (ended[0].moment, ended[0].sum) == (Moment.SCORE, None)


def test_a_discarded_card_is_the_sum_of_its_dice() -> None:
    lots = ("1 lot d6:pip-6", "2 lot d6:pip-1")
    *_, calls = played(
        "switch-16",
        ("Ann", "Bob"),
        *lots,
        "1 roll d6:pip-1 d6:pip-2 d6:pip-6 switch:blank",
        *(f"1 discard =card-{n}" for n in (1, 2, 3)),
    )
    assert calls[0].sum
    assert [term.worth for term in calls[0].sum.terms] == [1, 2]
    assert calls[0].sum.total == 3


def test_the_moment_of_a_switch_is_that_of_the_player_whose_turn_it_ends() -> None:
    """Ann puts the disk down though Bob asks for her deck: she gains two cards, and he loses them."""
    lots = ("1 lot d6:pip-1", "2 lot d6:pip-6")
    two_cards = ("2 roll d6:pip-1 d6:pip-2 d6:pip-6 switch:blank", "2 discard =card-1", "2 discard =card-2", "2 end")
    disk = "1 roll d6:pip-4 d6:pip-5 d6:pip-5 switch:block"
    switched = ("2 roll d6:pip-3 d6:pip-3 d6:pip-6 switch:green-switch", "2 switch =1", "1 disk =2")
    *_, calls = played("switch-16", ("Ann", "Bob"), *lots, *two_cards, disk, *switched)
    assert strongest_moment(calls) is Moment.STOP


def test_of_several_moments_the_strongest_is_shown() -> None:
    calls = [Call("A.", "I.1", moment) for moment in (Moment.SCORE, Moment.LAST_ROUND, None, Moment.STOP)]
    assert strongest_moment(calls) is Moment.LAST_ROUND
    assert strongest_moment(calls[2:3]) is None
    order = ["score", "stop", "bust", "vander", "come-in", "last-round", "win"]
    assert [str(moment) for moment in Moment] == order
