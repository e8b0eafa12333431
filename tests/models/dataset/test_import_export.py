"""What goes out comes back as it was, and other programs can read it."""

import json
import os
import shutil
import unicodedata
import zipfile
from collections import Counter
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
import pytest
from dataset_scenes import NOON, a_die, a_read, a_set, a_throw, felt, lay, opened
from PIL import Image

from models.dataset import (
    DatasetError,
    ExchangeError,
    FaceLabel,
    ImportOptions,
    Sample,
    SampleStore,
    SaveFailed,
    export_dataset,
    import_dataset,
)
from models.dataset.export_plan import split_by_date
from models.dataset.foreign_annotations import BoundingBox, LabelNames, box_of, place_of, plain_name
from models.dataset.samples import format_line
from vision.frames import Pixels
from vision.rectification import RotatedSquare

FORMS = ("coco", "yolo", "faces")


def a_mixed_set(folder: Path) -> SampleStore:
    """Two die sets, frames, dice whose frame is gone, dice out of the frame, readings, dice that wait for a label."""
    store = opened(folder)
    a_set(store, 4)
    session = store.start_session("theirs", "play")
    frame, dice = a_throw("pip-5", "pip-6")
    store.save(session, "theirs", frame, [replace(dice[0], label=None), dice[1]])
    store.save(session, "theirs", frame, [dice[0], replace(dice[1], in_frame=None)])
    lone = [a_die("pip-2", turned=30), replace(a_die("pip-1", labelled=False), read=a_read("pip-1"))]
    store.save(session, "theirs", None, lone)
    store.label([store.samples()[0].name], "d6", "pip-6", "corrected at the table")
    return store


def pictures_of(store: SampleStore) -> dict[str, tuple[bytes, bytes]]:
    return {
        sample.name: (
            store.crop_path(sample.name).read_bytes(),
            frame.read_bytes() if (frame := store.frame_path(sample.name)) else b"",
        )
        for sample in store.samples()
    }


def by_name(samples: tuple[Sample, ...]) -> dict[str, Sample]:
    return {sample.name: sample for sample in samples}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("ending", ["", ".zip"])
def test_what_goes_out_comes_back_as_it_was(tmp_path: Path, form: str, ending: str) -> None:
    store = a_mixed_set(tmp_path / "here")
    told = export_dataset(store, tmp_path / f"out{ending}", form, waiting=True)
    there = opened(tmp_path / "there")
    report = import_dataset(there, tmp_path / f"out{ending}", form)
    assert by_name(there.samples()) == by_name(store.samples())
    assert there.sessions() == store.sessions()
    assert pictures_of(there) == pictures_of(store)
    assert SampleStore(tmp_path / "there").samples() == there.samples()
    assert (report.taken, report.known, report.without_die) == (told.dice, 0, ())
    assert report.die_sets == ("ours", "theirs")
    labelled = {(sample.die_set, sample.label.kind, sample.label.face) for sample in store.samples() if sample.label}
    assert report.met == tuple(sorted(labelled))
    assert {(kind, face) for kind, face, _ in report.faces} >= {("d6", "pip-1"), ("d6", "pip-6")}


@pytest.mark.parametrize("form", FORMS)
def test_dice_that_wait_stay_here_unless_they_are_asked_for(tmp_path: Path, form: str) -> None:
    store = a_mixed_set(tmp_path / "here")
    told = export_dataset(store, tmp_path / "out", form, "theirs")
    assert any("wait for a label: 2 dice" in sentence for sentence in told.sentences)
    there = opened(tmp_path / "there")
    import_dataset(there, tmp_path / "out", form)
    expected = [sample for sample in store.samples("theirs") if sample.label]
    assert by_name(there.samples()).keys() == by_name(tuple(expected)).keys()
    for sample in there.samples():
        before = store.sample(sample.name)
        lone = replace(before, frame="", in_frame=None)
        assert sample in (before, lone)
        if before.frame:  # of two frames one has a die that waits
            (waits,) = {s.frame for s in store.samples("theirs") if s.label is None and s.frame}
            assert sample == (lone if before.frame == waits else before)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_here_already_stays_as_it_is(tmp_path: Path, form: str) -> None:
    store = a_mixed_set(tmp_path / "here")
    export_dataset(store, tmp_path / "out", form, waiting=True)
    first, second, *_ = store.samples()
    store.label([first.name], "d6", "pip-4", "corrected")
    store.delete([second.name])
    before = store.samples()
    report = import_dataset(store, tmp_path / "out", form)
    assert (report.taken, report.known) == (1, len(before))
    assert by_name(before).items() <= by_name(store.samples()).items()
    back = store.sample(second.name)
    assert replace(back, session=second.session) == second
    assert SampleStore(tmp_path / "here").samples() == store.samples()


@pytest.mark.parametrize("form", FORMS)
def test_a_label_given_elsewhere_is_given_to_the_die_that_is_here(tmp_path: Path, form: str) -> None:
    """Of dice that were labelled here meanwhile, what was said here holds."""
    store = a_mixed_set(tmp_path / "here")
    waits, said, *_ = [sample for sample in store.samples("theirs") if sample.label is None]
    plain, changed, *_ = [sample for sample in store.samples("ours") if sample.label and sample.label.face == "pip-1"]
    elsewhere = SampleStore(shutil.copytree(tmp_path / "here", tmp_path / "elsewhere"))
    export_dataset(store, tmp_path / "out", form, waiting=True)
    elsewhere.label([sample.name for sample in (waits, said, plain, changed)], "d6", "pip-4", "a friend")
    export_dataset(elsewhere, tmp_path / "relabelled", form, waiting=True)
    shutil.copy(tmp_path / "out/vander.jsonl", tmp_path / "relabelled/vander.jsonl")
    store.label([said.name], "d6", "pip-2", "answered at the table")
    store.label([changed.name], "d6", "pip-3", "corrected at the table")
    before = by_name(store.samples())
    report = import_dataset(store, tmp_path / "relabelled", form)
    assert (report.taken, report.known, report.relabelled) == (0, len(before), 2)
    assert report.met == (("ours", "d6", "pip-4"), ("theirs", "d6", "pip-4"))
    assert "2 new labels" in report.sentence
    assert before.keys() == by_name(store.samples()).keys()
    for sample in store.samples():
        if sample.name in (waits.name, plain.name):
            assert sample.label
            assert (sample.label.face, sample.label.by[:13]) == ("pip-4", "imported from")
        else:
            assert sample == before[sample.name]
    assert SampleStore(tmp_path / "here").samples() == store.samples()


