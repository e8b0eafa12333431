import json
from pathlib import Path

import pytest

from models import die_sets
from vander.bench.photo_scores import (
    ALL,
    OBLIQUE,
    TOP_DOWN,
    WITHOUT_DICE,
    BenchReading,
    DieVerdict,
    LabelError,
    LabelledDie,
    PhotoLabel,
    PhotoScore,
    load_labels,
    median_interval,
    outcomes,
    report,
)
from vander.bench.photo_scores import score as count
from vision.model_file import wilson_interval


def score(label: PhotoLabel, readings: list[BenchReading], ms: float) -> PhotoScore:
    return count(label, outcomes(label, readings), ms)


def boxed(*faces: str, view: str = "top-down box") -> PhotoLabel:
    dice = tuple(LabelledDie(face, 100.0 * place, 50.0, 40.0) for place, face in enumerate(faces))
    return PhotoLabel("images/ours_001.jpg", "pip", view, faces, dice, True)


def test_a_reading_belongs_to_the_die_within_half_an_edge() -> None:
    readings = [BenchReading("pip-1", True, 19, 50), BenchReading("pip-2", True, 121, 50)]
    one = score(boxed("pip-1", "pip-2"), readings, 7.0)
    assert (one.dice, one.found, one.wrong, one.phantoms, one.exact, one.ms) == (2, 1, 0, 1, 0, 7.0)


def test_a_box_of_one_pip_has_the_reading_of_the_whole_face() -> None:
    label = PhotoLabel("ours_001.jpg", "pip", "oblique", ("pip-1",), (LabelledDie("pip-1", 50, 50, 8),), boxes=True)
    one = score(label, [BenchReading("pip-1", True, 62, 50, edge=40)], 0)
    assert (one.found, one.right, one.phantoms) == (1, 1, 0)


def test_photographs_are_left_out_by_their_source_or_by_a_pattern_of_their_names() -> None:
    label = boxed("pip-1")
    assert label.is_among(("ours",))
    assert label.is_among(("other", f"{Path(label.file).stem[:-1]}?"))
    assert not label.is_among(("other", "ours_*x"))


def test_two_readings_of_one_die_are_one_found_and_one_phantom() -> None:
    one = score(boxed("pip-1"), [BenchReading("pip-1", True, 0, 50), BenchReading("pip-3", True, 5, 50)], 0)
    assert (one.found, one.wrong, one.phantoms) == (1, 0, 1)


def test_asked_is_not_silently_wrong() -> None:
    one = score(boxed("pip-1", "pip-2"), [BenchReading("pip-6", False, 0, 50), BenchReading("pip-6", True, 100, 50)], 0)
    assert (one.asked, one.wrong, one.exact) == (1, 1, 0)


def test_a_digit_and_its_pips_are_the_same_number() -> None:
    assert score(boxed("pip-4"), [BenchReading("digit-4", True, 0, 50)], 0).exact == 1


def test_without_boxes_the_multisets_are_compared() -> None:
    label = PhotoLabel("images/ours_002.jpg", "pip", "top-down", ("pip-1", "pip-1", "pip-2"))
    seen = [BenchReading(face, True, 0, 0) for face in ("pip-1", "pip-2", "pip-2")]
    one = score(label, seen, 0)
    assert (one.found, one.wrong, one.phantoms) == (3, 1, 0)


def test_without_boxes_the_least_sure_of_too_many_is_wrong() -> None:
    label = PhotoLabel("images/ours_002.jpg", "pip", "top-down", ("pip-1", "pip-2"))
    sure, unsure = (BenchReading("pip-1", True, 0, 0, sure=share) for share in (0.99, 0.95))
    worst, *others = outcomes(label, [unsure, sure])
    assert (worst.verdict, worst.read) == (DieVerdict.WRONG, unsure)
    assert [outcome.verdict for outcome in others] == [DieVerdict.RIGHT]


def test_without_boxes_too_few_readings_are_dice_missed() -> None:
    label = PhotoLabel("images/ours_002.jpg", "pip", "top-down", ("pip-1", "pip-2", "pip-3"))
    one = score(label, [BenchReading("pip-2", True, 0, 0)], 0)
    assert (one.dice, one.found, one.right, one.wrong, one.exact) == (3, 1, 1, 0, 0)


