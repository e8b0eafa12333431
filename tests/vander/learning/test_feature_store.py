"""What was learned in play is on disk whole or not at all, without pictures, and what is sound of it is read back."""

from __future__ import annotations

import json
import stat
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from learned import SIZES, all_of, learned, shows
from showing import files, full_disk

from models.dataset import SaveFailed
from vander.learning.learned_dice import LARGEST, AskedThrow, FeatureStore, LearnedDice, LearnedDie, StoredFeatures

NAME = "intersection"


def store(folder: Path, reader: str = "reader-7") -> FeatureStore:
    return FeatureStore(folder / "features", reader, SIZES)


def path(folder: Path) -> Path:
    return folder / "features" / f"{NAME}.jsonl"


def alike(one: LearnedDie, other: LearnedDie) -> bool:
    """Whether both are the same to the last bit."""
    rows = [
        (die.example.features.embedding, die.example.features.class_probabilities, die.example.features.body)
        for die in (one, other)
    ]
    same_rows = all(np.array_equal(row, as_read) for row, as_read in zip(*rows, strict=True))
    nothing = one.example.features
    bare = [replace(die, example=replace(die.example, features=nothing)) for die in (one, other)]
    return same_rows and vars(bare[0].example) == vars(bare[1].example) and str(bare[0]) == str(bare[1])


def kept(folder: Path, *dice: LearnedDie) -> StoredFeatures:
    """What is read back of dice that were added one by one."""
    for die in dice:
        store(folder).append(NAME, [die])
    return store(folder).load(NAME)


def test_nothing_is_known_of_dice_that_nobody_played_with(tmp_path: Path) -> None:
    assert store(tmp_path).load(NAME).learned.dice == ()
    assert files(tmp_path) == []


def test_what_was_learned_is_read_back_to_the_last_bit(tmp_path: Path) -> None:
    dice = (
        learned(1),
        replace(learned(2, "two", stood=True, hardness=0.25), looked_at=True),
        replace(learned(3), before=shows("two")),
    )
    found = kept(tmp_path, *dice)
    assert all(map(alike, found.learned.dice, dice))
    assert store(tmp_path).names() == (NAME,)


def test_only_its_owner_may_read_it_and_it_holds_no_picture(tmp_path: Path) -> None:
    kept(tmp_path, learned(1))
    assert stat.S_IMODE(path(tmp_path).stat().st_mode) == 0o600
    assert stat.S_IMODE(path(tmp_path).parent.stat().st_mode) == 0o700
    assert path(tmp_path).stat().st_size < 2000


def test_a_later_line_about_the_same_die_replaces_the_earlier(tmp_path: Path) -> None:
    found = kept(tmp_path, learned(1, "sad"), learned(1, "happy"))
    assert [(die.label, die.before) for die in found.learned.dice] == [(shows("happy"), shows("sad"))]


def test_throws_are_counted_over_a_restart_and_a_rewrite(tmp_path: Path) -> None:
    expected = LearnedDice()
    for number in range(40):
        store(tmp_path).append(NAME, [], [AskedThrow(6, number % 4)])
        expected = expected.with_throw(AskedThrow(6, number % 4))
    assert store(tmp_path).load(NAME).learned.asked == expected.asked
    store(tmp_path).write(NAME, expected)
    store(tmp_path).append(NAME, [], [AskedThrow(6, 1)])
    assert store(tmp_path).load(NAME).learned.asked == expected.with_throw(AskedThrow(6, 1)).asked


def test_what_is_written_again_holds_nothing_of_what_was_taken_back(tmp_path: Path) -> None:
    found = kept(tmp_path, learned(1), learned(2)).learned
    store(tmp_path).write(NAME, found.without(learned(1).origin))
    assert learned(1).origin not in path(tmp_path).read_text()
    assert [die.origin for die in store(tmp_path).load(NAME).learned.dice] == [learned(2).origin]


def test_all_that_was_learned_is_deleted(tmp_path: Path) -> None:
    kept(tmp_path, learned(1))
    store(tmp_path).set_aside(NAME)
    store(tmp_path).delete(NAME)
    assert files(tmp_path) == []


