"""`signoff serve`: database, API and worker under one roof."""

from signoff.serve.supervisor import serve

__all__ = ["serve"]
