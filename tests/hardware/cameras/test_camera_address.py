"""What may be seen of the address of a camera: the scheme and the host, and no name, password, path or query."""

from __future__ import annotations

import pytest

from hardware.cameras import open_camera
from hardware.cameras.base import CameraAddress, NoSuchCamera, secrets_in, shown_name

ADDRESSES = {
    "url:http://192.168.1.20:8080/video": "http://192.168.1.20:8080",
    "url:https://tray.local/shot.jpg": "https://tray.local",
    "rtsp://ann:se%2Fcret@10.0.0.7:8554/tray": "rtsp://10.0.0.7:8554",
    "url:rtsp://10.0.0.7/user=admin_password=geheim_channel=1": "rtsp://10.0.0.7",
    "http://10.0.0.7/shot.cgi?user=admin&pwd=geheim": "http://10.0.0.7",
    "url:http://[fe80::1]:81/": "http://[fe80::1]:81",
}


@pytest.mark.parametrize(("name", "shown"), ADDRESSES.items())
def test_no_more_than_the_host_is_shown(name: str, shown: str) -> None:
    assert shown_name(name) == shown == open_camera(name).name


@pytest.mark.parametrize(
    "name", ["virtual", "usb:0", "usb:/dev/video0", "replay:/films/one.mp4", "phone", "picamera:0"]
)
def test_the_name_of_any_other_camera_is_shown_as_it_is(name: str) -> None:
    assert shown_name(name) == name
    assert secrets_in(name) == ()


@pytest.mark.parametrize(
    "address",
    [
        *("ann:geheim@10.0.0.7/video", "htp://ann:geheim@10.0.0.7/video", "http://", "http:///video"),
        *("http://ann:geheim@10.0.0.7:port/", "http://10.0.0.7:99999/geheim", "http://10.0.0.7/a b geheim"),
        *("http://ann:ge/heim@10.0.0.7/video", "http://ann:12/geheim@10.0.0.7/", "http://ann:ge@heim@10.0.0.7/"),
        *("http://ann:geheim@[10.0.0.7/video", "file:///geheim", "http://10.0.0.7/\ngeheim"),
    ],
)
def test_what_is_no_address_is_refused_without_being_repeated(address: str) -> None:
    for name in (f"url:{address}", address):
        with pytest.raises(NoSuchCamera) as refused:
            open_camera(name)
        assert not {"geheim", "heim", "ann"} & set(str(refused.value).replace(":", " ").replace("/", " ").split())
        assert "geheim" not in str(refused.value)
        assert "heim" not in shown_name(name) or name.startswith("ann:")
    assert shown_name(f"url:{address}") == "url:?"


def test_an_address_behind_usb_is_refused_without_being_repeated() -> None:
    with pytest.raises(NoSuchCamera, match="named url:ADDRESS") as refused:
        open_camera("usb:rtsp://ann:geheim@10.0.0.7/")
    assert "geheim" not in str(refused.value)


def test_name_and_password_are_decoded_and_no_part_of_the_bare_address() -> None:
    address = CameraAddress.parse("http://ann:a%40b%2Fc@tray.local:81/video?x=1")
    assert (address.user, address.password, address.bare) == ("ann", "a@b/c", "http://tray.local:81/video?x=1")
    assert address.whole == "http://ann:a%40b%2Fc@tray.local:81/video?x=1"


def test_all_that_may_be_a_password_is_known_as_a_secret() -> None:
    assert set(secrets_in("rtsp://ann:a%40b@tray.local/x?pwd=geheim")) == {
        "ann",
        "a@b",
        "a%40b",
        "geheim",
        "x?pwd=geheim",
    }
    assert secrets_in("url:http://tray.local/video") == ()
    assert secrets_in("url:geheim") == ("geheim",)
