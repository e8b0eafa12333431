"""`python -m models.training`: render pictures, train the finder and the reader, export and score them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

os.environ.setdefault("MUJOCO_GL", "egl")  # before MuJoCo is imported: it chooses its window library then

import torch
import typer

from models.synthetic.canvas import Use
from models.training import (
    arrival_training,
    crops,
    cycles_pictures,
    evidence_choice,
    export,
    fewshot_training,
    finder_training,
    kind_pictures,
    model_card,
    painted_dice,
    photograph_scores,
    picture_dataset,
    posture_training,
    posture_truth,
    reader_training,
    reading_scores,
    second_choice,
    varied_dice,
)
from models.training.arrival_examples import ArrivalExample, load_examples
from models.training.crops import ALLOWED, TrainingCrop, cut_crops, load_captured_crops
from models.training.networks import ArrivalNet, PostureNet
from models.training.picture_dataset import StoredPicture
from models.training.posture_truth import PosturePicture
from models.training.recipes import RECIPES, Recipe, load_recipe
from vision.arrival import ArrivalModel
from vision.classification import Reader, SecondLook
from vision.detection import Finder
from vision.fewshot import PldaModel
from vision.posture import PostureModel

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)

WEIGHTS = Path(__file__).parents[1] / "weights"
FINDER, READER, SECOND, ARRIVAL, POSTURE = (
    RECIPES / f"{name}.toml" for name in ("finder", "reader", "second", "arrival", "posture")
)
PLOTS = Path(__file__).parents[2] / "docs" / "models"
Folder = Annotated[Path, typer.Option(help="Folder of training pictures.")]
Folders = Annotated[list[Path], typer.Option(help="Folder of training pictures; may be repeated.")]
Weights = Annotated[Path, typer.Option(help="Folder of finder.onnx, reader.onnx and their cards.")]
Checkpoint = Annotated[Path, typer.Option(help="File of the trained weights.")]
Choosing = Annotated[list[Path], typer.Option(help="Folder of pictures made with --use choosing; may be repeated.")]
Plots = Annotated[Path, typer.Option(help="Folder that the plots are written to.")]
Start = Annotated[Path | None, typer.Option(help="Weights of an earlier run to start from.")]
RecipeFile = Annotated[Path, typer.Option("--recipe", help="How to fit: a TOML file.")]
Traced = Annotated[list[Path] | None, typer.Option(help="Folder of `cycles-pictures`; may be repeated.")]
TRACED_REPEATS = 3
"""How often each picture of the second renderer is repeated: one costs it a hundred times as much."""
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
    styles: Annotated[
        int,
        typer.Option("--styles", "--looks", help="Number of dice in each scene; 0: as many as for training.", min=0),
    ] = 0,
    novel: Annotated[
        bool, typer.Option("--novel", "--strange", help="Dice with symbols that no game has; to choose or score on.")
    ] = False,
) -> None:
    """Render pictures with ground truth. The drawings, colours, surfaces and lights of each --use are disjoint."""
    if novel and use is Use.TRAINING:
        raise typer.BadParameter("there are no novel symbols to train on; say --use choosing or --use scoring")
    spec = picture_dataset.PictureSpec(seed, use, styles or (picture_dataset.NOVEL_STYLES if novel else 0), novel)
    picture_dataset.make_pictures(folder, count, spec, workers)


@app.command("finder")
def fit_finder(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    folder: Folders,
    to: Checkpoint,
    how: RecipeFile = FINDER,
    start: Start = None,
    traced: Traced = None,
    weights: Weights = WEIGHTS,
) -> None:
    """Train the finder by a recipe, and write its weights and, next to them, its learning curve."""
    seen = reading_scores.seen_in(traced or (), finder_training.views_of, weights)
    finder_training.fit([*_all(folder), *seen * TRACED_REPEATS], load_recipe(how), to, start)


@app.command("reader")
def fit_reader(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    folder: Folders,
    to: Checkpoint,
    how: RecipeFile = READER,
    start: Start = None,
    photographs: Annotated[Path | None, typer.Option(help="Labelled photographs; only allowed ones are used.")] = None,
    captured: Annotated[list[Path] | None, typer.Option(help="Folder of captured dice; may be repeated.")] = None,
    traced: Traced = None,
    weights: Weights = WEIGHTS,
) -> None:
    """Train the reader by a recipe, and write its weights and, next to them, its learning curve."""
    recipe, pictures = load_recipe(how), _all(folder)
    found = cut_crops(pictures, recipe.seed) + painted_dice.paint_crops(recipe.painted, recipe.seed)
    found += _crops_of_sightings(pictures, traced or (), photographs, recipe, weights)
    for one in captured or ():
        captured_dice = load_captured_crops(one)
        typer.echo(f"{one}: {captured_dice}")
        found += captured_dice.crops
    reader_training.fit(found, recipe, to, start)


@app.command("second")
def fit_second(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    to: Checkpoint,
    folder: Annotated[list[Path] | None, typer.Option(help="Folder of training pictures, if any.")] = None,
    how: RecipeFile = SECOND,
    start: Start = None,
    weights: Weights = WEIGHTS,
    photographs: Annotated[Path | None, typer.Option(help="Labelled photographs; only allowed ones are used.")] = None,
    traced: Traced = None,
) -> None:
    """Train the second look by a recipe, from the reader's weights unless --start gives others."""
    recipe, pictures = load_recipe(how), _all(folder or [])
    painted, aslant = _painted_for_second(recipe), painted_dice.paint_oblique_crops(recipe.oblique, recipe.seed)
    found = painted + reader_training.places_beside(painted, recipe.seed) + aslant + cut_crops(pictures, recipe.seed)
    found += _crops_of_sightings(pictures, traced or (), photographs, recipe, weights)
    reader_training.fit_second_look(found, recipe, to, weights / "reader.onnx", start)


