"""The printed mat: four markers, the lines of the zones and a ruler, as a PDF at true size.

A mat lies flat in the tray, or is the tray. Its markers have ids of their own, by which the camera knows it. For a tray
of another size there is a sheet of four markers to cut out. All lengths are millimetres from the top left corner of the
paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import cv2
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from vision.tray_markers import CORNERS, CUT_OUT, MARKER_MM, MATS, UNKNOWN_MAT, MarkerSet

MARKER_CELLS = 6
"""Cells to the side of a marker of DICT_4X4_50: four, and a black rim of one."""
RULER_MM = 100.0
BRIM_MM = 15.0
"""How far the playing area goes beyond the marker centres: half a marker, and the white margin that it needs."""
MARGIN_MM = 5.0
"""The margin that many printers leave at the edge of the paper."""

LANDSCAPE_MM = {"a3": (420.0, 297.0), "a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Width and height of the papers by name."""
BY_PAPER: Final = {mat.paper: mat for mat in MATS}
"""The markers of each paper, and its width and height from marker centre to marker centre."""
SHEET: Final = "markers"
"""What is asked for in place of a paper for the markers to cut out: on A4, within what Letter has too."""
CUT_OUT_MM: Final = 40.0
"""Side of the markers to cut out. Any size will do: the dice tell their own."""

LINE_GREY, TEXT_GREY = 0.75, 0.45
"""Grey from 0 (black) to 1 (white)."""
CELL_PIXELS = 50
"""Pixels to the side of a marker's cell in the image that is embedded."""


class MatError(ValueError):
    """A mat cannot be made as asked; the message says what can be."""


@dataclass(frozen=True)
class Area:
    """A rectangle on the paper: its left and top edge, its width and height."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Return the corners as (x, y), clockwise from the top left."""
        return (self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)


@dataclass(frozen=True)
class Mat:
    """A mat on its paper. `rectangle` joins the centres of the markers; the zones divide `playing_area`."""

    paper: str
    sheet: Area
    rectangle: Area
    of: MarkerSet

    def __str__(self) -> str:
        size = f"{self.rectangle.width:g} x {self.rectangle.height:g} mm from marker centre to marker centre"
        return f"a mat for {self.paper} paper, {size}; print it at 100 %, without fitting to the page"

    @property
    def markers(self) -> tuple[Area, ...]:
        """Return the four markers, clockwise from the top left."""
        half = MARKER_MM / 2
        return tuple(Area(x - half, y - half, MARKER_MM, MARKER_MM) for x, y in self.rectangle.corners)

    @property
    def playing_area(self) -> Area:
        """Return the field and the bay together, with their brim; a die beyond it is out."""
        whole = self.rectangle
        return Area(whole.left - BRIM_MM, whole.top - BRIM_MM, whole.width + 2 * BRIM_MM, whole.height + 2 * BRIM_MM)

    @property
    def bay(self) -> Area:
        """Return the right-hand fifth, with its brim: the zone `aside` with the zone `signal` at its top."""
        left, area = self.rectangle.right - self.rectangle.width / 5, self.playing_area
        return Area(left, area.top, area.right - left, area.height)

    @property
    def signal(self) -> Area:
        """Return the square at the top of the bay, with its brim."""
        bottom = self.rectangle.top + self.rectangle.width / 5
        return Area(self.bay.left, self.bay.top, self.bay.width, bottom - self.bay.top)

    @property
    def ruler(self) -> Area:
        """Return the area of the ruler: at the bottom of the field, right of the marker."""
        return Area(self._middle_of_field - RULER_MM / 2, self.rectangle.bottom + 3, RULER_MM, 3)

    @property
    def _middle_of_field(self) -> float:
        return (self.playing_area.left + self.bay.left) / 2


def plan_mat(paper: str = "a3", size_mm: tuple[float, float] | None = None) -> Mat:
    """Return the layout of a mat in the middle of a sheet of `a3`, `a4` or `letter`, landscape.

    `size_mm` is the width and height from marker centre to marker centre; None takes that of BY_PAPER.
    Raises MatError for an unknown paper, and for a size that does not fit on it or holds no zones.
    """
    if paper not in LANDSCAPE_MM:
        raise MatError(f"there is no paper {paper!r} for a mat; choose {', '.join(LANDSCAPE_MM)} or {SHEET}")
    (across, down), of = LANDSCAPE_MM[paper], BY_PAPER[paper]
    usual = of.size_mm or (across, down)
    width, height = size_mm or usual
    _check_fit(paper, width, height)
    rectangle = Area((across - width) / 2, (down - height) / 2, width, height)
    return Mat(paper, Area(0, 0, across, down), rectangle, of if (width, height) == usual else UNKNOWN_MAT)


def mat_pdf(path: Path, paper: str = "a3", size_mm: tuple[float, float] | None = None) -> Mat:
    """Write a mat of one page to `path` and return its layout. The same mat gives the same bytes.

    Raises MatError as `plan_mat` does, and when the file cannot be written.
    """
    mat = plan_mat(paper, size_mm)
    canvas = Canvas(str(path), pagesize=(mat.sheet.width * mm, mat.sheet.height * mm), invariant=1)
    canvas.setTitle("Vander mat")
    canvas.setViewerPreference("PrintScaling", "None")
    _draw(_PagePen(canvas, mat.sheet.height), mat)
    canvas.showPage()
    _save(canvas, path)
    return mat


