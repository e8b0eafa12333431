"""The odds of Switch 16: the known figures, counts by hand, and the plan of a turn against a second reckoning."""

from fractions import Fraction
from itertools import product

import pytest
from switch_16_table import done, new_game, started

from referee.chances import Chance, odds
from referee.games.switch_16 import Switch16Phase as Phase
from referee.games.switch_16 import Switch16State
from referee.games.switch_16.odds import Outlook, chances, lets_go, makes
from referee.games.switch_16.state import chain, dice_for, sums

KNOWN = (
    *(0.421, 0.481, 0.537, 0.606, 0.671, 0.750),
    *(0.765, 0.782, 0.732, 0.718, 0.623),
    *(0.899, 0.792, 0.734, 0.641, 0.558),
)
"""The chance that a roll makes the top card, from 1 to 16, with three, four and five dice."""


@pytest.mark.parametrize(("top", "known"), list(enumerate(KNOWN, start=1)))
def test_the_chances_of_the_top_card_are_the_known_ones(top: int, known: float) -> None:
    assert round(float(makes(dice_for("from-7", top), top)), 3) == known


def test_chances_counted_by_hand() -> None:
    assert makes(3, 1) == 1 - Fraction(5, 6) ** 3
    assert makes(2, 12) == Fraction(1, 36)
    assert makes(5, 31) == 0
    assert lets_go(1, 1) == {0: Fraction(5, 6), 1: Fraction(1, 6)}
    assert lets_go(2, 1)[3] == Fraction(2, 36), "a 1 and a 2 let 1, 2 and 3 go"
    assert lets_go(2, 1)[2] == Fraction(1, 36), "two times 1"


@pytest.mark.parametrize(("dice", "top"), [(3, 2), (4, 8), (5, 14)])
def test_the_cards_let_go_are_those_of_every_roll(dice: int, top: int) -> None:
    assert sum(lets_go(dice, top).values()) == 1
    total = 0
    for pips in product(range(1, 7), repeat=dice):
        card = top
        while card <= 16 and card in sums(tuple(sorted(pips))):
            card += 1
        total += card - top
    assert sum(cards * chance for cards, chance in lets_go(dice, top).items()) == Fraction(total, 6**dice)


def test_with_the_16_on_top_a_risk_is_reckoned_by_hand() -> None:
    """A red switch gives a deck with nothing discarded; otherwise 16 cards or back to 8, with 7."""
    outlook = Outlook.of(started(16, 1))
    make = makes(5, 16)
    assert outlook.risk(16) == Fraction(5, 6) * (16 * make + 7 * (1 - make))
    assert outlook.best[16] == 15, "so no risk is taken"
    assert outlook.first() == Fraction(5, 6) * (16 * make + 15 * (1 - make))


def test_a_plan_is_found_backwards_from_the_16() -> None:
    outlook = Outlook.of(started(2, 2))
    let = lets_go(5, 15)
    best_16 = max(Fraction(15), Fraction(1, 6) * 1 + Fraction(5, 6) * (16 * makes(5, 16) + 7 * (1 - makes(5, 16))))
    fifteen = Fraction(5, 6) * (let[0] * 7 + let[1] * best_16 + let[2] * 16) + Fraction(1, 6)
    assert outlook.risk(15) == fifteen
    assert outlook.best[15] == max(fifteen, Fraction(14))


def test_a_risk_with_1_discarded_is_worth_taking() -> None:
    outlook = Outlook.of(started(1, 1))
    assert outlook.best[2] > 1
    assert outlook.best[17] == 16


def test_nobody_lower_makes_red_harmless() -> None:
    low, high = Outlook.of(started(5, 1)), Outlook.of(started(5, 9))
    assert high.risk(5) - low.risk(5) > Fraction(4, 6) * Fraction(9, 10)
    assert Outlook.of(started(5, 9, 1)).risk(5) == low.risk(5)


def test_a_blocked_deck_waits_for_a_block() -> None:
    state, free = started(16, 16, blocked=1), started(16, 16)
    make = makes(5, 16)
    assert Outlook.of(free).first() == 15 + Fraction(5, 6) * make
    assert Outlook.of(state).first() == 15 + Fraction(1, 3) * make
    risk = Outlook.of(state).risk(16, blocked=True)
    fails = Fraction(1, 2) * (1 - make) * 8  # no card goes back with Block, nor with a red switch
    assert risk == 15 + Fraction(1, 3) * make - fails


