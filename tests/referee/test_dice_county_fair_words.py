"""Dice County Fair in words: what the table waits for, what buttons say, and the sheets as the tablet shows them."""

from __future__ import annotations

from dataclasses import replace

from at_the_fair import action, do, done, fair, later, paper, pips

from referee.actions import DiePosition
from referee.board import Board, BoardPart, BoardRow, DicePlace, Light, Lights, Section, Tally, places_of
from referee.calls import Call, Refusal
from referee.dice import Die, Zone
from referee.games.dice_county_fair import GAME, FairState
from referee.games.dice_county_fair import FairPhase as Phase
from referee.games.dice_county_fair.state import KIND

SPENDING = done(later(), "1 roll 122355")


def test_the_table_is_told_what_it_waits_for() -> None:
    planning = fair()
    assert GAME.tell(planning) == "Everybody: write your prices."
    assert GAME.tell(done(planning, "1 copy", "1 ready")) == "Bob: write your prices."
    assert GAME.tell(done(planning, "1 copy", "2 copy")) == "Everybody: ready for the fair?"
    first = done(planning, "1 copy", "2 copy", "1 ready", "2 ready", "1 roll 122355")
    assert GAME.tell(first) == "Everybody: choose where to start."
    assert GAME.tell(done(first, "1 start =midway")) == "Everybody: spend the dice."
    assert GAME.tell(later()) == "Ann: roll all six dice for the 12 noon turn."
    assert GAME.tell(SPENDING) == "Everybody: spend the dice."
    assert GAME.tell(done(SPENDING, "1 done")) == "Bob: spend the dice."
    over = done(paper(later(turn=12), 1, "", {"swings": (1, 1)}), "1 roll 111111", "1 done", "2 done")
    assert GAME.tell(over) == "Ann wins with 12 points."  # 4, most rides 5, and level in the three areas


