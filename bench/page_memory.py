"""How much memory a page takes in the browser while it is open: that of its renderer alone, every five seconds.

    python bench/page_memory.py http://localhost:8080/tray [--seconds 60]

Vander has to run there. No debugger looks at the page, since one keeps every answer that the page gets.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.chromium import QUIET, chromium_path

INTERVAL_S = 5


def renderer_megabytes(browser: psutil.Process) -> float:
    """Return the memory that the browser's renderers share with nobody, in millions of bytes."""
    renderers = [one for one in browser.children(recursive=True) if "--type=renderer" in one.cmdline()]
    return sum(one.memory_full_info().uss for one in renderers) / 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--seconds", type=int, default=60)
    given = parser.parse_args()
    chromium = chromium_path()
    if chromium is None:
        raise SystemExit("install a Chromium: on Debian the package chromium-headless-shell")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        words = (chromium, *QUIET, "--headless", f"--user-data-dir={folder}", "--remote-debugging-port=0", given.url)
        browser = psutil.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for second in range(INTERVAL_S, given.seconds + 1, INTERVAL_S):
                time.sleep(INTERVAL_S)
                print(f"{second:4} s {renderer_megabytes(browser):6.0f} MB", flush=True)
        finally:
            for each in (
                *browser.children(recursive=True),
                browser,
            ):  # the first one may be a script that starts the rest
                each.kill()
            browser.wait()


if __name__ == "__main__":
    main()
