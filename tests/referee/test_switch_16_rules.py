"""Switch 16: every rule and every option by itself, each with the words in which the referee says it."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from switch_16_table import DICE, do, done, new_game, offers, refused, said, started

from referee.actions import Action, DiePosition
from referee.board import Card, Token, Track
from referee.dice import Die, Zone
from referee.game import BadStart, begin
from referee.games.switch_16 import GAME, Switch16State
from referee.games.switch_16 import Switch16Phase as Phase
from referee.games.switch_16.state import Deck, chain, dice_for, falls_to, sums
from referee.judge import judge

# S.1


@pytest.mark.parametrize(
    ("edition", "dice"),
    [("from-7", [3] * 6 + [4] * 5 + [5] * 5), ("from-5", [3] * 4 + [4] * 4 + [5] * 8)],
)
def test_a_card_pictures_its_dice(edition: str, dice: list[int]) -> None:
    assert [dice_for(edition, top) for top in range(1, 17)] == dice
    for top, count in enumerate(dice, start=1):
        state = started(top, 1, dice_per_card=edition)
        assert state.dice_awaited == (*[Die("d6")] * count, Die("switch"))
        assert [offer.dice for offer in GAME.legal(state)] == [state.dice_awaited]


def test_two_to_four_play() -> None:
    assert GAME.seats == (2, 4)
    with pytest.raises(BadStart):
        begin(GAME, ["Ann"], DICE)


# S.2-1


def test_the_highest_lot_starts() -> None:
    state = new_game(3)
    assert state.decks == (Deck(1), Deck(2), Deck(3))
    assert (state.phase, state.to_act, state.dice_awaited, state.scores) == (
        Phase.LOTS,
        (1,),
        (Die("d6"),),
        (0, 0, 0),
    )
    assert said(state, "1 lot 2") == [("Ann throws a 2 for the first turn.", "S.2-1")]
    assert done(state, "1 lot 2").to_act == (2,)
    assert said(state, "1 lot 2", "2 lot 5", "3 lot 4")[1:] == [("Bob starts.", "S.2-1")]
    begun = done(state, "1 lot 2", "2 lot 5", "3 lot 4")
    assert (begun.phase, begun.seat, begun.to_act, begun.contenders, begun.lots) == (Phase.START, 2, (2,), (), ())
    assert offers(begun) == ["2 roll"]


def test_level_lots_are_thrown_again_by_the_level_ones_alone() -> None:
    state = new_game(3)
    lots = ("1 lot 5", "2 lot 1", "3 lot 5")
    assert said(state, *lots)[1:] == [("Ann and Cy are tied and throw again.", "AMB-S-16")]
    level = done(state, *lots)
    assert (level.contenders, level.lots, level.to_act) == ((1, 3), (), (1,))
    assert done(level, "1 lot 2", "3 lot 3").seat == 3


def test_turns_go_to_the_left() -> None:
    for seat, after in ((1, 2), (2, 3), (3, 1)):
        assert done(started(1, 1, 1, seat=seat), f"{seat} roll 2 3 3 blank").seat == after


# S.2-2


def test_a_roll_takes_the_dice_of_the_top_card_and_the_switch_die() -> None:
    sentence, rule = refused(started(7, 1), "1 roll 1 2 3 blank")
    assert sentence == "With 7 on top Ann rolls 4 dice and the Switch die."
    assert rule == "S.2-2"
    assert refused(started(7, 1), "1 roll 1 2 3 4")[1] == "S.2-2"
    words = said(started(7, 1), "1 roll 6 2 3 1 blank")
    assert words == [("Ann rolls 1, 2, 3 and 6 with a blank.", "S.2-2")]


def test_the_deck_now_controlled_says_how_many_dice() -> None:
    state = done(started(1, 12), "1 roll 2 3 3 green", "1 switch =2")
    assert state.dice_awaited.count(Die("d6")) == 3
    assert done(state, "2 roll 2 3 3 blank").dice_awaited.count(Die("d6")) == 5


# S.2-3, S.2-4


def test_the_switch_die_comes_first() -> None:
    state = done(started(1, 5, 1), "1 roll 1 2 3 green")
    assert (state.phase, state.dice_awaited, state.to_act) == (Phase.GREEN, (), (1,))
    assert refused(state, "1 discard 1") == (
        "First the green switch: switch decks with somebody, or keep yours.",
        "S.2-3",
    )
    assert refused(state, "1 end")[1] == "S.2-3"
    assert refused(state, "1 roll 1 2 3 blank")[1] == "S.2-3"


def test_a_green_switch_is_done_with_anybody_and_ends_the_turn() -> None:
    state = done(started(2, 5, 9), "1 roll 1 2 3 green")
    assert offers(state) == ["1 switch =2", "1 switch =3", "1 decline"]
    words = said(started(2, 5, 9), "1 roll 1 2 3 green")
    assert words == [
        ("Ann rolls 1, 2 and 3 with the green switch.", "S.2-2"),
        ("Ann may switch decks with another player. That ends the turn.", "S.2-4"),
    ]
    after = done(state, "1 switch =3")
    assert after.decks == (Deck(3, 9, True), Deck(2, 5), Deck(1, 2))
    assert (after.seat, after.phase, after.scores) == (2, Phase.START, (8, 4, 1))
    assert said(state, "1 switch =3") == [
        ("Ann and Cy switch decks. Ann now has 9 on top, Cy has 2. The turn is over.", "S.2-4")
    ]


def test_a_green_switch_let_be_lets_the_dice_count() -> None:
    state = done(started(2, 5), "1 roll 1 2 3 green")
    assert said(state, "1 decline") == [("Ann keeps the deck, and the dice count.", "S.2-4")]
    assert offers(done(state, "1 decline")) == ["1 discard =card-2", "1 end"]
    missed = done(started(2, 5), "1 roll 3 3 3 green")
    assert [rule for _, rule in said(missed, "1 decline")] == ["S.2-4", "S.2-13"]


def test_a_switch_names_another_player() -> None:
    state = done(started(2, 5, 9), "1 roll 1 2 3 green")
    for choice in ("=1", "=4", "", "=2/1"):
        sentence, rule = refused(state, f"1 switch {choice}".strip())
        assert (sentence, rule) == ("Choose whose deck you take: Bob or Cy.", "S.2-4")
    assert refused(done(started(1, 1), "1 roll 1 2 3 blank"), "1 switch =2") == (
        "You can switch decks only after a green or a red switch.",
        "S.2-4",
    )
    settled = ("The green switch is over for this roll. Now the dice count.", "S.2-4")
    assert refused(done(state, "1 decline"), "1 switch =2") == settled
    assert refused(started(1, 1), "1 decline") == ("There is no green switch to say no to.", "S.2-4")


# S.2-5 and AMB-S-7


def test_the_holder_of_the_disk_may_refuse_a_green_switch() -> None:
    state = started(2, 5, 9, holder=2)
    asked = done(state, "1 roll 1 2 3 green", "1 switch =2")
    assert (asked.phase, asked.to_act, asked.dice_awaited) == (Phase.ASKED, (2,), ())
    assert offers(asked) == ["2 refuse", "2 agree", "2 disk =3", "2 disk =1"]
    assert said(state, "1 roll 1 2 3 green", "1 switch =2") == [
        ("Ann wants Bob's deck. Bob holds the disk and may say no.", "S.2-5")
    ]
    assert said(asked, "2 refuse") == [("Bob refuses the switch, and keeps the disk in hand.", "S.2-5")]
    no = done(asked, "2 refuse")
    assert (no.phase, no.holder, no.refused, no.seat) == (Phase.GREEN, 2, 2, 1)
    assert offers(no) == ["1 switch =3", "1 decline", "2 disk =3", "2 disk =1"]
    assert refused(no, "1 switch =2") == ("Bob refused this switch: choose another player.", "AMB-S-7")
    assert refused(no, "1 switch =1") == ("Choose whose deck you take: Cy.", "S.2-4")
    assert done(no, "1 switch =3").decks[0] == Deck(3, 9, True)
    assert done(no, "1 decline").refused == 2
    assert done(no, "1 switch =3").refused == 0


def test_a_refusal_lasts_for_one_roll() -> None:
    state = started(2, 5, 9, holder=2)
    again = done(
        state, "1 roll 1 2 3 green", "1 switch =2", "2 refuse", "1 decline", "1 discard 2", "1 roll 1 2 3 green"
    )
    assert again.refused == 0
    assert "1 switch =2" in offers(again)


def test_the_holder_may_agree_all_the_same() -> None:
    state = done(started(2, 5, holder=2), "1 roll 1 2 3 green", "1 switch =2")
    after = done(state, "2 agree")
    assert (after.decks, after.holder, after.seat) == ((Deck(2, 5), Deck(1, 2)), 2, 2)
    assert [rule for _, rule in said(state, "2 agree")] == ["S.2-4"]


def test_with_nobody_else_to_name_the_dice_count_at_once() -> None:
    state = done(started(2, 5, holder=2), "1 roll 1 2 3 green", "1 switch =2")
    assert said(state, "2 refuse")[1:] == [
        ("There is nobody else to switch with, so the dice count.", "AMB-S-7"),
    ]
    assert offers(done(state, "2 refuse")) == ["1 discard =card-2", "1 end", "2 disk =1"]


def test_the_turn_stays_the_players_while_the_disk_may_interrupt_it() -> None:
    state = started(2, 5, 9, holder=2)
    assert (state.to_act, state.on_turn) == ((1, 2), 1)
    assert done(state, "1 roll 1 2 3 green", "1 switch =2").on_turn == 2


def test_only_one_who_has_the_disk_in_hand_is_asked() -> None:
    for state in (started(2, 5, 9, holder=3), started(2, 5, 9, blocked=2), started(2, 5, 9, holder=1)):
        assert done(state, "1 roll 1 2 3 green", "1 switch =2").decks[0].top == 5
    assert refused(started(2, 5, holder=2), "1 refuse") == (
        "Nobody is asking to switch decks right now.",
        "S.2-5",
    )
    assert refused(started(2, 5), "1 agree")[1] == "S.2-5"


def test_one_who_is_asked_answers_first() -> None:
    asked = done(started(2, 5, holder=2), "1 roll 1 2 3 green", "1 switch =2")
    assert refused(asked, "2 end") == ("First Bob says yes or no to Ann's switch.", "S.2-5")
    assert refused(asked, "2 refuse =1") == ("There is nothing to choose for 'refuse'.", "S.2-5")
    answers = ("Bob holds the disk and says yes or no first.", "S.2-5")
    assert refused(asked, "1 decline") == answers


def test_one_who_puts_the_disk_down_instead_can_no_longer_refuse() -> None:
    asked = done(started(2, 5, 9, holder=2), "1 roll 1 2 3 green", "1 switch =2")
    after = done(asked, "2 disk =3")
    assert after.decks == (Deck(2, 5), Deck(1, 2), Deck(3, 9, True, True))
    assert (after.holder, after.seat, after.phase) == (0, 2, Phase.START)
    assert [rule for _, rule in said(asked, "2 disk =3")] == ["S.2-9", "S.2-4"]
    assert done(asked, "2 disk =1").decks[1] == Deck(1, 2, False, True)


# S.2-6, S.2-7


def test_a_red_switch_is_done_with_the_lowest_card() -> None:
    state = started(8, 9, 3, 5)
    after = done(state, "1 roll 2 6 1 1 red")
    assert [deck.top for deck in after.decks] == [3, 9, 8, 5]
    assert (after.seat, after.phase) == (2, Phase.START)
    assert said(state, "1 roll 2 6 1 1 red") == [
        ("Ann rolls 1, 1, 2 and 6 with the red switch.", "S.2-2"),
        ("Ann and Cy switch decks. Ann now has 3 on top, Cy has 8. The turn is over.", "S.2-6"),
    ]


def test_a_red_switch_with_several_lowest_is_chosen() -> None:
    state = done(started(8, 3, 5, 3), "1 roll 2 6 1 1 red")
    assert (state.phase, offers(state)) == (Phase.RED, ["1 switch =2", "1 switch =4"])
    assert said(started(8, 3, 5, 3), "1 roll 2 6 1 1 red")[1:] == [
        ("Bob and Dee have the lowest card on top: Ann chooses whose deck to take.", "S.2-6")
    ]
    assert refused(state, "1 switch =3") == (
        "A red switch is with whoever has the lowest card on top: Bob or Dee.",
        "S.2-6",
    )
    assert refused(state, "1 decline") == ("A red switch is a must: you cannot keep your deck.", "S.2-6")
    assert refused(state, "1 end") == ("First do the red switch: choose whose deck you take.", "S.2-6")
    assert [deck.top for deck in done(state, "1 switch =4").decks] == [3, 3, 5, 8]
    assert [rule for _, rule in said(state, "1 switch =4")] == ["S.2-6"]


@pytest.mark.parametrize("tops", [(3, 5, 4), (3, 3, 4)])
def test_with_nobody_lower_a_red_switch_only_ends_the_turn(tops: tuple[int, ...]) -> None:
    after = done(started(*tops), "1 roll 1 2 3 red")
    assert (tuple(deck.top for deck in after.decks), after.seat) == (tops, 2)
    assert said(started(*tops), "1 roll 1 2 3 red")[1:] == [
        ("Nobody has a lower card on top. Ann keeps the deck. The turn is over.", "S.2-6")
    ]


def test_the_disk_is_no_help_against_red() -> None:
    for holder in (1, 2):
        after = done(started(8, 3, holder=holder), "1 roll 2 6 1 1 red")
        assert ([deck.top for deck in after.decks], after.holder) == ([3, 8], holder)


def test_a_red_choice_is_not_refused_by_the_holder() -> None:
    after = done(started(8, 3, 3, holder=2), "1 roll 2 6 1 1 red", "1 switch =2")
    assert [deck.top for deck in after.decks] == [3, 8, 3]


# S.2-8


@pytest.mark.parametrize(
    ("disk", "whence"),
    [
        ({}, "from next to the tray"),
        ({"holder": 2}, "from Bob"),
        ({"blocked": 1}, "off Ann's own deck"),
    ],
)
def test_block_takes_the_disk_at_once(disk: dict[str, int], whence: str) -> None:
    state = started(1, 5, **disk)
    after = done(state, "1 roll 1 2 3 block")
    assert (after.holder, after.phase) == (1, Phase.DISCARD)
    assert not any(deck.blocked for deck in after.decks)
    assert said(state, "1 roll 1 2 3 block")[1:] == [(f"Ann takes the disk {whence}.", "S.2-8")]


def test_block_with_the_disk_in_hand_changes_nothing() -> None:
    state = started(1, 5, holder=1)
    assert said(state, "1 roll 1 2 3 block")[1:] == [("Ann has the disk in hand already.", "S.2-8")]
    assert done(state, "1 roll 1 2 3 block").holder == 1


def test_the_disk_on_another_deck_is_taken_or_left() -> None:
    state = done(started(1, 5, 2, blocked=3), "1 roll 1 2 3 block")
    assert (state.phase, offers(state)) == (Phase.BLOCK, ["1 take", "1 leave"])
    assert said(started(1, 5, 2, blocked=3), "1 roll 1 2 3 block")[1:] == [
        ("The disk lies on Cy's deck: Ann takes it or leaves it there.", "S.2-8")
    ]
    assert refused(state, "1 discard 1") == ("First comes Block: take the disk, or leave it there.", "S.2-3")
    assert said(state, "1 take") == [("Ann takes the disk off Cy's deck.", "S.2-8")]
    taken = done(state, "1 take")
    assert (taken.holder, taken.decks[2].blocked, taken.phase) == (1, False, Phase.DISCARD)
    assert said(state, "1 leave") == [("Ann leaves the disk on Cy's deck.", "S.2-8")]
    left = done(state, "1 leave")
    assert (left.holder, left.decks[2].blocked, left.phase) == (0, True, Phase.DISCARD)


def test_the_disk_is_taken_or_left_after_block_only() -> None:
    for verb in ("take", "leave"):
        assert refused(started(1, 5, blocked=2), f"1 {verb}") == (
            "That works only after Block. The disk must lie on another player's deck.",
            "S.2-8",
        )


def test_after_block_the_dice_count() -> None:
    assert done(started(1, 5), "1 roll 2 2 3 block").seat == 2
    assert done(started(1, 5, blocked=1), "1 roll 2 2 3 block").holder == 1


# S.2-9 and AMB-S-8 to 10


def test_the_disk_is_put_down_before_another_rolls() -> None:
    state = started(1, 5, 2, holder=2)
    assert state.to_act == (1, 2)
    assert offers(state) == ["1 roll", "2 disk =3", "2 disk =1"]
    assert said(state, "2 disk =1") == [("Bob puts the disk on Ann's deck, which is blocked now.", "S.2-9")]
    after = done(state, "2 disk =1")
    assert (after.holder, after.decks[0].blocked, after.seat, after.to_act) == (0, True, 1, (1,))


def test_the_disk_is_put_down_between_two_discards() -> None:
    state = done(started(1, 5, holder=2), "1 roll 1 2 4 blank", "1 discard 1", "1 discard 2")
    after = done(state, "2 disk =1")
    assert offers(after) == ["1 end", "1 roll"]
    assert refused(after, "1 discard 3") == (
        "The disk lies on Ann's deck. No card can go until somebody rolls Block.",
        "S.2-10",
    )


def test_the_disk_is_put_down_in_the_own_turn_and_just_taken() -> None:
    state = done(started(1, 5), "1 roll 1 2 3 block")
    assert offers(state) == ["1 discard =card-1", "1 end", "1 disk =2"]
    assert done(state, "1 disk =2").decks[1].blocked
    assert offers(done(state, "1 disk =2")) == ["1 discard =card-1", "1 end"]


def test_the_disk_is_put_down_while_a_green_switch_is_thought_over() -> None:
    state = done(started(1, 5, 2, holder=3), "1 roll 1 2 3 green", "3 disk =1")
    assert state.phase == Phase.GREEN
    assert done(state, "1 switch =2").decks[1] == Deck(1, 1, False, True)


def test_the_disk_goes_on_another_players_deck_from_the_hand() -> None:
    state = started(1, 5, holder=2)
    own = "Put the disk on another player's deck, not on your own."
    assert refused(state, "2 disk =2") == (own, "AMB-S-10")
    hand = "Only the player who holds the disk in hand may put it down."
    assert refused(state, "1 disk =2") == (hand, "S.2-9")
    assert refused(started(1, 5, blocked=2), "1 disk =2") == (hand, "S.2-9")
    say = "Choose whose deck gets the disk."
    assert refused(state, "2 disk") == (say, "S.2-9")
    assert refused(state, "2 disk =7") == (say, "S.2-9")
    assert refused(state, "2 disk 1 =1") == (say, "S.2-9")


def test_the_holder_does_nothing_else_in_anothers_turn() -> None:
    assert refused(started(1, 5, holder=2), "2 roll 1 2 3 blank") == (
        "It is Ann's turn; Bob may only put the disk down.",
        "S.2-9",
    )


# S.2-10 and AMB-S-4


def test_a_blocked_player_rolls_and_discards_nothing() -> None:
    state = started(1, 5, blocked=1)
    assert said(state, "1 roll 1 2 3 blank")[1:] == [
        ("Ann's deck is blocked: no card can go. The turn is over.", "S.2-10")
    ]
    after = done(state, "1 roll 1 2 3 blank")
    assert (after.seat, after.decks[0]) == (2, Deck(1, 1, False, True))


def test_block_frees_the_own_deck_and_the_dice_count() -> None:
    state = done(started(1, 5, blocked=1), "1 roll 1 2 3 block")
    assert offers(state) == ["1 discard =card-1", "1 end", "1 disk =2"]


def test_a_turn_blocked_before_its_first_card_is_over() -> None:
    state = done(started(1, 5, holder=2), "1 roll 1 2 4 blank")
    after = done(state, "2 disk =1")
    assert (after.seat, after.phase, after.rolled) == (2, Phase.START, ())
    assert [rule for _, rule in said(state, "2 disk =1")] == ["S.2-9", "S.2-10"]


def test_the_disk_on_a_third_deck_stops_nobody_now() -> None:
    state = done(started(1, 5, 2, holder=2), "1 roll 1 2 4 blank", "2 disk =3")
    assert offers(state) == ["1 discard =card-1", "1 end"]


def test_a_blocked_risk_falls_only_where_the_dice_fail() -> None:
    state = done(started(1, 5, holder=2), "1 roll 1 2 4 blank", "1 discard 1", "1 discard 2", "2 disk =1")
    made = done(state, "1 roll 1 2 6 blank")
    assert (made.decks[0], made.seat) == (Deck(1, 3, False, True), 2)
    assert [rule for _, rule in said(state, "1 roll 1 2 6 blank")] == ["S.2-2", "S.2-10"]
    failed = done(state, "1 roll 1 1 6 blank")
    assert (failed.decks[0], failed.seat) == (Deck(1, 1, False, True), 2)
    freed = done(state, "1 roll 1 2 6 block")
    assert offers(freed) == ["1 discard =card-3", "1 end", "1 disk =2"]


# S.2-11


@pytest.mark.parametrize("blocked", [1, 2])
def test_the_disk_goes_with_its_deck(blocked: int) -> None:
    state = started(8, 5, blocked=blocked)
    rolled = done(state, "1 roll 1 2 3 3 green")
    after = done(rolled, "1 switch =2")
    assert [deck.blocked for deck in after.decks] == [blocked == 2, blocked == 1]
    assert said(rolled, "1 switch =2")[1:] == [("The disk stays where it is. That deck stays blocked.", "S.2-11")]
    assert [deck.top for deck in done(state, "1 roll 1 2 3 3 red").decks] == [5, 8]


def test_the_disk_on_a_third_deck_stays_there_in_a_switch() -> None:
    state = done(started(8, 5, 3, blocked=3), "1 roll 1 2 3 3 green")
    assert len(said(state, "1 switch =2")) == 1


# S.2-12


def test_the_rulebooks_second_example() -> None:
    """1, 2 and 4 let all cards from 1 to 7 go."""
    state = done(started(1, 1), "1 roll 1 2 4 blank")
    words = ["1", "2", "1 + 2", "4", "1 + 4", "2 + 4", "1 + 2 + 4"]
    for card, sum_of in enumerate(words, start=1):
        assert said(state, f"1 discard {card}") == [(f"Ann discards card {card}: {sum_of}.", "S.2-12")]
        state = done(state, f"1 discard {card}")
        assert (state.scores, state.turn_cards, state.roll_cards) == ((card, 0), card, card)
        assert GAME.turn_points(state) == card
    assert offers(state) == ["1 end", "1 roll"]
    assert refused(state, "1 discard 8") == ("You cannot make 8 with 1, 2 and 4.", "S.2-12")


def test_the_rulebooks_first_example() -> None:
    """A 1 without a 2 or another 1 lets card 1 go alone."""
    state = done(started(1, 1), "1 roll 1 3 5 blank", "1 discard 1")
    assert offers(state) == ["1 end", "1 roll"]


def test_the_fewest_dice_are_named() -> None:
    assert said(started(6, 1), "1 roll 6 2 4 blank", "1 discard 6")[0][0] == "Ann discards card 6: 6."
    assert said(started(9, 1), "1 roll 6 2 1 3 blank", "1 discard 9")[0][0] == "Ann discards card 9: 3 + 6."


def test_cards_go_in_order_and_one_at_a_time() -> None:
    state = done(started(1, 1), "1 roll 1 2 4 blank")
    for text in ("1 discard 2", "1 discard", "1 discard 17"):
        assert refused(state, text) == ("Discard one card at a time, in order. Next is card 1.", "S.2-12")
    named = judge(GAME, state, Action.parse("1 discard d6:pip-1 =card-1"))
    assert named.refusal
    assert (named.refusal.sentence, named.refusal.rule) == ("Choose only the card, no dice.", "S.2-12")
    assert refused(started(1, 1), "1 discard 1") == ("Roll first, then discard cards.", "S.2-12")


def test_numbers_are_added_only() -> None:
    assert sums((2, 3)) == {2, 3, 5}
    assert sums((1, 2, 4)) == set(range(1, 8))
    assert sums((6,) * 5) == {6, 12, 18, 24, 30}


def test_a_chain_of_cards_stops_at_a_gap_and_at_the_16() -> None:
    assert chain(1, (1, 2, 4)) == 7
    assert chain(2, (1, 1, 5)) == 1
    assert chain(3, (1, 1, 6)) == 0
    assert chain(14, (1, 1, 2, 6, 6)) == 3
    assert chain(17, (6, 6, 6, 6, 6)) == 0


def test_more_cards_bring_more_dice_with_the_next_roll_only() -> None:
    state = done(started(5, 1), "1 roll 1 2 4 blank", "1 discard 5", "1 discard 6", "1 discard 7")
    assert state.rolled == (1, 2, 4)
    assert [len(offer.dice) for offer in GAME.legal(state)] == [0, 5]


# S.2-13, S.2-14


def test_a_first_roll_that_makes_nothing_ends_the_turn_and_costs_nothing() -> None:
    state = started(12, 3)
    assert said(state, "1 roll 1 1 1 1 1 blank")[1:] == [("The dice do not make 12: Ann's turn is over.", "S.2-13")]
    after = done(state, "1 roll 1 1 1 1 1 blank")
    assert (after.decks[0].top, after.seat, after.rolled, after.rolls) == (12, 2, (), 0)


def test_a_turn_is_ended_after_a_roll() -> None:
    state = done(started(1, 1), "1 roll 1 2 4 blank", "1 discard 1")
    assert said(state, "1 end") == [("Ann has discarded 1 card and ends the turn.", "S.2-14")]
    after = done(state, "1 end")
    assert (after.seat, after.phase, after.rolls, after.turn_cards, after.roll_cards, after.face) == (
        2,
        Phase.START,
        0,
        0,
        0,
        "",
    )
    assert refused(started(1, 1), "1 end") == ("Roll at least once in your turn.", "S.2-2")
    assert refused(state, "1 end =2") == ("There is nothing to choose for 'end'.", "S.2-14")


def test_a_risk_takes_a_discard_with_the_last_roll() -> None:
    state = done(started(1, 1), "1 roll 1 2 4 blank")
    why = ("Discard a card from this roll before you take a risk.", "S.2-14")
    assert refused(state, "1 roll 1 1 1 blank") == why
    again = done(state, "1 discard 1", "1 roll 2 2 2 blank")
    assert (again.rolls, again.roll_cards, again.turn_cards) == (2, 0, 1)
    assert refused(again, "1 roll 1 1 1 blank") == why
    assert "1 end" in offers(again)


# S.2-15 and AMB-S-1, 2


@pytest.mark.parametrize(
    ("top", "making", "failing", "back_to"),
    [
        (2, "1 3 5", "6 6 6", 1),
        (3, "2 4 6", "6 6 6", 1),
        (8, "1 6 6 6", "1 1 1 1", 1),
        (9, "2 6 6 6", "1 1 1 1", 8),
        (12, "5 6 6 6", "1 1 1 1 1", 8),
        (16, "3 6 6 6 6", "1 1 1 1 1", 8),
    ],
)
def test_a_failed_risk_returns_cards(top: int, making: str, failing: str, back_to: int) -> None:
    state = done(started(top - 1, 1), f"1 roll {making} blank", f"1 discard {top - 1}")
    after = done(state, f"1 roll {failing} blank")
    assert (after.decks[0].top, after.seat, after.phase) == (back_to, 2, Phase.START)
    assert said(state, f"1 roll {failing} blank")[1:] == [
        (f"The risk failed: the dice do not make {top}. Ann goes back to card {back_to}.", "S.2-15")
    ]


def test_the_milestone_itself_is_on_top_or_stays_discarded() -> None:
    state = started(12, 1)
    assert falls_to(state, state.deck) == 8
    other = started(12, 1, milestone="9")
    assert falls_to(other, other.deck) == 9
    assert falls_to(other, Deck(1, 8)) == 1


def test_a_deck_once_beyond_the_milestone_may_be_protected() -> None:
    beyond = Deck(1, 8, passed=True)
    assert falls_to(started(8, 1), beyond) == 1
    protecting = started(8, 1, milestone_again="protected")
    assert (falls_to(protecting, beyond), falls_to(protecting, Deck(1, 8)), falls_to(protecting, Deck(1, 12))) == (
        8,
        1,
        8,
    )


def test_discarding_the_8_passes_the_milestone() -> None:
    state = done(started(7, 1), "1 roll 1 2 4 6 blank", "1 discard 7")
    assert not state.deck.passed
    assert done(state, "1 discard 8").deck.passed
    assert done(state, "1 discard 8", "1 discard 9").deck.passed


# AMB-S-3


def test_a_switch_in_a_risk_costs_nothing() -> None:
    state = done(started(1, 5), "1 roll 1 3 5 blank", "1 discard 1")
    assert done(state, "1 roll 6 6 6 red").decks[0].top == 2
    asked = done(state, "1 roll 6 6 6 green")
    assert [deck.top for deck in done(asked, "1 switch =2").decks] == [5, 2]
    assert done(asked, "1 decline").decks[0].top == 1


# S.2-16


def test_the_16_wins_at_once() -> None:
    state = done(started(16, 9, holder=2), "1 roll 6 6 4 1 1 blank")
    assert said(state, "1 discard 16") == [
        ("Ann discards card 16: 4 + 6 + 6.", "S.2-12"),
        ("Ann has discarded the 16 and wins.", "S.2-16"),
    ]
    won = done(state, "1 discard 16")
    assert (won.phase, won.winner, won.to_act, won.scores) == (Phase.OVER, (1,), (), (16, 8))
    assert (won.seat, won.rolled, won.dice_awaited) == (1, (), ())
    assert (GAME.legal(won), GAME.lay(won), GAME.tell(won)) == ((), (), "Ann has won.")
    assert refused(won, "1 end") == ("The game is over.", "S.2-16")


def test_the_16_may_be_blocked() -> None:
    state = done(started(16, 9, holder=2), "1 roll 6 6 4 1 1 blank", "2 disk =1")
    assert (state.winner, state.seat) == ((), 2)


# S.2-17 and AMB-S-15


def test_in_the_game_to_100_a_round_is_written_down() -> None:
    state = started(9, 16, 1, seat=2, holder=1, scores=(10, 20, 30), variant="to-100")
    assert state.scores == (10, 20, 30)
    last = done(state, "2 roll 6 6 4 1 1 blank")
    assert said(last, "2 discard 16")[1:] == [
        ("The round is over. Points for it: Ann 8, Bob 16 and Cy 0.", "S.2-17"),
        ("The decks are dealt again, the disk lies next to the tray, Cy starts.", "AMB-S-15"),
    ]
    after = done(last, "2 discard 16")
    assert (after.scores, after.decks, after.holder) == ((18, 36, 30), (Deck(1), Deck(2), Deck(3)), 0)
    assert (after.seat, after.phase, after.rolled, after.winner) == (3, Phase.START, (), ())


def test_a_discard_scores_nothing_by_itself_in_the_game_to_100() -> None:
    state = done(started(1, 1, scores=(5, 6), variant="to-100"), "1 roll 1 2 4 blank", "1 discard 1")
    assert state.scores == (5, 6)


@pytest.mark.parametrize(
    ("scores", "winner", "words"),
    [
        ((84, 91), (1,), ("Ann wins with 100 points.", "S.2-17")),
        ((84, 92), (1, 2), ("Ann and Bob share the win with 100 points each.", "AMB-S-15")),
        ((84, 95), (2,), ("Bob wins with 103 points.", "S.2-17")),
        ((90, 91), (1,), ("Ann wins with 106 points.", "S.2-17")),
    ],
)
def test_100_points_win(scores: tuple[int, int], winner: tuple[int, ...], words: tuple[str, str]) -> None:
    state = started(16, 9, scores=scores, variant="to-100")
    last = done(state, "1 roll 6 6 4 1 1 blank")
    won = done(last, "1 discard 16")
    assert (won.winner, won.to_act, won.phase) == (winner, (), Phase.OVER)
    assert said(last, "1 discard 16")[-1] == words
    assert GAME.tell(won) == ("Ann and Bob have won." if len(winner) == 2 else f"{words[0].partition(' ')[0]} has won.")


def test_99_points_do_not_win() -> None:
    state = done(started(16, 8, scores=(83, 92), variant="to-100"), "1 roll 6 6 4 1 1 blank", "1 discard 16")
    assert (state.scores, state.winner) == ((99, 99), ())


# AMB-S-20


@pytest.mark.parametrize("verb", ["skip", "quit"])
def test_a_turn_that_is_skipped_or_left_leaves_no_discards(verb: str) -> None:
    state = started(8, 5, 5)
    turn = ("1 roll 3 5 1 1 blank", "1 discard 8", "1 discard 9", "1 roll 4 6 1 1 blank", "1 discard 10")
    calls = said(state, *turn, f"1 {verb}")
    assert calls[1:] == [("Ann's cards of this turn go back: 8 is on top.", "AMB-S-20")]
    after = done(state, *turn, f"1 {verb}")
    assert (after.decks, after.seat, after.rolled) == (state.decks, 2, ())


def test_a_disk_taken_in_a_turn_that_is_skipped_goes_back_to_where_it_was() -> None:
    back = ("The disk goes back to where it was before Ann took it.", "AMB-S-20")
    held = started(1, 5, 5, holder=3)
    assert said(held, "1 roll 1 3 3 block", "1 disk =2", "1 skip")[1:] == [back]
    assert (done(held, "1 roll 1 3 3 block", "1 disk =2", "1 skip").holder) == 3
    blocked = started(1, 5, blocked=2)
    assert done(blocked, "1 roll 1 3 3 block", "1 take", "1 skip").decks == blocked.decks
    own = done(started(1, 5, blocked=1), "1 roll 1 3 3 block", "1 discard 1", "1 skip")
    assert (own.top(1), own.decks[0].blocked, own.holder) == (1, True, 0)


def test_a_disk_that_another_player_put_down_in_a_skipped_turn_stays_down() -> None:
    after = done(started(1, 5, holder=2), "1 roll 1 3 3 blank", "1 discard 1", "2 disk =1", "1 skip")
    assert (after.top(1), after.decks[0].blocked, after.holder) == (1, True, 0)


def test_what_a_skipped_turn_brought_stays_where_the_table_plays_so() -> None:
    turn = ("1 roll 1 3 3 block", "1 discard 1", "1 skip")
    after = done(started(1, 5, holder=2, skipped_turn="stays"), *turn)
    assert (after.top(1), after.holder, after.seat) == (2, 1, 2)


# AMB-S-21


BLOCKED_IN_A_RISK = ("1 roll 3 3 3 blank", "1 discard 3", "2 disk =1", "1 roll 1 1 1 block")


def test_a_risk_in_which_block_frees_the_own_deck_brings_no_card_back() -> None:
    state = started(3, 5, holder=2)
    freed = ("The dice do not make 4. Ann has freed the deck, and no card goes back.", "AMB-S-21")
    assert said(state, *BLOCKED_IN_A_RISK)[1:] == [("Ann takes the disk off Ann's own deck.", "S.2-8"), freed]
    after = done(state, *BLOCKED_IN_A_RISK)
    assert (after.top(1), after.holder, after.seat) == (4, 1, 2)
    makes = done(state, *BLOCKED_IN_A_RISK[:3], "1 roll 1 1 3 block")
    assert (makes.phase, makes.seat) == (Phase.DISCARD, 1)


def test_a_risk_that_frees_the_own_deck_fails_where_the_table_plays_so() -> None:
    after = done(started(3, 5, holder=2, own_block="go-back"), *BLOCKED_IN_A_RISK)
    assert (after.top(1), after.holder, after.seat) == (1, 1, 2)


def test_a_risk_fails_all_the_same_when_block_takes_the_disk_from_elsewhere() -> None:
    assert done(started(3, 5), "1 roll 3 3 3 blank", "1 discard 3", "1 roll 1 1 1 block").top(1) == 1


# AMB-S-22


def test_the_disk_stays_in_hand_until_a_switch_is_answered_where_the_table_plays_so() -> None:
    asked = ("1 roll 1 2 4 green", "1 switch =2")
    assert done(started(1, 5, holder=2), *asked, "2 disk =1").decks[1].blocked
    state = done(started(1, 5, holder=2, disk_when_asked="answer-first"), *asked)
    first = ("Ann wants to switch. Say yes or no before you put the disk down.", "AMB-S-22")
    assert refused(state, "2 disk =1") == first
    assert done(state, "2 refuse", "2 disk =1").decks[0].blocked


# AMB-S-11


def test_all_that_can_be_discarded_has_to_be_as_some_play() -> None:
    state = done(started(1, 1, discards="all"), "1 roll 1 2 6 blank")
    assert offers(state) == ["1 discard =card-1"]
    one = done(state, "1 discard 1")
    assert offers(one) == ["1 discard =card-2"]
    why = ("First discard card 2. At this table every card that can go must go.", "AMB-S-11")
    assert refused(one, "1 end") == why
    assert refused(one, "1 roll 1 2 3 blank") == why
    assert offers(done(one, "1 discard 2", "1 discard 3")) == ["1 end", "1 roll"]


def test_a_blocked_player_owes_no_discard() -> None:
    state = done(started(1, 1, holder=2, discards="all"), "1 roll 1 2 6 blank", "1 discard 1", "2 disk =1")
    assert offers(state) == ["1 end", "1 roll"]


# What else is refused


def test_a_verb_that_the_game_does_not_have() -> None:
    sentence, rule = refused(started(1, 1), "1 sing")
    assert sentence.startswith("Switch 16 has no 'sing'; a player may lot, switch, decline,")
    assert sentence.endswith("roll or disk.")
    assert rule == "S.2-2"


def test_lots_are_for_the_first_turn() -> None:
    only = "First each player throws one ordinary die to see who starts."
    assert refused(new_game(), "1 roll 1 2 3 blank") == (only, "S.2-1")
    assert refused(new_game(), "1 lot 1 2") == (only, "S.2-1")
    assert refused(new_game(), "1 disk =2") == (only, "S.2-1")
    assert refused(started(1, 1), "1 lot 3") == ("Who starts is already decided.", "S.2-1")


def test_dice_that_a_verb_does_not_take() -> None:
    state = done(started(2, 5), "1 roll 1 2 3 green")
    assert refused(state, "1 decline 1") == ("There is nothing to choose for 'decline'.", "S.2-4")
    ruling = do(started(1, 1), "1 roll 1 2 3 4 5 5 blank")
    assert ruling.refusal
    assert ruling.refusal.rule == "S.1"


# Throws that no action explains


def _thrown(*kinds: str) -> tuple[DiePosition, ...]:
    return tuple(DiePosition(Die(kind), Zone.FIELD) for kind in kinds)


def test_faults_of_a_throw() -> None:
    state, midway = started(7, 1), done(started(1, 1), "1 roll 1 2 4 blank")
    cases = [
        (
            new_game(),
            _thrown("d6", "d6"),
            "To see who starts, throw one ordinary die, not 2 dice.",
            "S.2-1",
        ),
        (
            new_game(),
            _thrown("switch"),
            "To see who starts, throw one ordinary die, not the Switch die.",
            "S.2-1",
        ),
        (state, _thrown("d6", "d6", "d6", "d6"), "Roll the Switch die with the other dice every time.", "S.2-2"),
        (state, _thrown("switch"), "Never roll the Switch die alone.", "S.2-2"),
        (
            state,
            _thrown("d6", "d6", "d6", "switch"),
            "With 7 on top Ann rolls 4 dice and the Switch die, not 3.",
            "S.2-2",
        ),
        (
            midway,
            _thrown("d6", "switch"),
            "Nobody may roll 1 die and the Switch die now.",
            "S.2-2",
        ),
        (
            midway,
            _thrown("d6", "d6", "switch"),
            "Nobody may roll 2 dice and the Switch die now.",
            "S.2-2",
        ),
        (midway, (), "Leave the dice where they fell until the turn is over.", "S.2-12"),
    ]
    for where, thrown, sentence, rule in cases:
        found = GAME.fault(where, thrown, ())
        assert (found.sentence, found.rule) == (sentence, rule)


# The table and the tablet


def test_dice_lie_during_a_turn_only() -> None:
    assert GAME.lay(started(1, 1)) == ()
    state = done(started(1, 1), "1 roll 1 2 4 green")
    field = [DiePosition(Die("d6", f"pip-{number}"), Zone.FIELD) for number in (1, 2, 4)]
    switch = DiePosition(Die("switch", "green-switch"), Zone.FIELD)
    assert GAME.lay(state) == (*field, switch, DiePosition(Die("d6"), None), DiePosition(Die("d6"), None))
    assert GAME.lay(done(started(12, 1), "1 roll 6 6 1 1 1 blank"))[-1].die.kind == "switch"
    assert GAME.lay(done(state, "1 switch =2")) == ()


def test_a_roll_takes_any_dice() -> None:
    (roll,) = GAME.legal(started(1, 1))
    assert GAME.thrown(started(1, 1), roll) == _thrown("d6", "d6", "d6", "switch")
    assert GAME.thrown(started(1, 1), Action(1, "end")) == ()


def test_the_discard_waits_for_another_who_holds_the_disk() -> None:
    state = done(started(1, 1, holder=2), "1 roll 1 2 4 blank")
    assert GAME.pause(state, Action(1, "discard", choice="card-1")) == "Bob may put the disk on Ann's deck."
    assert GAME.pause(state, Action(1, "end")) == ""
    assert GAME.pause(done(started(1, 1, holder=1), "1 roll 1 2 4 blank"), Action(1, "discard", choice="card-1")) == ""
    assert GAME.pause(done(started(1, 1), "1 roll 1 2 4 blank"), Action(1, "discard", choice="card-1")) == ""


def _titles(state: Switch16State) -> list[str]:
    return [GAME.offer_title(state, offer) for offer in GAME.legal(state)]


def test_what_the_buttons_say() -> None:
    assert _titles(new_game()) == ["Throw one die for the first turn"]
    assert _titles(started(7, 1)) == ["Roll 4 dice and the Switch die"]
    green = done(started(1, 5, holder=2), "1 roll 1 2 4 green")
    assert _titles(green) == [
        "Switch decks with Bob",
        "Keep your deck",
        "Put the disk on Ann's deck",
    ]
    assert _titles(done(green, "1 switch =2")) == [
        "Keep your deck",
        "Switch decks with Ann",
        "Put the disk on Ann's deck",
    ]
    block = done(started(1, 5, blocked=2), "1 roll 1 2 4 block")
    assert _titles(block) == ["Take the disk off Bob's deck", "Leave the disk on Bob's deck"]
    counting = done(started(6, 5), "1 roll 1 2 4 blank", "1 discard 6")
    assert _titles(counting) == [
        "Discard card 7 (1 + 2 + 4)",
        "End the turn",
        "Take the risk with 4 dice and the Switch die",
    ]


def test_what_the_table_waits_for() -> None:
    assert GAME.tell(new_game()) == "Ann: throw one die for the first turn."
    assert GAME.tell(started(7, 1, holder=2)) == "Ann: roll 4 dice and the Switch die."
    asked = done(started(1, 5, holder=2), "1 roll 1 2 4 green", "1 switch =2")
    assert GAME.tell(asked) == "Bob: keep your deck or switch decks with Ann?"
    green = done(started(1, 5, 6), "1 roll 1 2 4 green")
    assert GAME.tell(green) == "Ann: choose whose deck you take or keep yours?"
    red = done(started(4, 2, 2), "1 roll 1 2 4 red")
    assert GAME.tell(red) == "Ann: choose whose deck you take."
    counting = done(started(6, 5), "1 roll 1 2 4 blank", "1 discard 6")
    assert GAME.tell(counting) == "Ann: discard card 7, end the turn or take the risk?"


def part(state: Switch16State, key: str, seat: int = 1) -> Any:
    """The part with this key of a player's board, or of the middle (seat 0)."""
    (found,) = (each for each in GAME.boards(state)[seat].parts if each.key == key)
    return found


