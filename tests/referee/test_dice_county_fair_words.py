"""Dice County Fair in words: what the table waits for, what buttons say, and the sheets as the tablet shows them."""

from __future__ import annotations

from dataclasses import replace

from at_the_fair import action, do, done, fair, later, paper, pips

from referee.board import Board, BoardRow
from referee.dice import Die, Zone
from referee.game import Call, DiePosition, Refusal
from referee.games.dice_county_fair import GAME, FairState
from referee.games.dice_county_fair import FairPhase as Phase
from referee.games.dice_county_fair.state import KIND

SPENDING = done(later(), "1 roll 122355")


def test_the_table_is_told_what_it_waits_for() -> None:
    planning = fair()
    assert GAME.tell(planning) == "Ann and Bob write a price at each activity."
    assert GAME.tell(done(planning, "1 copy", "1 ready")) == "Bob writes a price at each activity."
    assert GAME.tell(later()) == "Ann rolls all six dice for the 12 noon turn."
    assert GAME.tell(SPENDING) == "12 noon: Ann and Bob spend 1, 2, 2, 3, 5 and 5."
    assert GAME.tell(done(SPENDING, "1 done")) == "12 noon: Bob spends 1, 2, 2, 3, 5 and 5."
    over = done(paper(later(turn=12), 1, "", {"swings": (1, 1)}), "1 roll 111111", "1 done", "2 done")
    assert GAME.tell(over) == "Ann wins with 12 points."  # 4, most rides 5, and level in the three areas


def test_a_button_says_what_it_does() -> None:
    titles = {
        "1 price =caramel-apple/3": "Caramel Apple: price 3",
        "1 erase =caramel-apple": "Erase the price of Caramel Apple",
        "1 copy": "Take the prices that the sheet suggests",
        "1 ready": "Ready for the fair",
        "1 roll": "Roll all six dice",
        "1 start =food-hall": "Start in the Food Hall",
        "1 buy 3 =caramel-apple": "Buy Caramel Apple with a 3",
        "1 complete 255 =caramel-apple": "Complete Caramel Apple with 2, 5 and 5",
        "1 move 2 =midway": "Go to the Midway with a 2",
        "1 rethink": "Plan this turn again",
        "1 done": "Done with this turn",
    }
    assert {text: GAME.offer_title(SPENDING, action(text)) for text in titles} == titles
    (roll,) = GAME.legal(later())
    assert GAME.offer_title(later(), roll) == "Roll all six dice"
    assert (len(roll.dice), roll.is_throw) == (6, True)


def test_the_dice_of_a_turn_may_lie_anywhere() -> None:
    assert GAME.lay(SPENDING) == tuple(DiePosition(die, None) for die in pips("122355"))
    assert GAME.lay(later()) == GAME.lay(fair()) == ()


def test_a_roll_takes_all_six_dice() -> None:
    (roll,) = GAME.legal(later())
    assert GAME.thrown(later(), roll) == (DiePosition(Die(KIND), Zone.FIELD),) * 6
    assert GAME.thrown(SPENDING, action("1 buy 3 =caramel-apple")) == ()
    assert GAME.thrown(SPENDING, action("1 done")) == ()


def test_a_wrong_throw_is_named() -> None:
    lying = tuple(DiePosition(die, Zone.FIELD) for die in pips("12345"))
    assert GAME.fault(later(), lying, ()) == Refusal("All six dice are thrown for the 12 noon turn, not 5.", "D.2-3")
    sentence = "The dice are thrown once a turn, and Ann and Bob are not done with this one."
    assert GAME.fault(SPENDING, lying, ()) == Refusal(sentence, "D.2-3")
    sentence = "The fair opens when all are ready: Ann and Bob write prices."
    assert GAME.fault(fair(), lying, ()) == Refusal(sentence, "D.2-1")


def lie(numbers: str) -> tuple[DiePosition, ...]:
    return tuple(DiePosition(die, Zone.FIELD) for die in pips(numbers))


def relaid(state: FairState, lying: tuple[DiePosition, ...]) -> FairState | None:
    outcome = GAME.relaid(state, lying)
    return outcome[0] if outcome else None


