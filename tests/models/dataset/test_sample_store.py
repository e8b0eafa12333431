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
from vision.rectification import RotatedSquare


def test_what_was_kept_is_there_after_opening_again(tmp_path: Path) -> None:
    first = opened(tmp_path)
    samples = a_set(first, 2)
    again = SampleStore(tmp_path)
    assert again.samples() == samples
    assert len(samples) == 12
    assert {sample.frame for sample in samples} == {sample.name.rpartition("-")[0] for sample in samples}
    assert again.problems == ()


def test_the_pictures_come_back_as_they_were(tmp_path: Path) -> None:
    store = opened(tmp_path)
    frame, dice = a_throw("pip-4", "pip-2")
    name = store.start_session("ours", "guided")
    first, second = store.save(name, "ours", frame, dice)
    assert np.array_equal(store.pixels(first.name), dice[0].pixels)
    assert np.array_equal(store.pixels(second.name), dice[1].pixels)
    kept = store.frame(second.name)
    assert kept is not None
    assert kept.shape == frame.shape
    assert np.abs(kept.astype(int) - frame).mean() < 5
    assert second.in_frame == dice[1].in_frame


def test_a_die_tells_all_that_is_known_of_it(tmp_path: Path) -> None:
    store = opened(tmp_path)
    name = store.start_session("ours", "play")
    read = a_read("pip-2", 0.61, accepted=False)
    (sample,) = store.save(name, "ours", None, [replace(a_die("pip-3"), read=read)])
    assert sample == SampleStore(tmp_path).sample(sample.name)
    assert (sample.session, sample.die_set, sample.origin, sample.frame, sample.in_frame) == (
        name,
        "ours",
        "play",
        "",
        None,
    )
    assert sample.read == read
    assert sample.label == FaceLabel("d6", "pip-3", "guided capture", NOON)
    assert sample.taken_at > NOON
    assert store.frame(sample.name) is None


def test_names_never_come_again(tmp_path: Path) -> None:
    store = opened(tmp_path)
    session = store.start_session("ours", "guided")
    (first,) = store.save(session, "ours", None, [a_die()])
    store.delete([first.name])
    again = opened(tmp_path)
    again.start_session("ours", "guided", session)
    (second,) = again.save(session, "ours", None, [a_die()])
    assert first.name != second.name
    assert [sample.name for sample in again.samples()] == [second.name]


def test_a_picture_without_a_die_leaves_nothing(tmp_path: Path) -> None:
    store = opened(tmp_path)
    assert store.save(store.start_session("ours", "guided"), "ours", a_throw("pip-1")[0], []) == ()
    assert list(tmp_path.rglob("*.png")) == []


def test_many_are_labelled_and_moved_at_once(tmp_path: Path) -> None:
    store = opened(tmp_path)
    session = store.start_session("ours", "play")
    samples = store.save(session, "ours", None, [a_die(labelled=False), a_die(labelled=False), a_die("pip-1")])
    store.label([sample.name for sample in samples], "d6", "pip-6", "labelled from the queue")
    for found in (store, SampleStore(tmp_path)):
        assert {sample.label and (sample.label.face, sample.label.by) for sample in found.samples()} == {
            ("pip-6", "labelled from the queue")
        }
    assert all(sample.label and sample.label.at > NOON and sample.label.at.tzinfo == UTC for sample in store.samples())


def test_a_label_for_one_that_is_not_there_changes_none(tmp_path: Path) -> None:
    store = opened(tmp_path)
    (sample,) = store.save(store.start_session("ours", "play"), "ours", None, [a_die()])
    with pytest.raises(NoSuchSample, match="nobody"):
        store.label([sample.name, "nobody"], "d6", "pip-6", "x")
    assert store.samples() == (sample,)


def test_what_is_discarded_is_gone_with_its_pictures(tmp_path: Path) -> None:
    store = opened(tmp_path)
    frame, dice = a_throw("pip-1", "pip-2")
    one, other = store.save(store.start_session("ours", "guided"), "ours", frame, dice)
    store.delete([one.name])
    assert store.frame(other.name) is not None
    store.delete([other.name])
    assert [*tmp_path.rglob("*.png"), *tmp_path.rglob("*.jpg")] == []
    assert SampleStore(tmp_path).samples() == store.samples() == ()
    with pytest.raises(LookupError):
        store.pixels(one.name)


