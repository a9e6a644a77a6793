from signoff.platform.errors import Conflict
from signoff.platform.messages import msg


class TooManyViews(Conflict):
    code, title = "too_many_views", msg("Saved view limit reached")
