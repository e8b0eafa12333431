"""What Vander exports is opened as other programs open it: by pycocotools, pandas, and loaders of YOLO and of folders.

Dice are thrown on the virtual tray, and labelled with what really lies there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
import yaml

from bench.exchange import made
from models.dataset import SampleStore, export_dataset
from models.dataset.export_plan import SPLITS, ExportPlan, plan_export

HOUSE = Path(__file__).parents[3]
CACHE = Path(os.environ.get("VANDER_BOX_CACHE", HOUSE / "build/box/exchange"))
GOLDEN = HOUSE / "tests/referee/golden/toss-up-shared-win.txt"
VANDER = Path(sys.executable).with_name("vander")

Die = tuple[str, str, tuple[float, ...]]
"""The name of its picture, its category, and its box: left, top, width and height in pixels."""

OPEN_COCO = """
import json, sys
from contextlib import redirect_stdout
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

with redirect_stdout(sys.stderr):
    truth = COCO(sys.argv[1])
    rows = truth.loadAnns(truth.getAnnIds())
    keys = ("image_id", "category_id", "bbox")
    judged = COCOeval(truth, truth.loadRes([{key: row[key] for key in keys} | {"score": 1.0} for row in rows]), "bbox")
    judged.evaluate()
    judged.accumulate()
    judged.summarize()
picture = lambda row: truth.loadImgs(row["image_id"])[0]["file_name"]
category = lambda row: truth.loadCats(row["category_id"])[0]["name"]
dice = [(picture(row), category(row), row["bbox"]) for row in rows]
print(json.dumps({"dice": dice, "precision": judged.stats[0], "pictures": len(truth.getImgIds())}))
"""
OPEN_TABLE = """
import json, sys
import pandas

table = pandas.read_csv(sys.argv[1], parse_dates=["started_at", "ended_at"])
kinds = {name: kind.kind for name, kind in table.dtypes.items()}
print(json.dumps({"kinds": kinds, "rows": json.loads(table[["player", "score", "won"]].to_json(orient="values"))}))
"""


def told(program: str, *words: str | Path) -> Any:
    """What a program prints as JSON that runs beside pycocotools and pandas."""
    python = CACHE / "venv/bin/python"
    if not python.exists():
        pytest.fail(f"there is no {python}; run bench/box/exchange/build.sh {CACHE}")
    done = subprocess.run([python, "-c", program, *words], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> SampleStore:
    return made(tmp_path_factory.mktemp("dice") / "captured", ["intersection"], dates=6, throws=2)


@pytest.fixture(scope="module")
def plan(store: SampleStore) -> ExportPlan:
    return plan_export(store, "", waiting=False)


def exported(plan: ExportPlan, split: str = "") -> list[Die]:
    """The dice that are to be found, all or those of a split."""
    return sorted(
        (picture.name, die.category, (die.box.left, die.box.top, die.box.width, die.box.height))
        for picture, die in plan.dice
        if split in ("", picture.split)
    )


def assert_same(found: list[Die], wanted: list[Die]) -> None:
    """The same dice, with boxes within a hundredth of a pixel."""
    found = sorted(found)
    assert [die[:2] for die in found] == [die[:2] for die in wanted]
    assert [side for *_, box in found for side in box] == pytest.approx(
        [side for *_, box in wanted for side in box], abs=0.01
    )


def test_pycocotools_finds_every_die_and_judges_them_by_themselves(
    store: SampleStore, plan: ExportPlan, tmp_path: Path
) -> None:
    export_dataset(store, tmp_path / "out", "coco")
    assert {picture.split for picture in plan.pictures} == set(SPLITS)
    for name, split in (("labels", ""), *((split, split) for split in SPLITS)):
        opened = told(OPEN_COCO, tmp_path / f"out/{name}.json")
        assert_same(
            [(picture, category, tuple(box)) for picture, category, box in opened["dice"]], exported(plan, split)
        )
        assert opened["precision"] == pytest.approx(1.0)
        assert opened["pictures"] == len({picture.name for picture in plan.pictures if split in ("", picture.split)})


def read_yolo(listing: Path, split: str) -> Iterator[Die]:
    """Read a split as the documentation of the format has it.

    `data.yaml` names the folder of a split's pictures, beside itself. The text of a picture lies where `labels` stands
    for the last `images` of its path; a line has a class, the box's centre and its size, in shares of the picture.
    """
    whole = yaml.safe_load(listing.read_text("utf-8"))
    pictures = sorted((listing.parent / whole[split]).iterdir())
    for picture in pictures:
        before, _, after = str(picture).rpartition(f"{os.sep}images{os.sep}")
        text = Path(f"{before}{os.sep}labels{os.sep}{after}").with_suffix(".txt")
        height, width = cv2.imread(str(picture)).shape[:2]
        lines = [line.split() for line in text.read_text("utf-8").splitlines()]
        assert lines
        assert len({tuple(line) for line in lines}) == len(lines)
        for line in lines:
            x, y, wide, high = (float(word) for word in line[1:])
            assert 0 <= min(x, y, wide, high) <= max(x, y, wide, high) <= 1
            box = ((x - wide / 2) * width, (y - high / 2) * height, wide * width, high * height)
            yield picture.name, whole["names"][int(line[0])], box


def test_a_loader_of_yolo_sets_finds_every_die(store: SampleStore, plan: ExportPlan, tmp_path: Path) -> None:
    export_dataset(store, tmp_path / "out", "yolo")
    for split in SPLITS:
        assert_same(list(read_yolo(tmp_path / "out/data.yaml", split)), exported(plan, split))


def test_a_loader_of_folders_finds_every_die_in_the_folder_of_its_face(
    store: SampleStore, plan: ExportPlan, tmp_path: Path
) -> None:
    export_dataset(store, tmp_path / "out", "faces")
    pictures = (tmp_path / "out/intersection").glob("*/*/*.png")
    found = Counter(f"{picture.parts[-3]}:{picture.parts[-2]}" for picture in pictures if cv2.imread(str(picture)).size)
    assert found == Counter(category for _, category, _ in exported(plan))


@pytest.mark.parametrize("to_file", [True, False])
def test_pandas_reads_all_plays_with_or_without_the_mark_for_spreadsheets(tmp_path: Path, to_file: bool) -> None:
    names = ["J\u00f6rg, der \u201eZweite\u201c", "=1+1", "Cy"]
    record = tmp_path / "record.txt"
    record.write_text(
        GOLDEN.read_text("utf-8").replace("Ann, Bob, Cy", ", ".join(json.dumps(n) for n in names)), "utf-8"
    )
    words = ("--data-dir", str(tmp_path / "data"))
    subprocess.run([VANDER, "import", record, *words], check=True, capture_output=True)  # noqa: S603
    table = tmp_path / "plays.csv"
    put = subprocess.run([VANDER, "plays", *([table] if to_file else []), *words], check=True, capture_output=True)  # noqa: S603
    if not to_file:
        table.write_bytes(put.stdout)
    opened = told(OPEN_TABLE, table)
    kinds = {"number": "i", "started_at": "M", "ended_at": "M", "finished": "b", "won": "b"}
    assert kinds.items() <= opened["kinds"].items()
    assert [row[0] for row in opened["rows"]] == [names[0], "'=1+1", "Cy"]
    assert {row[2] for row in opened["rows"]} == {True, False}
