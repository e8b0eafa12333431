"""Serve a film by RTSP with GStreamer, under Debian's Python: prints its port, and ends by itself after some seconds.

    rtsp_server.py SECONDS [--password NAME:PASSWORD] [--input]

Without --input the film is drawn here and sent as JPEG pictures; with it, H.264 comes from standard input.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

FILM = "video/x-raw,format=I420,width=320,height=240,framerate=15/1"
DRAWN = f"videotestsrc is-live=true pattern=ball ! {FILM} ! jpegenc ! rtpjpegpay name=pay0"
PARSED = "h264parse config-interval=-1 ! video/x-h264,alignment=au"
GIVEN = f"fdsrc fd=0 do-timestamp=true ! {PARSED} ! rtph264pay name=pay0 config-interval=-1"


def main(seconds: str, *options: str) -> None:
    Gst.init(None)
    server = GstRtspServer.RTSPServer(address="127.0.0.1", service="0")
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(f"( {GIVEN if '--input' in options else DRAWN} )")
    factory.set_shared(True)
    if "--password" in options:
        protect(server, factory, *options[options.index("--password") + 1].split(":"))
    server.get_mount_points().add_factory("/tray", factory)
    server.attach(None)
    print(server.get_bound_port(), flush=True)
    loop = GLib.MainLoop()
    GLib.timeout_add_seconds(int(seconds), loop.quit)
    loop.run()


def protect(
    server: GstRtspServer.RTSPServer, factory: GstRtspServer.RTSPMediaFactory, name: str, password: str
) -> None:
    """Let in whoever knows the name and the password, by digest."""
    access = GstRtspServer.RTSPAuth()
    access.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    owner = GstRtspServer.RTSPToken.new()
    owner.set_string("media.factory.role", "owner")
    access.add_digest(name, password, owner)
    server.set_auth(access)
    rights = GstRtspServer.RTSPPermissions.new()
    for right in ("media.factory.access", "media.factory.construct"):
        rights.add_permission_for_role("owner", right, True)
    factory.set_permissions(rights)


main(*sys.argv[1:])
