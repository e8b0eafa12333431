"""The box: where frames come from, and what hangs on the wires."""