def keys(state: Switch16State, seat: int = 1) -> list[str]:
    return [each.key for each in GAME.boards(state)[seat].parts]


def pips(*numbers: int) -> tuple[Die, ...]:
    return tuple(Die.parse(f"d6:pip-{number}") for number in numbers)


PICTURED = (*[Die("d6")] * 3, Die("switch"))


def test_the_middle_shows_every_deck_with_its_top_card_and_the_disk() -> None:
    state = started(9, 2, blocked=2)
    assert GAME.boards(state)[0].title == "The decks"
    named = ("disk =2", "switch =2")
    bob = Card("2", "Bob", "2", PICTURED, holds="Block disk", mark="blocked", verbs=named, dealt_to=2)
    assert part(state, "2", 0) == bob
    ann = part(state, "1", 0)
    assert (ann.face, len(ann.dice), ann.mark) == ("9", 5, "here")
    assert part(state, "disk", 0) == Card("disk", "Bob's deck", "")


def test_the_deck_shows_its_discards_and_where_a_failed_risk_falls_to() -> None:
    state = started(9, 2)
    deck = part(state, "deck")
    assert (deck.title, deck.face, deck.verbs) == ("Ann's deck", "9", ("discard",))
    assert deck.discarded == tuple(map(str, range(1, 9)))
    way = Track("way", "A failed risk: back to card 8", 16, (Token(1, 7, 1),), (8,))
    assert part(state, "way") == way
    assert part(started(1, 3), "way").tokens == (Token(1, 0, 0),)
    assert part(started(1, 3), "deck").discarded == ()
    assert part(started(8, 3, milestone="9", milestone_again="protected"), "way").tokens[0].at <= 7


