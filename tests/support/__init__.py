"""Shared by all tests: the service as a separate process, a receiver for its webhooks, and helpers."""
