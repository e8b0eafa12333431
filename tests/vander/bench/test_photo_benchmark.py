"""`vander bench photos` on a folder drawn by the virtual tray, with faults put into its labels."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from labelled import drawn, drawn_empty, filmed, write_labels
from typed_commands import vander

from vander.bench.baselines import NO_ONNX

pytestmark = pytest.mark.slow  # all of it: one worker reads the pictures for all tests


def bench(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    with chdir(folder):
        return vander("bench", "photos", str(folder), *options)


def refusal(folder: Path) -> str:
    """Return what the command says of what it refuses."""
    done = bench(folder)
    assert done.returncode == 2
    return done.stderr


def rows_of(done: subprocess.CompletedProcess[str], key: str) -> dict[str, dict[str, Any]]:
    """The rows of JSON that have this key, by what it holds."""
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return {row[key]: row for row in rows if key in row}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture that is labelled truly, one with three faults in its label, one without dice; and a clip."""
    folder = tmp_path_factory.mktemp("labelled")
    true = drawn(folder, "true_1.png", "intersection") | {"set": "intersection", "kind": "symbol"}
    faulty = drawn(folder, "faulty_1.png", "d6", seed=2)
    faulty["dice"][0]["face"] = "pip-1" if faulty["dice"][0]["face"] != "pip-1" else "pip-2"
    faulty["dice"][1] |= {"cx": 40.0, "cy": 40.0}
    write_labels(folder, true, drawn_empty(folder, "none_1.png"), faulty)
    (folder / "clips").mkdir()
    row = filmed(folder / "clips", "throw.avi")
    with (folder / "clips" / "clips.csv").open("w", encoding="utf-8", newline="") as table:
        csv.DictWriter(table, row.keys()).writerows([dict(zip(row, row, strict=True)), row])
    return folder


@pytest.fixture(scope="module")
def told(folder: Path) -> subprocess.CompletedProcess[str]:
    done = bench(folder, "--json", "--worst", "2", "--rivals")
    assert done.returncode == 0, done.stderr
    return done


def test_every_die_is_scored_by_what_its_label_says(told: subprocess.CompletedProcess[str]) -> None:
    row = rows_of(told, "over")["all"]
    assert (row["pictures"], row["dice"], row["found"], row["right"], row["wrong"]) == (3, 12, 11, 10, 1)
    assert (row["phantoms"], row["wrong_per_1000"], row["exact"]) == (1, 83.33, 2)
    low, high = row["found_interval"]
    assert low < row["found_percent"] < high


def test_a_picture_is_read_with_the_die_set_of_its_label(told: subprocess.CompletedProcess[str]) -> None:
    row = rows_of(told, "over")["true, top-down"]
    assert (row["dice"], row["right"], row["exact"]) == (6, 6, 1)


def test_pictures_without_dice_are_told_apart(told: subprocess.CompletedProcess[str]) -> None:
    row = rows_of(told, "over")["without dice"]
    assert (row["pictures"], row["phantoms"], row["phantoms_asked"]) == (1, 0, 0)


def test_the_worst_pictures_are_told_the_worst_first(told: subprocess.CompletedProcess[str]) -> None:
    rows = list(rows_of(told, "picture").values())
    assert [row["picture"] for row in rows] == ["faulty_1.png", "true_1.png"]
    assert (rows[0]["dice"], rows[0]["found"], rows[0]["wrong"], rows[0]["phantoms"]) == (6, 5, 1, 1)


def test_the_page_shows_misread_dice_and_needs_no_other_file(
    told: subprocess.CompletedProcess[str], folder: Path
) -> None:
    assert told.returncode == 0
    page = (folder / "worst.html").read_text("utf-8")
    sources = re.findall(r'src="([^"]{0,30})', page)
    assert len(sources) == 3
    assert all(source.startswith("data:image/jpeg;base64,") for source in sources)
    assert re.findall(r"<h2>([^<]+?) <span>(\d+)", page) == [
        ("Silently wrong", "1"),
        ("Phantoms", "1"),
        ("Missed", "1"),
    ]
    assert "http" not in page


def test_the_rivals_run_on_the_same_pictures(told: subprocess.CompletedProcess[str]) -> None:
    rows = rows_of(told, "reader")
    ours, blobs, yolo = rows.values()
    assert (ours["pictures"], ours["dice"]) == (blobs["pictures"], blobs["dice"]) == (2, 6)
    assert blobs["found"] >= 4
    assert ours["time_ratio"] == 1
    for rival in (blobs, yolo):
        low, high = rival["time_ratio_interval"]
        assert 0 < low <= rival["time_ratio"] <= high
    assert yolo["parameters"] == pytest.approx(2.6e6, rel=0.02)


def test_a_clip_is_counted_read_and_told_in_time(told: subprocess.CompletedProcess[str]) -> None:
    clip = rows_of(told, "clip")["throw.avi"]
    assert (clip["throws"], clip["verdict"], clip["timing"]) == (1, "right", "in time")
    total = rows_of(told, "clips")[1]
    assert (total["counted_exactly"], total["in_time"], total["in_time_interval"]) == (1, 1, [20.65, 100.0])


def test_a_person_is_told_the_same_in_tables(folder: Path) -> None:
    done = bench(folder, "--rivals", "--worst", "1", "--page", "mine.html")
    assert done.returncode == 0, done.stderr
    assert "91.67 (64.6-98.5)" in done.stdout
    assert "83.33 (14.9-353.9)" in done.stdout
    for words in ("without dice", "faulty_1.png", "OpenCV blobs", "2.62 M parameters, 6.54 GFLOPs", "in time"):
        assert words in done.stdout
    assert (folder / "mine.html").exists()


def test_without_onnx_one_sentence_says_so_and_the_rest_is_printed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    done = bench(folder, "--json", "--rivals")
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if line.startswith("vander: ")] == [f"vander: {NO_ONNX}"]
    assert list(rows_of(done, "reader")) == ["Vander", "OpenCV blobs"]
    assert "all" in rows_of(done, "over")


def test_a_page_that_has_no_folder_is_refused_before_anything_is_read(folder: Path) -> None:
    done = bench(folder, "--worst", "1", "--page", "nowhere/worst.html")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "vander: the page nowhere/worst.html cannot be written: there is no folder nowhere\n"


def test_a_die_set_that_is_not_known_is_one_sentence(tmp_path: Path) -> None:
    write_labels(tmp_path, {"file": "a.png", "kind": "pip", "view": "top", "set": "chess", "faces": []})
    said = refusal(tmp_path)
    assert said.count("\n") == 1
    assert "'chess'" in said


def test_clips_need_their_columns(tmp_path: Path) -> None:
    write_labels(tmp_path)
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips" / "clips.csv").write_text("file,settled_faces_by_eye\na.avi,pip-1\n")
    assert "needs the columns file, fps, last_motion_frame, settled_faces_by_eye" in refusal(tmp_path)
