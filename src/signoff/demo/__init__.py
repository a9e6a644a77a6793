"""The demo: a workspace filled with a small pottery's data for first-time users, and its removal."""
