"""Every numbered rule of Dice County Fair, and each reading of its options, has a test that bears its number."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256

import pytest
from at_the_fair import COUNTY, SIX, action, do, done, fair, later, number_of, offers, paper, refused, said, verbs

from referee.calls import Call, Refusal
from referee.game import BadOption, BadSheet, begin
from referee.games.dice_county_fair import GAME, FairState
from referee.games.dice_county_fair import FairPhase as Phase
from referee.games.dice_county_fair.state import HOURS, Paper
from referee.games.dice_county_fair.state import TurnPlan as Plan
from referee.judge import judge

NUMBERED = tuple(range(1, 17))
AMBIGUITIES = tuple(range(1, 15))
SUGGESTED = (2, 6, 4, 3, 5, 1, 6, 4, 3, 5, 2, 1, 4, 6, 2, 3, 5, 1)


def test_every_numbered_rule_and_every_ambiguity_has_a_test() -> None:
    assert {int(found[1]) for name in globals() if (found := re.match(r"test_rule_(\d+)_", name))} == set(NUMBERED)
    assert {int(found[1]) for name in globals() if (found := re.match(r"test_amb_(\d+)_", name))} == set(AMBIGUITIES)


# The game


def test_the_game_says_what_it_is() -> None:
    assert (GAME.name, GAME.title, GAME.die_set) == ("dice-county-fair", "Dice County Fair", "dice-county-fair")
    assert (GAME.seats, GAME.lost, GAME.grave) == ((1, 8), "", frozenset({"rethink"}))
    assert (GAME.by_hand, GAME.implied) == (frozenset(), frozenset())
    cites = {"dice": "D.1", "turn": "D.2-2", "over": "D.2-14", "touched": "D.2-3", "cocked": "D.2-3", "verb": "D.2-3"}
    assert GAME.cites == cites
    assert list(GAME.help_texts) == [
        *("price", "erase", "copy", "ready", "not-ready"),
        *("roll", "start", "buy", "complete", "move", "rethink", "done"),
    ]
    assert all(re.fullmatch(r"[A-Z].*\.", meaning) for meaning in GAME.help_texts.values())


def test_every_option_has_the_recommended_reading_first() -> None:
    assert [(option.name, option.source, *(value for value, _ in option.readings)) for option in GAME.options] == [
        ("sheet", "D.1", "county"),
        ("prices", "D.2-1", "own", "sheet"),
        ("last-die", "AMB-D-2", "unspent", "spent"),
        ("free-start", "AMB-D-4", "no-move", "the-move"),
        ("excess", "AMB-D-3", "by-choice", "forced-only"),
        ("most-of-none", "AMB-D-8", "refused", "allowed"),
        ("leaning-die", "AMB-D-16", "thrown-again", "set-flat"),
        ("players", "AMB-D-15", "box", "up-to-12"),
    ]
    for option in GAME.options:
        assert option.title.endswith("?")
        assert all(re.fullmatch(r"[A-Z].*\.", meaning) for _, meaning in option.readings)
    assert "invented" in GAME.options[0].readings[0][1]


def test_the_dice_are_six_ordinary_ones() -> None:
    assert [(kind.name, count) for kind, count in SIX.counts] == [("d6", 6)]
    assert SIX.kinds[0].faces == tuple(f"pip-{number}" for number in range(1, 7))


def test_a_new_game_waits_for_everybodys_prices() -> None:
    state = fair("Ann", "Bob", "Cy")
    assert (state.phase, state.turn, state.to_act, state.scores) == (Phase.PLANNING, 0, (1, 2, 3), (0, 0, 0))
    assert state.papers == (Paper(),) * 3
    assert (state.dice_awaited, state.plans, state.roll, state.roller) == ((), (), (), 1)
    assert Paper() == Paper((0,) * 18, (False,) * 18, ((),) * 18, ((), (), ()), ())
    assert Paper().section == ""


# Planning


def test_rule_1_a_price_is_written_at_an_activity() -> None:
    state = done(fair(), "1 price =caramel-apple/3", "2 price =ring-toss/6")
    assert state.papers[0].prices == (0, 0, 0, 3, *[0] * 14)
    assert state.papers[1].prices == (0, 0, 0, 0, 0, 0, 0, 6, *[0] * 10)
    assert said(fair(), "1 price =caramel-apple/3") == [("D.2-1", "Ann writes the price 3 at Caramel Apple.")]
    assert state.to_act == (1, 2)


def test_rule_1_each_number_stands_once_in_a_section() -> None:
    state = done(fair(), "1 price =lemonade/3", "1 price =turkey-leg/6")
    sentence = "Lemonade has the price 3. Use each price once in a section."
    assert refused(state, "1 price =caramel-apple/3") == Refusal(sentence, "D.2-1")
    sentence = "Turkey Leg has the price 6. Use each price once in a section."
    assert refused(state, "1 price =corn-dog/6") == Refusal(sentence, "D.2-1")
    both = done(state, "1 price =duck-pond/6", "1 price =roller-coaster/6", "2 price =caramel-apple/3")
    sentence = "Duck Pond has the price 6. Use each price once in a section."
    assert refused(both, "1 price =high-striker/6") == Refusal(sentence, "D.2-1")
    sentence = "Roller Coaster has the price 6. Use each price once in a section."
    assert refused(both, "1 price =carousel/6") == Refusal(sentence, "D.2-1")


def test_rule_1_a_price_is_erased_before_another_is_written() -> None:
    state = done(fair(), "1 price =lemonade/3")
    assert refused(state, "1 price =lemonade/4") == Refusal("Lemonade has the price 3. Erase it first.", "D.2-1")
    assert said(state, "1 erase =lemonade") == [("D.2-1", "Ann erases the price of Lemonade.")]
    again = done(state, "1 price =carousel/3", "1 erase =lemonade", "1 price =lemonade/4")
    assert (again.papers[0].prices[0], again.papers[0].prices[12]) == (4, 3)
    assert refused(fair(), "1 erase =lemonade") == Refusal("Lemonade has no price yet.", "D.2-1")


@pytest.mark.parametrize("price", ["0", "7", "03", "x", "3/4", "-1"])
def test_rule_1_a_price_is_1_to_6(price: str) -> None:
    assert refused(fair(), f"1 price =lemonade/{price}") == Refusal(
        f"A price is a number from 1 to 6, not {price!r}.", "D.2-1"
    )


def test_rule_1_a_price_is_written_at_an_activity_of_the_sheet() -> None:
    sentence = "There is no activity 'cotton-candy' on this sheet."
    assert refused(fair(), "1 price =cotton-candy/3") == Refusal(sentence, "D.2-1")
    assert refused(fair(), "1 erase =cotton-candy") == Refusal(sentence, "D.2-1")
    assert refused(fair(), "1 price =lemonade") == Refusal("Choose a price too, from 1 to 6.", "D.2-1")
    assert refused(fair(), "1 price").sentence == "Choose an activity."


def test_rule_1_planning_takes_no_dice() -> None:
    written = "Choose an activity and its price, but no dice."
    assert refused(fair(), "1 price 3 =lemonade/3") == Refusal(written, "D.2-1")
    state = done(fair(), "1 price =lemonade/3")
    assert refused(state, "1 erase 3 =lemonade") == Refusal("Choose only the activity, no dice.", "D.2-1")
    assert refused(state, "1 copy =lemonade") == Refusal("There is nothing to choose for 'copy'.", "D.2-1")
    assert refused(done(state, "1 copy"), "1 ready =lemonade").sentence == "There is nothing to choose for 'ready'."


def test_rule_1_the_suggested_prices_are_taken_over_at_once() -> None:
    state = done(fair(), "1 price =lemonade/3", "1 copy")
    assert state.papers[0].prices == SUGGESTED
    assert said(fair(), "2 copy") == [("D.2-1", "Bob takes the prices that the sheet suggests.")]
    sentence = "You already have the prices that the sheet suggests."
    assert refused(state, "1 copy") == Refusal(sentence, "D.2-1")
    assert offers(state, "copy") == []
    assert offers(state, "copy", 2) == ["="]


def test_rule_1_nobody_is_ready_before_all_prices_stand() -> None:
    assert refused(fair(), "1 ready") == Refusal("All 18 activities need a price first. Still to write: 18.", "D.2-1")
    state = done(fair(), "1 copy", "1 erase =swings")
    assert refused(state, "1 ready") == Refusal("All 18 activities need a price first. Still to write: 1.", "D.2-1")
    assert "ready" not in verbs(state)
    assert "ready" in verbs(done(state, "1 price =swings/6"))


def test_rule_1_the_fair_opens_when_all_are_ready() -> None:
    state = done(fair("Ann", "Bob", "Cy"), "1 copy", "2 copy", "3 copy", "2 ready")
    assert (state.to_act, state.awaited, state.on_turn) == ((1, 3, 2), (1, 3), 0)
    ready = Refusal("Bob is ready. To change prices, tap 'Not ready yet'.", "D.2-1")
    assert all(refused(state, text) == ready for text in ("2 erase =swings", "2 copy", "2 ready", "2 price =swings/1"))
    assert said(state, "1 ready") == [("D.2-1", "Ann has written all prices and is ready.")]
    ruling = do(state, "1 ready", "3 ready")
    assert [(call.rule, call.sentence) for call in ruling.calls] == [
        ("D.2-1", "Cy has written all prices and is ready."),
        ("D.2-2", "The fair opens: Ann rolls the dice."),
    ]
    opened = done(state, "1 ready", "3 ready")
    assert (opened.phase, opened.turn, opened.roller, opened.to_act) == (Phase.ROLL, 1, 1, (1,))
    assert (len(opened.dice_awaited), opened.ready) == (6, ())


def test_rule_1_ready_is_taken_back_while_another_still_writes() -> None:
    state = done(fair("Ann", "Bob", "Cy"), "1 copy", "2 copy", "3 copy", "3 ready", "1 ready")
    assert (state.to_act, state.on_turn, verbs(state, 1), verbs(state, 3)) == (
        *((2, 3, 1), 2),
        *(["not-ready"], ["not-ready"]),
    )
    assert said(state, "3 not-ready") == [("D.2-1", "Cy is not ready yet, and may change prices.")]
    again = done(state, "3 not-ready", "3 erase =swings", "3 price =swings/6")
    assert (again.to_act, again.ready) == ((2, 3, 1), (1,))
    assert refused(again, "3 not-ready") == Refusal("Cy is not ready, so there is nothing to take back.", "D.2-1")
    opened = done(again, "2 ready", "3 ready")
    assert refused(opened, "1 not-ready").rule == refused(opened, "2 not-ready").rule == "D.2-1"


def test_rule_1_the_fair_opens_without_a_player_who_leaves() -> None:
    state = done(fair("Ann", "Bob", "Cy"), "1 copy", "2 copy", "3 copy", "3 ready", "1 ready")
    without_ready = done(state, "3 quit")
    assert (without_ready.to_act, without_ready.ready, without_ready.phase) == ((2, 1), (1,), Phase.PLANNING)
    assert refused(without_ready, "3 price =swings/6").rule == "A.1-1"
    opened = done(state, "2 quit")
    assert (opened.phase, opened.to_act, opened.ready) == (Phase.ROLL, (1,), ())


def test_rule_1_prices_stand_once_the_fair_has_opened() -> None:
    sentence = "You can change prices only before the first roll."
    for text in ("1 price =lemonade/2", "1 erase =lemonade", "1 copy", "1 ready"):
        assert refused(fair(prices="sheet"), text) == Refusal(sentence, "D.2-1")
        assert refused(later(), "1 roll 123456", text) == Refusal(sentence, "D.2-1")


def test_rule_1_nothing_else_is_done_before_the_fair_opens() -> None:
    for text in ("1 roll 123456", "1 start =midway", "1 buy 3 =lemonade", "1 done"):
        sentence = "The fair opens when all are ready. Ann and Bob still write prices."
        assert refused(fair(), text) == Refusal(sentence, "D.2-1")
    state = done(fair(), "1 copy", "1 ready")
    assert refused(state, "2 done").sentence == "The fair opens when all are ready. Bob still writes prices."


def test_rule_1_all_may_play_with_the_prices_of_the_sheet() -> None:
    state = fair(prices="sheet")
    assert [each.prices for each in state.papers] == [SUGGESTED, SUGGESTED]
    assert (state.phase, state.turn, state.to_act) == (Phase.ROLL, 1, (1,))


def test_the_prices_offered_are_counted_as_the_rule_has_them() -> None:
    """A section with so many prices has as many blanks, each with as many numbers left."""
    assert len(GAME.legal(fair("Ann"))) == 3 * 6 * 6 + 1
    state = done(fair("Ann"), "1 price =lemonade/1")
    assert len(offers(state, "price")) == 5 * 5 + 2 * 6 * 6
    assert offers(state, "erase") == ["=lemonade"]
    again = done(state, "1 price =corn-dog/2", "1 price =swings/2")
    assert len(offers(again, "price")) == 4 * 4 + 6 * 6 + 5 * 5
    assert [each for each in offers(again, "price") if "funnel" in each] == [
        f"=funnel-cake/{price}" for price in (3, 4, 5, 6)
    ]
    assert offers(again, "erase") == ["=lemonade", "=corn-dog", "=swings"]


# The roll


def test_rule_2_the_first_seat_rolls_first_and_the_dice_pass_to_the_left() -> None:
    state = fair("Ann", "Bob", "Cy", prices="sheet")
    rollers = []
    for _ in range(4):
        rollers.append(state.roller)
        starts = [f"{seat} start =midway" for seat in (1, 2, 3)] if state.turn == 1 else []
        state = done(state, f"{state.roller} roll 111111", *starts, "3 done", "1 done", "2 done")
    assert rollers == [1, 2, 3, 1]
    refusal = refused(later(), "2 roll 123456")
    assert refusal == Refusal("Ann rolls the dice for everybody in the 12 noon turn.", "D.2-2")


def test_rule_2_the_next_roller_is_called() -> None:
    state = done(later(), "1 roll 111111", "1 done")
    assert said(state, "2 done") == [
        ("D.2-11", "Bob ends the 12 noon turn in the Food Hall. Left over for Coins: 1, 1, 1, 1, 1 and 1."),
        ("D.2-2", "The dice pass to Bob for the 1 pm turn."),
    ]
    assert len(said(later("Ann"), "1 roll 111111", "1 done")) == 1


def test_rule_3_all_six_dice_are_thrown_for_everybody() -> None:
    state = later("Ann", "Bob", "Cy")
    assert said(state, "1 roll 122355") == [("D.2-3", "Ann rolls 1, 2, 2, 3, 5 and 5 for the 12 noon turn.")]
    after = done(state, "1 roll 122355")
    assert (after.phase, after.roll, after.to_act, after.dice_awaited) == (
        Phase.SPENDING,
        (1, 2, 2, 3, 5, 5),
        (1, 2, 3),
        (),
    )
    assert [plan.left for plan in after.plans] == [(1, 2, 2, 3, 5, 5)] * 3
    assert refused(state, "1 roll 12345") == Refusal("Throw all six dice for the 12 noon turn, not 5.", "D.2-3")
    assert refused(state, "1 roll").sentence == "Throw all six dice for the 12 noon turn, not 0."
    assert refused(state, "1 roll 123456 =midway") == Refusal(
        "Just roll the six dice: there is nothing to choose.", "D.2-3"
    )


def test_rule_3_the_dice_are_thrown_once_a_turn() -> None:
    state = done(later("Ann", "Bob", "Cy"), "1 roll 122355")
    sentence = "Throw the dice only once a turn. Ann, Bob and Cy are not done yet."
    assert refused(state, "1 roll 123456") == Refusal(sentence, "D.2-3")
    sentence = "Throw the dice only once a turn. Cy is not done yet."
    assert refused(state, "1 done", "2 done", "3 roll 123456") == Refusal(sentence, "D.2-3")


def test_rule_3_nothing_is_spent_before_the_roll() -> None:
    for text in ("1 buy 3 =caramel-apple", "1 complete 255 =caramel-apple", "1 move 2 =midway", "1 start =midway"):
        assert refused(later(), text) == Refusal("First Ann rolls the dice for the 12 noon turn.", "D.2-3")
    assert refused(later(), "1 rethink").rule == refused(later(), "1 done").rule == "D.2-3"


def test_rule_3_who_is_done_waits_and_disturbs_nobodys_plan() -> None:
    state = done(later(), "1 roll 122355", "2 buy 3 =caramel-apple")
    after = done(state, "1 buy 1 =turkey-leg", "1 done")
    assert after.to_act == (2,)
    assert after.plans[1] == state.plans[1]
    assert after.plans[0] == Plan(after.papers[0], "food-hall")
    assert after.papers[1] == state.papers[1]
    stands = Refusal("Ann is done with the 12 noon turn and cannot change it.", "AMB-D-12")
    assert refused(after, "1 buy 2 =lemonade") == refused(after, "1 done") == stands
    prices = Refusal("You can change prices only before the first roll.", "D.2-1")
    assert refused(after, "1 erase =lemonade") == refused(later(), "2 not-ready") == prices


def test_a_verb_that_the_game_does_not_have_is_refused_with_those_it_has() -> None:
    refusal = refused(later(), "1 sing")
    assert refusal.rule == "D.2-3"
    assert refusal.sentence.startswith("Dice County Fair has no 'sing'; a player may price, erase, copy, ready, ")
    assert refusal.sentence.endswith(", rethink or done.")


# Spending dice


def rolled(numbers: str, section: str = "food-hall", bought: str = "", turn: int = 2, **options: str) -> FairState:
    """Ann and Bob after a roll, with the same things bought before."""
    state = later(turn=turn, section=section, **options)
    for seat in (1, 2):
        state = paper(state, seat, bought, section=section)
    return done(state, f"{state.roller} roll {numbers}")


def test_rule_4_each_die_is_spent_once() -> None:
    state = done(rolled("122355"), "1 buy 3 =caramel-apple", "1 complete 255 =caramel-apple")
    assert state.plans[0].left == (1, 2)
    refusal = Refusal("You can spend each die once. You have 1 and 2 left.", "D.2-4")
    assert refused(state, "1 buy 5 =cherry-pie") == refusal
    assert refused(rolled("122355"), "1 buy 4 =funnel-cake").rule == "D.2-4"
    assert refused(state, "1 move 5 =carnival") == refusal
    coaster = rolled("123456", bought="turkey-leg")
    assert refused(coaster, "1 complete 6666 =turkey-leg").rule == "D.2-4"
    assert refused(coaster, "1 complete 5566 =turkey-leg").rule == "D.2-4"
    nothing = done(rolled("112234", bought="caramel-apple"), "1 buy 2 =lemonade", "1 buy 1 =turkey-leg")
    after = done(nothing, "1 move 2 =midway", "1 buy 3 =balloon-darts", "1 buy 4 =ring-toss", "1 buy 1 =high-striker")
    assert refused(after, "1 buy 2 =skee-ball").sentence == "You can spend each die once. You have no dice left."


def test_rule_5_a_purchase_takes_one_die_of_the_price() -> None:
    state = rolled("122355")
    assert offers(state, "buy") == ["2 =lemonade", "3 =caramel-apple", "5 =cherry-pie", "1 =turkey-leg"]
    assert said(state, "1 buy 3 =caramel-apple") == [("D.2-5", "Ann buys Caramel Apple with a 3.")]
    after = done(state, "1 buy 3 =caramel-apple")
    assert [n for n, bought in enumerate(after.plans[0].paper.bought) if bought] == [number_of(state, "caramel-apple")]
    assert after.papers == state.papers
    assert after.plans[0].left == (1, 2, 2, 5, 5)
    assert refused(state, "1 buy 5 =caramel-apple") == Refusal("Caramel Apple costs a die that shows 3.", "D.2-5")
    assert refused(state, "1 buy 33 =caramel-apple") == Refusal("Buy it with one die, not 2.", "D.2-5")
    assert refused(state, "1 buy =caramel-apple") == Refusal("Buy it with one die, not 0.", "D.2-5")


def test_rule_5_a_purchase_is_made_where_the_player_is() -> None:
    sentence = "Ring Toss is in the Midway, and Ann is in the Food Hall."
    assert refused(rolled("122345"), "1 buy 4 =ring-toss") == Refusal(sentence, "D.2-5")
    sentence = "Bumper Cars is in the Carnival, and Bob is in the Midway."
    assert refused(rolled("122345", "midway"), "2 buy 2 =bumper-cars") == Refusal(sentence, "D.2-5")
    assert refused(rolled("122345", "carnival"), "1 buy 2 =skee-ball").rule == "D.2-5"
    sentence = "There is no activity 'pony' on this sheet."
    assert refused(rolled("122345"), "1 buy 4 =pony") == Refusal(sentence, "D.2-5")
    shape = "Choose one die and the activity that you buy."
    assert refused(rolled("122345"), "1 buy 3 =caramel-apple/3") == Refusal(shape, "D.2-5")


def test_rule_5_six_purchases_may_be_made_in_a_turn() -> None:
    keys = ("turkey-leg", "lemonade", "caramel-apple", "funnel-cake", "cherry-pie", "corn-dog")
    state = done(rolled("123456"), *(f"1 buy {price} ={key}" for price, key in enumerate(keys, start=1)))
    assert state.plans[0].left == ()
    assert state.plans[0].paper.bought == (True,) * 6 + (False,) * 12


def test_who_ends_a_turn_with_an_activity_that_can_be_completed_is_told_of_it() -> None:
    bought = done(rolled("122355"), "1 buy 3 =caramel-apple")
    assert GAME.loses(bought, action("1 done")) == "You can still complete Caramel Apple."
    assert GAME.loses(done(bought, "1 complete 255 =caramel-apple"), action("1 done")) == ""


def test_rule_6_an_activity_is_completed_with_as_many_dice_as_it_has_spaces() -> None:
    state = rolled("122355", bought="caramel-apple")
    calls = said(state, "1 complete 255 =caramel-apple")
    assert calls == [("D.2-6", "Ann completes Caramel Apple with 2, 5 and 5: 7 points.")]
    after = done(state, "1 complete 255 =caramel-apple")
    assert after.plans[0].paper.dice[3] == (2, 5, 5)
    assert after.plans[0].left == (1, 2, 3)
    assert refused(state, "1 complete 2355 =caramel-apple") == Refusal(
        "Caramel Apple takes exactly 3 dice, not 4.", "D.2-6"
    )
    assert refused(state, "1 complete 55 =caramel-apple").sentence == "Caramel Apple takes exactly 3 dice, not 2."
    pond = rolled("122355", "midway", "duck-pond")
    assert refused(pond, "1 complete 12 =duck-pond").sentence == "Duck Pond takes exactly 1 die, not 2."


def test_rule_6_the_total_meets_the_requirement() -> None:
    state = rolled("122355", bought="caramel-apple cherry-pie funnel-cake")
    assert offers(state, "complete") == [
        *("55 =funnel-cake", "155 =caramel-apple", "255 =caramel-apple", "355 =caramel-apple"),
        *("122 =cherry-pie", "123 =cherry-pie", "125 =cherry-pie", "223 =cherry-pie"),
    ]
    assert refused(state, "1 complete 235 =caramel-apple") == Refusal(
        "Caramel Apple asks for 11 or more, but 2, 3 and 5 make 10.", "D.2-6"
    )
    assert refused(state, "1 complete 225 =cherry-pie").sentence == (
        "Cherry Pie asks for 8 or less, but 2, 2 and 5 make 9."
    )
    pond = rolled("122355", "midway", "duck-pond")
    assert refused(pond, "1 complete 5 =duck-pond").sentence == "Duck Pond asks for 3 or less, but the die shows 5."


def test_rule_6_what_is_not_bought_is_not_completed() -> None:
    refusal = refused(rolled("122355"), "1 complete 255 =caramel-apple")
    assert refusal == Refusal("You have not bought Caramel Apple yet.", "D.2-6")
    assert offers(rolled("122355"), "complete") == []


def test_rule_6_a_completion_is_made_where_the_player_is() -> None:
    state = rolled("122355", "midway", "caramel-apple")
    sentence = "Caramel Apple is in the Food Hall, and Ann is in the Midway."
    assert refused(state, "1 complete 255 =caramel-apple") == Refusal(sentence, "D.2-6")
    assert offers(state, "complete") == []
    sentence = "There is no activity 'pony' on this sheet."
    assert refused(state, "1 complete 255 =pony") == Refusal(sentence, "D.2-6")
    shape = "Choose the dice and the activity that you complete."
    here = rolled("122355", bought="caramel-apple")
    assert refused(here, "1 complete 255 =caramel-apple/2") == Refusal(shape, "D.2-6")


def test_rule_6_one_point_is_said_as_one() -> None:
    game = GAME.on_sheets
    assert game
    text = COUNTY.replace('requirement = "<=3", points = 2', 'requirement = "<=3", points = 1')
    typed = game({"mine": text})
    state = fair(game=typed, prices="sheet", sheet=typed.options[0].readings[1][0])
    after = done(state, "1 roll 122346", "1 start =midway", "1 buy 6 =duck-pond")
    assert said(after, "1 complete 1 =duck-pond") == [("D.2-6", "Ann completes Duck Pond with 1: 1 point.")]


def test_rule_6_a_requirement_without_a_number_is_said_in_words() -> None:
    game = GAME.on_sheets
    assert game
    for wanted, other in (("odd", "2"), ("even", "1")):
        typed = game({"mine": COUNTY.replace('requirement = "<=3"', f'requirement = "{wanted}"')})
        state = fair(game=typed, prices="sheet", sheet=typed.options[0].readings[1][0])
        after = done(state, "1 roll 122346", "1 start =midway", "1 buy 6 =duck-pond")
        sentence = f"Duck Pond asks for an {wanted} total, but the die shows {other}."
        assert refused(after, f"1 complete {other} =duck-pond") == Refusal(sentence, "D.2-6")


def test_rule_7_a_die_leads_to_another_section() -> None:
    everywhere = {
        "food-hall": ["1 =carnival", "2 =midway", "2 =carnival", "5 =carnival"],
        "midway": ["1 =food-hall", "1 =carnival", "2 =carnival", "5 =food-hall", "5 =carnival"],
        "carnival": ["1 =food-hall", "2 =midway", "5 =food-hall"],
    }
    for section, wanted in everywhere.items():
        assert offers(rolled("122255", section), "move") == wanted
    state = rolled("122255")
    assert said(state, "1 move 2 =midway") == [("D.2-7", "Ann goes to the Midway with a 2.")]
    after = done(state, "1 move 2 =midway")
    assert (after.plans[0].section, after.plans[0].move, after.plans[0].left) == ("midway", 2, (1, 2, 2, 5, 5))
    sentence = "A 5 does not take you to the Midway. Odd goes to the Food Hall, even to the Midway."
    assert refused(state, "1 move 5 =midway") == Refusal(sentence, "D.2-7")
    assert refused(rolled("122255", "carnival"), "1 move 2 =food-hall").sentence == (
        "A 2 does not take you to the Food Hall. Odd goes to the Food Hall, even to the Midway."
    )


def test_rule_7_a_player_moves_once_a_turn() -> None:
    state = done(rolled("122255"), "1 move 2 =midway")
    assert refused(state, "1 move 2 =carnival") == Refusal("Ann has already moved in this turn.", "D.2-7")
    assert offers(state, "move") == []
    assert offers(state, "move", 2) != []


def test_rule_7_a_move_takes_one_die_and_names_a_section() -> None:
    state = rolled("122255")
    assert refused(state, "1 move 22 =midway") == Refusal("Move with one die, not 2.", "D.2-7")
    assert refused(state, "1 move =midway") == Refusal("Move with one die, not 0.", "D.2-7")
    sentence = "There is no section 'parking'. Choose Food Hall, Midway or Carnival."
    assert refused(state, "1 move 2 =parking") == Refusal(sentence, "D.2-7")
    assert refused(state, "1 move 4 =midway") == Refusal(
        "You can spend each die once. You have 1, 2, 2, 2, 5 and 5 left.", "D.2-4"
    )


def test_rule_7_the_last_die_is_not_spent_on_a_move() -> None:
    state = done(rolled("134456"), "1 buy 1 =turkey-leg", "1 complete 3445 =turkey-leg")
    assert state.plans[0].left == (6,)
    assert refused(state, "1 move 6 =midway") == Refusal("You cannot move with your last die.", "D.2-7")
    assert offers(state, "move") == []


def test_rule_8_the_first_turn_starts_in_any_section_for_nothing() -> None:
    state = done(fair(prices="sheet"), "1 roll 122355")
    assert offers(state, "start") == ["=food-hall", "=midway", "=carnival"]
    assert verbs(state) == ["start"]
    assert said(state, "1 start =carnival") == [("D.2-8", "Ann starts in the Carnival.")]
    after = done(state, "1 start =carnival")
    assert (after.plans[0].section, len(after.plans[0].left), after.plans[1].section) == ("carnival", 6, "")
    first = Refusal("First Ann chooses where to start.", "D.2-8")
    for text in ("1 buy 3 =caramel-apple", "1 complete 255 =caramel-apple", "1 move 2 =midway"):
        assert refused(state, text) == first
    assert refused(state, "1 done") == Refusal("First choose where you start.", "D.2-8")
    sentence = "There is no section 'parking'. Choose Food Hall, Midway or Carnival."
    assert refused(state, "1 start =parking") == Refusal(sentence, "D.2-8")
    assert refused(state, "1 start 2 =midway") == Refusal(
        "Choose only a section: your first start needs no die.", "D.2-8"
    )


def test_rule_8_the_free_start_is_for_the_first_turn() -> None:
    sentence = "Ann is already in the Food Hall. Only the first start is free."
    assert refused(rolled("122355"), "1 start =midway") == Refusal(sentence, "D.2-8")
    state = done(fair(prices="sheet"), "1 roll 122355", "1 start =midway")
    assert refused(state, "1 start =carnival").sentence == "Ann is already in the Midway. Only the first start is free."


def test_rule_9_a_turn_begins_where_the_last_one_ended() -> None:
    state = done(rolled("122255"), "1 move 2 =midway", "1 done", "2 done", "2 roll 123456")
    assert [plan.section for plan in state.plans] == ["midway", "food-hall"]
    assert [plan.move for plan in state.plans] == [0, 0]


def test_rule_10_purchases_completions_and_the_move_come_in_any_order() -> None:
    state = rolled("122355", "carnival", "caramel-apple")
    first = done(state, "1 buy 2 =bumper-cars", "1 move 1 =food-hall", "1 complete 255 =caramel-apple")
    assert first.plans[0].left == (3,)
    second = done(state, "1 move 1 =food-hall", "1 complete 355 =caramel-apple", "1 buy 2 =lemonade")
    assert second.plans[0].left == (2,)


def test_rule_11_what_is_left_is_excess_where_the_turn_ends() -> None:
    state = paper(later(), excess=((6,), (5,), ()), section="carnival")
    after = done(state, "1 roll 122355", "1 move 1 =food-hall", "1 buy 3 =caramel-apple", "1 done")
    assert after.papers[0].excess == ((6, 2, 2, 5, 5), (5,), ())
    calls = said(state, "1 roll 122355", "1 move 1 =food-hall", "1 buy 3 =caramel-apple", "1 done")
    assert calls == [("D.2-11", "Ann ends the 12 noon turn in the Food Hall. Left over for Coins: 2, 2, 5 and 5.")]
    assert refused(rolled("122355"), "1 done 1") == Refusal("There is nothing to choose for 'done'.", "D.2-11")


def test_rule_12_each_turn_is_recorded_with_its_move_and_its_section() -> None:
    state = done(later(), "1 roll 122355", "1 move 2 =midway", "1 done", "2 done")
    assert state.papers[0].turns == ((0, "food-hall"), (2, "midway"))
    assert state.papers[1].turns == ((0, "food-hall"), (0, "food-hall"))
    assert state.papers[0].section == "midway"
    spent = ("1 buy 3 =caramel-apple", "1 complete 255 =caramel-apple", "1 buy 1 =turkey-leg", "1 buy 2 =lemonade")
    assert said(rolled("122355"), *spent, "1 done") == [
        ("D.2-12", "Ann ends the 12 noon turn in the Food Hall. No die is left over.")
    ]


def test_rule_13_the_calls_tell_the_turn_as_it_went() -> None:
    """The story of the rulebook's example turn: a move with the 1, an apple for the 3, a 2 left over."""
    state = later("Kate", section="carnival")
    texts = (
        "1 roll 122355",
        "1 move 1 =food-hall",
        "1 buy 3 =caramel-apple",
        "1 complete 255 =caramel-apple",
        "1 done",
    )
    story = [sentence for count in range(1, 6) for _, sentence in said(state, *texts[:count])]
    assert story == [
        "Kate rolls 1, 2, 2, 3, 5 and 5 for the 12 noon turn.",
        "Kate goes to the Food Hall with a 1.",
        "Kate buys Caramel Apple with a 3.",
        "Kate completes Caramel Apple with 2, 5 and 5: 7 points.",
        "Kate ends the 12 noon turn in the Food Hall. Left over for Coins: 2.",
    ]
    after = done(state, *texts)
    assert (after.scores, after.papers[0].excess) == ((7,), ((2,), (), ()))
    assert after.papers[0].turns[-1] == (1, "food-hall")


