from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).parent.parent.parent
LOADING = """
import os
from pathlib import Path
from vision.model_file import load_model
load_model(Path("models/weights/reader.onnx"))
print(os.environ["ORT_DISABLE_TELEMETRY"])
"""


def test_a_model_that_is_loaded_leaves_nothing_to_be_told_to_its_runtimes_maker(tmp_path: Path) -> None:
    """What onnxruntime would send lies in the home folder until it is sent; and CI, if set, would hush it."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", LOADING],
        cwd=HOUSE,
        env={"HOME": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "1\n"
    assert list(tmp_path.rglob("*")) == []
