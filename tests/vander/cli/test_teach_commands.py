"""`vander capture` and `vander teach` as a person types them."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image
from test_commands import VANDER, sentence, vander

from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import UNPACED_RATE, VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from models.dataset import SampleStore
from models.die_sets import DieSetCatalog, build_die_set
from vander.bench import first_game_benchmark as bench
from vander.cli import learning_commands
from vander.resources import models_and_stores
from vander.storage.settings import load
from vision.frames import Frame, Pixels
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout

FACES = 4


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with dice of four strange symbols, six pictures each."""
    folder = tmp_path_factory.mktemp("data")
    bench.write_die_set(folder, FACES, 6)
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    """A copy of it to be changed."""
    return Path(shutil.copytree(filled, tmp_path / "data"))


def photographs(folder: Path, count: int, seed: int) -> None:
    """A folder of pictures for each of four sides of a strange die, taken from above a tray."""
    tray = VirtualTray("strange", seed=seed, size=(640, 480))
    camera = VirtualCamera(tray, paced=False, seed=seed)
    camera.open()
    tray.knock_off(2)
    tray.knock_off(3)
    after(camera, 30)
    for symbol in ("sun", "paw", "mushroom", "boat"):
        face = folder / f"strange-{symbol}"
        face.mkdir(parents=True)
        while truth(tray)[1].face != face.name:
            tray.tip(1)
            after(camera, 20)
        for number in range(count):
            tray.twist(1, 31.0)
            after(camera, 12)
            tray.move(1, 0.25 + 0.06 * number, 0.3 + 0.15 * (number % 3))
            cv2.imwrite(str(face / f"{number}.png"), after(camera, 25))


def after(camera: VirtualCamera, frames: int) -> Pixels:
    """What the camera sees so many frames later, of which only the last is painted."""
    camera.simulator.advance((frames - 1) / UNPACED_RATE)
    return camera.frame().pixels


@pytest.mark.slow
def test_dice_are_learned_from_folders_of_photographs_and_read_by_that(tmp_path: Path) -> None:
    photographs(tmp_path / "mine", 6, seed=2)
    done = vander("teach", "mine", str(tmp_path / "mine"), folder=tmp_path / "data")
    assert done.returncode == 0, done.stderr
    assert "24 dice came in" in done.stderr
    assert done.stdout.startswith("Lesson 1 of the Mine")
    photographs(tmp_path / "others", 3, seed=3)
    photos = sorted((tmp_path / "others").rglob("*.png"))
    read = vander("read", "--json", "--set", "mine", *map(str, photos), folder=tmp_path / "data")
    dice = [json.loads(line)["dice"] for line in read.stdout.splitlines()]
    seen = [
        (photo.parent.name, found[0]["face"], found[0]["accepted"]) for photo, found in zip(photos, dice, strict=True)
    ]
    assert [one for one in seen if one[2] and one[0] != one[1]] == []
    assert sum(accepted for *_, accepted in seen) >= 10  # of twelve


@pytest.mark.slow
def test_a_lesson_tells_what_to_expect_and_can_be_gone_back_from(folder: Path) -> None:
    learned = json.loads(vander("teach", "bench", "--json", folder=folder).stdout)
    assert (learned["version"], learned["faces"], learned["pictures"]) == (1, FACES, 24)
    assert learned["right"]["hits"] <= learned["right"]["count"] <= 24
    back = json.loads(vander("teach", "bench", "--back-to", "0", "--json", folder=folder).stdout)
    assert back["version"] == 0
    assert "no lesson 7" in sentence(vander("teach", "bench", "--back-to", "7", folder=folder))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["coco", "yolo", "faces"])