def test_new_labels_come_in_with_their_pictures_or_not_at_all(tmp_path: Path) -> None:
    """What spoils the seal is a pipe among the pictures, which cannot be forced onto the disk."""
    store = opened(tmp_path / "here")
    samples = a_set(store)
    export_dataset(store, tmp_path / "out", "coco")
    listing = tmp_path / "out/labels.json"
    whole = json.loads(listing.read_text())
    whole["annotations"][0]["category_id"] = whole["annotations"][1]["category_id"]
    whole["annotations"][2]["bbox"] = [10.0, 10.0, 40.0, 40.0]
    listing.write_text(json.dumps(whole))
    spoilt: list[bool] = []

    def spoiling(_: Pixels) -> list[RotatedSquare]:
        if not spoilt:
            (coming,) = (tmp_path / "here").glob("coming-*/sessions")
            os.mkfifo(coming / "pipe")
            spoilt.append(True)
        return []

    with pytest.raises(SaveFailed):
        import_dataset(store, tmp_path / "out", "coco", ImportOptions(find=spoiling))
    assert spoilt
    assert store.samples() == SampleStore(tmp_path / "here").samples() == samples
    report = import_dataset(store, tmp_path / "out", "coco", ImportOptions(find=spoiling))
    assert (report.taken, report.relabelled) == (1, 1)
    changed = {sample.name for sample in samples} - {sample.name for sample in store.samples() if sample in samples}
    assert len(changed) == 1
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == [".latch", "about.toml", "sessions"]


def test_sealed_labels_are_given_at_the_next_opening_but_not_to_what_was_thrown_away(tmp_path: Path) -> None:
    store = opened(tmp_path / "here")
    first, gone, *_ = samples = a_set(store)
    store.delete([gone.name])
    labels = tmp_path / "here/arrived-12345678/labels" / first.session
    labels.mkdir(parents=True)
    (labels.parents[1] / "sessions").mkdir()
    new = [replace(sample, label=FaceLabel("d6", "pip-6", "x", NOON)) for sample in (first, gone)]
    (labels / "dice.jsonl").write_text("".join(f"{format_line(sample)}\n" for sample in new))
    again = SampleStore(tmp_path / "here")
    assert by_name(again.samples()) == by_name((new[0], *samples[2:]))
    assert not (tmp_path / "here/arrived-12345678").exists()


@pytest.mark.parametrize("form", FORMS)
def test_a_die_with_a_damaged_picture_stays_here_with_its_frame_and_is_told_of(tmp_path: Path, form: str) -> None:
    store = opened(tmp_path / "here")
    samples = a_set(store)
    store.crop_path(samples[0].name).write_bytes(b"\x89PNG")
    told = export_dataset(store, tmp_path / "out", form)
    assert told.dice == len(samples) - 1
    assert "Left out, since the picture is gone or damaged: 1 die." in told.sentences
    there = opened(tmp_path / "there")
    import_dataset(there, tmp_path / "out", form)
    assert {sample.name: sample.frame for sample in there.samples()} == {
        sample.name: "" if sample.frame == samples[0].frame else sample.frame for sample in samples[1:]
    }


def test_an_empty_collection_cannot_go_out(tmp_path: Path) -> None:
    with pytest.raises(ExchangeError, match="nothing to put out"):
        export_dataset(opened(tmp_path / "here"), tmp_path / "out", "coco")
    assert not (tmp_path / "out").exists()


def test_nothing_that_is_there_is_written_over(tmp_path: Path) -> None:
    store = a_mixed_set(tmp_path / "here")
    (tmp_path / "out.zip").write_bytes(b"mine")
    with pytest.raises(ExchangeError, match="is there already"):
        export_dataset(store, tmp_path / "out.zip", "coco")
    assert (tmp_path / "out.zip").read_bytes() == b"mine"
    with pytest.raises(ExchangeError, match="there are coco, yolo, faces"):
        export_dataset(store, tmp_path / "new", "voc")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "out.zip"]


# ── COCO ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_coco_file_is_sound(tmp_path: Path) -> None:
    """What pycocotools and the tools built on it rely on."""
    store = a_mixed_set(tmp_path / "here")
    export_dataset(store, tmp_path / "out", "coco")
    for name in ("labels.json", "train.json", "val.json", "test.json"):
        whole = json.loads((tmp_path / "out" / name).read_text())
        images = {image["id"]: image for image in whole["images"]}
        categories = {category["id"]: category["name"] for category in whole["categories"]}
        assert len(images) == len(whole["images"]) > 0
        assert len(categories) == len(whole["categories"])
        assert len({row["id"] for row in whole["annotations"]}) == len(whole["annotations"]) > 0
        assert min(*images, *categories, *(row["id"] for row in whole["annotations"])) == 1
        for image in images.values():
            pixels = cv2.imread(str(tmp_path / "out/data" / image["file_name"]))
            assert pixels.shape == (image["height"], image["width"], 3)
        for row in whole["annotations"]:
            left, top, width, height = row["bbox"]
            image = images[row["image_id"]]
            assert min(left, top) >= 0 < min(width, height)
            assert left + width <= image["width"] + 1e-6
            assert top + height <= image["height"] + 1e-6
            assert row["area"] == pytest.approx(width * height, abs=1e-2)
            assert row["iscrowd"] == 0
            label = store.sample(row["die"]).label
            assert label
            assert categories[row["category_id"]].endswith(f"{label.kind}:{label.face}")
            assert (row["said_by"], row["said_at"]) == (label.by, label.at.isoformat())


def test_the_shares_are_whole_and_have_nothing_in_common(tmp_path: Path) -> None:
    store = a_mixed_set(tmp_path / "here")
    told = export_dataset(store, tmp_path / "out", "coco")
    dice = {
        share: [row["die"] for row in json.loads((tmp_path / f"out/{share}.json").read_text())["annotations"]]
        for share in ("train", "val", "test")
    }
    every = [row["die"] for row in json.loads((tmp_path / "out/labels.json").read_text())["annotations"]]
    assert sorted(name for names in dice.values() for name in names) == sorted(every)
    assert len(set(every)) == len(every)
    assert {share: len(names) for share, names in dice.items()} == dict(told.splits)