def closing(*names: str, **options: str) -> FairState:
    """Before the roll of the last turn."""
    return later(*names, turn=12, **options)


def test_rule_14_the_fair_closes_after_the_10_pm_turn() -> None:
    state = done(closing(), "1 roll 111111", "2 done")
    calls = said(state, "1 done")
    assert calls[1] == ("D.2-14", "The 10 pm turn is done, and the fair closes.")
    over = done(state, "1 done")
    assert (over.phase, over.to_act, over.plans, over.dice_awaited) == (Phase.OVER, (), (), ())
    assert GAME.legal(over) == ()
    assert refused(over, "1 roll 111111") == Refusal("The game is over.", "D.2-14")
    eleventh = done(later(turn=11), "1 roll 111111", "2 done", "1 done")
    assert (eleventh.phase, eleventh.turn, eleventh.hour) == (Phase.ROLL, 12, "10 pm")


# Scoring

FOOD = {"lemonade": (4,), "corn-dog": (1, 1), "funnel-cake": (4, 5)}
RIDES = {"carousel": (5,), "swings": (1, 1)}


def scored(state: FairState) -> tuple[tuple[int, ...], list[tuple[str, str]]]:
    """The totals after a last turn in which nobody spends a die, and what is said of them."""
    seats = [player.seat for player in state.players]
    texts = ["1 roll 111111", *(f"{seat} done" for seat in seats)]
    calls = said(state, *texts)
    place = next(place for place, (rule, _) in enumerate(calls) if rule == "D.2-14")
    return done(state, *texts).scores, calls[place + 1 :]


