"""Screenshots for the docs, taken from the real service with realistic content: `make screenshots`."""
