"""First games: who is asked, what counts as wrong, and which folders can be played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from family_folder import write_family_game
from typed_commands import vander

from models import die_sets
from referee.dice import DieSet, FaceName, KindName, Zone
from vander.bench.first_game import (
    Answering,
    Became,
    PlayedGame,
    PlayedThrow,
    PlayTable,
    ReadDie,
    RuledThrow,
    TeachingPlan,
    ThrowScore,
    UntaughtTable,
    _answers,
    _mistaken,
    _score,
    _stands,
    play,
    teach,
)
from vander.bench.first_game_benchmark import BANDS, band_figures, by_band, summary
from vander.bench.photo_scores import LabelError, LabelledDie
from vander.bench.simulated_families import FamilyGame, folder_game, simulated_family, simulated_game
from vander.resources.models_and_stores import LoadedModels
from vision.frame_reader import DieReader
from vision.observations import DieReading, DieSighting, Posture, TrackedDie
from vision.rectification import TrayView

ROLLERS = die_sets.load("rollers")


FLAT = DieSighting(0.0, 0.0, 40.0, 0.0, Posture.FLAT, 1.0, 0.0, 0.0, 40.0)


def die(
    number: int,
    label: str,
    read: str,
    accepted: bool = True,
    only_kind: bool = False,
    lay: int | None = None,
) -> ReadDie:
    """A die of Rollers by two texts such as "purple pip-3"; read as '' it was missed."""
    kind, face = label.split()
    tracked = None
    if read:
        read_kind, read_face = read.split()
        name, shown = KindName(f"rollers-{read_kind}"), FaceName(read_face)
        doubts = {"kind_accepted": not only_kind, "only_kind_doubted": only_kind}
        reading = DieReading(FLAT, name, shown, 0.9, accepted, **doubts)
        tracked = TrackedDie(number + 1, reading, Zone.FIELD, 1)
    return ReadDie((1, number), LabelledDie(face, 0.0, 0.0, 40.0, f"rollers-{kind}"), lay, tracked)


def test_the_right_face_on_the_wrong_die_is_silently_wrong() -> None:
    dice = [
        die(0, "black pip-3", "purple pip-3"),
        die(1, "purple pip-3", "purple pip-4"),
        die(2, "black zap", "black zap"),
    ]
    score = _score(dice, 0, [])
    assert (score.dice, score.wrong, score.wrong_kind, score.asked) == (3, 2, 1, 0)
    assert [str(read[1]) for _, read in _mistaken(dice, [])] == ["pip-3", "pip-4"]


def test_every_die_in_doubt_is_asked_about_and_one_tap_tells_all_kinds() -> None:
    dice = [
        die(0, "black pip-3", "purple pip-3", accepted=False, only_kind=True),
        die(1, "purple pip-3", "purple pip-3", accepted=False, only_kind=True),
        die(2, "purple pip-1", "purple pip-2", accepted=False),
        die(3, "purple pip-1", "purple pip-2", accepted=False),
    ]
    score = _score(dice, 0, [])
    assert (score.asked, score.asked_kind, score.asked_posture, score.wrong) == (3, 1, 0, 0)


def test_dice_that_lie_as_they_lay_are_not_counted_and_not_asked_about_again() -> None:
    asked = die(0, "black pip-3", "black pip-2", accepted=False, lay=0)
    right = die(1, "purple pip-1", "purple pip-1", lay=1)
    score = _score([asked, right], 0, [Became.ASKED, Became.RIGHT])
    assert (score.dice, score.asked, score.wrong) == (0, 0, 0)


def test_a_die_that_lies_still_and_is_taken_for_another_face_after_all_is_wrong_once() -> None:
    turned = die(0, "purple pip-1", "purple pip-2", lay=0)
    assert _score([turned], 0, [Became.RIGHT]).wrong == 1
    assert _stands(turned, [Became.RIGHT]) is Became.WRONG
    assert _score([turned], 0, [Became.WRONG]).wrong == 0
    assert _score([turned], 0, [Became.ASKED]).wrong == 0  # what a person said stands


def test_people_answer_from_the_label_and_alike_dice_together() -> None:
    dice = [
        die(0, "purple pip-1", "purple pip-2", accepted=False),
        die(1, "purple pip-1", "purple pip-3", accepted=False),
        die(2, "black zap", "black zap"),
    ]
    said = _answers(dice, ROLLERS, 0.0, np.random.default_rng(1))
    assert {place: (str(one.label[1]), one.false) for place, one in said.items()} == {
        (1, 0): ("pip-1", False),
        (1, 1): ("pip-1", False),
    }


def test_a_false_answer_names_another_face_of_that_die_or_another_kind() -> None:
    face = die(0, "purple pip-1", "purple pip-2", accepted=False)
    kind = die(1, "black pip-2", "purple pip-2", accepted=False, only_kind=True)
    said = _answers([face, kind], ROLLERS, 1.0, np.random.default_rng(1))
    assert all(one.false for one in said.values())
    assert said[1, 0].label[0] == "rollers-purple"
    assert said[1, 0].label[1] != "pip-1"
    assert said[1, 1].label == ("rollers-purple", "pip-2")


def test_a_missed_die_is_neither_asked_about_nor_wrong() -> None:
    score = _score([die(0, "purple pip-1", "")], 2, [])
    assert (score.dice, score.missed, score.asked, score.wrong, score.phantoms) == (1, 1, 0, 0, 2)


def test_throws_are_counted_by_band_and_those_after_the_last_in_all() -> None:
    throws = [
        PlayedThrow(number, ThrowScore(dice=6, asked=1), None, ()) for number in (1, 5, 6, 10, 11, 20, 21, 60, 61)
    ]
    bands = by_band(throws)
    assert list(bands) == [*BANDS, "all"] == ["1-5", "6-10", "11-20", "21-60", "all"]
    assert [score.dice for score in bands.values()] == [12, 12, 12, 12, 54]


def test_shares_have_intervals_and_nothing_counted_has_none() -> None:
    figures = band_figures(ThrowScore(dice=100, asked=8, wrong=1))
    low, high = figures["asked_interval"]
    assert low < figures["asked_percent"] == 8.0 < high
    assert figures["wrong_per_1000"] == 10.0
    assert band_figures(ThrowScore())["asked_percent"] is None


def test_the_summary_tells_time_and_named_answers() -> None:
    throws = tuple(PlayedThrow(n, ThrowScore(dice=6), float(n), ()) for n in range(1, 4))
    told = summary([PlayedGame("one", throws, answers=9, false=2, named=1, accused=3)], peak_mb=120.4)
    assert (told["update_median_ms"], told["update_p99_ms"], told["peak_memory_mb"]) == (2.0, 3.0, 120)
    assert (told["answers"], told["false_answers"], told["false_answers_named"]) == (9, 2, 1)


# Folders


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four throws of a family of Rollers."""
    folder = tmp_path_factory.mktemp("family")
    write_family_game(simulated_family("rollers", 1), throws=4, seed=1, folder=folder)
    return folder