def test_a_box_lies_round_its_die(tmp_path: Path) -> None:
    store = opened(tmp_path / "here")
    frame = np.zeros((200, 300, 3), np.uint8)
    place = RotatedSquare(150.0, 90.0, 40.0, 30.0)
    lay(frame, place, 1)
    taken = replace(a_die("pip-1"), in_frame=place)
    store.save(store.start_session("ours", "guided"), "ours", frame, [taken])
    export_dataset(store, tmp_path / "out", "coco")
    (row,) = json.loads((tmp_path / "out/labels.json").read_text())["annotations"]
    rows, columns = np.nonzero(frame[:, :, 0] > 100)
    left, top, width, height = row["bbox"]
    assert left == pytest.approx(columns.min(), abs=1.5)
    assert top == pytest.approx(rows.min(), abs=1.5)
    assert left + width == pytest.approx(columns.max() + 1, abs=1.5)
    assert top + height == pytest.approx(rows.max() + 1, abs=1.5)


def test_a_die_at_the_border_has_its_box_cut(tmp_path: Path) -> None:
    assert box_of(RotatedSquare(4.5, 50.0, 20.0, 0.0), 100, 100) == BoundingBox(0.0, 40.5, 15.0, 20.0)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("beyond", [(-30.0, 100.0), (500.0, 100.0), (100.0, 340.0)])
def test_a_die_next_to_the_tray_has_no_box_in_its_frame_and_comes_back(
    tmp_path: Path, form: str, beyond: tuple[float, float]
) -> None:
    store = opened(tmp_path / "here")
    frame, (first, second) = a_throw("pip-1", "pip-2")
    outside = replace(second, in_frame=RotatedSquare(*beyond, 34.0, 20.0))
    store.save(store.start_session("ours", "guided"), "ours", frame, [first, outside])
    export_dataset(store, tmp_path / "out", form)
    there = opened(tmp_path / "there")
    assert import_dataset(there, tmp_path / "out", form).taken == 2
    assert by_name(there.samples()) == by_name(store.samples())
    assert sorted(sample.in_frame is None for sample in there.samples()) == [False, True]


def test_a_category_changed_elsewhere_is_the_label_here(tmp_path: Path) -> None:
    store = a_mixed_set(tmp_path / "here")
    export_dataset(store, tmp_path / "out", "coco", "ours")
    path = tmp_path / "out/labels.json"
    whole = json.loads(path.read_text())
    numbers = {category["name"]: category["id"] for category in whole["categories"]}
    changed, dropped, *_ = whole["annotations"]
    changed["category_id"] = numbers["d6:pip-3"]
    whole["annotations"].remove(dropped)
    path.write_text(json.dumps(whole))
    there = opened(tmp_path / "there")
    import_dataset(there, tmp_path / "out", "coco")
    label = there.sample(changed["die"]).label
    assert label
    assert (label.face, label.by) == ("pip-3", "imported from COCO")
    assert by_name(store.samples("ours")).keys() - by_name(there.samples()).keys() == {dropped["die"]}


def test_a_box_that_was_moved_elsewhere_is_a_new_die_of_the_same_set(tmp_path: Path) -> None:
    store = a_mixed_set(tmp_path / "here")
    export_dataset(store, tmp_path / "out", "coco", "ours")
    path = tmp_path / "out/labels.json"
    whole = json.loads(path.read_text())
    moved = whole["annotations"][1]
    moved["bbox"][0] += 5
    path.write_text(json.dumps(whole))
    there = opened(tmp_path / "there")
    report = import_dataset(there, tmp_path / "out", "coco")
    assert report.taken == len(store.samples("ours"))
    (new,) = by_name(there.samples()).keys() - by_name(store.samples()).keys()
    sample, before = there.sample(new), store.sample(moved["die"])
    assert (sample.die_set, sample.origin, sample.place.edge) == ("ours", "import", before.place.edge)
    assert sample.label
    assert before.label
    assert sample.label.face == before.label.face


def as_label_studio_has_it(whole: dict[str, Any], names: str) -> dict[str, Any]:
    """Ids from 0, names of its own for the pictures, and nothing of ours in a box."""
    ids = ("id", "image_id", "category_id")
    return {
        "images": [
            {**row, "id": row["id"] - 1, "file_name": names.format(row["file_name"])} for row in whole["images"]
        ],
        "categories": [{"id": row["id"] - 1, "name": row["name"]} for row in whole["categories"]],
        "annotations": [{"bbox": row["bbox"]} | {key: row[key] - 1 for key in ids} for row in whole["annotations"]],
    }


@pytest.mark.parametrize("names", ["../tasks/data/{}", "images/38c09e96__{}", "../media/upload/2/fa82d0d4-{}"])
def test_what_label_studio_saves_may_stand_for_our_boxes(tmp_path: Path, names: str) -> None:
    store = a_mixed_set(tmp_path / "here")
    export_dataset(store, tmp_path / "out", "coco", waiting=True)
    path = tmp_path / "out/labels.json"
    path.write_text(json.dumps(as_label_studio_has_it(json.loads(path.read_text()), names)))
    there = opened(tmp_path / "there")
    import_dataset(there, tmp_path / "out", "coco")
    assert by_name(there.samples()) == by_name(store.samples())


def test_a_marked_name_of_another_picture_is_not_taken_for_one_of_ours(tmp_path: Path) -> None:
    store = a_mixed_set(tmp_path / "here")
    export_dataset(store, tmp_path / "out", "coco", "ours")
    path = tmp_path / "out/labels.json"
    path.write_text(json.dumps(as_label_studio_has_it(json.loads(path.read_text()), "strange__{}")))
    with pytest.raises(ExchangeError, match=r"'strange__.* is not there"):
        import_dataset(opened(tmp_path / "there"), tmp_path / "out", "coco")