def test_a_button_says_what_it_does() -> None:
    titles = {
        "1 price =caramel-apple/3": "Caramel Apple: price 3",
        "1 erase =caramel-apple": "Erase the price of Caramel Apple",
        "1 copy": "Take suggested prices",
        "1 ready": "Ready for the fair",
        "1 roll": "Roll all six dice",
        "1 start =food-hall": "Start in the Food Hall",
        "1 buy 3 =caramel-apple": "Buy Caramel Apple with a 3",
        "1 complete 255 =caramel-apple": "Complete Caramel Apple with 2, 5 and 5",
        "1 move 2 =midway": "Go to the Midway with a 2",
        "1 rethink": "Plan again",
        "1 done": "Done",
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
    assert GAME.fault(later(), lying, ()) == Refusal("Throw all six dice for the 12 noon turn, not 5.", "D.2-3")
    sentence = "Throw the dice only once a turn. Ann and Bob are not done yet."
    assert GAME.fault(SPENDING, lying, ()) == Refusal(sentence, "D.2-3")
    sentence = "The fair opens when all are ready. Ann and Bob still write prices."
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


def board(state: FairState, seat: int = 1) -> Board:
    (found,) = (each for each in GAME.boards(state) if each.seat == seat)
    return found


def section(state: FairState, key: str, seat: int = 1) -> Section:
    (found,) = (part for part in board(state, seat).parts if part.key == key)
    assert isinstance(found, Section)
    return found


def glance(state: FairState, seat: int = 1) -> list[BoardPart]:
    """What is shown of a player who does not act."""
    shown = board(state, seat)
    return [part for part in shown.parts if part.key in shown.brief]


def test_every_player_has_a_sheet_and_the_fair_lies_in_the_middle() -> None:
    assert [(each.seat, each.title) for each in GAME.boards(later())] == [(0, "The fair"), (1, "Ann"), (2, "Bob")]
    parts = ["dice_left", "activities_done", "food-hall", "midway", "carnival"]
    assert [part.key for part in board(later()).parts] == parts


def test_the_fair_shows_the_turn_its_roller_and_the_roll() -> None:
    assert board(fair(), 0) == Board(0, "The fair", (("Turn", "planning"), ("Rolls", "Ann")))
    noon = (("Turn", "12 noon"), ("Rolls", "Ann"))
    assert board(later(), 0) == Board(0, "The fair", noon, parts=(DicePlace("dice_rolled", "Rolled", room=6),))
    rolled = DicePlace("dice_rolled", "Rolled", pips("122355"), room=6)
    assert board(SPENDING, 0) == Board(0, "The fair", noon, parts=(rolled,))


def test_the_turns_area_shows_moves_and_sections() -> None:
    state = done(SPENDING, "1 move 2 =midway", "1 done", "2 done", "2 roll 111122", "1 move 1 =carnival")
    turns = board(state)
    assert turns.columns == ("Turn", "Move", "Section")
    assert len(turns.rows) == 12
    assert turns.rows[:4] == (
        BoardRow("11 am", ("11 am", "", "Food Hall"), "done"),
        BoardRow("12 noon", ("12 noon", "2", "Midway"), "done"),
        BoardRow("1 pm", ("1 pm", "1", "Carnival"), "here"),
        BoardRow("2 pm", ("2 pm", "", "")),
    )
    assert [row.mark for row in board(fair()).rows] == [""] * 12


def test_a_sheet_at_a_glance_tells_who_still_writes_prices() -> None:
    state = done(fair(), "1 price =corn-dog/4", "2 copy", "2 ready")
    assert glance(state) == [
        Lights("is_ready", "writes prices", (Light("green", is_lit=False),)),
        Tally("prices_written", "Prices", 1, of=18),
    ]
    assert glance(state, 2) == [
        Lights("is_ready", "ready", (Light("green", is_lit=True),)),
        Tally("prices_written", "Prices", 18, of=18),
    ]


def test_a_sheet_at_a_glance_tells_where_a_player_is_and_what_is_left() -> None:
    state = done(SPENDING, "1 buy 3 =caramel-apple", "1 complete 255 =caramel-apple", "2 move 2 =midway", "2 done")
    assert glance(state) == [
        Lights("is_ready", "spends dice", (Light("green", is_lit=False),)),
        DicePlace("dice_left", "Food Hall", pips("12")),
        Tally("activities_done", "Activities", 1, of=18),
    ]
    assert glance(state, 2) == [
        Lights("is_ready", "done", (Light("green", is_lit=True),)),
        DicePlace("dice_left", "Midway"),
        Tally("activities_done", "Activities", 0, of=18),
    ]
    first = fair(prices="sheet")
    assert glance(first) == [DicePlace("dice_left", "No section yet"), Tally("activities_done", "Activities", 0, of=18)]


def test_a_section_shows_what_is_bought_and_completed_in_pencil_too() -> None:
    state = paper(later(), 1, "turkey-leg", {"lemonade": (5,)}, ((6, 2), (), (3,)))
    state = done(state, "1 roll 122355", "1 buy 3 =caramel-apple", "1 complete 255 =caramel-apple")
    food = section(state, "food-hall")
    assert food.places == (
        DicePlace("lemonade", "Lemonade", pips("5"), 1, 2, 2, "4+", "done"),
        DicePlace("corn-dog", "Corn Dog", (), 2, 4, 6, "≤ 5"),
        DicePlace("funnel-cake", "Funnel Cake", (), 2, 5, 4, "9+"),
        DicePlace("caramel-apple", "Caramel Apple", pips("255"), 3, 7, 3, "11+", "done"),
        DicePlace("cherry-pie", "Cherry Pie", (), 3, 7, 5, "≤ 8"),
        DicePlace("turkey-leg", "Turkey Leg", (), 4, 10, 1, "16+", "open"),
        DicePlace("food-hall_excess", "Coins", pips("62"), points=8),
    )
    assert section(state, "midway").places[-1] == DicePlace("midway_excess", "Tokens", points=0)
    assert section(state, "carnival").places[-1] == DicePlace("carnival_excess", "Tickets", pips("3"), points=3)
    assert section(state, "food-hall", 2).places[3].mark == ""


def ways(state: FairState, seat: int = 1) -> list[tuple[str, bool]]:
    sections = (section(state, key, seat) for key in ("food-hall", "midway", "carnival"))
    return [(each.note, each.is_here) for each in sections]


def test_the_way_to_each_section_is_shown_while_dice_are_spent() -> None:
    first = done(fair(prices="sheet"), "1 roll 122355")
    assert ways(first) == [("free", False)] * 3
    assert ways(SPENDING) == [("", True), ("2 · 4 · 6", False), ("1 - 6", False)]
    in_midway = done(later(section="midway"), "1 roll 122355")
    assert ways(in_midway, 2) == [("1 · 3 · 5", False), ("", True), ("1 - 6", False)]


def test_no_way_is_shown_to_who_has_moved_or_is_done() -> None:
    moved = done(SPENDING, "1 move 2 =midway", "2 done")
    assert ways(moved) == [("", False), ("", True), ("", False)]
    assert ways(moved, 2) == [("", True), ("", False), ("", False)]
    assert ways(later()) == [("", True), ("", False), ("", False)]


def test_prices_that_are_not_written_are_0() -> None:
    state = done(fair(), "1 price =corn-dog/4")
    assert [place.price for place in section(state, "food-hall").places] == [0, 4, 0, 0, 0, 0, 0]
    assert [place.price for place in section(state, "food-hall", 2).places] == [0] * 7


def test_an_award_names_those_who_would_have_it_now() -> None:
    names = ("Ann", "Bob", "Cy")
    assert section(fair(*names), "midway").facts == (("Most, 5 / 3", ""), ("Fewest Tokens, 3 / 1", ""))
    state = paper(later(*names), 1, "", {"lemonade": (5,), "corn-dog": (1, 2)}, ((3, 1), (), ()))
    state = paper(state, 2, "", {"lemonade": (4,)}, ((6,), (), ()))
    assert section(state, "food-hall", 3).facts == (
        ("Most, 5 / 3", "Ann 2, Bob 1"),
        ("Fewest Coins, 3 / 1", "Cy 0, Ann 4"),
    )
    assert section(state, "midway").facts == (("Most, 5 / 3", ""), ("Fewest Tokens, 3 / 1", "Ann, Bob and Cy 0"))


def test_alone_only_excess_matters_for_awards() -> None:
    state = paper(later("Ann"), 1, "", {}, ((3, 1), (), ()))
    assert section(state, "food-hall").facts == (("No Coins, 3", "lost"),)
    assert section(state, "midway").facts == (("No Tokens, 3", "so far"),)


def test_every_choice_belongs_to_one_place_of_its_players_sheet() -> None:
    for state in (fair(), done(fair(), "1 copy"), SPENDING, done(fair(prices="sheet"), "1 roll 122355")):
        boards = {each.seat: places_of(each) for each in GAME.boards(state)}
        for offer in GAME.legal(state):
            near = [*boards[offer.player], *boards[0]]
            tied = [key for key in near if offer.choice == key or offer.choice.startswith(f"{key}/")]
            assert len(tied) == (1 if offer.choice else 0)


def test_no_two_parts_of_a_sheet_have_the_same_key() -> None:
    for part_of in GAME.boards(SPENDING):
        places = [place.key for part in part_of.parts if isinstance(part, Section) for place in part.places]
        keys = [part.key for part in part_of.parts] + places + [row.key for row in part_of.rows]
        assert len(set(keys)) == len(keys)


def test_the_scoring_is_shown_line_by_line_at_the_end() -> None:
    state = paper(later(turn=12), 1, "", {"swings": (1, 1)})
    over = done(state, "1 roll 111111", "1 done", "2 done")
    assert over.phase == Phase.OVER
    assert board(over).facts == (("Experience All Areas", "0"), ("Total", "12"))
    assert section(over, "food-hall").facts == (
        ("Food Hall activities", "0"),
        ("Most in the Food Hall", "0"),
        ("Fewest Coins", "1"),
    )
    assert section(over, "midway").facts[0] == ("Midway activities", "0")
    assert section(over, "carnival").facts == (
        ("Carnival activities", "4"),
        ("Most in the Carnival", "5"),
        ("Fewest Tickets", "1"),
    )
    assert board(over, 2).facts == (("Experience All Areas", "0"), ("Total", "3"))
    assert board(over, 0).parts == (DicePlace("dice_rolled", "Rolled", pips("111111"), room=6),)
    assert [part.key for part in glance(over)] == ["dice_left", "activities_done"]


def test_a_state_says_who_it_waits_for() -> None:
    assert fair("Ann", "Bob", "Cy").waiting == "Ann, Bob and Cy"
    assert replace(fair(), to_act=()).waiting == ""
    assert fair().hour == "11 am"
    assert (fair("Ann").is_solo, fair().is_solo) == (True, False)
    assert do(fair(), "1 copy").state.to_act == (1, 2)
