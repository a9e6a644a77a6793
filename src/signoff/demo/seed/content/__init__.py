"""The demo's content: a small pottery's office, its three agents, and a month of their work. Data only, no rows."""
