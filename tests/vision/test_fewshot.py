"""What a few pictures tell of any other: probabilities, held against the formula written out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown_faces import a_plda, an_example, face_places, faces_shown, likely, pictures_of, places

from referee.dice import DieKind, DieSet, Face, FaceName, KindName
from vision.classification import Reader
from vision.fewshot import UNKNOWN_PRIOR, Floats, Lesson, PldaModel
from vision.model_file import BrokenModel

SPREAD = (90.0, 30.0, 4.0)
WEIGHTS = Path(__file__).parents[2] / "models/weights"
temperatures = st.floats(0.5, 40.0)


def written_out(place: Floats, shown: Sequence[Floats], temperature: float) -> Floats:
    """The probabilities by the joint distribution of all pictures of a face: 1 + s on its diagonal, s beside it."""

    def log_of_all(pictures: Floats, spread: float) -> float:
        count = len(pictures)
        if not count:
            return 0.0
        together = np.eye(count) + spread * np.ones((count, count))
        _, logarithm = np.linalg.slogdet(together)
        return float(-0.5 * (pictures @ np.linalg.inv(together) @ pictures + logarithm))

    def log_of_one_more(face: Floats) -> float:
        more = np.vstack([face.reshape(-1, len(SPREAD)), place])
        return sum(log_of_all(more[:, k], s) - log_of_all(more[:-1, k], s) for k, s in enumerate(SPREAD))

    logs = np.array([log_of_one_more(face) for face in (*shown, np.empty((0, len(SPREAD))))]) / temperature
    weighed = np.exp(logs - logs.max()) * [*[(1 - UNKNOWN_PRIOR) / len(shown)] * len(shown), UNKNOWN_PRIOR]
    return np.asarray(weighed / weighed.sum())


@given(faces_shown, st.lists(places, min_size=1, max_size=3), temperatures)
@settings(max_examples=60, deadline=None)
def test_probabilities_are_those_of_the_formula_and_sum_to_one(
    shown: list[Floats], seen: list[Floats], temperature: float
) -> None:
    found = likely(a_plda(SPREAD), np.array(seen), shown, temperature)
    assert found.shape == (len(seen), len(shown) + 1)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(seen)))
    assert found.min() >= 0
    for row, place in zip(found, seen, strict=True):
        assert row == pytest.approx(written_out(place, shown, temperature), abs=1e-6)


@given(faces_shown, places, temperatures, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_examples_does_not_matter(
    shown: list[Floats], seen: Floats, temperature: float, chance: Random
) -> None:
    examples = [an_example(place, f"face-{n}") for n, face in enumerate(shown) for place in face]
    shuffled = chance.sample(examples, len(examples))
    tellings = []
    for one in (examples, shuffled):
        lesson = Lesson.from_examples(a_plda(SPREAD, temperature), one)
        (found,) = lesson.probabilities(seen[None])
        tellings.append(dict(zip((*lesson.faces, None), found, strict=True)))
    assert tellings[0] == pytest.approx(tellings[1], abs=1e-9)


@given(faces_shown, places, temperatures, st.data())
@settings(max_examples=60, deadline=None)
def test_a_further_place_of_a_face_makes_its_like_likelier(
    shown: list[Floats], seen: Floats, temperature: float, data: st.DataObject
) -> None:
    face = data.draw(st.integers(0, len(shown) - 1))
    more = [np.vstack([one, seen]) if n == face else one for n, one in enumerate(shown)]
    plda = a_plda(SPREAD)
    before, after = (likely(plda, seen[None], one, temperature)[0] for one in (shown, more))
    assert after[face] >= before[face] - 1e-12
    assert all(after[n] <= before[n] + 1e-12 for n in range(len(before)) if n != face)


@given(st.integers(1, 20), st.integers(1, 12), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_what_lies_far_from_every_face_is_unknown(faces: int, each: int, seed: int) -> None:
    lesson = Lesson.from_examples(a_plda(), pictures_of(face_places(faces, seed), each, seed=seed))
    away = np.random.default_rng(seed).normal(size=6)
    (found,) = lesson.probabilities(1000 * away[None] / np.linalg.norm(away))
    assert found[-1] > 0.99


def test_its_own_pictures_are_likeliest_of_each_face() -> None:
    faces = face_places(20)
    lesson = Lesson.from_examples(a_plda(), pictures_of(faces, 3))
    assert lesson.probabilities(faces).argmax(axis=1).tolist() == list(range(20))


def test_the_same_picture_twice_tells_no_nonsense() -> None:
    place = face_places(1)[0]
    lesson = Lesson.from_examples(
        a_plda(), [an_example(place, "sun"), an_example(place, "sun"), an_example(-place, "moon")]
    )
    found = lesson.probabilities(np.array([place, -place]))
    assert np.isfinite(found).all()
    assert found.argmax(axis=1).tolist() == [0, 1]


def test_a_face_that_was_never_shown_is_never_seen() -> None:
    place = face_places(1)[0]
    ((never, shown, _),) = likely(a_plda(), place[None], [np.empty((0, 6)), place[None]], 1.0)
    assert never == 0
    assert shown == pytest.approx(likely(a_plda(), place[None], [place[None]], 1.0)[0, 0])
    assert likely(a_plda(), place[None], [np.empty((0, 6))], 1.0).tolist() == [[0.0, 1.0]]


def test_where_nothing_was_learned_all_faces_are_unknown() -> None:
    assert Lesson.from_examples(a_plda(), []).probabilities(face_places(2)).tolist() == [[1.0], [1.0]]


def test_the_more_of_a_set_was_not_learned_the_likelier_is_an_unknown_face() -> None:
    faces = face_places(6)
    lesson = Lesson.from_examples(a_plda(), pictures_of(faces[:4], 2, names=["sun", "moon", "star", "boat"]))
    far = 0.8 * faces[:1]
    told = [
        lesson.unknown_prior(a_set(*sides))
        for sides in (["sun", "moon"], ["sun", "eye"], ["sun", "eye", "eye"], ["eye"])
    ]
    assert told == pytest.approx([UNKNOWN_PRIOR, 1 / 2, 2 / 3, 1 - UNKNOWN_PRIOR])
    strange = [float(lesson.probabilities(far, unknown_prior)[0, -1]) for unknown_prior in told]
    assert strange == sorted(strange)
    assert strange[0] < strange[-1]


def a_set(*sides: str) -> DieSet:
    """Dice of one kind with these sides."""
    kind = DieKind(KindName("d6"), "Die", tuple(Face(FaceName(side), side) for side in sides))
    return DieSet("ours", "Our dice", ((kind, 3),), 16.0)


def test_a_higher_temperature_is_less_sure() -> None:
    faces = face_places(4)
    lesson = Lesson.from_examples(a_plda(), pictures_of(faces, 2))
    sure, unsure = (likely(lesson.plda, faces, lesson.embeddings, t).max(axis=1).mean() for t in (1.0, 100.0))
    assert sure > unsure


def test_features_are_projected_by_the_plda_model() -> None:
    rng = np.random.default_rng(0)
    plda = PldaModel(rng.normal(size=9), rng.normal(size=(9, 4)), np.array([8.0, 5.0, 3.0, 2.0]), 2.0, 0.6, "reader 7")
    features = rng.normal(size=(5, 9)).astype(np.float32)
    places = plda.project(features)
    assert places == pytest.approx((features - plda.mean) @ plda.projection)
    lesson = Lesson.from_examples(plda, [an_example(place, f"face-{n % 2}") for n, place in enumerate(places)])
    assert lesson.probabilities_of(features) == pytest.approx(lesson.probabilities(places))
    assert (lesson.temperature, lesson.accept_from) == (2.0, 0.6)


def kept(folder: Path, contents: bytes) -> Path:
    """A file with a card that describes it."""
    file = folder / "space.npz"
    file.write_bytes(contents)
    file.with_suffix(".toml").write_text(f'sha256 = "{hashlib.sha256(contents).hexdigest()}"\n')
    return file


def test_a_plda_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    plda = a_plda(temperature=25.8, accept_from=0.504)
    plda.save(tmp_path / "written.npz")
    again = PldaModel.load(kept(tmp_path, (tmp_path / "written.npz").read_bytes()))
    assert (again.temperature, again.accept_from, again.reader) == (25.8, 0.504, "reader 7")
    for name in ("mean", "projection", "between_variance"):
        assert np.array_equal(getattr(again, name), getattr(plda, name))


def cut(contents: bytes) -> bytes:
    return contents[: len(contents) // 2]


def with_a_wrong_byte(contents: bytes) -> bytes:
    return contents.replace(b"temperature", b"temperament")


@pytest.mark.parametrize("spoil", [cut, with_a_wrong_byte, lambda _: b"", lambda _: b"no space at all"])
def test_a_damaged_plda_model_is_refused_in_one_sentence(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    a_plda().save(tmp_path / "whole.npz")
    with pytest.raises(BrokenModel, match=r"space\.npz cannot be loaded") as broken:
        PldaModel.load(kept(tmp_path, spoil((tmp_path / "whole.npz").read_bytes())))
    assert "\n" not in str(broken.value)


def test_a_plda_model_that_its_card_does_not_describe_is_refused(tmp_path: Path) -> None:
    file = kept(tmp_path, b"as described")
    file.write_bytes(b"otherwise")
    with pytest.raises(BrokenModel, match="sha256"):
        PldaModel.load(file)


def test_the_plda_model_that_ships_was_measured_with_the_reader_that_ships() -> None:
    plda, reader = PldaModel.load(WEIGHTS / "space.npz"), Reader(WEIGHTS / "reader.onnx")
    assert reader.version.startswith(plda.reader)
    assert len(plda.reader) >= 8
    assert plda.projection.shape == (len(plda.mean), len(plda.between_variance))
    assert (plda.between_variance > 0).all()
    assert 0.5 <= plda.accept_from < 1
