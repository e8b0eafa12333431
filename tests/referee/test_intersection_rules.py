"""Every numbered rule of Intersection has a test here that bears its number."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from at_the_table import GAME, cited, do, done, new_game, refused, turn, verbs

from referee.games.intersection import IntersectionPhase as Phase
from referee.games.intersection.state import points, turn_points

NUMBERED = tuple(range(1, 24))


def test_every_numbered_rule_has_a_test() -> None:
    tested = {int(found[1]) for name in globals() if (found := re.match(r"test_rule_(\d+)_", name))}
    assert tested == set(NUMBERED)


def test_every_rule_that_the_code_cites_stands_in_the_rules_page() -> None:
    root = Path(__file__).parents[2]
    page = (root / "referee/rules/intersection.md").read_text("utf-8")
    source = "".join(path.read_text("utf-8") for path in (root / "referee/games/intersection").glob("*.py"))
    rules = set(re.findall(r"I\.\d(?:-\d+)?|AMB-I-\d+", source))
    assert {f"I.2-{number}" for number in NUMBERED} <= rules
    assert not {rule for rule in rules if f"**{rule}**" not in page}


@pytest.mark.parametrize(
    ("face", "worth"),
    [
        ("star", (50, 100, 150, 200, 250)),
        ("happy", (100, 200, 300, 400, 500)),
        ("two", (0, 0, 200, 400, 600)),
        ("three", (0, 0, 300, 600, 900)),
        ("four", (0, 0, 400, 800, 1200)),
        ("sad", (0, 0, 0, 0, 0)),
    ],
)
def test_the_score_table(face: str, worth: tuple[int, ...]) -> None:
    assert tuple(points([face] * count) for count in range(1, 6)) == worth


def test_rule_1_most_happy_faces_starts_and_then_clockwise() -> None:
    state = new_game("Ann", "Bob", "Cy")
    state = done(state, "1 lot happy two two two two", "2 lot happy happy two two two", "3 lot sad sad two two two")
    assert (state.starter, state.to_act, state.phase) == (2, (2,), Phase.START)
    assert done(state, "2 roll stop two two two two two").to_act == (3,)
    assert done(state, "2 roll stop two two two two two", "3 vander").to_act == (1,)


def test_rule_1_a_tie_is_thrown_again_among_the_tied() -> None:
    state = new_game("Ann", "Bob", "Cy")
    state = done(state, "1 lot happy two two two two", "2 lot sad sad two two two", "3 lot happy sad two two two")
    assert state.contenders == (1, 3)
    started = done(state, "1 lot sad sad sad sad sad", "3 lot happy sad sad sad sad")
    assert (started.starter, started.contenders, started.lots) == (3, (), ())


def test_rule_2_a_turn_starts_with_all_six_dice() -> None:
    state = turn(phase=Phase.START, signal="")
    assert verbs(state) == {"roll", "vander"}
    assert [str(die) for die in done(turn(), "1 give-up").dice_awaited] == ["signal:?"] + ["traffic:?"] * 5
    assert refused(state, "1 roll go star star star star") == "I.2-2"
    assert refused(state, "1 give-up") == "I.2-2"


def test_rule_3_stop_ends_the_turn_with_nothing() -> None:
    ruling = do(turn("sad two two", "star star"), "1 go stop star")
    assert "I.2-3" in cited(ruling)
    assert ruling.state.to_act == (2,)
    assert ruling.state.scores == (0, 0)


def test_rule_4_the_signal_die_stays_off_the_field() -> None:
    assert refused(turn("star star two", "happy happy", phase=Phase.PARKED), "1 on go star star two") == "I.2-12"
    assert refused(turn("star sad two two two"), "1 roll go star") == "I.2-4"


def test_rule_5_the_signal_die_is_never_parked() -> None:
    assert refused(turn("star star two two three"), "1 park go star") == "I.2-5"


def test_rule_6_nothing_is_parked_while_a_sad_face_shows() -> None:
    state = turn("sad happy star two two")
    assert "park" not in verbs(state)
    assert refused(state, "1 park star") == "I.2-6"


def test_rule_7_a_happy_face_on_the_field_or_parked_is_rolled_with_a_sad_one() -> None:
    state = turn("happy sad two", "happy star")
    assert {"fix=field", "fix=parked"} <= verbs(state)
    fixed = done(state, "1 fix star two =parked")
    assert (fixed.field, fixed.parked) == (("happy", "star", "two", "two"), ("star",))
    assert refused(turn("star sad two two two"), "1 fix two two =field") == "I.2-7"
    assert refused(turn("happy star two two two"), "1 fix two two =field") == "I.2-7"
    assert refused(turn("happy sad two two two"), "1 fix two two =parked") == "I.2-7"


def test_rule_7_fixing_goes_on_until_no_sad_face_is_left() -> None:
    state = done(turn("happy sad two two two"), "1 fix happy sad =field", "1 fix happy star =field")
    assert "park" in verbs(state)


def test_rule_8_go_fixes_only_without_any_happy_face() -> None:
    assert "go" in verbs(turn("sad two two star three"))
    assert refused(turn("sad happy two two star"), "1 go go two") == "I.2-8"
    assert refused(turn("sad two two star", "happy"), "1 go go two") == "I.2-8"
    assert refused(turn("sad star two two two", signal="slow"), "1 go go two") == "I.2-8"
    assert refused(turn("star star two two two"), "1 go go two") == "I.2-8"
    assert done(turn("sad star two two three"), "1 go slow two").signal == "slow"


def test_rule_9_a_star_is_rolled_with_the_slow() -> None:
    state = turn("star sad two two", "star", signal="slow")
    assert {"star=field", "star=parked"} <= verbs(state)
    after = done(state, "1 star go sad =field")
    assert (after.signal, after.field) == ("go", ("sad", "sad", "two", "two"))
    assert done(state, "1 star slow two =parked").parked == ()
    assert refused(turn("star two two three four"), "1 star go star =field") == "I.2-9"
    assert refused(turn("happy two two three four", signal="slow"), "1 star go star =field") == "I.2-9"


def test_rule_10_numbers_take_three_of_a_kind() -> None:
    assert refused(turn("two two star happy four"), "1 park two two") == "I.2-10"
    assert done(turn("two two two happy four"), "1 park two two two").parked == ("two",) * 3
    assert done(turn("two four", "two two two"), "1 park two").parked == ("two",) * 4
    assert refused(turn("two four four", "star star"), "1 park three") == "I.2-10"
    assert refused(turn("star two two four four"), "1 park") == "I.2-10"


def test_rule_10_parking_may_be_done_die_by_die() -> None:
    state = turn("star happy two two three")
    assert done(state, "1 park star", "1 park happy") == done(state, "1 park star happy")


def test_rule_11_after_parking_under_go_a_player_ends_or_plays_on() -> None:
    state = done(turn("two two two four four"), "1 park two two two")
    assert {"on", "park"} - verbs(state) == {"park"}
    assert {"end", "on", "double"} <= verbs(done(turn("four four four star two"), "1 park four four four star"))
    assert refused(turn("four four four star two"), "1 end") == "I.2-11"
    full = turn("", "four four four star star", phase=Phase.PARKED)
    assert verbs(full) == {"end", "give-up", "vander"}
    assert refused(full, "1 on") == "I.2-11"


def test_rule_12_playing_on_rolls_all_that_is_not_parked() -> None:
    state = done(turn("four four four star two"), "1 park four four four")
    assert refused(state, "1 on star") == "I.2-12"
    state = done(state, "1 on star sad")
    assert (state.phase, state.field) == (Phase.RESOLVE, ("sad", "star"))
    assert refused(state, "1 end") == "I.2-12"
    assert refused(state, "1 on star star") == "I.2-12"
    assert refused(turn("four four", "star star star"), "1 on star star") == "I.2-11"


@pytest.mark.parametrize(
    ("roll", "score"),
    [("go happy", 1100), ("go four", 1700), ("go two", 0), ("go sad", 0), ("slow four", 0), ("stop four", 0)],
)
def test_rule_13_double_or_nothing(roll: str, score: int) -> None:
    parked = "four four four star"
    state = done(turn("two", parked, phase=Phase.PARKED), "1 double")
    assert verbs(state) == {"roll", "give-up", "vander"}
    assert refused(state, "1 end") == "I.2-13"
    ruling = do(state, f"1 roll {roll}")
    assert ruling.state.scores[0] == score
    assert ruling.state.to_act == (2,)


def test_rule_13_double_needs_exactly_four_parked_under_go() -> None:
    assert refused(turn("star star", "four four four", phase=Phase.PARKED), "1 double") == "I.2-13"
    assert refused(turn("sad", "four four four star"), "1 double") == "I.2-13"


def test_rule_14_parking_under_slow_means_playing_on() -> None:
    state = done(turn("four four four star two", signal="slow"), "1 park four four four star")
    assert state.phase is Phase.MUST_PLAY_ON
    assert verbs(state) == {"on", "give-up", "vander"}
    assert refused(state, "1 end") == "I.2-14"
    assert refused(state, "1 double") == "I.2-13"
    assert refused(state, "1 star go star =parked") == "I.2-14"


def test_rule_15_no_points_are_taken_under_slow() -> None:
    state = done(turn("four four four star star", signal="slow"), "1 park four four four star star")
    assert verbs(state) == {"star=parked", "give-up", "vander"}
    assert refused(state, "1 end") == "I.2-15"
    assert refused(state, "1 on") == "I.2-11"
    state = done(state, "1 star go star =parked", "1 park star", "1 end")
    assert state.scores == (500, 0)


def test_rule_16_a_turn_without_any_option_is_over() -> None:
    ruling = do(turn("star two", "four four four", phase=Phase.PARKED), "1 on two two")
    assert "I.2-16" in cited(ruling)
    assert ruling.state.scores == (0, 0)
    assert ruling.state.to_act == (2,)
    assert "I.2-16" in cited(do(turn(phase=Phase.START, signal=""), "1 roll go two two three three four"))
    assert cited(do(turn("star two two two two"), "1 give-up")) == ["I.2-16"]
    assert refused(turn("star two two two two"), "1 give-up star") == "I.2-16"


def test_rule_17_the_end_adds_the_parked_dice() -> None:
    state = turn("star two", "four four four", phase=Phase.PARKED, scores=(1000, 0))
    ruling = do(state, "1 park star", "1 end")
    assert ruling.state.scores == (1450, 0)
    assert cited(ruling) == ["I.2-17"]
    assert refused(state, "1 end star") == "I.2-17"


def test_rule_18_the_first_score_is_300_at_least() -> None:
    parked = "happy happy star"
    state = turn("two two", parked, phase=Phase.PARKED)
    assert refused(state, "1 end") == "I.2-18"
    assert done(replace(state, scores=(300, 0)), "1 end").scores == (550, 0)
    assert done(turn("two two", "happy happy happy", phase=Phase.PARKED), "1 end").scores == (300, 0)


def test_rule_18_all_five_parked_below_300_end_the_turn_with_nothing() -> None:
    ruling = do(turn("star star star star star"), "1 park star star star star star")
    assert "I.2-18" in cited(ruling)
    assert (ruling.state.to_act, ruling.state.scores) == ((2,), (0, 0))


def test_rule_19_a_die_off_the_table_ends_the_turn() -> None:
    for state in (turn("happy two two two two"), turn(phase=Phase.START, signal="")):
        ruling = do(state, "1 vander")
        assert cited(ruling) == ["I.2-19"]
        assert ruling.state.vandered == (True, False)
        assert ruling.state.to_act == (2,)
    assert refused(new_game(), "1 vander") == "I.2-19"
    assert refused(turn("happy two two two two"), "1 vander star") == "I.2-19"


def _reaching_5000(names: tuple[str, ...] = ("Ann", "Bob", "Cy"), **options: str):  # noqa: ANN202
    return turn("star", "four four four four", phase=Phase.PARKED, names=names, scores=(4500, 400, 300), **options)


def test_rule_20_everybody_else_gets_one_more_turn() -> None:
    state = done(_reaching_5000(), "1 end")
    assert state.last_turns == (2, 3)
    state = done(state, "2 roll stop two two two two two")
    assert (state.to_act, state.last_turns) == ((3,), (3,))
    state = done(state, "3 vander")
    assert (state.phase, state.winner, state.to_act) == (Phase.GAME_OVER, (1,), ())


def test_rule_20_the_last_turns_go_round_from_whoever_reached_5000() -> None:
    state = replace(_reaching_5000(), to_act=(2,), scores=(400, 4500, 300))
    assert done(state, "2 end").last_turns == (3, 1)


def test_rule_20_passing_the_leader_starts_no_other_round() -> None:
    state = replace(done(_reaching_5000(), "1 end"), scores=(5300, 4900, 300))
    state = done(state, "2 roll go four four four four four", "2 park four four four four four", "2 end", "3 vander")
    assert (state.winner, state.scores) == ((2,), (5300, 6100, 300))


def test_rule_21_a_tie_is_thrown_for_by_the_tied() -> None:
    state = replace(done(_reaching_5000(), "1 end"), scores=(5300, 5000, 300))
    state = done(state, "2 roll go happy happy happy two two", "2 park happy happy happy", "2 end", "3 vander")
    assert (state.phase, state.contenders) == (Phase.TIE_ROLL, (1, 2))
    assert GAME.tell(state) == "Ann: throw the five Traffic dice; the most happy faces win."
    assert refused(state, "1 end") == "I.2-21"
    state = done(state, "1 lot happy two two two two", "2 lot happy sad sad sad sad")
    assert state.contenders == (1, 2)
    state = done(state, "1 lot sad two two two two", "2 lot happy sad sad sad sad")
    assert state.winner == (2,)


def test_rule_22_a_player_without_any_points_ties_with_the_best() -> None:
    state = replace(done(_reaching_5000(), "1 end"), scores=(5300, 0, 0))
    stopped = done(state, "2 roll stop two two two two two", "3 vander")
    assert (stopped.phase, stopped.contenders) == (Phase.TIE_ROLL, (1, 2))
    assert done(state, "2 vander", "3 vander").winner == (1,)


def test_rule_23_alone_a_player_counts_turns_to_5000() -> None:
    state = new_game("Ann")
    assert (state.phase, state.to_act) == (Phase.START, (1,))
    state = done(state, "1 roll stop two two two two two")
    assert state.turns == (1,)
    state = replace(state, scores=(4900,))
    ruling = do(state, "1 roll go happy two two three three", "1 park happy", "1 end")
    assert ruling.state.winner == (1,)
    assert "5000 points in 2 turns" in ruling.calls[-1].sentence


def test_lots_are_thrown_at_the_start_and_for_a_tie_only() -> None:
    assert refused(turn("star two two two four"), "1 lot two two two two two") == "I.2-1"


def test_the_table_is_told_what_it_waits_for() -> None:
    assert GAME.tell(new_game("Ann")) == "Ann: roll all six dice."
    assert GAME.tell(new_game()) == "Ann: throw the five Traffic dice; the most happy faces start."
    double = turn("two", "four four four star", phase=Phase.DOUBLE)
    assert GAME.tell(double) == "Ann, 450 parked: roll the last die with the signal."
    assert GAME.tell(turn("happy sad two two two")) == "Ann: fix a sad face with a happy one."
    parked = turn("star", "four four four four", phase=Phase.PARKED)
    assert GAME.tell(parked) == "Ann: park more, keep 800, play on or double it?"
    assert GAME.tell(done(new_game("Ann"), *["1 roll stop two two two two two"])) == "Ann: roll all six dice."
    over = replace(new_game(), phase=Phase.GAME_OVER, winner=(2,), to_act=())
    assert GAME.tell(over) == "Bob has won."


def test_a_button_says_what_it_does() -> None:
    state = turn("star happy", "four four four", phase=Phase.PARKED)
    titles = {str(offer): GAME.offer_title(state, offer) for offer in GAME.legal(state)}
    assert titles["1 end"] == "End the turn and keep 400"
    assert titles["1 park traffic:happy traffic:star"] == "Park happy and star (150)"
    assert titles["1 on traffic:? traffic:?"] == "Play on with the other 2 dice"
    assert turn_points(state) == 400


def test_the_dice_awaited_are_those_of_the_only_throw() -> None:
    assert [str(die) for die in new_game().dice_awaited] == ["traffic:?"] * 5
    fixing = done(turn("happy sad sad two two"), "1 fix happy two =field")
    assert [str(die) for die in fixing.dice_awaited] == ["traffic:?"] * 2
    assert done(turn("happy sad two two two"), "1 fix happy two =field").dice_awaited == ()
