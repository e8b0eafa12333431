"""The running program: parts are composed, the camera loop runs, the web server listens."""