def test_the_readings_of_the_options_are_reckoned_with() -> None:
    milestone = Outlook.of(started(16, 1, milestone="9")).risk(16) - Outlook.of(started(16, 1)).risk(16)
    assert milestone == Fraction(5, 6) * (1 - makes(5, 16))
    freely, owed = Outlook.of(started(1, 1)), Outlook.of(started(1, 1, discards="all"))
    assert owed.after(1, 7) == owed.best[8]
    assert freely.after(1, 7) == max(freely.best[top] for top in range(2, 9))
    freely, owed = Outlook.of(started(11, 16)), Outlook.of(started(11, 16, discards="all"))
    assert freely.after(11, 2) == freely.best[12] > freely.best[13], "five dice make a 12 more often than a 13"
    assert owed.after(11, 2) == owed.best[13]
    assert chances(started(5, 5, dice_per_card="from-5"))[0].value == float(makes(4, 5))


def _ruled(state: Switch16State, outlook: Outlook, dice: int) -> Fraction:
    """What a roll is worth, by the referee's own ruling on every outcome of it."""
    faces = {"green": Fraction(1, 6), "red": Fraction(1, 6), "block": Fraction(1, 3), "blank": Fraction(1, 3)}
    total = Fraction(0)
    for face, chance in faces.items():
        for pips in product("123456", repeat=dice):
            after = done(state, f"1 roll {' '.join(pips)} {face}")
            after = done(after, "1 decline") if face == "green" else after
            total += chance * _best_of(after, outlook)
    return total / 6**dice


def _best_of(state: Switch16State, outlook: Outlook) -> Fraction:
    if state.phase != Phase.DISCARD:
        return Fraction(state.top(1) - 1)
    return max(outlook.best[state.deck.top + count] for count in range(1, chain(state.deck.top, state.rolled) + 1))


@pytest.mark.parametrize(("tops", "blocked"), [((3, 5), 0), ((5, 3), 0), ((5, 3), 1), ((1, 4), 0)])
def test_a_first_roll_is_worth_what_its_rulings_come_to(tops: tuple[int, int], blocked: int) -> None:
    state = started(*tops, blocked=blocked)
    outlook = Outlook.of(state)
    assert outlook.first() == _ruled(state, outlook, 3)


@pytest.mark.parametrize(("blocked", "own_block"), [(False, "stay"), (True, "stay"), (True, "go-back")])
def test_a_risk_is_worth_what_its_rulings_come_to(blocked: bool, own_block: str) -> None:
    state = done(started(4, 3, holder=2, own_block=own_block), "1 roll 4 6 6 blank", "1 discard 4")
    state = done(state, "2 disk =1") if blocked else state
    outlook = Outlook.of(state)
    assert outlook.risk(5, blocked) == _ruled(state, outlook, 3)


# What the table is shown


def shown(state: Switch16State) -> list[tuple[str, str]]:
    return [(chance.what, chance.unit) for chance in chances(state)]


def advised(state: Switch16State) -> list[str]:
    return [chance.what for chance in chances(state) if chance.advised]


def test_before_a_roll() -> None:
    assert shown(started(12, 3)) == [
        ("The dice make card 12", "chance"),
        ("A red switch takes the deck for one with 3 on top", "chance"),
        ("Cards discarded after the turn, on average", "cards"),
    ]
    make, red, cards = chances(started(12, 3))
    assert round(make.value, 3) == 0.899
    assert red.value == pytest.approx(1 / 6)
    assert cards.value == float(Outlook.of(started(12, 3)).first())
    assert len(chances(started(3, 3))) == 2
    assert advised(started(12, 3)) == []


def test_whether_to_take_the_risk() -> None:
    state = done(started(7, 16), "1 roll 1 6 6 6 blank", "1 discard 7")
    make = float(makes(4, 8))
    outlook = Outlook.of(state)
    assert chances(state) == (
        Chance("The risk lets a card go", pytest.approx(5 / 6 * make), "chance"),
        Chance("The risk brings the cards back to 1", pytest.approx(5 / 6 * (1 - make)), "chance"),
        Chance("Cards discarded if the turn ends now", 7.0, "cards", outlook.risk(8) <= 7),
        Chance("Cards discarded if the risk is taken now", float(outlook.risk(8)), "cards", outlook.risk(8) > 7),
    )


