"""The page of the worst dice in a real browser, at a tablet's and a phone's width."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, expect
from test_whole_screens import resize

from vander.bench.photo_benchmark import ScoredPhoto, write_page
from vander.bench.photo_scores import BenchReading, LabelledDie, PhotoLabel, outcomes, score

pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path: Path) -> str:
    """A page with a die that was read wrong, one that was missed, one asked about, and a phantom."""
    cv2.imwrite(str(tmp_path / "a_long_name_of_a_photograph_001.png"), np.full((300, 400, 3), 90, np.uint8))
    dice = tuple(LabelledDie("pip-1", 60.0 + 100 * place, 50.0, 40.0) for place in range(3))
    name = "a_long_name_of_a_photograph_001.png"
    label = PhotoLabel(name, "pip", "top", tuple(die.face for die in dice), dice, True)
    spots = ((60, "pip-2", True), (160, "green-switch", False), (380, "pip-6", True))
    became = outcomes(label, [BenchReading(face, accepted, x, 50, 40, 20, 0.97) for x, face, accepted in spots])
    boxless = PhotoLabel(name, "symbol", "top", ("pip-1", "symbol-of-a-very-long-name"))
    missed = outcomes(boxless, [BenchReading("pip-3", True, 60, 50, 40)])
    scored = [ScoredPhoto(one, score(one, found, 12.3), found) for one, found in ((label, became), (boxless, missed))]
    write_page(tmp_path / "worst.html", tmp_path, scored, 2)
    return (tmp_path / "worst.html").as_uri()


def test_the_page_fits_its_screen_and_shows_every_die(chromium: Browser, address: str) -> None:
    page = chromium.new_page()
    page.goto(address)
    headings = page.locator("h2")
    expect(headings).to_have_text(["Silently wrong 2", "Phantoms 1", "Missed 2", "Asked 1", "Picture by picture"])
    assert page.evaluate("[...document.images].every(die => die.complete && die.naturalWidth > 0)")
    assert page.locator("img").count() == 6
    cut = "[...document.querySelectorAll('dd, .from')].filter(line => line.scrollWidth > line.clientWidth).length"
    for width in (390, 1024):
        resize(page, (width, 900))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(cut) == 0, width
