"""The table in Home Assistant, over an MQTT broker: its state, its discovery, and what people press there."""