# ── YOLO ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_yolo_set_is_sound(tmp_path: Path) -> None:
    store = a_mixed_set(tmp_path / "here")
    told = export_dataset(store, tmp_path / "out", "yolo", "ours")
    text = (tmp_path / "out/data.yaml").read_text()
    assert text.startswith('train: images/train\nval: images/val\ntest: images/test\nnames:\n  0: "d6:pip-1"\n')
    classes = text.partition("names:\n")[2].splitlines()
    dice: Counter[str] = Counter()
    for share in ("train", "val", "test"):
        pictures = {path.stem for path in (tmp_path / "out/images" / share).iterdir()}
        texts = {path.stem: path for path in (tmp_path / "out/labels" / share).iterdir()}
        assert pictures == texts.keys()
        for path in texts.values():
            for line in path.read_text().splitlines():
                number, *box = line.split()
                x, y, width, height = map(float, box)
                assert int(number) < len(classes)
                assert min(x - width / 2, y - height / 2) >= -1e-6
                assert max(x + width / 2, y + height / 2) <= 1 + 1e-6
                dice[share] += 1
    assert dict(dice) == dict(told.splits)


@pytest.mark.parametrize(
    "yaml",
    [
        "nc: 2\nnames: ['moon', \"sun\"]\n",
        "names:\n- moon\n- sun\ntrain: x\n",
        "names:\n  0: moon\n  1: 'sun'\nnc: 2\n",
        "names: {0: moon, 1: sun}\n",
        "path: ../x\nnames:   # two\n    0: moon # a comment\n    1: sun\n",
    ],
)
def test_classes_are_read_however_they_are_written(tmp_path: Path, yaml: str) -> None:
    folder = a_foreign_yolo(tmp_path / "theirs")
    (folder / "data.yaml").write_text(yaml)
    there = opened(tmp_path / "there")
    report = import_dataset(there, folder, "yolo", ImportOptions("sky", "stone"))
    assert [(s.label.kind, s.label.face) for s in there.samples() if s.label] == [("stone", "moon"), ("stone", "sun")]
    assert report.faces == (("stone", "moon", "moon"), ("stone", "sun", "sun"))


def a_foreign_yolo(folder: Path) -> Path:
    """As other programs lay it out: train/images, train/labels; one box, one outline."""
    picture = lay(
        lay(felt(400, 300), RotatedSquare(99.5, 79.5, 40.0, 0.0), 1), RotatedSquare(299.5, 199.5, 50.0, 45.0), 2
    )
    (folder / "train/images").mkdir(parents=True)
    (folder / "train/labels").mkdir()
    cv2.imwrite(str(folder / "train/images/a.jpg"), picture)
    (folder / "train/labels/a.txt").write_text(
        "0 0.25 0.26666 0.1 0.13333\n1 0.66 0.666 0.75 0.55 0.84 0.666 0.75 0.78\n"
    )
    return folder


def test_boxes_of_other_programs_become_places(tmp_path: Path) -> None:
    there = opened(tmp_path / "there")
    folder = a_foreign_yolo(tmp_path / "theirs")
    (folder / "classes.txt").write_text("one\ntwo\n")
    report = import_dataset(there, folder, "yolo", ImportOptions("sky"))
    assert (report.taken, report.pictures) == (2, 1)
    first, second = there.samples()
    assert (first.origin, first.die_set, first.frame, first.read) == ("import", "sky", "", None)
    assert first.label
    assert (first.label.by, first.label.kind, first.label.face) == ("imported from YOLO", "die", "one")
    assert first.place.edge == pytest.approx(40 * np.pi / 4, rel=0.01)  # its turn is not known
    for sample in (first, second):
        height, width = there.pixels(sample.name).shape[:2]
        assert (sample.place.x, sample.place.y) == pytest.approx((width / 2, height / 2), abs=2)
    assert 30 < second.place.edge < 72


def test_the_finder_tells_the_place_in_a_box_better(tmp_path: Path) -> None:
    there = opened(tmp_path / "there")
    seen = [RotatedSquare(298.0, 201.0, 50.0, 45.0), RotatedSquare(20.0, 20.0, 30.0, 0.0)]
    folder = a_foreign_yolo(tmp_path / "theirs")
    (folder / "classes.txt").write_text("one\ntwo\n")
    import_dataset(there, folder, "yolo", ImportOptions("sky", find=lambda _: seen))
    first, second = there.samples()
    assert (first.place.turned_degrees, second.place.turned_degrees) == (0.0, 45.0)
    assert second.place.edge == 50.0


def test_a_coco_of_another_program_comes_in(tmp_path: Path) -> None:
    folder = a_foreign_yolo(tmp_path / "theirs")
    (folder / "train/labels/a.txt").unlink()
    whole = {
        "images": [{"id": 7, "file_name": "train/images/a.jpg", "width": 400, "height": 300}],
        "categories": [{"id": 3, "name": "Volle Münze"}, {"id": 4, "name": "stone/★"}],
        "annotations": [
            {"id": 1, "image_id": 7, "category_id": 3, "bbox": [80, 60, 40, 40], "iscrowd": 0},
            {
                "id": 2,
                "image_id": 7,
                "category_id": 4,
                "bbox": [264, 164, 71, 71],
                "edge": 50.0,
                "turned_degrees": 45.0,
            },
            {"id": 3, "image_id": 7, "category_id": 4, "bbox": [0, 0, 400, 300], "iscrowd": 1},
        ],
    }
    for name in ("annotations/instances.json", "other.json"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(whole if "inst" in name else {"other": 1}))
    there = opened(tmp_path / "there")
    report = import_dataset(there, folder, "coco", ImportOptions("sky"))
    assert report.faces == (("die", "volle-munze", "Volle Münze"), ("stone", "black-star", "★"))
    first, second = there.samples()
    assert first.place.edge == pytest.approx(40 * np.pi / 4, abs=1e-3)
    assert (second.place.edge, second.place.turned_degrees) == (50.0, 45.0)


def test_foreign_pictures_need_a_die_set(tmp_path: Path) -> None:
    there, folder = opened(tmp_path / "there"), a_foreign_yolo(tmp_path / "theirs")
    (folder / "classes.txt").write_text("one\ntwo\n")
    with pytest.raises(ExchangeError, match="name a die set"):
        import_dataset(there, folder, "yolo")
    assert list((tmp_path / "there/sessions").iterdir()) == []


