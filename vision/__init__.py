"""From a frame to an observation: calibrate, rectify, find, read, track. Vision is given its weights and its layout."""

import os

# From 1.29 on onnxruntime tells its maker of the machine and its models, unless this is said before it is imported.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
