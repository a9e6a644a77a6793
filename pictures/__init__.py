"""Pictures for the documentation, taken of the real service with a believable office in it: `make pictures`."""