def test_dice_that_lie_otherwise_count_as_the_roll_while_nobody_has_used_one() -> None:
    assert relaid(later(), lie("653211")) == done(later(), "1 roll 112356")
    assert relaid(done(SPENDING), lie("654321")) == done(later(), "1 roll 123456")
    _, calls = GAME.relaid(done(SPENDING), lie("654321")) or (SPENDING, ())
    assert calls == (Call("The dice of the 12 noon turn show 1, 2, 3, 4, 5 and 6.", "D.2-3"),)
    start = done(fair(prices="sheet"), "1 roll 122355", "2 start =midway")
    moved = relaid(start, lie("123456"))
    assert isinstance(moved, FairState)
    assert [(plan.section, plan.left) for plan in moved.plans] == [
        ("", (1, 2, 3, 4, 5, 6)),
        ("midway", (1, 2, 3, 4, 5, 6)),
    ]


def test_dice_that_lie_otherwise_mean_nothing_else() -> None:
    assert relaid(fair(), lie("123456")) is None
    assert relaid(later(), lie("12345")) is None
    assert relaid(later(), (*lie("12345"), DiePosition(Die(KIND), Zone.FIELD))) is None
    assert relaid(done(SPENDING, "2 buy 3 =caramel-apple"), lie("123456")) is None
    assert relaid(done(SPENDING, "2 done"), lie("123456")) is None


def board(state: FairState, title: str, seat: int = 1) -> Board:
    (found,) = (each for each in GAME.boards(state) if (each.seat, each.title) == (seat, title))
    return found


def test_every_player_has_a_sheet_and_the_fair_lies_in_the_middle() -> None:
    mine = ["Turns", "Food Hall", "Midway", "Carnival"]
    assert [(each.seat, each.title) for each in GAME.boards(later())] == [
        (0, "The fair"),
        *((seat, title) for seat in (1, 2) for title in mine),
    ]


def test_the_fair_shows_the_turn_its_roller_and_the_roll() -> None:
    assert board(fair(), "The fair", 0).facts == (("Turn", "planning"), ("Rolls", "Ann"), ("Dice", ""))
    assert board(later(), "The fair", 0).facts == (("Turn", "12 noon"), ("Rolls", "Ann"), ("Dice", ""))
    assert board(SPENDING, "The fair", 0) == Board(
        0, "The fair", (("Turn", "12 noon"), ("Rolls", "Ann"), ("Dice", "1 2 2 3 5 5"))
    )


def test_the_turns_area_shows_moves_and_sections() -> None:
    state = done(SPENDING, "1 move 2 =midway", "1 done", "2 done", "2 roll 111122", "2 buy 1 =turkey-leg")
    turns = board(state, "Turns")
    assert turns.columns == ("Turn", "Move", "Section")
    assert turns.facts == (("Section", "Midway"), ("Dice left", "1 1 1 1 2 2"))
    assert len(turns.rows) == 12
    assert turns.rows[:4] == (
        BoardRow("11 am", ("11 am", "", "Food Hall"), "done"),
        BoardRow("12 noon", ("12 noon", "2", "Midway"), "done"),
        BoardRow("1 pm", ("1 pm", "", ""), "here"),
        BoardRow("2 pm", ("2 pm", "", "")),
    )
    assert board(state, "Turns", 2).facts == (("Section", "Food Hall"), ("Dice left", "1 1 1 2 2"))
    assert board(fair(prices="sheet"), "Turns").facts == (("Section", ""), ("Dice left", ""))
    assert board(later(), "Turns").facts == (("Section", "Food Hall"), ("Dice left", ""))


def test_a_section_shows_what_is_bought_and_completed_in_pencil_too() -> None:
    state = paper(later(), 1, "turkey-leg", {"lemonade": (5,)}, ((6, 2), (), (3,)))
    state = done(state, "1 roll 122355", "1 buy 3 =caramel-apple", "1 complete 255 =caramel-apple")
    food = board(state, "Food Hall")
    assert food.columns == ("Activity", "Dice", "Total", "Points", "Price")
    assert food.rows == (
        BoardRow("lemonade", ("Lemonade", "5", "4 or more", "2", "2"), "done"),
        BoardRow("corn-dog", ("Corn Dog", "2 dice", "5 or less", "4", "6")),
        BoardRow("funnel-cake", ("Funnel Cake", "2 dice", "9 or more", "5", "4")),
        BoardRow("caramel-apple", ("Caramel Apple", "2 5 5", "11 or more", "7", "3"), "done"),
        BoardRow("cherry-pie", ("Cherry Pie", "3 dice", "8 or less", "7", "5")),
        BoardRow("turkey-leg", ("Turkey Leg", "4 dice", "16 or more", "10", "1"), "open"),
        BoardRow("food-hall-excess", ("Coins", "6 2", "8", "", ""), "here"),
    )
    assert board(state, "Midway").rows[0] == BoardRow("duck-pond", ("Duck Pond", "1 die", "3 or less", "2", "6"))
    assert board(state, "Midway").rows[-1] == BoardRow("midway-excess", ("Tokens", "", "0", "", ""))
    assert board(state, "Carnival").rows[-1] == BoardRow("carnival-excess", ("Tickets", "3", "3", "", ""))
    assert board(state, "Food Hall", 2).rows[3].mark == ""