def test_rule_15_all_is_added_up() -> None:
    """The dice of the last turn, six ones, are excess in the Food Hall for both.

    Ann: 2 + 4 + 5 food, 2 midway, 2 rides = 15, all areas 10; Bob: 4 food, 2 + 4 rides = 10, not everywhere.
    """
    state = paper(closing(), 1, "", {**FOOD, "duck-pond": (1,), "carousel": (5,)}, ((), (6,), (2, 2)))
    state = paper(state, 2, "high-striker", {"corn-dog": (1, 2), **RIDES}, ((3,), (1, 3), (2,)))
    assert scored(state) == (
        (15 + 10 + 5 + 3 + 5 + 1 + 3 + 1, 10 + 3 + 1 + 0 + 3 + 5 + 3),
        [
            ("D.2-15", "Points for Experience All Areas: Ann 10."),
            ("D.2-15", "Points for Food Hall activities: Ann 11 and Bob 4."),
            ("D.2-15", "Points for Most in the Food Hall: Ann 5 and Bob 3."),
            ("D.2-15", "Points for Fewest Coins: Ann 3 and Bob 1."),
            ("D.2-15", "Points for Midway activities: Ann 2."),
            ("D.2-15", "Points for Most in the Midway: Ann 5."),
            ("D.2-15", "Points for Fewest Tokens: Ann 1 and Bob 3."),
            ("D.2-15", "Points for Carnival activities: Ann 2 and Bob 6."),
            ("D.2-15", "Points for Most in the Carnival: Ann 3 and Bob 5."),
            ("D.2-15", "Points for Fewest Tickets: Ann 1 and Bob 3."),
            ("D.2-15", "Ann wins with 43 points."),
        ],
    )


