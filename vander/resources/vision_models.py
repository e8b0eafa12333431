"""Load the networks that find and read dice, and the tray's layout that they are used with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from referee.dice import DieSet
from referee.sentences import say
from vander.storage.camera_file import read_corners
from vander.storage.settings import Settings
from vision.arrival import ArrivalModel
from vision.classification import Reader, SecondLook
from vision.detection import Finder
from vision.die_size import DieSize
from vision.fewshot import PldaModel
from vision.frame_reader import DieReader
from vision.model_file import BrokenModel
from vision.pipeline import Pipeline
from vision.posture import PostureModel
from vision.tray_calibration import TrayLayout


def weights_path(name: str) -> Path:
    """Return the path of a model's ONNX file; its card is the `.toml` file of the same name."""
    return Path(str(files("models").joinpath("weights", f"{name}.onnx")))


def plda_path() -> Path:
    """Return the path of the PLDA model that lessons compare faces with."""
    return weights_path("reader").with_name("space.npz")


def reference_path() -> Path:
    """Return the path of the reference set, which nothing that a table learns may make read worse."""
    return weights_path("reader").with_name("reference.npz")


def tray_layout(settings: Settings) -> TrayLayout:
    """Return the tray's layout: by the corners that people tapped, else by a typed size, else by what markers tell."""
    kept = read_corners(settings.data_dir, settings.shown_camera)
    if kept is not None:
        return kept.layout
    width, height = settings.tray_width_mm, settings.tray_height_mm
    if width is None and height is None:
        return TrayLayout(bay=settings.bay)
    usual = TrayLayout()
    return TrayLayout(width or usual.width_mm, height or usual.height_mm, bay=settings.bay, typed=True)


def posture_path() -> Path:
    """Return the path of the network that tells by geometry how a die lies."""
    return weights_path("posture")


@dataclass(frozen=True)
class LoadedModels:
    """The finder, the reader with its second look, what tells how dice arrived, and the PLDA model of the embeddings.

    All are checked against their cards.
    """

    finder: Finder
    reader: Reader
    plda: PldaModel
    arrivals: ArrivalModel

    @classmethod
    def load(cls, threads: int = 1) -> LoadedModels:
        """Load all of them. Raises BrokenModel."""
        plda = PldaModel.load(plda_path())
        second = SecondLook(weights_path("second"), threads)
        reader = Reader(weights_path("reader"), threads, second, PostureModel(posture_path(), threads))
        arrivals = ArrivalModel(weights_path("arrival"), threads)
        found = cls(Finder(weights_path("finder"), threads), reader, plda, arrivals)
        if not found.reader.version.startswith(plda.reader):
            raise BrokenModel(say("{file} was measured with another reader; install Vander again", file=plda_path()))
        return found

    def pipeline(  # noqa: PLR0913  # what reads, what is read, and what is known of it
        self,
        dice: DieSet | None,
        layout: TrayLayout,
        *,
        live: bool = True,
        reader: DieReader | None = None,
        size: DieSize | None = None,
        keep_size: Callable[[DieSize], None] | None = None,
    ) -> Pipeline:
        """Return a pipeline for these dice and this layout.

        `live` is False for a replay, `reader` replaces ours; `size` is how large the dice are, as far as that is known.
        """
        return Pipeline(
            self.finder,
            reader or self.reader,
            self.arrivals.tell,
            dice,
            layout,
            live=live,
            size=size,
            keep_size=keep_size,
        )