def rows(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "labels.jsonl").read_text("utf-8").splitlines()]


def relabelled(folder: Path, to: Path, *changed: dict[str, Any]) -> Path:
    (to / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in changed), "utf-8")
    for row in changed:
        if (folder / row["file"]).exists():
            (to / row["file"]).write_bytes((folder / row["file"]).read_bytes())
    return to


def test_throws_come_in_the_order_of_the_numbers_in_their_names(folder: Path, tmp_path: Path) -> None:
    named = [row | {"file": f"throw_{number}.jpg"} for row, number in zip(rows(folder), (10, 2, 1, 9), strict=True)]
    game = folder_game(relabelled(folder, tmp_path, *named))
    assert [throw.label.file for throw in game.throws] == [f"throw_{n}.jpg" for n in (1, 2, 9, 10)]


def test_dice_that_lie_as_they_lay_are_known_by_place_and_label(folder: Path, tmp_path: Path) -> None:
    first = rows(folder)[0]
    second = json.loads(json.dumps(first))
    second["file"] = "throw_002.jpg"
    second["dice"][0]["cx"] += 1.0
    second["dice"][1]["cx"] += 300.0
    game = folder_game(relabelled(folder, tmp_path, first, second))
    assert game.throws[0].lay == (None,) * 6
    assert game.throws[1].lay == (0, None, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"set": "switch-16", "dice": []}, "one game has one set"),
        ({"set": None, "dice": []}, "names no die set"),
        ({"dice": [{"face": "pip-1", "cx": 9, "cy": 9, "w": 9, "h": 9}]}, "which is on several kinds"),
        ({"dice": [{"face": "zap", "kind": "rollers-purple", "cx": 9, "cy": 9, "w": 9, "h": 9}]}, "is none of Rollers"),
    ],
)
def test_a_label_that_says_too_little_is_refused(
    folder: Path, tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    first, second, *_ = rows(folder)
    with pytest.raises(LabelError, match=says):
        folder_game(relabelled(folder, tmp_path, first, second | change))


def test_a_label_without_boxes_cannot_be_played(folder: Path, tmp_path: Path) -> None:
    row = {name: value for name, value in rows(folder)[0].items() if name != "dice"} | {"faces": ["zap"]}
    with pytest.raises(LabelError, match="without boxes"):
        folder_game(relabelled(folder, tmp_path, row))


# Played with the models that ship


def test_a_game_is_played_throw_by_throw_and_every_thrown_die_counts(folder: Path, models: LoadedModels) -> None:
    game = folder_game(folder)
    played = play(game, models, UntaughtTable(models.reader), Answering())
    assert [throw.number for throw in played.throws] == [1, 2, 3, 4]
    assert [throw.score.dice for throw in played.throws] == [throw.lay.count(None) for throw in game.throws]
    assert played.answers >= played.score.asked
    again = play(simulated_game("rollers", 1, throws=4), models, UntaughtTable(models.reader), Answering())
    assert [throw.score for throw in again.throws] == [throw.score for throw in played.throws]


def table_of(game: FamilyGame, models: LoadedModels, folder: Path) -> PlayTable:
    cv2.setNumThreads(1)
    return PlayTable(folder, game.dice, models)


def test_dice_that_were_taught_are_not_scored_and_the_lesson_is_in_use(models: LoadedModels, tmp_path: Path) -> None:
    game = simulated_game("toss-up", 1, throws=4)
    table = table_of(game, models, tmp_path)
    shown = teach(game, table, models.finder, TeachingPlan(3))
    faces = Counter(game.throws[number - 1].label.dice[n].face for number, n in shown)
    assert max(faces.values()) == 3
    assert table.stores.lessons.in_use("toss-up") is not None
    played = play(game, models, UntaughtTable(table.reader), Answering(), shown)
    assert played.score.dice == sum(throw.lay.count(None) for throw in game.throws) - len(shown)


def test_one_kind_alone_is_taught_too_little_is_refused_and_an_unknown_kind_too(
    folder: Path, models: LoadedModels, tmp_path: Path
) -> None:
    game = folder_game(folder)
    table = table_of(game, models, tmp_path)
    with pytest.raises(LabelError, match="no kind 'rollers-green'; there are rollers-purple, rollers-black"):
        teach(game, table, models.finder, TeachingPlan(1, "rollers-green"))
    with pytest.raises(LabelError, match="the dice cannot be taught: "):
        teach(game, table, models.finder, TeachingPlan(1, "rollers-black"))
    assert {sample.label.kind for sample in table.stores.samples.samples() if sample.label} == {"rollers-black"}


class Hesitant:
    """A reader that asks about every die."""

    def __init__(self, reader: DieReader) -> None:
        self._reader, self.accept_from = reader, reader.accept_from

    def read(self, view: TrayView, sightings: Sequence[DieSighting], dice: DieSet | None) -> tuple[DieReading, ...]:
        return tuple(replace(one, accepted=False) for one in self._reader.read(view, sightings, dice))


class HesitantTable:
    """A table that learns, and asks about every die all the same."""

    def __init__(self, table: PlayTable) -> None:
        self._table, self.learn, self.suspects = table, table.learn, table.suspects

    @property
    def reader(self) -> DieReader:
        return Hesitant(self._table.reader)


@pytest.mark.slow
def test_answers_are_learned_as_at_the_table_and_a_false_one_is_named(models: LoadedModels, tmp_path: Path) -> None:
    game = simulated_game("toss-up", 1, throws=6)
    table = table_of(game, models, tmp_path)
    played = play(game, models, HesitantTable(table), Answering(0.1, seed=3))
    learned = table.stores.played.lesson("toss-up").learned
    assert learned.answers == played.answers == played.score.asked
    assert all(throw.update_ms is not None for throw in played.throws)
    assert 0 < played.false < played.answers / 2
    assert played.named == played.false
    assert played.accused == 0


def test_readings_that_stood_are_learned_too(folder: Path, models: LoadedModels, tmp_path: Path) -> None:
    game = folder_game(folder)
    table = table_of(game, models, tmp_path)
    played = play(game, models, table, Answering())
    learned = table.stores.played.lesson("rollers").learned
    assert learned.answers == played.answers
    assert len(learned.dice) > learned.answers


def test_false_answers_leave_the_first_throw_as_it_is(folder: Path, models: LoadedModels) -> None:
    game = folder_game(folder)
    table = UntaughtTable(models.reader)
    true, false = (play(game, models, table, Answering(share)) for share in (0.0, 1.0))
    assert [one.score for one in true.throws] == [one.score for one in false.throws]
    assert (true.false, false.false) == (0, false.answers)


# The command


def test_the_command_prints_a_line_a_throw_and_a_summary_by_band(folder: Path) -> None:
    done = vander("bench", "first-game", str(folder), "--no-learning", "--json")
    assert done.returncode == 0, done.stderr
    *throws, last = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["throw"] for one in throws] == [1, 2, 3, 4]
    for key in ("dice", "asked", "wrong"):
        assert last["summary"]["1-5"][key] == last["summary"]["all"][key] == sum(one[key] for one in throws)
        assert last["summary"]["21-60"][key] == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("/nowhere",), "cannot be read"),
        (("--simulate", "chess"), "no simulated families of 'chess'"),
        ((), "there is nothing to play"),
    ],
)
def test_what_cannot_be_played_is_one_sentence_and_status_2(options: tuple[str, ...], says: str) -> None:
    done = vander("bench", "first-game", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_ruled_throw_holds_only_dice_that_were_thrown(folder: Path, models: LoadedModels) -> None:
    ruled = list[RuledThrow]()

    class Listening(UntaughtTable):
        def learn(self, throw: RuledThrow) -> float | None:
            ruled.append(throw)
            return None

    game = folder_game(folder)
    play(game, models, Listening(models.reader), Answering())
    assert [len(throw.dice) for throw in ruled] == [throw.lay.count(None) for throw in game.throws]
    assert all(one.lay is None for throw in ruled for one in throw.dice)
