from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--minutes", type=float, default=120.0, help="how long is played")
    parser.addoption("--seed", type=int, default=1, help="other games for another number")
    parser.addoption("--first-port", type=int, default=8320, help="the port that the assistant serves on")
