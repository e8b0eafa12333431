"""The fair-play bench judges as people would: each outcome is recognised, and a lost turn that is paid out is found."""

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from bench.fair_cases.case import Case
from bench.fair_cases.fair_report import case_table, worst_cases
from bench.fair_cases.judgement import Facts, Outcome, Sort, judge_facts
from bench.fair_cases.opening import find_opening, keeps_dice, kept_positions, lay_out
from bench.fair_cases.play_case import Result, play_case
from bench.fair_cases.situations import situations
from bench.fair_cases.staged_case import FIVE
from bench.fair_cases.table import Moment, Setting, Story, new_tray
from bench.simulator_truth import true_places
from models.die_sets import load
from referee.actions import Action, DiePosition, GameState
from referee.dice import Die, FaceName, KindName, Zone
from referee.game import begin
from referee.games import named
from referee.journal import Deed, Entry, Source
from referee.judge import judge
from referee.snapshot import NoticeMood, Question, Snapshot
from vander.resources.models_and_stores import LoadedModels

TOSS_UP = named("toss-up")


@pytest.mark.parametrize(
    ("facts", "outcome"),
    [
        (Facts(Sort.CHEAT, score_right=True, told=True), Outcome.RIGHT),
        (Facts(Sort.CHEAT, score_right=False, told=True), Outcome.RIGHT),
        (Facts(Sort.CHEAT, score_right=True, asking=True), Outcome.ASKED),
        (Facts(Sort.CHEAT, score_right=True, asked=True), Outcome.ASKED),
        (Facts(Sort.CHEAT, score_right=False, asked=True), Outcome.SILENTLY_WRONG),
        (Facts(Sort.CHEAT, score_right=False), Outcome.SILENTLY_WRONG),
        (Facts(Sort.CHEAT, score_right=True), Outcome.UNTOLD),
        (Facts(Sort.CHEAT, score_right=False, journalled=True), Outcome.IN_JOURNAL),
        (Facts(Sort.MISHAP, score_right=True), Outcome.RIGHT),
        (Facts(Sort.MISHAP, score_right=True, asked=True), Outcome.ASKED),
        (Facts(Sort.MISHAP, score_right=True, breach=True), Outcome.ACCUSED),
        (Facts(Sort.MISHAP, score_right=False), Outcome.SILENTLY_WRONG),
        (Facts(Sort.MISHAP, score_right=False, asking=True), Outcome.STUCK),
    ],
)
def test_every_outcome_is_recognised(facts: Facts, outcome: Outcome) -> None:
    assert judge_facts(facts) is outcome


@dataclass
class StubSession:
    """A session that shows what it is told to."""

    shown: Snapshot

    def snapshot(self) -> Snapshot:
        return self.shown


@dataclass
class StubTable:
    """A table at which everything has happened already."""

    session: StubSession
    story: Story
    entries: tuple[Entry, ...] = ()
    setting: object = field(default=None)

    @property
    def state(self) -> GameState:
        state = self.session.shown.state
        assert state is not None
        return state


def ann_in_mid_turn() -> GameState:
    """Ann has rolled nine green dice and one red one."""
    state = begin(TOSS_UP, ("Ann", "Bob"), load("toss-up"))
    dice = tuple(Die(KindName("tossup"), FaceName(face)) for face in ["green"] * 9 + ["red"])
    return judge(TOSS_UP, state, Action(1, "roll", dice)).state


def after_last_die(state: GameState, face: str) -> GameState:
    """Where the throw of the last die leads."""
    return judge(TOSS_UP, state, Action(1, "roll", (Die(KindName("tossup"), FaceName(face)),))).state


def told(first: Snapshot, *later: Snapshot, entries: tuple[Entry, ...] = (), fair: GameState) -> Facts:
    """The facts of a cheat at a table that showed this."""
    story = Story(0, [Moment(float(at), shown) for at, shown in enumerate((first, *later))])
    table = StubTable(StubSession((first, *later)[-1]), story, entries, type("Of", (), {"game": TOSS_UP}))
    state = first.state
    assert state is not None
    case = Case(table, Sort.CHEAT, state, Action(1, "roll"), fair=[state, fair])  # type: ignore[arg-type]
    return case.facts()


def test_a_lost_turn_that_is_paid_out_is_silently_wrong_even_if_it_was_asked_about() -> None:
    before = ann_in_mid_turn()
    lost, paid = after_last_die(before, "red"), judge(TOSS_UP, before, Action(1, "end")).state
    asking = Snapshot(2, game=TOSS_UP, state=before, questions=(Question(1, "Was it all this?", (("0", "Yes"),)),))
    facts = told(Snapshot(1, game=TOSS_UP, state=before), asking, Snapshot(3, game=TOSS_UP, state=paid), fair=lost)
    assert judge_facts(facts) is Outcome.SILENTLY_WRONG


