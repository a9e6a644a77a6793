"""Outgoing messages: everything that's sent to something slow, unreachable, or gone. One row each, one way of sending.

The statement that changes something also queues what has to be sent because of it (`messages.py`), so a message
exists if and only if the change does. A worker claims messages that are due and sends each through its channel
(`sender.py`); what follows from an attempt is decided in one place (`retry_policy.py`).
"""
