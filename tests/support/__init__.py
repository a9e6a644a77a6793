"""What the tests share: the service as a process of its own, a receiver for its webhooks, and shorthands."""
