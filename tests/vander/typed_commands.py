"""Commands as a person types them, run in the tests' own process."""

from __future__ import annotations

import os
import subprocess
import traceback
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from vander.cli.main import main


def vander(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in this process, which has everything imported, as `vander` does in its own."""
    out, err, before = StringIO(), StringIO(), dict(os.environ)
    os.environ.update({"VANDER_DATA_DIR": str(folder)} if folder else {})
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = exit_status(words)
    finally:
        os.environ.clear()
        os.environ.update(before)
    return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())


def exit_status(words: Sequence[str]) -> int:
    """Run a command and return its exit status; a traceback goes to standard error, as Python writes it."""
    try:
        main(words)
    except SystemExit as over:
        return over.code if isinstance(over.code, int) else int(over.code is not None)
    except Exception:
        traceback.print_exc()
        return 1
    return 0
