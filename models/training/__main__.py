"""`python -m models.training`: make pictures, fit the finder and the reader, export them, and score them."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Annotated

os.environ.setdefault("MUJOCO_GL", "egl")  # before MuJoCo is imported: it chooses its window library then

import torch
import typer

from models.training import cards, finder, painted, pictures, prototypes, reader, scoring
from models.training.choosing import choose_acceptance, choose_temperature, logits_of
from vision.find import UNIT_EDGE
from vision.read import CLASSES

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)

WEIGHTS = Path(__file__).parents[1] / "weights"
Folder = Annotated[Path, typer.Option(help="Where the training pictures lie.")]
RENDERED = (
    "rendered by `python -m models.training pictures`: MuJoCo physics and renderer, our own drawings and surfaces"
)


@app.command("pictures")
def make_pictures(folder: Folder, count: int = 5820, seed: int = 1, held_out: bool = False, workers: int = 2) -> None:
    """Render pictures with truth. --held-out uses only drawings, colours, surfaces and lamps kept from training."""
    pictures.make(folder, count, seed, held_out=held_out, workers=workers)


@app.command("finder")
def fit_finder(folder: Folder, steps: int = 6000, seed: int = 1, start: Path | None = None) -> None:
    """Fit the finder and export it."""
    net = finder.fit(pictures.load(folder), steps, seed, folder / "finder.pt", start)
    cards.export_finder(net, WEIGHTS / "finder.onnx")
    cards.write_card(
        WEIGHTS / "finder.onnx",
        {
            "name": "finder",
            "purpose": "marks the middle, size, turn and posture of every die's top face",
            "input": "BGR 0..1, height and width multiples of 16; dice of 9 to 46 pixels an edge, 20 at best",
            "trained_on": f"{_count(folder)} pictures {RENDERED}, seed {seed}",
            "remade_by": "python -m models.training finder --folder PICTURES"
            f" --steps {steps} --seed {seed}{_from(start)}",
            "unit_edge": UNIT_EDGE,
            "edge_pixels": [7.0, 56.0],
            "least_confidence": 0.3,
        },
    )


@app.command("reader")
def fit_reader(  # noqa: PLR0913, PLR0917 - each is an option of the command line
    folder: Folder,
    choosing: Annotated[Path, typer.Option(help="Other pictures, to choose temperature and threshold on.")],
    steps: int = 10_000,
    seed: int = 1,
    start: Path | None = None,
    painting: Annotated[int, typer.Option(help="Painted dice to train on beside the pictures.")] = 20_000,
) -> None:
    """Fit the reader, choose its temperature and threshold, and export it."""
    found = reader.cuttings(pictures.load(folder), seed) + painted.painted(painting, seed)
    net = reader.fit(found, steps, seed, folder / "reader.pt", start)
    logits, faces = logits_of(net, reader.cuttings(pictures.load(choosing), seed), seed)
    temperature = choose_temperature(logits, faces)
    cards.export_reader(net, WEIGHTS / "reader.onnx")
    cards.write_card(
        WEIGHTS / "reader.onnx",
        {
            "name": "reader",
            "purpose": "names the drawing on a die's top face, says how the die lies, and gives an embedding",
            "input": "upright crops, 1.5 edges wide, 64 pixels square, BGR 0..1",
            "trained_on": f"{_count(folder)} pictures {RENDERED}, and {painting} painted dice, seed {seed}",
            "chosen_on": f"{_count(choosing)} other pictures made the same way",
            "remade_by": "python -m models.training reader --folder PICTURES --choosing OTHERS"
            f" --steps {steps} --seed {seed} --painting {painting}{_from(start)}",
            "temperature": round(temperature, 3),
            "accept_from": round(choose_acceptance(logits / temperature, faces), 3),
            "sighting_from": 0.5,
            "die_from": 0.5,
            "classes": list(CLASSES),
        },
    )


@app.command("score")
def score_models(folder: Folder, write: bool = False) -> None:
    """Read the held-out pictures with the exported models and print the figures; --write puts them into the cards."""
    total = scoring.score(pictures.load(folder), *scoring.models_of(WEIGHTS))
    text = f"{scoring.table(total)}\nCommonest silent errors:\n{scoring.confusions(total)}"
    typer.echo(text)
    if write:
        for name in ("finder", "reader"):
            note(name, "rendered", f"By `python -m models.training score` on held-out pictures:\n{text}")


@app.command("prototypes")
def teach_models(folder: Folder, write: bool = False) -> None:
    """Teach the reader each held-out drawing with a few pictures and print how often the nearest is right then."""
    result = prototypes.taught(prototypes.embedded(pictures.load(folder), WEIGHTS / "reader.onnx"))
    typer.echo(f"{result.drawings} drawings, {prototypes.SHOWN} pictures of each shown\n{result}")
    if write:
        note("reader", "taught", f"{result.drawings} drawings, {prototypes.SHOWN} pictures of each shown:\n{result}")


@app.command("note")
def note_file(name: str, entry: str, file: typer.FileText) -> None:
    """Put a text, such as a bench's table, into a model's card: note reader photographs table.txt (or -)."""
    note(name, entry, file.read())


def note(name: str, entry: str, text: str) -> None:
    """Set one entry of a model's card, keeping the others."""
    weights = WEIGHTS / f"{name}.onnx"
    card = tomllib.loads(weights.with_suffix(".toml").read_text("utf-8"))
    kept = {key: value for key, value in card.items() if key not in ("bytes", "sha256")}
    cards.write_card(weights, kept | {entry: text.strip() + "\n"})


def _from(start: Path | None) -> str:
    """The rest of the command, where a run went on from another's weights."""
    return f" --start {start.name}" if start else ""


def _count(folder: Path) -> int:
    return len(pictures.load(folder))


if __name__ == "__main__":
    torch.set_num_threads(1)  # on a busy machine more threads wait for one another; the loader has the other processors
    app()