def _crops_of_sightings(
    pictures: Sequence[StoredPicture], traced: Sequence[Path], photographs: Path | None, recipe: Recipe, weights: Path
) -> list[TrainingCrop]:
    """Return what the finder sees: no dice in MuJoCo's pictures, both in Cycles' pictures and in photographs."""
    finder = weights / "finder.onnx"
    found = crops.hard_negatives_of(pictures, finder) if recipe.hard_negatives else []
    if photographs is not None:
        found += crops.crops_of_photographs(photographs, finder)
    return found + reading_scores.seen_in(traced, crops.crops_of_lying, weights) * TRACED_REPEATS


def _painted_for_second(recipe: Recipe) -> list[TrainingCrop]:
    hard = painted_dice.paint_crops(recipe.varied, recipe.seed, source=varied_dice.varied_dice)
    return hard + painted_dice.paint_crops(recipe.painted, recipe.seed)


@app.command("ship-second")
def ship_second(
    fitted: Checkpoint,
    choosing: Choosing,
    photographed: Annotated[bool, typer.Option(help="Record in the card that photographs were trained on.")] = False,
    traced: Traced = None,
    to: Weights = WEIGHTS,
) -> None:
    """Export a trained second look in eight bits, and choose how sure it may be next to the reader."""
    chosen, recipe = _all(choosing), load_recipe(SECOND)
    notes = {
        "trained_on": "painted dice hard to read or seen aslant, foreign signs, places beside dice, sides of dice, and"
        " dice in pictures by Blender's Cycles",
        "photographs_trained_on": ", ".join(ALLOWED.values()) if photographed else "none",
        "chosen_on": "pictures by two renderers of which no die, surface or light is scored on, and painted signs",
        "remade_by": "make models",
        **_recipe(SECOND),
    }
    few = painted_dice.paint_crops(export.CALIBRATION_DICE, recipe.seed, source=varied_dice.varied_dice)
    typer.echo(export.ship_second(fitted, few, export.ChoosingPictures(chosen, _traced(traced)), notes, to))