def test_the_disk_is_in_a_hand_on_a_deck_or_next_to_the_tray() -> None:
    held = started(1, 3, holder=1)
    assert part(held, "disk", 0) == Card("disk", "Ann's hand", "", holds="Block disk")
    assert keys(held) == ["deck", "way"]
    assert part(started(1, 3), "disk", 0) == Card("disk", "Block disk", "", holds="Block disk")
    blocked = started(1, 3, blocked=1)
    assert (part(blocked, "deck").holds, part(blocked, "deck").mark) == ("Block disk", "blocked")
    assert part(blocked, "disk", 0).holds == ""


def test_a_deck_keeps_its_colour_when_it_is_switched() -> None:
    switched = done(started(1, 3), "1 roll 1 2 4 green", "1 switch =2")
    assert [part(switched, "deck", seat).dealt_to for seat in (1, 2)] == [2, 1]


def test_the_boards_show_points_and_a_finished_deck() -> None:
    points = started(1, 3, scores=(48, 50), variant="to-100")
    assert [part(points, "points", seat).value for seat in (1, 2)] == [48, 50]
    assert part(started(16, 9), "deck").face == "16"
    won = done(started(16, 9), "1 roll 6 6 4 1 1 blank", "1 discard 16")
    assert (part(won, "deck").face, len(part(won, "deck").discarded), keys(won)) == ("", 16, ["deck", "way"])