def test_a_set_is_dropped_and_the_others_stay(tmp_path: Path) -> None:
    store = opened(tmp_path)
    a_set(store)
    (other,) = store.save(store.start_session("theirs", "guided"), "theirs", None, [a_die()])
    store.delete_die_set("ours")
    assert store.samples() == SampleStore(tmp_path).samples() == (other,)
    assert sorted(path.name for path in (tmp_path / "sessions").iterdir()) == [other.session]


def test_two_faces_become_one_in_labels_and_readings(tmp_path: Path) -> None:
    store = opened(tmp_path)
    dice = [replace(a_die(face), read=a_read(face)) for face in ("pip-3", "pip-5", "pip-1")]
    store.save(store.start_session("ours", "guided"), "ours", None, dice)
    store.save(store.start_session("theirs", "guided"), "theirs", None, [a_die("pip-5")])
    store.rename_face("ours", "d6", "pip-5", "pip-3")
    for found in (store, SampleStore(tmp_path)):
        three, five, one = found.samples("ours")
        assert (three.label, three.read and three.read.face) == (
            FaceLabel("d6", "pip-3", "guided capture", NOON),
            "pip-3",
        )
        assert (five.label, five.read and five.read.face) == (three.label, "pip-3")
        assert one.label
        assert one.label.face == "pip-1"
        assert one.read
        assert one.read.runners_up == (("pip-3", 0.01),)
        assert [sample.label and sample.label.face for sample in found.samples("theirs")] == ["pip-5"]


def test_a_torn_last_line_is_dropped_wherever_it_is_torn(tmp_path: Path) -> None:
    store = opened(tmp_path)
    samples = a_set(store)
    (lines,) = tmp_path.rglob("dice.jsonl")
    whole = lines.read_bytes()
    kept = whole[: whole[:-1].rfind(b"\n") + 1]
    for length in range(len(kept), len(whole)):
        lines.write_bytes(whole[:length])
        again = SampleStore(tmp_path)
        assert again.samples() == samples[:-1]
        assert again.problems == ()
        assert lines.read_bytes() == kept


def test_a_torn_label_leaves_the_label_before(tmp_path: Path) -> None:
    store = opened(tmp_path)
    (sample,) = store.save(store.start_session("ours", "guided"), "ours", None, [a_die("pip-3")])
    (lines,) = tmp_path.rglob("dice.jsonl")
    before = len(lines.read_bytes())
    store.label([sample.name], "d6", "pip-6", "corrected")
    whole = lines.read_bytes()
    for length in range(before, len(whole)):
        lines.write_bytes(whole[:length])
        assert SampleStore(tmp_path).samples() == (sample,)
    assert len(list(tmp_path.rglob("*.png"))) == 1


def test_going_on_after_a_torn_line_tears_no_other(tmp_path: Path) -> None:
    store = opened(tmp_path)
    samples = a_set(store)
    (lines,) = tmp_path.rglob("dice.jsonl")
    with lines.open("ab") as file:
        file.write(b'{"name":"20261101-1200-a')
    store.label([samples[0].name], "d6", "pip-6", "corrected")
    assert [sample.name for sample in SampleStore(tmp_path).samples()] == [sample.name for sample in samples]
    assert SampleStore(tmp_path).problems == ()


def test_what_a_pulled_plug_left_half_written_is_swept(tmp_path: Path) -> None:
    store = opened(tmp_path)
    samples = a_set(store)
    session = tmp_path / "sessions" / samples[0].session
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
    assert again.samples() == samples
    assert [path for path in left if path.exists()] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [".latch", "about.toml", "sessions"]
    assert len(list(session.rglob("*.png"))) == len(samples)
    assert again.problems == ()


def test_pictures_are_not_swept_while_another_program_writes(tmp_path: Path) -> None:
    store = opened(tmp_path)
    with store.staging_folder() as place:
        SampleStore(tmp_path)
        assert place.exists()
    assert not place.exists()


