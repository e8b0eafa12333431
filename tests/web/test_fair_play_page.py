"""The page of fair play in a real Chromium, and what its JSON and the command say."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from test_whole_screens import resize


@pytest.mark.browser
def test_each_turn_has_a_sign_for_each_thing_that_happened(page: Page) -> None:
    page.goto("/fair-play")
    first, second = page.locator(".game").nth(0), page.locator(".game").nth(1)
    expect(first.locator(".turn")).to_have_count(6)
    expect(first.locator(".turn").nth(1).locator(".tick")).to_have_count(2)
    expect(first.locator(".bars [data-mark=answer] dd")).to_have_text("2")
    expect(first.locator(".bars [data-mark=blind] dd").last).to_have_text("3.2 s")
    expect(first.locator(".devices li").first).to_contain_text("Ann\u2019s phone")
    expect(second).to_contain_text("Nothing but play.")


@pytest.mark.browser
def test_nothing_of_it_is_wider_than_the_screen(page: Page) -> None:
    page.goto("/fair-play")
    expect(page.locator(".game").first).to_be_visible()
    for size in ((1024, 768), (390, 844), (1920, 1080)):
        resize(page, size)
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.browser
def test_the_table_leads_to_it(page: Page) -> None:
    page.goto("/")
    page.locator("#open-done").click()
    page.get_by_role("link", name="Fair play").click()
    expect(page.locator(".game").first).to_be_visible()


def test_its_json_counts_what_happened_and_by_whom(client: Any) -> None:
    game, calm = client.get("/api/fair-play").get_json()["games"]
    assert (game["number"], game["players"], game["blind_s"]) == (7, ["Ann", "Bob"], 3.2)
    assert {each["mark"]: each["count"] for each in game["counts"]}["answer"] == 2
    assert game["turns"][1] == {"seat": 2, "first": 4, "marks": ["answer", "correction"]}
    assert calm["counts"] == []
