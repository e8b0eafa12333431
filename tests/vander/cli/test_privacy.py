"""Out of the box the program opens no connection to another machine, and the page on privacy names all that could."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from test_commands import ask, free_port, playing

HOUSE = Path(__file__).parents[3]
ROOMS = ("referee", "vision", "models", "hardware", "web", "vander")
CLIENTS = re.compile(
    r"urllib3|http\.client|urllib\.request|paho|ftplib|smtplib|poplib|imaplib|telnetlib|xmlrpc|ssl\.SSLSocket"
    r"|requests|httpx|aiohttp|websocket|zeroconf"
)
OPENS = {"create_connection", "create_engine", "VideoCapture", "HTTPSConnection", "HTTPConnection", "PoolManager"}
BY_SOCKET = {"connect", "connect_ex", "sendto", "sendmsg"}
AT_HOME = {
    "hardware/cameras/replay.py",
    "hardware/cameras/usb.py",
    "vander/backup/creation.py",
    "vander/box/health_monitor.py",
    "vander/hall/hall_server.py",
}
"""What opens a film, a device, a copy of a database or a socket of this machine."""
SPY = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void tell(const char *how, const char *whom) {
    char line[400];
    int size = snprintf(line, sizeof line, "%s %s\n", how, whom);
    int log = open(getenv("TOLD"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log >= 0) { if (write(log, line, size) < 0) abort(); close(log); }
}

static void address(const char *how, const struct sockaddr *to) {
    char text[INET6_ADDRSTRLEN] = "";
    if (!to) return;
    if (to->sa_family == AF_INET) inet_ntop(AF_INET, &((struct sockaddr_in *)to)->sin_addr, text, sizeof text);
    if (to->sa_family == AF_INET6) inet_ntop(AF_INET6, &((struct sockaddr_in6 *)to)->sin6_addr, text, sizeof text);
    if (*text) tell(how, text);
}

int connect(int fd, const struct sockaddr *to, socklen_t size) {
    int (*real)(int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "connect");
    int kind = 0; socklen_t room = sizeof kind;
    getsockopt(fd, SOL_SOCKET, SO_TYPE, &kind, &room);
    address(kind == SOCK_DGRAM ? "route" : "connect", to);
    return real(fd, to, size);
}

ssize_t sendto(int fd, const void *what, size_t much, int flags, const struct sockaddr *to, socklen_t size) {
    ssize_t (*real)(int, const void *, size_t, int, const struct sockaddr *, socklen_t) = dlsym(RTLD_NEXT, "sendto");
    address("send", to);
    return real(fd, what, much, flags, to, size);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    ssize_t (*real)(int, const struct msghdr *, int) = dlsym(RTLD_NEXT, "sendmsg");
    address("send", message->msg_name);
    return real(fd, message, flags);
}

int getaddrinfo(const char *name, const char *port, const struct addrinfo *hints, struct addrinfo **found) {
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    real = dlsym(RTLD_NEXT, "getaddrinfo");
    if (name) tell("name", name);
    return real(name, port, hints, found);
}
"""
"""Writes down whom a program asks for, below Python and whatever it is linked with."""
ITSELF = {"127.0.0.1", "::1", "0.0.0.0", "::", "localhost"}  # noqa: S104
ASKED_THE_WAY = {"route 192.0.2.1", "route 2001:db8::1"}
"""Addresses that nobody has, by which the system says what its own is: a datagram's `connect` sends nothing."""


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where whom the programs of this test ask for is written down."""
    compiler = shutil.which("gcc")
    if compiler is None:
        if os.environ.get("CI"):
            pytest.fail("There is no gcc: apt install gcc libc6-dev")
        pytest.skip("there is no gcc to build what listens")
    source, library, log = tmp_path / "spy.c", tmp_path / "spy.so", tmp_path / "told"
    source.write_text(SPY, "utf-8")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)  # noqa: S603
    monkeypatch.setenv("LD_PRELOAD", str(library))
    monkeypatch.setenv("TOLD", str(log))
    return log


def asked(log: Path) -> set[str]:
    return set(log.read_text("utf-8").splitlines()) if log.exists() else set()


@pytest.mark.slow
def test_the_ear_hears_a_connection_a_packet_and_a_name(told: Path) -> None:
    program = (
        "import socket\n"
        "socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('127.0.0.9', 9))\n"
        "socket.socket().connect_ex(('127.0.0.8', 9))\n"
        "socket.getaddrinfo('127.0.0.7', 9)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603
    assert asked(told) == {"send 127.0.0.9", "connect 127.0.0.8", "name 127.0.0.7"}


@pytest.mark.slow
def test_a_program_that_plays_asks_nobody_but_itself(
    told: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VANDER_HTTPS", "true")
    monkeypatch.setenv("VANDER_HTTPS_PORT", str(free_port()))
    port = free_port()
    with playing(tmp_path / "data", port) as program:
        ask(port, "/api/game", {"game": "intersection", "players": ["Ann"], "options": {}})
        ask(port, "/api/act", {"action": "1 roll signal:go " + " ".join(["traffic:four"] * 3 + ["traffic:two"] * 2)})
        ask(port, "/api/doctor")
        ask(port, "/api/addresses")
        program.terminate()
        program.wait(timeout=120)
    others = {line for line in asked(told) if line.split()[1] not in ITSELF} - ASKED_THE_WAY
    assert others == set()


def opening() -> set[str]:
    """The files whose code can open a connection."""
    found = set()
    for path in (path for room in ROOMS for path in (HOUSE / room).rglob("*.py")):
        text = path.read_text("utf-8")
        opens = OPENS | BY_SOCKET if re.search(r"^(import|from) socket", text, re.MULTILINE) else OPENS
        tree = ast.parse(text)
        for node in ast.walk(tree):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            called = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
            if called in opens or any(CLIENTS.match(name) for name in names):
                found.add(path.relative_to(HOUSE).as_posix())
    return found - AT_HOME


def test_the_page_on_privacy_names_all_that_can_open_a_connection() -> None:
    page = (HOUSE / "docs/privacy.md").read_text("utf-8")
    assert set(re.findall(r"`([a-z_/]+\.py)`", page)) == opening()
