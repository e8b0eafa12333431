"""What is captured stays whole, whatever happens to the plug and the disk."""

import json
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from dataset_scenes import NOON, a_die, a_read, a_set, a_throw, opened

from models.dataset import (
    BadSampleStore,
    DatasetError,
    FaceLabel,
    NewSample,
    NoSuchCaptureSession,
    NoSuchSample,
    SampleStore,
)
from vision.die_crops import RotatedSquare


def test_what_was_kept_is_there_after_opening_again(tmp_path: Path) -> None:
    first = opened(tmp_path)
    shots = a_set(first, 2)
    again = SampleStore(tmp_path)
    assert again.shots() == shots
    assert len(shots) == 12
    assert {shot.frame for shot in shots} == {shot.name.rpartition("-")[0] for shot in shots}
    assert again.doubts == ()


def test_the_pictures_come_back_as_they_were(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    frame, dice = a_throw("pip-4", "pip-2")
    name = collection.begin("ours", "guided")
    first, second = collection.keep(name, "ours", frame, dice)
    assert np.array_equal(collection.pixels(first.name), dice[0].pixels)
    assert np.array_equal(collection.pixels(second.name), dice[1].pixels)
    kept = collection.frame(second.name)
    assert kept is not None
    assert kept.shape == frame.shape
    assert np.abs(kept.astype(int) - frame).mean() < 5
    assert second.in_frame == dice[1].in_frame


def test_a_die_tells_all_that_is_known_of_it(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    name = collection.begin("ours", "play")
    read = a_read("pip-2", 0.61, accepted=False)
    (shot,) = collection.keep(name, "ours", None, [replace(a_die("pip-3"), read=read)])
    assert shot == SampleStore(tmp_path).shot(shot.name)
    assert (shot.session, shot.die_set, shot.how, shot.frame, shot.in_frame) == (name, "ours", "play", "", None)
    assert shot.read == read
    assert shot.label == FaceLabel("d6", "pip-3", "guided capture", NOON)
    assert shot.taken_at > NOON
    assert collection.frame(shot.name) is None


def test_names_never_come_again(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    session = collection.begin("ours", "guided")
    (first,) = collection.keep(session, "ours", None, [a_die()])
    collection.discard([first.name])
    again = opened(tmp_path)
    again.begin("ours", "guided", session)
    (second,) = again.keep(session, "ours", None, [a_die()])
    assert first.name != second.name
    assert [shot.name for shot in again.shots()] == [second.name]


def test_a_picture_without_a_die_leaves_nothing(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    before = collection.used_bytes
    assert collection.keep(collection.begin("ours", "guided"), "ours", a_throw("pip-1")[0], []) == ()
    assert collection.used_bytes == before


def test_many_are_labelled_and_moved_at_once(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    session = collection.begin("ours", "play")
    shots = collection.keep(session, "ours", None, [a_die(labelled=False), a_die(labelled=False), a_die("pip-1")])
    collection.label([shot.name for shot in shots], "d6", "pip-6", "labelled from the queue")
    for found in (collection, SampleStore(tmp_path)):
        assert {shot.label and (shot.label.face, shot.label.by) for shot in found.shots()} == {
            ("pip-6", "labelled from the queue")
        }
    assert all(shot.label and shot.label.at > NOON and shot.label.at.tzinfo == UTC for shot in collection.shots())


def test_a_label_for_one_that_is_not_there_changes_none(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    (shot,) = collection.keep(collection.begin("ours", "play"), "ours", None, [a_die()])
    with pytest.raises(NoSuchSample, match="nobody"):
        collection.label([shot.name, "nobody"], "d6", "pip-6", "x")
    assert collection.shots() == (shot,)


def test_what_is_discarded_is_gone_with_its_pictures(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    frame, dice = a_throw("pip-1", "pip-2")
    one, other = collection.keep(collection.begin("ours", "guided"), "ours", frame, dice)
    collection.discard([one.name])
    assert collection.frame(other.name) is not None
    collection.discard([other.name])
    assert [*tmp_path.rglob("*.png"), *tmp_path.rglob("*.jpg")] == []
    assert SampleStore(tmp_path).shots() == collection.shots() == ()
    with pytest.raises(LookupError):
        collection.pixels(one.name)


def test_a_set_is_dropped_and_the_others_stay(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    a_set(collection)
    (other,) = collection.keep(collection.begin("theirs", "guided"), "theirs", None, [a_die()])
    collection.drop_set("ours")
    assert collection.shots() == SampleStore(tmp_path).shots() == (other,)
    assert sorted(path.name for path in (tmp_path / "sessions").iterdir()) == [other.session]


def test_two_faces_become_one_in_labels_and_readings(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    dice = [replace(a_die(face), read=a_read(face)) for face in ("pip-3", "pip-5", "pip-1")]
    collection.keep(collection.begin("ours", "guided"), "ours", None, dice)
    collection.keep(collection.begin("theirs", "guided"), "theirs", None, [a_die("pip-5")])
    collection.rename_face("ours", "d6", "pip-5", "pip-3")
    for found in (collection, SampleStore(tmp_path)):
        three, five, one = found.shots("ours")
        assert (three.label, three.read and three.read.face) == (
            FaceLabel("d6", "pip-3", "guided capture", NOON),
            "pip-3",
        )
        assert (five.label, five.read and five.read.face) == (three.label, "pip-3")
        assert one.label
        assert one.label.face == "pip-1"
        assert one.read
        assert one.read.runners_up == (("pip-3", 0.01),)
        assert [shot.label and shot.label.face for shot in found.shots("theirs")] == ["pip-5"]


def test_a_torn_last_line_is_dropped_wherever_it_is_torn(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    shots = a_set(collection)
    (lines,) = tmp_path.rglob("dice.jsonl")
    whole = lines.read_bytes()
    kept = whole[: whole[:-1].rfind(b"\n") + 1]
    for length in range(len(kept), len(whole)):
        lines.write_bytes(whole[:length])
        again = SampleStore(tmp_path)
        assert again.shots() == shots[:-1]
        assert again.doubts == ()
        assert lines.read_bytes() == kept


def test_a_torn_label_leaves_the_label_before(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    (shot,) = collection.keep(collection.begin("ours", "guided"), "ours", None, [a_die("pip-3")])
    (lines,) = tmp_path.rglob("dice.jsonl")
    before = len(lines.read_bytes())
    collection.label([shot.name], "d6", "pip-6", "corrected")
    whole = lines.read_bytes()
    for length in range(before, len(whole)):
        lines.write_bytes(whole[:length])
        assert SampleStore(tmp_path).shots() == (shot,)
    assert len(list(tmp_path.rglob("*.png"))) == 1


def test_going_on_after_a_torn_line_tears_no_other(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    shots = a_set(collection)
    (lines,) = tmp_path.rglob("dice.jsonl")
    with lines.open("ab") as file:
        file.write(b'{"name":"20261101-1200-a')
    collection.label([shots[0].name], "d6", "pip-6", "corrected")
    assert [shot.name for shot in SampleStore(tmp_path).shots()] == [shot.name for shot in shots]
    assert SampleStore(tmp_path).doubts == ()


def test_what_a_pulled_plug_left_half_written_is_swept(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    shots = a_set(collection)
    session = tmp_path / "sessions" / shots[0].session
    left = [
        tmp_path / "about.toml.part",
        session / "crops/20261101-1200-abc-0009-1.png.part",
        session / "crops/20261101-1200-abc-0009-1.png",
        session / "frames/20261101-1200-abc-0009.jpg",
        tmp_path / "coming-12345678/sessions/x/session.toml",
        tmp_path / "gone-20261101-1200-xyz/session.toml",
        tmp_path / "sessions/20261101-1300-xyz/session.toml.part",
    ]
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half")
    again = SampleStore(tmp_path)
    assert again.shots() == shots
    assert [path for path in left if path.exists()] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [".latch", "about.toml", "sessions"]
    assert len(list(session.rglob("*.png"))) == len(shots)
    assert again.doubts == ()


def test_pictures_are_not_swept_while_another_program_writes(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    with collection.coming() as place:
        SampleStore(tmp_path)
        assert place.exists()
    assert not place.exists()


def test_a_line_that_cannot_be_read_is_told_and_costs_no_other(tmp_path: Path) -> None:
    shots = a_set(opened(tmp_path))
    (lines,) = tmp_path.rglob("dice.jsonl")
    first, *rest = lines.read_text().splitlines(keepends=True)
    nan = first.replace('"light":0.4', '"light":NaN')
    assert nan != first
    for broken in ("not json\n", "[]\n", "{}\n", nan, '{"name":"../../x","gone":true}\n', "[" * 9000 + "\n"):
        lines.write_text("".join([broken, *rest]))
        again = SampleStore(tmp_path)
        assert again.shots() == shots[1:]
        (doubt,) = again.doubts
        assert "line 1" in doubt
        assert len(list(tmp_path.rglob("*.png"))) == len(shots)  # the first line's picture is not thrown away


def test_a_die_whose_picture_was_taken_away_is_told_and_left_out(tmp_path: Path) -> None:
    shots = a_set(opened(tmp_path))
    next(tmp_path.rglob(f"{shots[2].name}.png")).unlink()
    again = SampleStore(tmp_path)
    assert len(again.shots()) == len(shots) - 1
    (doubt,) = again.doubts
    assert "lacks 1" in doubt


@pytest.mark.parametrize("text", ["format = 2\n", "format =", "\x00"])
def test_a_collection_of_another_form_is_refused_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    (tmp_path / "about.toml").write_text(text)
    with pytest.raises(BadSampleStore, match=r"about\.toml"):
        SampleStore(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["about.toml"]


def test_a_file_is_no_collection(tmp_path: Path) -> None:
    (tmp_path / "captured").write_text("x")
    with pytest.raises(DatasetError, match="is no folder"):
        SampleStore(tmp_path / "captured")


def test_a_session_belongs_to_one_die_set(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    session = collection.begin("ours", "guided")
    with pytest.raises(DatasetError, match="not with theirs"):
        collection.keep(session, "theirs", None, [a_die()])
    with pytest.raises(DatasetError, match="begin another"):
        collection.begin("theirs", "guided", session)
    with pytest.raises(NoSuchCaptureSession, match="begin one"):
        collection.keep("20261101-1200-xyz", "ours", None, [a_die()])
    assert collection.begin("ours", "guided", session) == session


@pytest.mark.parametrize("name", ["../x", "a/b", "", "Über", "con", "x" * 61, "a\nb", "a:b", "-a"])
def test_a_face_needs_a_name_that_can_be_a_folder(tmp_path: Path, name: str) -> None:
    collection = opened(tmp_path)
    (shot,) = collection.keep(collection.begin("ours", "guided"), "ours", None, [a_die()])
    with pytest.raises(DatasetError, match="no name for a face"):
        collection.label([shot.name], "d6", name, "x")
    with pytest.raises(DatasetError, match="no name for a die set"):
        collection.begin(name, "guided")


def test_a_place_that_is_none_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    session = collection.begin("ours", "guided")
    bad = [
        RotatedSquare(float("nan"), 40, 30, 0),
        RotatedSquare(40, 40, 0, 0),
        RotatedSquare(40, float("inf"), 30, 0),
        RotatedSquare(400, 40, 30, 0),
    ]
    for place in bad:
        with pytest.raises(DatasetError):
            collection.keep(session, "ours", None, [a_die(), NewSample(a_die().pixels, place)])
    assert list(tmp_path.rglob("*.png")) == []


def test_a_small_picture_is_made_large_enough_for_any_program(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    small = a_die().pixels[36:60, 30:66]
    (shot,) = collection.keep(
        collection.begin("ours", "guided"), "ours", None, [NewSample(small, RotatedSquare(17.0, 11.0, 10.0, 0.0))]
    )
    kept = collection.pixels(shot.name)
    assert kept.shape == (32, 36, 3)
    assert np.array_equal(kept[:24], small)


def test_a_damaged_picture_is_named_and_left_out(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    damaged, other = collection.keep(collection.begin("ours", "guided"), "ours", *a_throw("pip-1", "pip-2"))
    path = collection.crop_path(damaged.name)
    path.write_bytes(path.read_bytes()[:10])
    assert [shot for shot, _ in collection.with_pixels(collection.shots())] == [other]
    assert collection.shots() == (other,)
    assert collection.doubts == (f"{path} is gone or damaged, so that this die is left out",)
    with pytest.raises(NoSuchSample, match="there is no picture"):
        collection.pixels(damaged.name)
    collection.label([other.name], "d6", "pip-6", "x")
    assert [shot.name for shot in collection.shots()] == [other.name]


def test_a_picture_that_another_program_threw_away_is_no_doubt(tmp_path: Path) -> None:
    one, other = opened(tmp_path), opened(tmp_path)
    (shot,) = one.keep(one.begin("ours", "guided"), "ours", None, [a_die()])
    known = other.shots()
    one.discard([shot.name])
    assert list(other.with_pixels(known)) == []
    assert other.doubts == ()


def test_another_program_s_dice_show_up(tmp_path: Path) -> None:
    one, other = opened(tmp_path), opened(tmp_path)
    session = one.begin("ours", "guided")
    (shot,) = one.keep(session, "ours", None, [a_die()])
    assert other.shots() == (shot,)
    other.label([shot.name], "d6", "pip-6", "x")
    assert one.shots()[0].label == other.shots()[0].label
    assert one.used_bytes == other.used_bytes == sum(p.stat().st_size for p in tmp_path.rglob("*") if p.is_file())
    other.drop_set("ours")
    assert one.shots() == ()


def test_many_threads_may_keep_at_once(tmp_path: Path) -> None:
    collection = opened(tmp_path)
    session = collection.begin("ours", "play")

    def keep() -> None:
        for _ in range(5):
            (shot,) = collection.keep(session, "ours", None, [a_die()])
            collection.label([shot.name], "d6", "pip-6", "x")

    threads = [threading.Thread(target=keep) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({shot.name for shot in collection.shots()}) == 20
    assert SampleStore(tmp_path).shots() == collection.shots()


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from dataset_scenes import a_throw, opened, a_set
from models.dataset import SaveFailed
from models.dataset.samples import format_line
folder = Path(sys.argv[1])
collection = opened(folder)
session = a_set(collection, 2)[-1].session
frame, dice = a_throw("pip-1", "pip-2", "pip-3")
collection.keep(session, "ours", frame, dice)
shots = collection.shots()
longest = max(path.stat().st_size for path in folder.rglob("dice.jsonl"))

def listed():
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

def refused(do):
    before = listed()
    try:
        do()
    except SaveFailed as error:
        assert isinstance(error, OSError) and str(error).count(". ") == 0, error
    else:
        return False
    assert collection.shots() == shots, "changed"
    assert listed() == before, listed().keys() ^ before.keys()
    return True

def labels_come():
    with collection.coming() as place:
        for shot in {shot.session: shot for shot in shots}.values():
            labels = place / "labels" / shot.session
            labels.mkdir(parents=True)
            (labels / "dice.jsonl").write_text(format_line(shot).replace("pip-3", "pip-6") + "\\n")

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
all_names = [shot.name for shot in shots]
deeds = {
    "keep": lambda: collection.keep(session, "ours", frame, dice),
    "begin": lambda: collection.keep(collection.begin("ours", "guided"), "ours", frame, dice),
    "label": lambda: collection.label(all_names, "d6", "pip-6", "x"),
    "discard": lambda: collection.discard(all_names),
    "labels come": labels_come,
    "rename": lambda: collection.rename_face("ours", "d6", "pip-1", "pip-6"),
    "thin": lambda: collection.thin(0, how="guided"),
}
for most in (1, 500, 2000, longest + 10, 6000, 18000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    tried = deeds if most <= longest + 10 else ("keep", "begin")
    print(*(name for name in tried if refused(deeds[name])), sep=", ")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert opened(folder).shots() == shots
deeds["keep"]()
"""


def test_a_full_disk_is_one_sentence_and_changes_nothing(tmp_path: Path) -> None:
    """The system refuses to let any file grow beyond some bytes, as a full disk would, at each of several points."""
    here = Path(__file__)
    ran = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-W", "error", "-c", FULL_DISK, str(tmp_path), str(here.parent)],
        cwd=here.parents[3], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    every, new = ["keep", "begin", "label", "discard", "labels come", "rename", "thin"], ["keep", "begin"]
    assert [line.split(", ") for line in ran.stdout.splitlines()] == [every] * 4 + [new] * 2


def test_the_order_is_that_of_taking(tmp_path: Path) -> None:
    late, early = opened(tmp_path, NOON + timedelta(days=1)), opened(tmp_path, datetime(2026, 1, 1, tzinfo=UTC))
    (second,) = late.keep(late.begin("ours", "guided", "a"), "ours", None, [a_die()])
    (first,) = early.keep(early.begin("ours", "guided", "b"), "ours", None, [a_die()])
    many = early.keep("b", "ours", None, [a_die()] * 11)
    assert early.shots() == late.shots() == (first, *many, second)


def test_lines_are_what_the_documentation_shows(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs/captured.md").read_text("utf-8")
    shot = a_set(opened(tmp_path))[0]
    (lines,) = tmp_path.rglob("dice.jsonl")
    written = json.loads(lines.read_text().splitlines()[0])
    example = next(line for line in page.splitlines() if line.startswith('{"name":'))
    assert list(json.loads(example)) == list(written)
    for part in ("read", "label"):
        assert list(json.loads(example)[part]) == list(written[part])
    assert shot.name == written["name"]
