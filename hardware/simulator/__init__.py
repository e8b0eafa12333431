"""The virtual tray: a simulated table for people without hardware. A virtual camera sees it; a page moves its dice."""
