"""Archives and folders that mean harm, or are sloppy: one sentence, and nothing is left behind."""

import json
import stat
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from dataset_scenes import a_set, felt, opened

from models.dataset import (
    DatasetError,
    ExchangeError,
    ImportOptions,
    SampleStore,
    SaveFailed,
    export_dataset,
    foreign_annotations,
    import_dataset,
)
from models.dataset.foreign_annotations import ImportLimits

SKY = ImportOptions("sky")


def png(side: int = 64) -> bytes:
    return cv2.imencode(".png", felt(side, side))[1].tobytes()


def bomb() -> bytes:
    """A PNG of 60,000 by 60,000 pixels in a few bytes."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    heading = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", heading)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )


def zipped(path: Path, files: dict[str, bytes], how: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, contents in files.items():
            archive.writestr(name, contents)
    return path


def refused(folder: Path, path: Path, form: str, foreign: ImportOptions = SKY) -> str:
    """The sentence with which an import is refused, and the proof that nothing changed anywhere."""
    store = opened(folder / "there")
    a_set(store)
    before = listed(folder)
    with pytest.raises(DatasetError) as caught:
        import_dataset(store, path, form, foreign)
    assert listed(folder) == before
    assert SampleStore(folder / "there").samples() == store.samples()
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert len(sentence) < 300
    assert sentence.isprintable()
    assert "coming-" not in sentence
    return sentence


def listed(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


@pytest.mark.parametrize(
    "name",
    ["/etc/x.png", "../x.png", "moon/../../x.png", "C:/x.png", "..\\x.png", "moon/CON.png", "moon/nul", "a//x.png",
     "moon/./x.png", "moon/x\n.png", "moon/\x1b[2Jx.png", "moon/x:y.png", "/".join("a" * 20) + "/x.png",
     "moon/" + "x" * 600 + ".png", "..", "moon/\u202ex.png"],
)  # fmt: skip
def test_names_that_lead_elsewhere_are_refused(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "a.zip", {"moon/good.png": png(), name: png()})
    assert "holds a file" in refused(tmp_path, path, "faces")


def test_a_file_without_a_name_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"moon/good.png": png()})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(zipfile.ZipInfo("\0"), png())
    assert "holds a file" in refused(tmp_path, path, "faces")


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFBLK])
def test_links_and_devices_are_refused(tmp_path: Path, kind: int) -> None:
    path = zipped(tmp_path / "a.zip", {"moon/good.png": png()})
    with zipfile.ZipFile(path, "a") as archive:
        entry = zipfile.ZipInfo("moon/passwd.png")
        entry.external_attr = (kind | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    assert "a link or a device" in refused(tmp_path, path, "faces")


def test_a_link_in_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs/moon").mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes(png())
    (tmp_path / "theirs/moon/x.png").symlink_to(tmp_path / "secret.png")
    assert "is a link" in refused(tmp_path, tmp_path / "theirs", "faces")


def test_two_ways_to_write_one_name_are_the_same_name_twice(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"moon/w\u00fc.png": png(), "moon/wu\u0308.png": png()})
    assert "twice" in refused(tmp_path, path, "faces")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "theirs")
    assert "twice" in refused(tmp_path, tmp_path / "theirs", "faces")


def test_what_is_encrypted_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"moon/good.png": png()})
    contents = bytearray(path.read_bytes())
    contents[6] |= 1
    contents[contents.find(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(contents)
    assert "encrypted" in refused(tmp_path, path, "faces")


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"moon/good.png": png(), "labels.json": b" " * 30_000_000}, zipfile.ZIP_DEFLATED)
    assert "unpacks to far more" in refused(tmp_path, path, "coco")


def test_a_zip_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"moon/good.png": png() + b"\0" * 100_000}, zipfile.ZIP_DEFLATED)
    contents = path.read_bytes()
    size = struct.pack("<I", len(png()) + 100_000)
    assert contents.count(size) == 2
    path.write_bytes(contents.replace(size, struct.pack("<I", 100)))
    assert "damaged" in refused(tmp_path, path, "faces")


def test_too_much_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {f"moon/{n}.png": png() for n in range(30)})
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path / "theirs")
    for source in (path, tmp_path / "theirs"):
        with pytest.raises(ExchangeError, match=r"files; more than 20 are not taken"):
            foreign_annotations.open_tree(source, tmp_path / "beside", ImportLimits(files=20))
        with pytest.raises(ExchangeError, match="more than 1e-06 are not taken"):
            foreign_annotations.open_tree(source, tmp_path / "beside", ImportLimits(total=1000))
        assert len(foreign_annotations.open_tree(source, tmp_path / "beside").files) == 30


def test_a_huge_list_is_refused_unread(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"labels.json": b"[" + b"1, " * 5000 + b"1]"})
    tree = foreign_annotations.open_tree(path, tmp_path / "beside", ImportLimits(text=1000))
    with pytest.raises(ExchangeError, match=r"'labels.json' has more than 0.001 megabytes"):
        tree.text("labels.json")


def test_the_same_name_twice_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"moon/x.png": png()})
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("moon/x.png", png())
    assert "twice" in refused(tmp_path, path, "faces")


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_rare_packings_are_refused(tmp_path: Path, how: int) -> None:
    assert "plain zip" in refused(tmp_path, zipped(tmp_path / "a.zip", {"moon/x.png": png()}, how), "faces")


@pytest.mark.parametrize("contents", [b"", b"PK", b"PK\x03\x04" + b"x" * 50, b"Rar!" + b"x" * 99])
def test_what_is_no_zip_is_refused(tmp_path: Path, contents: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(contents)
    assert "is no zip, or damaged" in refused(tmp_path, tmp_path / "a.zip", "faces")


def test_a_zip_cut_or_changed_anywhere_is_refused_or_whole(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"moon/x.png": png(40)})
    whole = path.read_bytes()
    for at in range(0, len(whole), 409):
        path.write_bytes(whole[:at])
        refused(tmp_path, path, "faces")
    for at in range(0, len(whole), 157):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        store = opened(tmp_path / f"at-{at}")
        try:
            assert import_dataset(store, path, "faces", SKY).taken <= 1
        except (DatasetError, SaveFailed):
            assert store.samples() == ()
        assert sorted(p.name for p in (tmp_path / f"at-{at}").iterdir()) == [".latch", "about.toml", "sessions"]


def test_what_is_not_there_or_empty_is_refused(tmp_path: Path) -> None:
    assert "does not exist" in refused(tmp_path, tmp_path / "nothing", "faces")
    (tmp_path / "empty").mkdir()
    for form, words in (("faces", "no folder"), ("coco", "no COCO file"), ("yolo", "no boxes")):
        assert words in refused(tmp_path, tmp_path / "empty", form)


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (bomb(), "megapixels"), (b"", "is empty"), (png()[:100], "cut short"), (b"GIF89a" + b"x" * 99, "is no JPEG"),
        (png(20), "at least 32"), (png()[:60] + b"\0" * 50 + png()[-12:], "damaged"),
    ],
)  # fmt: skip
def test_pictures_that_are_bombs_or_broken_are_refused(tmp_path: Path, picture: bytes, words: str) -> None:
    path = zipped(tmp_path / "a.zip", {"moon/good.png": png(), "moon/zz.png": picture})
    sentence = refused(tmp_path, path, "faces")
    assert words in sentence
    assert "moon/zz.png" in sentence


def coco(**changes: object) -> dict[str, object]:
    box = {"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 30, 30], "iscrowd": 0}
    whole: dict[str, object] = {
        "images": [{"id": 1, "file_name": "a.png", "width": 64, "height": 64}],
        "categories": [{"id": 1, "name": "moon"}],
        "annotations": [box | changes.pop("box", {})],  # type: ignore[operator]
    }
    return whole | changes


@pytest.mark.parametrize(
    ("whole", "words"),
    [
        (coco(box={"category_id": 2}), "category 2"),
        (coco(box={"category_id": None}), "category None"),
        (coco(box={"image_id": 9}), "image 9"),
        (coco(box={"bbox": [10, 10, 30, float("nan")]}), "is none"),
        (coco(box={"bbox": [10, 10, float("inf"), 30]}), "is none"),
        (coco(box={"bbox": [10, 10, 30, 0]}), "is none"),
        (coco(box={"bbox": [10, 10, -30, 30]}), "is none"),
        (coco(box={"bbox": [10, 10, 10**400, 30]}), "is none"),
        (coco(box={"bbox": [50, 10, 30, 30]}), "beyond its 64 x 64"),
        (coco(box={"bbox": [-19, 10, 30, 30]}), "beyond its 64 x 64"),
        (coco(box={"bbox": [99, 10, 30, 30]}), "beyond its 64 x 64"),
        (coco(box={"iscrowd": 1}), "marks no die"),
        (coco(box={"iscrowd": "1"}), "marks no die"),
        (coco(box={"iscrowd": "perhaps"}), "lacks something"),
        (coco(annotations=[]), "marks no die"),
        (coco(images=[{"id": 1, "file_name": "a.png", "width": 128, "height": 128}]), "its labels are for 128 x 128"),
        (coco(images=[{"id": 1, "file_name": "a.png", "width": float("inf"), "height": 1}]), "lacks something"),
        (coco(box={"bbox": [10, 10, 30]}), "lacks something"),
        (coco(box={"bbox": "10 10 30 30"}), "lacks something"),
        (coco(box={"bbox": [10, 10, True, 30]}), "lacks something"),
        (coco(box={"bbox": None}), "lacks something"),
        (coco(box={"category_id": [1]}), "lacks something"),
        (coco(images=[{"id": 1, "file_name": "b.png"}]), "is not there"),
        (coco(images=[{"id": 1, "file_name": "../../../etc/passwd"}]), "is not there"),
        (coco(images=[{"id": 1, "file_name": "x\x1b[2J\n"}]), "is not there"),
        (coco(images=[{"id": 1, "file_name": 5}]), "lacks something"),
        (coco(images=[{"id": 1, "file_name": "a.png"}] * 2), "the same id"),
        (coco(categories=[{"id": 1, "name": "a"}, {"id": 1, "name": "b"}]), "the same id"),
        (coco(categories=[7]), "lacks something"),
        (coco(annotations=[7]), "lacks something"),
        (coco(annotations={}), "no COCO file"),
    ],
)  # fmt: skip
def test_coco_files_that_cannot_be_are_refused(tmp_path: Path, whole: dict[str, object], words: str) -> None:
    path = zipped(tmp_path / "a.zip", {"a.png": png(), "labels.json": json.dumps(whole).encode()})
    assert words in refused(tmp_path, path, "coco")


@pytest.mark.parametrize("text", [b"{", b"\xff\xfe\x00", b"[" * 100_000, b'{"a":' * 50_000, b"1" * 5000])
def test_json_that_is_none_is_refused(tmp_path: Path, text: bytes) -> None:
    assert refused(tmp_path, zipped(tmp_path / "a.zip", {"a.png": png(), "labels.json": text}), "coco")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0 0.5 0.5 nan 0.2", "is no box"), ("0 0.5 0.5 0.2", "is no box"), ("x 0.5 0.5 0.2 0.2", "else than numbers"),
        ("5 0.5 0.5 0.2 0.2", "class 5"), ("-1 0.5 0.5 0.2 0.2", "class -1"), ("0 0.5 0.5 0 0.2", "is none"),
        ("0 1.05 0.5 0.5 0.2", "beyond"), ("0 1e308 0.5 1e308 0.2", "is none"), ("0 50 50 20 20", "beyond"),
        ("9" * 5000 + " 0.5 0.5 0.2 0.2", "else than numbers"), ("0 0.5 0.5 inf 0.2", "is no box"),
        ("0 0.1 0.1 0.2 0.1 0.2 0.2 0.1", "is no box"), ("", "holds no boxes"),
    ],
)  # fmt: skip
def test_yolo_boxes_that_cannot_be_are_refused(tmp_path: Path, text: str, words: str) -> None:
    files = {"images/a.png": png(), "labels/a.txt": text.encode(), "data.yaml": b"names: [moon]\n"}
    assert words in refused(tmp_path, zipped(tmp_path / "a.zip", files), "yolo")


@pytest.mark.parametrize(
    "text",
    [
        "names: !!python/object/apply:os.system [x]\n",
        "names: moon\n",
        "names: [\n",
        "names: [[moon]]\n",
        "names: {x: moon}\n",
        "names: " + "[" * 5000,
        "a: &a [x, x]\nb: &b [*a, *a]\nnames: [*b, *b]\n",
    ],
)
def test_classes_that_cannot_be_read_are_refused(tmp_path: Path, text: str) -> None:
    files = {"images/a.png": png(), "labels/a.txt": b"0 0.5 0.5 0.2 0.2", "data.yaml": text.encode()}
    assert "classes in 'data.yaml'" in refused(tmp_path, zipped(tmp_path / "a.zip", files), "yolo")


@pytest.mark.parametrize("notes", ["[", '{"categories": [7]}', '{"categories": [{"id": 1e999, "name": "moon"}]}'])
def test_notes_that_cannot_be_read_are_refused(tmp_path: Path, notes: str) -> None:
    files = {"images/a.png": png(), "labels/a.txt": b"0 0.5 0.5 0.2 0.2", "notes.json": notes.encode()}
    assert "classes in 'notes.json'" in refused(tmp_path, zipped(tmp_path / "a.zip", files), "yolo")


def test_a_list_of_classes_without_end_is_refused(tmp_path: Path) -> None:
    text = b"names:\n" + b"- moon\n" * 100_000
    files = {"images/a.png": png(), "labels/a.txt": b"0 0.5 0.5 0.2 0.2", "data.yaml": text}
    assert "more than 200,000 letters" in refused(tmp_path, zipped(tmp_path / "a.zip", files), "yolo")


Change = Callable[[dict[str, object]], object]


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row.update(session="../x", die_set="ours", how="guided", begun_at="2026-01-01T00:00:00+00:00"),
        lambda row: row["die"].update(name="../../x"),
        lambda row: row["die"].update(name="x/y"),
        lambda row: row["die"].update(name=7),
        lambda row: row["die"].update(frame="../x"),
        lambda row: row["die"].update(place=[1, 2, 3]),
        lambda row: row["die"].update(place=[900, 900, 30, 0]),
        lambda row: row["die"].update(place=[48, 48, 1e300, 0]),
        lambda row: row["die"].update(in_frame=[48, 48, None, 0]),
        lambda row: row["die"].update(taken_at="2026-01-01T00:00:00"),
        lambda row: row["die"].update(taken_at=5),
        lambda row: row["die"]["label"].update(by="x\x1b[2J"),
        lambda row: row["die"]["label"].update(face="../x"),
        lambda row: row["die"].update(read=[]),
        lambda row: row.update(crop="../../../etc/passwd"),
        lambda row: row.update({"in": "nobody"}),
        lambda row: row.update({"in": []}),
        lambda row: row.update(die=[]),
    ],
)
def test_a_list_that_lies_is_refused(tmp_path: Path, change: Change) -> None:
    store = opened(tmp_path / "here")
    a_set(store, 1)
    export_dataset(store, tmp_path / "out", "coco")
    path = tmp_path / "out/vander.jsonl"
    lines = path.read_text().splitlines()
    row = json.loads(lines[3])
    change(row)
    path.write_text("\n".join([*lines[:3], json.dumps(row), *lines[4:]]))
    clean = opened(tmp_path / "clean")
    before = listed(tmp_path)
    with pytest.raises(ExchangeError) as caught:
        import_dataset(clean, tmp_path / "out", "coco")
    assert "\n" not in str(caught.value)
    assert str(caught.value).isprintable()
    assert listed(tmp_path) == before
    assert clean.samples() == ()


@pytest.mark.parametrize("first", ['{"vander": 2}', "", "[]", "x", '{"vander": 1'])
def test_a_list_of_another_form_is_refused(tmp_path: Path, first: str) -> None:
    store = opened(tmp_path / "here")
    a_set(store, 1)
    export_dataset(store, tmp_path / "out", "faces")
    path = tmp_path / "out/vander.jsonl"
    path.write_text("\n".join([first, *path.read_text().splitlines()[1:]]))
    with pytest.raises(ExchangeError, match=r"vander\.jsonl"):
        import_dataset(opened(tmp_path / "clean"), tmp_path / "out", "faces")


CUT_OFF = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from dataset_scenes import opened
from models.dataset import import_dataset
folder = Path(sys.argv[1])

def cut_off(left):
    store = opened(folder / "there")

    def pull(event, args):
        nonlocal left
        touches = ("open", "os.rename", "os.mkdir", "shutil.copyfile")
        if event in touches and str(args[0]).startswith(str(folder / "there")):
            left -= 1
            if left == 0:
                os._exit(9)

    sys.addaudithook(pull)
    import_dataset(store, folder / "out.zip", "coco")
    os._exit(0)

for line in sys.stdin:
    child = os.fork()
    if not child:
        cut_off(int(line))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""A program that imports at each step it reads, in a fork that ends at that step, and writes how the fork ended."""


