"""Identifiers of what happened before: lists are in their order, so each tells the time at which it was."""

import os
from datetime import datetime

from signoff.platform.ids import id_at


def id_of(prefix: str, moment: datetime) -> str:
    return id_at(prefix, moment) + os.urandom(8).hex()