def test_a_question_that_stays_open_is_asked() -> None:
    before = ann_in_mid_turn()
    asking = Snapshot(
        2,
        game=TOSS_UP,
        state=before,
        notice="Was it all this?",
        questions=(Question(1, "Was it all this?", (("0", "Yes"),)),),
    )
    facts = told(Snapshot(1, game=TOSS_UP, state=before), asking, fair=after_last_die(before, "red"))
    assert judge_facts(facts) is Outcome.ASKED


def test_what_only_the_journal_tells_is_found_there() -> None:
    before = ann_in_mid_turn()
    lost = after_last_die(before, "red")
    corrected = Entry(1, datetime.now(UTC), Source.TABLET, Deed.CORRECT)
    shown = Snapshot(2, game=TOSS_UP, state=after_last_die(before, "green"))
    facts = told(Snapshot(1, game=TOSS_UP, state=before), shown, entries=(corrected,), fair=lost)
    assert judge_facts(facts) is Outcome.IN_JOURNAL


def test_a_breach_tells_everybody_of_a_cheat_and_accuses_the_honest() -> None:
    before = ann_in_mid_turn()
    breach = Entry(1, datetime.now(UTC), Source.CAMERA, Deed.BREACH, note="A die was turned.")
    shown = Snapshot(2, game=TOSS_UP, state=before, notice="A die was turned.", mood=NoticeMood.BREACH)
    facts = told(Snapshot(1, game=TOSS_UP, state=before), shown, entries=(breach,), fair=before)
    assert judge_facts(facts) is Outcome.RIGHT
    assert judge_facts(replace(facts, sort=Sort.MISHAP)) is Outcome.ACCUSED


def test_the_table_counts_and_the_worst_cases_are_told() -> None:
    cases = [
        Result("turn-kept", "cheat", "rollers", 1, Outcome.SILENTLY_WRONG, ("turned die 1",)),
        Result("turn-kept", "cheat", "rollers", 2, Outcome.RIGHT, ()),
    ]
    table = "\n".join(case_table(cases, Sort.CHEAT))
    assert "| **all** | 2 | 1 (50.0 %, 9.5-90.5) |" in table
    assert next(iter(worst_cases(cases))) == "turn-kept: 1 silently wrong of 2"


def test_an_opening_keeps_dice_where_that_is_wanted() -> None:
    game = named("rollers")
    opening = find_opening(game, load("rollers"), Random(1001), keeps_dice)  # noqa: S311 -- play
    assert opening is not None
    assert kept_positions(game, opening.state, opening.throw)


def test_hands_lay_the_dice_as_the_opening_has_them() -> None:
    game = named("intersection")
    opening = find_opening(game, load("intersection"), Random(1003), keeps_dice)  # noqa: S311 -- play
    assert opening is not None
    tray = new_tray(Setting(game, None), 1003)  # type: ignore[arg-type]
    lay_out(tray, game.lay(opening.state), Random(1))  # noqa: S311 -- play
    wanted = sorted(str(each.die.face) for each in game.lay(opening.state) if each.die.face)
    shown = sorted(str(die.faces[die.pose.top]) for die in tray.scene().dice)
    assert [face for face in wanted if face not in shown] == []


def test_there_are_thirty_situations_in_five_games() -> None:
    assert len(situations()) >= 30
    assert all(set(staged.games) <= set(FIVE) for staged in situations().values())


@pytest.mark.slow
def test_a_case_is_played_with_the_real_pipeline_and_repeats_itself(tmp_path: Path) -> None:
    setting = Setting(TOSS_UP, LoadedModels.load())
    results = [play_case(setting, situations()["turn-kept"], 1001, tmp_path) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0] is not None
    assert results[0].outcome


@pytest.mark.parametrize("seed", [*range(1, 5), 10000])
def test_dice_that_the_rules_have_in_the_bay_are_laid_there_and_none_is_in_the_way_of_another(seed: int) -> None:
    setting = Setting(named("intersection"), None)  # type: ignore[arg-type]  # no model is needed to lay dice out
    tray = new_tray(setting, seed)
    kinds = [kind.name for kind, count in setting.dice.counts for _ in range(count)]
    parked = [DiePosition(Die(kind, None), Zone.ASIDE) for kind in kinds]
    lay_out(tray, parked, Random(seed))  # noqa: S311 -- play
    assert set(true_places(tray).values()) == {"aside"}