def test_rule_15_most_counts_activities_and_not_their_points() -> None:
    state = paper(closing(), 1, "", {"lemonade": (4,), "corn-dog": (1, 1)})
    state = paper(state, 2, "", {"turkey-leg": (4, 4, 4, 4)})
    assert ("D.2-15", "Points for Most in the Food Hall: Ann 5 and Bob 3.") in scored(state)[1]


def test_rule_15_fewest_sums_values_and_does_not_count_dice() -> None:
    state = paper(closing(), 1, "", {}, ((), (1, 1, 1), ()))
    state = paper(state, 2, "", {}, ((), (4,), ()))
    assert ("D.2-15", "Points for Fewest Tokens: Ann 3 and Bob 1.") in scored(state)[1]


def test_rule_15_the_scores_during_the_game_are_the_activities() -> None:
    state = done(rolled("122355", bought="caramel-apple"), "2 complete 255 =caramel-apple")
    assert state.scores == (0, 0)
    assert done(state, "2 done").scores == (0, 7)
    assert done(state, "2 done", "1 done", "2 roll 111111", "1 done", "2 done").scores == (0, 7)


def test_rule_15_third_and_later_have_nothing() -> None:
    state = closing("Ann", "Bob", "Cy", "Dee")
    for seat, excess in enumerate([9, 7, 8, 6], start=1):
        state = paper(state, seat, "", {}, ((), (excess,), ()))
    assert ("D.2-15", "Points for Fewest Tokens: Bob 1 and Dee 3.") in scored(state)[1]