@app.command("signs")
def score_signs(
    batches: Annotated[int, typer.Option(help="Batches of 384 painted dice of each sort.", min=1)] = 2,
    weights: Weights = WEIGHTS,
    write: bool = False,
) -> None:
    """Score how often signs of no set are taken for a face; --write puts the figures into the second look's card."""
    _, reader_with = reading_scores.load_models(weights)
    shown = second_choice.painted_signs(batches, Use.SCORING, seed=73)
    readers = {"reader alone": Reader(weights / "reader.onnx"), "with second look": reader_with}
    lines = [
        f"{name}: {scored}"
        for name, one in readers.items()
        for of, signs in shown.items()
        for scored in second_choice.score_signs(one, signs, of)
    ]
    typer.echo("\n".join(lines))
    if write:
        note("second", "signs", "By `python -m models.training signs`:\n" + "\n".join(lines))


@app.command("ship-finder")
def ship_finder(
    fitted: Checkpoint, folder: Folders, choosing: Choosing, to: Weights = WEIGHTS, drawn: Plots = PLOTS
) -> None:
    """Export a trained finder in eight bits with its card, and plot its learning curve."""
    trained = _all(folder)
    notes = {"trained_on": f"{len(trained)} pictures {RENDERED}", "remade_by": "make models", **_recipe(FINDER)}
    export.ship_finder(fitted, trained, _all(choosing), notes, to)
    export.plot_curve(fitted.with_suffix(".csv"), drawn / "finder-curve.png")


@app.command("ship-reader")
def ship_reader(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    fitted: Checkpoint,
    folder: Folders,
    choosing: Choosing,
    photographed: Annotated[bool, typer.Option(help="Record in the card that photographs were trained on.")] = False,
    traced: Traced = None,
    to: Weights = WEIGHTS,
    drawn: Plots = PLOTS,
) -> None:
    """Export a trained reader in eight bits, choose its temperature and threshold, write its card and the plots."""
    trained, chosen = _all(folder), export.ChoosingPictures(_all(choosing), _traced(traced))
    notes = {
        "trained_on": f"{len(trained)} pictures {RENDERED}; dice in pictures by Blender's Cycles; painted dice; what"
        " the finder takes for dice",
        "photographs_trained_on": ", ".join(ALLOWED.values()) if photographed else "none",
        "chosen_on": f"{len(chosen.rendered)} and {len(chosen.traced)} pictures by two renderers of which no die,"
        " surface or light is scored on: the worse one decides",
        "remade_by": "make models",
        "plots": "docs/models: reliability, risk-coverage, confusion, reader-curve",
        **_recipe(READER),
    }
    entries = export.ship_reader(fitted, trained, chosen.rendered, notes, to)
    typer.echo(export.choose(chosen, entries, to, drawn))
    export.plot_curve(fitted.with_suffix(".csv"), drawn / "reader-curve.png")


def _recipe(file: Path) -> dict[str, str]:
    return {"recipe": f"{file.name}: {load_recipe(file)}"}


@app.command("score")
def score_models(folder: Folders, weights: Weights = WEIGHTS, write: bool = False) -> None:
    """Score the models on pictures that nothing was trained or chosen on; --write puts the figures into the cards."""
    kept, of = _all(folder), reading_scores.load_models(weights)
    text = _figures(reading_scores.score(kept, *of)) + "\n\nThe same pictures read without a die set:\n"
    text += reading_scores.table(reading_scores.score(kept, *of, with_sets=False))
    typer.echo(text)
    if write:
        for name in ("finder", "reader", "second"):
            note(
                name,
                "rendered",
                f"By `python -m models.training score` on {len(kept)} pictures, each read with its"
                f" game's die set:\n{text}",
            )


def _figures(total: reading_scores.ReadingScore) -> str:
    parts = (
        reading_scores.table(total),
        reading_scores.table_by_game(total),
        f"Commonest silent errors:\n{reading_scores.confusions(total)}",
        f"Most asked about:\n{reading_scores.doubts(total)}",
    )
    return "\n".join(parts)