@pytest.mark.slow
def test_an_import_that_is_cut_off_anywhere_leaves_all_or_nothing(tmp_path: Path) -> None:
    """The process ends at once at one touch of the disk after another, as it would with its plug pulled."""
    source = opened(tmp_path / "here")
    a_set(source, 3, throws=1)
    export_dataset(source, tmp_path / "out.zip", "coco")
    here, outcomes, ended = Path(__file__), [], 9
    words = [sys.executable, "-c", CUT_OFF, str(tmp_path), str(here.parent)]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=here.parents[3], stdin=pipe, stdout=pipe, text=True) as program:  # noqa: S603
        assert program.stdin
        assert program.stdout
        for step in [*range(1, 100, 12), *range(100, 1000, 7)]:
            there = opened(tmp_path / "there")
            print(step, file=program.stdin, flush=True)
            ended = int(program.stdout.readline())
            again = SampleStore(tmp_path / "there")
            outcomes.append(len(again.samples()))
            assert again.problems == ()
            assert sorted(path.name for path in (tmp_path / "there").iterdir()) == [".latch", "about.toml", "sessions"]
            if ended == 0:
                break
            assert ended == 9
            assert again.samples() in ((), source.samples())
            there.delete_die_set("ours")
    assert ended == 0
    assert set(outcomes) == {0, len(source.samples())}


