"""What holds in every game of Intersection, played at random, and trees counted by hand."""

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from math import factorial, prod

import pytest
from any_game import QUIET, played_at_random
from at_the_table import DICE, GAME, turn
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.actions import Action, DiePosition
from referee.dice import Die, FaceName, KindName, Zone
from referee.games.intersection import IntersectionPhase as Phase
from referee.games.intersection import IntersectionState
from referee.games.intersection.state import lay, points
from referee.games.intersection.turns import relaid
from referee.judge import judge

TRAFFIC, SIGNAL = KindName("traffic"), KindName("signal")
FACES = {kind.name: [side.name for side in kind.sides] for kind in DICE.kinds}
IN_TURN = (Phase.RESOLVE, Phase.PARKED, Phase.MUST_PLAY_ON, Phase.DOUBLE)


@settings(QUIET)
@given(played_at_random(GAME).map(lambda played: played.states))
def test_dice_lie_there_in_a_turn_and_scores_only_grow(states: tuple[IntersectionState, ...]) -> None:
    for state in states:
        in_turn = state.phase in IN_TURN
        assert len(state.field) + len(state.parked) == (5 if in_turn else 0)
        assert len(GAME.lay(state)) == (6 if in_turn else 0)
        assert "sad" not in state.parked
        assert state.signal in (("go", "slow") if in_turn else ("",))
        assert GAME.turn_points(state) == points(state.parked)
        assert all(score == 0 or score >= 300 for score in state.scores)
        laid, _ = relaid(state, lay(state)) or (None, ())  # laid as they lie, they leave a turn as it is
        assert laid == (state if in_turn else None)
    for before, after in pairwise(states):
        assert all(new >= old for old, new in zip(before.scores, after.scores, strict=True))
        assert sum(after.turns) - sum(before.turns) in (0, 1)


@settings(QUIET)
@given(played_at_random(GAME).map(lambda played: played.end), st.data())
def test_dice_laid_anyhow_leave_a_game_in_order(state: IntersectionState, data: st.DataObject) -> None:
    traffic = data.draw(st.lists(st.sampled_from(FACES[TRAFFIC]), min_size=5, max_size=5))
    zones = st.sampled_from([Zone.FIELD, Zone.FIELD, Zone.ASIDE, None])
    lying = [DiePosition(Die(TRAFFIC, face), data.draw(zones)) for face in traffic]
    signal = DiePosition(Die(SIGNAL, data.draw(st.sampled_from(FACES[SIGNAL]))), Zone.SIGNAL)
    laid, _ = relaid(state, (*lying, signal)) or (None, ())
    if laid:
        assert bool(laid.to_act) is bool(GAME.legal(laid)) is not bool(laid.winner)
        assert laid.scores == state.scores
        in_turn = laid.phase in IN_TURN
        assert (len(GAME.lay(laid)), len(laid.field) + len(laid.parked)) == ((6, 5) if in_turn else (0, 0))
        assert not in_turn or any(offer.verb not in ("give-up", "vander") for offer in GAME.legal(laid))


# Counted by hand


def rolls(count: int) -> list[tuple[tuple[FaceName, ...], int]]:
    """Every roll of so many Traffic dice, with the number of ways it comes about."""
    chosen = combinations_with_replacement(FACES[TRAFFIC], count)
    return [(faces, factorial(count) // prod(map(factorial, Counter(faces).values()))) for faces in chosen]


def after(state: IntersectionState, verb: str, faces: tuple[FaceName, ...], signal: FaceName | None, choice: str = ""):  # noqa: ANN201
    dice = [Die(TRAFFIC, face) for face in faces] + ([Die(SIGNAL, signal)] if signal else [])
    ruling = judge(GAME, state, Action(1, verb, tuple(dice), choice))
    assert not ruling.refusal, ruling.refusal
    return ruling.state


def chance(state: IntersectionState, verb: str, count: int, wanted, signal: bool = True, choice: str = "") -> Fraction:  # noqa: ANN001
    hits = total = 0
    for (faces, ways), shown in product(rolls(count), FACES[SIGNAL] if signal else [None]):
        total += ways
        hits += ways * bool(wanted(after(state, verb, faces, shown, choice)))
    return Fraction(hits, total)


def dead(state: IntersectionState) -> bool:
    return state.to_act == (2,)


def parkable(state: IntersectionState) -> bool:
    return any(offer.verb == "park" for offer in GAME.legal(state))


OPENING = turn(phase=Phase.START, signal="")


def test_an_opening_roll_is_dead_at_once_in_9007_of_46656() -> None:
    # A stop: 1/6 of 46656. Under a slow no star lies: a sad face and no happy one (4^5 - 3^5 = 781), or numbers alone
    # without three of a kind (3 * 5!/(2! 2!) = 90). Under one of four gos only those 90.
    assert chance(OPENING, "roll", 5, dead) == Fraction(7776 + (781 + 90) + 4 * 90, 46656)


def test_dice_may_be_parked_at_once_after_15175_of_46656_opening_rolls() -> None:
    # No stop, no sad face (5^5), and not the 90 rolls of numbers without three of a kind.
    assert chance(OPENING, "roll", 5, parkable) == Fraction(5 * (3125 - 90), 46656)


@pytest.mark.parametrize(("count", "dead_rolls"), [(1, 3), (2, 9), (3, 24), (4, 54)])
def test_playing_on_is_dead_when_only_numbers_without_a_set_show(count: int, dead_rolls: int) -> None:
    # 3^n rolls of numbers, less those with three of a kind: 3 of three dice, 27 of four dice.
    state = turn(" ".join(["two"] * count), " ".join(["star"] * (5 - count)), phase=Phase.PARKED)
    assert chance(state, "on", count, dead, signal=False) == Fraction(dead_rolls, 6**count)


def test_a_fix_leaves_no_sad_face_in_25_of_36() -> None:
    state = turn("happy sad two two two")
    assert chance(state, "fix", 2, parkable, signal=False, choice="field") == Fraction(25, 36)


def test_the_go_rolled_with_a_sad_face_keeps_a_turn_with_a_star_alive_in_5_of_6() -> None:
    state = turn("sad star two two two")
    assert chance(state, "go", 1, lambda state: not dead(state)) == Fraction(5, 6)


def test_a_star_overcomes_the_slow_in_4_of_6() -> None:
    state = turn("star star two two two", signal="slow")
    wanted = chance(state, "star", 1, lambda state: state.signal == "go", choice="field")
    assert wanted == Fraction(4, 6)


@pytest.mark.parametrize(
    ("parked", "wanted"), [("star star happy happy", Fraction(2, 9)), ("four four four star", Fraction(1, 3))]
)
def test_double_or_nothing_succeeds(parked: str, wanted: Fraction) -> None:
    state = turn("sad", parked, phase=Phase.DOUBLE)
    assert chance(state, "roll", 1, lambda state: state.scores[0] > 0) == wanted


@pytest.mark.parametrize(
    ("field", "parked", "count"),
    [
        ("star star star star star", "", 5),
        ("happy star two two two", "", 7),
        ("two two two two star", "", 5),
        ("happy happy star three four", "", 5),
        ("two two three three four", "", 0),
        ("sad star star star star", "", 0),
        ("two two", "two two two", 2),
        ("two star", "three three three", 1),
    ],
)
def test_the_ways_of_parking_are_counted(field: str, parked: str, count: int) -> None:
    offers = GAME.legal(turn(field, parked))
    assert sum(offer.verb == "park" for offer in offers) == count