def test_a_line_that_cannot_be_read_is_told_and_costs_no_other(tmp_path: Path) -> None:
    samples = a_set(opened(tmp_path))
    (lines,) = tmp_path.rglob("dice.jsonl")
    first, *rest = lines.read_text().splitlines(keepends=True)
    nan = first.replace('"light":0.4', '"light":NaN')
    assert nan != first
    for broken in ("not json\n", "[]\n", "{}\n", nan, '{"name":"../../x","gone":true}\n', "[" * 9000 + "\n"):
        lines.write_text("".join([broken, *rest]))
        again = SampleStore(tmp_path)
        assert again.samples() == samples[1:]
        (doubt,) = again.problems
        assert "line 1" in doubt
        assert len(list(tmp_path.rglob("*.png"))) == len(samples)  # the first line's picture is not thrown away


def test_a_die_whose_picture_was_taken_away_is_told_and_left_out(tmp_path: Path) -> None:
    samples = a_set(opened(tmp_path))
    next(tmp_path.rglob(f"{samples[2].name}.png")).unlink()
    again = SampleStore(tmp_path)
    assert len(again.samples()) == len(samples) - 1
    (doubt,) = again.problems
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
    store = opened(tmp_path)
    session = store.start_session("ours", "guided")
    with pytest.raises(DatasetError, match="not with theirs"):
        store.save(session, "theirs", None, [a_die()])
    with pytest.raises(DatasetError, match="begin another"):
        store.start_session("theirs", "guided", session)
    with pytest.raises(NoSuchCaptureSession, match="begin one"):
        store.save("20261101-1200-xyz", "ours", None, [a_die()])
    assert store.start_session("ours", "guided", session) == session


@pytest.mark.parametrize("name", ["../x", "a/b", "", "Über", "con", "x" * 61, "a\nb", "a:b", "-a"])
def test_a_face_needs_a_name_that_can_be_a_folder(tmp_path: Path, name: str) -> None:
    store = opened(tmp_path)
    (sample,) = store.save(store.start_session("ours", "guided"), "ours", None, [a_die()])
    with pytest.raises(DatasetError, match="no name for a face"):
        store.label([sample.name], "d6", name, "x")
    with pytest.raises(DatasetError, match="no name for a die set"):
        store.start_session(name, "guided")


def test_a_place_that_is_none_is_refused_and_nothing_is_kept(tmp_path: Path) -> None:
    store = opened(tmp_path)
    session = store.start_session("ours", "guided")
    bad = [
        RotatedSquare(float("nan"), 40, 30, 0),
        RotatedSquare(40, 40, 0, 0),
        RotatedSquare(40, float("inf"), 30, 0),
        RotatedSquare(400, 40, 30, 0),
    ]
    for place in bad:
        with pytest.raises(DatasetError):
            store.save(session, "ours", None, [a_die(), NewSample(a_die().pixels, place)])
    assert list(tmp_path.rglob("*.png")) == []


def test_a_small_picture_is_made_large_enough_for_any_program(tmp_path: Path) -> None:
    store = opened(tmp_path)
    small = a_die().pixels[36:60, 30:66]
    (sample,) = store.save(
        store.start_session("ours", "guided"), "ours", None, [NewSample(small, RotatedSquare(17.0, 11.0, 10.0, 0.0))]
    )
    kept = store.pixels(sample.name)
    assert kept.shape == (32, 36, 3)
    assert np.array_equal(kept[:24], small)


def test_a_damaged_picture_is_named_and_left_out(tmp_path: Path) -> None:
    store = opened(tmp_path)
    damaged, other = store.save(store.start_session("ours", "guided"), "ours", *a_throw("pip-1", "pip-2"))
    path = store.crop_path(damaged.name)
    path.write_bytes(path.read_bytes()[:10])
    assert [sample for sample, _ in store.with_pixels(store.samples())] == [other]
    assert store.samples() == (other,)
    assert store.problems == (f"{path} is gone or damaged, so that this die is left out",)
    with pytest.raises(NoSuchSample, match="there is no picture"):
        store.pixels(damaged.name)
    store.label([other.name], "d6", "pip-6", "x")
    assert [sample.name for sample in store.samples()] == [other.name]


