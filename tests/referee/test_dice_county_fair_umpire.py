"""The umpire at the fair: one throw a turn for everybody, and six dice that may then lie anywhere."""

from __future__ import annotations

from at_the_fair import action, done, fair, later
from at_the_table import with_chances

from referee.dice import FaceName, KindName, Seen, SeenDie, Zone
from referee.games.dice_county_fair import GAME, FairState
from referee.umpire import Explanation, differs, explain

SPENDING = done(later(), "1 roll 122355")


def seen(numbers: str, throw: int = 1, zone: str = "field", first: int = 1, moved: str = "", cocked: int = 0) -> Seen:
    """Dice in a row that show these numbers; those named by their place in `moved` moved in the last throw."""
    dice = tuple(
        SeenDie(
            first + place,
            KindName("d6"),
            ((FaceName(f"pip-{number}"), 1.0),),
            Zone(zone),
            throw if not moved or str(place) in moved else throw - 1,
            place + 1 == cocked,
        )
        for place, number in enumerate(numbers)
    )
    return Seen(dice, throw)


def ways(found: Explanation) -> list[list[str]]:
    return [[str(each) for each in way] for way in found.ways]


def roll(numbers: str, seat: int = 1) -> list[list[str]]:
    return [[str(action(f"{seat} roll {numbers}"))]]


def test_six_dice_thrown_are_the_roll_of_the_one_whose_dice_they_are() -> None:
    assert ways(explain(GAME, later(), Seen(), seen("122355"))) == roll("122355")
    second = done(SPENDING, "1 done", "2 done")
    found = explain(GAME, second, seen("122355"), seen("446666", throw=2, first=11))
    assert ways(found) == roll("446666", 2)
    assert found.question == ""


def test_the_dice_of_the_last_turn_may_be_thrown_from_anywhere() -> None:
    second = done(SPENDING, "1 done", "2 done")
    before = seen("122355", zone="aside")
    assert ways(explain(GAME, second, before, seen("446666", throw=2))) == roll("446666", 2)


def test_a_throw_that_shows_the_same_again_still_counts() -> None:
    second = done(SPENDING, "1 done", "2 done")
    assert ways(explain(GAME, second, seen("122355"), seen("122355", throw=2))) == roll("122355", 2)


def test_five_dice_are_no_roll() -> None:
    found = explain(GAME, later(), Seen(), seen("122355", moved="01234"))
    assert found.ways == ()
    assert (found.breach, found.rule) == ("Throw all six dice for the 12 noon turn, not 5.", "D.2-3")
    assert found.dice == (1, 2, 3, 4, 5)


def test_five_dice_thrown_with_the_sixth_out_of_view_ask_for_the_throw_again() -> None:
    found = explain(GAME, later(), Seen(), seen("12235"))
    assert found.unfinished == "A die left the tray: throw the dice of this throw again."
    fallen = Seen((*seen("12235").dice, *seen("5", zone="out", first=6).dice), 1)
    assert explain(GAME, later(), Seen(), fallen).unfinished == found.unfinished


def test_seven_dice_are_too_many() -> None:
    found = explain(GAME, later(), Seen(), seen("1223556"))
    assert found.unfinished == "7 dice lie in the tray, and the game has 6: take the rest away."


def test_a_leaning_die_is_thrown_again() -> None:
    found = explain(GAME, later(), Seen(), seen("122355", cocked=4))
    assert (found.unfinished, found.rule, found.dice) == (
        "The die that shows 3 leans. Throw it again.",
        "D.2-3",
        (4,),
    )


def test_a_throw_while_somebody_still_plans_is_a_breach() -> None:
    sentence = "Throw the dice only once a turn. Bob is not done yet."
    found = explain(GAME, done(SPENDING, "1 done"), seen("122355"), seen("446666", throw=2, first=11))
    assert (found.ways, found.breach, found.rule) == ((), sentence, "D.2-3")
    both = explain(GAME, SPENDING, seen("122355"), seen("122366", throw=2, moved="45"))
    assert both.breach == "Throw the dice only once a turn. Ann and Bob are not done yet."
    assert both.dice == (5, 6)


def test_a_throw_before_the_fair_opens_is_a_breach() -> None:
    found = explain(GAME, fair(), Seen(), seen("122355"))
    assert (found.breach, found.rule) == ("The fair opens when all are ready. Ann and Bob still write prices.", "D.2-1")


def test_dice_sorted_into_piles_mean_nothing() -> None:
    before = seen("122355")
    for zone in ("aside", "signal", "field"):
        assert explain(GAME, SPENDING, before, seen("122355", zone=zone)) == Explanation()
    carried = seen("553221", first=21, zone="aside")
    assert explain(GAME, SPENDING, before, carried) == Explanation()


def test_dice_taken_into_the_hand_early_mean_nothing() -> None:
    assert explain(GAME, SPENDING, seen("122355"), seen("12")) == Explanation()
    assert explain(GAME, SPENDING, seen("122355"), Seen((), 1)) == Explanation()


def test_a_nudged_die_that_shows_the_same_means_nothing() -> None:
    nudged = seen("122355", throw=2, moved="3")
    found = explain(GAME, SPENDING, seen("122355"), with_chances(nudged, {4: 0.3}))
    assert (found.ways, found.breach) == ((), "")
    assert found.unchanged


def test_a_die_turned_over_is_a_breach() -> None:
    found = explain(GAME, SPENDING, seen("122355"), seen("122356"))
    assert (found.breach, found.rule) == ("A die was turned from 5 to 6 without being thrown.", "D.2-3")
    assert found.dice == (6,)


def test_a_die_added_is_named() -> None:
    found = explain(GAME, SPENDING, seen("122355"), seen("1223554"))
    assert found.unfinished.startswith("7 dice lie in the tray, and the game has 6")


def test_a_tap_counts_however_the_dice_lie() -> None:
    tapped = action("2 buy 3 =caramel-apple")
    for after in (seen("122355"), seen("122355", zone="aside"), Seen((), 1), seen("12")):
        assert ways(explain(GAME, SPENDING, seen("122355"), after, tapped)) == [[str(tapped)]]


def test_a_tap_that_the_rules_refuse_says_why() -> None:
    found = explain(GAME, SPENDING, seen("122355"), seen("122355"), action("2 buy 5 =caramel-apple"))
    assert (found.ways, found.breach, found.rule) == ((), "Caramel Apple costs a die that shows 3.", "D.2-5")


def test_the_tap_of_one_player_needs_no_other() -> None:
    state: FairState = SPENDING
    for text in ("2 buy 3 =caramel-apple", "1 buy 2 =lemonade", "2 complete 255 =caramel-apple", "2 done", "1 done"):
        found = explain(GAME, state, seen("122355"), seen("122355"), action(text))
        assert ways(found) == [[str(action(text))]]
        state = done(state, text)
    assert state.roller == 2


def test_on_resuming_the_table_is_compared_with_the_roll() -> None:
    assert differs(GAME, SPENDING, seen("122355", zone="aside")) == ""
    sentence = "The table should show 1, 2, 2, 3, 5, 5, but it shows 1, 1, 1, 1, 1, 1."
    assert differs(GAME, SPENDING, seen("111111")) == sentence
    assert differs(GAME, later(), Seen()) == ""