def cut_out_pdf(path: Path) -> None:
    """Write the sheet of markers to cut out to `path`. Raises MatError when the file cannot be written."""
    across, down = LANDSCAPE_MM["a4"]
    canvas = Canvas(str(path), pagesize=(across * mm, down * mm), invariant=1)
    canvas.setTitle("Vander markers")
    pen = _PagePen(canvas, down)
    white = CUT_OUT_MM / MARKER_CELLS
    for corner, (column, row) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        middle = across / 2 + (column - 0.5) * 110, down / 2 + (row - 0.5) * 85
        square = Area(middle[0] - CUT_OUT_MM / 2, middle[1] - CUT_OUT_MM / 2, CUT_OUT_MM, CUT_OUT_MM)
        cut = Area(square.left - white, square.top - white, CUT_OUT_MM + 2 * white, CUT_OUT_MM + 2 * white)
        pen.line(*cut.corners, cut.corners[0])
        pen.marker(CUT_OUT.first + corner, square)
        pen.words(middle[0], cut.top - 2, CORNERS[corner], 7, middle=True)
    words = "Cut along the lines. Lay each marker flat into its corner of the tray, with its words away from you."
    pen.words(across / 2, down - 14, words, 7, middle=True)
    canvas.showPage()
    _save(canvas, path)


def write_mat(path: Path, paper: str) -> str:
    """Write the mat for a paper, or the markers to cut out, and return what it is. Raises MatError."""
    if paper == SHEET:
        cut_out_pdf(path)
        return "four markers to cut out, for a tray of any size"
    return str(mat_pdf(path, paper))


def mat_bytes(paper: str) -> bytes:
    """Return the PDF of the mat for a paper, or of the markers to cut out. Raises MatError."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mat.pdf"
        write_mat(path, paper)
        return path.read_bytes()


def _save(canvas: Canvas, path: Path) -> None:
    try:
        canvas.save()
    except OSError as error:
        raise MatError(f"the mat cannot be written to {path}: {error.strerror}") from error


def _check_fit(paper: str, width: float, height: float) -> None:
    widest, highest = (side - 2 * (BRIM_MM + MARGIN_MM) for side in LANDSCAPE_MM[paper])
    narrowest, lowest = RULER_MM + 2 * BRIM_MM, 4 * MARKER_MM
    if not (narrowest <= width <= widest and lowest <= height <= highest):
        raise MatError(
            f"a mat of {width:g} x {height:g} mm does not go on {paper} paper; from marker centre to marker centre "
            f"it takes {narrowest:g} x {lowest:g} to {widest:g} x {highest:g} mm"
        )


class _PagePen:
    """Draw on a page in millimetres from the top left, where PDF has points from the bottom left."""

    def __init__(self, canvas: Canvas, height_mm: float) -> None:
        self.canvas = canvas
        self.height = height_mm
        canvas.setStrokeGray(LINE_GREY)
        canvas.setLineWidth(0.4 * mm)

    def line(self, *points: tuple[float, float], grey: float = LINE_GREY) -> None:
        """Draw a line through points."""
        self.canvas.setStrokeGray(grey)
        for (x, y), (to_x, to_y) in pairwise(points):
            self.canvas.line(x * mm, (self.height - y) * mm, to_x * mm, (self.height - to_y) * mm)

    def words(self, x: float, y: float, text: str, size: float = 8, middle: bool = False) -> None:
        """Write a line of text with its baseline at (x, y)."""
        self.canvas.setFillGray(TEXT_GREY)
        self.canvas.setFont("Helvetica", size)
        write = self.canvas.drawCentredString if middle else self.canvas.drawString
        write(x * mm, (self.height - y) * mm, text)

    def marker(self, number: int, area: Area) -> None:
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        picture = cv2.aruco.generateImageMarker(dictionary, number, MARKER_CELLS * CELL_PIXELS)
        place = area.left * mm, (self.height - area.bottom) * mm
        self.canvas.drawImage(_png(picture), *place, area.width * mm, area.height * mm)


def _png(picture: cv2.typing.MatLike) -> ImageReader:
    return ImageReader(BytesIO(cv2.imencode(".png", picture)[1].tobytes()))


def _draw(pen: _PagePen, mat: Mat) -> None:
    _draw_zones(pen, mat)
    pen.line((mat.ruler.left, mat.ruler.bottom), (mat.ruler.right, mat.ruler.bottom), grey=TEXT_GREY)
    for tick in range(int(RULER_MM) // 10 + 1):
        x = mat.ruler.left + 10 * tick
        pen.line((x, mat.ruler.bottom), (x, mat.ruler.top if tick % 5 == 0 else mat.ruler.top + 1.5), grey=TEXT_GREY)
    pen.words(mat.ruler.left + mat.ruler.width / 2, mat.ruler.bottom + 4, "this line is 100 mm long", 7, middle=True)
    for number, area in enumerate(mat.markers):
        pen.marker(mat.of.first + number, area)
    size = f"{mat.rectangle.width:g} x {mat.rectangle.height:g} mm"
    words = f"Vander mat, {size} from marker centre to marker centre. Print at 100 %, without fitting to the page."
    pen.words(mat.ruler.left + mat.ruler.width / 2, mat.playing_area.top + 5, words, 7, middle=True)


def _draw_zones(pen: _PagePen, mat: Mat) -> None:
    area, bay, signal = mat.playing_area, mat.bay, mat.signal
    pen.line(*area.corners, area.corners[0])
    pen.line((bay.left, bay.top), (bay.left, bay.bottom))
    pen.line((signal.left, signal.bottom), (signal.right, signal.bottom))
    pen.words(bay.left - 9, bay.bottom - 2, "field", 7)
    pen.words(bay.left + 2, bay.bottom - 2, "aside", 7)
    pen.words(signal.left + 2, signal.bottom - 2, "signal", 7)