def test_an_arrival_that_was_cut_off_is_finished_at_the_next_opening(tmp_path: Path) -> None:
    source = opened(tmp_path / "here")
    samples = a_set(source, 3)
    (tmp_path / "there/arrived-12345678/sessions").mkdir(parents=True)
    for number, path in enumerate(sorted((tmp_path / "here/sessions").iterdir())):
        there = tmp_path / "there" / ("sessions" if number == 0 else "arrived-12345678/sessions")
        there.mkdir(parents=True, exist_ok=True)
        path.rename(there / path.name)
    assert SampleStore(tmp_path / "there").samples() == samples
    assert not (tmp_path / "there/arrived-12345678").exists()


def test_an_arrival_whose_deletion_was_cut_off_keeps_nobody_from_opening_the_store(tmp_path: Path) -> None:
    samples = a_set(opened(tmp_path / "here"), 3)
    (tmp_path / "here/arrived-12345678").mkdir()
    assert SampleStore(tmp_path / "here").samples() == samples
    assert not [*(tmp_path / "here").glob("arrived-*")]


def test_an_arrival_that_moved_in_is_never_moved_in_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = opened(tmp_path / "here")
    samples = a_set(source, 3)
    arrived = tmp_path / "there/arrived-12345678"
    arrived.mkdir(parents=True)
    (tmp_path / "here/sessions").rename(arrived / "sessions")
    with monkeypatch.context() as power_cut:
        power_cut.setattr("models.atomic_files.remove", lambda path: None)
        assert SampleStore(tmp_path / "there").samples() == samples
    assert [path.name for path in (tmp_path / "there").glob("*-12345678")] == ["coming-12345678"]
    assert SampleStore(tmp_path / "there").samples() == samples
    assert not [*(tmp_path / "there").glob("*-12345678")]


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from dataset_scenes import a_set, opened
from models.dataset import SaveFailed, export_dataset, import_dataset
folder = Path(sys.argv[1])
there = opened(folder / "there")
samples = a_set(there)
source = opened(folder / "here")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
listed = lambda: sorted(folder.rglob("*"))
before = listed()
for most in (1, 1000, 8000, 30000):
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
    for form in ("coco", "yolo", "faces"):
        for do in (
            lambda: import_dataset(there, folder / f"{form}.zip", form),
            lambda: export_dataset(source, folder / "new", form),
            lambda: export_dataset(source, folder / "new.zip", form),
        ):
            try:
                do()
            except SaveFailed as error:
                assert "coming-" not in str(error), error
                print(most, error.__cause__.errno)
            assert listed() == before, set(listed()) ^ set(before)
assert there.samples() == samples
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
import_dataset(there, folder / "coco.zip", "coco")
assert len(there.samples()) > len(samples)
"""


def test_a_full_disk_leaves_neither_half_an_import_nor_half_an_export(tmp_path: Path) -> None:
    source = opened(tmp_path / "here")
    a_set(source, 4, throws=1)
    for form in ("coco", "yolo", "faces"):
        export_dataset(source, tmp_path / f"{form}.zip", form)
    here = Path(__file__)
    ran = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-W", "error", "-c", FULL_DISK, str(tmp_path), str(here.parent)],
        cwd=here.parents[3], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) == 4 * 9