def test_rule_16_alone_only_a_section_without_excess_counts_and_there_is_no_most() -> None:
    state = paper(closing("Ann"), 1, "", {**FOOD, **RIDES, "duck-pond": (1,)}, ((), (), (1,)))
    totals, calls = scored(state)
    assert totals == (11 + 6 + 2 + 10 + 3,)
    assert [sentence for _, sentence in calls] == [
        *(
            "Points for Experience All Areas: Ann 10.",
            "Points for Food Hall activities: Ann 11.",
            "Points for Fewest Coins: nobody.",
        ),
        *("Points for Midway activities: Ann 2.", "Points for Fewest Tokens: Ann 3."),
        *("Points for Carnival activities: Ann 6.", "Points for Fewest Tickets: nobody."),
        "Ann has 32 points, 68 short of the aim of 100.",
    ]
    assert [rule for rule, sentence in calls if "Fewest" in sentence] == ["D.2-16"] * 3
    assert calls[-1][0] == "D.2-16"


@pytest.mark.parametrize(("experience", "met", "winner"), [(71, " and reaches", (1,)), (70, ", 1 short of", ())])
def test_rule_16_alone_the_aim_is_100(experience: int, met: str, winner: tuple[int, ...]) -> None:
    """11 + 6 + 2 for the activities, and ten for three sections without excess but one: 3 + 3 + 4, or so."""
    state = paper(closing("Ann"), 1, "", {**FOOD, **RIDES, "duck-pond": (1,)}, ((), (), ()), "midway")
    state = replace(state, sheet=replace(state.sheet, experience=experience + 4))
    totals, calls = scored(state)
    assert totals == (19 + 6 + experience + 4,)
    sentence = f"Ann has {totals[0]} points{met} the aim of 100."
    assert calls[-1] == ("D.2-16", sentence)
    over = done(state, "1 roll 111111", "1 done")
    assert (over.winner, over.to_act, GAME.tell(over)) == (winner, (), sentence)


