"""Every option of Intersection: the default and the other reading."""

from dataclasses import replace

from at_the_table import GAME, cited, do, done, refused, turn, verbs

from referee.games.intersection import IntersectionPhase as Phase


def test_every_option_names_its_ambiguity_once() -> None:
    sources = [option.source for option in GAME.options]
    assert sources == [f"AMB-I-{number}" for number in (1, 3, 5, 6, 10, 13, 14, 16, 19)]
    assert all(len(option.readings) >= 2 and option.title for option in GAME.options)


def test_parked_happy_field_first() -> None:
    both = {"field": "happy sad two", "parked": "happy star"}
    assert "fix=parked" in verbs(turn(**both))
    strict = turn(**both, parked_happy="field-first")
    assert "fix=parked" not in verbs(strict)
    assert refused(strict, "1 fix two two =parked") == "I.2-7"
    assert "fix=parked" in verbs(turn("sad two two", "happy star", parked_happy="field-first"))


def test_star_with_sad_last_resort() -> None:
    assert "star=field" in verbs(turn("happy sad star two two", signal="slow"))
    strict = turn("happy sad star two two", signal="slow", star_with_sad="last-resort")
    assert "star=field" not in verbs(strict)
    assert refused(strict, "1 star go two =field") == "I.2-9"
    assert "star=field" in verbs(turn("four sad star two two", signal="slow", star_with_sad="last-resort"))
    assert "star=field" in verbs(turn("happy four star two two", signal="slow", star_with_sad="last-resort"))


def test_star_after_park_allowed() -> None:
    state = done(turn("happy star two two four", signal="slow", star_after_park="allowed"), "1 park happy")
    assert {"on", "star=field"} <= verbs(state)
    assert refused(state, "1 star go happy =parked") == "I.2-9"
    after = done(state, "1 star go happy =field")
    assert after.phase is Phase.RESOLVE
    assert "end" not in verbs(after)


def test_five_under_slow_without_a_star_is_a_bust() -> None:
    ruling = do(turn("four four four happy happy", signal="slow"), "1 park four four four happy happy")
    assert cited(ruling) == ["I.2-10", "I.2-15", "I.2-16"]
    assert ruling.state.to_act == (2,)


def test_five_under_slow_take_points() -> None:
    state = turn("four four four happy star", signal="slow", five_under_slow="take-points")
    state = done(state, "1 park four four four happy star")
    assert verbs(state) == {"end", "star=parked", "give-up", "vander"}
    assert done(state, "1 end").scores == (550, 0)


def test_below_300_records_0() -> None:
    state = turn("star two", "happy star star", phase=Phase.PARKED, below_300="records-0")
    ended = do(state, "1 end")
    assert ended.state.scores == (0, 0)
    assert ended.state.turns == (1, 0)
    assert cited(ended) == ["I.2-18"]


def test_below_300_records_0_lets_a_double_come_in() -> None:
    state = turn("two", "happy star star star", phase=Phase.PARKED, below_300="records-0")
    assert done(state, "1 double", "1 roll go star").scores == (600, 0)
    poor = turn("two", "star star star star", phase=Phase.PARKED, below_300="records-0")
    assert done(poor, "1 double", "1 roll go star").scores == (500, 0)
    assert refused(turn("two", "star star star star", phase=Phase.PARKED), "1 double") == "I.2-18"


def test_last_turn_later_seats() -> None:
    state = turn("star", "four four four four", phase=Phase.PARKED, names=("Ann", "Bob", "Cy"), last_turn="later-seats")
    second = replace(state, scores=(4900, 4900, 300), to_act=(2,))
    assert done(second, "2 end").last_turns == (3,)
    first = replace(second, to_act=(1,))
    assert done(first, "1 end").last_turns == (2, 3)
    last = replace(second, starter=3)
    assert done(last, "2 end").winner == (2,)


def test_who_gave_up_a_turn_ties_by_no_dice_unless_the_table_plays_otherwise() -> None:
    assert turn().options["no-dice"] == "unless-given-up"
    for no_dice, winner in (("on", ()), ("unless-given-up", (1,))):
        last = replace(turn("star", scores=(5000, 0), no_dice=no_dice), last_turns=(2,), to_act=(2,))
        state = done(last, "2 give-up")
        assert (state.gave_up, state.winner) == ((False, True), winner)


def test_no_dice_is_not_for_one_who_gave_up_five_parked_happy_faces() -> None:
    happy = turn("", "happy happy happy happy happy", phase=Phase.PARKED, scores=(0, 5100))
    assert done(replace(happy, last_turns=(1,)), "1 give-up").winner == (2,)


def test_when_the_leader_leaves_the_game_goes_on() -> None:
    state = turn("star", "happy", phase=Phase.PARKED, scores=(1200, 5000, 900), names=("Ann", "Bob", "Cy"))
    ruling = do(replace(state, last_turns=(1, 3)), "2 quit")
    nobody = "Nobody who still plays has 5000. The game goes on without last turns."
    assert (ruling.calls[1].sentence, ruling.calls[1].rule) == (nobody, "AMB-I-19")
    after = done(replace(state, last_turns=(1, 3)), "2 quit", "1 end", "3 roll stop two two two two two")
    assert (after.winner, after.to_act, after.last_turns) == ((), (1,), None)


def test_when_the_leader_leaves_the_game_ends_with_the_last_turns_where_the_table_plays_so() -> None:
    names = ("Ann", "Bob", "Cy")
    state = turn("star", "happy", phase=Phase.PARKED, scores=(1200, 5000, 900), names=names, leader_leaves="ends")
    after = done(replace(state, last_turns=(1, 3)), "2 quit", "1 end", "3 roll stop two two two two two")
    assert (after.winner, after.scores) == ((1,), (1300, 5000, 900))


def test_no_dice_off() -> None:
    state = turn("star", "four four four four", phase=Phase.PARKED, scores=(4900, 0), no_dice="off")
    assert done(state, "1 end", "2 roll stop two two two two two").winner == (1,)


def test_exactly_5000_wins() -> None:
    state = turn("star", "happy", phase=Phase.PARKED, scores=(4900, 300))
    assert done(state, "1 end", "2 vander").winner == (1,)
