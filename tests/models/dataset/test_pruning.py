"""When there is too much, what teaches least goes first."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from dataset_scenes import a_die, a_read, a_throw, felt, lay, opened

from models.dataset import FaceLabel, NewSample, Sample, SampleStore, is_near_duplicate
from models.dataset.pruning import FEWEST, is_hard, near_repeats, prune
from vision.rectification import RotatedSquare


def die(turned: float = 0.0, face: int = 3, seed: int = 0, edge: float = 32.0) -> NewSample:
    place = RotatedSquare(48.0, 48.0, edge, turned)
    return NewSample(lay(felt(seed=seed), place, face), place)


def test_the_same_die_in_another_grain_and_light_is_nearly_the_same() -> None:
    one, other = die().pixels, die(seed=5).pixels
    assert is_near_duplicate(one, one)
    assert is_near_duplicate(one, other)
    assert is_near_duplicate(one, (other * 0.7).astype("uint8"))


@pytest.mark.parametrize("other", [die(turned=15), die(turned=45), die(face=4), die(face=1), die(edge=26)])
def test_another_turn_or_face_is_not_nearly_the_same(other: NewSample) -> None:
    assert not is_near_duplicate(die().pixels, other.pixels)


def test_two_empty_tables_are_nearly_the_same_and_no_die_is() -> None:
    assert is_near_duplicate(felt() * 0, felt() * 0 + 90)
    assert not is_near_duplicate(felt() * 0, die().pixels)


def read_as(face: str, read: str, confidence: float = 0.99, *, turned: float = 0.0, accepted: bool = True) -> NewSample:
    return replace(a_die(face, turned=turned), read=a_read(read, confidence, accepted=accepted))


def kept(store: SampleStore, *dice: NewSample, how: str = "play") -> tuple[Sample, ...]:
    return tuple(
        sample for one in dice for sample in store.save(store.start_session("ours", how, "s"), "ours", None, [one])
    )


def test_what_was_misread_asked_about_or_corrected_is_hard(tmp_path: Path) -> None:
    right, wrong, asked, unsure, unread, waiting = kept(
        opened(tmp_path),
        read_as("pip-3", "pip-3"),
        read_as("pip-3", "pip-5"),
        read_as("pip-3", "pip-3", accepted=False),
        read_as("pip-3", "pip-3", 0.7),
        a_die("pip-3"),
        replace(a_die(labelled=False), read=a_read("pip-3")),
    )
    assert [is_hard(sample) for sample in (right, wrong, asked, unsure, unread, waiting)] == [
        False,
        True,
        True,
        True,
        False,
        True,
    ]
    assert right.label
    assert is_hard(replace(right, label=FaceLabel("d6", "pip-3", "corrected at the table", right.label.at)))


def test_a_picture_taken_again_is_a_repeat(tmp_path: Path) -> None:
    store = opened(tmp_path)
    first, again, turned, other = kept(
        store, a_die("pip-3"), a_die("pip-3", seed=4), a_die("pip-3", turned=40), a_die("pip-4")
    )
    assert near_repeats(store, store.samples()) == [again]
    assert {first, turned, other}.isdisjoint(near_repeats(store, store.samples()))


def test_the_frames_of_plain_dice_go_first(tmp_path: Path) -> None:
    store = opened(tmp_path)
    session = store.start_session("ours", "play")
    frame, dice = a_throw("pip-1", "pip-2")
    plain = store.save(session, "ours", frame, dice)
    hard_ones = store.save(session, "ours", frame, [dice[0], replace(dice[1], read=a_read("pip-6"))])
    assert prune(store, store.bytes_used_by("play") - 1000) == 1
    samples = store.samples()
    assert [sample.frame != "" for sample in samples] == [False, False, True, True]
    assert [sample.in_frame for sample in samples[:2]] == [None, None]
    assert [sample.name for sample in samples] == [sample.name for sample in (*plain, *hard_ones)]
    assert len(list(tmp_path.rglob("*.jpg"))) == 1
    assert SampleStore(tmp_path).samples() == samples


def test_repeats_go_before_plain_dice_and_plain_ones_before_hard_ones(tmp_path: Path) -> None:
    store = opened(tmp_path)
    plain = kept(store, *(read_as("pip-3", "pip-3", 0.95 + n / 1000, turned=30.0 + n * 13) for n in range(12)))
    alike = (replace(a_die("pip-3", seed=n, turned=30), read=a_read("pip-3", 0.91)) for n in range(9))
    repeat = kept(store, *alike)
    hard_ones = kept(store, *(read_as("pip-3", "pip-5", turned=33.0 + n * 8) for n in range(12)))
    gone: list[str] = []
    while prune(store, store.bytes_used_by("play") - 1):
        there = {sample.name for sample in store.samples()}
        gone += sorted({sample.name for sample in (*plain, *repeat, *hard_ones)} - there - set(gone))
    ranks = {sample.name: rank for rank, samples in enumerate((repeat, plain, hard_ones)) for sample in samples}
    order = [ranks[name] for name in gone]
    assert order == sorted(order)
    assert len(gone) == 33 - FEWEST
    assert {sample.name for sample in store.samples()} <= {sample.name for sample in hard_ones}


def test_no_face_falls_below_the_fewest_and_the_common_ones_go_first(tmp_path: Path) -> None:
    store = opened(tmp_path)
    kept(store, *(read_as("pip-3", "pip-3", turned=n * 3.7) for n in range(FEWEST + 9)))
    kept(store, *(read_as("pip-4", "pip-4", turned=n * 3.7) for n in range(FEWEST + 2)))
    kept(store, *(read_as("pip-6", "pip-1", turned=n * 3.7) for n in range(4)))
    kept(store, *(replace(a_die(labelled=False, turned=n * 30), read=a_read("pip-3")) for n in range(3)))
    assert prune(store, 0) > 0
    counts = Counter(sample.label.face if sample.label else "" for sample in store.samples())
    assert counts == {"pip-3": FEWEST, "pip-4": FEWEST, "pip-6": 4}
    assert prune(store, 0) == 0


def test_enough_room_costs_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    samples = kept(store, *(read_as("pip-3", "pip-3") for _ in range(30)))
    assert prune(store, store.bytes_used_by("play")) == 0
    assert store.samples() == samples


def test_no_more_goes_than_needs_to(tmp_path: Path) -> None:
    store = opened(tmp_path)
    kept(store, *(read_as("pip-3", "pip-3", turned=n * 3.7) for n in range(40)))
    most = store.bytes_used_by("play") * 3 // 4
    prune(store, most)
    assert most - 20_000 < store.bytes_used_by("play") <= most


def test_only_pictures_from_play_count_and_go(tmp_path: Path) -> None:
    store = opened(tmp_path)
    for how in ("guided", "import", "play"):
        frame, dice = a_throw("pip-1", "pip-2")
        session = store.start_session("ours", how, how)
        for _ in range(FEWEST + 2):
            store.save(session, "ours", frame, dice)
    played = sum(path.stat().st_size for path in (tmp_path / "sessions/play").glob("*s/*"))
    assert store.bytes_used_by("play") == played
    assert prune(store, played) == 0
    others = [sample for sample in store.samples() if sample.origin != "play"]
    assert prune(store, 0) > 0
    assert list(store.samples()) == others
    assert store.bytes_used_by("play") == 0
    assert all(store.frame(sample.name) is not None for sample in others)


def test_a_damaged_picture_stands_in_nobody_s_way(tmp_path: Path) -> None:
    store = opened(tmp_path)
    samples = kept(store, *(read_as("pip-3", "pip-3", turned=n * 3.7) for n in range(FEWEST + 5)))
    for sample in (samples[0], samples[7]):
        path = store.crop_path(sample.name)
        path.write_bytes(path.read_bytes()[:10])
    assert prune(store, 0) > 0
    left = store.samples()
    assert len(left) == FEWEST
    assert {samples[0], samples[7]}.isdisjoint(left)
    assert len(store.problems) == 2