def test_the_better_decision_is_advised() -> None:
    last = done(started(15, 16), "1 roll 3 6 6 6 6 blank", "1 discard 15")
    assert advised(last) == ["Cards discarded if the turn ends now"]
    begun = done(started(1, 16), "1 roll 1 3 5 blank", "1 discard 1")
    assert advised(begun) == ["Cards discarded if the risk is taken now"]
    cards = done(started(1, 16), "1 roll 1 2 4 blank")
    assert advised(cards) == ["Cards discarded if discarding goes on"]
    assert [what for what, _ in shown(cards)] == [
        "Cards discarded if discarding goes on",
        "Cards discarded if the turn ends now",
    ]
    owed = done(started(1, 16, discards="all"), "1 roll 1 2 4 blank")
    assert shown(owed) == [("Cards discarded if discarding goes on", "cards")]


@pytest.mark.parametrize(("own_block", "faces"), [("stay", 3), ("go-back", 5)])
def test_a_blocked_risk(own_block: str, faces: int) -> None:
    """Cards go back by five faces of the Switch die, or, where Block brings none back, by three."""
    state = done(started(1, 5, holder=2, own_block=own_block), "1 roll 1 3 5 blank", "1 discard 1", "2 disk =1")
    go, back, end, risk = chances(state)
    make = float(makes(3, 2))
    assert (go.value, back.value) == (pytest.approx(make / 3), pytest.approx(faces / 6 * (1 - make)))
    assert (end.value, risk.value) == (1.0, float(Outlook.of(state).risk(2, blocked=True)))


def test_whether_to_switch() -> None:
    state = done(started(7, 12, 5), "1 roll 1 2 4 6 green")
    keeps, bob, cy = chances(state)
    assert keeps.value == float(Outlook.of(state).after(7, 7))
    assert (bob.what, bob.value, bob.unit) == ("Cards discarded if the deck is Bob's", 11.0, "cards")
    assert (cy.what, cy.value) == ("Cards discarded if the deck is Cy's", 4.0)
    assert advised(done(started(7, 16), "1 roll 1 1 1 1 green")) == ["Cards discarded if the deck is Bob's"]
    missed = chances(done(started(7, 3), "1 roll 1 1 1 1 green"))
    assert (missed[0].value, missed[0].advised) == (6.0, True)


def test_equal_decks_are_not_advised() -> None:
    state = done(started(7, 12, 12), "1 roll 1 1 1 1 green")
    assert [chance.value for chance in chances(state)] == [6.0, 11.0, 11.0]
    assert advised(state) == []


def test_a_green_switch_saves_from_a_failed_risk() -> None:
    state = done(started(7, 3), "1 roll 1 6 6 6 blank", "1 discard 7", "1 roll 1 1 1 1 green")
    assert [chance.value for chance in chances(state)] == [0.0, 2.0]
    assert advised(state) == ["Cards discarded if the deck is Bob's"]
    blocked = done(started(7, 3, blocked=1), "1 roll 1 6 6 6 green")
    assert chances(blocked)[0].value == 6.0


def test_whether_to_refuse() -> None:
    state = done(started(7, 12, holder=2), "1 roll 1 1 1 1 green", "1 switch =2")
    assert chances(state) == (
        Chance("Cards discarded if the deck is Bob's", 11.0, "cards", advised=True),
        Chance("Cards discarded if the deck is Ann's", 6.0, "cards"),
    )


def test_nothing_is_said_where_chance_has_no_say() -> None:
    assert chances(new_game()) == ()
    assert chances(done(started(1, 5, blocked=2), "1 roll 1 2 4 block")) == ()
    assert chances(done(started(16, 9), "1 roll 6 6 4 1 1 blank", "1 discard 16")) == ()


def test_the_odds_are_found_by_the_games_name() -> None:
    state = started(12, 3)
    assert odds(state) == chances(state)