# What the rulebook leaves open


def test_amb_1_there_are_twelve_turns_from_11_am_to_10_pm() -> None:
    assert (
        *("11 am", "12 noon", "1 pm", "2 pm", "3 pm", "4 pm"),
        *("5 pm", "6 pm", "7 pm", "8 pm", "9 pm", "10 pm"),
    ) == HOURS
    assert later(turn=3).hour == "1 pm"


def test_amb_2_the_die_kept_back_may_become_excess() -> None:
    state = done(
        rolled("112444", bought="ring-toss"), "1 buy 1 =turkey-leg", "1 buy 2 =lemonade", "1 buy 4 =funnel-cake"
    )
    state = done(state, "1 complete 4 =lemonade")
    assert state.plans[0].left == (1, 4)
    after = done(state, "1 move 4 =midway", "1 done")
    assert after.papers[0].excess == ((), (1,), ())


def test_amb_2_the_die_kept_back_may_have_to_be_spent() -> None:
    state = rolled("112444", last_die="spent")
    moved = done(state, "1 buy 1 =turkey-leg", "1 move 4 =midway")
    sentence = "At this table you must buy or complete something after a move."
    assert refused(moved, "1 done") == Refusal(sentence, "AMB-D-2")
    assert verbs(moved) == ["buy", "rethink"]
    assert done(moved, "1 buy 1 =high-striker", "1 done").papers[0].excess == ((), (2, 4, 4), ())
    assert done(state, "1 buy 1 =turkey-leg", "1 done").to_act == (2,)
    again = rolled("112444", bought="ring-toss", last_die="spent")
    texts = ("1 move 4 =midway", "1 buy 2 =skee-ball")
    assert "done" in verbs(done(again, *texts))


