from signoff.platform.errors import Conflict
from signoff.platform.messages import msg


class TooManyViews(Conflict):
    code, title = "too_many_views", msg("Saved view limit reached")

    def __init__(self, limit: int) -> None:
        super().__init__(
            msg("You've reached the limit of {limit} saved views. Delete one to save another.", limit=limit)
        )