def test_a_card_that_may_go_shows_the_dice_that_make_it_and_the_cards_that_could_follow() -> None:
    state = done(started(5, 9), "1 roll 1 2 4 blank")
    assert part(state, "deck").made_of == pips(1, 4)
    assert part(state, "rolled").dice == (*pips(1, 2, 4), Die.parse("switch:blank"))
    then = part(state, "next")
    assert [(card.face, card.made_of, card.mark) for card in then.places] == [
        ("6", pips(2, 4), ""),
        ("7", pips(1, 2, 4), ""),
        ("8", (), "blocked"),
    ]
    assert keys(started(5, 9)) == ["deck", "way"]
    last = done(started(16, 9), "1 roll 6 6 4 1 1 blank")
    assert "next" not in keys(last)


def test_a_switch_is_a_choice_between_cards() -> None:
    state = done(started(1, 5, 16), "1 roll 1 2 4 green")
    question = part(state, "question")
    assert question.title == "Green switch: which deck?"
    assert [(card.key, card.title, card.face, card.verbs) for card in question.places] == [
        ("decline", "Keep yours", "1", ("decline",)),
        ("switch-2", "Take Bob's", "5", ("switch =2",)),
        ("switch-3", "Take Cy's", "16", ("switch =3",)),
    ]
    assert "question" not in keys(state, 2)
    red = done(started(9, 2, 2), "1 roll 1 2 4 6 red")
    assert [card.key for card in part(red, "question").places] == ["switch-2", "switch-3"]


