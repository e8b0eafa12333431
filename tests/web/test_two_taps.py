"""Every figure that a page of players, results or dice shows leads to a page of throws within two taps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from past_scene import served_memory
from playwright.sync_api import Page, expect
from stub_game import StubGame

pytestmark = pytest.mark.browser

PAGES = {
    "/players": ".player-row",
    "/players/1": ".achievement",
    "/players/2?against=1": ".duel a",
    "/fairness": ".plot",
    "/fairness/checked": ".checked",
    "/history": ".past",
    "/history/1/result": ".moment",
}
"""Each page with what it shows last."""
NO_FIGURES = ".when, .explained, .method p:not(.sums-checked), thead, select, .deeds"
"""Dates, the words of a method, and what is chosen or taken along."""
FIGURES = """([skipped]) => {
  const main = document.querySelector('main');
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT), found = [];
  const isNothingYet = (one) => /^\\s*0 /.test(one.closest('.achievement')?.querySelector('.how-far').lastChild.data);
  for (const details of main.querySelectorAll('details')) details.open = true;
  while (texts.nextNode()) {
    const holder = texts.currentNode.parentElement;
    if (!/\\d/.test(texts.currentNode.data) || holder.closest(skipped) || isNothingYet(holder)) continue;
    const row = ['.past, .figure', 'a[href], li, tr', 'section[data-kind], section[data-game]']
      .map((one) => holder.closest(one)).find(Boolean);
    const links = row ? [row, ...row.querySelectorAll('a[href]')].map((one) => one.getAttribute('href')) : [];
    found.push([`${(row ?? main).textContent}: ${texts.currentNode.data}`, links.filter(Boolean)]);
  }
  return found;
}"""
"""The texts with a figure, and the links of its row. An achievement of which nothing is done yet has no throws."""
FILM, LIST = re.compile(r"/history/\d+(\?.*)?"), re.compile(r"/history\?.*|/fairness/checked(\?.*)?")


@pytest.fixture
def address(game_stub: StubGame, tmp_path: Path) -> Iterator[str]:
    """Where a table is served that remembers one game."""
    with served_memory(tmp_path, game_stub) as place:
        yield place


def test_each_figure_leads_to_throws_in_two_taps(page: Page) -> None:
    ways: set[str] = set()
    nowhere = []
    for place, shown in PAGES.items():
        page.goto(place)
        expect(page.locator(shown).first).to_be_visible()
        figures: list[tuple[str, list[str]]] = page.evaluate(FIGURES, [NO_FIGURES])
        nowhere += [] if figures else [(place, "shows no figure")]
        for figure, links in figures:
            near = [link for link in links if FILM.fullmatch(link) or LIST.fullmatch(link)]
            ways.update(near)
            if not near:
                nowhere.append((place, figure))
    assert nowhere == []
    for way in ways:
        page.goto(way)
        if LIST.fullmatch(way):
            page.locator(".past a").first.click()
        expect(page.locator(".steering label")).to_contain_text("of 5")