def faces_of(store: SampleStore) -> list[str]:
    return [sample.label.face for sample in store.samples() if sample.label]


@pytest.mark.parametrize(
    "lists",
    [
        {"obj.names": "1\n2\n"},
        {"train/_darknet.labels": "1\r\n2\r\n"},
        {"data.yaml": "nc: 2\nnames: ['1', '2']\n"},
        {"data.yaml": "names: [1, 2]\n", "train/labels/classes.txt": "1\n2"},
        {"classes.txt": "1\n2\n", "notes.json": '{"categories": [{"id": 0, "name": "1"}, {"id": 1, "name": "2"}]}'},
        {"notes.json": '{"categories": [{"id": 1, "name": "2"}, {"id": 0, "name": "1"}]}'},
        {"data.yaml": "path: x\n", "notes.json": "[]", "OBJ.NAMES": "1\n2\n\n"},
    ],
)  # fmt: skip
def test_a_class_has_the_name_of_its_number_in_every_list_of_classes(tmp_path: Path, lists: dict[str, str]) -> None:
    folder, there = a_foreign_yolo(tmp_path / "theirs"), opened(tmp_path / "there")
    for name, text in lists.items():
        (folder / name).write_text(text, newline="")
    import_dataset(there, folder, "yolo", ImportOptions("sky"))
    assert faces_of(there) == ["1", "2"]


@pytest.mark.parametrize(
    ("lists", "words"),
    [
        ({}, "does not say what its classes are called"),
        ({"data.yaml": "nc: 2\n"}, "does not say what its classes are called"),
        ({"obj.names": "1\n2\n", "data.yaml": "names: ['0', '1']"}, "'data.yaml' and 'obj.names' name the classes"),
        ({"classes.txt": "1\n\n2\n"}, "a box of class 1, which the set lacks"),
        ({"data.yaml": "names:\n  0: '1'\n  1: '2'\n  1: '3'\n"}, "the classes in 'data.yaml' cannot be read"),
        ({"data.yaml": "nc: 3\nnames: ['1', '2']\n"}, "the classes in 'data.yaml' cannot be read"),
        ({"classes.txt": "# classes\n1\n2\n"}, "'classes.txt' has a comment or a name twice"),
        ({"obj.names": "2\n1\n2\n"}, "'obj.names' has a comment or a name twice"),
    ],
)
def test_a_number_of_a_class_is_never_taken_for_a_face(tmp_path: Path, lists: dict[str, str], words: str) -> None:
    folder, there = a_foreign_yolo(tmp_path / "theirs"), opened(tmp_path / "there")
    for name, text in lists.items():
        (folder / name).write_text(text)
    with pytest.raises(ExchangeError, match=words):
        import_dataset(there, folder, "yolo", ImportOptions("sky"))


@pytest.mark.parametrize(
    ("shape", "points"),
    [("[1, 2]", "0.45 0.35"), ("[2, 3]", "0.45 0.35 2 0.55 0.25 2"), ("[2, 2]", "0.45 0.35 0.55 0.25")],
)
def test_points_of_a_pose_are_no_corners_of_its_box(tmp_path: Path, shape: str, points: str) -> None:
    folder, there = tmp_path / "theirs", opened(tmp_path / "there")
    folder.mkdir()
    a_turned_picture(folder / "a.jpg", 1)
    (folder / "data.yaml").write_text(f"kpt_shape: {shape}\nnames: [moon]\n")
    (folder / "a.txt").write_text(f"0 0.4 0.3333 0.2 0.2667 {points}\n")
    import_dataset(there, folder, "yolo", ImportOptions("sky"))
    assert shows_its_die(there)


def test_boxes_of_a_picture_that_is_not_there_are_refused(tmp_path: Path) -> None:
    folder = a_foreign_yolo(tmp_path / "theirs")
    (folder / "classes.txt").write_text("one\ntwo\n")
    (folder / "train/labels/b.txt").write_text("0 0.5 0.5 0.1 0.1\n")
    with pytest.raises(ExchangeError, match=r"the picture of 'train/labels/b.txt' is not there"):
        import_dataset(opened(tmp_path / "there"), folder, "yolo", ImportOptions("sky"))


def test_two_pictures_with_one_text_are_refused(tmp_path: Path) -> None:
    folder = a_foreign_yolo(tmp_path / "theirs")
    (folder / "classes.txt").write_text("one\ntwo\n")
    a_turned_picture(folder / "train/images/a.png", 1)
    with pytest.raises(ExchangeError, match=r"a\.jpg' and 'train/images/a\.png' have one text"):
        import_dataset(opened(tmp_path / "there"), folder, "yolo", ImportOptions("sky"))


# ── what two programs may see otherwise: pictures stored turned, names, edges ────────────────────────────────────────


BOX = BoundingBox(60.0, 30.0, 40.0, 40.0)
"""Where `a_turned_picture` has its die, turned upright."""


def a_turned_picture(path: Path, orientation: int, size: tuple[int, int] = (200, 150)) -> BoundingBox:
    """Store a picture of a size, with a die, turned by its EXIF data; return the die's box in it as it is stored."""
    upright = felt(*size)
    upright[30:70, 60:100] = 255
    across, down = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    turn = {
        1: lambda p: p, 2: lambda p: p[:, ::-1], 3: lambda p: np.rot90(p, 2), 4: lambda p: p[::-1],
        5: lambda p: p.swapaxes(0, 1), 6: np.rot90, 7: lambda p: np.rot90(p, 2).swapaxes(0, 1),
        8: lambda p: np.rot90(p, -1),
    }[orientation]  # fmt: skip
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(np.ascontiguousarray(turn(upright)[:, :, ::-1])).save(path, exif=exif)
    in_box = turn((across >= 60) & (across < 100) & (down >= 30) & (down < 70))
    rows, columns = np.nonzero(in_box)
    return BoundingBox(float(columns.min()), float(rows.min()), 40.0, 40.0)


def a_coco_of_one(folder: Path, box: BoundingBox, **image: object) -> Path:
    """A COCO file of one die in `a.jpg`."""
    whole = {
        "images": [{"id": 1, "file_name": "a.jpg", **image}],
        "categories": [{"id": 1, "name": "moon"}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "iscrowd": "0", "bbox": list(astuple(box))}],
    }
    (folder / "instances.json").write_text(json.dumps(whole))
    return folder


