"""One browser with many tabs: they share one stream, and all show what comes."""

from __future__ import annotations

import time
from dataclasses import replace

import scenes
from flask import Flask
from playwright.sync_api import Page, expect
from stub_game import StubGame

from referee.calls import Call

TABS = 9
"""More than the six connections that a browser opens to one host over plain HTTP."""
PATIENCE_S = 60.0


def test_any_number_of_tabs_show_what_comes_by_one_stream(page: Page, game_stub: StubGame, table_app: Flask) -> None:
    taken: list[int] = []
    streams = table_app.extensions["streams"]
    take, leave = streams.take, streams.leave
    streams.take = lambda listener: taken.append(1) or take(listener)
    streams.leave = lambda listener: taken.pop() and leave(listener)
    page.goto("/")
    tabs = [page, *(page.context.new_page() for _ in range(TABS - 1))]
    for tab in tabs[1:]:
        tab.goto("/")
    for ruling in ("Bob rolled a star.", "Ann rolled a sad."):
        game_stub.show(replace(scenes.PLAYING, calls=(Call(ruling, "X"),)))
        for tab in tabs:
            expect(tab.get_by_text(ruling).first).to_be_attached()
        # The server learns of a stream that was let go when it writes to it.
        until = time.monotonic() + PATIENCE_S
        while len(taken) > 1:
            assert time.monotonic() < until, len(taken)
            game_stub.show(game_stub.snapshot())
            page.wait_for_timeout(50)
        # The page that held the stream goes: another one takes its place.
        tabs.pop().close()
    for tab in tabs[1:]:
        tab.close()


def test_a_line_that_was_lost_comes_back_for_each_tab(page: Page, game_stub: StubGame) -> None:
    page.goto("/")
    other = page.context.new_page()
    other.goto("/")
    tabs = (page, other)
    page.context.set_offline(True)
    for tab in tabs:
        expect(tab.locator("body.line-lost")).to_be_attached()
    game_stub.show(replace(scenes.PLAYING, calls=(Call("Bob rolled a star.", "X"),)))
    page.context.set_offline(False)
    for tab in tabs:
        expect(tab.locator("body:not(.line-lost)")).to_be_attached()
        expect(tab.get_by_text("Bob rolled a star.").first).to_be_attached()
    other.close()