def test_a_picture_that_another_program_threw_away_is_no_doubt(tmp_path: Path) -> None:
    one, other = opened(tmp_path), opened(tmp_path)
    (sample,) = one.save(one.start_session("ours", "guided"), "ours", None, [a_die()])
    known = other.samples()
    one.delete([sample.name])
    assert list(other.with_pixels(known)) == []
    assert other.problems == ()


def test_another_program_s_dice_show_up(tmp_path: Path) -> None:
    one, other = opened(tmp_path), opened(tmp_path)
    session = one.start_session("ours", "guided")
    (sample,) = one.save(session, "ours", None, [a_die()])
    assert other.samples() == (sample,)
    other.label([sample.name], "d6", "pip-6", "x")
    assert one.samples()[0].label == other.samples()[0].label
    written = sum(path.stat().st_size for path in tmp_path.rglob("*.png"))
    assert one.bytes_used_by("guided") == other.bytes_used_by("guided") == written > 0
    other.delete_die_set("ours")
    assert one.samples() == ()


def test_many_threads_may_keep_at_once(tmp_path: Path) -> None:
    store = opened(tmp_path)
    session = store.start_session("ours", "play")

    def keep() -> None:
        for _ in range(5):
            (sample,) = store.save(session, "ours", None, [a_die()])
            store.label([sample.name], "d6", "pip-6", "x")

    threads = [threading.Thread(target=keep) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({sample.name for sample in store.samples()}) == 20
    assert SampleStore(tmp_path).samples() == store.samples()


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from dataset_scenes import a_throw, opened, a_set
from models.dataset import SaveFailed, prune
from models.dataset.samples import format_line
folder = Path(sys.argv[1])
store = opened(folder)
session = a_set(store, 2)[-1].session
frame, dice = a_throw("pip-1", "pip-2", "pip-3")
store.save(session, "ours", frame, dice)
samples = store.samples()
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
    assert store.samples() == samples, "changed"
    assert listed() == before, listed().keys() ^ before.keys()
    return True

def labels_come():
    with store.staging_folder() as place:
        for sample in {sample.session: sample for sample in samples}.values():
            labels = place / "labels" / sample.session
            labels.mkdir(parents=True)
            (labels / "dice.jsonl").write_text(format_line(sample).replace("pip-3", "pip-6") + "\\n")

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
all_names = [sample.name for sample in samples]
deeds = {
    "keep": lambda: store.save(session, "ours", frame, dice),
    "begin": lambda: store.save(store.start_session("ours", "guided"), "ours", frame, dice),
    "label": lambda: store.label(all_names, "d6", "pip-6", "x"),
    "discard": lambda: store.delete(all_names),
    "labels come": labels_come,
    "rename": lambda: store.rename_face("ours", "d6", "pip-1", "pip-6"),
    "thin": lambda: prune(store, 0, origin="guided"),
}
for most in (1, 500, 2000, longest + 10, 6000, 18000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    tried = deeds if most <= longest + 10 else ("keep", "begin")
    print(*(name for name in tried if refused(deeds[name])), sep=", ")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert opened(folder).samples() == samples
deeds["keep"]()
"""


@pytest.mark.slow
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
    (second,) = late.save(late.start_session("ours", "guided", "a"), "ours", None, [a_die()])
    (first,) = early.save(early.start_session("ours", "guided", "b"), "ours", None, [a_die()])
    many = early.save("b", "ours", None, [a_die()] * 11)
    assert early.samples() == late.samples() == (first, *many, second)


def test_lines_are_what_the_documentation_shows(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs/captured.md").read_text("utf-8")
    sample = a_set(opened(tmp_path))[0]
    (lines,) = tmp_path.rglob("dice.jsonl")
    written = json.loads(lines.read_text().splitlines()[0])
    example = next(line for line in page.splitlines() if line.startswith('{"name":'))
    assert list(json.loads(example)) == list(written)
    for part in ("read", "label"):
        assert list(json.loads(example)[part]) == list(written[part])
    assert sample.name == written["name"]