def shows_its_die(store: SampleStore) -> bool:
    (sample,) = store.samples()
    pixels, reach = store.pixels(sample.name), round(sample.place.edge / 3)
    x, y = round(sample.place.x), round(sample.place.y)
    return bool(pixels[y - reach : y + reach, x - reach : x + reach].min() > 150)


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("drawn_on", ["upright", "stored"])
@pytest.mark.parametrize("form", ["coco", "coco that states sizes", "yolo"])
def test_a_box_lies_round_its_die_however_the_picture_is_stored(
    tmp_path: Path, orientation: int, drawn_on: str, form: str
) -> None:
    """It is asked for where the labels do not say on what they were drawn: that is one of a picture's two sizes."""
    folder, there = tmp_path / "theirs", opened(tmp_path / "there")
    folder.mkdir()
    stored = a_turned_picture(folder / "a.jpg", orientation)
    box = stored if drawn_on == "stored" else BOX
    width, height = (150, 200) if drawn_on == "stored" and orientation >= 5 else (200, 150)
    if form == "yolo":
        share = box.to_fractions(width, height)
        (folder / "obj.names").write_text("moon\n")
        (folder / "a.txt").write_text(
            f"0 {share.left + share.width / 2} {share.top + share.height / 2} {share.width} {share.height}\n"
        )
    else:
        a_coco_of_one(folder, box, **({"width": width, "height": height} if "sizes" in form else {}))
    plain = ImportOptions("sky")
    if orientation == 1 or (orientation >= 5 and "sizes" in form):
        import_dataset(there, folder, form[:4], plain)
    else:
        with pytest.raises(ExchangeError, match="give --boxes upright, or --boxes stored"):
            import_dataset(there, folder, form[:4], plain)
        import_dataset(there, folder, form[:4], replace(plain, boxes=drawn_on))
    assert shows_its_die(there)


def test_a_square_picture_that_is_stored_turned_is_asked_about(tmp_path: Path) -> None:
    a_turned_picture(tmp_path / "a.jpg", 6, (150, 150))
    a_coco_of_one(tmp_path, BOX, width=150, height=150)
    with pytest.raises(ExchangeError, match="stored turned"):
        import_dataset(opened(tmp_path / "there"), tmp_path, "coco", ImportOptions("sky"))


@pytest.mark.parametrize(("on_disk", "in_labels"), [("NFC", "NFD"), ("NFD", "NFC")])
@pytest.mark.parametrize("form", ["coco", "yolo", "zip"])
def test_a_name_is_found_however_its_letters_are_written(
    tmp_path: Path, form: str, on_disk: Literal["NFC", "NFD"], in_labels: Literal["NFC", "NFD"]
) -> None:
    there, folder, name = opened(tmp_path / "there"), tmp_path / "theirs", "w\u00fcrfel"
    folder.mkdir()
    stored, said = (unicodedata.normalize(way, name) for way in (on_disk, in_labels))
    a_turned_picture(folder / f"{stored}.jpg", 1)
    if form == "yolo":
        (folder / "classes.txt").write_text("moon\n")
        (folder / f"{said}.txt").write_text("0 0.4 0.3333 0.2 0.2667\n")
    else:
        a_coco_of_one(folder, BOX, file_name=f"{said}.jpg")
    if form == "zip":
        folder = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", folder))
    import_dataset(there, folder, "yolo" if form == "yolo" else "coco", ImportOptions("sky"))
    assert shows_its_die(there)


@pytest.mark.parametrize(("left", "cut"), [(-3.0, 1), (-1.5, 0), (163.0, 1), (-20.0, 1)])
def test_a_box_over_the_edge_is_cut_there_counted_and_told_of(tmp_path: Path, left: float, cut: int) -> None:
    there = opened(tmp_path / "there")
    a_turned_picture(tmp_path / "a.jpg", 1)
    box = BoundingBox(left, 30.0, 40.0, 40.0)
    report = import_dataset(there, a_coco_of_one(tmp_path, box), "coco", ImportOptions("sky"))
    assert (report.taken, report.cut) == (1, cut)
    assert ("Cut at the edge of its picture: 1 box." in report.sentence) == bool(cut)
    assert box.cut_to(200, 150) == BoundingBox(max(left, 0), 30.0, min(40.0, 40 + left, 200 - left), 40.0)


def test_a_box_in_fractions_is_no_box_of_coco(tmp_path: Path) -> None:
    a_turned_picture(tmp_path / "a.jpg", 1)
    folder = a_coco_of_one(tmp_path, BOX.to_fractions(200, 150))
    with pytest.raises(ExchangeError, match="has a box that is none"):
        import_dataset(opened(tmp_path / "there"), folder, "coco", ImportOptions("sky"))


@pytest.mark.parametrize(("left", "doubted"), [(60.0, 0), (30.0, 1), (110.0, 1)])
def test_a_box_in_which_not_one_die_is_seen_is_counted_and_told_of(tmp_path: Path, left: float, doubted: int) -> None:
    """Such as a box of a picture that was made smaller since, or with its corners where others have a size."""
    a_turned_picture(tmp_path / "a.jpg", 1)
    folder = a_coco_of_one(tmp_path, replace(BOX, left=left))
    report = import_dataset(opened(tmp_path / "there"), folder, "coco", ImportOptions("sky", find=finding))
    assert (report.taken, report.doubted) == (1, doubted)
    assert ("In 1 box not just one die is seen" in report.sentence) == bool(doubted)
    assert "They show: moon." in report.sentence


@pytest.mark.parametrize("again", ["0.25 0.25 0.1 0.1", "0.255 0.25 0.1 0.104"])
def test_a_die_with_two_names_is_refused_and_one_that_is_marked_twice_is_one_die(tmp_path: Path, again: str) -> None:
    """Such as a picture that two people labelled, or a person after a program."""
    folder, there = a_foreign_yolo(tmp_path / "theirs"), opened(tmp_path / "there")
    (folder / "obj.names").write_text("moon\nsun\n")
    text = folder / "train/labels/a.txt"
    text.write_text(f"0 0.25 0.25 0.1 0.1\n0 {again}\n")
    assert import_dataset(there, folder, "yolo", ImportOptions("sky")).taken == 1
    text.write_text(f"0 0.25 0.25 0.1 0.1\n1 {again}\n")
    with pytest.raises(ExchangeError, match="has a die that is called 'moon' and 'sun'"):
        import_dataset(there, folder, "yolo", ImportOptions("sky"))