@app.command("space")
def measure_space(folder: Folders, to: Weights = WEIGHTS) -> None:
    """Fit the PLDA model of the reader's features on choosing pictures, and calibrate its probabilities."""
    met, of = _found_dice(folder, to)
    plda = fewshot_training.calibrate_plda(fewshot_training.fit_plda(met, of[1].version), met)
    plda.save(to / "space.npz")
    model_card.write_card(to / "space.npz", fewshot_training.card(met, plda))
    typer.echo(f"{len(met)} dice; temperature {plda.temperature}, accepted from {plda.accept_from}")


@app.command("teach")
def score_teaching(folder: Folders, weights: Weights = WEIGHTS, write: bool = False) -> None:
    """Score few-shot lessons on dice never trained on: a few examples of each face, read on other pictures."""
    plda = PldaModel.load(weights / "space.npz")
    texts = []
    for one in folder:
        met, (_, reader_with) = _found_dice([one], weights)
        scored = [
            fewshot_training.score(picture_dataset.load_pictures(one), met, reader_with, plda, shots)
            for shots in fewshot_training.SHOTS
        ]
        texts.append(f"{picture_dataset.spec_of(one)}:\n" + "\n".join(map(str, scored)))
    text = "\n\n".join(texts)
    typer.echo(text)
    if write:
        note("space", "taught", f"By `python -m models.training teach`:\n{text}")


@app.command("kinds")
def score_kinds(
    families: int = 60,
    first: Annotated[int, typer.Option(help="Number of the first family.")] = 0,
    throws: int = 6,
    seed: int = 1,
    use: Use = Use.CHOOSING,
) -> None:
    """Score readings of kinds with equal faces on painted families; whoever is asked answers, and it learns."""
    scored = kind_pictures.score_kinds(range(first, first + families), throws, seed, use, WEIGHTS)
    typer.echo(f"seed {seed}, {use}, families {first} to {first + families - 1} of {throws} throws")
    typer.echo(kind_pictures.kind_table(scored))


@app.command("evidence")
def choose_evidence(folder: Folders, weights: Weights = WEIGHTS) -> None:
    """Try settings by which a table's examples are weighed, on first games of choosing families, one folder each."""
    families, plda, reader = _families(folder, weights)
    for line in evidence_choice.report(families, plda, reader.accept_from):
        typer.echo(line)


@app.command("reference")
def make_reference(folder: Folders, to: Weights = WEIGHTS) -> None:
    """Collect the reference set from first games of choosing families, one folder each, and write its card."""
    families, _, reader = _families(folder, to)
    found = evidence_choice.collect_reference(families, reader.accept_from, reader.version)
    found.save(to / "reference.npz")
    model_card.write_card(to / "reference.npz", evidence_choice.reference_card(families, found))
    typer.echo(f"{len(found.examples)} dice")


def _families(folders: list[Path], weights: Path) -> tuple[list[evidence_choice.FamilyDice], PldaModel, Reader]:
    finder, reader = reading_scores.load_models(weights)
    plda = PldaModel.load(weights / "space.npz")
    return [evidence_choice.load_family(one, finder, reader, plda) for one in folders], plda, reader


def _found_dice(folders: list[Path], weights: Path) -> tuple[list[fewshot_training.FoundDie], tuple[Finder, Reader]]:
    """Return the flat dice of folders' pictures, and the models; styles of different folders are different dice."""
    of = reading_scores.load_models(weights)
    return [
        replace(one, style=f"{number} {one.style}")
        for number, folder in enumerate(folders)
        for one in fewshot_training.find_dice(picture_dataset.load_pictures(folder), *of)
    ], of


