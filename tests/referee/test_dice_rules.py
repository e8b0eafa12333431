"""Every numbered rule of the plain table, in a test that bears its number; and the umpire at such a table."""

from __future__ import annotations

from itertools import islice, product

import pytest

from models.die_sets import load
from referee.actions import Action, DiePosition, GameState
from referee.board import Board, DicePlace, Section, Tally
from referee.calls import Refusal
from referee.dice import Die, Seen, SeenDie, Zone
from referee.game import begin
from referee.games.plain_dice import GAME, DiceState
from referee.judge import Ruling, judge
from referee.umpire import differs, explain

PLAIN = load("d6")


def table(*names: str, dice: str = "d6") -> DiceState:
    state = begin(GAME, names or ("Ann", "Bob"), load(dice))
    assert isinstance(state, DiceState)
    return state


def ruling(state: GameState, text: str) -> Ruling:
    return judge(GAME, state, Action.parse(text))


def called(text: str, dice: str = "d6") -> str:
    (call,) = ruling(table(dice=dice), text).calls
    assert call.rule == "P.1-2"
    return call.sentence


def refused(text: str) -> tuple[str, str]:
    found = ruling(table(), text)
    assert found.refusal
    assert found.state == table()
    return found.refusal.rule, found.refusal.sentence


def test_rule_1_anybody_may_throw_any_number_of_dice() -> None:
    assert table("Ann", "Bob", "Cy").to_act == (1, 2, 3)
    assert [str(offer) for offer in GAME.legal(table("Ann"))[:2]] == ["1 roll d6:?", "1 roll d6:? d6:?"]
    # Six numbers of dice, for either of two seats.
    assert len(GAME.legal(table())) == 12
    # Up to five dice and up to one of the other kind, but not none at all.
    assert len(GAME.legal(table("Ann", dice="rollers"))) == 6 * 2 - 1
    assert refused("1 roll") == ("P.1-1", "Throw at least one die.")
    assert refused("1 roll d6:pip-1 =field") == ("P.1-1", "Choose only the dice that were thrown.")
    assert refused("1 roll " + " ".join(["d6:pip-1"] * 7)) == ("P.1-1", "There are only 6 dice, not 7.")
    assert refused("3 roll d6:pip-1") == ("P.1-1", "There is no seat 3: this game has 2 players.")


@pytest.mark.parametrize(
    ("text", "sentence", "dice"),
    [
        ("1 roll d6:pip-1 d6:pip-2 d6:pip-3 d6:pip-4 d6:pip-5 d6:pip-6", "6 dice: 21 in all.", "d6"),
        ("2 roll d6:digit-6 d6:pip-5", "2 dice: 11 in all.", "d6"),
        ("1 roll d6:pip-4", "1 die: 4 in all.", "d6"),
        ("1 roll traffic:happy traffic:star traffic:star", "3 dice: happy and 2 x star.", "intersection"),
        ("1 roll signal:go", "1 die: go.", "intersection"),
        (
            "1 roll rollers-black:zap rollers-purple:pip-5 rollers-purple:star",
            "3 dice: 5 in all, zap and star.",
            "rollers",
        ),
    ],
)
def test_rule_2_the_dice_of_a_throw_are_counted(text: str, sentence: str, dice: str) -> None:
    assert called(text, dice) == sentence


def test_rule_2_only_the_last_throw_counts() -> None:
    state = ruling(ruling(table(), "1 roll d6:pip-1 d6:pip-2").state, "2 roll d6:digit-6 d6:pip-1 d6:pip-6").state
    assert state.shown == tuple(map(Die.parse, ("d6:digit-6", "d6:pip-1", "d6:pip-6")))
    assert state.throws == 2
    one, numeral, six = map(Die.parse, ("d6:pip-1", "d6:digit-6", "d6:pip-6"))
    by_face = (DicePlace("face-digit-6", "2 x 6", (numeral, six)), DicePlace("face-pip-1", "1 x 1", (one,)))
    dice = Section("faces", "By what they show", by_face)
    parts = (Tally("in-all", "In all", 13), Tally("throws", "Throws", 2), dice)
    assert GAME.boards(state) == (Board(0, "The throw", parts=parts),)


def test_rule_2_faces_without_numbers_have_no_sum() -> None:
    assert GAME.boards(table()) == ()
    state = ruling(table(dice="intersection"), "1 roll traffic:sad traffic:sad").state
    throws, dice = GAME.boards(state)[0].parts
    assert throws == Tally("throws", "Throws", 1)
    assert isinstance(dice, Section)
    assert [place.title for place in dice.places] == ["2 x Sad"]


def test_rule_3_there_are_no_scores_and_no_end() -> None:
    state = ruling(table(), "2 roll d6:pip-6").state
    assert state.options == {}
    assert (state.scores, state.winner, state.to_act, state.dice_awaited) == ((), (), (1, 2), ())
    assert refused("1 end") == ("P.1-3", "Plain dice has no 'end'; a player may roll.")
    assert GAME.turn_points(state) == 0


