"""How fast it is, as ratios: everything is measured side by side, in turns, in one run on one machine."""