def test_captured_dice_go_out_and_come_in(folder: Path, tmp_path: Path, form: str) -> None:
    to = tmp_path / f"{form}.zip"
    out = vander("capture", "export", str(to), "--form", form, folder=folder)
    assert out.returncode == 0, out.stderr
    assert "24 dice in 24 pictures" in out.stdout
    other = tmp_path / "other"
    came = vander("capture", "import", str(to), "--form", form, folder=other)
    assert came.returncode == 0, came.stderr
    known = {sample.name: (sample.label, sample.place) for sample in SampleStore(folder / "captured").samples()}
    assert {sample.name: (sample.label, sample.place) for sample in SampleStore(other / "captured").samples()} == known
    assert vander("teach", "bench", folder=other).returncode == 0  # dice that nobody here knew are known now


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("capture",), "--set"),
        (("capture", "--set", "ours"), "--face"),
        (("capture", "--set", "d6", "--face", "Sun"), "known"),
        (("capture", "--set", "ours", "--face", "Sun", "--face", "sun"), "twice"),
        (("capture", "--set", "d6", "--camera", "fish:0"), "fish:0"),
        (("capture", "export", "out"), "nothing to put out"),
        (("capture", "export", "out", "--form", "xml"), "xml"),
        (("capture", "import", "nowhere"), "nowhere"),
        (("teach", "ours"), "'ours'"),
        (("teach", "d6"), "No picture"),
        (("teach", "d6", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_is_one_sentence(words: tuple[str, ...], named: str, tmp_path: Path) -> None:
    assert named in sentence(vander(*words, folder=tmp_path / "data"))


@pytest.mark.slow
def test_a_folder_of_pictures_without_dice_is_named(tmp_path: Path) -> None:
    for face in ("sun", "moon"):
        (tmp_path / "mine" / face).mkdir(parents=True)
        cv2.imwrite(str(tmp_path / "mine" / face / "table.png"), np.full((400, 500, 3), 90, np.uint8))
    done = vander("teach", "mine", str(tmp_path / "mine"), folder=tmp_path / "data")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "sun/table.png" in done.stderr


def single(folder: Path, *words: str) -> Path:
    """A folder for each word, with a picture in it that is all one die."""
    for word in words:
        (folder / word).mkdir(parents=True)
        cv2.imwrite(str(folder / word / "die.png"), np.full((96, 96, 3), (90, 120, 150), np.uint8))
    return folder


def kept(folder: Path) -> Path:
    """A data folder with dice whose faces are called 1, 2, a star and Moon Cat."""
    dice = build_die_set("ours", "Ours", [("Die", 1, ["1", "2", "\u2605", "Moon Cat"]), ("Rune", 1, ["Fish"])])
    DieSetCatalog(folder / "dice").save(dice)
    return folder


@pytest.mark.slow
def test_known_dice_come_in_by_their_faces_names_or_titles(tmp_path: Path) -> None:
    data = kept(tmp_path / "data")
    single(tmp_path / "mine", "1", "digit-2", "\u2605", "moon cat", "fish")
    done = vander("capture", "import", str(tmp_path / "mine"), "--form", "faces", "--set", "ours", folder=data)
    assert done.returncode == 0, done.stderr
    labels = {
        (sample.label.kind, sample.label.face)
        for sample in SampleStore(data / "captured").samples("ours")
        if sample.label
    }
    die = {("die", "digit-1"), ("die", "digit-2"), ("die", "face-3"), ("die", "moon-cat")}
    assert labels == die | {("rune", "fish")}


@pytest.mark.slow
@pytest.mark.parametrize("command", [("teach", "ours", "{}"), ("capture", "import", "{}", "--set", "ours")])
def test_words_that_are_no_face_of_known_dice_are_named_and_nothing_is_taken_in(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    data, mine = kept(tmp_path / "data"), single(tmp_path / "mine", "1", "Mon", "3")
    words = [*(word.format(mine) for word in command), *(["--form", "faces"] if command[0] == "capture" else [])]
    said = sentence(vander(*words, folder=data))
    assert "'3', 'Mon'" in said
    assert "moon-cat" in said
    assert SampleStore(data / "captured").samples() == ()


@pytest.mark.slow
def test_dice_that_are_here_are_called_by_another_face_of_theirs_or_stay_as_they_are(
    folder: Path, tmp_path: Path
) -> None:
    to = tmp_path / "out"
    vander("capture", "export", str(to), "--form", "faces", folder=folder)
    first, *_ = sorted((to / "bench/die/sun").iterdir())
    before = {sample.name: sample.label for sample in SampleStore(folder / "captured").samples()}
    take = ("capture", "import", str(to), "--form", "faces", "--set", "bench")
    strange = to / "bench/die/HEARTH"
    strange.mkdir()
    moved = first.rename(strange / first.name)
    assert "'HEARTH'" in sentence(vander(*take, folder=folder))
    assert {sample.name: sample.label for sample in SampleStore(folder / "captured").samples()} == before
    moved.rename(to / "bench/die/heart" / first.name)
    assert vander(*take, folder=folder).returncode == 0
    after = {sample.name: sample.label for sample in SampleStore(folder / "captured").samples()}
    changed = {name: (label.kind, label.face) for name, label in after.items() if label and label != before[name]}
    assert changed == {first.stem: ("die", "heart")}


@pytest.mark.slow
@pytest.mark.parametrize("style", ["pips", "digits"])
@pytest.mark.parametrize("command", [("teach", "d6", "{}"), ("capture", "import", "{}", "--set", "d6")])
def test_numbers_that_may_be_pips_or_digits_are_asked_about_once(
    tmp_path: Path, command: tuple[str, ...], style: str
) -> None:
    mine, data = single(tmp_path / "mine", *"123456"), tmp_path / "data"
    words = [*(word.format(mine) for word in command), *(["--form", "faces"] if command[0] == "capture" else [])]
    assert "give --faces pips, or --faces digits" in sentence(vander(*words, folder=data))
    assert SampleStore(data / "captured").samples() == ()
    vander(*words, "--faces", style, folder=data)
    labels = sorted(sample.label.face for sample in SampleStore(data / "captured").samples("d6") if sample.label)
    assert labels == [f"{style[:-1]}-{number}" for number in range(1, 7)]


@pytest.mark.slow
def test_labels_that_are_not_those_of_the_dice_are_refused_unless_somebody_insists(tmp_path: Path) -> None:
    """A list of classes that is off by one fits every box."""
    tray, theirs, data = VirtualTray("d6", seed=5, size=(960, 720)), tmp_path / "theirs", tmp_path / "data"
    camera = VirtualCamera(tray, paced=False, seed=5)
    camera.open()
    theirs.mkdir()
    cv2.imwrite(str(theirs / "a.png"), after(camera, 60))
    shown = {number: int(die.face[-1]) - 1 for number, die in truth(tray).items()}
    boxes = [f"{shown[die['number']]} {die['x']} {die['y']} 0.05 {0.05 * 4 / 3}" for die in tray.dice()]
    (theirs / "a.txt").write_text("\n".join(boxes))
    words = ("capture", "import", str(theirs), "--form", "yolo", "--set", "d6", "--faces", "pips", "--json")
    (theirs / "obj.names").write_text("\n".join("612345"))
    refused = sentence(vander(*words, folder=data))
    assert "of 6 dice that can be read 6 are labelled as another face" in refused
    assert SampleStore(data / "captured").samples() == ()
    done = json.loads(vander(*words, "--as-labelled", folder=data).stdout)
    assert (done["taken"], done["doubted"], done["contradicted"]) == (6, 0, 6)
    (theirs / "obj.names").write_text("\n".join("123456"))
    done = json.loads(vander(*words, folder=tmp_path / "other").stdout)
    assert (done["taken"], done["doubted"], done["contradicted"]) == (6, 0, 0)


@pytest.mark.slow
def test_a_word_that_could_be_faces_of_two_kinds_is_refused(tmp_path: Path) -> None:
    single(tmp_path / "mine", "1", "star")
    said = sentence(vander("teach", "rollers", str(tmp_path / "mine"), folder=tmp_path / "data"))
    assert "several faces are called '1'; name the kind as well, such as rollers-black/pip-1" in said
    assert SampleStore(tmp_path / "data/captured").samples() == ()


@pytest.mark.slow
def test_pictures_that_are_stored_turned_are_asked_about_once(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    exif = Image.Exif()
    exif[0x0112] = 3
    Image.new("RGB", (200, 150)).save(theirs / "a.jpg", exif=exif)
    (theirs / "obj.names").write_text("sun\nmoon\n")
    (theirs / "a.txt").write_text("0 0.2 0.2 0.2 0.2\n1 0.7 0.6 0.2 0.2\n")
    words = ("capture", "import", str(theirs), "--form", "yolo", "--set", "mine")
    assert "give --boxes upright, or --boxes stored" in sentence(vander(*words, folder=tmp_path / "data"))
    done = vander(*words, "--boxes", "stored", folder=tmp_path / "data")
    assert (done.returncode, done.stdout) == (
        0,
        "2 dice came in from 1 picture. They show: moon, sun. "
        "In 2 boxes not just one die is seen; check where boxes lie.\n",
    )


@pytest.mark.slow
def test_new_dice_of_a_single_face_are_none(tmp_path: Path) -> None:
    single(tmp_path / "mine", "img1")
    words = ("capture", "import", str(tmp_path / "mine"), "--form", "faces", "--set", "mine")
    assert "dice of one face, 'img1', are none" in sentence(vander(*words, folder=tmp_path / "data"))
    assert not list((tmp_path / "data").rglob("*.png"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["queue", "x" * 41, "Ours"])
def test_new_dice_by_a_name_that_cannot_be_are_not_taken_in(tmp_path: Path, name: str) -> None:
    single(tmp_path / "mine", "sun", "moon")
    assert name in sentence(vander("teach", name, str(tmp_path / "mine"), folder=tmp_path / "data"))
    assert not list((tmp_path / "data").rglob("*.png"))


@pytest.mark.slow
def test_new_dice_with_more_faces_than_can_be_taught_are_not_taken_in(tmp_path: Path) -> None:
    single(tmp_path / "mine", *(f"side-{number}" for number in range(21)))
    assert "21 faces" in sentence(vander("teach", "mine", str(tmp_path / "mine"), folder=tmp_path / "data"))
    assert SampleStore(tmp_path / "data/captured").samples() == ()
    assert DieSetCatalog(tmp_path / "data/dice").own == ()


@pytest.mark.slow
def test_a_lesson_that_is_of_no_use_is_said_before_photographs_are_read_without_it(folder: Path) -> None:
    photo = folder / "table.png"
    cv2.imwrite(str(photo), np.full((400, 500, 3), 90, np.uint8))
    assert vander("teach", "bench", folder=folder).returncode == 0
    neither = f"vander: {photo}: The picture shows neither a tray nor a die that can be read for certain.\n"
    assert vander("read", "--set", "bench", str(photo), folder=folder).stderr == neither
    lessons = models_and_stores.open_lesson_store(load(data_dir=folder), models_and_stores.LoadedModels.load())
    lesson = lessons.in_use("bench")
    assert lesson is not None
    lessons.save("bench", lesson.lesson, replace(lesson.report, reader="another"))
    other = vander("read", "--set", "bench", str(photo), folder=folder)
    assert (other.returncode, other.stderr.count("\n")) == (0, 2)
    assert "learned with another reader" in other.stderr
    (folder / "lessons/bench/0002.npz").write_bytes(b"torn")
    broken = vander("read", "--set", "bench", str(photo), folder=folder)
    assert (broken.returncode, broken.stderr.count("\n")) == (0, 2)
    assert "0002.npz" in broken.stderr
    assert "no dice" in broken.stdout


class StoppedWhileLooking(Pipeline):
    """A pipeline that is at its work when Ctrl+C is pressed."""

    def process(self, frame: Frame) -> Observation:
        """Nothing is seen."""
        raise KeyboardInterrupt


def test_ctrl_c_ends_a_capture_wherever_it_strikes(folder: Path) -> None:
    models, camera = (
        models_and_stores.LoadedModels.load(),
        VirtualCamera(VirtualTray("d6", size=(640, 480)), paced=False),
    )
    camera.open()
    desk = models_and_stores.open_learning_service(load(data_dir=folder), models)
    desk.start_capture("bench")
    pipeline = StoppedWhileLooking(models.finder, models.reader, models.arrivals.tell, desk.showing, TrayLayout())
    learning_commands.run_capture(camera, pipeline, desk, 0, as_json=False)
    assert desk.capture_status() is not None


def test_on_the_virtual_tray_a_capture_lays_the_dice_itself(tmp_path: Path) -> None:
    settings, models = load(data_dir=tmp_path), models_and_stores.LoadedModels.load()
    tray = VirtualTray("d6", seed=2, size=(640, 480))
    camera = VirtualCamera(tray, paced=False, seed=2)
    camera.open()
    desk = models_and_stores.open_learning_service(settings, models)
    desk.start_capture("d6")
    pipeline = models.pipeline(desk.showing, TrayLayout(), live=False, reader=desk.reader())
    learning_commands.run_capture(camera, pipeline, desk, 2, as_json=False)
    first, second = SampleStore(tmp_path / "captured").samples("d6")
    laid = next(die for die in truth(tray).values() if die.number == 1)
    assert {sample.label and sample.label.face for sample in (first, second)} == {laid.face}
    assert first.place != second.place


@pytest.mark.slow
@pytest.mark.parametrize("shell", [[], ["sh", "-c", 'trap "" INT; exec "$@"', "sh"]], ids=["foreground", "background"])
def test_a_capture_that_is_stopped_by_ctrl_c_went_well(shell: list[str], tmp_path: Path) -> None:
    words = [*shell, VANDER, "capture", "--set", "ours", "--face", "Sun", "--camera", "virtual", "--json"]
    words += ["--data-dir", tmp_path]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:  # noqa: S603
        try:
            assert running.stdout is not None
            assert json.loads(running.stdout.readline())["dice"] == "ours"
            running.send_signal(signal.SIGINT)
            assert running.wait(120) == 0
        finally:
            running.kill()


@pytest.mark.slow
def test_dice_are_shown_to_a_camera_from_the_command_line(tmp_path: Path) -> None:
    film(tmp_path / "film.avi", places=((0.3, 0.3), (0.5, 0.6)))
    done = vander(
        *("capture", "--set", "ours", "--face", "Sun", "--face", "Moon", "--pictures", "2"),
        *("--camera", f"replay:{tmp_path / 'film.avi'}", "--json"),
        folder=tmp_path / "data",
    )
    assert done.returncode == 0, done.stderr
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert said[-1]["taken"] == 2
    samples = SampleStore(tmp_path / "data/captured").samples("ours")
    assert [(sample.label and sample.label.face, sample.origin) for sample in samples] == [("sun", "guided")] * 2
    assert all(sample.frame and sample.in_frame for sample in samples)


def film(path: Path, places: tuple[tuple[float, float], ...]) -> None:
    """A film of a tray into which a hand lays a die at one place after another."""
    tray = VirtualTray("strange", seed=3, size=(640, 480))
    camera = VirtualCamera(tray, paced=False, seed=3)
    camera.open()
    for number in (1, 2, 3):
        tray.knock_off(number)
    frames = [camera.frame() for _ in range(30)]
    for x, y in places:
        tray.move(1, x, y)
        frames += [camera.frame() for _ in range(32)]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 15.0, (640, 480))
    for frame in frames:
        writer.write(frame.pixels)
    writer.release()


@pytest.mark.slow
def test_a_lesson_is_timed(tmp_path: Path) -> None:
    done = vander("bench", "teach", "--faces", "3", "--pictures", "3", "--times", "3", "--json", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["faces"], figures["runs"]) == (3, 3)
    assert figures["interval"][0] <= figures["seconds"] <= figures["interval"][1]
    assert 20 < figures["megabytes at most"] < 2000
