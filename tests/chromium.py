"""Which Chromium draws the pages for tests, benches and contact sheets, and how quietly."""

from __future__ import annotations

import os
import shutil

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The headless shell draws and scripts pages with the same code, and opens one for a third of the work: the whole
browser makes a window with toolbars for each."""
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
UNDRAWN = (*QUIET, "--force-gpu-mem-available-mb=0", "--renderer-process-limit=1")
"""For tests that look at no picture of the page: it is laid out and scripted as ever, but without memory for pixels
Chromium paints none, which is a sixth of the work of such a test. A screenshot shows nothing. Pages follow each other
in one process, which has compiled their scripts already: a third of the work of opening one."""


def chromium_path(*, is_heard: bool = False) -> str | None:
    """Return the Chromium that VANDER_CHROMIUM names, else one of the system's; None without any.

    What is to be heard is played by a whole browser: the headless shell may have no sound.
    """
    names = CHROMIUMS[1:] if is_heard else CHROMIUMS
    return os.environ.get("VANDER_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
