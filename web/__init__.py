"""The tablet: pages, a JSON API and live events over a desk. It knows no camera and no database."""

from web.app import create_app

__all__ = ["create_app"]
