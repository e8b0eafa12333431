"""The web interface: pages, a JSON API and live events. It knows no camera and no database."""
