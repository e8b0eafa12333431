"""`python -m models.training`: make pictures, fit the finder and the reader, export them, and score them."""

from __future__ import annotations

import os
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Annotated

os.environ.setdefault("MUJOCO_GL", "egl")  # before MuJoCo is imported: it chooses its window library then

import torch
import typer

from models.synthetic.face_style import Use
from models.training import (
    export,
    fewshot_training,
    finder_training,
    hard_negatives,
    model_card,
    painted_dice,
    picture_dataset,
    plots,
    reader_training,
    scoring,
)
from models.training import photographs as real
from models.training.captured_crops import collected
from models.training.crops import cuttings
from models.training.photographs import ALLOWED
from models.training.picture_dataset import Kept
from models.training.recipes import RECIPES, recipe
from vision.classification import Reader
from vision.detection import Finder
from vision.fewshot import PldaModel

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)

WEIGHTS = Path(__file__).parents[1] / "weights"
FINDER, READER = RECIPES / "finder.toml", RECIPES / "reader.toml"
PLOTS = Path(__file__).parents[2] / "docs" / "models"
Folder = Annotated[Path, typer.Option(help="Where the training pictures lie.")]
Folders = Annotated[list[Path], typer.Option(help="Where training pictures lie; more than once, where in several.")]
Weights = Annotated[Path, typer.Option(help="The folder of finder.onnx, reader.onnx and their cards.")]
Checkpoint = Annotated[Path, typer.Option(help="The file of a fit's weights.")]
Choosing = Annotated[list[Path], typer.Option(help="Pictures to choose on, made with --use choosing.")]
Plots = Annotated[Path, typer.Option(help="The folder that the plots go to.")]
Start = Annotated[Path | None, typer.Option(help="The weights of an earlier fit, to go on from.")]
FinderRecipe = Annotated[Path, typer.Option("--recipe", help="How to fit: a TOML file.")]
ReaderRecipe = Annotated[Path, typer.Option("--recipe", help="How to fit: a TOML file.")]
RENDERED = (
    "rendered by `python -m models.training pictures`: MuJoCo physics and renderer, our own drawings and surfaces"
)


@app.command("pictures")
def make_pictures(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    folder: Folder,
    count: int = 5820,
    seed: int = 1,
    use: Use = Use.TRAINING,
    workers: int = 2,
    looks: Annotated[int, typer.Option(help="Dice of a rig, met again and again; 0: a boxful.", min=0)] = 0,
    strange: Annotated[bool, typer.Option(help="Dice with symbols that no game has; to choose or score on.")] = False,
) -> None:
    """Render pictures with truth. The drawings, colours, surfaces and lamps of each --use are no other's."""
    if strange and use is Use.TRAINING:
        raise typer.BadParameter("there are no strange symbols to train on; say --use choosing or --use scoring")
    order = picture_dataset.Order(seed, use, looks or (picture_dataset.STRANGE_LOOKS if strange else 0), strange)
    picture_dataset.make(folder, count, order, workers)


@app.command("finder")
def fit_finder(folder: Folders, to: Checkpoint, how: FinderRecipe = FINDER, start: Start = None) -> None:
    """Fit the finder to pictures by a recipe. Its weights, and its curve beside them, go to a file."""
    finder_training.fit(_all(folder), recipe(how), to, start)


@app.command("reader")
def fit_reader(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    folder: Folders,
    to: Checkpoint,
    how: ReaderRecipe = READER,
    start: Start = None,
    lured_by: Annotated[Path, typer.Option(help="The finder whose mistakes the reader learns.")] = WEIGHTS
    / "finder.onnx",
    photographs: Annotated[Path | None, typer.Option(help="Labelled photographs; only allowed ones are used.")] = None,
    captured: Annotated[list[Path] | None, typer.Option(help="A folder of captured dice, as often as wanted.")] = None,
) -> None:
    """Fit the reader to pictures by a recipe. Its weights, and its curve beside them, go to a file."""
    method, shown = recipe(how), _all(folder)
    found = cuttings(shown, method.seed) + painted_dice.painted(method.painted, method.seed)
    if method.lures:
        found += hard_negatives.lures(shown, lured_by)
    if photographs is not None:
        found += real.photographed(photographs, lured_by)
    for one in captured or ():
        shown_to_vander = collected(one)
        typer.echo(f"{one}: {shown_to_vander}")
        found += shown_to_vander.cuttings
    reader_training.fit(found, method, to, start)


@app.command("ship-finder")
def ship_finder(
    fitted: Checkpoint, folder: Folders, choosing: Choosing, to: Weights = WEIGHTS, drawn: Plots = PLOTS
) -> None:
    """Export a fitted finder in eight bits with its card, and draw its curve."""
    trained = _all(folder)
    told = {"trained_on": f"{len(trained)} pictures {RENDERED}", "remade_by": "make models", **_recipe(FINDER)}
    export.ship_finder(fitted, trained, _all(choosing), told, to)
    plots.curve(fitted.with_suffix(".csv"), drawn / "finder-curve.png")


