"""Laws that hold in every game of Intersection, played at random, and trees counted by hand."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

import pytest
from at_the_table import DICE, GAME, entry, new_game, turn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.dice import Die, FaceName, KindName, Seen, SeenDie, Zone
from referee.game import Action, judge, meets
from referee.games.intersection import IntersectionState, Phase
from referee.journal import Deed, replay
from referee.umpire import explain

QUIET = settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
"""No law is about time, and a machine may be busy."""
TRAFFIC, SIGNAL = KindName("traffic"), KindName("signal")
OPTIONS = st.fixed_dictionaries(
    {option.name: st.sampled_from([v for v, _ in option.readings]) for option in GAME.options}
)
FACES = {kind.name: [side.name for side in kind.sides] for kind in DICE.kinds}


@st.composite
def games_at_random(draw: st.DrawFn, actions: int = 40) -> tuple[IntersectionState, list[Action]]:
    """A start, and legal actions from it; throwing and parking are likelier than ending a turn for nothing."""
    names = ("Ann", "Bob", "Cy")[: draw(st.integers(1, 3))]
    start = new_game(*names, **{name.replace("-", "_"): value for name, value in draw(OPTIONS).items()})
    state, done = start, list[Action]()
    for _ in range(draw(st.integers(1, actions))):
        offers = [offer for offer in GAME.legal(state) if offer.verb not in ("give-up", "vander")]
        offers = offers * 8 + list(GAME.legal(state))
        if not offers:
            break
        action = fill(draw(st.sampled_from(offers)), draw)
        done.append(action)
        state = judge(GAME, state, action).state
    return start, done


def fill(offer: Action, draw: st.DrawFn) -> Action:
    faces = (die.face or draw(st.sampled_from(FACES[die.kind])) for die in offer.dice)
    return replace(offer, dice=tuple(Die(die.kind, face) for die, face in zip(offer.dice, faces, strict=True)))


def states(start: IntersectionState, actions: list[Action]) -> list[IntersectionState]:
    found = [start]
    for action in actions:
        ruling = judge(GAME, found[-1], action)
        assert not ruling.refusal, (action, ruling.refusal)
        assert ruling.calls
        assert isinstance(ruling.state, IntersectionState)
        found.append(ruling.state)
    return found


@settings(QUIET)
@given(games_at_random())
def test_what_is_offered_is_never_refused_and_every_state_is_in_order(
    game: tuple[IntersectionState, list[Action]],
) -> None:
    for state in states(*game):
        in_turn = state.phase in (Phase.RESOLVE, Phase.PARKED, Phase.MUST_PLAY_ON, Phase.DOUBLE)
        assert len(state.field) + len(state.parked) == (5 if in_turn else 0)
        assert len(GAME.lay(state)) == (6 if in_turn else 0)
        assert "sad" not in state.parked
        assert bool(state.to_act) is bool(GAME.legal(state)) is not bool(state.winner)
        assert all(score == 0 or score >= 300 for score in state.scores)
        assert GAME.tell(state).endswith(".")
        assert len(set(GAME.legal(state))) == len(GAME.legal(state))


@settings(QUIET)
@given(games_at_random(), st.data())
def test_what_is_not_offered_is_refused_with_a_rule(
    game: tuple[IntersectionState, list[Action]], data: st.DataObject
) -> None:
    state = states(*game)[-1]
    verb = data.draw(
        st.sampled_from(["lot", "roll", "fix", "go", "star", "park", "on", "end", "double", "give-up", "vander"])
    )
    dice = data.draw(st.lists(st.sampled_from([Die(kind, face) for kind in FACES for face in FACES[kind]]), max_size=6))
    action = Action(
        data.draw(st.integers(1, 3)), verb, tuple(dice), data.draw(st.sampled_from(["", "field", "parked"]))
    )
    ruling = judge(GAME, state, action)
    offered = any(meets(offer, action) for offer in GAME.legal(state))
    assert (ruling.refusal is None) is offered
    if ruling.refusal:
        assert ruling.state is state
        assert ruling.refusal.rule.startswith("I.")
        assert ruling.refusal.sentence.endswith(".")


@settings(QUIET)
@given(games_at_random(), st.data())
def test_a_game_is_replayed_and_undone_to_the_same_state(
    game: tuple[IntersectionState, list[Action]], data: st.DataObject
) -> None:
    start, actions = game
    journal = [entry(number, action) for number, action in enumerate(actions, start=1)]
    path = states(start, actions)
    assert replay(GAME, start, journal).state == path[-1]
    target = data.draw(st.integers(1, len(journal)))
    undone = [*journal, entry(len(journal) + 1, deed=Deed.UNDO, target=target)]
    assert replay(GAME, start, undone).state == path[target - 1]
    again = [entry(len(undone) + place, action) for place, action in enumerate(actions[target - 1 :], start=1)]
    assert replay(GAME, start, [*undone, *again]).state == path[-1]


@settings(QUIET)
@given(games_at_random())
def test_every_action_reads_back(game: tuple[IntersectionState, list[Action]]) -> None:
    assert all(Action.parse(str(action)) == action for action in game[1])


class Hands:
    """Hands that play a game on a table: what a perfect camera would see of it."""

    def __init__(self) -> None:
        self.dice: list[SeenDie] = []
        self.throw = 0
        self.number = 0

    def seen(self) -> Seen:
        return Seen(tuple(self.dice), self.throw)

    def sweep(self) -> None:
        self.dice = []

    def park(self, dice: tuple[Die, ...]) -> None:
        for die in dice:
            found = next(each for each in self.dice if each.die == die and each.zone is Zone.FIELD)
            self.dice[self.dice.index(found)] = replace(found, zone=Zone.ASIDE)

    def roll(self, old: tuple, dice: tuple[Die, ...]) -> None:
        if all(lying.die.face is None for lying in old):
            self.sweep()
        for lying in old:
            places = (Zone.FIELD,) if lying.die.kind == SIGNAL else (lying.zone,)
            found = next((each for each in self.dice if each.die == lying.die and each.zone in places), None)
            if found:
                self.dice.remove(found)
        self.throw += 1
        for die in dice:
            self.number += 1
            assert die.face
            self.dice.append(SeenDie(self.number, die.kind, ((die.face, 1.0),), Zone.FIELD, self.throw))


@settings(QUIET, max_examples=40)
@given(games_at_random(actions=30))
def test_the_umpire_finds_what_was_played(game: tuple[IntersectionState, list[Action]]) -> None:
    """Throws and taps alone, with parking by hand, lead the referee to the state that was played."""
    state, actions = game
    hands, ruled, by_rule = Hands(), Seen(), state
    for action in actions:
        before, state = state, judge(GAME, state, action).state
        old = GAME.thrown(before, action)
        if action.verb == "park":
            hands.park(action.dice)
            continue
        if old:
            hands.roll(old, action.dice)
        found = explain(GAME, by_rule, ruled, hands.seen(), None if old else action)
        assert len(found.ways) == 1, (found, by_rule, action)
        for done in found.ways[0]:
            by_rule = judge(GAME, by_rule, done).state
        assert by_rule == state
        if not GAME.lay(state):
            hands.sweep()
        ruled = hands.seen()


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
