"""What `make docs` adds to the pages of `docs/`: the pages of the root, and a reference of the API."""