@app.command("posture-pictures")
def make_posture_pictures(folder: Folder, count: int = 100, seed: int = 1, use: Use = Use.TRAINING) -> None:
    """Render pictures with a known plane, whose dice lie flat, lean by every angle, and stand on others."""
    from models.training import posture_pictures  # noqa: PLC0415  MuJoCo opens its window library on import

    posture_truth.save(posture_pictures.pictures(count, seed, use), folder)


@app.command("cycles-pictures")
def make_cycles_pictures(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    folder: Folder,
    count: int = 100,
    seed: int = 1,
    use: Use = Use.TRAINING,
    threads: int = 1,
    crowded: Annotated[bool, typer.Option(help="As many dice as there is room for: for the reader.")] = False,
) -> None:
    """Render such pictures by Blender's Cycles (`make cycles`), with markers, and go on with those of a folder."""
    cycles_pictures.make_pictures(folder, count, seed, use, threads, crowded=crowded)


@app.command("cycles-films")
def make_cycles_films(
    folder: Folder, count: int = 10, seed: int = 1, use: Use = Use.TRAINING, threads: int = 1
) -> None:
    """Film the events of `moved-dice` by Blender's Cycles (`make cycles`), one a film; kept are those in a folder."""
    from models.training import cycles_films  # noqa: PLC0415  MuJoCo opens its window library on import

    cycles_films.write_films(folder, count, seed, use, threads)


@app.command("confidence")
def score_confidence(folder: Folders, weights: Weights = WEIGHTS) -> None:
    """Print what is accepted from each confidence of the finder on: what the reader's `untrayed_from` is chosen by."""
    typer.echo(photograph_scores.confidence_table(_traced(folder), *reading_scores.load_models(weights)))


@app.command("moved-dice")
def film_moved_dice(
    folder: Annotated[Path, typer.Option(help="Folder for the films; tables that are in it are kept.")],
    count: Annotated[int, typer.Option(help="Number of tables, with four films each.")] = 60,
    seed: int = 1,
    use: Use = Use.TRAINING,
) -> None:
    """Film dice that a hand throws, carries, slides or turns, and keep what is to be seen of each die's place."""
    from models.training import moved_dice_films  # noqa: PLC0415  MuJoCo opens its window library on import

    moved_dice_films.write_films(folder, count, seed, use)


@app.command("arrival")
def fit_arrival(folder: Folders, to: Checkpoint, how: RecipeFile = ARRIVAL) -> None:
    """Train the network that tells how dice came to lie where they lie, on the films of some folders."""
    arrival_training.fit(load_examples(folder), load_recipe(how), to)


@app.command("ship-arrival")
def ship_arrival(
    fitted: Checkpoint, folder: Folders, choosing: Choosing, scoring: Folders, to: Weights = WEIGHTS
) -> None:
    """Export that network, choose its temperature and certainty, and write its card with its figures."""
    trained, chosen, scored = (load_examples(folders) for folders in (folder, choosing, scoring))
    net = ArrivalNet()
    net.load_state_dict(torch.load(fitted, weights_only=True))
    notes = {
        "trained_on": f"{len(trained)} dice at {_tables(trained)} tables, filmed by `python -m models.training "
        "moved-dice` and by bench/tray_arrivals.py",
        "chosen_on": f"{len(chosen)} dice at {_tables(chosen)} other tables, of both: the worse one decides",
        "remade_by": "make arrival",
        **_recipe(ARRIVAL),
    }
    arrival_training.ship(net, chosen, notes, to)
    _note_arrivals("filmed", "ship-arrival", scored, to)


@app.command("score-arrival")
def score_arrival(folder: Folders, weights: Weights = WEIGHTS) -> None:
    """Score what ships on films by Cycles, on which nothing is fitted or chosen, and put the figures into its card."""
    _note_arrivals("traced", "score-arrival", load_examples(folder), weights)


def _note_arrivals(entry: str, command: str, scored: Sequence[ArrivalExample], weights: Path) -> None:
    table = arrival_training.arrival_table(ArrivalModel(weights / "arrival.onnx"), scored)
    note("arrival", entry, f"By `python -m models.training {command}`, {_tables(scored)} tables:\n{table}")
    typer.echo(table)