def test_what_is_asked_beyond_the_dice_of_a_picture_is_a_phantom() -> None:
    label = PhotoLabel("images/ours_002.jpg", "pip", "top-down", ("pip-1",))
    one = score(label, [BenchReading("pip-1", True, 0, 0), BenchReading("pip-4", False, 9, 9)], 0)
    assert (one.right, one.asked, one.phantoms, one.loud) == (1, 0, 1, 1)


def test_an_accepted_phantom_haunts_its_picture_and_is_no_die_read_wrong() -> None:
    one = score(PhotoLabel("images/ours_004.jpg", "empty", "top-down", ()), [BenchReading("pip-1", True, 0, 0)], 0)
    assert (one.wrong, one.accepted_phantoms, one.haunted, one.exact) == (0, 1, 1, 0)


def test_outcomes_come_the_worst_first() -> None:
    readings = [
        BenchReading("pip-1", True, 0, 50),
        BenchReading("pip-6", True, 100, 50),
        BenchReading("pip-6", True, 500, 50),
    ]
    fates = [outcome.verdict for outcome in outcomes(boxed("pip-1", "pip-2", "pip-3"), readings)]
    assert fates == [DieVerdict.WRONG, DieVerdict.PHANTOM, DieVerdict.MISSED, DieVerdict.RIGHT]


def test_a_die_cut_by_the_edge_may_be_read() -> None:
    label = PhotoLabel("images/ours_003.jpg", "pip", "top-down", ("pip-1",), cut=1)
    one = score(label, [BenchReading("pip-1", True, 0, 0), BenchReading("pip-5", True, 0, 0)], 0)
    assert (one.found, one.wrong, one.phantoms, one.exact) == (1, 0, 0, 1)


def test_a_reading_on_an_empty_surface_is_a_phantom() -> None:
    label = PhotoLabel("images/ours_004.jpg", "empty", "top-down", ())
    assert score(label, [], 0).exact == 1
    one = score(label, [BenchReading("blank", False, 0, 0)], 0)
    assert (one.dice, one.phantoms, one.loud, one.exact) == (0, 1, 1, 0)


def test_the_interval_is_that_of_wilson() -> None:
    low, high = wilson_interval(1, 20)
    assert (round(low, 4), round(high, 4)) == (0.0089, 0.2361)
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_the_median_lies_between_values_that_its_interval_names() -> None:
    assert median_interval([5.0]) == (5.0, 5.0, 5.0)
    assert median_interval([float(value) for value in range(100, 0, -1)]) == (50.5, 40.0, 61.0)


def test_pictures_without_dice_have_a_row_of_their_own() -> None:
    empty = PhotoLabel("images/ours_004.jpg", "empty", "top-down", ())
    rows = report([(empty, score(empty, [BenchReading("pip-1", True, 0, 0), BenchReading("pip-1", False, 9, 9)], 2))])
    row = next(row for row in rows if row.over == WITHOUT_DICE).shares()
    assert (row["pictures"], row["phantoms"], row["phantoms_asked"], row["found_percent"]) == (1, 1, 1, None)
    assert (row["haunted"], row["haunted_percent"], row["haunted_interval"]) == (1, 100.0, [20.65, 100.0])


def test_the_report_ends_with_the_totals() -> None:
    flat, slant = boxed("pip-1"), boxed("pip-1", view="oblique")
    rows = report([(flat, score(flat, [], 4)), (slant, score(slant, [BenchReading("pip-1", True, 0, 50)], 6))])
    assert [row.over for row in rows] == ["ours, oblique", "ours, top-down box", TOP_DOWN, OBLIQUE, ALL]
    whole = rows[-1].shares()
    assert (whole["dice"], whole["found_percent"], whole["ms"]) == (2, 50.0, 5.0)


def test_labels_are_read_from_their_folder(tmp_path: Path) -> None:
    row = {"file": "a_1.jpg", "kind": "digit", "view": "top-down", "faces": ["digit-2"], "cut_dice": 1}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row) + "\n\n")
    (label,) = load_labels(tmp_path)
    assert (label.source, label.faces, label.cut, label.boxes) == ("a", ("pip-2",), 1, False)


