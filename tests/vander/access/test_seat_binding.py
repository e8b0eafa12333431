"""Whose phone a tablet is, kept with the paired devices; an earlier Vander reads the file where nothing is bound."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from referee.journal import SeatRules
from vander.access import PairingService


def join(pairing: PairingService, name: str) -> int:
    pairing.show_code()
    return pairing.pair(pairing.code() or (), name).tablet.number


def test_a_binding_and_the_tables_choices_outlive_the_program(tmp_path: Path) -> None:
    with closing(PairingService(tmp_path)) as pairing:
        assert pairing.seat_rules() == SeatRules()
        number = join(pairing, "Ann's phone")
        pairing.bind(number, "Ann")
        pairing.set_seat_rules(own_seat_only=True, confirm=True)
    with closing(PairingService(tmp_path)) as again:
        assert again.seat_rules() == SeatRules(own_seat_only=True, confirm=True, bound=("Ann",))
        assert again.tablets()[0].player == "Ann"
        again.bind(number, "")
        assert again.seat_rules().bound == ()


def test_a_file_without_bindings_is_as_an_earlier_vander_wrote_it(tmp_path: Path) -> None:
    with closing(PairingService(tmp_path)) as pairing:
        join(pairing, "Kitchen")
        written = json.loads((tmp_path / "tablets.json").read_text())
    assert not {"own_seat_only", "confirm", "unused"} & written.keys()
    assert "player" not in written["guests"][0]