def test_the_way_to_each_section_is_shown_while_dice_are_spent() -> None:
    first = done(fair(prices="sheet"), "1 roll 122355")
    assert [row.cells for row in board(first, "Sections").rows] == [
        ("Food Hall", "start here, free"),
        ("Midway", "start here, free"),
        ("Carnival", "start here, free"),
    ]
    assert board(SPENDING, "Sections") == Board(
        1,
        "Sections",
        (),
        ("Section", "Way there"),
        (
            BoardRow("food-hall", ("Food Hall", "here"), "here"),
            BoardRow("midway", ("Midway", "an even die")),
            BoardRow("carnival", ("Carnival", "any die")),
        ),
    )
    assert [row.cells[1] for row in board(done(SPENDING, "2 move 2 =midway"), "Sections", 2).rows] == [
        "an odd die",
        "here",
        "any die",
    ]


def test_prices_that_are_not_written_are_blank() -> None:
    state = done(fair(), "1 price =corn-dog/4")
    assert [row.cells[4] for row in board(state, "Food Hall").rows] == ["", "4", "", "", "", "", ""]
    assert [row.cells[4] for row in board(state, "Food Hall", 2).rows] == [""] * 7


def test_every_choice_is_tied_to_a_row_of_its_players_boards() -> None:
    for state in (fair(), done(fair(), "1 copy"), SPENDING, done(fair(prices="sheet"), "1 roll 122355")):
        for offer in GAME.legal(state):
            keys = [row.key for each in GAME.boards(state) if each.seat == offer.player for row in each.rows]
            tied = [key for key in keys if offer.choice == key or offer.choice.startswith(f"{key}/")]
            assert len(tied) == (1 if offer.choice else 0)
            assert len(set(keys)) == len(keys)


def test_the_scoring_is_shown_line_by_line_at_the_end() -> None:
    state = paper(later(turn=12), 1, "", {"swings": (1, 1)})
    over = done(state, "1 roll 111111", "1 done", "2 done")
    assert over.phase == Phase.OVER
    assert board(over, "Scoring") == Board(
        1,
        "Scoring",
        (("Total", "12"),),
        ("Line", "Points"),
        (
            BoardRow("Experience All Areas", ("Experience All Areas", "0")),
            BoardRow("Food Hall activities", ("Food Hall activities", "0")),
            BoardRow("Most in the Food Hall", ("Most in the Food Hall", "0")),
            BoardRow("Fewest Coins", ("Fewest Coins", "1")),
            BoardRow("Midway activities", ("Midway activities", "0")),
            BoardRow("Most in the Midway", ("Most in the Midway", "0")),
            BoardRow("Fewest Tokens", ("Fewest Tokens", "1")),
            BoardRow("Carnival activities", ("Carnival activities", "4")),
            BoardRow("Most in the Carnival", ("Most in the Carnival", "5")),
            BoardRow("Fewest Tickets", ("Fewest Tickets", "1")),
        ),
    )
    assert board(over, "Scoring", 2).facts == (("Total", "3"),)
    assert board(over, "The fair", 0).facts == (("Turn", "10 pm"), ("Rolls", "Ann"), ("Dice", "1 1 1 1 1 1"))


def test_a_state_says_who_it_waits_for() -> None:
    assert fair("Ann", "Bob", "Cy").waiting == "Ann, Bob and Cy"
    assert replace(fair(), to_act=()).waiting == ""
    assert fair().hour == "11 am"
    assert (fair("Ann").is_solo, fair().is_solo) == (True, False)
    assert do(fair(), "1 copy").state.to_act == (1, 2)