def test_amb_2_completing_after_the_move_will_do_too() -> None:
    state = done(rolled("112444", bought="duck-pond", last_die="spent"), "1 move 4 =midway", "1 complete 1 =duck-pond")
    assert "done" in verbs(state)


def test_amb_3_a_die_may_be_kept_as_excess_by_choice() -> None:
    assert done(rolled("123456"), "1 done").papers[0].excess == ((1, 2, 3, 4, 5, 6), (), ())


def test_amb_3_what_can_be_spent_may_have_to_be() -> None:
    state = rolled("111355", excess="forced-only")
    sentence = "You can still buy Caramel Apple. At this table that comes first."
    assert refused(state, "1 done") == Refusal(sentence, "AMB-D-3")
    bought = done(state, "1 buy 3 =caramel-apple", "1 buy 1 =turkey-leg", "1 buy 5 =cherry-pie")
    sentence = "You can still complete Cherry Pie. At this table that comes first."
    assert refused(bought, "1 done") == Refusal(sentence, "AMB-D-3")
    assert "done" not in verbs(bought)
    after = done(bought, "1 complete 115 =cherry-pie", "1 done")
    assert after.papers[0].excess == ((), (), ())


def test_amb_3_a_move_is_never_forced() -> None:
    state = rolled("666666", excess="forced-only", bought="corn-dog")
    assert "move" in verbs(state)
    assert done(state, "1 done").papers[0].excess == ((6,) * 6, (), ())


def test_amb_4_the_free_start_is_no_move() -> None:
    state = done(fair(prices="sheet"), "1 roll 122355", "1 start =carnival", "1 move 1 =food-hall", "1 done")
    assert state.papers[0].turns == ((1, "food-hall"),)


def test_amb_4_the_free_start_is_the_move_where_the_table_plays_so() -> None:
    state = done(fair(prices="sheet", free_start="the-move"), "1 roll 122355", "1 start =carnival")
    sentence = "The free start was Ann's move of this turn, as this table plays."
    assert refused(state, "1 move 1 =food-hall") == Refusal(sentence, "AMB-D-4")
    assert "move" not in verbs(state)
    later = done(state, "1 done", "2 start =midway", "2 done", "2 roll 122355", "1 move 1 =food-hall")
    assert later.plans[0].section == "food-hall"


def test_amb_5_a_move_leads_elsewhere() -> None:
    sentence = "Ann is already in the Carnival. Choose another section."
    assert refused(rolled("122355", "carnival"), "1 move 5 =carnival") == Refusal(sentence, "AMB-D-5")


def test_amb_6_all_excess_goes_to_the_last_section() -> None:
    state = done(rolled("122355"), "1 buy 3 =caramel-apple", "1 move 2 =midway", "1 done")
    assert state.papers[0].excess == ((), (1, 2, 5, 5), ())


def rank(counts: list[int], **options: str) -> str:
    """The Most award of the Midway for players with so many activities there."""
    keys = ("duck-pond", "ring-toss", "balloon-darts", "water-race", "skee-ball", "high-striker")
    names = ("Ann", "Bob", "Cy", "Dee")[: len(counts)]
    state = closing(*names, **options)
    for seat, count in enumerate(counts, start=1):
        state = paper(state, seat, "", dict.fromkeys(keys[:count], (1,)))
    (call,) = (
        f"{rule} {sentence[31:]}"
        for rule, sentence in scored(state)[1]
        if sentence.startswith("Points for Most in the Mid")
    )
    return call


def test_amb_7_those_level_for_first_have_the_secondary_award_and_nobody_else_one() -> None:
    assert rank([3, 3, 2, 1]) == "AMB-D-7 Ann 3 and Bob 3."
    assert rank([2, 2, 2]) == "AMB-D-7 Ann 3, Bob 3 and Cy 3."
    assert rank([1, 4, 4, 4]) == "AMB-D-7 Bob 3, Cy 3 and Dee 3."


def test_amb_7_those_level_for_second_all_have_the_secondary_award() -> None:
    assert rank([2, 3, 2, 1]) == "AMB-D-7 Ann 3, Bob 5 and Cy 3."
    assert rank([5, 3, 2, 2]) == "D.2-15 Ann 5 and Bob 3."


def test_amb_7_the_same_holds_for_fewest() -> None:
    state = paper(closing("Ann", "Bob", "Cy"), 1, "", {}, ((), (2, 2), (6,)))
    state = paper(state, 2, "", {}, ((), (4,), (3,)))
    state = paper(state, 3, "", {}, ((), (5,), (1, 2, 3)))
    calls = scored(state)[1]
    assert ("AMB-D-7", "Points for Fewest Tokens: Ann 1 and Bob 1.") in calls
    assert ("AMB-D-7", "Points for Fewest Tickets: Ann 1, Bob 3 and Cy 1.") in calls
    assert ("AMB-D-7", "Points for Fewest Coins: Ann 1, Bob 1 and Cy 1.") in calls


def test_amb_8_it_takes_one_activity_to_have_most() -> None:
    assert rank([0, 0]) == "D.2-15 nobody."
    assert rank([2, 0, 0]) == "D.2-15 Ann 5."
    assert rank([0, 1, 2]) == "D.2-15 Bob 3 and Cy 5."


def test_amb_8_none_may_be_most_where_the_table_plays_so() -> None:
    assert rank([0, 0], most_of_none="allowed") == "AMB-D-7 Ann 3 and Bob 3."
    assert rank([2, 0, 0], most_of_none="allowed") == "AMB-D-7 Ann 5, Bob 3 and Cy 3."
    assert rank([2, 0], most_of_none="allowed") == "D.2-15 Ann 5 and Bob 3."