def test_the_holder_of_the_disk_is_asked_between_two_cards() -> None:
    asked = done(started(1, 5, holder=2), "1 roll 1 2 4 green", "1 switch =2")
    question = part(asked, "question", 2)
    assert question.title == "Ann wants your deck"
    assert [(card.verbs, card.face) for card in question.places] == [(("refuse",), "5"), (("agree",), "1")]
    assert "question" not in keys(asked, 1)
    block = done(started(1, 5, blocked=2), "1 roll 1 2 4 block")
    assert [(card.verbs, card.face) for card in part(block, "question").places] == [(("take",), ""), (("leave",), "5")]


def test_the_game_names_itself() -> None:
    assert (GAME.name, GAME.title, GAME.die_set, GAME.lost) == ("switch-16", "Switch 16", "switch-16", "")
    assert {GAME.cite(matter) for matter in ("dice", "cocked")} == {"S.1"}
    assert [GAME.cite(matter) for matter in ("turn", "over", "touched")] == ["S.2-1", "S.2-16", "S.2-12"]
    assert set(GAME.help_texts) == {
        "lot",
        "roll",
        "switch",
        "decline",
        "refuse",
        "agree",
        "take",
        "leave",
        "disk",
        "discard",
        "end",
    }
    assert all(meaning[0].isupper() and meaning.endswith(".") for meaning in GAME.help_texts.values())
    assert GAME.implied == set(GAME.help_texts) - {"lot", "roll", "disk"}