def test_a_picture_that_is_missing_is_not_one_of_the_same_name_in_another_folder(tmp_path: Path) -> None:
    for share in ("train", "valid"):
        (tmp_path / "theirs" / share).mkdir(parents=True)
        a_turned_picture(tmp_path / "theirs" / share / "a.jpg", 1)
        a_coco_of_one(tmp_path / "theirs" / share, replace(BOX, left=59.0 if share == "train" else 60.0))
    assert import_dataset(opened(tmp_path / "there"), tmp_path / "theirs", "coco", ImportOptions("sky")).taken == 2
    (tmp_path / "theirs/train/a.jpg").unlink()
    with pytest.raises(ExchangeError, match=r"the picture 'a\.jpg' of 'train/instances\.json' is not there"):
        import_dataset(opened(tmp_path / "other"), tmp_path / "theirs", "coco", ImportOptions("sky"))


@pytest.mark.parametrize("folder", ["train", "dice/Test", "JPEGImages"])
def test_a_folder_of_a_share_is_no_face(tmp_path: Path, folder: str) -> None:
    (tmp_path / "theirs" / folder).mkdir(parents=True)
    a_turned_picture(tmp_path / "theirs" / folder / "a.jpg", 1)
    with pytest.raises(ExchangeError, match="lies in no folder of a face"):
        import_dataset(opened(tmp_path / "there"), tmp_path / "theirs", "faces", ImportOptions("sky"))


@pytest.mark.parametrize("label", ["labels/a.txt", "Annotations/a.xml", "cam1/a.json"])
def test_folders_of_pictures_that_have_labels_of_their_own_are_no_faces(tmp_path: Path, label: str) -> None:
    folder = tmp_path / "theirs"
    for name in ("cam1/a.jpg", "cam2/b.jpg", label):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        a_turned_picture(folder / name, 1) if name.endswith("jpg") else (folder / name).write_text("0 0.5 0.5 0.1 0.1")
    with pytest.raises(ExchangeError, match=f"'{label}' labels a picture; import it as coco or yolo"):
        import_dataset(opened(tmp_path / "there"), folder, "faces", ImportOptions("sky"))


@pytest.mark.parametrize("form", FORMS)
def test_where_nothing_is_taken_in_that_is_an_error(tmp_path: Path, form: str) -> None:
    folder = tmp_path / "theirs"
    (folder / "moon").mkdir(parents=True)
    a_turned_picture(folder / "moon/a.jpg", 1, (600, 400))
    (folder / "labels.json").write_text('{"images": [], "categories": [], "annotations": []}')
    if form == "yolo":
        (folder / "moon/a.txt").write_text("")
    with pytest.raises(ExchangeError, match=r"nothing was taken in from theirs: |holds no boxes"):
        import_dataset(opened(tmp_path / "there"), folder, form, ImportOptions("sky"))


# ── a folder a face ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_there_is_a_folder_for_each_face(tmp_path: Path) -> None:
    store = a_mixed_set(tmp_path / "here")
    export_dataset(store, tmp_path / "out", "faces", waiting=True)
    for sample in store.samples():
        inner = f"{sample.label.kind}/{sample.label.face}" if sample.label else "unlabelled"
        path = tmp_path / f"out/{sample.die_set}/{inner}/{sample.name}.png"
        assert np.array_equal(cv2.imread(str(path)), store.pixels(sample.name))


def test_a_picture_moved_to_another_face_s_folder_shows_that_face(tmp_path: Path) -> None:
    store = a_mixed_set(tmp_path / "here")
    export_dataset(store, tmp_path / "out", "faces", "ours")
    moved, gone, *_ = sorted((tmp_path / "out/ours/d6/pip-1").iterdir())
    (tmp_path / "out/ours/d6/moon").mkdir()
    moved.rename(tmp_path / "out/ours/d6/moon" / moved.name)
    gone.unlink()
    there = opened(tmp_path / "there")
    report = import_dataset(there, tmp_path / "out", "faces")
    label = there.sample(moved.stem).label
    assert label
    assert (label.kind, label.face, label.by) == ("d6", "moon", "imported from folders")
    assert replace(there.sample(moved.stem), label=None) == replace(store.sample(moved.stem), label=None)
    assert report.taken == len(store.samples("ours")) - 1
    assert gone.stem not in by_name(there.samples())


def finding(pixels: Pixels) -> list[RotatedSquare]:
    """White dice."""
    bright = (pixels.min(axis=2) > 150).astype(np.uint8)
    outlines, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [cv2.minAreaRect(outline) for outline in outlines if cv2.contourArea(outline) > 200]
    return [RotatedSquare(float(x), float(y), float(max(size)), float(turn) % 90) for (x, y), size, turn in boxes]


