"""From a frame to an observation: calibrate, rectify, find, read, track.

`pipeline` puts the stages together. Weights, die sets and the tray's layout are passed in: vision looks nothing up.
"""

import os

# From 1.29 on onnxruntime sends telemetry about the machine and its models unless this is set before it is imported.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