def test_what_another_reader_described_is_counted_and_not_used(tmp_path: Path) -> None:
    store(tmp_path, "reader-6").append(NAME, [learned(1), learned(2)])
    found = kept(tmp_path, learned(3))
    assert ([die.origin for die in found.learned.dice], found.outdated) == ([learned(3).origin], 2)


def test_a_line_that_a_power_cut_left_unfinished_is_as_if_never_written(tmp_path: Path) -> None:
    kept(tmp_path, learned(1), learned(2))
    whole = path(tmp_path).read_bytes()
    for cut in (1, 40, len(whole) // 2 - 2):
        path(tmp_path).write_bytes(whole[:-cut])
        found = store(tmp_path).load(NAME)
        assert ([die.origin for die in found.learned.dice], found.unreadable) == ([learned(1).origin], 0)
    store(tmp_path).append(NAME, [learned(3)])
    assert len(store(tmp_path).load(NAME).learned.dice) == 2


def broken(line: str, **changed: object) -> str:
    """A line with something else in its die, and a check sum that fits."""
    record = json.loads(line[9:])
    record["die"].update(changed)
    text = json.dumps(record)
    return f"{zlib.crc32(text.encode()):08x} {text}\n"


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line.replace("run-1-2-1", "run-1-9-1"),
        lambda line: line[:200] + "A" + line[201:],
        lambda line: "\n",
        lambda line: "\x00" * 300 + "\n",
        lambda line: "00000000 {}\n",
        lambda line: f"{zlib.crc32(b'[1]'):08x} [1]\n",
        lambda line: f"{zlib.crc32(b'{}'):08x} {{}}\n",
        lambda line: broken(line, embedding="AAAA"),
        lambda line: broken(line, embedding="not base 64"),
        lambda line: broken(line, embedding=None),
        lambda line: broken(line, classes=""),
        lambda line: broken(line, weight=0),
        lambda line: broken(line, weight=7),
        lambda line: broken(line, weight="NaN"),
        lambda line: broken(line, label=["traffic"]),
        lambda line: broken(line, label=None),
    ],
)
def test_of_a_damaged_file_what_is_sound_is_read(tmp_path: Path, damage: object) -> None:
    kept(tmp_path, learned(1), learned(2), learned(3))
    first, second, third = path(tmp_path).read_text().splitlines(keepends=True)
    assert callable(damage)
    path(tmp_path).write_text(first + damage(second) + third)
    found = store(tmp_path).load(NAME)
    assert ([die.origin for die in found.learned.dice], found.unreadable) == ([learned(1).origin, learned(3).origin], 1)


@pytest.mark.parametrize("contents", [b"", b"\n", b"\xff\xfe\n" * 5, b"{" * 100_000 + b"\n"])
def test_a_file_of_nonsense_is_nothing_that_was_learned(tmp_path: Path, contents: bytes) -> None:
    path(tmp_path).parent.mkdir()
    path(tmp_path).write_bytes(contents)
    assert store(tmp_path).load(NAME).learned.dice == ()


def test_a_file_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    path(tmp_path).parent.mkdir()
    with path(tmp_path).open("wb") as file:
        file.truncate(LARGEST + 1)
    assert store(tmp_path).load(NAME).unreadable == 1


def test_a_damaged_file_is_copied_next_to_itself(tmp_path: Path) -> None:
    kept(tmp_path, learned(1))
    store(tmp_path).set_aside(NAME)
    assert files(tmp_path) == [f"features/{NAME}.damaged.jsonl", f"features/{NAME}.jsonl"]
    assert store(tmp_path).names() == (NAME,)


def test_on_a_full_disk_the_file_stays_as_it_was(tmp_path: Path) -> None:
    found = kept(tmp_path, learned(1)).learned
    before = path(tmp_path).read_bytes()
    with full_disk(len(before) + 100):
        with pytest.raises(SaveFailed, match="what was learned of intersection cannot be kept"):
            store(tmp_path).append(NAME, [learned(2)])
        with pytest.raises(SaveFailed):
            store(tmp_path).write(NAME, all_of(*found.dice, learned(2), learned(3)))
    assert path(tmp_path).read_bytes() == before
    assert files(tmp_path) == [f"features/{NAME}.jsonl"]
