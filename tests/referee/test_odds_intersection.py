"""The odds of Intersection against figures reckoned by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement

import pytest
from at_the_table import new_game, turn

from referee.chances import Chance, odds
from referee.games.intersection import IntersectionPhase as Phase
from referee.games.intersection import IntersectionState
from referee.games.intersection.odds import chances
from referee.games.intersection.state import points

OPENING = turn(phase=Phase.START, signal="")


def figures(state: IntersectionState) -> dict[str, float]:
    """All the figures, those of a chance and those of points together."""
    found = chances(state)
    assert len({chance.what for chance in found}) == len(found)
    for chance in found:
        in_points = chance.what.startswith(("End", "Double or nothing: on"))
        assert chance.unit == ("points" if in_points else "chance")
        assert in_points or 0 <= chance.value <= 1
    return {chance.what: chance.value for chance in found}


def advised(state: IntersectionState) -> list[str]:
    return [chance.what for chance in chances(state) if chance.advised]


def test_the_table_finds_the_odds_of_the_game() -> None:
    assert odds(OPENING) == chances(OPENING) != ()


def test_an_opening_roll() -> None:
    # Dead: a stop (7776 of 46656); under a slow no star, and a sad face without a happy one (4^5 - 3^5) or numbers
    # without three of a kind (3 * 5!/(2! 2!)); under one of four gos those numbers. Parkable: no stop and no sad face,
    # less those numbers.
    assert figures(OPENING) == {
        "Roll all six dice: the turn is over at once": (7776 + (781 + 90) + 4 * 90) / 46656,
        "Roll all six dice: dice can be parked at once": 5 * (3125 - 90) / 46656,
    }
    assert [round(100 * value, 2) for value in figures(OPENING).values()] == [19.31, 32.53]


@pytest.mark.parametrize(("choice", "parked"), [("happy one", ""), ("parked happy one", "happy")])
def test_a_fix(choice: str, parked: str) -> None:
    # Five of six faces are not sad, on either die. With three twos lying, no sad face is enough for parking.
    state = turn("happy sad two two two" if not parked else "sad two two two", parked)
    fix = f"Fix a sad face with a {choice}"
    assert figures(state) == {f"{fix}: neither die is sad": 25 / 36, f"{fix}: dice can be parked at once": 25 / 36}


def test_a_fix_that_leaves_nothing_but_numbers() -> None:
    # Beside two, three and four a pair of dice without a sad face can be parked when a star or a happy face shows
    # (25 - 9), or when both show the same number (3).
    fix = "Fix a sad face with a happy one"
    state = turn("happy sad two three four")
    assert figures(state)[f"{fix}: dice can be parked at once"] == (25 - 9 + 3) / 36


def test_the_go_with_a_sad_face() -> None:
    # Only a stop ends the turn of a player with a star. Parking takes no sad face and no stop.
    go = "Roll the go with a sad face"
    assert figures(turn("sad star two two three")) == {
        f"{go}: the turn goes on": 5 / 6,
        f"{go}: dice can be parked at once": 25 / 36,
    }


def test_the_go_with_the_last_sad_face_among_numbers() -> None:
    # Under a go (4/6) a star, a happy face, a sad one and a second four help, not a two or a three; a second four
    # makes no three. Under a slow (1/6) a star and a happy face do, and a sad face does not.
    go = "Roll the go with a sad face"
    state = turn("sad two two three four")
    alive = 4 * 4 + 1 * 3
    assert figures(state)[f"{go}: the turn goes on"] == alive / 36


def test_a_star_with_the_slow() -> None:
    # Two stars lie there: whatever else shows, the second one may be rolled again, so that only a stop ends the turn.
    star = "Roll a star with the slow"
    state = turn("star star sad two two", signal="slow")
    assert figures(state) == {
        f"{star}: the signal shows go": 4 / 6,
        f"{star}: the turn goes on": 5 / 6,
        f"{star}: dice can be parked at once": 0,
    }


@pytest.mark.parametrize(("count", "dead", "parkable"), [(1, 3, 2), (2, 9, 16), (3, 24, 101), (4, 54, 571)])
def test_playing_on_with_no_happy_face_and_no_number_parked(count: int, dead: int, parkable: int) -> None:
    # Dead: 3^n rolls of numbers, less those with three of a kind (3 of three dice, 27 of four). Parkable: the 5^n
    # rolls without a sad face, less the dead ones.
    state = turn(" ".join(["two"] * count), " ".join(["star"] * (5 - count)), phase=Phase.PARKED, scores=(500, 0))
    title = "Play on with the last die" if count == 1 else f"Play on with the other {count} dice"
    found = figures(state)
    assert found[f"{title}: the turn is over at once"] == dead / 6**count
    assert found[f"{title}: dice can be parked at once"] == parkable / 6**count
    assert parkable == 5**count - dead


def test_parked_dice_help_when_playing_on() -> None:
    # With three fours parked a four counts, and a parked happy face fixes a sad one: only a two or a three is dead.
    state = turn("two", "four four four happy", phase=Phase.PARKED)
    assert figures(state)["Play on with the last die: the turn is over at once"] == 2 / 6
    assert figures(state)["Play on with the last die: dice can be parked at once"] == 3 / 6


def test_before_parking_every_way_to_play_on_has_its_risk() -> None:
    # Four dice are dead with 54 of 1296, three with 24 of 216 (a sad face can be rolled with the go).
    over = "the turn is over at once"
    assert figures(turn("happy star two two four")) == {
        f"Park happy (100), then play on with the other 4 dice: {over}": 54 / 1296,
        f"Park star (50), then play on with the other 4 dice: {over}": 54 / 1296,
        f"Park happy and star (150), then play on with the other 3 dice: {over}": 24 / 216,
    }


def test_parking_all_five_leaves_no_throw_to_reckon() -> None:
    assert not any("happy and" in what and "star, " in what for what in figures(turn("happy happy star star star")))
    assert len(figures(turn("four four four four four"))) == 2


@pytest.mark.parametrize(
    ("parked", "succeeds", "average"),
    [
        # A go (4/6) with a star or a happy face (2/6): 2 * 350 or 2 * 400.
        ("star star happy happy", 2 / 9, (700 + 800) * 4 / 36),
        # With three fours parked another four helps too: 2 * 500, 2 * 550, 2 * 850.
        ("four four four star", 1 / 3, (1000 + 1100 + 1700) * 4 / 36),
    ],
)
def test_double_or_nothing(parked: str, succeeds: float, average: float) -> None:
    before = turn("two", parked, phase=Phase.PARKED)
    declared = turn("two", parked, phase=Phase.DOUBLE)
    for state in (before, declared):
        assert figures(state)["Double or nothing: it succeeds"] == pytest.approx(succeeds)
        assert figures(state)["Double or nothing: on average"] == pytest.approx(average)
    kept = points(before.parked)
    assert Chance(f"End the turn and keep {kept}", kept, "points", advised=True) in chances(before)
    assert advised(before) == [f"End the turn and keep {kept}"]
    assert len(chances(declared)) == 2
    assert advised(declared) == []


def test_ending_beats_double_or_nothing_with_any_four_dice() -> None:
    sets = [("two",) * 3, ("three",) * 3, ("four",) * 3]
    fours = [*combinations_with_replacement(("star", "happy"), 4)]
    fours += [(*three, one) for three in sets for one in ("star", "happy", three[0])]
    for parked in fours:
        state = turn("two", " ".join(parked), phase=Phase.PARKED, scores=(500, 0))
        assert advised(state) == [f"End the turn and keep {points(state.parked)}"]


def test_double_or_nothing_is_advised_to_a_player_who_would_record_nothing() -> None:
    # 200 are not enough to come in, but 2 * 250 and 2 * 300 are.
    state = turn("two", "star star star star", phase=Phase.PARKED, below_300="records-0")
    assert advised(state) == ["Double or nothing: on average"]
    assert figures(state)["Double or nothing: on average"] == (500 + 600) * 4 / 36
    assert figures(state)["End the turn without points"] == 0


def test_below_300_there_is_nothing_to_weigh() -> None:
    assert [what for what in figures(turn("two", "star star star star", phase=Phase.PARKED)) if "Double" in what] == []


def test_options_count() -> None:
    # A sad face that can be fixed comes before a star where the table plays so.
    strict = turn("happy sad star two two", signal="slow", star_with_sad="last-resort")
    assert not any(what.startswith("Roll a star") for what in figures(strict))
    assert any(what.startswith("Roll a star") for what in figures(turn("happy sad star two two", signal="slow")))


def test_where_chance_has_no_say_there_are_no_figures() -> None:
    assert chances(new_game()) == ()
    assert chances(replace(new_game(), phase=Phase.GAME_OVER, winner=(1,), to_act=())) == ()
    assert chances(turn("", "four four four star star", phase=Phase.PARKED)) == ()