def test_a_label_may_name_its_die_set_and_faces_are_called_as_that_has_them(tmp_path: Path) -> None:
    row = {"file": "a_1.jpg", "kind": "drawn", "view": "top-down", "set": "intersection", "faces": ["pip-3", "go"]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row))
    (label,) = load_labels(tmp_path)
    assert label.there == die_sets.load("intersection")
    assert label.faces == ("three", "go")
    assert score(label, [BenchReading("three", True, 0, 0), BenchReading("go", True, 9, 9)], 0).exact == 1


def test_a_label_without_a_set_says_nothing_of_how_many_dice_there_are(tmp_path: Path) -> None:
    rows = [{"file": "a_1.jpg", "kind": kind, "view": "top-down", "faces": []} for kind in ("pip", "symbol")]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, rows)))
    pips, symbols = load_labels(tmp_path)
    assert pips.there is not None
    assert pips.there.counts[0][1] > 100
    assert symbols.there is None


def test_a_die_set_that_is_not_known_is_named_by_its_line(tmp_path: Path) -> None:
    row = {"file": "a_1.jpg", "kind": "pip", "view": "top-down", "set": "chess", "faces": []}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row))
    with pytest.raises(LabelError, match=r"line 1 .*'chess'.*intersection"):
        load_labels(tmp_path)


def test_a_bad_label_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text('{"file": "a.jpg"}\n')
    with pytest.raises(LabelError, match="line 1"):
        load_labels(tmp_path)
    with pytest.raises(LabelError, match="cannot be read"):
        load_labels(tmp_path / "nowhere")


def kinded(*dice: tuple[str, str]) -> PhotoLabel:
    labelled = tuple(LabelledDie(face, 100.0 * n, 50.0, 40.0, kind) for n, (kind, face) in enumerate(dice))
    return PhotoLabel("ours_001.jpg", "drawn", "top-down", tuple(face for _, face in dice), labelled, boxes=True)


def test_the_right_face_on_the_wrong_kind_is_silently_wrong_and_counted_apart() -> None:
    label = kinded(("rollers-black", "pip-3"), ("rollers-purple", "pip-3"), ("rollers-purple", "star"))
    seen = [
        BenchReading("pip-3", True, 0, 50, kind="rollers-purple"),
        BenchReading("pip-3", True, 100, 50, kind="rollers-purple"),
        BenchReading("pip-1", True, 200, 50, kind="rollers-purple"),
    ]
    one = score(label, seen, 0)
    assert (one.right, one.wrong, one.wrong_kind, one.exact) == (1, 2, 1, 0)
    assert one.shares()["wrong_kind"] == 1


def test_where_the_label_or_the_reader_knows_no_kind_the_face_counts_alone() -> None:
    assert score(kinded(("", "pip-3")), [BenchReading("pip-3", True, 0, 50, kind="rollers-purple")], 0).right == 1
    assert score(kinded(("rollers-black", "pip-3")), [BenchReading("pip-3", True, 0, 50)], 0).right == 1


@pytest.mark.parametrize(
    ("die", "kind"),
    [
        ({"face": "pip-3", "kind": "rollers-black"}, "rollers-black"),
        ({"face": "digit-3", "kind": "rollers-black"}, "rollers-black"),
        ({"face": "zap"}, "rollers-black"),
        ({"face": "pip-3"}, ""),
    ],
)
def test_a_die_is_of_the_kind_that_its_label_names_or_of_the_one_that_has_the_face(
    tmp_path: Path, die: dict[str, str], kind: str
) -> None:
    box = {"cx": 9, "cy": 9, "w": 9, "h": 9}
    row = {"file": "a_1.jpg", "kind": "drawn", "view": "top-down", "set": "rollers", "dice": [die | box]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row))
    assert load_labels(tmp_path)[0].dice[0].kind == kind


def test_a_kind_that_has_no_such_face_is_a_bad_label(tmp_path: Path) -> None:
    die = {"face": "zap", "kind": "rollers-purple", "cx": 9, "cy": 9, "w": 9, "h": 9}
    row = {"file": "a_1.jpg", "kind": "drawn", "view": "top-down", "set": "rollers", "dice": [die]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row))
    with pytest.raises(LabelError, match="'rollers-purple' with face 'zap' is none of Rollers"):
        load_labels(tmp_path)