def test_the_options_are_asked_in_words() -> None:
    """What the page of rules says at length, the tablet asks in a line."""
    asked = [(option.name, option.title, option.source) for option in GAME.options]
    assert asked == [
        ("variant", "How long is the game?", "S.2-17"),
        ("dice-per-card", "How many dice do the cards show?", "S.1"),
        ("milestone", "Which card is on top after a failed risk with 9 or more on top?", "AMB-S-1"),
        (
            "milestone-again",
            "A deck was past the milestone and shows 8 again: how far does it fall?",
            "AMB-S-2",
        ),
        ("discards", "Must a player discard all that the roll allows?", "AMB-S-11"),
        (
            "own-block",
            "In a risk Block takes the disk off one's own deck, and the dice make no card: what then?",
            "AMB-S-21",
        ),
        (
            "disk-when-asked",
            "May the holder of the disk put it down instead of answering a green switch?",
            "AMB-S-22",
        ),
        (
            "skipped-turn",
            "A turn is skipped, or its player leaves: what becomes of what it has brought?",
            "AMB-S-20",
        ),
        ("leaning-die", "A die leans and a hand sets it flat: does it count?", "AMB-S-19"),
    ]
    assert [dict(option.readings) for option in GAME.options] == [
        {
            "first-to-16": "Whoever discards a card 16 first has won.",
            "to-100": "Rounds are played for points until somebody has 100.",
        },
        {
            "from-7": "Three for 1 to 6, four for 7 to 11, five from 12 on.",
            "from-5": "Three for 1 to 4, four for 5 to 8, five from 9 on.",
        },
        {"8": "Card 8, to be discarded again.", "9": "Card 9: the milestone itself stays discarded."},
        {"by-card": "Back to card 1, as the card on top says.", "protected": "No lower than the milestone."},
        {"optional": "No, as many as the player likes.", "all": "Yes, before rolling again or ending the turn."},
        {
            "stay": "The deck is free again, and the turn is over; no card goes back.",
            "go-back": "The cards go back as after any failed risk.",
        },
        {
            "may-go-down": "Yes; the switch can be refused no more, and is done.",
            "answer-first": "No, the switch is refused or agreed to first.",
        },
        {"taken-back": "It is taken back.", "stays": "It stays."},
        {"thrown-again": "No, it is thrown again.", "set-flat": "Yes, as it lies then."},
    ]
    assert [option.default for option in GAME.options] == [
        "first-to-16",
        "from-7",
        "8",
        "by-card",
        "optional",
        "stay",
        "may-go-down",
        "taken-back",
        "thrown-again",
    ]


