"""The cameras that are plugged in, by what Linux says of them: a tree of files stands in for the machine's."""

from __future__ import annotations

from pathlib import Path

from hardware.cameras.usb import FoundCamera, found_cameras, identity_of

USB = "sys/devices/pci0000:00/usb1/1-2/1-2:1.0/video4linux"
PLATFORM = "sys/devices/platform/axi/1000880000.pisp_be/video4linux"
MADE = "sys/devices/virtual/video4linux"


def plug(root: Path, where: str, device: str, name: str, index: int | None = 0) -> None:
    """Add a device as the kernel shows it."""
    folder = root / where / device
    folder.mkdir(parents=True)
    (folder / "name").write_text(f"{name}\n")
    if index is not None:
        (folder / "index").write_text(f"{index}\n")
    listed = root / "sys/class/video4linux"
    listed.mkdir(parents=True, exist_ok=True)
    (listed / device).symlink_to(folder)


def test_a_machine_without_cameras_has_none(tmp_path: Path) -> None:
    assert found_cameras(tmp_path) == ()


def test_each_webcam_is_found_once_by_what_its_maker_calls_it(tmp_path: Path) -> None:
    plug(tmp_path, USB, "video2", "HD Pro Webcam C920")
    plug(tmp_path, USB, "video3", "HD Pro Webcam C920", index=1)
    plug(tmp_path, MADE, "video10", "OBS Virtual Camera")
    assert found_cameras(tmp_path) == (
        FoundCamera("usb:2", "HD Pro Webcam C920"),
        FoundCamera("usb:10", "OBS Virtual Camera"),
    )


def test_a_webcam_is_named_by_what_outlasts_a_restart(tmp_path: Path) -> None:
    plug(tmp_path, USB, "video2", "HD Pro Webcam C920")
    (tmp_path / "dev/v4l/by-id").mkdir(parents=True)
    (tmp_path / "dev/v4l/by-id/usb-046d_C920-video-index0").symlink_to("../../video2")
    assert [each.name for each in found_cameras(tmp_path)] == ["usb:/dev/v4l/by-id/usb-046d_C920-video-index0"]


def test_a_raspberry_pi_has_a_camera_where_it_has_a_sensor(tmp_path: Path) -> None:
    plug(tmp_path, PLATFORM, "video20", "pispbe-input")
    assert found_cameras(tmp_path) == ()
    plug(tmp_path, PLATFORM, "v4l-subdev0", "dw9807 10-000c", index=None)
    plug(tmp_path, PLATFORM, "v4l-subdev2", "imx708_wide", index=None)
    plug(tmp_path, PLATFORM, "v4l-subdev10", "ov5647 11-0036", index=None)
    assert found_cameras(tmp_path) == (FoundCamera("picamera:0", "imx708_wide"), FoundCamera("picamera:1", "ov5647"))


def test_a_device_that_says_nothing_is_called_by_its_number(tmp_path: Path) -> None:
    plug(tmp_path, USB, "video0", "x")
    (tmp_path / USB / "video0/name").unlink()
    assert found_cameras(tmp_path) == (FoundCamera("usb:0", "video0"),)


def test_two_names_of_one_camera_are_one(tmp_path: Path) -> None:
    device, lasting = tmp_path / "video0", tmp_path / "by-id"
    device.touch()
    lasting.symlink_to(device)
    assert identity_of(f"usb:{lasting}") == identity_of(f"usb:{device}") == str(device)
    assert identity_of("usb:0") == identity_of("usb:") == identity_of("usb:/dev/video0") != identity_of("usb:1")
    assert identity_of("rtsp://10.0.0.7/a") == identity_of("url:rtsp://10.0.0.7/a")
    assert identity_of("virtual") == identity_of("virtual:rollers") != identity_of("phone")
