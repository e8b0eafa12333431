"""The parts of the bench that need no models: clips' verdicts, blobs, ratios, and the worst photographs."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vander.bench import baselines
from vander.bench.baselines import OURS, PhotoComparison, compare_baselines, errors_ratio
from vander.bench.photo_benchmark import CROP, ErrorPageError, ScoredPhoto, upright, worst_of, write_page
from vander.bench.photo_scores import PhotoLabel, PhotoScore
from vander.bench.speed_benchmark import ClipScore, Elapsed, SpeedReport, ThrowTiming, totals
from vision.frames import Pixels


def a_clip(settled_ms: float, throws: int = 1) -> ClipScore:
    return ClipScore("a.avi", throws, ("pip-1",), 0, ("pip-1",), settled_ms)


def test_a_clip_is_told_in_time_late_or_too_early() -> None:
    assert [a_clip(ms).timing for ms in (0, 200, 201, -33)] == ["in time", "in time", "late", "too early"]


def test_a_clip_with_another_count_of_throws_is_wrong() -> None:
    assert [a_clip(0, throws).verdict for throws in (1, 0, 2)] == ["right", "wrong", "wrong"]


def test_clips_are_summed_up_with_intervals() -> None:
    told = totals([a_clip(0), a_clip(-1), a_clip(0, throws=2)])
    assert (told["clips"], told["counted_exactly"], told["in_time"]) == (3, 2, 2)
    assert told["in_time_interval"] == [20.77, 93.85]


PIPS = {2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, 1), (-1, 1), (1, -1))}


def with_a_die(picture: Pixels, at: tuple[int, int], number: int, body: int, ink: int) -> None:
    cv2.rectangle(picture, (at[0] - 30, at[1] - 30), (at[0] + 30, at[1] + 30), (body, body, body), -1)
    for x, y in PIPS[number]:
        cv2.circle(picture, (at[0] + 16 * x, at[1] + 16 * y), 6, (ink, ink, ink), -1, cv2.LINE_AA)


def test_blobs_are_counted_die_by_die_dark_pips_and_light_ones() -> None:
    picture = np.full((720, 960, 3), 120, np.uint8)
    with_a_die(picture, (200, 200), 3, 235, 20)
    with_a_die(picture, (600, 300), 4, 30, 230)
    found = sorted(baselines.count(picture), key=lambda read: read.x)
    assert [(read.face, round(read.x), round(read.y)) for read in found] == [("pip-3", 200, 200), ("pip-4", 600, 300)]


def test_no_blobs_are_no_dice() -> None:
    assert baselines.count(np.full((720, 960, 3), 120, np.uint8)) == []


def test_ratios_hold_each_rival_against_ours() -> None:
    ours, theirs = PhotoScore(1, dice=100, wrong=1, ms=10), PhotoScore(1, dice=100, wrong=4, ms=5)
    us, them, yolo = compare_baselines([PhotoComparison(ours, theirs, 40.0)] * 9)
    assert (us.name, us.time_ratio, us.errors_ratio) == (OURS, (1, 1, 1), (1, 1, 1))
    assert (them.ms, them.time_ratio) == (5.0, (0.5, 0.5, 0.5))
    assert them.errors_ratio is not None
    assert them.errors_ratio[0] == 4
    assert them.errors_ratio[1] < 4 < them.errors_ratio[2]
    assert (yolo.ms, yolo.time_ratio, yolo.score, yolo.errors_ratio) == (40.0, (4, 4, 4), None, None)


def test_no_ratio_of_errors_is_told_where_we_made_none() -> None:
    assert errors_ratio(PhotoScore(dice=100, wrong=4), PhotoScore(dice=100)) is None


def test_the_networks_time_is_held_against_the_frame_that_was_read_beside_it() -> None:
    throws = [
        ThrowTiming((Elapsed(1, 1), Elapsed(read, 2 * read)), (Elapsed(0.5, 1),), Elapsed(80, 80))
        for read in (10, 20, 40)
    ]
    told = SpeedReport(tuple(throws)).ratios()
    assert (told["yolo_to_ours_cpu"], told["yolo_to_ours_clock"]) == (4.0, 2.0)
    assert told["yolo_to_ours_cpu_interval"] == [2.0, 8.0]
    assert SpeedReport((ThrowTiming((Elapsed(1, 1),), (Elapsed(1, 1),)),)).ratios() == {}


def scored(name: str, score: PhotoScore) -> ScoredPhoto:
    return ScoredPhoto(PhotoLabel(name, "pip", "top", ("pip-1",)), score, ())


def test_the_worst_are_first_wrong_then_missed_then_asked() -> None:
    wrong, haunted = scored("wrong", PhotoScore(dice=5, found=5, wrong=1)), scored("haunted", PhotoScore(phantoms=2))
    missed, asked = scored("missed", PhotoScore(dice=5, found=4)), scored("asked", PhotoScore(dice=5, found=5, asked=5))
    names = [one.label.file for one in worst_of([scored("well", PhotoScore()), asked, wrong, missed, haunted], 4)]
    assert names == ["haunted", "wrong", "missed", "asked"]


def test_a_die_is_shown_upright() -> None:
    picture = np.zeros((200, 300, 3), np.uint8)
    corners = cv2.boxPoints(((150, 100), (40, 40), 30.0))
    cv2.fillConvexPoly(picture, np.rint(corners).astype(np.int32), (255, 255, 255))
    cut = upright(picture, 150, 100, 40.0, 30.0)
    inner, rim = CROP // 4 + 8, CROP // 4 - 8
    assert cut.shape == (CROP, CROP, 3)
    assert cut[inner:-inner, inner:-inner].min() == 255
    assert cut[:rim].max() == cut[-rim:].max() == cut[:, :rim].max() == 0


def test_a_page_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "worst.html").mkdir()
    with pytest.raises(ErrorPageError, match=r"worst\.html cannot be written: Is a directory"):
        write_page(tmp_path / "worst.html", tmp_path, [], 1)


def test_a_page_without_misread_dice_says_so(tmp_path: Path) -> None:
    write_page(tmp_path / "worst.html", tmp_path, [scored("well", PhotoScore())], 1)
    assert "No die was misread." in (tmp_path / "worst.html").read_text("utf-8")
