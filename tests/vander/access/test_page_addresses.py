from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from vander.access.page_addresses import NetworkState, announce, numbered_urls, own_url, tablet_urls
from vander.storage.settings import Settings, load

HOME = NetworkState(("192.168.1.20", "fd00::5"), "vander.local")


class Terminal(StringIO):
    """Text that somebody looks at."""

    def isatty(self) -> bool:
        return True


def served_on(host: str, tmp_path: Path) -> Settings:
    return load(host=host, port=8090, data_dir=tmp_path)


@pytest.mark.parametrize(
    ("host", "own", "tablets"),
    [
        ("0.0.0.0", "http://localhost:8090", ("http://192.168.1.20:8090",)),  # noqa: S104 - no server is started
        ("::", "http://localhost:8090", ("http://[fd00::5]:8090",)),
        ("*", "http://localhost:8090", ("http://192.168.1.20:8090", "http://[fd00::5]:8090")),
        ("127.0.0.1", "http://localhost:8090", ()),
        ("192.168.1.20", "http://192.168.1.20:8090", ("http://192.168.1.20:8090",)),
    ],
)
def test_an_address_is_told_that_a_browser_can_open(
    host: str, own: str, tablets: tuple[str, ...], tmp_path: Path
) -> None:
    settings = served_on(host, tmp_path)
    assert own_url(settings) == own
    assert numbered_urls(settings, HOME) == tablets


def test_the_name_comes_first_where_it_leads_to_the_page(tmp_path: Path) -> None:
    assert tablet_urls(served_on("0.0.0.0", tmp_path), HOME)[0] == "http://vander.local:8090"  # noqa: S104
    assert tablet_urls(served_on("127.0.0.1", tmp_path), HOME) == ()


def test_the_start_never_prints_an_address_that_nobody_can_open(tmp_path: Path) -> None:
    for host in ("0.0.0.0", "::", "*"):  # noqa: S104 - no server is started
        settings, out = served_on(host, tmp_path), StringIO()
        line = announce(own_url(settings), numbered_urls(settings, HOME), out)
        assert out.getvalue() == f"{line}\n"
        assert line.startswith("Vander is ready at http://localhost:8090; tablets and phones open http://")
        assert not any(f"//{nowhere}" in line for nowhere in ("0.0.0.0", "[::]", "*"))  # noqa: S104


def test_a_terminal_shows_a_code_to_scan_and_a_log_does_not(tmp_path: Path) -> None:
    screen, log = Terminal(), StringIO()
    for out in (screen, log):
        announce("http://localhost:8090", ("http://192.168.1.20:8090",), out)
    assert "\N{LOWER HALF BLOCK}" in screen.getvalue() or "\N{UPPER HALF BLOCK}" in screen.getvalue()
    assert len(log.getvalue().splitlines()) == 1


def test_a_terminal_is_told_how_to_let_phones_in_where_none_can_come() -> None:
    screen = Terminal()
    announce("http://localhost:8090", (), screen)
    assert "VANDER_HOST=0.0.0.0" in screen.getvalue()
