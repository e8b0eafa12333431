"""`vander fairness`: whether the dice of a set are fair, by what was read of them."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer
from typer import Argument

from models.die_sets import NoSuchDieSet
from models.die_sets.catalog import BadDieSet
from vander.cli.command_options import DataDir, command_app
from vander.extras.players.dice_fairness import FairnessFinding, find_kind_fairness
from vander.extras.players.read_dice import collect_read_dice
from vander.learning.accuracy import AccuracyLog
from vander.resources import data_stores, game_catalog
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, load

EXPECTED_ERRORS = (SettingError, StorageError, NoSuchDieSet, BadDieSet)

app = command_app()


@app.command("fairness")
def fairness_command(
    die_set: Annotated[str, Argument(help="the dice: a die set's name", metavar="SET")], data_dir: DataDir = None
) -> None:
    """Test whether dice are fair, with this table's misreads folded in."""
    settings = load(data_dir=data_dir)
    known = game_catalog.open_die_sets(settings)
    with data_stores.shared_journal(settings) as journal, closing(AccuracyLog(settings.data_dir)) as log:
        dice, counts = collect_read_dice(journal, die_set, known), log.tally
        for kind in known.load(die_set).kinds:
            if not any(die.kind == kind.name for die in dice.read):
                typer.echo(f"{kind.title}: none were read yet")
                continue
            finding = find_kind_fairness(kind, dice, counts.checked, counts.checked - counts.right)
            typer.echo(f"{kind.title}: {told_finding(finding, counts.checked)}")


def told_finding(finding: FairnessFinding, checked: int) -> str:
    """Return what a test found, in one line for people."""
    if not checked:
        return "nobody has answered yet whether throws were read right, so nothing can be said"
    verdict = "uneven beyond chance" if finding.is_suspicious else "nothing speaks against fair dice"
    enough = "" if finding.dice >= finding.needed else f"; a die loaded by 20 % takes {finding.needed} to be found"
    if not finding.needed:
        enough = "; no number of dice finds one loaded by 20 % until more throws were said to be read right or wrong"
    return f"{finding.dice} dice read, chance of so uneven a count {100 * finding.p_value:.1f} %: {verdict}{enough}"
