"""The mat that comes out of the printer: rendered from its PDF, looked at as the camera would."""

from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest

from hardware.mat import (
    CUT_OUT_MM,
    LANDSCAPE_MM,
    MARKER_MM,
    RULER_MM,
    Area,
    Mat,
    MatError,
    mat_pdf,
    plan_mat,
    write_mat,
)
from referee.dice import Zone
from vision.tray_calibration import TrayLayout

DOTS_PER_MM = 4


def rendered(path: Path) -> npt.NDArray[np.uint8]:
    with pypdfium2.PdfDocument(path) as document:
        assert len(document) == 1
        return np.array(document[0].render(scale=DOTS_PER_MM * 25.4 / 72, grayscale=True).to_numpy())


def marker_corners(picture: npt.NDArray[np.uint8]) -> dict[int, npt.NDArray[np.float32]]:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, numbers, _ = detector.detectMarkers(picture.squeeze())
    return {int(number): found[0] / DOTS_PER_MM for number, found in zip(numbers.ravel(), corners, strict=True)}


@pytest.mark.parametrize("paper", LANDSCAPE_MM)
def test_a_printed_mat_shows_its_four_markers_where_the_plan_has_them(tmp_path: Path, paper: str) -> None:
    mat = mat_pdf(tmp_path / "mat.pdf", paper)
    found = marker_corners(rendered(tmp_path / "mat.pdf"))
    first = {"a3": 4, "a4": 8, "letter": 12}[paper]
    assert sorted(found) == [first + corner for corner in range(4)]
    for number, centre in enumerate(mat.rectangle.corners, first):
        assert found[number].mean(axis=0) == pytest.approx(centre, abs=0.3)
        assert np.ptp(found[number], axis=0) == pytest.approx((MARKER_MM, MARKER_MM), abs=0.5)


def test_a_mat_of_another_size_has_the_markers_that_are_measured(tmp_path: Path) -> None:
    mat_pdf(tmp_path / "mat.pdf", "a4", (200, 150))
    assert sorted(marker_corners(rendered(tmp_path / "mat.pdf"))) == [0, 1, 2, 3]


def test_the_sheet_to_cut_up_has_four_markers_with_white_around(tmp_path: Path) -> None:
    assert write_mat(tmp_path / "markers.pdf", "markers") == "four markers to cut out, for a tray of any size"
    found = marker_corners(rendered(tmp_path / "markers.pdf"))
    assert sorted(found) == [16, 17, 18, 19]
    assert all(np.ptp(one, axis=0) == pytest.approx((CUT_OUT_MM, CUT_OUT_MM), abs=0.5) for one in found.values())


@pytest.mark.parametrize("paper", LANDSCAPE_MM)
def test_the_page_has_the_size_of_the_paper(tmp_path: Path, paper: str) -> None:
    mat_pdf(tmp_path / "mat.pdf", paper)
    height, width = rendered(tmp_path / "mat.pdf").shape[:2]
    assert (width / DOTS_PER_MM, height / DOTS_PER_MM) == pytest.approx(LANDSCAPE_MM[paper], abs=0.5)


def test_the_ruler_measures_a_hundred_millimetres(tmp_path: Path) -> None:
    mat = mat_pdf(tmp_path / "mat.pdf", "a4")
    row = rendered(tmp_path / "mat.pdf").squeeze()[round(mat.ruler.bottom * DOTS_PER_MM)]
    between_markers = slice(round(mat.markers[3].right * DOTS_PER_MM) + 1, round(mat.markers[2].left * DOTS_PER_MM) - 1)
    dark = np.flatnonzero(row[between_markers] < 150)  # the zones' lines are paler
    assert np.ptp(dark) / DOTS_PER_MM == pytest.approx(RULER_MM, abs=0.5)


def test_the_markers_stand_clear_of_everything_else_on_the_mat(tmp_path: Path) -> None:
    mat = mat_pdf(tmp_path / "mat.pdf", "a4")
    picture = rendered(tmp_path / "mat.pdf").squeeze()
    for marker in mat.markers:
        outside = [round((edge + step) * DOTS_PER_MM) for edge, step in ((marker.top, -2), (marker.bottom, 2))]
        columns = slice(round((marker.left - 2) * DOTS_PER_MM), round((marker.right + 2) * DOTS_PER_MM))
        assert picture[outside, columns].min() > 250


def zone_at(mat: Mat, x: float, y: float) -> Zone:
    layout = TrayLayout(mat.rectangle.width, mat.rectangle.height)
    return layout.zone_of(x - mat.rectangle.left, y - mat.rectangle.top)


def around(area: Area) -> list[tuple[float, float]]:
    """Points a millimetre inside each corner."""
    inner = Area(area.left + 1, area.top + 1, area.width - 2, area.height - 2)
    return list(inner.corners)


@pytest.mark.parametrize("paper", LANDSCAPE_MM)
def test_the_zones_on_the_mat_are_those_that_the_camera_will_see(paper: str) -> None:
    mat = plan_mat(paper)
    field = Area(mat.playing_area.left, mat.playing_area.top, mat.bay.left - mat.playing_area.left, mat.bay.height)
    aside = Area(mat.bay.left, mat.signal.bottom, mat.bay.width, mat.bay.bottom - mat.signal.bottom)
    for zone, area in ((Zone.FIELD, field), (Zone.ASIDE, aside), (Zone.SIGNAL, mat.signal)):
        assert {zone_at(mat, x, y) for x, y in around(area)} == {zone}
    beyond = Area(
        *(edge - 2 for edge in mat.playing_area.corners[0]), mat.playing_area.width + 4, mat.playing_area.height + 4
    )
    assert {zone_at(mat, x, y) for x, y in around(beyond)} == {Zone.OUT}


def test_the_largest_paper_takes_a_tray_of_the_usual_size() -> None:
    mat, usual = plan_mat("a3"), TrayLayout()
    assert (mat.rectangle.width, mat.rectangle.height) == (usual.width_mm, usual.height_mm)


def test_a_mat_of_another_size_is_centred_on_its_paper() -> None:
    mat = plan_mat("a4", (200, 150))
    assert mat.rectangle.corners[0] == (48.5, 30)
    assert mat.rectangle.corners[2] == (297 - 48.5, 180)


def test_the_same_mat_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one.pdf", "two.pdf"):
        mat_pdf(tmp_path / name, "a4")
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()


def test_an_unknown_paper_is_refused_with_the_papers_that_there_are() -> None:
    with pytest.raises(MatError, match="no paper 'a9' for a mat; choose a3, a4, letter"):
        plan_mat("a9")


@pytest.mark.parametrize("size", [(300, 225), (90, 100), (200, 30), (float("nan"), 100)])
def test_a_mat_that_does_not_go_on_its_paper_is_refused(size: tuple[float, float]) -> None:
    with pytest.raises(MatError, match="does not go on a4 paper"):
        plan_mat("a4", size)


def test_a_mat_that_cannot_be_written_is_said_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "mat.pdf"
    with pytest.raises(MatError, match=rf"the mat cannot be written to {path}: No such file or directory"):
        mat_pdf(path, "a4")


def test_a_mat_tells_how_it_wants_to_be_printed() -> None:
    assert str(plan_mat("letter")) == (
        "a mat for letter paper, 235 x 165 mm from marker centre to marker centre; "
        "print it at 100 %, without fitting to the page"
    )