def test_pictures_of_other_programs_are_labelled_by_their_folder(tmp_path: Path) -> None:
    frame, dice = a_throw("pip-3", "pip-3")
    pictures = {
        "Moon/two.jpg": frame,
        "Moon/none.png": felt(600, 400),
        "Sun/crop.png": felt(90, 80),
        "Sun/near.png": a_die("pip-2").pixels,
    }
    for name, pixels in pictures.items():
        (tmp_path / "theirs" / name).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(tmp_path / "theirs" / name), pixels)
    (tmp_path / "theirs/Moon/notes.md").write_text("x")
    there = opened(tmp_path / "there")
    report = import_dataset(there, tmp_path / "theirs", "faces", ImportOptions("sky", "stone", finding))
    assert (report.taken, report.pictures, report.without_die) == (4, 4, ("Moon/none.png",))
    assert "In 1 picture no die was found: Moon/none.png." in report.sentence
    assert report.faces == (("stone", "moon", "Moon"), ("stone", "sun", "Sun"))
    one, other, crop, near = sorted(
        there.samples(), key=lambda sample: (sample.label is None or sample.label.face, sample.name)
    )
    assert {sample.place.turned_degrees // 1 for sample in (one, other)} <= {0.0, 19.0, 20.0, 89.0}
    assert one.place.edge == pytest.approx(dice[0].place.edge, abs=2)
    assert crop.place == RotatedSquare(44.5, 39.5, pytest.approx(80 / 1.5, abs=0.001), 0.0)
    assert near.place.edge == pytest.approx(32, abs=2)


def test_without_a_finder_a_small_picture_is_all_one_die(tmp_path: Path) -> None:
    (tmp_path / "theirs/moon").mkdir(parents=True)
    for name, side in (("a", 64), ("b", 256), ("c", 257)):
        cv2.imwrite(str(tmp_path / f"theirs/moon/{name}.png"), felt(side, side))
    there = opened(tmp_path / "there")
    report = import_dataset(there, tmp_path / "theirs", "faces", ImportOptions("sky"))
    assert (report.taken, report.without_die) == (2, ("moon/c.png",))
    assert [there.pixels(sample.name).shape[0] for sample in there.samples()] == [64, 192]


def test_a_zip_may_have_a_folder_around_all(tmp_path: Path) -> None:
    store = a_mixed_set(tmp_path / "here")
    for form in FORMS:
        export_dataset(store, tmp_path / "wrapped" / form / "set", form, waiting=True)
        shutil.make_archive(str(tmp_path / form), "zip", tmp_path / "wrapped" / form)
        there = opened(tmp_path / f"there-{form}")
        import_dataset(there, tmp_path / f"{form}.zip", form)
        assert by_name(there.samples()) == by_name(store.samples())


# ── names, places and shares ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pip-3", "pip-3"), ("Volle Münze", "volle-munze"), ("★", "black-star"), ("  5  ", "5"), ("¿¡", "face"),
        ("con", "face-con"), ("../..", "face"), ("x" * 90, "x" * 56), ("Σ", "greek-small-letter-sigma"), ("", "face"),
    ],
)  # fmt: skip
def test_any_text_gets_a_name(text: str, name: str) -> None:
    assert plain_name(text) == name
    assert plain_name(name) == name


def test_two_texts_never_get_the_same_name() -> None:
    names = LabelNames("die")
    assert names.of("moon!") == ("die", "moon")
    assert names.of("moon?") == ("die", "moon-2")
    assert names.of("Moon!") == ("die", "moon")
    assert names.of("M\u00fcnze") == names.of("Mu\u0308nze") == ("die", "munze")
    assert names.of("ours:d6/pip-1") == ("d6", "pip-1")
    assert names.of("unlabelled") == ("", "")


@pytest.mark.parametrize("turned", [0.0, 17.0, 45.0, 80.0])
def test_a_place_comes_back_from_its_box_edge_and_turn(turned: float) -> None:
    place = RotatedSquare(200.25, 100.5, 40.0, turned)
    box = box_of(place, 640, 480)
    assert place_of(box, 40.0, turned) == RotatedSquare(
        pytest.approx(200.25, abs=1e-3), pytest.approx(100.5, abs=1e-3), 40.0, turned
    )
    alone = place_of(box)
    assert (alone.turned_degrees, alone.edge) == (0.0, pytest.approx(40, rel=0.28))
    assert place_of(box, 4000.0, 10.0) == alone


def test_sessions_of_a_date_go_the_same_way_and_every_share_has_some(tmp_path: Path) -> None:
    store = opened(tmp_path)
    for day in range(20):
        for evening in range(2):
            clocked = opened(tmp_path, NOON.replace(day=day + 1, hour=10 + 8 * evening))
            clocked.save(clocked.start_session("ours", "guided"), "ours", None, [a_die("pip-1"), a_die("pip-2")])
    sessions, samples = store.sessions(), store.samples()
    shares = split_by_date(sessions, samples)
    assert shares.sentence == ""
    assert split_by_date(reversed(sessions), samples).of == shares.of
    by_date: dict[int, set[str]] = {}
    for session in sessions:
        by_date.setdefault(session.begun_at.day, set()).add(shares.of[session.name])
    assert all(len(found) == 1 for found in by_date.values())
    assert Counter(found for (found,) in map(tuple, by_date.values())) == {"train": 14, "val": 3, "test": 3}


def test_a_face_of_one_date_alone_is_for_training(tmp_path: Path) -> None:
    for day in range(6):
        clocked = opened(tmp_path, NOON.replace(day=day + 1))
        faces = ["pip-1", "pip-2"] if day else ["pip-1", "pip-6"]
        clocked.save(clocked.start_session("ours", "guided"), "ours", None, [a_die(face) for face in faces])
    store = SampleStore(tmp_path)
    shares = split_by_date(store.sessions(), store.samples())
    rare = next(sample for sample in store.samples() if sample.label and sample.label.face == "pip-6")
    assert shares.of[rare.session] == "train"
    assert set(shares.of.values()) == {"train", "val", "test"}


def test_too_few_dates_are_said_and_all_is_for_training(tmp_path: Path) -> None:
    store = opened(tmp_path / "here")
    for name in ("a", "b", "c"):
        store.save(store.start_session("ours", "guided", name), "ours", None, [a_die()])
    told = export_dataset(store, tmp_path / "out", "yolo")
    assert told.splits == {"train": 3}
    (sentence,) = told.sentences
    assert "too few" in sentence
    assert (tmp_path / "out/data.yaml").read_text().startswith("train: images/train\nnames:")


def test_zips_hold_names_with_strokes_and_nothing_else(tmp_path: Path) -> None:
    export_dataset(a_mixed_set(tmp_path / "here"), tmp_path / "out.zip", "coco")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        names = archive.namelist()
        assert archive.testzip() is None
    assert {"labels.json", "vander.jsonl"} <= set(names)
    assert {name.split("/")[0] for name in names} == {"data", "crops", "labels.json", "train.json", "val.json",
                                                       "test.json", "vander.jsonl"}  # fmt: skip
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here", "out.zip"]


def test_all_errors_are_of_one_tree() -> None:
    assert issubclass(ExchangeError, DatasetError)
    assert issubclass(DatasetError, ValueError)