def _tables(examples: Sequence[ArrivalExample]) -> int:
    return len({one.facts["table"] for one in examples})


@app.command("score-photographs")
def score_photographs(folder: Folders, weights: Weights = WEIGHTS) -> None:
    """Score the whole way from a photograph to readings on pictures by `cycles-pictures`, with no setting typed."""
    finder, second, posture = (
        Finder(weights / "finder.onnx"),
        SecondLook(weights / "second.onnx"),
        weights / "posture.onnx",
    )
    reader = Reader(weights / "reader.onnx", second=second, posture_model=PostureModel(posture))
    for with_games in (False, True):
        typer.echo("with the dice of their game, where all are of one:" if with_games else "without a die set:")
        dice = photograph_scores.read_dice(_traced(folder), finder, reader, with_games=with_games)
        typer.echo(photograph_scores.table(dice))


@app.command("posture")
def fit_posture(
    folder: Folders, to: Checkpoint, start: Start = None, how: RecipeFile = POSTURE, weights: Weights = WEIGHTS
) -> None:
    """Train the network that tells by geometry how a die lies, on pictures by `posture-pictures` and Cycles."""
    pictures = (picture for one in folder for picture in posture_truth.load(one))
    views = posture_training.views_to_learn(pictures, *reading_scores.load_models(weights))
    posture_training.fit(views, load_recipe(how), to, start)


@app.command("ship-posture")
def ship_posture(fitted: Checkpoint, choosing: Choosing, scoring: Folders, to: Weights = WEIGHTS) -> None:
    """Export the network that tells by geometry how a die lies, with its card, its decision and its figures."""
    net = PostureNet()
    net.load_state_dict(torch.load(fitted, weights_only=True))
    found = reading_scores.load_models(to)
    chosen, scored = (
        [posture_training.find_lies(posture_truth.load(one), *found) for one in folders]
        for folders in (choosing, scoring)
    )
    notes = {
        "trained_on": "dice of pictures by `python -m models.training posture-pictures` and `cycles-pictures`",
        "chosen_on": f"{sum(len(one.dice) for one in chosen)} dice in other art on other surfaces, under other lights, "
        "by both renderers: the worse one decides",
        "remade_by": "make posture",
        **_recipe(POSTURE),
    }
    model = posture_training.ship(net, chosen, notes, to)
    tables = [
        f"{where.name}:\n{posture_training.posture_table(model, one)}\n\n{where.name}, the networks alone:\n"
        f"{posture_training.posture_table(None, one)}"
        for where, one in zip(scoring, scored, strict=True)
    ]
    text = "By `python -m models.training ship-posture`, by source:\n" + "\n\n".join(tables)
    note("posture", "rendered", text)
    typer.echo(text)


@app.command("note")
def note_file(name: str, entry: str, file: typer.FileText) -> None:
    """Put a text, such as a benchmark's table, into a model's card: note reader photographs table.txt (or -)."""
    note(name, entry, file.read())


def note(name: str, entry: str, text: str) -> None:
    """Set one entry of a model's card and keep the others."""
    weights = WEIGHTS / (f"{name}.npz" if name == "space" else f"{name}.onnx")
    card = tomllib.loads(weights.with_suffix(".toml").read_text("utf-8"))
    kept = {key: value for key, value in card.items() if key not in ("bytes", "sha256")}
    model_card.write_card(weights, kept | {entry: text.strip() + "\n"})


def _traced(folders: Sequence[Path] | None) -> list[PosturePicture]:
    return [picture for folder in folders or () for picture in posture_truth.load(folder)]


def _all(folders: list[Path]) -> list[StoredPicture]:
    return [kept for folder in folders for kept in picture_dataset.load_pictures(folder)]


if __name__ == "__main__":
    torch.set_num_threads(1)  # the data loader uses the other cores, and more threads would wait for one another
    app()