def test_amb_9_those_with_the_same_total_share_the_win() -> None:
    """Both have 1 point three times for being level in excess."""
    state = done(closing(), "1 roll 111111", "2 done")
    assert done(state, "1 done").winner == (1, 2)
    assert said(state, "1 done")[-1] == ("AMB-D-9", "Ann and Bob share the win with 3 points each.")
    ahead = paper(closing(), 2, "", {"swings": (1, 1)})
    assert done(ahead, "1 roll 111111", "2 done", "1 done").winner == (2,)


def test_amb_10_an_excess_area_has_room_for_all_72_dice() -> None:
    state = done(fair("Ann", prices="sheet"), "1 roll 666666", "1 start =carnival", "1 done")
    for _ in range(11):
        state = done(state, "1 roll 666666", "1 done")
    assert state.papers[0].excess == ((), (), (6,) * 72)


def test_amb_11_excess_has_no_points() -> None:
    state = done(closing("Ann"), "1 roll 111111", "1 done")
    assert state.scores == (3 + 3,)


def test_amb_12_a_plan_is_taken_back_as_a_whole_and_no_other_with_it() -> None:
    state = rolled("122355", bought="cherry-pie")
    planned = done(state, "2 buy 3 =caramel-apple", "1 complete 122 =cherry-pie", "1 move 3 =carnival")
    assert said(planned, "1 rethink") == [("AMB-D-12", "Ann plans the turn again, with all six dice.")]
    again = done(planned, "1 rethink")
    assert again.plans == (state.plans[0], planned.plans[1])
    assert refused(again, "1 rethink") == Refusal("Ann has planned nothing in this turn yet.", "AMB-D-12")
    assert "rethink" not in verbs(again)
    assert refused(planned, "1 rethink =midway").sentence == "There is nothing to choose for 'rethink'."
    assert refused(planned, "1 rethink =midway").rule == "AMB-D-12"


def test_amb_12_the_free_start_is_taken_back_too() -> None:
    state = done(fair(prices="sheet"), "1 roll 122355", "1 start =carnival", "1 rethink")
    assert state.plans[0].section == ""
    assert verbs(state) == ["start"]


def test_amb_13_alone_a_section_without_excess_has_the_primary_award() -> None:
    state = closing("Ann", section="midway")
    state = paper(state, 1, "", {}, section="midway")
    assert ("D.2-16", "Points for Fewest Coins: Ann 3.") in scored(state)[1]
    assert ("D.2-16", "Points for Fewest Tokens: nobody.") in scored(state)[1]


def test_amb_14_nothing_is_bought_or_completed_twice() -> None:
    state = done(rolled("122355", bought="cherry-pie lemonade"), "1 complete 122 =cherry-pie")
    assert refused(state, "1 complete 355 =cherry-pie") == Refusal("You have already completed Cherry Pie.", "AMB-D-14")
    assert refused(state, "1 buy 5 =cherry-pie") == Refusal("You have already bought Cherry Pie.", "AMB-D-14")
    assert refused(state, "1 buy 2 =lemonade") == Refusal("You have already bought Lemonade.", "AMB-D-14")
    assert offers(state, "complete") == ["5 =lemonade"]
    assert offers(state, "buy") == ["3 =caramel-apple"]


# Owners' sheets


def test_an_owners_sheet_is_a_further_reading_marked_by_its_text() -> None:
    assert GAME.on_sheets
    text = COUNTY.replace("points = 7", "points = 8")
    game = GAME.on_sheets({"mine": text, "county": COUNTY})
    mine, county = (sha256(each.encode("utf-8")).hexdigest()[:8] for each in (text, COUNTY))
    option = game.options[0]
    assert [value for value, _ in option.readings] == ["county", f"mine@{mine}", f"county@{county}"]
    assert option.readings[1][1] == "The sheet typed in as mine."
    assert (option.name, option.title, option.source) == ("sheet", "Which sheet is played?", "D.1")
    assert game.options[1:] == GAME.options[1:]
    state = begin(game, ["Ann"], SIX, {"sheet": f"mine@{mine}"})
    assert isinstance(state, FairState)
    assert (state.sheet.name, state.sheet.activities[3].points) == ("mine", 8)
    assert fair("Ann", game=game).sheet.activities[3].points == 7


def test_an_owners_sheet_is_played_by_its_own_rows() -> None:
    assert GAME.on_sheets
    game = GAME.on_sheets({"mine": COUNTY.replace("Caramel Apple", "Toffee Apple")})
    sheet = game.options[0].readings[1][0]
    state = fair("Ann", game=game, sheet=sheet, prices="sheet")
    after = done(state, "1 roll 122355", "1 start =food-hall", "1 buy 3 =toffee-apple", game=game)
    ruling = judge(game, after, action("1 complete 255 =toffee-apple"))
    assert ruling.calls == (Call("Ann completes Toffee Apple with 2, 5 and 5: 7 points.", "D.2-6"),)


def test_a_sheet_that_has_changed_since_is_not_played_on() -> None:
    assert GAME.on_sheets
    old = GAME.on_sheets({"mine": COUNTY}).options[0].readings[1][0]
    changed = GAME.on_sheets({"mine": COUNTY + "\n"})
    with pytest.raises(BadOption, match=rf"the option sheet cannot be '{old}'; it is one of county, mine@"):
        begin(changed, ["Ann"], SIX, {"sheet": old})


def test_a_wrong_sheet_is_refused_with_its_name() -> None:
    assert GAME.on_sheets
    with pytest.raises(BadSheet, match="the sheet mine: the field 'experience' is missing"):
        GAME.on_sheets({"mine": ""})


@pytest.mark.parametrize("name", ["", "My-Sheet", "my sheet", "my_sheet", "-a", "a-", "a=b", "a@b"])
def test_a_sheets_name_can_stand_in_a_record(name: str) -> None:
    assert GAME.on_sheets
    with pytest.raises(BadSheet, match="small letters, digits and dashes, like my-sheet") as refusal:
        GAME.on_sheets({name: COUNTY})
    assert str(refusal.value).startswith(f"the sheet {name!r}: ")


def test_a_sheet_without_prices_suggests_none() -> None:
    assert GAME.on_sheets
    game = GAME.on_sheets({"my-2nd-sheet": re.sub(r", price = \d", "", COUNTY)})
    sheet = game.options[0].readings[1][0]
    state = fair("Ann", game=game, sheet=sheet)
    assert "copy" not in [offer.verb for offer in game.legal(state)]
    assert judge(game, state, action("1 copy")).refusal == Refusal("This sheet suggests no prices.", "D.2-1")
    sentence = rf"the sheet {sheet} suggests no prices, so the option prices has to be 'own'"
    with pytest.raises(BadOption, match=sentence):
        fair("Ann", game=game, sheet=sheet, prices="sheet")
