"""Models are loaded only as their cards describe them."""

from pathlib import Path

import pytest

from vision.model_file import BrokenModel, load_model


def test_a_model_without_its_card_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reader.onnx").write_bytes(b"anything")
    with pytest.raises(BrokenModel, match="card"):
        load_model(tmp_path / "reader.onnx")


def test_a_model_other_than_its_card_describes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reader.onnx").write_bytes(b"anything")
    (tmp_path / "reader.toml").write_text('sha256 = "0"\n')
    with pytest.raises(BrokenModel, match="sha256"):
        load_model(tmp_path / "reader.onnx")


def test_a_damaged_card_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reader.toml").write_text("sha256 = ")
    with pytest.raises(BrokenModel, match="damaged"):
        load_model(tmp_path / "reader.onnx")
