"""The virtual tray: a whole table for people without hardware. A camera looks at it; hands reach it by a page."""
