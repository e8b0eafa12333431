"""How the features scatter, and how well a few pictures teach: what of it needs neither PyTorch nor MuJoCo."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.synthetic.canvas import Style
from models.synthetic.novel_symbols import draw_novel
from models.training import fewshot_training, picture_dataset
from models.training.fewshot_training import (
    MAX_SILENT_ERRORS,
    MIN_EXAMPLES,
    Episode,
    FewshotScore,
    FoundDie,
    calibrate_plda,
    episodes,
    fit_plda,
    style_of,
)
from models.training.lying_dice import TrueDie
from models.training.picture_dataset import StoredPicture
from referee.dice import FaceName
from vision.classification import Reader
from vision.detection import Finder
from vision.fewshot import Lesson, PldaModel
from vision.observations import DieSighting, Posture

WEIGHTS = Path(__file__).parents[3] / "models/weights"
SIZE = 6
WIDE = np.array([40.0, 25.0, 12.0, 6.0, 3.0, 1.0])
FACES = ("sun", "paw", "boat", "eye")


def met_die(face: str, features: np.ndarray | None, *, style: str = "r0001-1", picture: int = 0) -> FoundDie:
    """A die of a picture, with these features, or one that the finder did not find."""
    truth = TrueDie(face, f"{face}/{style}", 50.0, 50.0, 20.0, 0.0, "flat", True)
    sighting = DieSighting(50, 50, 20, 0, Posture.FLAT, 0.9, 50, 50, 20) if features is not None else None
    return FoundDie(picture, style, truth, sighting, features)


def met_often(styles: int = 12, times: int = 8, scatter: float = 1.0, seed: int = 0) -> list[FoundDie]:
    """Looks of FACES, each met so many times: faces are spread by WIDE, their pictures by `scatter`."""
    rng = np.random.default_rng(seed)
    found = []
    for style in range(styles):
        for face in FACES:
            place = rng.normal(size=SIZE) * np.sqrt(WIDE)
            for _ in range(times):
                features = (place + rng.normal(size=SIZE) * scatter).astype(np.float32)
                found.append(met_die(face, features, style=f"r{style:04d}-1", picture=len(found)))
    return found


def test_a_style_is_what_a_dies_faces_have_in_common() -> None:
    drawings = ("sun/r0001-1", "paw/r0001-1", "two/ring+hollow/r0002-3")
    assert [style_of(TrueDie("sun", drawing, 0, 0, 1, 0, "flat", True)) for drawing in drawings] == [
        "r0001-1",
        "r0001-1",
        "r0002-3",
    ]


def test_the_scatter_that_was_put_in_is_measured() -> None:
    plda = fit_plda(met_often(styles=200, times=10), "reader 7")
    assert plda.between_variance == pytest.approx(np.sort(WIDE), rel=0.3)
    assert (plda.temperature, plda.accept_from, plda.reader) == (1.0, 0.0, "reader 7")


@given(st.integers(0, 1000), st.floats(0.2, 5))
@settings(max_examples=20, deadline=None)
def test_among_the_directions_pictures_scatter_by_one_and_faces_apart_from_one_another(
    seed: int, scatter: float
) -> None:
    met = met_often(styles=15, scatter=scatter, seed=seed)
    plda = fit_plda(met, "reader 7")
    by_drawing: dict[str, list[np.ndarray]] = {}
    for one in met:
        by_drawing.setdefault(one.truth.drawing, []).append(plda.project(one.features[None])[0])
    within = np.mean([np.cov(np.array(places).T) for places in by_drawing.values()], axis=0)
    between = np.cov(np.array([np.mean(places, axis=0) for places in by_drawing.values()]).T) - within / 8
    assert np.diag(within) == pytest.approx(np.ones(SIZE), abs=0.25)
    assert np.abs(within - np.diag(np.diag(within))).max() < 0.15
    assert np.diag(between) == pytest.approx(plda.between_variance, rel=0.15, abs=0.15)
    assert list(plda.between_variance) == sorted(plda.between_variance)


def test_what_was_met_too_seldom_or_not_found_says_nothing_of_scatter() -> None:
    met = met_often()
    rng = np.random.default_rng(5)
    seldom = [met_die("heart", rng.normal(size=SIZE) * 99, style="r0099-1") for _ in range(MIN_EXAMPLES - 1)]
    unfound = [met_die("sun", None) for _ in range(5)]
    one, other = fit_plda(met, "reader 7"), fit_plda([*met, *seldom, *unfound], "reader 7")
    assert np.array_equal(one.projection, other.projection)
    assert np.array_equal(one.between_variance, other.between_variance)


@given(st.integers(1, 9), st.integers(0, 20))
@settings(max_examples=30, deadline=None)
def test_what_is_taught_is_never_read_afterwards_and_nothing_is_lost(shown: int, seed: int) -> None:
    met = met_often(styles=3, times=8)
    found = episodes(met, shown, seed)
    assert len(found) == (3 if shown < 8 else 0)
    for episode in found:
        assert Counter(one.truth.face for one in episode.support) == dict.fromkeys(FACES, shown)
        assert not {id(one) for one in episode.support} & {id(one) for one in episode.query}
        assert len(episode.support) + len(episode.query) == 32
        assert len({one.style for one in (*episode.support, *episode.query)}) == 1
        assert set(episode.faces) == set(FACES)


def test_a_die_of_which_too_few_faces_are_met_is_not_taught() -> None:
    met = [one for one in met_often(styles=1) if one.truth.face in ("sun", "paw")]
    assert episodes(met, 5) == []
    assert episodes([], 5) == []


def test_dice_that_the_finder_missed_are_not_taught_but_are_to_be_read() -> None:
    met = [*met_often(styles=1, times=6), *(met_die(face, None, style="r0000-1") for face in FACES)]
    (episode,) = episodes(met, 6)
    assert all(one.features is not None for one in episode.support)
    assert [one.sighting for one in episode.query] == [None] * 4


def test_the_pictures_of_a_face_are_divided_among_sessions() -> None:
    (episode,) = episodes(met_often(styles=1), 5)
    examples = episode.examples(a_plda())
    for face in FACES:
        own = [one.session for one in examples if one.label[1] == face]
        assert Counter(own) == {"session 0": 2, "session 1": 2, "session 2": 1}
    assert len({one.moment for one in examples}) == 20


def a_plda(temperature: float = 1.0) -> PldaModel:
    return PldaModel(np.zeros(SIZE), np.eye(SIZE), WIDE, temperature, 0.5, "reader 7")


def test_an_episode_tells_a_lesson_its_faces() -> None:
    (episode,) = episodes(met_often(styles=1), 5)
    lesson = Lesson.from_examples(a_plda(), episode.examples(a_plda()))
    assert {face for _, face in lesson.faces} == {FaceName(face) for face in FACES}


def test_pictures_that_scatter_more_than_was_measured_ask_for_a_higher_temperature() -> None:
    calm, wild = (calibrate_plda(a_plda(), met_often(styles=10, scatter=scatter)) for scatter in (1.0, 3.0))
    assert calm.temperature < wild.temperature
    assert 0.5 <= calm.accept_from <= wild.accept_from <= 0.999


def test_the_threshold_lets_through_what_is_wrong_as_seldom_as_is_allowed() -> None:
    outcomes = [*[(0.99, True)] * 1990, *((0.9 - 0.01 * n, False) for n in range(10))]
    allowed = int(MAX_SILENT_ERRORS * len(outcomes))
    least = fewshot_training._threshold(outcomes)
    assert sum(sure >= least and not right for sure, right in outcomes) == allowed
    assert fewshot_training._threshold([(0.9, True)] * 10) == 0.5
    assert fewshot_training._threshold([(1.0, False)] * 10) == 0.999


def test_a_score_is_told_in_shares_with_their_intervals() -> None:
    told = str(FewshotScore(5, 12, 100, 98, 90, 3, ("sun/x as paw",)))
    assert told.startswith("12 styles, 5 examples of each face\n")
    assert "right of the accepted: 89 of 90 = 98.89 %" in told
    assert "asked about: 8 of 98 = 8.16 %" in told
    assert "of these for what they show: 5 of 98" in told
    assert "found: 98 of 100 = 98.00 % (95 % interval" in told


def test_the_card_says_what_the_plda_model_was_chosen_on() -> None:
    met = met_often(styles=3)
    told = fewshot_training.card(met, a_plda(2.5))
    assert (told["temperature"], told["accept_from"], told["reader"], told["directions"]) == (2.5, 0.5, "reader 7", 6)
    assert str(told["chosen_on"]).startswith("96 dice of 3 styles, 12 drawings")


# ── with the real finder and reader ──────────────────────────────────────────────────────────────────────────────────

STYLE = Style("white", (244, 244, 244), (20, 20, 20), (250, 250, 250))


def a_picture(folder: Path, number: int, symbols: tuple[str, ...]) -> dict[str, object]:
    """A picture of dice of 64 pixels in a row, each turned otherwise, and its truth."""
    rng = np.random.default_rng(number)
    picture = rng.normal(70, 3, (320, 160 * len(symbols), 3)).clip(0, 255).astype(np.uint8)
    dice = []
    for n, symbol in enumerate(symbols):
        art = draw_novel(FaceName(f"strange-{symbol}"), "solid", STYLE, 64, rng).pixels
        x, y, turned = 80.0 + 160 * n, 160.0 + 20 * (number % 3), float((17 * number + 30 * n) % 90)
        turn = cv2.getRotationMatrix2D((31.5, 31.5), -turned, 1.0)
        turn[:, 2] += x - 31.5, y - 31.5
        cv2.warpAffine(art, turn, picture.shape[1::-1], picture, borderMode=cv2.BORDER_TRANSPARENT)
        dice.append(asdict(TrueDie(symbol, f"{symbol}/r0001-1", x, y, 64.0, turned, "flat", True)))
    dice.append({**dice[0], "x": 30.0, "y": 30.0, "clear": False})
    cv2.imwrite(str(folder / f"{number}.png"), picture)
    return {"file": f"{number}.png", "dice": dice}


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> list[StoredPicture]:
    folder = tmp_path_factory.mktemp("pictures")
    rows = [a_picture(folder, number, FACES) for number in range(7)]
    (folder / "truth-0000.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return picture_dataset.load_pictures(folder)


@pytest.fixture(scope="module")
def met(drawn: list[StoredPicture], finder: Finder, reader: Reader) -> list[FoundDie]:
    return fewshot_training.find_dice(drawn, finder, reader)


def test_every_clear_die_is_sighted_once(met: list[FoundDie]) -> None:
    assert len(met) == 28
    assert {one.style for one in met} == {"r0001-1"}
    seen = [one for one in met if one.features is not None]
    assert len(seen) >= 24
    assert all(abs(one.truth.x - one.sighting.x) < 10 for one in seen if one.sighting)
    assert np.linalg.norm([one.features for one in seen], axis=1) == pytest.approx(np.ones(len(seen)), abs=1e-4)


def test_dice_that_were_never_trained_on_are_taught_and_read(
    drawn: list[StoredPicture], met: list[FoundDie], reader: Reader
) -> None:
    scored = fewshot_training.score(drawn, met, reader, PldaModel.load(WEIGHTS / "space.npz"), 4)
    assert (scored.shots, scored.styles, scored.dice) == (4, 1, 12)
    assert scored.wrong == ()
    assert scored.accepted >= 9
    assert scored.found >= 10


def test_dice_that_were_not_found_count_as_not_found(
    drawn: list[StoredPicture], met: list[FoundDie], reader: Reader
) -> None:
    blind = [replace(one, sighting=None, features=None) if one.picture == 6 else one for one in met]
    scored = fewshot_training.score(drawn, blind, reader, PldaModel.load(WEIGHTS / "space.npz"), 4)
    assert scored.dice - scored.found >= 4


def test_an_episode_is_read_with_the_dice_that_lie_there(
    drawn: list[StoredPicture], met: list[FoundDie], reader: Reader
) -> None:
    (episode,) = episodes(met, 4)
    assert isinstance(episode, Episode)
    read = list(fewshot_training._read(drawn, episode, reader))
    assert [one for one, _ in read] == sorted(
        episode.query, key=lambda one: [k.picture for k in episode.query].index(one.picture)
    )
    assert all(reading is None or not reading.accepted for _, reading in read)