# Counted trees


def _lines(state: Switch16State) -> Iterator[str]:
    """Every way to go on with the cards of a roll: what is done until the turn ends or the dice are rolled again."""
    for offer in GAME.legal(state):
        if offer.verb == "discard":
            yield from _lines(judge(GAME, state, offer).state)
        else:
            yield offer.verb


@pytest.mark.parametrize(("pips", "cards"), [("1 2 4", 7), ("1 3 5", 1), ("1 1 1", 3), ("1 1 3", 5)])
def test_a_roll_that_lets_k_cards_go_has_2k_and_1_ways_on(pips: str, cards: int) -> None:
    """After none the turn can only be ended; after each of the k, ended or risked."""
    ways = list(_lines(done(started(1, 1), f"1 roll {pips} blank")))
    assert (ways.count("end"), ways.count("roll")) == (cards + 1, cards)
    owed = list(_lines(done(started(1, 1, discards="all"), f"1 roll {pips} blank")))
    assert owed == ["end", "roll"]


def _makers(count: int, top: int) -> int:
    """How many rolls of so many dice have a part that adds up to the card: by the sets of sums, die after die."""
    reached = {frozenset([0]): 1}
    for _ in range(count):
        further: dict[frozenset[int], int] = {}
        for sums_so_far, ways in reached.items():
            for pips in range(1, 7):
                both = sums_so_far | {number + pips for number in sums_so_far}
                further[both] = further.get(both, 0) + ways
        reached = further
    return sum(ways for found, ways in reached.items() if top in found)


@pytest.mark.parametrize("top", [1, 4, 6, 7])
def test_as_many_first_rolls_let_the_top_card_go_as_a_recurrence_says(top: int) -> None:
    count, state = dice_for("from-7", top), started(top, top)
    going = 0
    for pips in product("123456", repeat=count):
        if list(pips) == sorted(pips):
            after = done(state, f"1 roll {' '.join(pips)} blank")
            going += _orders(pips) * (after.phase == Phase.DISCARD)
    assert going == _makers(count, top)


def _orders(pips: tuple[str, ...]) -> int:
    return len({order for order in product(set(pips), repeat=len(pips)) if sorted(order) == sorted(pips)})
