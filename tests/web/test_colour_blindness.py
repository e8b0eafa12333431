"""Colours that mean something, as seen with deuteranopia and protanopia (Machado et al. 2009, severity 1)."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

CSS = (Path(__file__).parents[2] / "web/static/base.css").read_text("utf-8")
SEEN = {
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
}
"""Matrices over linear RGB."""
MEANING = ("--amber", "--leaf", "--rust", "--sky")
LUMA = np.array([0.2126, 0.7152, 0.0722])


def colours(css: str) -> dict[str, str]:
    return dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", css.partition("}")[0]))


THEMES = {"dark": colours(CSS), "light": colours(CSS.partition('[data-theme="light"] {')[2])}


def seen(colour: str, kind: str) -> NDArray[np.float64]:
    """A colour as linear RGB, as it is seen."""
    value = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return np.clip(np.array(SEEN[kind]) @ linear, 0.0, 1.0)


def contrast(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The contrast ratio of WCAG 2.2."""
    light = sorted((float(LUMA @ one), float(LUMA @ other)))
    return (light[1] + 0.05) / (light[0] + 0.05)


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.parametrize("theme", THEMES)
def test_what_a_colour_marks_stands_out_from_its_ground(theme: str, kind: str) -> None:
    named = THEMES[theme]
    weak = [name for name in MEANING if contrast(seen(named[name], kind), seen(named["--wood"], kind)) < 3.0]
    assert weak == []


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.parametrize("theme", THEMES)
def test_no_two_colours_that_mean_different_things_look_the_same(theme: str, kind: str) -> None:
    named = {name: seen(THEMES[theme][name], kind) ** (1 / 2.2) for name in MEANING}
    alike = [pair for pair in combinations(MEANING, 2) if np.linalg.norm(named[pair[0]] - named[pair[1]]) < 0.1]
    assert alike == []
