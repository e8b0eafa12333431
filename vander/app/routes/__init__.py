"""The addresses of the pages and of the JSON API: one blueprint a module."""