def test_rule_3_who_threw_makes_no_difference() -> None:
    assert ruling(table(), "1 roll d6:pip-6").state == ruling(table(), "2 roll d6:pip-6").state
    assert ruling(table(), "1 roll d6:pip-6").calls == ruling(table(), "2 roll d6:pip-6").calls


def test_rule_4_dice_may_lie_anywhere() -> None:
    state = ruling(table(), "1 roll d6:pip-6").state
    assert GAME.lay(state) == ()
    assert GAME.thrown(state, Action.parse("1 roll d6:? d6:?")) == (DiePosition(Die.parse("d6:?"), None),) * 2
    assert GAME.fault(state, (DiePosition(Die.parse("d6:?"), None),) * 7, ()) == Refusal(
        "This table does not have these dice: 7 dice.", "P.1-1"
    )


def test_the_table_waits_for_a_throw() -> None:
    assert GAME.tell(table()) == "Throw any of the dice."
    assert GAME.offer_title(table(), Action.parse("1 roll d6:?")) == "Throw 1 die"
    assert GAME.offer_title(table(), Action.parse("1 roll d6:? d6:?")) == "Throw 2 dice"
    assert GAME.offer_title(table(), Action.parse("1 roll d6:pip-2 d6:pip-3")) == "Throw 2 dice: 5 in all"
    rollers = Action.parse("1 roll rollers-black:? rollers-purple:? rollers-purple:?")
    assert GAME.offer_title(table(dice="rollers"), rollers) == "Throw 1 x Black die and 2 x Purple die"


def test_what_the_table_is_called() -> None:
    assert (GAME.name, GAME.title, GAME.die_set, GAME.seats, GAME.options) == ("dice", "Plain dice", "", (1, 12), ())
    assert dict(GAME.help_texts) == {"roll": "Throw any number of the dice."}
    rules = {"verb": "P.1-3", "dice": "P.1-1", "turn": "P.1-1", "over": "P.1-3", "touched": "P.1-4", "cocked": "P.1-5"}
    assert dict(GAME.cites) == rules


# What the umpire makes of a plain table


def seen(*dice: str, throw: int) -> Seen:
    """A table from words: `1 pip-6 field 2` lies there since the second throw."""
    return Seen(tuple(_seen(text) for text in dice), throw)


def _seen(text: str) -> SeenDie:
    number, face, zone, throw = text.split()
    die = Die.parse(f"d6:{face}")
    assert die.face
    return SeenDie(int(number), die.kind, ((die.face, 1.0),), Zone(zone), int(throw))


def ways(state: GameState, before: Seen, after: Seen) -> list[str]:
    found = explain(GAME, state, before, after)
    assert (found.breach, found.question, found.unsure_dice) == ("", "", ())
    return [str(action) for way in found.ways for action in way]


def test_a_throw_is_taken_without_a_question_whoever_threw() -> None:
    after = seen("1 pip-6 field 1", "2 digit-2 aside 1", throw=1)
    assert ways(table(), Seen(), after) == ["1 roll d6:digit-2 d6:pip-6"]


def test_only_the_dice_thrown_again_are_a_throw() -> None:
    state = ruling(table(), "1 roll d6:digit-2 d6:pip-6").state
    before = seen("1 pip-6 field 1", "2 digit-2 field 1", throw=1)
    assert ways(state, before, seen("1 pip-6 aside 1", "3 pip-1 field 2", throw=2)) == ["1 roll d6:pip-1"]


def test_rule_4_dice_turned_moved_taken_away_or_added_are_no_breach() -> None:
    state = ruling(table(), "1 roll d6:digit-2 d6:pip-6").state
    before = seen("1 pip-6 field 1", "2 digit-2 field 1", throw=1)
    for dice in product(
        ("1 pip-5 field 1", "1 pip-6 aside 1", "1 pip-6 out 1"), ("2 digit-2 field 1", "7 pip-1 field 1")
    ):
        assert ways(state, before, seen(*dice, throw=1)) == []
    assert differs(GAME, state, Seen()) == ""


def test_more_dice_than_the_set_has_are_taken_away_first() -> None:
    dice = [f"{number} pip-1 field 1" for number in islice(range(1, 99), 7)]
    found = explain(GAME, table(), Seen(), seen(*dice, throw=1))
    assert found.ways == ()
    assert "the game has 6: take the rest away" in found.unfinished


def test_a_leaning_die_is_thrown_again() -> None:
    leaning = SeenDie(1, PLAIN.kinds[0].name, (), Zone.FIELD, 1, cocked=True)
    found = explain(GAME, table(), Seen(), Seen((leaning,), 1))
    assert (found.rule, found.ways) == ("P.1-5", ())