@app.command("ship-reader")
def ship_reader(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    fitted: Checkpoint,
    folder: Folders,
    choosing: Choosing,
    photographed: Annotated[bool, typer.Option(help="Say in the card that photographs were trained on.")] = False,
    to: Weights = WEIGHTS,
    drawn: Plots = PLOTS,
) -> None:
    """Export a fitted reader in eight bits, choose its temperature and threshold, write its card and the plots."""
    trained, chosen = _all(folder), _all(choosing)
    told = {
        "trained_on": f"{len(trained)} pictures {RENDERED}; painted dice; what the finder takes for dice",
        "photographs_trained_on": ", ".join(ALLOWED.values()) if photographed else "none",
        "chosen_on": f"{len(chosen)} pictures of which no die, surface or lamp is scored on",
        "remade_by": "make models",
        "plots": "docs/models: reliability, risk-coverage, confusion, reader-curve",
        **_recipe(READER),
    }
    entries = export.ship_reader(fitted, trained, chosen, told, to)
    typer.echo(export.choose(chosen, entries, to, drawn))
    plots.curve(fitted.with_suffix(".csv"), drawn / "reader-curve.png")


def _recipe(file: Path) -> dict[str, str]:
    """The card's entry for the recipe that ships."""
    how = recipe(file)
    return {"recipe": f"{file.name}: {how}"}


@app.command("score")
def score_models(folder: Folders, weights: Weights = WEIGHTS, write: bool = False) -> None:
    """Read pictures that nothing was trained or chosen on and print the figures; --write puts them into the cards."""
    kept, of = _all(folder), scoring.models_of(weights)
    text = _figures(scoring.score(kept, *of)) + "\n\nThe same pictures read without a die set:\n"
    text += scoring.table(scoring.score(kept, *of, with_sets=False))
    typer.echo(text)
    if write:
        for name in ("finder", "reader"):
            note(
                name,
                "rendered",
                f"By `python -m models.training score` on {len(kept)} pictures, each read with its"
                f" game's die set:\n{text}",
            )


def _figures(total: scoring.Score) -> str:
    parts = (
        scoring.table(total),
        scoring.by_game(total),
        f"Commonest silent errors:\n{scoring.confusions(total)}",
        f"Most asked about:\n{scoring.doubts(total)}",
    )
    return "\n".join(parts)


@app.command("space")
def measure_space(folder: Folders, to: Weights = WEIGHTS) -> None:
    """Measure on choosing pictures how the reader's features scatter, and choose how sure lessons may be."""
    met, of = _sighted(folder, to)
    plda = fewshot_training.chosen(fewshot_training.measured(met, of[1].version), met)
    plda.save(to / "space.npz")
    model_card.write_card(to / "space.npz", fewshot_training.card(met, plda))
    typer.echo(f"{len(met)} dice; temperature {plda.temperature}, accepted from {plda.accept_from}")


@app.command("teach")
def score_teaching(folder: Folders, weights: Weights = WEIGHTS, write: bool = False) -> None:
    """Teach dice never trained on with few pictures a face, read their other pictures, and print how well."""
    plda = PldaModel.load(weights / "space.npz")
    texts = []
    for one in folder:
        met, (_, reader_with) = _sighted([one], weights)
        scored = [
            fewshot_training.score(picture_dataset.load(one), met, reader_with, plda, shown)
            for shown in fewshot_training.SHOWN
        ]
        texts.append(f"{picture_dataset.made_of(one)}:\n" + "\n".join(map(str, scored)))
    text = "\n\n".join(texts)
    typer.echo(text)
    if write:
        note("space", "taught", f"By `python -m models.training teach`:\n{text}")


def _sighted(folders: list[Path], weights: Path) -> tuple[list[fewshot_training.Sighted], tuple[Finder, Reader]]:
    """The flat dice of folders' pictures; looks of different folders are different dice."""
    of = scoring.models_of(weights)
    return [
        replace(one, look=f"{number} {one.look}")
        for number, folder in enumerate(folders)
        for one in fewshot_training.sighted(picture_dataset.load(folder), *of)
    ], of


@app.command("note")
def note_file(name: str, entry: str, file: typer.FileText) -> None:
    """Put a text, such as a bench's table, into a model's card: note reader photographs table.txt (or -)."""
    note(name, entry, file.read())


def note(name: str, entry: str, text: str) -> None:
    """Set one entry of a model's card, keeping the others."""
    weights = WEIGHTS / (f"{name}.npz" if name == "space" else f"{name}.onnx")
    card = tomllib.loads(weights.with_suffix(".toml").read_text("utf-8"))
    kept = {key: value for key, value in card.items() if key not in ("bytes", "sha256")}
    model_card.write_card(weights, kept | {entry: text.strip() + "\n"})


def _all(folders: list[Path]) -> list[Kept]:
    return [kept for folder in folders for kept in picture_dataset.load(folder)]


if __name__ == "__main__":
    torch.set_num_threads(1)  # on a busy machine more threads wait for one another; the loader has the other processors
    app()
