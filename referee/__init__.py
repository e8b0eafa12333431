"""The rules: values and pure functions. The referee knows nothing of cameras or pages."""
