"""The running program: resources are composed, the camera loop runs, the server listens."""
