"""What the demo tells: a small pottery's office, its three agents, and a month of their work. Data, and no rows."""
