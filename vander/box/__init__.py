"""The box itself: lamp, buzzer and button, health alerts, systemd's watchdog, and shutting down."""
