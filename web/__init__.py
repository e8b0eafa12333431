"""The web interface: pages, a JSON API and live events. It knows no camera and no database."""

from web.app import create_app
from web.events import end_streams
from web.services.backends import Backends

__all__ = ["Backends", "create_app", "end_streams"]
