"""`signoff serve`: the database, the API, and a worker in one command."""

from signoff.serve.supervisor import serve

__all__ = ["serve"]
