import json
from pathlib import Path

import pytest

from assistant.scores import ALL, TOP_DOWN, BadLabels, Label, LabelledDie, Read, load_labels, report, score, wilson


def boxed(*faces: str, view: str = "top-down box") -> Label:
    dice = tuple(LabelledDie(face, 100.0 * place, 50.0, 40.0) for place, face in enumerate(faces))
    return Label("images/ours_001.jpg", "pip", view, faces, dice, True)


def test_a_reading_belongs_to_the_die_within_half_an_edge() -> None:
    readings = [Read("pip-1", True, 19, 50), Read("pip-2", True, 121, 50)]
    one = score(boxed("pip-1", "pip-2"), readings, 7.0)
    assert (one.dice, one.found, one.wrong, one.phantoms, one.exact, one.ms) == (2, 1, 0, 1, 0, 7.0)


def test_two_readings_of_one_die_are_one_found_and_one_phantom() -> None:
    one = score(boxed("pip-1"), [Read("pip-1", True, 0, 50), Read("pip-3", True, 5, 50)], 0)
    assert (one.found, one.wrong, one.phantoms) == (1, 0, 1)


def test_asked_is_not_silently_wrong() -> None:
    one = score(boxed("pip-1", "pip-2"), [Read("pip-6", False, 0, 50), Read("pip-6", True, 100, 50)], 0)
    assert (one.asked, one.wrong, one.exact) == (1, 1, 0)


def test_a_digit_and_its_pips_are_the_same_number() -> None:
    assert score(boxed("pip-4"), [Read("digit-4", True, 0, 50)], 0).exact == 1


def test_without_boxes_the_multisets_are_compared() -> None:
    label = Label("images/ours_002.jpg", "pip", "top-down", ("pip-1", "pip-1", "pip-2"))
    seen = [Read(face, True, 0, 0) for face in ("pip-1", "pip-2", "pip-2")]
    one = score(label, seen, 0)
    assert (one.found, one.wrong, one.phantoms) == (3, 1, 0)


def test_a_die_cut_by_the_edge_may_be_read() -> None:
    label = Label("images/ours_003.jpg", "pip", "top-down", ("pip-1",), cut=1)
    one = score(label, [Read("pip-1", True, 0, 0), Read("pip-5", True, 0, 0)], 0)
    assert (one.found, one.wrong, one.phantoms, one.exact) == (1, 0, 0, 1)


def test_a_reading_on_an_empty_surface_is_a_phantom() -> None:
    label = Label("images/ours_004.jpg", "empty", "top-down", ())
    assert score(label, [], 0).exact == 1
    one = score(label, [Read("blank", False, 0, 0)], 0)
    assert (one.dice, one.phantoms, one.loud, one.exact) == (0, 1, 1, 0)


def test_the_interval_is_that_of_wilson() -> None:
    low, high = wilson(1, 20)
    assert (round(low, 4), round(high, 4)) == (0.0089, 0.2361)
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_report_ends_with_the_totals() -> None:
    flat, slant = boxed("pip-1"), boxed("pip-1", view="oblique")
    rows = report([(flat, score(flat, [], 4)), (slant, score(slant, [Read("pip-1", True, 0, 50)], 6))])
    assert [row.over for row in rows] == ["ours, oblique", "ours, top-down box", TOP_DOWN, ALL]
    whole = rows[-1].shares()
    assert (whole["dice"], whole["found_percent"], whole["ms"]) == (2, 50.0, 5.0)


def test_labels_are_read_from_their_folder(tmp_path: Path) -> None:
    row = {"file": "a_1.jpg", "kind": "digit", "view": "top-down", "faces": ["digit-2"], "cut_dice": 1}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row) + "\n\n")
    (label,) = load_labels(tmp_path)
    assert (label.source, label.faces, label.cut, label.boxes) == ("a", ("pip-2",), 1, False)


def test_a_bad_label_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text('{"file": "a.jpg"}\n')
    with pytest.raises(BadLabels, match="line 1"):
        load_labels(tmp_path)
    with pytest.raises(BadLabels, match="cannot be read"):
        load_labels(tmp_path / "nowhere")
