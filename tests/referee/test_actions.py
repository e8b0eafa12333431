import pytest
from at_the_table import DICE, GAME, do, new_game, spelled
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.actions import Action
from referee.dice import BadAction, Die, FaceName, KindName
from referee.game import BadOption, BadStart, begin, read_options
from referee.games import NoSuchGame, games, named
from referee.judge import judge

WORDS = st.from_regex(r"[a-z]{1,8}(-[a-z]{1,5})?", fullmatch=True)
DIE = st.builds(Die, WORDS.map(KindName), st.none() | WORDS.map(FaceName))
ACTION = st.builds(Action, st.integers(1, 99), WORDS, st.lists(DIE, max_size=6).map(tuple), st.just("") | WORDS)


@settings(deadline=None)
@given(ACTION)
def test_what_is_written_reads_back(action: Action) -> None:
    assert Action.parse(str(action)) == action


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_an_action_or_is_turned_down_in_a_sentence(text: str) -> None:
    try:
        action = Action.parse(text)
    except BadAction as wrong:
        said = str(wrong)
    else:
        said = text if sorted(str(action).split(" ")) == sorted(text.split(" ")) else str(action)
    assert text in said or repr(text) in said


@settings(deadline=None)
@given(ACTION, st.data())
def test_dice_are_read_in_any_order(action: Action, data: st.DataObject) -> None:
    dice = " ".join(map(str, data.draw(st.permutations(action.dice))))
    choice = f"={action.choice}" if action.choice else ""
    assert Action.parse(" ".join(filter(None, [str(action.player), action.verb, dice, choice]))) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        "end",
        "0 end",
        "01 end",
        "1 End",
        "1  end",
        "1 end ",
        "1 park traffic",
        "1 park traffic:",
        "1 park :happy",
        "1 fix =parked =field",
        "1 end\n",
        "one end",
        "1" * 5000 + " end",
    ],
)
def test_a_text_that_is_not_canonical_is_turned_down(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Action.parse(text)


def test_dice_are_put_in_order() -> None:
    dice = (
        Die(KindName("traffic")),
        Die(KindName("traffic"), FaceName("sad")),
        Die(KindName("signal"), FaceName("go")),
    )
    assert str(Action(1, "roll", dice)) == "1 roll signal:go traffic:? traffic:sad"


@pytest.mark.parametrize(
    ("text", "rule", "words"),
    [
        ("1 lot traffic:pip-1 traffic:sad traffic:sad traffic:sad traffic:sad", "I.1", "no face 'pip-1'"),
        ("1 lot cube:sad traffic:sad traffic:sad traffic:sad traffic:sad", "I.1", "no kind 'cube'"),
        (
            "1 lot traffic:? traffic:sad traffic:sad traffic:sad traffic:sad",
            "I.1",
            "First say what this die shows: 1 Traffic die",
        ),
        ("1 roll signal:go signal:go traffic:sad", "I.1", "There is only 1 Signal die, not 2."),
        (
            "2 lot traffic:sad traffic:sad traffic:sad traffic:sad traffic:sad",
            "I.2-1",
            "Now it is Ann's turn to throw.",
        ),
        ("3 end", "I.2-1", "no seat 3"),
        ("1 lot traffic:sad traffic:sad", "I.2-1", "five Traffic dice"),
        ("1 dance", "I.2-2", "no 'dance'"),
    ],
)
def test_a_wrong_action_is_refused_with_its_reason(text: str, rule: str, words: str) -> None:
    state = new_game()
    ruling = judge(GAME, state, Action.parse(text))
    assert ruling.refusal
    assert ruling.refusal.rule == rule
    assert words in ruling.refusal.sentence
    assert ruling.state is state


def test_there_is_no_seat_before_the_first() -> None:
    refusal = judge(GAME, new_game(), Action(0, "end")).refusal
    assert refusal
    assert refusal.sentence == "There is no seat 0: this game has 2 players."


def test_nothing_is_done_after_the_end() -> None:
    over = do(new_game("Ann"), *_to_5000())
    assert over.state.winner == (1,)
    assert over.state.to_act == ()
    after = judge(GAME, over.state, Action.parse("1 end"))
    assert after.refusal
    assert after.refusal.rule == "I.2-20"


def _to_5000() -> list[str]:
    turn = ["1 roll go four four four four four", "1 park four four four four", "1 double", "1 roll go four"]
    return [*turn, *turn, "1 roll go four four two star star", "1 park star star", "1 end", *turn]


def test_games_are_found_by_being_there() -> None:
    assert GAME in games()
    assert named("intersection") is GAME
    with pytest.raises(NoSuchGame, match=r"no game 'chess'; there are .*intersection"):
        named("chess")


def test_options_not_given_have_their_default() -> None:
    assert read_options(GAME.options, {})["below-300"] == "refused"
    assert read_options(GAME.options, {"below-300": "records-0"})["below-300"] == "records-0"


def test_an_unknown_option_or_reading_is_named() -> None:
    with pytest.raises(BadOption, match="no option 'speed'; there are parked-happy"):
        read_options(GAME.options, {"speed": "fast"})
    with pytest.raises(BadOption, match="no-dice cannot be 'maybe'; it is one of unless-given-up, on, off"):
        read_options(GAME.options, {"no-dice": "maybe"})


def test_a_game_begins_with_its_players_and_its_dice_only() -> None:
    with pytest.raises(BadStart, match="for 1 to 12 players, not 0"):
        begin(GAME, [], DICE)
    with pytest.raises(BadStart, match="needs a name"):
        begin(GAME, ["Ann", " "], DICE)


def test_the_dice_of_another_game_are_turned_down() -> None:
    from models.die_sets import load

    with pytest.raises(BadStart, match="not the d6 dice"):
        begin(GAME, ["Ann"], load("d6"))


def test_a_state_may_be_kept_in_a_set() -> None:
    assert len({new_game(), new_game()}) == 1


def test_what_is_offered_can_be_spelled() -> None:
    assert spelled("1 roll ? go") == "1 roll signal:go traffic:?"
