"""Draw the installed page's icons from die.svg: `python tests/web/app_icons.py`, which needs a Chromium."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.chromium import QUIET, chromium_path

STATIC = Path(__file__).parents[2] / "web" / "static"
NIGHT = "#17100b"
ICONS = {"vander-192": (192, 6), "vander-512": (512, 6), "vander-maskable-512": (512, 18)}
"""Edge in pixels, and the margin in percent: a mask may cut a fifth of the edge off (W3C, maskable icons)."""


def main() -> None:
    """Write the icons."""
    drawing = (STATIC / "die.svg").read_text("utf-8")
    (STATIC / "icons").mkdir(exist_ok=True)
    options = {"executable_path": chromium_path(), "args": list(QUIET)}
    with sync_playwright() as playwright, playwright.chromium.launch(**options) as it:
        for name, (edge, margin) in ICONS.items():
            page = it.new_page(viewport={"width": edge, "height": edge})
            inside = edge - 2 * edge * margin // 100
            body = f"body{{margin:0;display:grid;place-items:center;height:100vh;background:{NIGHT}}}"
            page.set_content(f"<style>{body}svg{{width:{inside}px}}</style>{drawing}")
            page.screenshot(path=STATIC / "icons" / f"{name}.png")
            page.close()


if __name__ == "__main__":
    main()
